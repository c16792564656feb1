// Counting the play: every card as it is laid, the count to thirty-one, go and last card, and the pegs for everybody.

import { called, face, isTyped, rankKeys, rankOf } from "../count/card.js";
import { Asking } from "../count/request.js";
import { Pegs } from "../count/pegging.js";
import { isHeard, speak } from "../count/voice.js";
import { Side } from "../count/side_board.js";
import { byId, html, refuse, say, set, write } from "../lib/dom.js";
import { follow } from "../live/page.js";
import { recall, remember } from "../lib/storage.js";
import { mark } from "../board/pegs.js";
import { Shelf } from "./saved.js";
import * as saidOf from "./words.js";
import { linkRules } from "../count/linked_rules.js";
import { lineOf } from "../words/entries.js";
import { firstState, Table } from "../live/table_stream.js";
import { asSentence, t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const AT_ONCE = "pegboard.play.at_once";
const GO = "go";
const THREE_CARDS = 3;
const BARE = { count: 0, turn: null, held: [], gone: [], points: [], may_go: false, closed: [], over: false, steps: [] };

const table = new Table(firstState());
const shelf = new Shelf(table.state);
const side = new Side(table);

let play = null; // as the table has answered
let coming = null; // a card or go that is being asked about
let ahead = []; // what was tapped meanwhile
let undoing = null; // the tap that takes the newest card's points back
let waiting = false;
let explained = "";

const pegs = new Pegs(table, {
  changed: () => show(),
  stored(id, { entry }) {
    shelf.settled(id, entry);
    shelf.showed(id, entry);
    if (id === undoing) takenBack();
    show();
  },
  lost(id) {
    if (id === undoing) undoing = null;
    shelf.settled(id, null);
    show();
  },
});
const asking = new Asking({
  answered(values) {
    play = values;
    explained = "";
    if (coming) laid(values.steps.at(-1));
    if (ahead.length) lay(ahead.shift());
    show();
  },
  refused(sentence) {
    coming = null;
    ahead = [];
    explain(asSentence(sentence));
    if (!play) startAnew();
  },
  waiting(whether) {
    waiting = whether;
    show();
  },
});

// The play.

const players = () => table.state.seats.length;

/** Why there is nothing to play at this table; null where there is. */
const whyNoPlay = () => (players() < 2 ? t("play.solitaire") : null);

function ask() {
  if (whyNoPlay()) return;
  const { rules } = table.state.game;
  const laid = coming ? [...shelf.acts, coming] : shelf.acts;
  const held = rules.pegging_only ? THREE_CARDS : null;
  asking.ask("/api/v1/play", { players: players(), dealer: shelf.dealer, held, laid: laid.join() });
}

const isAwaited = () => coming || !(play || whyNoPlay());

function lay(act) {
  if (isAwaited()) return ahead.push(act);
  const closed = whyClosed(act);
  if (closed) {
    ahead = [];
    return explain(closed);
  }
  coming = act;
  explained = "";
  ask();
  show();
}

/** Why this card, or a go, cannot be laid now; null where it can. */
function whyClosed(act) {
  if (whyNoPlay()) return whyNoPlay();
  if (undoing) return t("play.waiting");
  if (act === GO) return play.may_go ? null : t(play.over ? "play.closed_over" : "play.no_go", { count: play.count });
  const closed = play.closed.find(({ rank }) => rank === act);
  return closed ? saidOf.closedRank(closed, play) : null;
}

/** A card has been laid, or a go said: it is remembered, said, and pegged. */
function laid(step) {
  shelf.lay(coming);
  coming = null;
  say("counted", saidOf.stepAloud(table.state, step));
  if (isHeard()) speak(saidOf.stepSaid(step));
  if (!atOnce() || pegs.closed) return;
  if (step.points) peg(step);
  if (play.over) shelf.shows(pegs.show());
}

const isCard = ({ kind }) => kind !== "go" && kind !== "last card";

/** A card that makes thirty-one ends the count, whatever else it scores. */
const reasonOf = ({ parts }) => (parts.some(({ kind }) => kind === "thirty-one") ? "thirty-one" : parts.some(isCard) ? "play" : "go");

function peg(step) {
  const tap = pegs.score(step.to, step.points, reasonOf(step));
  if (tap) shelf.tapped(tap);
}

const atOnce = () => recall(AT_ONCE) !== false;

// Taking back.

const newest = () => shelf.acts.length - 1;

/** Why the newest card cannot be taken back; null where it can. */
function whyKept() {
  if (whyNoPlay()) return whyNoPlay();
  if (!shelf.acts.length) return t("play.nothing_laid");
  const { tap, entry } = shelf.pegged(newest());
  if (!play || coming || undoing || (tap && !entry && pegs.waits(tap))) return t("play.waiting");
  return null;
}

/** The line that the newest card has pegged, where it still stands. */
function lineOfNewest() {
  const { tap, entry } = shelf.pegged(newest());
  const line = entry ? lineOf(table.state, entry) : (tap && likeliest(play.steps[newest()]));
  return line?.stands ? line : null;
}

/** The newest line that says what a card has scored, where another page has stored its tap. */
const likeliest = ({ to, points }) =>
  table.state.entries.find((entry) => entry.stands && entry.do === "score" && entry.seat === to && entry.points === points);

function takeBack() {
  const kept = whyKept();
  if (kept) return explain(kept);
  const line = lineOfNewest();
  if (!line) return takenBack();
  pegs.ask(saidOf.takeBackQuestion(table.state, play.steps[newest()], line), (yes) => {
    if (yes) undoing = pegs.takeBack(line) || null;
    show();
  });
}

/** What said that the play is over goes with its last card. */
function playOn() {
  const line = shelf.show && lineOf(table.state, shelf.show.entry);
  if (line?.stands) pegs.takeBack(line);
  shelf.shows(null);
}

function takenBack() {
  undoing = null;
  explained = "";
  playOn();
  shelf.takeBack();
  ask();
  show();
}

function startAnew() {
  shelf.begin(table.state);
  play = null;
  coming = undoing = null;
  ahead = [];
  ask();
}

function explain(reason) {
  explained = reason;
  show();
}

// Drawing.

const now = () => play ?? BARE;

function showSeats(state) {
  const { turn, held, points, gone } = now();
  const tiles = state.seats.map(({ name, lane }, seat) => {
    const tile = html(`div.sitting${seat === turn ? ".turn" : ""}`, { "aria-current": seat === turn ? "true" : null });
    const deals = seat === shelf.dealer ? html("b.d", { title: t("play.dealer") }, "D") : null;
    const who = html("p.who", mark(lane), html("span.name", { dir: "auto", title: name }, name), deals);
    const pegged = html("p.at", html("b", `${state.lanes[lane].front}`), html("span", points[seat] ? ` +${points[seat]}` : ""));
    const left = gone.includes(seat) ? t("play.go") : play ? saidOf.held(held[seat]) : "";
    tile.append(who, pegged, html("p.left", left));
    return tile;
  });
  byId("seats").replaceChildren(...tiles);
  byId("seats").className = `sitters of${tiles.length}`;
}

/** The steps of the count that is running, or of the one that has just ended. */
function pile() {
  const { steps } = now();
  const ended = steps.slice(0, -1).findLastIndex(({ anew }) => anew);
  return steps.map((step, place) => ({ step, place })).slice(ended + 1).filter(({ step }) => step.act !== GO);
}

function showPile(state) {
  const last = now().steps.at(-1);
  const scoring = new Set(last?.parts.flatMap(({ cards }) => cards));
  const cards = pile().map(({ step: { act, seat }, place }) =>
    html(`li.playing${scoring.has(place) ? ".lit" : ""}`, mark(state.seats[seat].lane), html("b", { "aria-hidden": "true" }, face(act)),
      html("span.unseen", `${words.called(state, seat)}, ${called(act)}`)));
  byId("pile").replaceChildren(...cards);
  byId("pile").classList.toggle("many", cards.length > 6);
}

/** All that was laid, newest first. */
function showLog(state) {
  const { steps } = now();
  const lines = steps.map((step, place) =>
    html(`li${steps[place - 1]?.anew ? ".anew" : ""}`, mark(state.seats[step.seat].lane), html("b", step.act === GO ? t("play.go") : face(step.act)),
      html("span", step.parts.length ? saidOf.stepSaid(step) : ""), html("span.to", whatOf(state, step, place, true) || `${step.count}`)));
  const key = lines.map((line) => line.textContent).join();
  if (byId("log").dataset.key !== key) byId("log").replaceChildren(...lines.reverse());
  byId("log").dataset.key = key;
}

/** After the count has ended it stands until the next card, as it was said. */
const countShown = () => {
  const last = now().steps.at(-1);
  return last?.anew ? last.count : now().count;
};

/** Who has scored what, and whether that is on the board; `brief` where it is seen who laid the card. */
function whatOf(state, step, place, brief = false) {
  if (!step?.points) return "";
  const { tap, entry } = shelf.pegged(place);
  const onBoard = entry ? lineOf(state, entry)?.stands !== false : tap && !pegs.waits(tap);
  const fate = onBoard ? "" : ` · ${t(tap && !entry ? "play.not_yet" : "play.not_pegged")}`;
  return `${brief && step.to === step.seat ? `+${step.points}` : saidOf.gain(state, step)}${fate}`;
}

function showCount(state) {
  const { steps } = now();
  const step = steps.at(-1);
  say("count", `${countShown()}`);
  byId("count").classList.toggle("ended", step?.anew ?? false);
  say("said-now", step ? saidOf.stepSaid(step) : "");
  say("gain", whatOf(state, step, steps.length - 1));
  linkRules(byId("to-rules"), step?.parts.map(({ kind }) => kind) ?? [], { play: true });
}

/** What is to be done now, or why a key does nothing. */
function noteOf(state) {
  const { over, turn, gone, steps } = now();
  if (whyNoPlay()) return whyNoPlay();
  if (explained) return explained;
  if (waiting) return t("count.no_answer");
  if (over) return t("play.over");
  if (turn === null) return "";
  const begins = t("play.begins", { dealer: words.called(state, shelf.dealer), name: words.called(state, turn) });
  if (!steps.length && ["hand", "crib"].includes(state.game.phase)) return t("play.past");
  if (gone.length && gone.length === players() - 1 && steps.at(-1)?.act === GO) return t("play.alone", { name: words.called(state, turn) });
  return steps.length ? saidOf.turn(state, turn) : begins;
}

function showKeys() {
  const closed = new Map(now().closed.map((one) => [one.rank, one]));
  for (const key of byId("ranks").querySelectorAll("[data-rank]")) {
    const why = whyNoPlay() ?? (closed.has(key.dataset.rank) ? saidOf.closedRank(closed.get(key.dataset.rank), now()) : null);
    refuse(key, why);
  }
  refuse(byId("go"), play && !coming ? whyClosed(GO) : whyNoPlay());
  byId("go").classList.toggle("offered", now().may_go);
  refuse(byId("back"), coming ? null : whyKept());
}

function showEnd(state) {
  const { over } = now();
  const next = (shelf.dealer + 1) % players();
  byId("to-count").classList.toggle("solid", over);
  byId("to-count").classList.toggle("key", !over);
  say("to-count-what", over ? t("play.count_hand", { name: words.called(state, next) }) : t("play.to_count"));
  byId("pair").hidden = !pegs.pairing;
  const switched = byId("at-once");
  switched.checked = atOnce() && !pegs.closed;
  switched.disabled = pegs.closed !== null;
  say("at-once-why", pegs.closed ?? "");
}

function show() {
  const { state } = table;
  showSeats(state);
  showPile(state);
  showCount(state);
  showLog(state);
  say("note", noteOf(state));
  showKeys();
  showEnd(state);
}

// Wiring.

byId("ranks").prepend(...rankKeys());
byId("ranks").addEventListener("click", ({ target }) => {
  const key = target.closest("button");
  if (key?.dataset.rank) lay(key.dataset.rank);
});
byId("go").addEventListener("click", () => lay(GO));
byId("back").addEventListener("click", takeBack);
byId("anew").addEventListener("click", startAnew);
byId("at-once").addEventListener("change", ({ target }) => {
  remember(AT_ONCE, target.checked);
  show();
});
document.addEventListener("keydown", (event) => {
  if (!isTyped(event) || event.repeat) return;
  const rank = rankOf(event);
  if (rank) lay(rank);
  else if (event.key.toLowerCase() === "g") lay(GO);
  else if (event.key === "Backspace") takeBack();
});

follow(table, (state, { live }) => {
  if (shelf.isPast(state)) startAnew();
  side.show({ live });
  show();
});
pegs.begin();
ask();
