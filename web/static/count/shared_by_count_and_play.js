// Shared by the count and play pages: cards by rank, count requests, voice, pegging, links to the rules, the board.

import { boardModel, BoardView } from "../board/board_view.js";
import { laneSign } from "../board/shapes.js";
import { askYesNo, asSentence, byId, html, language, quote, readStorage, t, translate, writeById } from "../lib/browser.js";
import { CommandQueue, commandText, gameOverText, movedQuestion, notSentText, offerText, oldQuestion, queueFullText, retryText, unreadableText } from "../live/command_queue.js";
import { agoText, boardText, notPairedText } from "../words/state.js";
import { Role } from "../live/table_stream.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

export const PER_RANK = 4; // cards of a rank in a deck

const splitTexts = (key, between) => t(key).split(between);

const FACES = splitTexts("count.faces", " ");
const NAMES = splitTexts("count.ranks", "|");
const WITH_ARTICLE = splitTexts("count.the_ranks", "|");

const rankPlace = (rank) => RANKS.indexOf(rank);

/** The letter on the card: "K", in French "R". */
export const rankFace = (rank) => FACES[rankPlace(rank)];

/** "king" */
export const rankName = (rank) => NAMES[rankPlace(rank)];

/** "the king" */
export const rankWithArticle = (rank) => WITH_ARTICLE[rankPlace(rank)];

const TYPED = new Map([
  ...RANKS.map((rank) => [rank.toLowerCase(), rank]),
  ...RANKS.map((rank, i) => [FACES[i].toLowerCase(), rank]),
  ["1", "A"], ["t", "10"], ["0", "10"],
]);

/** The rank of a typed letter or number; ten is T or 0. Undefined if there is none. */
export const rankOf = ({ key, ctrlKey, metaKey, altKey }) =>
  ctrlKey || metaKey || altKey ? undefined : TYPED.get(key.toLowerCase());

/** A small card inside a text. */
export const cardChip = (rank) => html("span.card-chip", rankFace(rank));

/** A key for every rank, `data-rank` on each, with room for the number of cards. */
export const rankKeys = () =>
  RANKS.map((rank) => html("button.key", { type: "button", "data-rank": rank, "aria-label": rankName(rank) },
    html("b", rankFace(rank)), html("small")));

/** Whether a letter is meant for the page: not while a field has the focus or a dialog is open. */
export const isPageKey = ({ target, defaultPrevented }) =>
  !defaultPrevented && !target.closest?.("input, select, textarea, dialog") && !document.querySelector("dialog[open]");

// --- links to the rules ---

const PAGE = "/rules";
const LINES = new Set([
  "fifteen", "pair", "pair-royal", "double-pair-royal", "run", "double-run", "flush", "flush-in-the-crib", "nobs",
  "thirty-one", "go", "last-card", "heels", "zero", "impossible", "muggins", "penalty", "misdeal", "the-play", "the-show", "the-crib",
]);
const IN_THE_PLAY = new Set(["fifteen", "pair", "pair-royal", "double-pair-royal", "run"]);
const REASONS = { play: "the-play", hand: "the-show", crib: "the-crib" };

/**
 * The address on the rules page, or null if there is none: of a problem from the API, or of a word such as
 * "pair royal", "flush in the crib" or "heels"; `{ play: true }` means a part of the play, not of the show.
 */
export function ruleFor(topic, { play = false } = {}) {
  if (typeof topic !== "string") return topic?.rule ?? null;
  const word = topic.replaceAll(/[ _]/gu, "-");
  const line = play && IN_THE_PLAY.has(word) ? `play-${word}` : (REASONS[word] ?? word);
  return LINES.has(line) || line.startsWith("play-") ? `${PAGE}#${line}` : null;
}

/** Fill `node` with one link for each kind of part; `{ play: true }` means parts of the play. */
export function linkRules(node, kinds, where = {}) {
  const linked = [...new Set(kinds)].filter((kind) => ruleFor(kind, where));
  const built = linked.join();
  if (node.dataset.built === built) return;
  node.dataset.built = built;
  node.hidden = !linked.length;
  const links = linked.map((kind) => html("a", { href: ruleFor(kind, where) }, t(`rules.see_${kind.replaceAll(/[ -]/gu, "_")}`)));
  node.replaceChildren(html("span", t("rules.see")), ...links);
}

// --- count requests ---

const TIMEOUT = 3_000; // ms
const RETRY = [500, 1_000, 2_000, 4_000]; // ms

export class CountRequest {
  #listener;
  #path = null; // the address, until there is a response
  #tries = 0;
  #timer = 0;
  #abort = null;

  /** `listener` has `answered(values)`, `refused(sentence)` and `waiting(whether)`: whether a response is pending. */
  constructor(listener) {
    this.#listener = listener;
    addEventListener("online", () => this.retryNow());
  }

  /** Request `path` with the named values; `null` values are left out. Replaces an earlier request. */
  ask(path, named) {
    this.forget();
    const given = Object.entries(named).filter(([, value]) => value !== null);
    this.#path = `${path}?${new URLSearchParams(given)}`;
    this.#tries = 0;
    this.#send(this.#path);
  }

  forget() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#path = null;
  }

  /** The connection is back: retry without waiting. */
  retryNow() {
    if (!this.#path || !this.#tries) return;
    clearTimeout(this.#timer);
    this.#send(this.#path);
  }

  async #send(path) {
    const abort = new AbortController();
    this.#abort = abort;
    const timer = setTimeout(() => abort.abort(), TIMEOUT);
    const response = await fetch(path, { signal: abort.signal, cache: "no-store" }).catch(() => null);
    const values = await response?.json().catch(() => null);
    clearTimeout(timer);
    if (path !== this.#path || abort !== this.#abort) return;
    if (!values || response.status === 429 || response.status >= 500) this.#retryLater(path);
    else this.#handleAnswer(response.ok, values);
  }

  #handleAnswer(good, values) {
    this.#path = null;
    this.#listener.waiting(false);
    if (good) this.#listener.answered(values);
    else this.#listener.refused(translate(values, values.detail ?? ""));
  }

  #retryLater(path) {
    const pause = RETRY[Math.min(this.#tries, RETRY.length - 1)];
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#send(path), pause);
    this.#listener.waiting(true);
  }
}

// --- voice ---

const SILENT_PAUSE = 1_100; // ms a part stays lit without a voice
const VOICE_TIMEOUT = 6_000; // ms to wait for a voice that does not start

const SPEECH_KEY = "pegboard.hearing"; // where the voice and sound settings are stored

const speaker = globalThis.speechSynthesis;

/** Whether counts are spoken automatically. */
export const isVoiceOn = () => readStorage(SPEECH_KEY)?.voice === true;

/** A voice for the page's language, or null. */
const voice = () =>
  (speaker?.getVoices() ?? []).find(({ lang }) => lang.replace("_", "-").split("-")[0].toLowerCase() === language) ?? null;

/** Speak, and call `then` afterward. */
export function speak(text, then = () => {}) {
  if (!voice()) return then();
  const spoken = new SpeechSynthesisUtterance(text);
  [spoken.voice, spoken.lang] = [voice(), voice().lang];
  const timer = setTimeout(then, VOICE_TIMEOUT);
  spoken.onend = () => {
    clearTimeout(timer);
    then();
  };
  spoken.onerror = spoken.onend;
  speaker.speak(spoken);
}

export class CountVoice {
  #light;
  #number = 0;
  #isSpeaking = false;

  /** `light(part)` lights a part; null when everything is said. */
  constructor(light) {
    this.#light = light;
  }

  get isSpeaking() {
    return this.#isSpeaking;
  }

  stop() {
    this.#number += 1;
    if (this.#isSpeaking) speaker?.cancel();
    this.#isSpeaking = false;
  }

  /** Say these texts one after the other; each of the first `parts` lights a part. */
  say(texts, parts) {
    this.stop();
    const number = this.#number;
    this.#isSpeaking = true;
    const next = (i) => {
      if (number !== this.#number) return;
      this.#isSpeaking = i < texts.length;
      this.#light(this.#isSpeaking && i < parts ? i : null);
      if (!this.#isSpeaking) return;
      const then = () => next(i + 1);
      if (voice()) speak(texts[i], then);
      else setTimeout(then, SILENT_PAUSE);
    };
    next(0);
  }
}

// --- the board beside the keys ---

const ROOM = matchMedia("(min-aspect-ratio: 1) and (min-width: 900px) and (min-height: 700px)"); // as in the style sheet

export class SideBoard {
  #table;
  #slab = new BoardView(byId("slab"));

  constructor(table) {
    this.#table = table;
    ROOM.addEventListener("change", () => this.show());
    addEventListener("resize", () => this.show());
  }

  show({ live = false } = {}) {
    if (!ROOM.matches) return;
    const { state } = this.#table;
    byId("slab").setAttribute("aria-label", boardText(state));
    this.#slab.show(boardModel(state), { live });
  }
}

// --- pegging ---

export class PegSender {
  #table;
  #queue;
  #role = new Role();
  #listener;
  #asking = null;
  #refusal = "";
  #offer = null; // {said, act}: how to get the refused command accepted
  #timer = 0;

  /** `listener` has `changed()`, `stored(id, answer)` and `lost(id)` for a command that will not be stored. */
  constructor(table, listener) {
    this.#table = table;
    this.#listener = listener;
    this.#queue = new CommandQueue(table, {
      changed: () => this.#show(),
      question: () => this.#askNext(),
      refused: (sentence, item, problem) => this.#showRefusal(sentence, item, problem),
      stored: (item, answer) => listener.stored(item.id, answer),
      unpaired: () => this.#role.becomeViewer(),
    });
    byId("trouble-offer").addEventListener("click", () => this.#offer?.act());
    byId("trouble-end").addEventListener("click", () => this.#end());
    table.on("link", (link) => link === "live" && this.#queue.retryNow());
    this.#role.follow(() => {
      if (this.#role.mayScore) this.#queue.resume();
      this.#show();
    });
  }

  /** Send the commands left from an earlier visit. */
  begin() {
    this.#queue.pump();
    this.#show();
  }

  /** Why nothing can be pegged; null if it can. */
  get whyClosed() {
    if (!this.#role.mayScore) return notPairedText;
    return this.#table.state.game.over ? gameOverText : null;
  }

  /** Where to pair this device; null if it is paired. */
  get pairingUrl() {
    return this.#role.mayScore ? null : "/j/";
  }

  /** Whether a command is pending. */
  isWaiting(id) {
    return this.#queue.items.some((item) => item.id === id);
  }

  /** Peg points for a seat, based on the state `seen`; returns the command's id, or false if the queue is full. */
  score(seat, points, why, seen = null) {
    const { game, seats } = this.#table.state;
    return this.#tap({ game: game.id, do: "score", seat, points, why }, seats[seat].lane, seen);
  }

  takeBack({ id, lane }) {
    return this.#tap({ game: this.#table.state.game.id, do: "undo", entry: id }, lane);
  }

  /** Drop a command that is not stored; false if it is too late. */
  drop(id) {
    const item = this.#queue.items.find((one) => one.id === id);
    if (item) this.#drop(item);
    return item !== undefined;
  }

  /** Ask a yes/no question, as the pads do. */
  ask(question, answer) {
    this.#asking = question;
    askYesNo({ ...question, sign: laneSign(question.lane) }, (yes) => {
      this.#asking = null;
      answer(yes);
      this.#askNext();
    });
  }

  /** Report that the play is over; returns the command's id, or false. */
  startShow() {
    return this.#tap({ game: this.#table.state.game.id, do: "stage", stage: "show" }, null);
  }

  #tap(body, lane, seen = null, more = {}) {
    this.#refusal = "";
    this.#offer = null;
    const id = this.#queue.add(body, lane, undefined, seen, more);
    if (!id) this.#refusal = queueFullText;
    this.#show();
    return id;
  }

  #drop(item) {
    this.#queue.drop(item);
    this.#listener.lost(item.id);
  }

  #showRefusal(sentence, item, { offer = null }) {
    this.#refusal = sentence ? asSentence(sentence) : unreadableText;
    this.#offer = offer && { said: offerText(this.#table.state, offer, item.body), act: () => this.#takeOffer(offer, item) };
    this.#listener.lost(item.id);
    this.#show();
  }

  /** Report the dealer, and peg again what was refused. */
  #takeOffer(offer, { body, lane }) {
    const said = this.#tap({ game: body.game, do: "deal", ...offer }, null);
    const again = said && this.#tap(body, lane, null, { after: said });
    if (again) this.#listener.again?.(again);
  }

  #askNext() {
    const item = this.#queue.items.find((one) => one.held && one.held.kind !== "unpaired");
    if (!item || this.#asking) return;
    this.ask(this.#questionOf(item), (yes) => (yes ? this.#queue.confirm(item) : this.#drop(item)));
  }

  #questionOf(item) {
    const { kind, state, entries } = item.held;
    const changeTime = (entry) => entry.history?.at(-1)?.at ?? entry.at;
    const when = (entry) => agoText(this.#table.secondsSince(changeTime(entry)), changeTime(entry));
    return kind === "moved" ? movedQuestion(state, item, entries, when) : oldQuestion(this.#table.state, item);
  }

  get #late() {
    return this.#queue.items.find((item) => item.tries > 0 || item.held);
  }

  #show() {
    clearTimeout(this.#timer);
    const late = this.#late;
    byId("trouble").hidden = !late && !this.#refusal;
    byId("trouble-offer").hidden = Boolean(late) || !this.#offer;
    writeById("trouble-offer", this.#offer?.said ?? "");
    writeById("trouble-end", t(late ? "pad.cancel" : "pad.hide"));
    const what = late ? notSentText(commandText(this.#table.state, late)) : this.#refusal;
    for (const id of ["trouble-what", "trouble-said"]) quote(byId(id), what);
    this.#showThen(late);
    if (late) this.#timer = setTimeout(() => this.#show(), 500);
    this.#listener.changed();
  }

  #showThen(late) {
    const pair = late?.held?.kind === "unpaired";
    const then = late ? (late.trouble ? asSentence(late.trouble) : retryText(Math.ceil((late.next - Date.now()) / 1_000))) : "";
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
