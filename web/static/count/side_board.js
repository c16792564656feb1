// The board beside the keys, where a screen has room for it: pegs leap there as on the other pages.

import { byId } from "../lib/dom.js";
import { pictureOf } from "../board/board_model.js";
import { Slab } from "../board/board_view.js";
import * as words from "../words/words.js";

const ROOM = matchMedia("(min-aspect-ratio: 1) and (min-width: 900px) and (min-height: 700px)"); // as in the style sheet

export class Side {
  #table;
  #slab = new Slab(byId("slab"));

  constructor(table) {
    this.#table = table;
    ROOM.addEventListener("change", () => this.show());
    addEventListener("resize", () => this.show());
  }

  show({ live = false } = {}) {
    if (!ROOM.matches) return;
    const { state } = this.#table;
    byId("slab").setAttribute("aria-label", words.spokenBoard(state));
    this.#slab.show(pictureOf(state), { live });
  }
}
