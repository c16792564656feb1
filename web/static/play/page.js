// Play page: counts the play with every card as it is played, the count to thirty-one, go and last card, and the pegs.

import { mark } from "../board/shapes.js";
import { CountRequest, isPageKey, isVoiceOn, linkRules, PegSender, rankFace, rankKeys, rankName, rankOf, rankWithArticle, SideBoard, speak } from "../count/shared_by_count_and_play.js";
import { asSentence, byId, capitalize, disable, html, readStorage, t, writeById, writeStorage } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { entryText, findEntry, gainText, shortName } from "../words/state.js";

const NUMBERS = t("count.numbers").split(" ");

const partKey = (kind) => `play.said_${kind.replaceAll(/[ -]/gu, "_")}`;

/** "fifteen two", "a run of three" */
const partText = ({ kind, points }) => t(partKey(kind), { points: NUMBERS[points] });

/** What a card has scored: "fifteen two, and a pair for two"; if nothing, its count. */
function stepText({ parts, count, act }) {
  if (!parts.length) return act === "go" ? t("play.said_pass") : NUMBERS[count];
  const said = parts.map(partText);
  return said.length > 1 ? `${said.slice(0, -1).join(", ")}, ${t("count.and", { said: said.at(-1) })}` : said[0];
}

/** "Bob, ten: fifteen two" */
const spokenStep = (state, step) =>
  t("play.aloud", { name: shortName(state, step.seat), card: stepCardText(step), said: stepText(step) });

const stepCardText = ({ act }) => (act === "go" ? t("play.go") : rankName(act));

/** "Bob +2" and whether that is on the board. */
const stepGainText = (state, { to, points }) => gainText(state, state.seats[to].lane, points);

const turnToPlayText = (state, seat) => t("play.turn", { name: shortName(state, seat) });

/** Why a rank cannot be played. */
function closedRankText({ rank, code }, { count }) {
  return t(`play.closed_${code}`, { card: capitalize(rankWithArticle(rank)), count: count + (VALUES[rank] ?? Number(rank)) });
}

const VALUES = { A: 1, J: 10, Q: 10, K: 10 };

const heldText = (cards) => t("play.held", { n: cards });

/** The question before undoing a card whose points are on the score sheet. */
function takeBackQuestion(state, step, line) {
  const { lane } = line;
  const { front } = state.lanes[lane];
  return {
    lane,
    title: t("play.take_back_it", { name: shortName(state, step.seat), card: stepCardText(step) }),
    since: entryText(state, line),
    ask: t("play.take_back_ask"),
    no: [t("pad.keep"), t("pad.stays")],
    yes: [t("pad.take"), t("pad.from_to", { from: front, to: front - (line.to - line.from) })],
  };
}

// --- the play of this deal, as stored by the page ---

const STORAGE_KEY = "pegboard.play";

const NOT_PEGGED = { tap: null, entry: null };

class SavedPlay {
  #game = "";
  #deal = 0;
  #dealer = 0;
  #acts = []; // ranks and "go"
  #show = null; // {tap, entry}: the command that ends the play, and its line after it is stored
  #pegs = []; // for each act {tap, entry}: the command that pegs it, and its line after it is stored

  constructor({ game, dealer }) {
    const known = readStorage(STORAGE_KEY);
    if (known?.game === game.id && known.deal === game.deal) {
      [this.#game, this.#deal, this.#dealer] = [known.game, known.deal, known.dealer];
      [this.#acts, this.#pegs, this.#show] = [known.acts, known.pegged, known.show ?? null];
    } else this.begin({ game, dealer });
  }

  /** A new play, of the game's current deal. */
  begin({ game, dealer }) {
    [this.#game, this.#deal, this.#dealer] = [game.id, game.deal, dealer ?? 0];
    this.#acts = [];
    this.#pegs = [];
    this.#show = null;
    this.#store();
  }

  get show() {
    return this.#show;
  }

  /** The command with this id ends the play; null if the play continues. */
  setShow(tap) {
    this.#show = tap ? { tap, entry: null } : null;
    this.#store();
  }

  /** The command is stored as this line. */
  storeShow(tap, entry) {
    if (this.#show?.tap !== tap) return;
    this.#show.entry = entry;
    this.#store();
  }

  /** Whether the game has moved to another deal, other than by a card of this play. */
  isPast({ game, dealer }) {
    if (game.id !== this.#game) return true;
    if (game.deal !== this.#deal && this.#pegs.some(({ tap, entry }) => tap && !entry)) {
      this.#deal = game.deal; // an empty crib is often not entered: this card has started the deal
      this.#store();
    }
    return game.deal !== this.#deal || (!this.#acts.length && (dealer ?? 0) !== this.#dealer);
  }

  get dealer() {
    return this.#dealer;
  }

  get acts() {
    return this.#acts;
  }

  pegOf(place) {
    return this.#pegs[place] ?? NOT_PEGGED;
  }

  lay(act) {
    this.#acts.push(act);
    this.#pegs.push(NOT_PEGGED);
    this.#store();
  }

  takeBack() {
    this.#acts.pop();
    this.#pegs.pop();
    this.#store();
  }

  /** The command with this id pegs the newest act. */
  setTap(tap) {
    this.#pegs[this.#acts.length - 1] = { tap, entry: null };
    this.#store();
  }

  /** The command is stored as this line; null if it will not be stored. */
  settle(tap, entry) {
    const place = this.#pegs.findIndex((one) => one.tap === tap);
    if (place < 0) return;
    this.#pegs[place] = entry ? { tap, entry } : NOT_PEGGED;
    this.#store();
  }

  #store() {
    const [game, deal, dealer] = [this.#game, this.#deal, this.#dealer];
    writeStorage(STORAGE_KEY, { game, deal, dealer, acts: this.#acts, pegged: this.#pegs, show: this.#show });
  }
}

// --- the page ---

const AT_ONCE = "pegboard.play.at_once";
const GO = "go";
const THREE_CARDS = 3;
const BARE = { count: 0, turn: null, held: [], gone: [], points: [], may_go: false, closed: [], over: false, steps: [] };

const table = new TableStream(firstState());
const saved = new SavedPlay(table.state);
const sideBoard = new SideBoard(table);

/** Everything that changes on this page except the saved play. */
const page = {
  play: null, // from the server
  coming: null, // a card or go waiting for its response
  ahead: [], // what was tapped meanwhile
  undoing: null, // the id of the command that undoes the newest card's points
  waiting: false,
  explanation: "",
};

const pegs = new PegSender(table, {
  changed: () => show(),
  stored(id, { entry }) {
    saved.settle(id, entry);
    saved.storeShow(id, entry);
    if (id === page.undoing) removeNewest();
    show();
  },
  lost(id) {
    if (id === page.undoing) page.undoing = null;
    saved.settle(id, null);
    show();
  },
});
const request = new CountRequest({
  answered(values) {
    page.play = values;
    page.explanation = "";
    if (page.coming) acceptStep(values.steps.at(-1));
    if (page.ahead.length) layCard(page.ahead.shift());
    show();
  },
  refused(sentence) {
    page.coming = null;
    page.ahead = [];
    showReason(asSentence(sentence));
    if (!page.play) startAgain();
  },
  waiting(whether) {
    page.waiting = whether;
    show();
  },
});

// The play.

const players = () => table.state.seats.length;

/** Why there is no play to count; null if there is. */
const whyNoPlay = () => (players() < 2 ? t("play.solitaire") : null);

function ask() {
  if (whyNoPlay()) return;
  const { rules } = table.state.game;
  const laid = page.coming ? [...saved.acts, page.coming] : saved.acts;
  const held = rules.pegging_only ? THREE_CARDS : null;
  request.ask("/api/v1/play", { players: players(), dealer: saved.dealer, held, laid: laid.join() });
}

const isAwaited = () => page.coming || !(page.play || whyNoPlay());

function layCard(act) {
  if (isAwaited()) return page.ahead.push(act);
  const closed = whyClosed(act);
  if (closed) {
    page.ahead = [];
    return showReason(closed);
  }
  page.coming = act;
  page.explanation = "";
  ask();
  show();
}

/** Why this card, or a go, cannot be played now; null if it can. */
function whyClosed(act) {
  if (whyNoPlay()) return whyNoPlay();
  if (page.undoing) return t("play.waiting");
  if (act === GO) return page.play.may_go ? null : t(page.play.over ? "play.closed_over" : "play.no_go", { count: page.play.count });
  const closed = page.play.closed.find(({ rank }) => rank === act);
  return closed ? closedRankText(closed, page.play) : null;
}

/** A card was played, or a go said: save, announce and peg it. */
function acceptStep(step) {
  saved.lay(page.coming);
  page.coming = null;
  writeById("counted", spokenStep(table.state, step));
  if (isVoiceOn()) speak(stepText(step));
  if (!atOnce() || pegs.whyClosed) return;
  if (step.points) peg(step);
  if (page.play.over) saved.setShow(pegs.startShow());
}

const isCard = ({ kind }) => kind !== "go" && kind !== "last card";

/** A card that makes thirty-one ends the count, whatever else it scores. */
const reasonOf = ({ parts }) => (parts.some(({ kind }) => kind === "thirty-one") ? "thirty-one" : parts.some(isCard) ? "play" : "go");

function peg(step) {
  const tap = pegs.score(step.to, step.points, reasonOf(step));
  if (tap) saved.setTap(tap);
}

const atOnce = () => readStorage(AT_ONCE) !== false;

// Undoing.

const newestPlace = () => saved.acts.length - 1;

/** Why the newest card cannot be undone; null if it can. */
function whyNotTakenBack() {
  if (whyNoPlay()) return whyNoPlay();
  if (!saved.acts.length) return t("play.nothing_laid");
  const { tap, entry } = saved.pegOf(newestPlace());
  if (!page.play || page.coming || page.undoing || (tap && !entry && pegs.isWaiting(tap))) return t("play.waiting");
  return null;
}

/** The line that the newest card has pegged, unless it is undone. */
function entryOfNewest() {
  const { tap, entry } = saved.pegOf(newestPlace());
  const line = entry ? findEntry(table.state, entry) : (tap && likeliestEntry(page.play.steps[newestPlace()]));
  return line?.stands ? line : null;
}

/** The newest line with a card's score, if another page has stored its command. */
const likeliestEntry = ({ to, points }) =>
  table.state.entries.find((entry) => entry.stands && entry.do === "score" && entry.seat === to && entry.points === points);

function takeBack() {
  const reason = whyNotTakenBack();
  if (reason) return showReason(reason);
  const line = entryOfNewest();
  if (!line) return removeNewest();
  pegs.ask(takeBackQuestion(table.state, page.play.steps[newestPlace()], line), (yes) => {
    if (yes) page.undoing = pegs.takeBack(line) || null;
    show();
  });
}

/** The report that the play is over is undone with its last card. */
function resumePlay() {
  const line = saved.show && findEntry(table.state, saved.show.entry);
  if (line?.stands) pegs.takeBack(line);
  saved.setShow(null);
}

function removeNewest() {
  page.undoing = null;
  page.explanation = "";
  resumePlay();
  saved.takeBack();
  ask();
  show();
}

function startAgain() {
  saved.begin(table.state);
  page.play = null;
  page.coming = page.undoing = null;
  page.ahead = [];
  ask();
}

function showReason(reason) {
  page.explanation = reason;
  show();
}

// Drawing.

const currentPlay = () => page.play ?? BARE;

function showSeats(state) {
  const { turn, held, points, gone } = currentPlay();
  const tiles = state.seats.map(({ name, lane }, seat) => {
    const tile = html(`div.sitting${seat === turn ? ".turn" : ""}`, { "aria-current": seat === turn ? "true" : null });
    const deals = seat === saved.dealer && table.state.dealer !== null ? html("b.d", { title: t("play.dealer") }, "D") : null;
    const who = html("p.who", mark(lane), html("span.name", { dir: "auto", title: name }, name), deals);
    const pegged = html("p.at", html("b", `${state.lanes[lane].front}`), html("span", points[seat] ? ` +${points[seat]}` : ""));
    const left = gone.includes(seat) ? t("play.go") : page.play ? heldText(held[seat]) : "";
    tile.append(who, pegged, html("p.left", left));
    return tile;
  });
  byId("seats").replaceChildren(...tiles);
  byId("seats").className = `sitters of${tiles.length}${tiles.length > 3 ? " wraps" : ""}`;
}

/** The steps of the running count, or of the one that has just ended. */
function pile() {
  const { steps } = currentPlay();
  const ended = steps.slice(0, -1).findLastIndex(({ anew }) => anew);
  return steps.map((step, place) => ({ step, place })).slice(ended + 1).filter(({ step }) => step.act !== GO);
}

function showPile(state) {
  const last = currentPlay().steps.at(-1);
  const scoring = new Set(last?.parts.flatMap(({ cards }) => cards));
  const cards = pile().map(({ step: { act, seat }, place }) =>
    html(`li.playing${scoring.has(place) ? ".lit" : ""}`, mark(state.seats[seat].lane), html("b", { "aria-hidden": "true" }, rankFace(act)),
      html("span.unseen", `${shortName(state, seat)}, ${rankName(act)}`)));
  byId("pile").replaceChildren(...cards);
  byId("pile").classList.toggle("many", cards.length > 6);
}

/** All played cards, newest first. */
function showLog(state) {
  const { steps } = currentPlay();
  const lines = steps.map((step, place) =>
    html(`li${steps[place - 1]?.anew ? ".anew" : ""}`, mark(state.seats[step.seat].lane), html("b", step.act === GO ? t("play.go") : rankFace(step.act)),
      html("span", step.parts.length ? stepText(step) : ""), html("span.to", whatOf(state, step, place, true) || `${step.count}`)));
  const key = lines.map((line) => line.textContent).join();
  if (byId("log").dataset.key !== key) byId("log").replaceChildren(...lines.reverse());
  byId("log").dataset.key = key;
}

/** After the count has ended it is shown until the next card, as it was said. */
const shownCount = () => {
  const last = currentPlay().steps.at(-1);
  return last?.anew ? last.count : currentPlay().count;
};

/** Who has scored what, and whether it is on the board; `brief` if it is visible who played the card. */
function whatOf(state, step, place, brief = false) {
  if (!step?.points) return "";
  const { tap, entry } = saved.pegOf(place);
  const onBoard = entry ? findEntry(state, entry)?.stands !== false : tap && !pegs.isWaiting(tap);
  const fate = onBoard ? "" : ` · ${t(tap && !entry ? "play.not_yet" : "play.not_pegged")}`;
  return (brief && step.to === step.seat ? `+${step.points}` : stepGainText(state, step)) + fate;
}

function showCount(state) {
  const { steps } = currentPlay();
  const step = steps.at(-1);
  writeById("count", `${shownCount()}`);
  byId("count").classList.toggle("ended", step?.anew ?? false);
  writeById("said-now", step ? stepText(step) : "");
  writeById("gain", whatOf(state, step, steps.length - 1));
  linkRules(byId("to-rules"), step?.parts.map(({ kind }) => kind) ?? [], { play: true });
}

/** What to do now, or why a key does nothing. */
function noteOf(state) {
  const { over, turn, gone, steps } = currentPlay();
  if (whyNoPlay()) return whyNoPlay();
  if (page.explanation) return page.explanation;
  if (page.waiting) return t("count.no_answer");
  if (over) return t("play.over");
  if (turn === null) return "";
  const begins = state.dealer === null ? t("words.cut") : t("play.begins", { dealer: shortName(state, saved.dealer), name: shortName(state, turn) });
  if (!steps.length && ["hand", "crib"].includes(state.game.phase)) return t("play.past");
  if (gone.length && gone.length === players() - 1 && steps.at(-1)?.act === GO) return t("play.alone", { name: shortName(state, turn) });
  return steps.length ? turnToPlayText(state, turn) : begins;
}

function showKeys() {
  const closed = new Map(currentPlay().closed.map((one) => [one.rank, one]));
  for (const key of byId("ranks").querySelectorAll("[data-rank]")) {
    const why = whyNoPlay() ?? (closed.has(key.dataset.rank) ? closedRankText(closed.get(key.dataset.rank), currentPlay()) : null);
    disable(key, why);
  }
  disable(byId("go"), page.play && !page.coming ? whyClosed(GO) : whyNoPlay());
  byId("go").classList.toggle("offered", currentPlay().may_go);
  disable(byId("back"), page.coming ? null : whyNotTakenBack());
}

function showEnd(state) {
  const { over } = currentPlay();
  const next = (saved.dealer + 1) % players();
  byId("to-count").classList.toggle("solid", over);
  byId("to-count").classList.toggle("key", !over);
  writeById("to-count-what", over ? t("play.count_hand", { name: shortName(state, next) }) : t("play.to_count"));
  byId("pair").hidden = !pegs.pairingUrl;
  const switched = byId("at-once");
  switched.checked = atOnce() && !pegs.whyClosed;
  switched.disabled = pegs.whyClosed !== null;
  writeById("at-once-why", pegs.whyClosed ?? "");
}

function show() {
  const { state } = table;
  showSeats(state);
  showPile(state);
  showCount(state);
  showLog(state);
  writeById("note", noteOf(state));
  showKeys();
  showEnd(state);
}

// Wiring.

byId("ranks").prepend(...rankKeys());
byId("ranks").addEventListener("click", ({ target }) => {
  const key = target.closest("button");
  if (key?.dataset.rank) layCard(key.dataset.rank);
});
byId("go").addEventListener("click", () => layCard(GO));
byId("back").addEventListener("click", takeBack);
byId("anew").addEventListener("click", startAgain);
byId("at-once").addEventListener("change", ({ target }) => {
  writeStorage(AT_ONCE, target.checked);
  show();
});
document.addEventListener("keydown", (event) => {
  if (!isPageKey(event) || event.repeat) return;
  const rank = rankOf(event);
  if (rank) layCard(rank);
  else if (event.key.toLowerCase() === "g") layCard(GO);
  else if (event.key === "Backspace") takeBack();
});

followTable(table, (state, { live }) => {
  if (saved.isPast(state)) startAgain();
  sideBoard.show({ live });
  show();
});
pegs.begin();
ask();
