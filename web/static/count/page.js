// The page that counts a hand or the crib: cards by rank, the parts as they are said, and the points pegged.

import { mark } from "../board/shapes.js";
import { asSentence, byId, disable, html, readStorage, set, t, write, writeById, writeStorage } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/page.js";
import { entryText, findEntry, fromToText, shortName } from "../words/state.js";
import { CountRequest, CountVoice, isPageKey, isVoiceOn, linkRules, PegSender, rankFace, rankKeys, rankName, rankOf, rankWithArticle, SideBoard } from "./counting.js";
import { countTexts, dueHand, Hand, isPegged, PartList, spokenParts, STARTER } from "./hand.js";

const STORAGE_KEY = "pegboard.count";
const NINETEEN = "pegboard.count.nineteen";
const MOMENT = 400; // ms
const ALL_FIVE = 5; // cards of one suit that a flush of the crib needs, but where the house counts its four
const UNKNOWN = { flush: null, nobs: null };

const table = new TableStream(firstState());
const hand = new Hand();
const sideBoard = new SideBoard(table);

let due = dueHand(table.state); // whose cards are counted: {seat, crib}
let answers = { ...UNKNOWN }; // about suits
let counted = null; // what the table has answered
let trouble = ""; // why there is no count
let waiting = false;
let explained = ""; // why a key does nothing
let slow = 0; // the timer until it is said that the table counts
let wanted = false; // Peg was tapped before there was a count
let seen = null; // the table as it was when the cards were all there
let lit = null; // the part whose cards are lifted
let tapped = null; // the tap that pegs this hand
let last = null; // what was pegged before, in words

const voice = new CountVoice((part) => light(part));
const partList = new PartList((part) => {
  voice.stop();
  light(part);
});
const pegs = new PegSender(table, {
  changed: () => show(),
  stored: (id, answer) => id === tapped && pegged(answer),
  again(id) {
    tapped = id;
    keep();
  },
  lost: (id) => {
    if (id === tapped) tapped = null;
    keep();
    show();
  },
});
const request = new CountRequest({
  answered(values) {
    counted = { ...values, parts: values.parts.map(placed) };
    explained = "";
    announce();
    pegWanted();
    show();
  },
  refused(sentence) {
    trouble = asSentence(sentence);
    explained = "";
    wanted = false;
    show();
  },
  waiting(whether) {
    waiting = whether;
    show();
  },
});

// The cards.

const THREE_CARDS = 3; // of a hand in the old game of five; its crib has four

const sizeIn = ({ game }) => (game.rules.pegging_only && !due.crib ? THREE_CARDS : STARTER);

/** The table tells the starter after the last card of the hand. */
const placed = (part) => ({ ...part, cards: part.cards.map((place) => (place === hand.size ? STARTER : place)) });

const closedRank = (rank) => hand.closed(rank) && t(`count.closed_${hand.closed(rank)}`);

/** Something has changed: ask anew where all the cards are there. */
function recount() {
  voice.stop();
  counted = null;
  lit = null;
  trouble = explained = "";
  waiting = wanted = false;
  seen = hand.complete ? (seen ?? table.state) : null;
  if (hand.complete) count();
  else request.forget();
  keep();
  show();
}

/** Ask for the count; that it takes its time is said only after a moment. */
function count() {
  clearTimeout(slow);
  slow = setTimeout(() => {
    slow = 0;
    show();
  }, MOMENT);
  request.ask("/api/v1/count", question());
}

const question = () => ({
  ranks: hand.ranks.join(),
  starter: hand.starter,
  flush: answers.flush,
  nobs: answers.nobs,
  crib: due.crib ? 1 : null,
  crib_flush: due.crib && table.state.game.rules.crib_flush < ALL_FIVE ? table.state.game.rules.crib_flush : null,
});

function put(rank) {
  if (tapped) return explain(t("count.pegging_now"));
  const closed = closedRank(rank);
  if (closed) return explain(closed);
  hand.put(rank);
  answers = { ...UNKNOWN };
  last = null;
  recount();
}

function change(place) {
  if (tapped || !hand.slots[place]) return;
  voice.stop();
  hand.change(place);
  explained = "";
  show();
}

function back() {
  if (tapped) return;
  hand.back();
  answers = { ...UNKNOWN };
  recount();
}

function clear() {
  if (tapped) return;
  hand.clear();
  answers = { ...UNKNOWN };
  recount();
}

/** A flush settles whether there is nobs, and no flush leaves it open again. */
function answer(what, value) {
  if (tapped) return;
  answers = what === "flush" ? { flush: value, nobs: value ? null : answers.nobs } : { ...answers, nobs: value };
  recount();
}

function explain(reason) {
  explained = reason;
  show();
}

// Whose they are.

const dealOf = ({ game }) => `${game.id} ${game.deal}`;

let dealt = dealOf(table.state);

/** With the cards of a hand on the table it stays whose they are; else the show goes on, and the starter with its deal. */
function goOn(state) {
  if (dealOf(state) !== dealt && !hand.begun && !tapped) hand.clear();
  if (!hand.begun && !tapped) dealt = dealOf(state);
  hand.alone = isAlone(state);
  if (!hand.begun && !tapped) due = dueHand(state);
  if (due.seat >= state.seats.length) due = dueHand(state);
  hand.size = sizeIn(state);
}

/** Solitaire deals all cards but four, and those are its last hand. */
const LAST_DEAL = { solitaire: 7 };

const isAlone = ({ game }) => game.deal === LAST_DEAL[game.variant];

function choose(seat, crib) {
  if (tapped) return;
  due = { seat, crib };
  hand.size = sizeIn(table.state);
  seen = null;
  if (hand.complete || counted) recount();
  show();
}

// Pegging.

const laneOf = (state) => state.seats[due.seat].lane;

const pegTo = ({ lanes, game }, lane, points) => Math.min(lanes[lane].front + points, game.game_hole);

/** Why this count cannot be pegged, nor will be once it is there; null where it can. */
function whyNotPegged() {
  if (!hand.complete) return t("count.left", { n: hand.left });
  if (tapped) return t("count.pegging_now");
  return trouble || pegs.closed;
}

/** Peg the count, or once there is one; what the sheet has already only after a question. */
function peg() {
  const closed = whyNotPegged();
  if (closed) return explain(closed);
  wanted = counted === null;
  if (wanted) return show();
  const { state } = table;
  if (!isPegged(state, due)) return send(seen);
  const { seat, crib } = due;
  pegs.ask(countTexts.again(state, { ...due, to: pegTo(state, laneOf(state), counted.points) }), (yes) => {
    if (yes && counted && due.seat === seat && due.crib === crib) send(state);
  });
}

/** The points, as of a state that was seen: whoever has pegged for them since is asked about. */
function send(state) {
  tapped = pegs.score(due.seat, counted.points, due.crib ? "crib" : "hand", state) || null;
  keep();
  show();
}

/** The tap that came before the count pegs it; a jack is asked about first, as it is nobs in every fourth hand. */
function pegWanted() {
  const open = counted.nobs.asked && answers.nobs === null;
  if (wanted && !open) peg();
  wanted = false;
}

/** It is on the board: the next hand of the show, with the same starter. */
function pegged({ entry, state }) {
  const line = findEntry(state, entry);
  last = line && { id: line.id, said: entryText(state, line), moved: fromToText(line, "").replace(/, $/u, "") };
  tapped = null;
  hand.clear({ keep: true });
  answers = { ...UNKNOWN };
  goOn(state);
  recount();
}

/** The line that was pegged before, while it stands. */
const lastLine = () => {
  const line = last && findEntry(table.state, last.id);
  return line?.stands ? line : null;
};

function takeBack() {
  const line = lastLine();
  if (line) pegs.ask(countTexts.takeBack(table.state, line), (yes) => yes && pegs.takeBack(line));
}

// Saying it.

const zero = () => t(readStorage(NINETEEN) ? "count.nineteen" : "count.zero");

const sayable = () => spokenParts(counted.parts, zero());

function announce() {
  writeById("counted", countTexts.announced(counted.points, sayable()));
  if (isVoiceOn()) voice.say(sayable(), counted.parts.length);
}

const whyNotSaid = () => (hand.complete ? trouble || t("count.counting") : whyNotPegged());

function sayIt() {
  if (voice.going) voice.stop();
  else if (counted) return voice.say(sayable(), counted.parts.length);
  else explain(whyNotSaid());
  light(null);
}

function light(part) {
  lit = part;
  show();
}

// What is remembered of this deal.

function keep() {
  const { game } = table.state;
  writeStorage(STORAGE_KEY, { game: game.id, deal: game.deal, cards: hand.kept, due, answers, tapped });
}

function remembered() {
  const known = readStorage(STORAGE_KEY);
  const { game, seats } = table.state;
  if (known?.game !== game.id || known.deal !== game.deal || known.due.seat >= seats.length) return;
  hand.kept = known.cards;
  if (known.tapped && pegs.waits(known.tapped)) tapped = known.tapped;
  else if (known.tapped) hand.clear({ keep: true });
  else answers = known.answers;
  if (hand.begun) due = known.due;
}

// Drawing.

const cards = [...byId("hand").querySelectorAll("button")];

function showCards() {
  const counting = lit === null || !counted ? null : new Set(counted.parts[lit]?.cards);
  for (const [place, card] of cards.entries()) {
    const rank = hand.slots[place];
    write(card, rank ? rankFace(rank) : "");
    card.className = `playing${rank ? "" : " empty"}${counting ? (counting.has(place) ? " lit" : " dim") : ""}`;
    card.classList.toggle("next", place === hand.next);
    card.hidden = !hand.has(place);
    set(card, "aria-pressed", rank ? `${hand.changing === place}` : null);
    set(card, "aria-label", countTexts.card(rank, place, counting?.has(place) ?? false));
    set(card, "aria-disabled", rank ? null : "true");
  }
}

function showWhose(state) {
  const select = byId("seat");
  const built = state.seats.map(({ name }) => name).join("\n");
  if (select.dataset.built !== built) {
    select.replaceChildren(...state.seats.map(({ name }, seat) => html("option", { value: seat, dir: "auto" }, name)));
    select.dataset.built = built;
  }
  select.value = `${due.seat}`;
  writeById("title-name", shortName(state, due.seat));
  for (const key of byId("what").children) set(key, "aria-pressed", `${(key.value === "crib") === due.crib}`);
}

/** Of how many cards a flush can be: none, the hand, or the starter too. */
function showFlushes() {
  const [, whole, more] = byId("flush").querySelectorAll("button");
  const sizes = { 3: "count.three", 4: "count.four", 5: "count.five" };
  for (const [key, cards] of [[whole, hand.size], [more, hand.size + 1]]) {
    key.value = `${cards}`;
    write(key, t(sizes[cards]));
  }
}

/** One question about suits: which answers there are, and why one cannot be. */
function showQuestion(what, { asked = false, answer: given, closed = [] } = {}) {
  const row = byId(what);
  row.hidden = !asked;
  if (!asked) return;
  const why = closed.map((one) => countTexts.closed(what, one, hand.starter && rankWithArticle(hand.starter)));
  for (const key of row.querySelectorAll("button")) {
    const at = closed.findIndex((one) => one.answer === Number(key.value));
    disable(key, at < 0 ? null : why[at]);
    key.classList.toggle("struck", at >= 0);
    set(key, "aria-pressed", `${Number(key.value) === given}`);
  }
  write(row.querySelector("small"), why[0] ?? "");
}

function showRanks() {
  for (const key of byId("ranks").querySelectorAll("[data-rank]")) {
    const many = hand.many(key.dataset.rank);
    key.classList.toggle("there", many > 0);
    write(key.querySelector("small"), many ? `${many}` : "");
    set(key, "aria-label", countTexts.key(rankName(key.dataset.rank), many));
    disable(key, closedRank(key.dataset.rank));
  }
}

/** What stands on the key while the table counts. */
const comingSaid = () => (wanted ? t("count.peg_wanted") : slow ? "" : t("count.counting"));

function showPeg(state) {
  const key = byId("peg");
  const lane = laneOf(state);
  const closed = whyNotPegged();
  const { front } = state.lanes[lane];
  const points = counted?.points ?? 0;
  disable(key, closed);
  if (key.dataset.lane !== `${lane}`) byId("peg-mark").replaceChildren(mark(lane));
  key.dataset.lane = lane;
  writeById("peg-word", counted ? (points ? t("count.peg", { points }) : t("count.peg_zero")) : t("count.peg_what"));
  const what = counted && !tapped ? { from: front, to: pegTo(state, lane, points) } : null;
  writeById("peg-then", what && !closed ? countTexts.pegs(shortName(state, due.seat), due.crib, what) : (closed ?? comingSaid()));
  byId("pair").hidden = !(counted && pegs.pairing);
}

/** What is said where there are no lines: what comes next, or why there is no count. */
function noteOf(state) {
  if (explained) return explained;
  if (waiting) return t("count.no_answer");
  if (trouble) return trouble;
  if (hand.complete && isPegged(state, due)) return countTexts.already(shortName(state, due.seat), due.crib);
  if (hand.changing !== null) return t("count.change_to", { card: rankWithArticle(hand.slots[hand.changing]) });
  if (counted && !counted.parts.length) return zero();
  if (counted || hand.complete) return "";
  if (hand.alone) return t("count.alone");
  return hand.starter && !hand.slots[0] ? t("count.starter_stays") : t(hand.size < STARTER ? "count.three_and_starter" : "count.four_and_starter");
}

function showBody(state) {
  partList.show(counted?.parts ?? [], hand.slots, lit);
  const note = noteOf(state);
  writeById("note", note);
  byId("note").hidden = !note;
  byId("pegged").hidden = !lastLine() || hand.begun;
  writeById("pegged-what", last?.said ?? "");
  writeById("pegged-where", last?.moved ?? "");
  const crib = counted?.flush.code === "crib" && hand.starter;
  byId("explained").hidden = !crib;
  if (crib) writeById("explained-why", countTexts.cribFlush(rankWithArticle(hand.starter)));
  const kinds = counted?.parts.map(({ kind }) => kind) ?? [];
  linkRules(byId("to-rules"), [...kinds, ...(crib ? ["flush in the crib"] : []), ...(counted?.points === 0 ? ["zero"] : [])]);
}

function show() {
  const { state } = table;
  showWhose(state);
  showCards();
  showBody(state);
  showFlushes();
  showQuestion("flush", counted?.flush);
  showQuestion("nobs", counted?.nobs);
  showRanks();
  showPeg(state);
  disable(byId("say"), counted ? null : whyNotSaid());
  writeById("say-word", t(voice.going ? "count.stop" : "count.say"));
  document.body.classList.toggle("complete", hand.complete && hand.changing === null);
  document.body.classList.toggle("alone", hand.alone);
}

// Wiring.

byId("ranks").prepend(...rankKeys());
byId("ranks").addEventListener("click", ({ target }) => {
  const key = target.closest("button");
  if (key?.dataset.rank) put(key.dataset.rank);
});
byId("back").addEventListener("click", back);
byId("clear").addEventListener("click", clear);
byId("hand").addEventListener("click", ({ target }) => {
  const place = cards.indexOf(target.closest("button"));
  if (place >= 0) change(place);
});
for (const what of ["flush", "nobs"]) {
  byId(what).addEventListener("click", ({ target }) => {
    const key = target.closest("button");
    if (key?.dataset.reason) explain(key.dataset.reason);
    else if (key) answer(what, Number(key.value));
  });
}
byId("seat").addEventListener("change", ({ target }) => choose(Number(target.value), false));
byId("what").addEventListener("click", ({ target }) => {
  const key = target.closest("button");
  if (key) choose(key.value === "crib" ? (table.state.dealer ?? due.seat) : due.seat, key.value === "crib");
});
byId("peg").addEventListener("click", peg);
byId("take-back").addEventListener("click", takeBack);
byId("say").addEventListener("click", sayIt);
byId("nineteen").checked = readStorage(NINETEEN) === true;
byId("nineteen").addEventListener("change", ({ target }) => {
  writeStorage(NINETEEN, target.checked);
  show();
});
document.addEventListener("keydown", (event) => {
  if (!isPageKey(event) || event.repeat) return;
  const rank = rankOf(event);
  if (rank) put(rank);
  else if (event.key === "Backspace") back();
  else if (event.key === "Enter" && !event.target.closest("button, a, summary")) peg();
});

remembered();
goOn(table.state);
followTable(table, (state, { live }) => {
  goOn(state);
  sideBoard.show({ live });
  show();
});
pegs.begin();
if (hand.complete) recount();
