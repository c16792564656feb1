// Phone page: a score pad for the player who holds the phone, or for everyone at the table.

import { boardModel, BoardView } from "../board/board_view.js";
import { lanesClass, mark, ScoreTile } from "../board/shapes.js";
import { byId, fill, handleMultitouch, html, openDialog, quote, readStorage, t, translate, writeById, writeStorage } from "../lib/browser.js";
import { CommandQueue, HOLDER } from "../live/command_queue.js";
import { firstState, followTable, Role, TableStream, withNoticeWords } from "../live/table_stream.js";
import { boardText, dueSeat, hintText, shortName } from "../words/state.js";
import { followKeyboard, keysForText, Pad, waitingPegs } from "./pad.js";
import { DealCourse, namesKey, unpairKey } from "./status_more_dialog_and_game_over.js";

const holderTexts = {
  all: (count) => t(count === 2 ? "words.both" : "words.everybody"),
  allWhy: t("words.tap_to_change"),
  change: t("words.change"),
  is: (state, seat) => (seat === null ? t("words.scores_for_all") : t("words.phone_of", { name: shortName(state, seat) })),
};

const SURELY = 0.7; // if it is less certain who counts next, the keys stay with their lane

/**
 * The holder of the phone, if the people at the table are still those of `known`; else null. A player is identified by
 * name, and within a match by the seat: there a name is corrected, or the phone stays with the seat.
 */
function holderAmong(known, { seats, match }) {
  if (known === null) return null;
  const players = seats.map(({ name }) => name);
  const isSameMatch = known.match === match.id;
  if (known.seat === null) {
    const isForThem = isSameMatch || !known.players || players.every((name) => known.players.includes(name));
    return isForThem ? { seat: null, name: null, players, match: match.id } : null;
  }
  const seat = isSameMatch && known.seat < seats.length ? known.seat : players.indexOf(known.name);
  return seat < 0 ? null : { seat, name: players[seat], match: match.id };
}

/** The player who counts now, and in which deal. */
const countTurn = ({ game }) => [game.id, game.deal, game.phase, game.to_count].join();

const choice = (value, sign, name, then) =>
  html("button.key.wide", { value }, sign, html("b", { dir: "auto" }, name), html("span", then));

class SeatPicker {
  #table;
  #known = null; // {seat, name, match}; seat null = everyone, with the names of all `players`
  #chosen = 0; // the lane that scores while everyone holds the phone
  #due = ""; // the player who counted when that lane was chosen

  constructor(table) {
    this.#table = table;
    this.check();
  }

  get isKnown() {
    return this.#known !== null;
  }

  /** The seat that holds the phone; null for everyone. */
  get seat() {
    return this.#known?.seat ?? null;
  }

  /** The lane that the keys score for. */
  get lane() {
    const { seats, lanes } = this.#table.state;
    return this.seat === null ? Math.min(this.#chosen, lanes.length - 1) : seats[this.seat].lane;
  }

  /** The seat a tap is for; null if everyone holds the phone and partners share the lane. */
  get scoring() {
    if (this.seat !== null) return this.seat;
    const { seats } = this.#table.state;
    const own = seats.flatMap((seat, i) => (seat.lane === this.lane ? [i] : []));
    return own.length === 1 ? own[0] : null;
  }

  /** While everyone holds the phone: score for this lane from now on, until it is another lane's turn to count. */
  choose(lane) {
    this.#chosen = lane;
    this.#due = countTurn(this.#table.state);
  }

  /** While everyone holds the phone: score for the lane that surely counts now; returns it if it has changed. */
  followCount() {
    const { state } = this.#table;
    const [seat, due] = [dueSeat(state), countTurn(state)];
    if (this.seat !== null || seat === null || due === this.#due || state.game.sure < SURELY) return null;
    const before = this.lane;
    this.#due = due;
    this.#chosen = state.seats[seat].lane;
    return this.lane === before ? null : this.lane;
  }

  /** After a new state: check if these are still the same people. */
  check() {
    const { state } = this.#table;
    const stored = readStorage(HOLDER);
    const alone = state.seats.length === 1;
    const known = holderAmong(this.#known, state) ?? (alone ? { seat: 0, name: state.seats[0].name } : holderAmong(stored, state));
    if (known && !alone && stored?.name === (this.#known ?? stored)?.name) this.#store(stored, known);
    this.#known = known;
    if (byId("holder").open) this.#layChoices();
  }

  #store(stored, known) {
    if (JSON.stringify(stored) !== JSON.stringify(known)) writeStorage(HOLDER, known);
  }

  #layChoices() {
    const { seats } = this.#table.state;
    const choices = seats.map((seat, i) => choice(`${i}`, mark(seat.lane), seat.name, ""));
    fill(byId("holders"), ...choices, choice("all", null, holderTexts.all(seats.length), holderTexts.allWhy));
  }

  /** Ask whose points are tapped here; until answered, no key pegs. With `calm`, answers are ignored at first. */
  ask(then, calm = null) {
    if (byId("holder").open) return;
    this.#layChoices();
    openDialog(byId("holder"), "later", (value) => {
      const { seats, match } = this.#table.state;
      const seat = value === "all" ? null : Number(value);
      if (value !== "later") {
        this.#known = { seat, name: seats[seat]?.name ?? null, match: match.id, ...(seat === null ? { players: seats.map(({ name }) => name) } : {}) };
        writeStorage(HOLDER, this.#known);
      }
      then();
    }, calm);
  }
}

// --- the page ---

const SHORT = matchMedia("(max-height: 759px)"); // as in the style sheet: no room for streets; never for those of four lanes

const table = new TableStream(firstState());
const role = new Role();
const holder = new SeatPicker(table);
const boardView = new BoardView(byId("slab"), { straight: () => SHORT.matches || table.state.lanes.length > 3 });
const queue = new CommandQueue(table, {
  changed() {
    const also = followCount();
    show();
    if (also) quote(byId("said"), [byId("said").textContent, also].filter(Boolean).join(". "));
  },
  question: () => askNext(),
  refused: (sentence, item, problem) => pad.showRefusal(sentence, item, problem),
  stored: (item) => pad.status.showStored(item),
  unpaired: () => role.becomeViewer(),
});
const pad = new Pad({ table, queue, role, whose: holder, more: moreKeys, askWhose: () => askHolder() });
const course = new DealCourse(byId("course"), { table, role, here: byId, send: (body, seen) => pad.send(body, null, undefined, seen) });
const typing = followKeyboard(pad, {
  typed: () => show(),
  closed: () => document.querySelector("dialog[open]") !== null || table.state.game.over,
});

function moreKeys() {
  const key = html("button.key", { value: "holder", id: "more-holder" },
    html("span", holderTexts.is(table.state, holder.seat)), html("b", holderTexts.change));
  return [[key, () => askHolder()], ...namesKey(table, role, pad.status), ...unpairKey(role, pad.status)];
}

const askHolder = (calm = null) => holder.ask(() => {
  show();
  askNext();
}, calm);

const askNext = () => byId("holder").open || pad.askNext();

// Drawing.

let tiles = []; // [lane, tile], mine first
let tileKey = "";

/** My tile first and large, the others beside it. */
function layTiles() {
  const lanes = table.state.lanes.map((_, lane) => lane);
  const choosable = role.mayScore && holder.seat === null;
  const key = [holder.lane, lanes.length, choosable].join();
  if (key === tileKey) return;
  tileKey = key;
  const others = lanes.filter((lane) => lane !== holder.lane);
  tiles = [
    [holder.lane, new ScoreTile(holder.lane, "mine")],
    ...others.map((lane) => [lane, new ScoreTile(lane, "other", choosable ? () => change(lane) : null)]),
  ];
  const side = html("div.others", ...tiles.slice(1).map(([, tile]) => tile.node));
  byId("scores").replaceChildren(tiles[0][1].node, ...(others.length ? [side] : []));
  byId("scores").className = `scores ${lanesClass(table.state)}`;
}

/** The other side was tapped: switch the keys to it. */
function change(lane) {
  holder.choose(lane);
  pad.forgetTap();
  show();
  byId("scores").querySelector("button")?.focus({ preventScroll: true });
}

/** Whether nothing is typed, dialed or pending, so that the keys may change lanes. */
const isIdle = () => typing.points === null && !queue.items.length && table.state.lanes.every(({ dialled }) => !dialled);

/** Give the keys to the lane that counts next; returns the announcement. */
function followCount() {
  const lane = role.mayScore && holder.isKnown && isIdle() ? holder.followCount() : null;
  return lane === null ? "" : keysForText(table.state, lane);
}

function show({ live = false } = {}) {
  const { state } = table;
  const shared = role.mayScore && holder.seat === null;
  writeById("hint", hintText(state, role.mayScore ? holder.seat : null, { keys: role.mayScore, lane: shared ? holder.lane : null }));
  course.show();
  document.body.classList.toggle("looking", !role.mayScore);
  layTiles();
  for (const [lane, tile] of tiles) tile.show(state, [pad.noteOf(lane)]);
  pad.show();
  byId("slab").setAttribute("aria-label", boardText(state));
  boardView.show(boardModel(state, waitingPegs(queue, state)), { live });
}

// Wiring.

handleMultitouch();
SHORT.addEventListener("change", () => show());
role.follow(() => {
  show();
  if (role.mayScore) queue.resume();
  if (role.mayScore && !holder.isKnown) askHolder();
});

followTable(table, (state, { before, live, said }) => {
  if (said) pad.status.clearOld();
  if (state.notice !== before.notice) withNoticeWords(() => pad.status.showRefusal(state.notice && translate(state.notice_message, state.notice)));
  if (state.game.id !== before.game.id || state.game.over !== before.game.over) pad.closeDialogs();
  holder.check();
  if (!holder.isKnown && role.mayScore && live) askHolder(() => {});
  const also = followCount();
  show({ live });
  return also;
});
table.on("link", (link) => link === "live" && queue.retryNow());
queue.pump();
if (!holder.isKnown && role.mayScore) askHolder();
