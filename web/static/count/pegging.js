// What counting pages peg: through the pads' queue, with its questions, and what could not be sent in one note.

import { byId, html, say } from "../lib/dom.js";
import { Queue } from "../live/command_queue.js";
import { Role } from "../live/role.js";
import { ask } from "../lib/dialog.js";
import { asSentence, quote, t } from "../lib/i18n.js";
import * as words from "../words/words.js";

export class Pegs {
  #table;
  #queue;
  #role = new Role();
  #told;
  #asking = null;
  #refusal = "";
  #offer = null; // {said, act}: what would have the refused tap taken
  #timer = 0;

  /** `told` has `changed()`, `stored(id, answer)` and `lost(id)` for a tap that will not be stored. */
  constructor(table, told) {
    this.#table = table;
    this.#told = told;
    this.#queue = new Queue(table, {
      changed: () => this.#show(),
      question: () => this.#askNext(),
      refused: (sentence, item, problem) => this.#refused(sentence, item, problem),
      stored: (item, answer) => told.stored(item.id, answer),
      unpaired: () => this.#role.lost(),
    });
    byId("trouble-offer").addEventListener("click", () => this.#offer?.act());
    byId("trouble-end").addEventListener("click", () => this.#end());
    table.on("link", (link) => link === "live" && this.#queue.hurry());
    this.#role.follow(() => {
      if (this.#role.mayScore) this.#queue.paired();
      this.#show();
    });
  }

  /** Send what an earlier visit left. */
  begin() {
    this.#queue.pump();
    this.#show();
  }

  /** Why nothing can be pegged; null where it can. */
  get closed() {
    if (!this.#role.mayScore) return words.notPaired;
    return this.#table.state.game.over ? words.gameOver : null;
  }

  /** Where this device can be paired; null where it is. */
  get pairing() {
    return this.#role.mayScore ? null : "/j/";
  }

  /** Whether a tap waits for its answer. */
  waits(id) {
    return this.#queue.items.some((item) => item.id === id);
  }

  /** Peg points for a seat as of the state they were `seen` in; the tap's id, or false where 20 are waiting already. */
  score(seat, points, why, seen = null) {
    const { game, seats } = this.#table.state;
    return this.#tap({ game: game.id, do: "score", seat, points, why }, seats[seat].lane, seen);
  }

  takeBack({ id, lane }) {
    return this.#tap({ game: this.#table.state.game.id, do: "undo", entry: id }, lane);
  }

  /** Take back a tap that is not stored; false where it is too late for that. */
  drop(id) {
    const item = this.#queue.items.find((one) => one.id === id);
    if (item) this.#drop(item);
    return item !== undefined;
  }

  /** A question of two answers, as the pads ask them. */
  ask(question, answer) {
    this.#asking = question;
    ask(question, (yes) => {
      this.#asking = null;
      answer(yes);
      this.#askNext();
    });
  }

  /** Say that the play is over; the tap's id, or false. */
  show() {
    return this.#tap({ game: this.#table.state.game.id, do: "stage", stage: "show" }, null);
  }

  #tap(body, lane, seen = null, more = {}) {
    this.#refusal = "";
    this.#offer = null;
    const id = this.#queue.tap(body, lane, undefined, seen, more);
    if (!id) this.#refusal = words.queueFull;
    this.#show();
    return id;
  }

  #drop(item) {
    this.#queue.drop(item);
    this.#told.lost(item.id);
  }

  #refused(sentence, item, { offer = null }) {
    this.#refusal = sentence ? asSentence(sentence) : words.unreadable;
    this.#offer = offer && { said: words.offerSaid(this.#table.state, offer, item.body), act: () => this.#take(offer, item) };
    this.#told.lost(item.id);
    this.#show();
  }

  /** Say who deals, and peg once more what was refused. */
  #take(offer, { body, lane }) {
    const said = this.#tap({ game: body.game, do: "deal", ...offer }, null);
    const again = said && this.#tap(body, lane, null, { after: said });
    if (again) this.#told.again?.(again);
  }

  #askNext() {
    const item = this.#queue.items.find((one) => one.held && one.held.kind !== "unpaired");
    if (!item || this.#asking) return;
    this.ask(this.#questionOf(item), (yes) => (yes ? this.#queue.yes(item) : this.#drop(item)));
  }

  #questionOf(item) {
    const { kind, state, entries } = item.held;
    const changed = (entry) => entry.history?.at(-1)?.at ?? entry.at;
    const when = (entry) => words.ago(this.#table.since(changed(entry)), changed(entry));
    return kind === "moved" ? words.movedQuestion(state, item, entries, when) : words.oldQuestion(this.#table.state, item);
  }

  get #late() {
    return this.#queue.items.find((item) => item.tries > 0 || item.held);
  }

  #show() {
    clearTimeout(this.#timer);
    const late = this.#late;
    byId("trouble").hidden = !late && !this.#refusal;
    byId("trouble-offer").hidden = Boolean(late) || !this.#offer;
    say("trouble-offer", this.#offer?.said ?? "");
    say("trouble-end", t(late ? "pad.cancel" : "pad.hide"));
    const what = late ? words.notSent(words.tap(this.#table.state, late)) : this.#refusal;
    for (const id of ["trouble-what", "trouble-said"]) quote(byId(id), what);
    this.#showThen(late);
    if (late) this.#timer = setTimeout(() => this.#show(), 500);
    this.#told.changed();
  }

  #showThen(late) {
    const pair = late?.held?.kind === "unpaired";
    const then = late ? (late.trouble ? asSentence(late.trouble) : words.tryingAgain(Math.ceil((late.next - Date.now()) / 1_000))) : "";
    quote(byId("trouble-then"), pair ? "" : then);
    if (pair) byId("trouble-then").append(html("a", { href: "/j/" }, t("pad.pair_again")));
  }

  #end() {
    const late = this.#late;
    this.#refusal = "";
    this.#offer = null;
    if (late) this.#drop(late);
    this.#show();
  }
}
