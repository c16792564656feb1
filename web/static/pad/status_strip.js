// The strip: the last line with Undo and Redo, a correction that waits to be confirmed, or what could not be sent.

import { byId, fill, set, write } from "../lib/dom.js";
import { lineOf } from "../words/entries.js";
import { asSentence, quote, t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const SHORT_NOTE = 4_000; // ms an explanation stays
const LONG = 40; // letters from which a line takes the room of its time, too

/** A tap in words, those of a sheet among them. */
export function tapSaid(state, item) {
  const { do: what, entry, points } = item.body;
  if (what !== "amend" && what !== "penalty") return words.tap(state, item);
  if (what === "penalty") return t("pad.tap_penalty", { points });
  return points === undefined ? t("pad.tap_amend_line", { line: entry }) : t("pad.tap_amend", { line: entry, points });
}

export class Strip {
  #table;
  #queue;
  #here;
  #mine;
  #last;
  #older;
  #timer = 0;
  #note = null; // an explanation that goes by itself
  #noteTimer = 0;
  #refusal = null; // a sentence that stays until it is read
  #rule = null; // where the rules page explains it
  #offer = null; // {said, act}: what can be done about it in one tap
  #refusedAt = 0;
  #told = null; // the late tap that has been announced, and in what words
  #asking = null; // a correction that waits: {said, then, yes, still, act, from}

  /** `here` finds the parts of the strip, `mine(item)` says which taps are its own, `last()` the line that it tells, `older` is said where there is none. */
  constructor(table, queue, { here = byId, mine = () => true, last = null, older = words.olderLines } = {}) {
    this.#table = table;
    this.#queue = queue;
    this.#here = here;
    this.#mine = mine;
    this.#older = older;
    this.#last = last ?? (() => lineOf(table.state, table.state.undo));
    here("trouble-offer").addEventListener("click", () => this.#take());
    here("trouble-end").addEventListener("click", () => this.#end());
    here("keep").addEventListener("click", () => this.#answer(false));
    here("take").addEventListener("click", () => this.#answer(true));
    here("strip").addEventListener("keydown", (event) => event.key === "Escape" && this.#asking && this.#answer(false));
  }

  /** The line that Undo would take back; null where the state does not tell it. */
  get undoable() {
    return this.#last();
  }

  /** Whether keys in the place of Redo move the last line to another player. */
  whose = false;

  get asks() {
    return this.#asking !== null;
  }

  /** Say why a key does nothing, for a moment. */
  explain(reason) {
    this.#note = reason;
    quote(byId("said"), reason);
    clearTimeout(this.#noteTimer);
    this.#noteTimer = setTimeout(() => {
      this.#note = null;
      this.show();
    }, SHORT_NOTE);
    this.show();
  }

  /**
   * A refusal, kept until it is put away or something is stored; `rule` is the line of the rules page about it, `offer`
   * says and does in one tap what would have it taken.
   */
  refused(sentence, rule = null, offer = null) {
    this.#refusal = sentence && asSentence(sentence);
    this.#rule = sentence && rule;
    this.#offer = sentence && offer;
    this.#refusedAt = Date.now();
    if (sentence) quote(byId("said"), [this.#refusal, offer?.said].filter(Boolean).join(" "));
    this.show();
  }

  #take() {
    const offer = this.#offer;
    this.past();
    this.show();
    offer?.act();
  }

  /** Ask in place; `act()` on yes, as long as `still(state)` holds. The harmless answer has the focus. */
  ask({ said, then, yes, still, act }) {
    const from = this.#asking?.from ?? document.activeElement;
    this.past();
    this.#asking = { said, then, yes, still, act, from };
    this.show();
    this.#here("keep").focus({ preventScroll: true });
  }

  /** A tap is stored: said where the last that was said is that it is not sent. */
  stored(item) {
    const { id, said, late } = this.#told ?? {};
    if (item.id === id && byId("said").textContent === late) quote(byId("said"), words.sent(said));
  }

  /** Something has been stored; what has only just been refused can still be read. */
  news() {
    if (!this.asks && Date.now() - this.#refusedAt > SHORT_NOTE) this.past();
  }

  past() {
    this.#refusal = null;
    this.#offer = null;
    this.#note = null;
    this.#asking = null;
  }

  show() {
    clearTimeout(this.#timer);
    if (this.#asking && !this.#asking.still(this.#table.state)) this.#asking = null;
    this.#showKeys();
    const waits = [this.#showLast(), this.#showTrouble()].filter((ms) => ms > 0);
    const speaks = this.#note !== null || this.asks || !this.#here("trouble").hidden;
    this.#here("strip").classList.toggle("speaks", speaks);
    if (waits.length) this.#timer = setTimeout(() => this.show(), Math.min(...waits));
  }

  #answer(yes) {
    const asking = this.#asking;
    this.#asking = null;
    this.show();
    const from = asking?.from === document.body ? this.#here("undo") : asking?.from;
    from?.focus({ preventScroll: true });
    if (yes) asking?.act();
  }

  /** Undo and Redo, or in their very place the two answers. */
  #showKeys() {
    for (const name of ["undo", "redo"]) this.#here(name).hidden = this.asks || (name === "redo" && this.whose);
    this.#here("was-of").hidden = this.asks || !this.whose;
    for (const name of ["keep", "take"]) this.#here(name).hidden = !this.asks;
    this.#here("strip").classList.toggle("asks", this.asks);
    if (this.asks) write(this.#here("take"), this.#asking.yes);
  }

  /** The last line and when it was; answers in how many ms that reads otherwise. */
  #showLast() {
    const { state } = this.#table;
    const last = this.undoable;
    const seconds = last ? this.#table.since(last.at) : 0;
    const quiet = last ? words.line(state, last) : state.undo ? this.#older : "";
    const said = this.#asking?.said ?? this.#note ?? quiet;
    const long = words.letters(said) > LONG;
    const then = this.#note || !last ? "" : words.fromTo(last, words.ago(seconds, last.at));
    fill(this.#here("what"), ...(said === quiet && last ? words.marked(said, last) : [said]));
    set(this.#here("what"), "title", long ? said : null);
    write(this.#here("when"), this.#asking ? this.#asking.then : then);
    this.#here("strip").classList.toggle("explains", !this.asks && (this.#note !== null || long));
    return last && seconds < 60 ? 1_000 : 0;
  }

  /** What is not sent, or refused; answers in how many ms to look again. */
  #showTrouble() {
    const late = this.#late;
    const unpaired = late.some(({ held }) => held);
    this.#here("trouble").hidden = this.asks || (!late.length && !this.#refusal);
    this.#here("trouble-pair").hidden = !unpaired;
    const offer = late.length ? null : this.#offer;
    this.#showRule(late.length ? null : this.#rule);
    this.#here("trouble-offer").hidden = !offer;
    write(this.#here("trouble-offer"), offer?.said ?? "");
    write(this.#here("trouble-end"), late.length ? t("pad.cancel") : t("pad.hide"));
    if (late.length) return this.#showLate(late[0], this.#queue.items.filter(this.#mine).length);
    const [fault] = (this.#refusal ?? "").split(/\s*;/u);
    quote(this.#here("trouble-what"), offer ? fault : (this.#refusal ?? "")); // what to do about it stands on the key
    set(this.#here("trouble-what"), "title", this.#refusal);
    quote(this.#here("trouble-then"), "");
    return 0;
  }

  #showRule(rule) {
    const link = this.#here("trouble-rule");
    link.hidden = !rule;
    set(link, "href", rule);
  }

  get #late() {
    return this.#queue.items.filter((item) => this.#mine(item) && (item.held ? item.held.kind === "unpaired" : item.tries > 0));
  }

  #showLate(item, count) {
    const said = tapSaid(this.#table.state, item);
    if (item.id !== this.#told?.id) {
      this.#told = { id: item.id, said, late: words.notSent(said) };
      quote(byId("said"), this.#told.late);
    }
    const pause = Math.ceil((item.next - Date.now()) / 1_000);
    const then = item.held ? t("pad.pair_again") : (item.trouble ? asSentence(item.trouble) : words.tryingAgain(pause));
    set(this.#here("trouble-what"), "title", null);
    quote(this.#here("trouble-what"), words.notSent(said) + (count > 1 ? t("pad.and_more", { n: count - 1 }) : ""));
    quote(this.#here("trouble-then"), then);
    return item.held ? 0 : 500;
  }

  #end() {
    const [late] = this.#late;
    if (late) this.#queue.drop(late);
    else this.past();
    this.show();
  }
}
