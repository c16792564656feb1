// A lane's tile: whose it is, the dealer's mark, the big number, and a note under it.

import { html, set, write } from "../lib/dom.js";
import { mark } from "./pegs.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const LONG = { mine: 14, other: 8, seat: 16 }; // letters from which a name takes two smaller lines, at last cut off

const KNOWN = 0.6; // how likely a dealer must be to be marked

export class Tile {
  #lane;
  #kind;
  #name = html("span.name", { dir: "auto" });
  #crib = html("span.crib");
  #hero = html("span.hero");
  #note = html("span.note");
  #noted = "";

  /** `kind`: mine or other on the phone, seat on the board; with `choose` it can be tapped. */
  constructor(lane, kind, choose = null) {
    this.#lane = lane;
    this.#kind = kind;
    const who = html("span.who", mark(lane), this.#name, this.#crib);
    this.node = html(choose ? "button" : "div", { class: `tile ${kind}`, ...(choose ? { type: "button" } : {}) });
    this.node.append(who, this.#hero, this.#note);
    if (choose) this.node.addEventListener("click", choose);
  }

  /** `notes`: a list of `[class, text]`, the most urgent first; with the entry that a text tells of, where it does. */
  show(state, notes) {
    const lane = state.lanes[this.#lane];
    this.#writeName(state);
    this.#showDealer(state);
    write(this.#hero, `${lane.front}`);
    this.node.classList.toggle("beaten", state.game.over && state.game.winner !== this.#lane);
    if (this.node.tagName === "BUTTON") this.node.title = words.scoreFor(state, this.#lane);
    this.#writeNotes(notes);
  }

  #writeName(state) {
    const name = words.laneName(state, this.#lane);
    const long = words.letters(name) > LONG[this.#kind];
    write(this.#name, name);
    this.#name.classList.toggle("long", long);
    set(this.#name, "title", long ? name : null);
  }

  /** Where a page asks who deals first, nobody is marked before it is told. */
  #showDealer(state) {
    const { dealer, seats, game } = state;
    const asks = this.#kind !== "seat" && words.asksFirst(state);
    const deals = !game.over && !asks && dealer !== null && game.dealer_sure >= KNOWN && seats[dealer].lane === this.#lane;
    const partners = seats.filter((seat) => seat.lane === this.#lane).length > 1;
    const said = deals ? (partners ? words.called(state, dealer) : t("words.why_crib")) : "";
    if (this.#crib.dataset.said === said) return;
    this.#crib.dataset.said = said;
    this.#crib.replaceChildren(...(said ? [html("b.d", { title: t("words.dealer") }, "D"), html("span", said)] : []));
  }

  #writeNotes(notes) {
    const key = JSON.stringify(notes);
    if (key === this.#noted) return;
    this.#noted = key;
    this.#note.replaceChildren(...notes.map(([kind, text, entry]) => html("span", { class: kind }, ...(entry ? words.marked(text, entry) : [text]))));
  }
}
