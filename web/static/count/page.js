// Count page: counts a hand or the crib, with cards by rank, the parts as spoken, and the points pegged.

import { mark } from "../board/shapes.js";
import { asSentence, byId, disable, html, readStorage, set, t, write, writeById, writeStorage } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { certificateOf, entryText, findEntry, fromToText, shortName } from "../words/state.js";
import { CountRequest, CountVoice, isPageKey, isVoiceOn, linkRules, PegSender, rankFace, rankKeys, rankName, rankOf, rankWithArticle, SideBoard } from "./shared_by_count_and_play.js";
import { countTexts, dueHand, Hand, isPegged, PartList, spokenParts, STARTER } from "./hand_and_its_parts.js";

const STORAGE_KEY = "pegboard.count";
const NINETEEN = "pegboard.count.nineteen";
const MOMENT = 400; // ms
const ALL_FIVE = 5; // cards of one suit for a flush in the crib, unless house rules count four
const UNKNOWN = { flush: null, nobs: null };

const table = new TableStream(firstState());
const hand = new Hand();
const sideBoard = new SideBoard(table);

/** Game and deal, as one key. */
function dealOf({ game }) {
  return `${game.id} ${game.deal}`;
}

/** Everything that changes on this page. */
const page = {
  due: dueHand(table.state), // whose cards are counted: {seat, crib}
  answers: { ...UNKNOWN }, // about suits
  result: null, // the count from the server
  trouble: "", // why there is no count
  waiting: false,
  explanation: "", // why a key does nothing
  slowTimer: 0, // the timer until the page says that the count takes long
  pegWhenCounted: false, // Peg was tapped before there was a count
  seen: null, // the state when all cards were entered
  lit: null, // the part whose cards are lifted
  tap: null, // the id of the command that pegs this hand
  pegged: null, // what was pegged last, in words
  deal: dealOf(table.state),
};

const voice = new CountVoice((part) => light(part));
const partList = new PartList((part) => {
  voice.stop();
  light(part);
});
const pegs = new PegSender(table, {
  changed: () => show(),
  stored: (id, answer) => id === page.tap && startNextHand(answer),
  again(id) {
    page.tap = id;
    save();
  },
  lost: (id) => {
    if (id === page.tap) page.tap = null;
    save();
    show();
  },
});
const request = new CountRequest({
  answered(values) {
    page.result = { ...values, parts: values.parts.map(withStarterPlace) };
    page.explanation = "";
    announce();
    pegWhenReady();
    show();
  },
  refused(sentence) {
    page.trouble = asSentence(sentence);
    page.explanation = "";
    page.pegWhenCounted = false;
    show();
  },
  waiting(whether) {
    page.waiting = whether;
    show();
  },
});

// The cards.

const THREE_CARDS = 3; // of a hand in the old game of five; its crib has four

const sizeIn = ({ game }) => (game.rules.pegging_only && !page.due.crib ? THREE_CARDS : STARTER);

/** The server counts the starter as the card after the last one of the hand. */
const withStarterPlace = (part) => ({ ...part, cards: part.cards.map((place) => (place === hand.size ? STARTER : place)) });

const closedRank = (rank) => hand.whyClosed(rank) && t(`count.closed_${hand.whyClosed(rank)}`);

/** Something has changed: request the count again if all cards are entered. */
function recount() {
  voice.stop();
  page.result = null;
  page.lit = null;
  page.trouble = page.explanation = "";
  page.waiting = page.pegWhenCounted = false;
  page.seen = hand.complete ? (page.seen ?? table.state) : null;
  if (hand.complete) requestCount();
  else request.forget();
  save();
  show();
}

/** Request the count; say only after a moment that it takes long. */
function requestCount() {
  clearTimeout(page.slowTimer);
  page.slowTimer = setTimeout(() => {
    page.slowTimer = 0;
    show();
  }, MOMENT);
  request.ask("/api/v1/count", question());
}

const question = () => ({
  ranks: hand.ranks.join(),
  starter: hand.starter,
  flush: page.answers.flush,
  nobs: page.answers.nobs,
  crib: page.due.crib ? 1 : null,
  crib_flush: page.due.crib && table.state.game.rules.crib_flush < ALL_FIVE ? table.state.game.rules.crib_flush : null,
});

function putRank(rank) {
  if (page.tap) return explain(t("count.pegging_now"));
  const closed = closedRank(rank);
  if (closed) return explain(closed);
  hand.put(rank);
  page.answers = { ...UNKNOWN };
  page.pegged = null;
  recount();
}

function changeCard(place) {
  if (page.tap || !hand.slots[place]) return;
  voice.stop();
  hand.change(place);
  page.explanation = "";
  show();
}

function takeCardBack() {
  if (page.tap) return;
  hand.back();
  page.answers = { ...UNKNOWN };
  recount();
}

function clear() {
  if (page.tap) return;
  hand.clear();
  page.answers = { ...UNKNOWN };
  recount();
}

/** A flush settles nobs; without a flush, nobs is open again. */
function answer(what, value) {
  if (page.tap) return;
  page.answers = what === "flush" ? { flush: value, nobs: value ? null : page.answers.nobs } : { ...page.answers, nobs: value };
  recount();
}

function explain(reason) {
  page.explanation = reason;
  show();
}

// Whose cards they are.

/** While cards are entered the hand stays the same; else the next hand is chosen, and a new deal has a new starter. */
function goOn(state) {
  if (dealOf(state) !== page.deal && !hand.hasCards && !page.tap) hand.clear();
  if (!hand.hasCards && !page.tap) page.deal = dealOf(state);
  hand.alone = isAlone(state);
  if (!hand.hasCards && !page.tap) page.due = dueHand(state);
  if (page.due.seat >= state.seats.length) page.due = dueHand(state);
  hand.size = sizeIn(state);
}

/** Solitaire deals all cards but four; the last deal has its last hand. */
const LAST_DEAL = { solitaire: 7 };

const isAlone = ({ game }) => game.deal === LAST_DEAL[game.variant];

function choose(seat, crib) {
  if (page.tap) return;
  page.due = { seat, crib };
  hand.size = sizeIn(table.state);
  page.seen = null;
  if (hand.complete || page.result) recount();
  show();
}

// Pegging.

const laneOf = (state) => state.seats[page.due.seat].lane;

const pegTo = ({ lanes, game }, lane, points) => Math.min(lanes[lane].front + points, game.game_hole);

/** Why this count cannot be pegged, now or when it arrives; null if it can. */
function whyNotPegged() {
  if (!hand.complete) return t("count.left", { n: hand.missingCards });
  if (page.tap) return t("count.pegging_now");
  return page.trouble || pegs.whyClosed;
}

/** Peg the count, or as soon as it arrives; if it is already on the score sheet, only after a question. */
function pegCount() {
  const closed = whyNotPegged();
  if (closed) return explain(closed);
  page.pegWhenCounted = page.result === null;
  if (page.pegWhenCounted) return show();
  const { state } = table;
  if (!isPegged(state, page.due)) return send(page.seen);
  const { seat, crib } = page.due;
  pegs.ask(countTexts.again(state, { ...page.due, to: pegTo(state, laneOf(state), page.result.points) }), (yes) => {
    if (yes && page.result && page.due.seat === seat && page.due.crib === crib) send(state);
  });
}

/** Send the points based on a state that was seen, so that a newer peg for them leads to a question. */
function send(state) {
  page.tap = pegs.score(page.due.seat, page.result.points, page.due.crib ? "crib" : "hand", state) || null;
  save();
  show();
}

/** Peg what was tapped before the count arrived; first ask about a jack, which is nobs in every fourth hand. */
function pegWhenReady() {
  const open = page.result.nobs.asked && page.answers.nobs === null;
  if (page.pegWhenCounted && !open) pegCount();
  page.pegWhenCounted = false;
}

/** It is on the board: go to the next hand of the show, with the same starter. */
function startNextHand({ entry, state }) {
  const line = findEntry(state, entry);
  const certificate = line && certificateOf(state.game.id, line);
  const cards = `&cards=${hand.ranks.join("-")}&starter=${hand.starter}`;
  page.pegged = line && { id: line.id, said: entryText(state, line), moved: fromToText(line, "").replace(/, $/u, ""), certificate: certificate && certificate + cards };
  page.tap = null;
  hand.clear({ keep: true });
  page.answers = { ...UNKNOWN };
  goOn(state);
  recount();
}

/** The line that was pegged last, unless it is undone. */
const lastLine = () => {
  const line = page.pegged && findEntry(table.state, page.pegged.id);
  return line?.stands ? line : null;
};

function takeBack() {
  const line = lastLine();
  if (line) pegs.ask(countTexts.takeBack(table.state, line), (yes) => yes && pegs.takeBack(line));
}

// Speaking it.

const zeroText = () => t(readStorage(NINETEEN) ? "count.nineteen" : "count.zero");

const spokenTexts = () => spokenParts(page.result.parts, zeroText());

function announce() {
  writeById("counted", countTexts.announced(page.result.points, spokenTexts()));
  if (isVoiceOn()) voice.say(spokenTexts(), page.result.parts.length);
}

const whySilent = () => (hand.complete ? page.trouble || t("count.counting") : whyNotPegged());

function sayIt() {
  if (voice.isSpeaking) voice.stop();
  else if (page.result) return voice.say(spokenTexts(), page.result.parts.length);
  else explain(whySilent());
  light(null);
}

function light(part) {
  page.lit = part;
  show();
}

// What is saved for this deal.

function save() {
  const { game } = table.state;
  writeStorage(STORAGE_KEY, { game: game.id, deal: game.deal, cards: hand.contents, due: page.due, answers: page.answers, tapped: page.tap });
}

function restore() {
  const known = readStorage(STORAGE_KEY);
  const { game, seats } = table.state;
  if (known?.game !== game.id || known.deal !== game.deal || known.due.seat >= seats.length) return;
  hand.contents = known.cards;
  if (known.tapped && pegs.isWaiting(known.tapped)) page.tap = known.tapped;
  else if (known.tapped) hand.clear({ keep: true });
  else page.answers = known.answers;
  if (hand.hasCards) page.due = known.due;
}

// Drawing.

const cards = [...byId("hand").querySelectorAll("button")];

function showCards() {
  const counting = page.lit === null || !page.result ? null : new Set(page.result.parts[page.lit]?.cards);
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
  select.value = `${page.due.seat}`;
  writeById("title-name", shortName(state, page.due.seat));
  for (const key of byId("what").children) set(key, "aria-pressed", `${(key.value === "crib") === page.due.crib}`);
}

/** How many cards a flush can have: none, the hand, or also the starter. */
function showFlushes() {
  const [, whole, more] = byId("flush").querySelectorAll("button");
  const sizes = { 3: "count.three", 4: "count.four", 5: "count.five" };
  for (const [key, cards] of [[whole, hand.size], [more, hand.size + 1]]) {
    key.value = `${cards}`;
    write(key, t(sizes[cards]));
  }
}

/** A question about suits: the possible answers, and why one is not possible. */
function showQuestion(what, { asked: isAsked = false, answer: given, closed = [] } = {}) {
  const row = byId(what);
  row.hidden = !isAsked;
  if (!isAsked) return;
  const why = closed.map((one) => countTexts.closedText(what, one, hand.starter && rankWithArticle(hand.starter)));
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

/** The text of the key until there is a count. */
const pendingText = () => (page.pegWhenCounted ? t("count.peg_wanted") : page.slowTimer ? "" : t("count.counting"));

function showPeg(state) {
  const key = byId("peg");
  const lane = laneOf(state);
  const closed = whyNotPegged();
  const { front } = state.lanes[lane];
  const points = page.result?.points ?? 0;
  disable(key, closed);
  if (key.dataset.lane !== `${lane}`) byId("peg-mark").replaceChildren(mark(lane));
  key.dataset.lane = lane;
  writeById("peg-word", page.result ? (points ? t("count.peg", { points }) : t("count.peg_zero")) : t("count.peg_what"));
  const what = page.result && !page.tap ? { from: front, to: pegTo(state, lane, points) } : null;
  writeById("peg-then", what && !closed ? countTexts.pegs(shortName(state, page.due.seat), page.due.crib, what) : (closed ?? pendingText()));
  byId("pair").hidden = !(page.result && pegs.pairingUrl);
}

/** The note if there are no parts: what comes next, or why there is no count. */
function noteOf(state) {
  if (page.explanation) return page.explanation;
  if (page.waiting) return t("count.no_answer");
  if (page.trouble) return page.trouble;
  if (hand.complete && isPegged(state, page.due)) return countTexts.already(shortName(state, page.due.seat), page.due.crib);
  if (hand.changing !== null) return t("count.change_to", { card: rankWithArticle(hand.slots[hand.changing]) });
  if (page.result && !page.result.parts.length) return zeroText();
  if (page.result || hand.complete) return "";
  if (hand.alone) return t("count.alone");
  return hand.starter && !hand.slots[0] ? t("count.starter_stays") : t(hand.size < STARTER ? "count.three_and_starter" : "count.four_and_starter");
}

function showBody(state) {
  partList.show(page.result?.parts ?? [], hand.slots, page.lit);
  const note = noteOf(state);
  writeById("note", note);
  byId("note").hidden = !note;
  byId("pegged").hidden = !lastLine() || hand.hasCards;
  writeById("pegged-what", page.pegged?.said ?? "");
  writeById("pegged-where", page.pegged?.moved ?? "");
  byId("certificate").hidden = !page.pegged?.certificate;
  set(byId("certificate"), "href", page.pegged?.certificate ?? null);
  const crib = page.result?.flush.code === "crib" && hand.starter;
  byId("explained").hidden = !crib;
  if (crib) writeById("explained-why", countTexts.cribFlush(rankWithArticle(hand.starter)));
  const kinds = page.result?.parts.map(({ kind }) => kind) ?? [];
  linkRules(byId("to-rules"), [...kinds, ...(crib ? ["flush in the crib"] : []), ...(page.result?.points === 0 ? ["zero"] : [])]);
}

function show() {
  const { state } = table;
  showWhose(state);
  showCards();
  showBody(state);
  showFlushes();
  showQuestion("flush", page.result?.flush);
  showQuestion("nobs", page.result?.nobs);
  showRanks();
  showPeg(state);
  disable(byId("say"), page.result ? null : whySilent());
  writeById("say-word", t(voice.isSpeaking ? "count.stop" : "count.say"));
  document.body.classList.toggle("complete", hand.complete && hand.changing === null);
  document.body.classList.toggle("alone", hand.alone);
}

// Wiring.

byId("ranks").prepend(...rankKeys());
byId("ranks").addEventListener("click", ({ target }) => {
  const key = target.closest("button");
  if (key?.dataset.rank) putRank(key.dataset.rank);
});
byId("back").addEventListener("click", takeCardBack);
byId("clear").addEventListener("click", clear);
byId("hand").addEventListener("click", ({ target }) => {
  const place = cards.indexOf(target.closest("button"));
  if (place >= 0) changeCard(place);
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
  if (key) choose(key.value === "crib" ? (table.state.dealer ?? page.due.seat) : page.due.seat, key.value === "crib");
});
byId("peg").addEventListener("click", pegCount);
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
  if (rank) putRank(rank);
  else if (event.key === "Backspace") takeCardBack();
  else if (event.key === "Enter" && !event.target.closest("button, a, summary")) pegCount();
});

restore();
goOn(table.state);
followTable(table, (state, { live }) => {
  goOn(state);
  sideBoard.show({ live });
  show();
});
pegs.begin();
if (hand.complete) recount();
