// Score pad: a scorer's keys and keyboard, corrections and questions. The phone has one pad; the tablet has one for each
// side.

import { laneSign, mark } from "../board/shapes.js";
import { askYesNo, asSentence, byId, choiceKey, closeChoices, disable, fill, GHOST_TAP, html, ignoreAtFirst, openChoices, set, t, translate, write, writeStorage } from "../lib/browser.js";
import { commandText, gameOverText, losesWin, movedQuestion, notSentText, offerText, oldQuestion, PAD, penaltyQuestion, queueFullText, unreadableText, waitingText, whyLocked } from "../live/command_queue.js";
import { agoText, dangerHoleText, dangerShortText, dialledText, entryText, findEntry, isRuling, isScore, laneName, laneShortName, nameWidth, noMugginsText, notPairedText, opponentSeats, plusText, reasonText, shortName, skunkDanger, toGoText, winLostText } from "../words/state.js";
import { KeyboardEntry } from "./keyboard.js";
import { explainIn, GameOver, loadDialogs, openMore, StatusStrip } from "./status_more_dialog_and_game_over.js";

writeStorage(PAD, location.pathname); // the settings page links back to it

const noUndoText = t("words.no_undo");
const noRedoText = t("words.no_redo");
const whoseText = t("words.who_holds");
export const keysForText = (state, lane) => t("words.points_for", { name: laneName(state, lane) });

/** The pegs before and after undoing or redoing a line; "" if that requires replaying the score sheet. */
function pegsAfterText(state, entry, stands) {
  if (!entry || !isScore(entry) || isRuling(entry)) return "";
  const { front, pinned_by: pin } = state.lanes[entry.lane];
  if (pin !== null && Number(entry.id) < Number(pin)) return t("pad.stays");
  if (!entry.counts && !stands) return t("pad.stays");
  const to = stands ? Math.min(front + entry.points, state.game.game_hole) : front - (entry.to - entry.from);
  return to === front ? t("pad.stays") : t("pad.from_to", { from: front, to });
}

// --- likely points ---

const NOTHING_LIKELY = { why: null, points: [] };

/** `why` and `points` of what lane `lane` most likely pegs next; empty if unknown. */
function likelyPoints({ lanes }, lane) {
  const { why, points } = lanes[lane].likely ?? NOTHING_LIKELY;
  return { why, points: new Set(points) };
}

/** In solitaire there is no play and nothing to guess: every count is the hand or the crib, alternating. */
function soloReason({ game }, taps) {
  const before = taps.findLast(({ body }) => body.do === "score")?.body.why;
  if (before) return before === "hand" ? "crib" : "hand";
  return game.phase === "crib" ? "crib" : "hand";
}

// --- keyboard ---

/** Peg what is typed on a keyboard; its `points` are what is typed and not pegged yet, or null. */
export function followKeyboard(pad, { typed, closed }) {
  const entry = new KeyboardEntry({ peg: (points) => pad.score({ points }), press: (what) => pad.correct(what), typed, closed });
  addEventListener("keydown", (event) => entry.hear(event));
  pad.setTyped(() => entry.points);
  return entry;
}

// --- the pad ---

const PRESSED = 400; // ms a pressed key keeps the lane's color
const SHORT_NAME = 12; // letters of a name that fits a sentence on a key
const DOUBLE = 700; // ms in which the same key again may be the second half of a double tap
const DIALOGS = ["more-dialog", "muggins-dialog", "choices"];

const pointsOf = ({ dataset }) => ({ points: Number(dataset.points), why: dataset.why, label: dataset.label });

/** Do what a key is for, or say why it does nothing. */
const onPress = (node, explain, act) =>
  node.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (key?.dataset.reason) explain(key.dataset.reason);
    else if (key) act(key);
  });

export class Pad {
  #table;
  #queue;
  #role;
  #whose;
  #here;
  #side;
  #mine;
  #own;
  #more;
  #also;
  #ending;
  #typed = () => null;
  #asking = null;
  #askWhose;
  #lastTap = { key: "", lane: 0, at: -Infinity };

  /**
   * `whose` has the `lane` that scores, the seat `scoring` or null, and the `seat` that holds the pad or null. With a
   * `side`, the ids of the pad's parts start with it, and Undo undoes only its own lane's lines. `more(pad)` lists the
   * page's own keys for the dialog behind More, each `[key, act]`, `also` has functions for existing keys;
   * `askWhose()` asks whose points are tapped here, if `whose` has an `isKnown` that is false.
   */
  constructor({ table, queue, role, whose, side = "", mine = () => true, during, more = () => [], also = {}, askWhose = null }) {
    this.#table = table;
    this.#queue = queue;
    this.#role = role;
    this.#whose = whose;
    this.#side = side;
    this.#mine = mine;
    this.#own = side === "" ? null : (entry) => entry.lane === this.#whose.lane || entry.lane === null;
    this.#here = (name) => byId(side + name);
    this.#more = more;
    this.#also = also;
    this.#askWhose = askWhose;
    this.#ending = new GameOver(this.#here, during, side === "" || side === "near-");
    this.status = new StatusStrip(table, queue, { here: this.#here, mine, last: () => this.#entryFor("undo"), ...(side ? { older: "" } : {}) });
    this.#wire();
  }

  #wire() {
    const on = (name, act) => onPress(this.#here(name), (reason) => this.#explain(reason), act);
    on("keys", (key) => this.#pressKey(key));
    on("undo", () => this.correct("undo"));
    on("redo", () => this.correct("redo"));
    on("undo-win", () => this.correct("undo"));
    if (this.#side) on("more-win", () => this.#openMore()); // the phone shows its links permanently
    on("next-game", () => this.#nextGame());
    on("confirm", (key) => this.#confirm(key));
    on("was-of", (key) => this.#moveToSeat(key.dataset.line, Number(key.dataset.seat)));
    on("last", () => this.#openRecent());
    for (const name of ["more-dialog", "choices"]) explainIn(this.#here(name));
  }

  /** `typed()` returns the amount being typed for this pad, or null. */
  setTyped(typed) {
    this.#typed = typed;
  }

  get #state() {
    return this.#table.state;
  }

  get #whyClosed() {
    if (!this.#role.mayScore) return notPairedText;
    return this.#whose.isKnown === false ? whoseText : null;
  }

  /** Say why a key does nothing; if it is unknown whose points it pegs, ask. */
  #explain(reason) {
    if (reason === whoseText) this.#askWhose();
    else this.status.explain(reason);
  }

  // Taps.

  /** `label` is the word on the key, `seen` the state it was based on, if not the current one. */
  send(body, lane, label, seen, more = {}) {
    this.status.clear();
    const id = this.#queue.add(body, lane, label, seen, { side: this.#side, ...more });
    if (!id) this.status.showRefusal(queueFullText);
    return id;
  }

  /** Say why a command was refused, and offer how to get it accepted. */
  showRefusal(sentence, item, { rule = null, offer = null, values: { fault = null } = {} } = {}) {
    const { state } = this.#table;
    this.status.showRefusal(sentence ?? unreadableText, rule, offer && {
      fault: fault && asSentence(translate(fault, fault.text)),
      said: offerText(state, offer, item.body),
      act: () => {
        const said = this.send({ game: item.body.game, do: "deal", ...offer }, null);
        if (said) this.send(item.body, item.lane, item.label, undefined, { after: said });
      },
    });
  }

  score({ points, why, label }) {
    const closed = this.#whyClosed ?? (this.#state.game.over ? gameOverText : null);
    if (closed) return this.#explain(closed);
    const { lane, scoring } = this.#whose;
    const who = scoring === null ? { lane } : { seat: scoring };
    this.send({ game: this.#state.game.id, do: "score", ...who, points, why: this.#reasonFor(why, label) }, lane, label);
  }

  /** The reason for points, if the key says it: a number does not, and nobs may belong to the hand or the crib. */
  #reasonFor(why, label) {
    if (this.#state.seats.length === 1) return soloReason(this.#state, this.#queue.items);
    return label === "nobs" && likelyPoints(this.#state, this.#whose.lane).why === "crib" ? undefined : why;
  }

  #seatsIn(...lanes) {
    return this.#state.seats.flatMap((seat, i) => (lanes.includes(seat.lane) ? [i] : []));
  }

  get #seats() {
    return this.#whose.scoring === null ? this.#seatsIn(this.#whose.lane) : [this.#whose.scoring];
  }

  #pressKey(key) {
    if (key.dataset.call) return this.#call(key.dataset.call);
    if (key.dataset.points === undefined) return;
    const lane = `l${this.#whose.lane}`;
    key.classList.add("pressed", lane);
    setTimeout(() => key.classList.remove("pressed", "l0", "l1", "l2"), PRESSED);
    if (this.#isDoubleTap(pointsOf(key))) this.#askAgain(pointsOf(key));
    else this.score(pointsOf(key));
  }

  /** Whether the same key was just tapped for this lane, or for the lane that had the keys until just now. */
  #isDoubleTap({ points, label }) {
    const [last, key, { lane }, now] = [this.#lastTap, label ?? points, this.#whose, performance.now()];
    this.#lastTap = { key, lane, at: now };
    return last.key === key && now - last.at < (last.lane === lane ? DOUBLE : GHOST_TAP);
  }

  /** Treat the next tap as intended, whichever key it is on. */
  forgetTap() {
    this.#lastTap.at = -Infinity;
  }

  /** Hold a tap that may be the second half of a double tap: one key sends it, and after a while it is dropped. */
  #askAgain(tap) {
    if (this.#whyClosed ?? (this.#state.game.over ? gameOverText : null)) return;
    const { game } = this.#state;
    const { lane } = this.#whose;
    const said = commandText(this.#state, { body: { do: "score", ...tap }, label: tap.label });
    this.status.ask({
      said: t("pad.again", { said, name: laneShortName(this.#state, lane) }),
      then: "",
      yes: plusText(tap.points),
      still: (now) => now.game.id === game.id && !now.game.over && this.#whose.lane === lane,
      act: () => this.score(tap),
      isBrief: true,
    });
  }

  #call(what) {
    if (what === "more") this.#openMore();
    else if (what === "muggins") this.#openMuggins();
    else this.correct(what);
  }

  #openMuggins() {
    const { state } = this.#table;
    const then = (fields) => this.send({ game: state.game.id, do: "muggins", ...fields }, null, undefined, state);
    this.#openLater(({ openMuggins }) => openMuggins(state, this.#seats, then, this.#here));
  }

  /** Load a rarely used dialog when first needed; if the server does not respond, say so. */
  #openLater(open) {
    const { game } = this.#state;
    loadDialogs().then((dialogs) => game.id === this.#state.game.id && open(dialogs)).catch(() => this.status.showRefusal(unreadableText));
  }

  /** Send a penalty for each side that gets one; `deals` is the seat that has dealt, if it was not known to deal. */
  #sendPenalties(awards, deals = null) {
    const { game, seats } = this.#state;
    const award = ({ seat, ...fields }, after) =>
      this.send({ game: game.id, do: "penalty", seat, ...fields }, seats[seat].lane, t("pad.penalty"), undefined, { after });
    const [first, ...others] = awards;
    const deal = deals === null ? undefined : this.send({ game: game.id, do: "deal", new: false, dealer: deals }, null);
    const choice = award(first, deal);
    for (const other of others) award(other, choice); // none if the choice is refused
  }

  #confirm(key) {
    const { game, lanes } = this.#state;
    const result = { winner: game.winner, fronts: lanes.map((lane) => lane.front) };
    this.send({ game: game.id, do: "confirm", seat: Number(key.dataset.seat), ...result }, null);
  }

  #sendDeal(dealer) {
    this.send({ game: this.#state.game.id, do: "deal", dealer }, null);
  }

  /** Start the next game; if players cut for the deal, first ask who won the cut. */
  #nextGame() {
    const { game, seats } = this.#state;
    const players = seats.map((seat) => seat.name);
    const start = (dealer) => this.send({ game: game.id, do: "start", variant: game.variant, players, dealer }, null);
    if (game.dealer_next !== null || seats.length === 1) return start(); // by custom, not reported by anyone
    const keys = seats.map((seat, i) => choiceKey(`${i}`, mark(seat.lane), html("b", { dir: "auto" }, seat.name)));
    openChoices(this.#here, "first", t("pad.who_deals"), [html("p.since", t("pad.low_deals")), ...keys], (value) => {
      if (value !== "close") start(Number(value));
    });
  }

  // Corrections.

  /** The line that Undo or Redo applies to: on a side its own newest, else the newest of all; null if unknown. */
  #entryFor(what) {
    const { entries, undo, redo } = this.#state;
    const named = findEntry(this.#state, what === "undo" ? undo : redo);
    if (!this.#own || this.#state.game.over || (named && this.#own(named))) return named;
    if (what === "undo") return entries.find((entry) => entry.stands && !entry.ruled_by && this.#own(entry)) ?? null;
    const gone = redo === null ? [] : entries.filter((entry) => !entry.stands && this.#own(entry));
    const when = (entry) => entry.history?.at(-1)?.at ?? 0;
    return gone.sort((one, other) => when(other) - when(one))[0] ?? null;
  }

  /** Why Undo or Redo does nothing now, or null. */
  #whyClosedFor(what) {
    const any = this.#state[what];
    const line = this.#entryFor(what);
    if (this.#whyClosed) return this.#whyClosed;
    if (any === null) return what === "undo" ? noUndoText : noRedoText;
    if (this.#own && !line && !this.#state.game.over) return what === "undo" ? t("pad.no_own") : noRedoText;
    return whyLocked(this.#state, line, this.#role);
  }

  /** Ask in place whether to undo a line, or to redo it. */
  correct(what, id = (this.#entryFor(what)?.id ?? this.#state[what])) {
    const closed = this.#whyClosedFor(what);
    if (closed && id === (this.#entryFor(what)?.id ?? this.#state[what])) return this.status.explain(closed);
    const { state } = this.#table;
    const line = findEntry(state, id);
    const said = line ? entryText(state, line) : t("pad.line", { line: id });
    const back = what === "undo";
    this.#confirmCorrection({ game: state.game.id, do: what, entry: id }, {
      said: t(back ? "pad.take_back_it" : "pad.put_back_it", { line: said }),
      then: pegsAfterText(state, line, !back),
      yes: t(back ? "pad.take" : "pad.put_back"),
      still: (now) => now.game.id === state.game.id && (findEntry(now, id)?.stands ?? back) === back,
      act: () => this.send({ game: state.game.id, do: what, entry: id }, line?.lane ?? null),
    });
  }

  /** A line belongs to another player: move it to that player's lane unchanged. */
  #moveToSeat(entry, seat) {
    const line = findEntry(this.#state, entry);
    if (line) this.send({ game: this.#state.game.id, do: "amend", entry, seat, was: line.points }, null);
  }

  /** Keys that move the last line to a player of another lane; none if it cannot be moved, or Redo needs the place. */
  #showOwnerKeys(state) {
    const line = this.#entryFor("undo");
    const movable = line?.do === "score" && line.stands && !line.ruled_by && !state.game.over && !this.#whyClosedFor("undo");
    const others = movable && this.#whyClosedFor("redo") ? opponentSeats(state, line.lane) : [];
    const seats = others.length <= (this.#side === "" ? 3 : 1) ? others : []; // as many as have room, half a tablet one
    fill(this.#here("was-of"), ...seats.map((seat) => {
      const name = shortName(state, seat);
      const short = seats.length > 1 || nameWidth(name) > SHORT_NAME;
      const said = t("pad.was_of", { name });
      return html("button.key", { type: "button", "data-line": line.id, "data-seat": seat, "aria-label": said, title: said },
        ...(short ? [html("span.of", mark(state.seats[seat].lane), t("pad.was")), html("span.short", { dir: "auto" }, name)] : [said]));
    }));
    this.status.showsOwners = seats.length > 0;
  }

  /** Ask in place; after the end of a game, first find out whether the correction undoes a win. */
  async #confirmCorrection(command, question) {
    const { state } = this.#table;
    const lost = state.game.over ? await losesWin(command) : null;
    this.status.ask(lost === null ? question : { ...question, said: winLostText(state) });
  }

  #openRecent() {
    this.#openLater(({ openAmend, openRecentEntries }) =>
      openRecentEntries(this.#here, this.#table, this.#role, (what, id) => {
        const line = findEntry(this.#state, id);
        if (what !== "amend") return this.correct(what, id);
        openAmend(this.#here, this.#state, line, (chosen) => this.#applyAmendment(line, chosen));
      }));
  }

  #applyAmendment(line, { points, why, seat }) {
    if (seat !== undefined) return this.#moveToSeat(line.id, seat);
    return why === undefined ? this.#amend(line, points) : this.#changeReason(line, why);
  }

  #amend(line, points) {
    const { state } = this.#table;
    const { front } = state.lanes[line.lane];
    const to = Math.min(Math.max(front + points - line.points, 0), state.game.game_hole);
    this.#confirmCorrection({ game: state.game.id, do: "amend", entry: line.id, points, was: line.points }, {
      said: t("pad.amend_it", { name: laneShortName(state, line.lane), points, was: line.points }),
      then: line.counts && !state.game.over ? t("pad.from_to", { from: front, to }) : "",
      yes: t("pad.put_right"),
      still: (now) => now.game.id === state.game.id && findEntry(now, line.id)?.points === line.points,
      act: () => this.send({ game: state.game.id, do: "amend", entry: line.id, points, was: line.points }, line.lane),
    });
  }

  /** Change or remove the reason for points, keeping their number. */
  #changeReason(line, why) {
    const { state } = this.#table;
    const { lane, points } = line;
    const body = { game: state.game.id, do: "amend", entry: line.id, why, was: points };
    this.status.ask({
      said: t(why ? "pad.reason_it" : "pad.forget_it", {
        name: laneShortName(state, lane), points, why: why && t(`words.why_${why}`), was: reasonText(line),
      }),
      then: t("pad.stays"),
      yes: t("pad.put_right"),
      still: (now) => now.game.id === state.game.id && findEntry(now, line.id)?.stands === true,
      act: () => this.send(body, lane),
    });
  }

  // Sheets.

  #openPenalty() {
    const { state } = this.#table;
    const then = (awards, deals) => state.game.id === this.#state.game.id && this.#sendPenalties(awards, deals);
    this.#openLater(({ openPenalty }) => openPenalty(this.#here, state, this.#seats, then));
  }

  #openMore() {
    const { state } = this.#table;
    const more = this.#more(this);
    const title = keysForText(state, this.#whose.lane);
    const deals = state.game.over ? gameOverText : null;
    const acts = Object.fromEntries(more.map(([key, act]) => [key.value, act]));
    openMore(this.#here, state, { title, closed: this.#whyClosed, deals, more: more.map(([key]) => key) }, {
      ...acts,
      ...this.#also,
      points: (key) => this.score(pointsOf(key)),
      muggins: () => this.#openMuggins(),
      redo: () => this.correct("redo"),
      stage: ({ dataset }) => this.send({ game: state.game.id, do: "stage", stage: dataset.stage }, null, undefined, state),
      dealer: ({ dataset }) => this.send({ game: state.game.id, do: "deal", new: false, dealer: Number(dataset.dealer) }, null, undefined, state),
      deal: (key) => this.#sendDeal(key.dataset.dealer && Number(key.dataset.dealer)),
      penalty: () => this.#openPenalty(),
    });
  }

  // Questions about queued commands, one at a time.

  askNext() {
    const item = this.#queue.items.find((one) => this.#mine(one) && one.held && one.held.kind !== "unpaired");
    if (!item || this.#asking) return;
    for (const name of DIALOGS) if (this.#here(name).open) this.#here(name).close("close");
    this.#asking = item;
    const question = this.#questionOf(item);
    askYesNo({ ...question, sign: laneSign(question.lane) }, (yes) => {
      this.#asking = null;
      if (yes) this.#queue.confirm(item);
      else this.#queue.drop(item);
      this.askNext();
    }, this.#here);
  }

  #questionOf(item) {
    const { kind, state, entries } = item.held;
    const changeTime = (entry) => entry.history?.at(-1)?.at ?? entry.at;
    const when = (entry) => agoText(this.#table.secondsSince(changeTime(entry)), changeTime(entry));
    if (item.body.do === "penalty") return penaltyQuestion(this.#state, item);
    return kind === "moved" ? movedQuestion(state, item, entries, when) : oldQuestion(this.#state, item);
  }

  // Drawing.

  /** Waiting points of a lane, if they were delayed. */
  latePoints(lane) {
    return sum(this.#queue.lateFor(lane));
  }

  /** The text under a score: waiting, typed or dialed points, a danger, or the holes to go. */
  noteOf(lane) {
    const { state } = this.#table;
    const { dialled } = state.lanes[lane];
    const late = this.latePoints(lane);
    const typed = lane === this.#whose.lane ? this.#typed() : null;
    if (late) return ["waits", waitingText(late)];
    if (typed !== null) return [`chip l${lane}`, dialledText(typed)];
    if (dialled) return [`chip l${lane}`, dialledText(dialled)];
    const risk = skunkDanger(state, lane);
    if (!risk) return ["", toGoText(state, lane)];
    return ["risk", state.lanes.length > 2 ? dangerHoleText(risk) : dangerShortText(risk)];
  }

  /** The seats for which this pad can confirm, partners side by side. */
  #confirming() {
    const { game, seats } = this.#state;
    const { seat, lane } = this.#whose;
    if (this.#side !== "") return game.unconfirmed.includes(lane) ? this.#seatsIn(lane) : [];
    if (seat === null) return game.unconfirmed.flatMap((one) => this.#seatsIn(one));
    return game.unconfirmed.includes(seats[seat].lane) ? [seat] : [];
  }

  show() {
    const { state } = this.#table;
    this.#showKeys(state);
    this.#showLikely(state);
    this.#showOwnerKeys(state);
    const undoable = this.#entryFor("undo");
    const mine = this.#side === "" ? this.#whose.seat !== null : this.#seats.length === 1;
    this.#ending.show(state, undoable, this.#whyClosed, { confirming: this.#confirming(), mine });
    this.status.show();
  }

  #showKeys(state) {
    const unpaired = this.#whyClosed;
    const closed = unpaired ?? (state.game.over ? gameOverText : null);
    const played = state.game.rules.muggins && state.lanes.length > 1;
    const within = [this.#here("keys"), this.#here("more-points")];
    for (const part of within) {
      for (const key of part.querySelectorAll("[data-points]")) disable(key, closed);
      for (const key of part.querySelectorAll("[data-call=muggins]")) {
        disable(key, closed ?? (played ? null : noMugginsText));
      }
    }
    for (const what of ["undo", "redo"]) disable(this.#here(what), this.#whyClosedFor(what));
    disable(this.#here("undo-win"), this.#whyClosedFor("undo"));
    const begun = this.#queue.items.find(({ body }) => body.do === "start");
    disable(this.#here("next-game"), unpaired ?? (begun ? notSentText(commandText(state, begun)) : null));
    this.#here("pair").hidden = this.#role.mayScore;
    this.#here("keys").setAttribute("aria-label", unpaired === whoseText ? whoseText : keysForText(state, this.#whose.lane));
  }

  /** Mark the keys for the most common points; the keys do not move. */
  #showLikely(state) {
    const { why, points } = likelyPoints(state, this.#whose.lane);
    for (const key of this.#here("keys").querySelectorAll("[data-points]:not([data-label])")) {
      const marked = points.has(Number(key.dataset.points)) && !key.dataset.reason;
      key.classList.toggle("likely", marked);
      set(key, "data-for", marked ? t(`words.why_${why}`) : null);
    }
  }

  /** In another game, or after the end, close unfinished entry dialogs. */
  closeDialogs() {
    ignoreAtFirst(this.#here("keys"));
    this.forgetTap();
    closeChoices(this.#here);
    if (this.#here("muggins-dialog").open) this.#here("muggins-dialog").close("close");
    write(this.#here("more-reason"), "");
  }
}

const sum = (items) => items.filter(({ body }) => body.do === "score").reduce((total, { body }) => total + body.points, 0);

/** Where the waiting commands would bring each lane. */
export const waitingPegs = (queue, { lanes }) =>
  lanes.map(({ front }, lane) => ({ lane, points: sum(queue.forLane(lane)), to: front + sum(queue.forLane(lane)) })).filter(({ points }) => points);
