// Tablet page: lies flat between the players, with a half for each lane, the board in the middle, and one command
// queue.

import { boardModel, BoardView } from "../board/board_view.js";
import { lanesClass, mark, ScoreTile } from "../board/shapes.js";
import { byId, handleMultitouch, html, readStorage, set, t, translate, write, writeStorage } from "../lib/browser.js";
import "../lib/full_screen_and_wake_lock.js";
import { CommandQueue } from "../live/command_queue.js";
import { firstState, followTable, Role, TableStream, withNoticeWords } from "../live/table_stream.js";
import { boardText, hintText, laneName, laneShortName } from "../words/state.js";
import { followKeyboard, Pad, waitingPegs } from "./pad.js";
import { DealCourse, namesKey, unpairKey } from "./status_more_dialog_and_game_over.js";

// Seen from the near side, the third half is left of the second, and the fourth left of the near one.
const SIDES = ["near-", "far-", "third-", "fourth-"];
const STORAGE_KEYS = { near: "pegboard.near", upright: "pegboard.upright" };
// As in the style sheet: no room for streets, or for two far halves.
const FLAT = matchMedia("(max-height: 619px), (max-width: 619px), (min-aspect-ratio: 1) and (max-width: 803px)");
const NARROW = matchMedia("(max-width: 619px), (min-aspect-ratio: 1) and (max-width: 1139px)");
const QUARTERS = matchMedia("(min-aspect-ratio: 1) and (min-width: 1140px) and (min-height: 700px), (max-aspect-ratio: 1) and (min-width: 820px) and (min-height: 960px)");
const LOW = 170; // px: four lanes of streets need more

const table = new TableStream(firstState());
const role = new Role();
const boardView = new BoardView(byId("slab"), { straight: () => FLAT.matches || (isOfFour() && byId("slab").clientHeight < LOW), bothWays: () => table.state.lanes.length > 1 });
const queue = new CommandQueue(table, {
  changed: () => show(),
  question: (item) => halfOf(item).pad.askNext(),
  refused: (sentence, item, problem) => halfOf(item).pad.showRefusal(sentence, item, problem),
  stored: (item) => halfOf(item).pad.status.showStored(item),
  unpaired: () => role.becomeViewer(),
});
let near = Number(readStorage(STORAGE_KEYS.near) ?? 0); // the lane at the near side
let across = 1; // the place of the far half, if there is room for only one
let upright = readStorage(STORAGE_KEYS.upright) === true; // whether the far side is not turned around

/** The lane on a side: near, then around the table. */
const laneAt = (side) => (near + side) % table.state.lanes.length;

const isOfFour = () => table.state.lanes.length > 3;

/** Whether there is room for only one far half: with three lanes on a narrow screen, with four if quarters are too small. */
const isOneAcross = () => (isOfFour() ? !QUARTERS.matches : table.state.lanes.length === 3 && NARROW.matches);

const inUse = () => halves.slice(0, table.state.lanes.length);

/** The half where a tap was made, or that of its lane. */
const halfOf = (item) => inUse().find(({ side }) => side === item?.side) ?? inUse().find(({ lane }) => lane === item?.lane) ?? halves[0];

class Half {
  place;
  #tile = null;
  #others = [];
  #built = "";

  constructor(side, place) {
    this.side = side;
    this.place = place;
    this.node = byId(`${side}half`);
    this.pad = new Pad({
      table, queue, role, side,
      whose: this,
      during: ["keys"],
      mine: (item) => halfOf(item) === this,
      more: (pad) => [...seatKeys(), ...namesKey(table, role, pad.status, side), ...unpairKey(role, pad.status)],
      also: { screen: () => byId("screen").click() },
    });
  }

  get lane() {
    return laneAt(this.place);
  }

  /** A half belongs to a lane, not a seat; partners share it. */
  get seat() {
    return null;
  }

  get scoring() {
    const own = table.state.seats.flatMap((seat, i) => (seat.lane === this.lane ? [i] : []));
    return own.length === 1 ? own[0] : null;
  }

  #build() {
    const lanes = table.state.lanes.length;
    const key = [this.lane, lanes].join();
    if (key === this.#built) return;
    this.#built = key;
    this.#tile = new ScoreTile(this.lane, "mine");
    const others = Array.from({ length: lanes - 1 }, (_, i) => (this.lane + i + 1) % lanes);
    this.#others = others.map((lane) => [lane, html("span.name", { dir: "auto" }), html("b")]);
    byId(`${this.side}score`).replaceChildren(this.#tile.node);
    byId(`${this.side}others`).replaceChildren(...this.#others.map(([lane, name, points]) => html("p.rival", {}, mark(lane), name, points)));
  }

  show() {
    const { state } = table;
    this.#build();
    this.#tile.show(state, [this.pad.noteOf(this.lane)]);
    for (const [lane, name, points] of this.#others) {
      write(name, laneName(state, lane));
      set(name, "title", laneName(state, lane));
      write(points, `${state.lanes[lane].front}`);
    }
    this.pad.show();
  }
}

const halves = SIDES.map((side, place) => new Half(side, place));

const nearId = (name) => byId(`near-${name}`);
const course = new DealCourse(byId("course"), { table, role, here: nearId, send: (body, seen) => halves[0].pad.send(body, null, undefined, seen) });

// Where the players sit.

function seatKeys() {
  const { lanes } = table.state;
  if (lanes.length === 1) return [];
  const swap = html("button.key", { value: "swap" }, t("tablet.swap"));
  const turn = html("button.key", { value: "turn" }, t(upright ? "tablet.turn_round" : "tablet.turn_upright"));
  const away = isOneAcross() ? inUse().filter(({ place }) => isAway(place)) : [];
  const bring = away.map(({ place, lane }) =>
    [html("button.key", { value: `bring-${place}` }, t("tablet.bring", { name: laneShortName(table.state, lane) })), () => bringAcross(place)]);
  return [...bring, [swap, swapSides], [turn, turnFar]];
}

const isAway = (place) => place > 0 && place !== across;

function bringAcross(place) {
  across = place;
  show();
}

function swapSides() {
  near = (near + 1) % table.state.lanes.length;
  writeStorage(STORAGE_KEYS.near, near);
  show();
}

function turnFar() {
  upright = !upright;
  writeStorage(STORAGE_KEYS.upright, upright);
  show();
}

// Drawing.

function show({ live = false } = {}) {
  const { state } = table;
  const lanes = state.lanes.length;
  near = Math.min(near, lanes - 1);
  across = Math.min(across, Math.max(1, lanes - 1));
  document.body.classList.toggle("upright", upright);
  document.body.classList.toggle("looking", !role.mayScore);
  const isOne = isOneAcross();
  byId("halves").className = isOfFour() && isOne ? "of2 one-across" : lanesClass(state);
  for (const { node, place } of halves) {
    node.hidden = place >= lanes || (isOne && isAway(place));
    node.classList.toggle("compact", lanes === 3 ? place > 0 : isOfFour() && !isOne);
    node.classList.toggle("turned", place > 0 && (place < 3 || isOne));
  }
  write(byId("hint"), hintText(state, null, { keys: role.mayScore }));
  course.show();
  for (const half of inUse()) half.show();
  byId("slab").setAttribute("aria-label", boardText(state));
  boardView.show(boardModel(state, waitingPegs(queue, state)), { live });
}

// Wiring.

followKeyboard(halves[0].pad, {
  typed: () => show(),
  closed: () => document.querySelector("dialog[open]") !== null || table.state.game.over,
});

handleMultitouch();
for (const room of [FLAT, NARROW, QUARTERS]) room.addEventListener("change", () => show());
role.follow(() => {
  show();
  if (role.mayScore) queue.resume();
});

followTable(table, (state, { before, live, said }) => {
  for (const { pad } of halves) {
    if (said) pad.status.clearOld();
    if (state.game.id !== before.game.id || state.game.over !== before.game.over) pad.closeDialogs();
  }
  if (state.notice !== before.notice) withNoticeWords(() => halves[0].pad.status.showRefusal(state.notice && translate(state.notice_message, state.notice)));
  show({ live });
});
table.on("link", (link) => link === "live" && queue.retryNow());
queue.pump();
