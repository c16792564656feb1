// The phone: a score pad for the one who holds it, or for everybody at the table.

import { byId, html, say } from "./element.js";
import { showEnding } from "./ending.js";
import { follow } from "./follow.js";
import { Holder } from "./holder.js";
import { openMore } from "./more.js";
import { closeMuggins, openMuggins } from "./muggins.js";
import { pictureOf } from "./picture.js";
import { Queue } from "./queue.js";
import { lineOf } from "./sheet.js";
import { ask } from "./sheets.js";
import { Slab } from "./slab.js";
import { refuse, Strip } from "./strip.js";
import { firstState, Table } from "./table.js";
import { Tile } from "./tile.js";
import { whyOf } from "./why.js";
import * as words from "./words.js";

const PRESSED = 400; // ms a pressed key keeps the lane's colour
const SHORT = matchMedia("(max-height: 739px)"); // as in the style sheet: no room for streets

const mayScore = !document.body.classList.contains("looking");
const table = new Table(firstState());
const holder = new Holder(table);
const slab = new Slab(byId("slab"), { straight: () => SHORT.matches });
const queue = new Queue(table, {
  changed: () => show(),
  question: () => askNext(),
  refused: (sentence) => strip.refused(sentence ?? words.unreadable),
});
const strip = new Strip(table, queue);

// Taps.

/** `label` is the word of the key, `seen` the state it was decided on, if not this one. */
function send(body, lane, label, seen) {
  strip.past();
  if (!queue.tap(body, lane, label, seen)) strip.refused(words.queueFull);
}

function score({ points, why, label }) {
  const { state } = table;
  const { lane, scoring } = holder;
  const reason = why ?? whyOf(state, scoring ?? firstIn(lane), points);
  const who = scoring === null ? { lane } : { seat: scoring };
  send({ game: state.game.id, do: "score", ...who, points, why: reason ?? undefined }, lane, label);
}

const pointsOf = ({ dataset }) => ({ points: Number(dataset.points), why: dataset.why, label: dataset.label });

function press(key) {
  key.classList.add("pressed", `l${holder.lane}`);
  setTimeout(() => key.classList.remove("pressed", "l0", "l1", "l2"), PRESSED);
}

function scoreKey(key) {
  if (key.dataset.call) return muggins();
  if (key.dataset.points === undefined) return;
  press(key);
  score(pointsOf(key));
}

const seatsIn = (...lanes) => table.state.seats.flatMap((seat, i) => (lanes.includes(seat.lane) ? [i] : []));

const firstIn = (lane) => seatsIn(lane)[0];

function muggins() {
  const { state } = table;
  const call = (fields) => send({ game: state.game.id, do: "muggins", ...fields }, null, undefined, state);
  openMuggins(state, holder.scoring === null ? seatsIn(holder.lane) : [holder.scoring], call);
}

/** The seats for which this phone can confirm, partners side by side. */
function confirming({ game, seats }) {
  if (holder.seat === null) return game.unconfirmed.flatMap((lane) => seatsIn(lane));
  return game.unconfirmed.includes(seats[holder.seat].lane) ? [holder.seat] : [];
}

function confirm(key) {
  key.focus(); // which not every browser does for a tap
  const { game, lanes } = table.state;
  const result = { winner: game.winner, fronts: lanes.map((lane) => lane.front) };
  send({ game: game.id, do: "confirm", seat: Number(key.dataset.seat), ...result }, null);
}

function correct(what) {
  const { state } = table;
  const id = state[what];
  send({ game: state.game.id, do: what, entry: id }, lineOf(state, id)?.lane ?? null);
}

const deal = (dealer) => send({ game: table.state.game.id, do: "deal", dealer }, null);

function nextGame() {
  const { game, seats } = table.state;
  const dealer = game.dealer_next ?? undefined; // which JSON leaves out
  send({ do: "start", variant: game.variant, players: seats.map((seat) => seat.name), dealer }, null);
}

const askHolder = () => holder.ask(() => {
  show();
  askNext();
});

/** Do what a key is for, or say why it does nothing. */
const whenPressed = (node, act) =>
  node.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (key?.dataset.reason) strip.explain(key.dataset.reason);
    else if (key) act(key);
  });

// Questions of the table, one at a time.

let asking = null;

function askNext() {
  const item = queue.items.find((one) => one.held);
  if (!item || asking || byId("holder").open) return;
  for (const sheet of ["more-sheet", "muggins-sheet"]) if (byId(sheet).open) byId(sheet).close("close");
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
  const changed = (entry) => entry.history?.at(-1)?.at ?? entry.at;
  const when = (entry) => words.ago(table.since(changed(entry)), changed(entry));
  return kind === "moved" ? words.movedQuestion(state, item, entries, when) : words.oldQuestion(table.state, item);
}

// Drawing.

let tiles = []; // [lane, tile], mine first
let tiled = "";

/** My tile first and large, the others beside it. */
function tileUp() {
  const lanes = table.state.lanes.map((_, lane) => lane);
  const key = [holder.lane, lanes.length, holder.seat].join();
  if (key === tiled) return;
  tiled = key;
  const others = lanes.filter((lane) => lane !== holder.lane);
  const choosable = mayScore && holder.seat === null;
  tiles = [
    [holder.lane, new Tile(holder.lane, "mine")],
    ...others.map((lane) => [lane, new Tile(lane, "other", choosable ? () => change(lane) : null)]),
  ];
  const side = html("div.others", ...tiles.slice(1).map(([, tile]) => tile.node));
  byId("scores").replaceChildren(tiles[0][1].node, ...(others.length ? [side] : []));
  byId("scores").className = `scores of${lanes.length}`;
}

/** The other side was tapped: its keys now. */
function change(lane) {
  holder.choose(lane);
  show();
  byId("scores").querySelector("button")?.focus({ preventScroll: true });
}

/** Points that wait for a lane. */
const waitingOn = (lane) =>
  queue.stuck(lane).filter(({ body }) => body.do === "score").reduce((sum, { body }) => sum + body.points, 0);

function noteOf(lane) {
  const { state } = table;
  const { dialled } = state.lanes[lane];
  const points = waitingOn(lane);
  if (points) return ["waits", words.waiting(points)];
  if (dialled) return [`chip l${lane}`, words.dialled(dialled)];
  const risk = words.danger(state, lane);
  if (!risk) return ["", words.toGo(state, lane)];
  return ["risk", state.lanes.length > 2 ? words.dangerHole(risk) : words.dangerShort(risk)];
}

const waitingPegs = ({ lanes }) =>
  lanes.map(({ front }, lane) => ({ lane, to: front + waitingOn(lane) })).filter(({ lane }) => waitingOn(lane));

function showKeys(state) {
  const unpaired = mayScore ? null : words.notPaired;
  const closed = unpaired ?? (state.game.over ? words.gameOver : null);
  const played = state.game.rules.muggins && state.lanes.length > 1;
  for (const key of document.querySelectorAll("[data-points]")) refuse(key, closed);
  for (const key of document.querySelectorAll("[data-call=muggins]")) refuse(key, closed ?? (played ? null : words.noMuggins));
  refuse(byId("undo"), unpaired ?? (state.undo ? null : words.noUndo));
  refuse(byId("redo"), unpaired ?? (state.redo ? null : words.noRedo));
  refuse(byId("next-game"), unpaired);
  refuse(byId("undo-win"), unpaired ?? (state.undo ? null : words.noUndo));
  byId("keys").setAttribute("aria-label", words.keysFor(state, holder.lane));
}

function show({ live = false } = {}) {
  const { state } = table;
  say("hint", words.hint(state, holder.scoring));
  tileUp();
  for (const [lane, tile] of tiles) tile.show(state, [noteOf(lane)]);
  showKeys(state);
  const confirmed = { confirming: confirming(state), mine: holder.seat !== null };
  showEnding(state, strip.undoable, mayScore ? null : words.notPaired, confirmed);
  strip.show();
  byId("slab").setAttribute("aria-label", words.spokenBoard(state));
  slab.show(pictureOf(state, waitingPegs(state)), { live });
}

// Wiring.

whenPressed(byId("keys"), scoreKey);
whenPressed(byId("undo"), () => correct("undo"));
whenPressed(byId("redo"), () => correct("redo"));
whenPressed(byId("undo-win"), () => correct("undo"));
whenPressed(byId("next-game"), nextGame);
whenPressed(byId("confirm"), confirm);
byId("more").addEventListener("click", () =>
  openMore(table.state, holder, { points: (key) => score(pointsOf(key)), muggins, deal, holder: askHolder }));
SHORT.addEventListener("change", () => show());

follow(table, (state, { before, live, said }) => {
  if (said) strip.past();
  if (state.notice !== before.notice) strip.refused(state.notice);
  holder.check();
  closeMuggins(state);
  show({ live });
});
table.on("link", (link) => link === "live" && queue.hurry());
queue.pump();
if (!holder.known && mayScore) askHolder();
