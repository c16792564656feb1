// Command queue in localStorage with retry and replay, with its questions and texts. All pages send their commands
// through it until there is a response; none is lost or duplicated.

import { asPost, byId, postJson, readStorage, removeStorage, request, storageKeys, t, textOr, writeStorage } from "../lib/browser.js";
import { dealsText, entryWithFate, fateText, findEntry, gainText, isRuling, isScore, laneValues, movesLane, notPairedText, plusText, reasonText, settledText, shortName } from "../words/state.js";

const COMMANDS_URL = "/api/v1/commands";
const PREVIEW_URL = "/api/v1/preview";
const TIMEOUT = 3_000; // ms before a request times out; repeating it is safe
const PREVIEW_TIMEOUT = 2_000; // ms; without a response a correction asks the normal question
const TRIES = 3; // for a command outside the queue, without a response
const RETRY = [500, 1_000, 2_000, 4_000, 8_000]; // ms
const JITTER = 0.25; // of the wait
const ASK_AFTER = 60_000; // ms without an answer before the player has to confirm it
const CAPACITY = 20; // commands
const STORAGE_PREFIX = "pegboard.tap."; // one storage key per command, so that two tabs do not overwrite each other

/** Where a device stores its holder, and its score pad page. */
export const HOLDER = "pegboard.holder";
export const PAD = "pegboard.pad";

const UNTRIED = { tries: 0, next: 0, trouble: null, held: null };

const BOARD = "board"; // the lane of a command about the whole board

/**
 * The server's table of commands: the `base` that each needs, `who` may send it, whether it `names_line` and then needs
 * no base, and the `most` that its fields may hold.
 */
export const COMMANDS = Object.fromEntries(JSON.parse(byId("commands").textContent).map((row) => [row.do, row]));

export const MOST_AT_ONCE = COMMANDS.score.most.points;
export const LONGEST_NOTE = COMMANDS.penalty.most.note; // letters
export const LONGEST_NAME = COMMANDS.rename.most.to; // letters

/** A name as the server stores it: without surrounding spaces, and with one space between words. */
export const trimName = (name) => name.trim().split(/\s+/u).join(" ");

// --- one command ---

/** 128 random bits; plain http has no randomUUID. The server recognizes a resent command by its id. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Send a command outside the queue, and again with the same id until there is a response, in the form of `fetchJson`.
*/
export async function sendCommand(command, { id = newId(), tries = TRIES, timeout } = {}) {
  const answer = await postJson(COMMANDS_URL, { id, ...command }, timeout);
  return answer.status === 0 && tries > 1 ? sendCommand(command, { id, tries: tries - 1, timeout }) : answer;
}

/** What a command would do, in the form of `fetchJson`. */
export const previewCommand = (command, timeout) => postJson(PREVIEW_URL, command, timeout);

/** The lane whose win a command would undo; null if none, or if the server does not say. */
export async function losesWin(command) {
  const { ok, body } = await previewCommand(command, PREVIEW_TIMEOUT);
  return ok ? body.loses_win : null;
}

/** Why this device may not correct a line, or without a line a name; or null. */
export function whyLocked(state, entry, role) {
  if (!role.mayScore) return notPairedText;
  if (role.isDirector) return null;
  if (state.game.rules.strict) return t("pad.strict");
  return entry && COMMANDS[entry.do].who === "director" ? t("pad.ruling_directors") : null;
}

/** A command that names its line needs no base. */
const needsBase = ({ do: what, entry }) => COMMANDS[what].base !== "none" && !(entry && COMMANDS[what].names_line);

/** Send or query a command; a truncated receipt does not count as a response. */
async function askAbout(url, options) {
  const answer = await request(url, options, TIMEOUT);
  return answer.ok && !answer.body?.state ? { ...answer, status: 0 } : answer;
}

/** Whether a command is stored, in the form of `request`: 200 with its receipt, else 404 with the code "no_command". */
const lookUp = ({ id }) => askAbout(`${COMMANDS_URL}/${id}`, { cache: "no-store" });

/** Send a queued command once. */
const post = ({ id, body, base, epoch }) => askAbout(COMMANDS_URL, asPost({ id, ...body, epoch, ...(needsBase(body) ? { base } : {}) }));

// --- the queue ---

const TWICE = new Set(["confirm", "redo", "stage"]); // not an error if another device has already done it

/** The meaning of a response; a next game already started elsewhere is not an error, nor is a deal already passed. */
function verdict(status, problem, { do: what, game, new: begins }, epoch) {
  if (status === 200 || status === 201) return "stored";
  if (problem.code === "already" && (TWICE.has(what) || begins === false)) return "done";
  if (problem.code === "other_game" && what === "start" && problem.state?.game.id !== game) return "done";
  if (problem.code === "moved" || status === 428) return "moved";
  if (problem.code === "other_game" && epoch && problem.state?.epoch !== epoch) return "moved"; // the table has lost that game
  if (status === 403 && problem.code === "not_paired") return "unpaired";
  return status === 0 || status === 429 || status >= 500 ? "again" : "refused";
}

export class CommandQueue {
  #table;
  #items = [];
  #busy = new Set();
  #timer = 0;
  #listener;

  /** `listener` has `changed()`, `question(item)`, `refused(sentence, item, problem)`, optionally `stored(item,
   * answer)` and, if commands wait until this device is paired, `unpaired()`. */
  constructor(table, listener) {
    this.#table = table;
    this.#listener = listener;
    this.#items = storedItems();
    addEventListener("online", () => this.retryNow());
  }

  get items() {
    return this.#items;
  }

  /** The commands of a lane that are not stored yet. */
  forLane(lane) {
    return this.#items.filter((item) => item.lane === lane);
  }

  /** The same, if one of them, or a board command they wait for, was retried or is held. */
  lateFor(lane) {
    const before = [...this.forLane(lane), ...this.forLane(BOARD)];
    return before.some((item) => item.tries > 0 || item.held) ? this.forLane(lane) : [];
  }

  /**
   * Queue a command; returns its id, or false if there is no room. `lane` is null for the whole board, `label` the word
   * on the key, `seen` the state it was based on, if older than the newest one. `side` names where it was tapped; if
   * the command `after` is refused it is dropped, and if it is not stored `instead` is sent.
   */
  add(body, lane, label, seen = null, { side = "", after = null, instead = null } = {}) {
    if (this.#items.length >= CAPACITY) return false;
    const now = Date.now();
    const way = { side, after, instead };
    const { epoch } = seen ?? this.#table.state;
    const item = { id: newId(), lane: lane ?? BOARD, body, label, epoch, base: null, from: null, at: now, asked: now, ...way, ...UNTRIED };
    const waits = this.#items.some((one) => blocks(one, item));
    if (!waits || (seen && seen.revision !== this.#table.state.revision)) item.base = this.#baseOf(seen ?? this.#table.state, item);
    this.#items.push(item);
    this.#store(item);
    this.#notify();
    this.pump();
    return item.id;
  }

  /** Send everything that can be sent now. */
  pump() {
    clearTimeout(this.#timer);
    const now = Date.now();
    this.#items.forEach((item, i) => {
      const behind = this.#items.slice(0, i).some((one) => blocks(one, item) || item.after === one.id);
      if (behind || item.held || this.#busy.has(item.id) || item.next > now) return;
      if (now - item.asked > ASK_AFTER) this.#settle(item, this.#lookUp(item));
      else this.#send(item);
    });
    const waits = this.#items.filter((item) => item.next > now && !item.held).map((item) => item.next - now);
    if (waits.length) this.#timer = setTimeout(() => this.pump(), Math.min(...waits));
  }

  /** The connection is back: retry without waiting. */
  retryNow() {
    for (const item of this.#items) item.next = 0;
    this.pump();
  }

  /** The player has confirmed a command: send it based on the state that the question showed. */
  confirm(item) {
    const { kind, state } = item.held;
    if (kind === "moved") {
      item.base = this.#baseOf(state, item);
      if (item.epoch && item.epoch !== state.epoch) item.body = { ...item.body, game: state.game.id };
      item.epoch &&= state.epoch;
    }
    item.asked = Date.now();
    item.held = null;
    this.#store(item);
    this.pump();
  }

  /** This device is paired again: send what was waiting for that. */
  resume() {
    for (const item of this.#items) if (item.held?.kind === "unpaired") item.held = null;
    this.retryNow();
    this.#notify();
  }

  /** Drop a command that is not stored as far as known here; its dependents are replaced by their `instead`. */
  drop(item) {
    const hung = this.items.filter(({ after }) => after === item.id);
    this.#remove(item);
    this.#dropDependents(item);
    if (this.#busy.has(item.id)) item.hung = hung;
    else if (item.tries > 0) this.#sendInstead(hung);
    this.#notify();
    this.pump();
  }

  #send(item) {
    if (item.base === null) {
      item.base = item.from ?? this.#baseOf(this.#table.state, item);
      this.#store(item);
    }
    this.#settle(item, post(item).then((answer) => this.#handleAnswer(item, answer)));
  }

  /** A command that has waited long may be stored without a response: ask the player only if it is not. */
  async #lookUp(item) {
    const answer = await lookUp(item);
    const isLost = answer.status === 404 && answer.body?.code === "no_command";
    if (isLost && this.#items.includes(item)) this.#hold(item, "old");
    else if (!isLost) this.#handleAnswer(item, answer);
  }

  /** Await the request for a command, and continue. */
  async #settle(item, underWay) {
    this.#busy.add(item.id);
    try {
      await underWay;
    } catch {
      this.#retryLater(item, null, 0); // for an invalid response
    } finally {
      this.#busy.delete(item.id);
      this.#sendInstead(item.hung ?? []);
      this.#notify();
      this.pump();
    }
  }

  #handleAnswer(item, { status, body, wait }) {
    if (!this.#items.includes(item)) {
      if (body?.state) this.#table.takeAnswer(body.state);
      return;
    }
    const meaning = verdict(status, body ?? {}, item.body, item.epoch);
    if (status === 0) this.#table.noteFailure();
    if (meaning === "again") return this.#retryLater(item, body?.detail ?? null, wait);
    if (meaning === "moved" && needsBase(item.body)) {
      if (body?.state) this.#table.takeAnswer(body.state);
      return this.#hold(item, "moved", body ?? {});
    }
    if (meaning === "unpaired" && this.#listener.unpaired) {
      item.held = { kind: "unpaired" };
      return this.#listener.unpaired();
    }
    this.#remove(item, meaning === "stored" ? body : null);
    if (body?.state) this.#table.takeAnswer(body.state);
    if (meaning === "done") return;
    if (meaning === "stored") return this.#listener.stored?.(item, body);
    this.#listener.refused(body?.detail ?? null, item, body ?? {});
    this.#dropDependents(item);
  }

  /** Drop the dependents of a command that is not stored, and send their `instead`. */
  #dropDependents(item) {
    for (const one of this.#dependents(item)) this.#remove(one);
    this.#sendInstead([item]);
  }

  /** What waits for a command, and for what waits for it. */
  #dependents({ id }) {
    return this.#items.filter(({ after }) => after === id).flatMap((one) => [one, ...this.#dependents(one)]);
  }

  #sendInstead(items) {
    for (const { instead, lane, side } of items) {
      if (instead) this.add(instead, lane === BOARD ? null : lane, undefined, null, { side });
    }
  }

  #retryLater(item, trouble, wait) {
    const pause = wait || RETRY[Math.min(item.tries, RETRY.length - 1)];
    item.tries += 1;
    item.trouble = trouble;
    item.next = Date.now() + pause * (1 + JITTER * Math.random());
  }

  #hold(item, kind, problem = {}) {
    item.held = { kind, state: problem.state ?? this.#table.state, entries: problem.entries ?? [] };
    this.#listener.question(item);
  }

  /** Remove from the queue; what waited for it continues from its response, or from the state of its question. */
  #remove(item, answer = null) {
    this.#items = this.#items.filter((one) => one !== item);
    removeStorage(STORAGE_PREFIX + item.id);
    for (const one of this.#items) {
      if (one.base !== null || !blocks(item, one)) continue;
      one.from = this.#nextBase(item, answer, one);
      this.#store(one);
    }
  }

  /** The base of `one` after `item` before it is settled; responses for several lanes may arrive in any order. */
  #nextBase(item, answer, one) {
    if (!answer) return item.held ? this.#baseOf(this.#table.state, one) : one.from;
    if (answer.replayed && item.lane === one.lane && item.base !== null) return item.base + 1;
    return Math.max(one.from ?? 0, this.#baseOf(answer.state, one));
  }

  #baseOf(state, item) {
    return item.lane === BOARD ? state.revision : state.lanes[item.lane]?.revision ?? null;
  }

  #store({ id, lane, body, label, epoch, base, from, at, asked, side, after, instead }) {
    writeStorage(STORAGE_PREFIX + id, { id, lane, body, label, epoch, base, from, at, asked, side, after, instead });
  }

  #notify() {
    this.#listener.changed();
  }
}

/** Whether `one` must be settled before `other` may be sent. */
const blocks = (one, other) => one.lane === other.lane || one.lane === BOARD || other.lane === BOARD;

function storedItems() {
  const items = storageKeys(STORAGE_PREFIX).map(readStorage).filter((item) => item?.id && item.body);
  return items.sort((one, other) => one.at - other.at).slice(0, CAPACITY).map((item) => ({ ...item, ...UNTRIED }));
}

// --- in words ---

/** "Bob deals: peg 2", "A new deal: peg 2": how to get a refused score accepted. */
export function offerText(state, { dealer, new: begins }, { points }) {
  if (dealer === undefined) return t("words.offer_new", { points });
  return t(begins ? "words.offer_next" : "words.offer_deals", { name: shortName(state, dealer), points });
}

/** A command that is not stored yet. */
export function commandText(state, { body, label }) {
  const { do: what, points, why: cause, entry, dealer } = body;
  const word = textOr(`words.why_${label ?? cause}`, label ?? cause);
  switch (what) {
    case "score":
      return word ? `${plusText(points)}, ${word}` : plusText(points);
    case "deal":
      return dealer === undefined ? t("words.deal") : dealsText(state, dealer);
    case "stage":
      return t(`words.stage_${body.stage}`);
    case "start":
      return t("words.next_game");
    case "confirm":
      return t("words.confirmation");
    case "penalty":
      return settledText(state, body) ?? t("pad.tap_penalty", { points });
    case "amend":
      return points === undefined ? t("pad.tap_amend_line", { line: entry }) : t("pad.tap_amend", { line: entry, points });
    case "muggins":
      return t("words.call_of_muggins", { name: shortName(state, body.seat) });
    default:
      return undoText(findEntry(state, entry), t(what === "undo" ? "words.undo" : "words.redo"));
  }
}

export const notSentText = (said) => t("words.not_sent", { said });
export const sentText = (said) => t("words.sent", { said });
export const retryText = (seconds) => (seconds > 0 ? t("words.trying_in", { seconds }) : t("words.trying_now"));
export const waitingText = (points) => t("words.waiting", { points });
export const queueFullText = t("words.queue_full");
export const gameOverText = t("words.game_over_start");
export const unreadableText = t("history.unreadable");

export const dealsFirstText = (state, seat) => t("words.deals_first", { name: shortName(state, seat) });

/** "Undo +8", "Undo ruling" */
export function undoText(entry, word = t("words.undo")) {
  if (!entry) return word;
  if (isRuling(entry)) return t("words.of_ruling", { word });
  return isScore(entry) && entry.points ? `${word} +${entry.points}` : word;
}

/** The points of a muggins call: at most what was claimed, was missed, and could have been pegged by its owner. */
export const callAward = (state, own, call) => (call.missed ? Math.min(call.claimed, call.missed, couldPeg(state, own, call)) : call.claimed);

/** Holes left for the owner of missed points; if nobody is named, for the other lane. */
function couldPeg({ seats, lanes, game }, own, { opponent }) {
  const owner = Number.isInteger(opponent) ? seats[opponent].lane : lanes.findIndex((_, lane) => lane !== own);
  return game.game_hole - lanes[owner].front;
}

const listAtMost = (count, entries, say) => entries.slice(0, count).map(say).join(" · ") || t("words.changed");

/** A line in a question about its lane: "+12, hand" */
const laneEntryText = (state, entry) =>
  entry.do === "score" ? [plusText(entry.points), reasonText(entry), fateText(entry)].filter(Boolean).join(", ") : entryWithFate(state, entry);

/** The question after a lane has changed while a command was waiting. */
export function movedQuestion(now, item, since, when) {
  const { lane, body } = item;
  const shown = since.map((entry) => findEntry(now, entry.id) ?? entry); // the state knows the likely reason of each
  const onLane = shown.filter((entry) => movesLane(entry, lane));
  if (body.do === "score") {
    const { front } = now.lanes[lane];
    const to = Math.min(front + body.points, now.game.game_hole);
    return {
      lane,
      title: t("words.already_at", { ...laneValues(now, lane), front }),
      since: listAtMost(3, onLane, (entry) => `${laneEntryText(now, entry)}, ${when(entry)}`),
      ask: body.points ? t("words.add_more", { points: body.points }) : t("words.enter_zero"),
      no: [t("words.no_right", { front }), t("words.nothing_added")],
      yes: body.points ? [t("words.yes_add", { points: body.points }), `${front} → ${to}`] : [t("words.yes_zero"), t("words.no_peg")],
    };
  }
  return {
    lane: null,
    title: t("words.moved_on"),
    since: listAtMost(3, since, (entry) => `${entryWithFate(now, entry)}, ${when(entry)}`),
    no: [t("words.no_leave"), t("words.nothing_changes")],
    ...stillDueTexts(now, body),
  };
}

const yesText = (what) => t("words.yes", { what });

/** Whether it is still wanted, and what it would do. */
function stillDueTexts(now, body) {
  const [, then] = pegsTexts(now, body) ?? [null, thenText(now, body)];
  switch (body.do) {
    case "muggins":
      return { ask: t(body.missed ? "words.still_muggins" : "words.still_wrong"), yes: [yesText(pegsTexts(now, body)[0]), then] };
    case "deal":
      return { ask: t("words.still_right", { what: then }), yes: [yesText(then), t(isNewDeal(now, body) ? "words.next_deal" : "words.this_deal")] };
    case "stage":
      return { ask: t("words.still_right", { what: then }), yes: [yesText(then), t("words.no_peg")] };
    default:
      return { ask: t("words.still_start"), yes: [t("words.yes_next_game"), then] };
  }
}

const isNewDeal = ({ game }, body) => body.new ?? game.scored;

/** What a command would peg: ["Ann +2", "10 → 12"]; null if it pegs nothing. */
function pegsTexts(now, body) {
  const lane = scoringLane(now, body);
  const points = body.do === "muggins" ? callAward(now, now.seats[body.seat].lane, body) : body.points;
  if (lane === null || !points) return null;
  const { front } = now.lanes[lane];
  return [gainText(now, lane, points), `${front} → ${Math.min(front + points, now.game.game_hole)}`];
}

/** The lane that gets a command's points; for a wrong muggins call, an opponent's. */
function scoringLane({ seats, lanes }, { do: what, seat, lane, missed, opponent }) {
  if (what !== "score" && what !== "muggins") return null;
  const own = lane ?? seats[seat].lane;
  if (what === "score" || missed) return own;
  return opponent === undefined ? lanes.findIndex((_, other) => other !== own) : seats[opponent].lane;
}

/** The effect of a command that pegs nothing. */
function thenText(now, { do: what, dealer, stage }) {
  if (what === "deal") return dealsText(now, dealer ?? (now.dealer + 1) % now.seats.length);
  if (what === "stage") return t(`words.stage_${stage}`);
  const first = dealer ?? now.game.dealer_next;
  return what === "start" && first !== null ? dealsFirstText(now, first) : t("words.once_answered");
}

/** The question after a minute without a response. */
export function oldQuestion(now, item) {
  const said = commandText(now, item);
  const [, then] = pegsTexts(now, item.body) ?? [null, thenText(now, item.body)];
  return {
    lane: item.lane,
    title: t("words.has_waited", { said }),
    since: t("words.gone_on"),
    ask: t("words.still_send"),
    no: [t("words.no_drop"), t(pegsTexts(now, item.body) ? "words.nothing_added" : "words.nothing_changes")],
    yes: [t("words.yes_send"), then],
  };
}

/** A penalty that was delayed: whether it is still due. */
export function penaltyQuestion(state, item) {
  const { seat, points } = item.body;
  const { lane } = state.seats[seat];
  const { front } = state.lanes[lane];
  if (!points) return oldQuestion(state, item);
  return {
    lane,
    title: t("pad.still_penalty", { name: shortName(state, seat), points }),
    since: commandText(state, item),
    ask: t("pad.still_so"),
    no: [t("words.no_drop"), t("words.nothing_added")],
    yes: [t("pad.yes_penalty", { points }), `${front} → ${Math.min(front + points, state.game.game_hole)}`],
  };
}
