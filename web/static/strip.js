// The strip between slab and keys: the last line with Undo and Redo, or what could not be sent.

import { byId, say, set } from "./element.js";
import { lineOf } from "./sheet.js";
import * as words from "./words.js";

const SHORT_NOTE = 4_000; // ms an explanation stays
const LONG = 40; // letters from which a line takes the room of its time, too

/** Take a key out of use with its reason, or back with null; it can still be focused and asked. */
export function refuse(key, reason) {
  set(key, "aria-disabled", reason ? "true" : null);
  set(key, "title", reason);
  if (reason) key.dataset.reason = reason;
  else delete key.dataset.reason;
}

export class Strip {
  #table;
  #queue;
  #timer = 0;
  #note = null; // an explanation that goes by itself
  #noteTimer = 0;
  #refusal = null; // a sentence that stays until it is read

  constructor(table, queue) {
    this.#table = table;
    this.#queue = queue;
    byId("trouble-end").addEventListener("click", () => this.#end());
  }

  /** The line that Undo would take back; null where the state does not tell it. */
  get undoable() {
    const { state } = this.#table;
    return lineOf(state, state.undo);
  }

  /** Say why a key does nothing, for a moment. */
  explain(reason) {
    this.#note = reason;
    clearTimeout(this.#noteTimer);
    this.#noteTimer = setTimeout(() => {
      this.#note = null;
      this.show();
    }, SHORT_NOTE);
    this.show();
  }

  /** A refusal, kept until it is put away or something is stored. */
  refused(sentence) {
    this.#refusal = sentence;
    this.show();
  }

  past() {
    this.#refusal = null;
    this.#note = null;
  }

  show() {
    clearTimeout(this.#timer);
    const waits = [this.#showLast(), this.#showTrouble()].filter((ms) => ms > 0);
    byId("strip").classList.toggle("speaks", this.#note !== null || !byId("trouble").hidden);
    if (waits.length) this.#timer = setTimeout(() => this.show(), Math.min(...waits));
  }

  /** The last line and when it was; answers in how many ms that reads otherwise. */
  #showLast() {
    const { state } = this.#table;
    const last = this.undoable;
    const seconds = last ? this.#table.since(last.at) : 0;
    const said = this.#note ?? (last ? words.line(state, last) : state.undo ? words.olderLines : "");
    const long = words.letters(said) > LONG;
    say("what", said);
    set(byId("what"), "title", long ? said : null);
    say("when", this.#note || !last ? "" : words.fromTo(last, words.ago(seconds, last.at)));
    byId("strip").classList.toggle("explains", this.#note !== null || long);
    return last && seconds < 60 ? 1_000 : 0;
  }

  /** What is not sent, or refused; answers in how many ms to look again. */
  #showTrouble() {
    const late = this.#late;
    byId("trouble").hidden = !late.length && !this.#refusal;
    say("trouble-end", late.length ? "Cancel" : "Hide");
    if (late.length) return this.#showLate(late[0], this.#queue.items.length);
    say("trouble-what", this.#refusal ?? "");
    say("trouble-then", "");
    return 0;
  }

  get #late() {
    return this.#queue.items.filter((item) => item.tries > 0 && !item.held);
  }

  #showLate(item, count) {
    const more = count > 1 ? `, and ${count - 1} more` : "";
    say("trouble-what", words.notSent(words.tap(this.#table.state, item)) + more);
    say("trouble-then", item.trouble ?? words.tryingAgain(Math.ceil((item.next - Date.now()) / 1_000)));
    return 500;
  }

  #end() {
    const [late] = this.#late;
    if (late) this.#queue.drop(late);
    else this.#refusal = null;
    this.show();
  }
}
