// The end of a game on a pad: who won, by how much, what it was, and what comes next.

import { byId, html, write } from "../lib/dom.js";
import { gamesWon } from "../board/games_won.js";
import { mark } from "../board/pegs.js";
import { HURRY } from "../lib/dialog.js";
import * as words from "../words/words.js";

const AFTER = ["won", "games", "after"];

export class Ending {
  #here;
  #during;
  #offered = "";
  #leads;
  #was = null; // whether the game was over when this was last shown

  /** `here` finds the parts of the pad; those named in `during` make room for the end; one that `leads` takes the focus. */
  constructor(here = byId, during = ["scores", "keys"], leads = true) {
    this.#here = here;
    this.#during = during;
    this.#leads = leads;
    here("confirm").addEventListener("click", ({ target }) => target.closest("button")?.focus()); // as not every browser does
  }

  /**
   * Show the end, or the game; Undo would take `undoable` back, `closed` says why this device may not, `confirming` lists
   * the seats that can confirm here, `mine` says that it is the one that holds the phone.
   */
  show(state, undoable, closed, { confirming, mine }) {
    const { over } = state.game;
    document.body.classList.toggle("over", over);
    for (const id of AFTER) this.#here(id).hidden = !over;
    for (const id of this.#during) this.#here(id).hidden = over;
    const ends = over && this.#was === false;
    this.#was = over;
    if (!over) return;
    this.#tell(state, undoable, closed);
    this.#offer(state, closed ? [] : confirming, mine);
    if (ends) this.#lead();
  }

  /** What comes next hears nothing at first, and then has the focus, unless that is somewhere else by then. */
  #lead() {
    const after = this.#here("after");
    after.inert = true;
    setTimeout(() => {
      after.inert = false;
      const { activeElement } = document;
      if (!this.#leads || !this.#was || (activeElement !== document.body && activeElement.checkVisibility())) return;
      (this.#here("confirm").querySelector("button") ?? this.#here("next-game")).focus({ preventScroll: true });
    }, HURRY);
  }

  #tell(state, undoable, closed) {
    const { winner } = state.game;
    const { bold, rest } = words.ending(state);
    this.#here("won-mark").replaceChildren(...(winner === null ? [] : [mark(winner, "large")]));
    this.#headline(words.headline(state), winner === null ? "" : words.laneName(state, winner));
    this.#write("won-bold", bold);
    this.#write("won-rest", rest);
    this.#here("won-scores").replaceChildren(...finals(state));
    this.#here("games").hidden = state.lanes.length === 1;
    this.#here("games-row").replaceChildren(...gamesWon(state));
    this.#write("games-title", words.gamesHeading(state));
    this.#write("match-won", words.matchWon(state));
    this.#write("next-word", words.nextGame(state));
    this.#write("next-dealer", closed ?? words.beforeNext(state));
    this.#write("undo-win-word", words.undoOf(undoable));
  }

  #write(id, text) {
    write(this.#here(id), text);
  }

  /** The name may be cut short; what is said of it may not. */
  #headline({ name, says }, full) {
    const title = this.#here("won-title");
    if (title.textContent === `${name} ${says}`.trim()) return;
    const named = name ? [html("span.name", { dir: "auto", title: full }, name), " "] : [];
    title.replaceChildren(...named, html("span", says));
  }

  /** Whoever holds the phone confirms before the next game; the focus goes on from there. */
  #offer(state, seats, mine) {
    const now = [mine, ...seats.map((seat) => words.called(state, seat)), words.fronts(state)].join();
    if (now === this.#offered) return;
    this.#offered = now;
    const keys = this.#here("confirm");
    const next = this.#here("next-game");
    const held = keys.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
    keys.replaceChildren(...seats.map((seat) => confirmKey(state, seat, mine)));
    keys.classList.toggle("pairs", !mine && state.seats.length > state.lanes.length);
    keys.hidden = !seats.length;
    next.hidden = seats.length > 0;
    if (held !== null) (keys.querySelector(`[data-seat="${held}"]`) ?? keys.querySelector("button") ?? next).focus();
  }
}

function confirmKey(state, seat, mine) {
  const who = html("span.name", { dir: "auto" }, words.called(state, seat));
  const said = mine ? [html("b", words.confirmMine), " ", html("span", words.fronts(state))] : [who, " ", html("b", words.confirms)];
  return html("button", { type: "button", class: "solid", "data-seat": seat, title: mine ? null : state.seats[seat].name }, ...said);
}

function finals(state) {
  const first = state.game.winner ?? 0;
  const losers = state.lanes.map((_, lane) => lane).filter((lane) => lane !== first);
  const hero = html("p.hero", `${state.lanes[first].front}`);
  return [hero, html("div", ...losers.map((lane) => final(state, lane)))];
}

function final(state, lane) {
  const name = html("span.name", { dir: "auto" }, words.laneName(state, lane));
  return html("p.final", name, mark(lane), html("b", `${state.lanes[lane].front}`));
}
