// Parts of a pad beside its keys: status strip, state of the deal, the dialog behind More, game over.

import { gamesWon, mark } from "../board/shapes.js";
import { asSentence, byId, capitalize, choiceKey, disable, fill, html, ignoreAtFirst, loadTexts, openChoices, openDialog, quote, set, t, write } from "../lib/browser.js";
import { commandText, dealsFirstText, notSentText, retryText, sentText, undoText, unreadableText, whyLocked } from "../live/command_queue.js";
import { agoText, asksFirstDealer, certificateOf, dealsText, endingTexts, entryNodes, entryText, findEntry, fromToText, frontsText, gamesHeadingText, hasPegged, headlineTexts, laneName, laneShortName, likelyPhases, likelyPhaseTexts, matchWonText, nameWidth, shortName, unconfirmedText } from "../words/state.js";

const confirmMineText = t("words.confirm_result");
const confirmsText = t("words.confirms");
const olderEntriesText = t("words.older_lines");

const nextGameText = (state) => t(state.match.winner === null ? "words.next_game" : "words.next_match");

/** Who deals first in the next game, or who must still confirm this one. */
function beforeNextText(state) {
  const { dealer_next: dealer } = state.game;
  return unconfirmedText(state) || (dealer === null ? (state.seats.length > 1 ? t("words.cut") : "") : dealsFirstText(state, dealer));
}
const alreadyDealsText = (state, seat) => t("words.has_deal", { name: shortName(state, seat) });

// --- the dialog behind More ---

/** Before the first card and in an unknown phase the dealer is chosen; else the deal is passed. */
function dealKeys(state, closed) {
  const { seats, dealer, game } = state;
  if (game.phase === "cut" || game.phase === "unknown") return seats.map((_, seat) => dealerKey(state, seat, closed));
  const next = dealsText(state, (dealer + 1) % seats.length);
  const key = html("button.key.wide", { value: "deal" }, html("b", t("pad.next_deal")), html("span", next));
  disable(key, closed);
  return [key];
}

function dealerKey(state, seat, closed) {
  const key = html("button.key", { value: "deal", "data-dealer": seat }, dealsText(state, seat));
  const deals = state.game.phase === "cut" && seat === state.dealer;
  disable(key, closed ?? (deals ? alreadyDealsText(state, seat) : null));
  return key;
}

/** The state of the deal and its dealer, for windows whose hint has no room for that. */
function courseKeys({ seats, dealer, game }, closed, state) {
  if (seats.length === 1 || game.phase === "cut") return [];
  const stages = ["play", "show"].map((stage) => html("button.key.spare", { value: "stage", "data-stage": stage }, t(`words.stage_${stage}`)));
  const others = seats.map((_, seat) => seat).filter((seat) => seat !== dealer);
  const dealers = others.map((seat) => html("button.key.spare", { value: "dealer", "data-dealer": seat }, dealsText(state, seat)));
  for (const key of [...stages, ...dealers]) disable(key, closed);
  return [...stages, ...dealers];
}

/** The key of all faults and penalties. */
function faultKey({ lanes }, closed) {
  const key = html("button.key", { value: "penalty" }, t("pad.penalty"));
  disable(key, closed ?? (lanes.length > 1 ? null : t("pad.penalty_alone")));
  return key;
}

/** `chosen` has `points(key)` and one function for each other key's value; `more` lists further keys of the page. */
export function openMore(here, state, { title, closed, deals = null, more = [] }, chosen) {
  write(here("more-title"), title);
  write(here("more-reason"), closed ?? "");
  for (const key of here("more-points").querySelectorAll("[data-points]")) disable(key, closed);
  here("more-deal").replaceChildren(...dealKeys(state, closed ?? deals), ...courseKeys(state, closed ?? deals, state), faultKey(state, closed ?? deals));
  here("more-also").replaceChildren(...more);
  openDialog(here("more-dialog"), "close", (value, key) => chosen[value]?.(key));
}

/** A key that says why it does nothing keeps its dialog open: the reason is shown inside the dialog. */
export function explainIn(dialog) {
  dialog.addEventListener("click", (event) => {
    const reason = event.target.closest("button")?.dataset.reason;
    if (!reason) return;
    event.preventDefault();
    event.stopPropagation();
    const place = dialog.querySelector(".reason");
    if (place) write(place, reason);
  }, true);
}

// --- loaded when first opened ---

/** The dialogs with their texts. */
export async function loadDialogs() {
  const [dialogs] = await Promise.all([import("./amend_penalty_muggins_dialogs.js"), loadTexts("pad_dialog_words")]);
  return dialogs;
}

/** `[[key, act]]` of names and head starts for the dialog behind More of a pad, whose ids begin with `side`. */
export function namesKey(table, role, status, side = "") {
  const key = html("button.key", { value: "names" }, t("names.open"));
  disable(key, whyLocked(table.state, null, role));
  const act = (name) => () => loadDialogs().then((dialogs) => dialogs[name](table, side, status)).catch(() => status.showRefusal(unreadableText));
  return [[key, act("openNames")], ...headStartKey(table.state, role).map((one) => [one, act("openHeadStart")])];
}

/** The key for a handicap, until something is pegged. */
function headStartKey(state, role) {
  if (state.seats.length < 2 || hasPegged(state)) return [];
  const key = html("button.key", { value: "head-start" }, t("pad.head_start"));
  disable(key, whyLocked(state, null, role));
  return [key];
}

// --- state of the deal ---

const TWO = 2;

const inPlay = ({ phase }) => phase === "play" || phase === "cut";

const stageOf = (where) => (inPlay(where) ? "play" : "show");

/** The commands that set the deal to one state and not the other, without their game. */
export function dealCommands(now, one, other) {
  const begins = inPlay(one) && !inPlay(now) && one.dealer !== now.dealer;
  if (begins) return [{ do: "deal", new: true, dealer: one.dealer }];
  const dealer = one.dealer === other.dealer ? [] : [{ do: "deal", new: false, dealer: one.dealer }];
  const stage = stageOf(one) === stageOf(other) ? [] : [{ do: "stage", stage: stageOf(one) }];
  return [...dealer, ...stage];
}

/** The keys of a pad's page in `node`; `send(body)` sends a command for the whole board, `here` finds the parts of the
 * pad. */
export class DealCourse {
  #node;
  #table;
  #role;
  #send;
  #here;
  #built = "";

  constructor(node, { table, role, send, here }) {
    [this.#node, this.#table, this.#role, this.#send, this.#here] = [node, table, role, send, here];
    node.addEventListener("click", ({ target }) => {
      const key = target.closest("button");
      if (key) this.#press(key.dataset);
    });
  }

  show() {
    const { state } = this.#table;
    const { kind, keys } = this.#keys(state);
    this.#node.hidden = !keys.length;
    const built = JSON.stringify([kind, keys.map((key) => key.outerHTML)]);
    if (built === this.#built) return;
    const held = [...this.#node.children].indexOf(document.activeElement);
    this.#built = built;
    this.#node.className = `course ${kind}`;
    this.#node.replaceChildren(...keys);
    this.#node.children[held]?.focus({ preventScroll: true });
  }

  #keys(state) {
    if (!this.#role.mayScore || state.game.over || state.seats.length === 1) return { kind: "none", keys: [] };
    if (asksFirstDealer(state)) return { kind: "first", keys: state.seats.map((_, seat) => cutKey(state, seat)) };
    if (state.game.ask_deal) return { kind: "ask-deal", keys: [nextKey(state)] };
    if (state.game.otherwise) return { kind: "either", keys: [...wayKeys(state), changeKey(state)] };
    return { kind: "sure", keys: [stageKey(state, "play"), stageKey(state, "show"), changeKey(state)] };
  }

  #press({ stage, dealer, way, next, change }) {
    const { state } = this.#table;
    const tell = (body) => this.#send({ game: state.game.id, ...body }, state);
    if (stage) tell({ do: "stage", stage });
    else if (dealer) tell({ do: "deal", new: false, dealer: Number(dealer) });
    else if (next) tell({ do: "deal", new: true, dealer: state.dealer });
    else if (way) this.#chooseWay(state, Number(way), tell);
    else if (change) this.#changeDealer(state, tell);
  }

  /** The second command takes its base from the response to the first. */
  #chooseWay(state, way, tell) {
    const both = likelyPhases(state);
    for (const body of dealCommands(both[0], both[way], both[1 - way])) tell(body);
  }

  /** With two players the other one deals; with more, ask who does. */
  #changeDealer(state, tell) {
    const says = (dealer) => tell({ do: "deal", new: false, dealer });
    if (state.seats.length === TWO) return says(1 - state.dealer);
    const keys = state.seats.map(({ name, lane }, seat) => choiceKey(`${seat}`, mark(lane), html("b", { dir: "auto" }, name)));
    disable(keys[state.dealer], alreadyDealsText(state, state.dealer));
    openChoices(this.#here, "first", t("words.who_deals_now"), [html("p.reason", { role: "status" }), ...keys], (value) => {
      if (value !== "close") says(Number(value));
    });
  }
}

function cutKey(state, seat) {
  const { name, lane } = state.seats[seat];
  return html("button.key", { type: "button", "data-dealer": seat, title: dealsText(state, seat) }, mark(lane), html("span.short", { dir: "auto" }, name));
}

const wayKeys = (state) => likelyPhaseTexts(state).map((said, way) => html("button.key", { type: "button", "data-way": way }, capitalize(said)));

function stageKey(state, stage) {
  const key = html("button.key", { type: "button", "data-stage": stage, title: t(`words.stage_${stage}`) }, t(`words.to_${stage}`));
  set(key, "aria-pressed", `${stageOf(state.game) === stage}`);
  return key;
}

function changeKey(state) {
  const said = t("words.change_dealer", { name: shortName(state, state.dealer) });
  return html("button.key", { type: "button", "data-change": "1", "aria-label": said, title: said },
    html("b.d", "D"), html("span.short", { dir: "auto" }, shortName(state, state.dealer)));
}

const nextKey = (state) => html("button.key", { type: "button", "data-next": "1" }, html("b", t("words.deal")), html("span", dealsText(state, state.dealer)));

// --- status strip ---

const SHORT_NOTE = 4_000; // ms an explanation stays
const LONG = 40; // letters from which a line also takes the space of its time

export class StatusStrip {
  #table;
  #queue;
  #here;
  #mine;
  #last;
  #older;
  #timer = 0;
  #note = null; // a temporary explanation
  #noteTimer = 0;
  #refusal = null; // a sentence that stays until it is read
  #rule = null; // where the rules page explains it
  #offer = null; // {said, act}: a one-tap remedy
  #refusedAt = 0;
  #announced = null; // the late command that was announced, and its text
  #asking = null; // the pending question: {said, then, yes, still, act, isBrief, from}

  /** `here` finds its parts, `mine(item)` says which commands are its own, `last()` which line it shows, `older` is the
   * text if there is none. */
  constructor(table, queue, { here = byId, mine = () => true, last = null, older = olderEntriesText } = {}) {
    this.#table = table;
    this.#queue = queue;
    this.#here = here;
    this.#mine = mine;
    this.#older = older;
    this.#last = last ?? (() => findEntry(table.state, table.state.undo));
    here("trouble-offer").addEventListener("click", () => this.#takeOffer());
    here("trouble-end").addEventListener("click", () => this.#endTrouble());
    here("keep").addEventListener("click", () => this.#answer(false));
    here("take").addEventListener("click", () => this.#answer(true));
    here("status").addEventListener("keydown", (event) => event.key === "Escape" && this.#asking && this.#answer(false));
  }

  /** The line that Undo would undo; null if the state does not have it. */
  get undoable() {
    return this.#last();
  }

  /** Whether keys in the place of Redo move the last line to another player. */
  showsOwners = false;

  get asks() {
    return this.#asking !== null;
  }

  /** Say briefly why a key does nothing. */
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
   * Show a refusal until it is hidden or something is stored; `rule` is the address of its rule, `offer` is a one-tap
   * way to get it accepted, and `offer.fault` says what is wrong without that.
   */
  showRefusal(sentence, rule = null, offer = null) {
    this.#refusal = sentence && asSentence(sentence);
    this.#rule = sentence && rule;
    this.#offer = sentence && offer;
    this.#refusedAt = Date.now();
    if (sentence) quote(byId("said"), [this.#refusal, offer?.said].filter(Boolean).join(" "));
    this.show();
  }

  #takeOffer() {
    const offer = this.#offer;
    this.clear();
    this.show();
    offer?.act();
  }

  /**
   * Ask in place; `act()` on yes, as long as `still(state)` holds. The harmless answer has the focus; a brief question
   * has one key, leaves the focus alone, and disappears by itself.
   */
  ask({ said, then, yes, still, act, isBrief = false }) {
    const from = this.#asking?.from ?? document.activeElement;
    this.clear();
    const asking = { said, then, yes, still, act, isBrief, from };
    this.#asking = asking;
    this.show();
    if (!isBrief) return this.#here("keep").focus({ preventScroll: true });
    quote(byId("said"), said);
    setTimeout(() => {
      if (this.#asking === asking) this.#answer(false);
    }, SHORT_NOTE);
  }

  /** A command is stored: say so if the last message was that it is not sent. */
  showStored(item) {
    const { id, said, late } = this.#announced ?? {};
    if (item.id === id && byId("said").textContent === late) quote(byId("said"), sentText(said));
  }

  /** Something was stored; keep a refusal that has only just been shown. */
  clearOld() {
    if (!this.asks && Date.now() - this.#refusedAt > SHORT_NOTE) this.clear();
  }

  clear() {
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
    this.#here("status").classList.toggle("speaks", speaks);
    if (waits.length) this.#timer = setTimeout(() => this.show(), Math.min(...waits));
  }

  #answer(yes) {
    const asking = this.#asking;
    this.#asking = null;
    this.show();
    const from = asking?.from === document.body ? this.#here("undo") : asking?.from;
    if (!asking?.isBrief || document.activeElement === document.body) from?.focus({ preventScroll: true });
    if (yes) asking?.act();
  }

  /** Undo and Redo, or in their place the two answers. */
  #showKeys() {
    const framed = this.#showCertificate();
    for (const name of ["undo", "redo"]) this.#here(name).hidden = this.asks || (name === "redo" && (this.showsOwners || framed));
    this.#here("was-of").hidden = this.asks || !this.showsOwners || framed;
    this.#here("keep").hidden = !this.asks || this.#asking.isBrief;
    this.#here("take").hidden = !this.asks;
    this.#here("status").classList.toggle("asks", this.asks);
    if (this.asks) write(this.#here("take"), this.#asking.yes);
  }

  /** Offer the certificate of a perfect last line in the place of Redo, if nothing can be redone. */
  #showCertificate() {
    const { game, redo } = this.#table.state;
    const link = this.#here("certificate");
    const path = this.asks || redo !== null || !this.undoable ? null : certificateOf(game.id, this.undoable);
    link.hidden = !path;
    set(link, "href", path);
    return path !== null;
  }

  /** Show the last line and its time; returns in how many ms that text changes. */
  #showLast() {
    const { state } = this.#table;
    const last = this.undoable;
    const seconds = last ? this.#table.secondsSince(last.at) : 0;
    const quiet = last ? entryText(state, last) : state.undo ? this.#older : "";
    const said = this.#asking?.said ?? this.#note ?? quiet;
    const long = nameWidth(said) > LONG;
    const then = this.#note || !last ? "" : fromToText(last, agoText(seconds, last.at));
    fill(this.#here("what"), ...(said === quiet && last ? entryNodes(said, last) : [said]));
    set(this.#here("what"), "title", long ? said : null);
    write(this.#here("when"), this.#asking ? this.#asking.then : then);
    this.#here("status").classList.toggle("explains", !this.asks && (this.#note !== null || long));
    return last && seconds < 60 ? 1_000 : 0;
  }

  /** Show what is not sent, or refused; returns in how many ms to check again. */
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
    quote(this.#here("trouble-what"), offer?.fault ?? this.#refusal ?? ""); // the key says what to do about it
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
    const said = commandText(this.#table.state, item);
    if (item.id !== this.#announced?.id) {
      this.#announced = { id: item.id, said, late: notSentText(said) };
      quote(byId("said"), this.#announced.late);
    }
    const pause = Math.ceil((item.next - Date.now()) / 1_000);
    const then = item.held ? t("pad.pair_again") : (item.trouble ? asSentence(item.trouble) : retryText(pause));
    set(this.#here("trouble-what"), "title", null);
    quote(this.#here("trouble-what"), notSentText(said) + (count > 1 ? t("pad.and_more", { n: count - 1 }) : ""));
    quote(this.#here("trouble-then"), then);
    return item.held ? 0 : 500;
  }

  #endTrouble() {
    const [late] = this.#late;
    if (late) this.#queue.drop(late);
    else this.clear();
    this.show();
  }
}

// --- game over ---

const AFTER = ["won", "games", "after"];

export class GameOver {
  #here;
  #during;
  #shownKeys = "";
  #leads;
  #was = null; // whether the game was over when last shown

  /** `here` finds the parts of the pad; those in `during` are hidden at the end; with `leads`, one takes the focus. */
  constructor(here = byId, during = ["scores", "keys"], leads = true) {
    this.#here = here;
    this.#during = during;
    this.#leads = leads;
    here("confirm").addEventListener("click", ({ target }) => target.closest("button")?.focus()); // not every browser does it
  }

  /**
   * Show the end, or the game; `undoable` is what Undo would undo, `closed` why this device may not, `confirming` the
   * seats that can confirm here, `mine` whether it is the one that holds the phone.
   */
  show(state, undoable, closed, { confirming, mine }) {
    const { over } = state.game;
    document.body.classList.toggle("over", over);
    for (const id of AFTER) this.#here(id).hidden = !over;
    for (const id of this.#during) this.#here(id).hidden = over;
    const ends = over && this.#was === false;
    this.#was = over;
    if (!over) return;
    this.#showResult(state, undoable, closed);
    this.#showConfirmKeys(state, closed ? [] : confirming, mine);
    if (ends) this.#focusNext();
  }

  /** The next key ignores presses at first, then takes the focus, unless that has moved elsewhere. */
  #focusNext() {
    ignoreAtFirst(this.#here("after"), () => {
      const { activeElement } = document;
      if (!this.#leads || !this.#was || (activeElement !== document.body && activeElement.checkVisibility())) return;
      (this.#here("confirm").querySelector("button") ?? this.#here("next-game")).focus({ preventScroll: true });
    });
  }

  #showResult(state, undoable, closed) {
    const { winner } = state.game;
    const { bold, rest } = endingTexts(state);
    this.#here("won-mark").replaceChildren(...(winner === null ? [] : [mark(winner, "large")]));
    this.#headline(headlineTexts(state), winner === null ? "" : laneName(state, winner));
    this.#write("won-bold", bold);
    this.#write("won-rest", rest);
    this.#here("won-scores").replaceChildren(...finals(state));
    this.#here("games").hidden = state.lanes.length === 1;
    this.#here("games-row").replaceChildren(...gamesWon(state));
    this.#write("games-title", gamesHeadingText(state));
    this.#write("match-won", matchWonText(state));
    this.#write("next-word", nextGameText(state));
    this.#write("next-dealer", closed ?? beforeNextText(state));
    this.#write("undo-win-word", undoText(undoable));
  }

  #write(id, text) {
    write(this.#here(id), text);
  }

  /** The name may be cut short, but not what is said about it. */
  #headline({ name, says }, full) {
    const title = this.#here("won-title");
    if (title.textContent === `${name} ${says}`.trim()) return;
    const named = name ? [html("span.name", { dir: "auto", title: full }, name), " "] : [];
    title.replaceChildren(...named, html("span", says));
  }

  /** The phone's holder confirms before the next game; the focus moves on from there. */
  #showConfirmKeys(state, seats, mine) {
    const now = [mine, ...seats.map((seat) => shortName(state, seat)), frontsText(state)].join();
    if (now === this.#shownKeys) return;
    this.#shownKeys = now;
    const keys = this.#here("confirm");
    const next = this.#here("next-game");
    const held = keys.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
    keys.replaceChildren(...seats.map((seat) => confirmKey(state, seat, mine)));
    keys.classList.toggle("pairs", !mine && state.seats.length > state.lanes.length);
    keys.hidden = !seats.length;
    const comes = next.hidden && !seats.length; // ignore a second tap on the key that was there
    next.hidden = seats.length > 0;
    if (comes) this.#focusNext();
    else if (held !== null) (keys.querySelector(`[data-seat="${held}"]`) ?? keys.querySelector("button") ?? next).focus();
  }
}

function confirmKey(state, seat, mine) {
  const who = html("span.name", { dir: "auto" }, shortName(state, seat));
  const said = mine ? [html("b", confirmMineText), " ", html("span", frontsText(state))] : [who, " ", html("b", confirmsText)];
  return html("button", { type: "button", class: "solid", "data-seat": seat, title: mine ? null : state.seats[seat].name }, ...said);
}

function finals(state) {
  const first = state.game.winner ?? 0;
  const losers = state.lanes.map((_, lane) => lane).filter((lane) => lane !== first);
  const hero = html("p.hero", `${state.lanes[first].front}`);
  return [hero, html("div", ...losers.map((lane) => final(state, lane)))];
}

function final(state, lane) {
  const name = html("span.name", { dir: "auto" }, laneName(state, lane));
  return html("p.final", name, mark(lane), html("b", `${state.lanes[lane].front}`));
}

// --- unpair ---

// --- the key that unpairs it ---

/** `[[key, act]]` for the dialog behind More, or nothing. */
export function unpairKey(role, status) {
  if (role.isOpen || !role.mayScore) return [];
  const act = async () => {
    if (!(await role.unpair())) status.explain(t("pad.not_unpaired"));
  };
  return [[html("button.key", { value: "unpair" }, t("pad.unpair")), act]];
}
