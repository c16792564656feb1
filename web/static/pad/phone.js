// The phone: a score pad for the one who holds it, or for everybody at the table.

import { Course } from "./deal_course.js";
import { byId, html, say } from "../lib/dom.js";
import { follow } from "../live/page.js";
import { Holder } from "./seat_picker.js";
import { namesKey } from "./names_key.js";
import { Pad, waitingPegs } from "./pad.js";
import { pictureOf } from "../board/board_model.js";
import { Queue } from "../live/command_queue.js";
import { Role } from "../live/role.js";
import { Slab } from "../board/board_view.js";
import { firstState, Table } from "../live/table_stream.js";
import { quote } from "../lib/i18n.js";
import { Tile } from "../board/score_tile.js";
import { hearEveryFinger } from "../lib/multitouch.js";
import { Typing } from "./keyboard.js";
import { unpairKey } from "../live/unpair.js";
import * as words from "../words/words.js";

const SHORT = matchMedia("(max-height: 739px)"); // as in the style sheet: no room for streets

const table = new Table(firstState());
const role = new Role();
const holder = new Holder(table);
const slab = new Slab(byId("slab"), { straight: () => SHORT.matches });
const queue = new Queue(table, {
  changed() {
    const also = goAlong();
    show();
    if (also) quote(byId("said"), [byId("said").textContent, also].filter(Boolean).join(". "));
  },
  question: () => askNext(),
  refused: (sentence, item, problem) => pad.refused(sentence, item, problem),
  stored: (item) => pad.strip.stored(item),
  unpaired: () => role.lost(),
});
const pad = new Pad({ table, queue, role, whose: holder, more: moreKeys });
const course = new Course(byId("course"), { table, role, here: byId, send: (body, seen) => pad.send(body, null, undefined, seen) });
const typing = new Typing({
  peg: (points) => pad.score({ points }),
  press: (what) => pad.correct(what),
  typed: () => show(),
  closed: () => document.querySelector("dialog[open]") !== null || table.state.game.over,
});
pad.typing(() => typing.points);

function moreKeys() {
  const key = html("button.key", { value: "holder", id: "more-holder" },
    html("span", words.holder.is(table.state, holder.seat)), html("b", words.holder.change));
  return [[key, askHolder], ...namesKey(table, role, pad.strip), ...unpairKey(role, pad.strip)];
}

const askHolder = () => holder.ask(() => {
  show();
  askNext();
});

const askNext = () => byId("holder").open || pad.askNext();

// Drawing.

let tiles = []; // [lane, tile], mine first
let tiled = "";

/** My tile first and large, the others beside it. */
function tileUp() {
  const lanes = table.state.lanes.map((_, lane) => lane);
  const choosable = role.mayScore && holder.seat === null;
  const key = [holder.lane, lanes.length, choosable].join();
  if (key === tiled) return;
  tiled = key;
  const others = lanes.filter((lane) => lane !== holder.lane);
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

/** Nothing is typed, dialled or on its way: the keys may be another's from now on. */
const isIdle = () => typing.points === null && !queue.items.length && table.state.lanes.every(({ dialled }) => !dialled);

/** The keys go along with whoever is to count; what is said of it. */
function goAlong() {
  const lane = role.mayScore && isIdle() ? holder.goAlong() : null;
  return lane === null ? "" : words.keysFor(table.state, lane);
}

function show({ live = false } = {}) {
  const { state } = table;
  const shared = role.mayScore && holder.seat === null;
  say("hint", words.hint(state, role.mayScore ? holder.seat : null, { keys: role.mayScore, lane: shared ? holder.lane : null }));
  course.show();
  document.body.classList.toggle("looking", !role.mayScore);
  tileUp();
  for (const [lane, tile] of tiles) tile.show(state, [pad.noteOf(lane)]);
  pad.show();
  byId("slab").setAttribute("aria-label", words.spokenBoard(state));
  slab.show(pictureOf(state, waitingPegs(queue, state)), { live });
}

// Wiring.

hearEveryFinger();
SHORT.addEventListener("change", () => show());
role.follow(() => {
  show();
  if (role.mayScore) queue.paired();
  if (role.mayScore && !holder.known) askHolder();
});

follow(table, (state, { before, live, said }) => {
  if (said) pad.strip.news();
  if (state.notice !== before.notice) pad.strip.refused(state.notice);
  if (state.game.id !== before.game.id || state.game.over !== before.game.over) pad.putAway();
  holder.check();
  const also = goAlong();
  show({ live });
  return also;
});
table.on("link", (link) => link === "live" && queue.hurry());
queue.pump();
if (!holder.known && role.mayScore) askHolder();
