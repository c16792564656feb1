// The phone: a score pad for the one who holds it, or for everybody at the table.

import { byId, html, write } from "./element.js";
import { gamesWon } from "./games.js";
import { recall, remember } from "./memory.js";
import { mark } from "./pegs.js";
import { pictureOf } from "./picture.js";
import { Queue } from "./queue.js";
import { ask, rise } from "./sheets.js";
import { Slab } from "./slab.js";
import { refuse, Strip } from "./strip.js";
import { firstState, Table } from "./table.js";
import { Tile } from "./tile.js";
import { whyOf } from "./why.js";
import * as words from "./words.js";

const PRESSED = 400; // ms a pressed key keeps the lane's colour
const SHELF = "pegboard.holder";
const SHORT = matchMedia("(max-height: 739px)");
const MUGGINS_PLAYED = new Set(); // no variant of this table plays it yet

const mayScore = !document.body.classList.contains("looking");
const table = new Table(firstState());
const slab = new Slab(byId("slab"), { straight: () => SHORT.matches });

const queue = new Queue(table, {
  changed: () => show(),
  question: () => askNext(),
  refused: (item, sentence) => strip.refused(sentence ?? words.unreadable),
});
const strip = new Strip(table, queue);

// Who holds the phone: a seat, or everybody; then the tapped lane is the one that scores.

let holder = null; // {seat, name}; seat null = everybody
let chosen = 0; // the lane that scores when everybody holds the phone

const lanes = () => table.state.lanes.map((_, lane) => lane);
const seatOf = (lane) => {
  const seats = table.state.seats.flatMap((seat, i) => (seat.lane === lane ? [i] : []));
  return seats.length === 1 ? seats[0] : null;
};

const holdsSeat = () => (holder && holder.seat !== null ? holder.seat : null);
const mine = () => (holdsSeat() === null ? Math.min(chosen, table.state.lanes.length - 1) : table.state.seats[holdsSeat()].lane);

/** Whether a holder still fits the table: everybody does, a seat as long as the same name sits in it. */
const sits = (known, { seats }) => known !== null && (known.seat === null || seats[known.seat]?.name === known.name);

function knownHolder() {
  const { seats } = table.state;
  if (seats.length === 1) return { seat: 0, name: seats[0].name };
  const known = recall(SHELF);
  return sits(known, table.state) ? known : null;
}

function askHolder() {
  const { seats } = table.state;
  const choices = seats.map((seat, i) => choice(`${i}`, mark(seat.lane), seat.name, ""));
  const all = choice("all", null, words.holder.all(seats.length), words.holder.allWhy);
  byId("holders").replaceChildren(...choices, all);
  rise(byId("holder"), "all", (value) => {
    const seat = value === "all" ? null : Number(value);
    holder = { seat, name: seat === null ? null : table.state.seats[seat].name };
    remember(SHELF, holder);
    show();
  });
}

const choice = (value, sign, name, then) =>
  html("button", { class: "key wide", value }, sign, html("b", { dir: "auto" }, name), html("span", {}, then));

// Taps.

function score({ points, why, label }) {
  const { state } = table;
  const lane = mine();
  const seat = holdsSeat() ?? seatOf(lane);
  const reason = why ?? whyOf(state, seat ?? state.seats.findIndex((one) => one.lane === lane), points);
  const body = { game: state.game.id, do: "score", ...(seat === null ? { lane } : { seat }), points, ...(reason ? { why: reason } : {}) };
  send(body, lane, label);
}

/** Queue a command; `label` is the word of the key, for the strip. */
function send(body, lane, label) {
  strip.past();
  if (!queue.tap(body, lane, label)) strip.refused(words.queueFull);
}

function press(key) {
  key.classList.add("pressed", `l${mine()}`);
  setTimeout(() => key.classList.remove("pressed", "l0", "l1", "l2"), PRESSED);
}

const pointsOf = ({ dataset }) => ({ points: Number(dataset.points), why: dataset.why, label: dataset.label });

function tapped(event) {
  const key = event.target.closest("button");
  if (!key) return;
  if (key.dataset.reason) return strip.explain(key.dataset.reason);
  if (key.dataset.points === undefined) return;
  press(key);
  score(pointsOf(key));
}

function correct(what) {
  const { state } = table;
  const id = what === "undo" ? strip.undoable?.id : state.redo;
  if (!id) return;
  const line = state.entries.find((entry) => entry.id === id);
  send({ game: state.game.id, do: what, entry: id }, line?.lane ?? null);
}

function nextGame() {
  const { game, seats } = table.state;
  const players = seats.map((seat) => seat.name);
  send({ do: "start", variant: game.variant, players, ...(game.dealer_next === null ? {} : { dealer: game.dealer_next }) }, null);
}

const deal = (dealer) =>
  send({ game: table.state.game.id, do: "deal", ...(dealer === undefined ? {} : { dealer }) }, null);

// The sheet behind More.

function openMore() {
  const { state } = table;
  write(byId("more-title"), words.keysFor(state, mine()));
  write(byId("more-reason"), "");
  byId("more-holder").replaceChildren(html("span", {}, words.holder.is(state, holdsSeat())), html("b", {}, words.holder.change));
  byId("more-deal").replaceChildren(...dealKeys(state));
  rise(byId("more-sheet"), "close", (value, key) => {
    if (value === "points") score(pointsOf(key));
    if (value === "deal") deal(key.dataset.dealer === undefined ? undefined : Number(key.dataset.dealer));
    if (value === "holder") askHolder();
  });
}

/** Before the first card and where the phase is not known, the dealer is chosen; else the deal goes round. */
function dealKeys(state) {
  const { seats, dealer, game } = state;
  const open = game.phase === "cut" || game.phase === "unknown";
  if (!open) {
    const next = (dealer + 1) % seats.length;
    return [html("button", { class: "key wide", value: "deal" }, html("b", {}, "Next deal"), html("span", {}, words.deals(state, next)))];
  }
  return seats.map((_, seat) => {
    const has = game.phase === "cut" && seat === dealer;
    const key = html("button", { class: "key", value: "deal", "data-dealer": seat, type: has ? "button" : "submit" }, words.deals(state, seat));
    if (has) refuse(key, words.alreadyDeals(state, seat));
    return key;
  });
}

byId("more-sheet").addEventListener("click", (event) => {
  const reason = event.target.closest("button")?.dataset.reason;
  if (!reason) return;
  event.preventDefault();
  write(byId("more-reason"), reason);
}, true);

// Questions of the table, one at a time.

let asking = null;

function askNext() {
  const item = queue.items.find((one) => one.held);
  if (!item || asking || byId("holder").open) return;
  if (byId("more-sheet").open) byId("more-sheet").close("close");
  asking = item;
  ask(questionOf(item), (yes) => {
    asking = null;
    if (yes) queue.yes(item);
    else queue.drop(item);
    askNext();
  });
}

function questionOf(item) {
  const { kind, state, entries } = item.held;
  const when = (entry) => words.ago(table.since(entry.at), entry.at);
  return kind === "moved" ? words.movedQuestion(state, item, entries, when) : words.oldQuestion(table.state, item);
}

// Drawing.

let tiles = [];
let tiled = "";

/** My tile first and large, the others beside it; built anew when another lane is mine. */
function tileUp() {
  const all = holdsSeat() === null;
  const key = [mine(), table.state.lanes.length, all].join();
  if (key === tiled) return;
  tiled = key;
  const others = lanes().filter((lane) => lane !== mine());
  const pick = (lane) => () => {
    chosen = lane;
    show();
    byId("scores").querySelector("button")?.focus({ preventScroll: true });
  };
  tiles = [[mine(), new Tile(mine(), "mine")], ...others.map((lane) => [lane, new Tile(lane, "other", all && mayScore ? pick(lane) : null)])];
  const side = html("div", { class: "others" }, ...tiles.slice(1).map(([, tile]) => tile.node));
  byId("scores").replaceChildren(tiles[0][1].node, ...(others.length ? [side] : []));
  byId("scores").className = `scores of${table.state.lanes.length}`;
}

/** Points that wait for a lane. */
const waitingOn = (lane) =>
  queue.stuck(lane).filter(({ body }) => body.do === "score").reduce((sum, { body }) => sum + body.points, 0);

function notesOf(lane) {
  const { state } = table;
  const { dialled } = state.lanes[lane];
  const points = waitingOn(lane);
  if (points) return [["waits", words.waiting(points)]];
  if (dialled) return [[`chip l${lane}`, words.dialled(dialled)]];
  const risk = words.danger(state, lane);
  if (!risk) return [["", words.toGo(state, lane)]];
  return [["risk", state.lanes.length > 2 ? words.dangerHole(risk) : words.dangerShort(risk)]];
}

function reasonFor(state) {
  if (!mayScore) return words.notPaired;
  return state.game.over ? words.gameOver : null;
}

function showKeys(state) {
  const reason = reasonFor(state);
  const muggins = MUGGINS_PLAYED.has(state.game.variant) ? null : words.noMuggins;
  for (const key of document.querySelectorAll("[data-points]")) refuse(key, reason);
  for (const key of document.querySelectorAll("[data-refused=muggins]")) refuse(key, reason ?? muggins);
  refuse(byId("undo"), mayScore ? (strip.undoable ? null : words.noUndo) : words.notPaired);
  refuse(byId("redo"), mayScore ? (state.redo ? null : words.noRedo) : words.notPaired);
  refuse(byId("next-game"), mayScore ? null : words.notPaired);
  refuse(byId("undo-win"), mayScore ? null : words.notPaired);
  byId("keys").setAttribute("aria-label", words.keysFor(state, mine()));
}

function showEnd(state) {
  const { over, winner } = state.game;
  document.body.classList.toggle("over", over);
  for (const id of ["won", "games", "after"]) byId(id).hidden = !over;
  for (const id of ["scores", "keys", "strip"]) byId(id).hidden = over;
  if (!over) return;
  const { bold, rest } = words.ending(state);
  byId("won-mark").replaceChildren(...(winner === null ? [] : [mark(winner, "large")]));
  write(byId("won-title"), words.result(state));
  write(byId("won-bold"), bold);
  write(byId("won-rest"), rest);
  byId("won-scores").replaceChildren(...finals(state));
  byId("games").hidden = state.lanes.length === 1;
  byId("games-row").replaceChildren(...gamesWon(state));
  write(byId("next-dealer"), words.dealsFirst(state));
  write(byId("undo-win-word"), words.undoOf(state, strip.undoable));
}

/** The winner's number large, the others' beside it with their names. */
function finals(state) {
  const first = state.game.winner ?? 0;
  const losers = lanes().filter((lane) => lane !== first);
  const loser = (lane) => html("p", { class: "final" },
    html("span", { class: "name", dir: "auto" }, words.laneName(state, lane)), mark(lane), html("b", {}, `${state.lanes[lane].front}`));
  return [html("p", { class: "hero" }, `${state.lanes[first].front}`), html("div", {}, ...losers.map(loser))];
}

function waitingPegs() {
  return lanes().filter((lane) => waitingOn(lane)).map((lane) => ({ lane, to: table.state.lanes[lane].front + waitingOn(lane) }));
}

function show({ live = false } = {}) {
  const { state } = table;
  write(byId("hint"), words.phase(state, holdsSeat() ?? seatOf(mine())));
  tileUp();
  for (const [lane, tile] of tiles) tile.show(state, notesOf(lane));
  showKeys(state);
  showEnd(state);
  strip.show();
  byId("slab").setAttribute("aria-label", words.spokenBoard(state));
  slab.show(pictureOf(state, waitingPegs()), { live });
}

function showLink(link) {
  write(byId("link"), words.link[link]);
  byId("link").parentElement.className = `link ${link}`;
}

// Wiring.

table.on("state", (state, { before, live }) => {
  const said = live && words.spoken(before, state);
  if (said) write(byId("said"), said);
  if (said && state.revision > before.revision) strip.past();
  if (state.notice !== before.notice) strip.refused(state.notice);
  if (holder && !sits(holder, state)) holder = knownHolder();
  show({ live });
});
table.on("link", (link) => {
  showLink(link);
  if (link === "live") queue.hurry();
});

byId("keys").addEventListener("click", tapped);
byId("more").addEventListener("click", openMore);
byId("undo").addEventListener("click", (event) => (event.currentTarget.dataset.reason ? tapped(event) : correct("undo")));
byId("redo").addEventListener("click", (event) => (event.currentTarget.dataset.reason ? tapped(event) : correct("redo")));
byId("undo-win").addEventListener("click", () => mayScore && correct("undo"));
byId("next-game").addEventListener("click", () => mayScore && nextGame());
SHORT.addEventListener("change", () => show());

holder = knownHolder();
show();
table.open();
queue.pump();
if (!holder && mayScore) askHolder();
