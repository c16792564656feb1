// Points typed on a keyboard, pegged by Enter or after a silence.

import { MOST_AT_ONCE } from "../live/command_queue.js";

const SILENCE = 1_200; // ms after which a digit without Enter pegs, as on the device's keys
const BEGIN_TWO = new Set(["1", "2"]);
const FIELDS = "input, select, textarea, [contenteditable]";

export class KeyboardEntry {
  #pad;
  #typed = "";
  #timer = 0;
  #pegged = -Infinity; // when typed points were pegged: an Enter just after that does not press the focused key

  /** `pad` has `peg(points)`, `press(what)` for undo and redo, `typed()` and `closed()`. */
  constructor(pad) {
    this.#pad = pad;
  }

  /** What is typed and not pegged yet, or null. */
  get points() {
    return this.#typed === "" ? null : Number(this.#typed);
  }

  /** Take a pressed key. */
  hear(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.target.closest?.(FIELDS) || this.#pad.closed()) return this.#drop();
    if (/^\d$/u.test(event.key)) this.#digit(event.key);
    else if (event.key === "Enter" && (this.#typed || event.timeStamp - this.#pegged < SILENCE)) this.#enter();
    else if ((event.key === "Escape" || event.key === "Backspace") && this.#typed) this.#drop();
    else if (/^[ur]$/iu.test(event.key)) this.#correct(event.key);
    else return this.#forget();
    event.preventDefault();
  }

  #enter() {
    this.#peg();
    this.#forget();
  }

  #forget() {
    this.#pegged = -Infinity;
  }

  #correct(key) {
    this.#forget();
    this.#pad.press(key.toLowerCase() === "u" ? "undo" : "redo");
  }

  #digit(digit) {
    const both = this.#typed + digit;
    if (this.#typed && Number(both) > MOST_AT_ONCE) this.#peg();
    this.#typed = this.#typed + digit;
    clearTimeout(this.#timer);
    if (this.#typed.length === 2 || !(BEGIN_TWO.has(digit) || digit === "0")) return this.#peg();
    this.#timer = setTimeout(() => this.#peg(), SILENCE);
    this.#pad.typed();
  }

  #peg() {
    const points = this.points;
    this.#clear();
    if (points === null) return;
    this.#pegged = performance.now();
    this.#pad.peg(points);
  }

  #drop() {
    if (!this.#typed) return;
    this.#clear();
    this.#pad.typed();
  }

  #clear() {
    clearTimeout(this.#timer);
    this.#typed = "";
  }
}
