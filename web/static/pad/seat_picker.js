// Who holds the phone: one seat, or everybody; asked at the first visit and remembered.

import { byId, html } from "../lib/dom.js";
import { recall, remember } from "../lib/storage.js";
import { mark } from "../board/pegs.js";
import { rise } from "../lib/dialog.js";
import * as words from "../words/words.js";

const SHELF = "pegboard.holder";

const SURELY = 0.7; // where it is less sure who counts next, the keys stay with whom they are

/** Everybody still fits the table, a seat as long as the same player sits in it: within a match a name is only corrected. */
function sits(known, { seats, match }) {
  if (known === null || known.seat === null) return known !== null;
  return seats[known.seat] !== undefined && (seats[known.seat].name === known.name || known.match === match.id);
}

/** Whose turn it is to count, and of which deal. */
const dueIn = ({ game }) => [game.id, game.deal, game.phase, game.to_count].join();

const choice = (value, sign, name, then) =>
  html("button.key.wide", { value }, sign, html("b", { dir: "auto" }, name), html("span", then));

export class Holder {
  #table;
  #known = null; // {seat, name}; seat null = everybody
  #chosen = 0; // the lane that scores while everybody holds the phone
  #due = ""; // whose turn to count that lane was chosen for

  constructor(table) {
    this.#table = table;
    this.check();
  }

  get known() {
    return this.#known !== null;
  }

  /** The seat that holds the phone; null for everybody. */
  get seat() {
    return this.#known?.seat ?? null;
  }

  /** The lane that the keys score for. */
  get lane() {
    const { seats, lanes } = this.#table.state;
    return this.seat === null ? Math.min(this.#chosen, lanes.length - 1) : seats[this.seat].lane;
  }

  /** The seat a tap is for; null where everybody holds the phone and partners share the lane. */
  get scoring() {
    if (this.seat !== null) return this.seat;
    const { seats } = this.#table.state;
    const own = seats.flatMap((seat, i) => (seat.lane === this.lane ? [i] : []));
    return own.length === 1 ? own[0] : null;
  }

  /** While everybody holds the phone: this lane scores from now on, until it is another's turn to count. */
  choose(lane) {
    this.#chosen = lane;
    this.#due = dueIn(this.#table.state);
  }

  /** While everybody holds the phone: whoever surely counts now scores; answers the lane where it is another than before. */
  goAlong() {
    const { state } = this.#table;
    const [seat, due] = [words.dueSeat(state), dueIn(state)];
    if (this.seat !== null || seat === null || due === this.#due || state.game.sure < SURELY) return null;
    const before = this.lane;
    this.#due = due;
    this.#chosen = state.seats[seat].lane;
    return this.lane === before ? null : this.lane;
  }

  /** After a new picture: still the same people? */
  check() {
    const { seats } = this.#table.state;
    if (!sits(this.#known, this.#table.state)) {
      const known = seats.length === 1 ? { seat: 0, name: seats[0].name } : recall(SHELF);
      this.#known = sits(known, this.#table.state) ? known : null;
    }
    if (this.seat !== null) this.#learn(this.seat);
  }

  /** The name of the seat as it is now, and the match in which it is that player's. */
  #learn(seat) {
    const { seats, match } = this.#table.state;
    const { name } = seats[seat];
    if (this.#known.name === name && this.#known.match === match.id) return;
    const kept = recall(SHELF)?.name === this.#known.name && seats.length > 1;
    this.#known = { seat, name, match: match.id };
    if (kept) remember(SHELF, this.#known);
  }

  /** Ask who it is; Escape means everybody for now, and the next visit asks again. */
  ask(then) {
    const { seats } = this.#table.state;
    const choices = seats.map((seat, i) => choice(`${i}`, mark(seat.lane), seat.name, ""));
    byId("holders").replaceChildren(...choices, choice("all", null, words.holder.all(seats.length), words.holder.allWhy));
    rise(byId("holder"), "later", (value) => {
      const seat = value === "all" || value === "later" ? null : Number(value);
      this.#known = { seat, name: seat === null ? null : seats[seat].name, match: this.#table.state.match.id };
      if (value !== "later") remember(SHELF, this.#known);
      then();
    });
  }
}
