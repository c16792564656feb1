// Board shapes: the geometry of the track for any size, its frame, pegs as SVG, score tiles.

import { html, set, svg, t, write } from "../lib/browser.js";
import { entryNodes, laneName, laneShortName, nameWidth, seatsOf, shortName } from "../words/state.js";

/** A path of straight lines and half turns; `at` gives the place and the left-hand normal at a distance in px. */
export class LanePath {
  #parts = [];
  #x;
  #y;
  length = 0;

  constructor(x, y) {
    this.#x = x;
    this.#y = y;
  }

  line(x, y) {
    const [fromX, fromY] = [this.#x, this.#y];
    const length = Math.hypot(x - fromX, y - fromY);
    const [dx, dy] = length ? [(x - fromX) / length, (y - fromY) / length] : [1, 0];
    this.#add(length, x, y, `L${round(x)} ${round(y)}`, (d) => ({ x: fromX + dx * d, y: fromY + dy * d, nx: dy, ny: -dx }));
  }

  /** Half a turn to the next street; `side` is 1 on the right, -1 on the left, `down` is -1 for a turn upward. */
  turn(radius, side, down = 1) {
    const [cx, cy] = [this.#x, this.#y + down * radius];
    const at = (d) => {
      const [c, s] = [Math.cos(d / radius), Math.sin(d / radius)];
      return { x: cx + side * radius * s, y: cy - down * radius * c, nx: down * s, ny: -side * c };
    };
    const [y, sweep] = [cy + down * radius, side === down ? 1 : 0];
    this.#add(Math.PI * radius, cx, y, `A${round(radius)} ${round(radius)} 0 0 ${sweep} ${round(cx)} ${round(y)}`, at);
  }

  #add(length, x, y, d, at) {
    this.#parts.push({ from: this.length, to: this.length + length, d, at });
    this.length += length;
    [this.#x, this.#y] = [x, y];
  }

  at(distance) {
    const part = this.#parts.find((one) => distance <= one.to) ?? this.#parts.at(-1);
    return part.at(distance - part.from);
  }

  /** SVG path data from one distance to another, the round turns as arcs. */
  path(from, to) {
    const start = this.at(from);
    const end = this.at(to);
    const whole = this.#parts.filter((part) => part.to > from && part.to <= to).map((part) => part.d);
    return `M${round(start.x)} ${round(start.y)}${whole.join("")}L${round(end.x)} ${round(end.y)}`;
  }
}

/** Two decimals are enough for a pixel. */
export const round = (value) => Math.round(value * 100) / 100;

// --- where every hole is ---

export const STREET = 30; // holes in a street
const FIVE = 5;
const FIVES_GAP = 0.48; // of a pitch, between one five and the next

// In lane pitches, for one to four lanes: between streets, and from the edge to the first lane.
const BETWEEN = [2.4, 1.85, 1.5, 1.35];
const EDGE = [1.5, 1.16, 1.12, 1.08];

/**
 * Lay the track into `width` x `height` px.
 *
 * Streets of thirty, turning as on the panel; `straight` lays one straight street per lane instead. The result has, per
 * lane, its `ways` and the distance of every hole on it, and the px of everything drawn.
 */
export const layTrack = (options) => (options.straight ? straightTrack(options) : serpentine(options));

const index = (hole) => (hole - 1) % STREET;
const street = (hole) => Math.floor((hole - 1) / STREET);
export const END_GAP = 0.12; // of a pitch, from the last hole of a street to its turn
export const along = (i, pitch) => i * pitch + Math.floor(i / FIVE) * FIVES_GAP * pitch;

/** Signed distance of a lane from the middle of its lanes. */
const aside = (lane, lanes, pitch) => (lane - (lanes - 1) / 2) * pitch;

function serpentine({ width, height, lanes, gameHole, skunkLines, lurch }) {
  const last = gameHole - 1;
  const streets = street(last) + 1;
  const rows = vertical(width, height, lanes, streets);
  const pegR = Math.min(0.4 * rows.lane, Math.max((0.46 * width) / 39, 5.2));
  const outer = streets > 1 ? rows.between / 2 + (lanes - 1) * rows.lane : 0;
  const { pitch, left } = horizontal(width, pegR, outer, index(last) === STREET - 1 && streets % 2 === 1);
  const ease = END_GAP * pitch;
  const end = left + along(STREET - 1, pitch);
  const middle = (s) => rows.top + s * rows.street;
  const x = (hole) => (street(hole) % 2 ? end - along(index(hole), pitch) : left + along(index(hole), pitch));
  const y = (hole, lane) => middle(street(hole)) + (street(hole) % 2 ? -1 : 1) * aside(lane, lanes, rows.lane);
  const home = homeOf(last, x, middle, pitch);
  const start = Math.max(1.13 * pitch, 2.3 * pegR); // between the two start holes
  const places = { left, end, ease, last, streets, home, pitch, start, x, y };
  const ways = Array.from({ length: lanes }, (_, lane) => serpentineWay(lane, lanes, rows, places));
  return {
    width, height, lanes, gameHole, ways, home, pitch, pegR,
    straight: false,
    lane: rows.lane,
    holeR: holeRadius(pitch, rows.lane),
    round: rows.between / 2 + (lanes - 1) * rows.lane,
    startBar: { x: left - 0.7 * pitch, y: middle(0), half: aside(lanes - 1, lanes, rows.lane) + 0.31 * rows.lane },
    gates: skunkLines.map((hole, i) => gateAt(hole, i, { ...places, rows, lanes, middle, lurch })),
    numbers: numbers(last, lanes, rows, places, middle),
  };
}

export const holeRadius = (pitch, lane) => Math.min(Math.max(Math.min(0.24 * pitch, 0.257 * lane), 2.3), 0.3 * pitch, 0.4 * lane);

/** How the height is divided; a two-street track does not spread its lanes to fill the board. */
function vertical(width, height, lanes, streets) {
  const [between, edge] = [BETWEEN[lanes - 1], EDGE[lanes - 1]];
  const units = streets * (lanes - 1) + (streets - 1) * between + 2 * edge;
  const lane = Math.min(height / units, (1.6 * width) / 40);
  const free = height - streets * (lanes - 1) * lane - 2 * edge * lane;
  const gap = streets > 1 ? Math.min(free / (streets - 1), 2.6 * lane) : 0;
  const step = gap + (lanes - 1) * lane;
  return { lane, between: gap, street: step, top: (height - (streets - 1) * step) / 2 };
}

/** The largest pitch at which everything fits side by side. */
function horizontal(width, pegR, outer, homeAtTheRight) {
  const holes = along(STREET - 1, 1);
  const right = homeAtTheRight ? { pitches: 2.2, px: Math.max(pegR, outer) } : { pitches: 0.9, px: outer };
  const free = width - right.px - 5;
  const pitch = Math.min((free - pegR) / (3.45 + holes + right.pitches), (free - outer) / (1.15 + holes + right.pitches));
  return { pitch, left: Math.max(3.45 * pitch + pegR, outer + 1.15 * pitch) + 2 };
}

/** The game hole: beyond the last hole, between the lanes. */
function homeOf(last, x, middle, pitch) {
  const way = street(last) % 2 ? -1 : 1;
  const beyond = index(last) === STREET - 1 ? 1.9 : 1.6;
  return { x: x(last) + way * beyond * pitch, y: middle(street(last)) };
}

/** From the two start holes through every street into the game hole. */
function serpentineWay(lane, lanes, rows, { left, end, ease, last, streets, home, pitch, start, x, y }) {
  const back = 1.4 * pitch + start;
  const way = new LanePath(left - back, y(1, lane));
  const at = [];
  for (let s = 0; s < streets; s += 1) {
    const first = s * STREET + 1;
    const side = s % 2 ? -1 : 1;
    const begin = way.length + (s ? 0 : back);
    const final = Math.min(last, first + STREET - 1);
    for (let hole = first; hole <= final; hole += 1) at[hole] = begin + Math.abs(x(hole) - x(first));
    way.line(x(final) + (s < streets - 1 ? side * ease : 0), y(final, lane));
    if (s < streets - 1) {
      way.turn(rows.street / 2 - side * aside(lane, lanes, rows.lane), side);
      way.line(side > 0 ? end : left, y(final + 1, lane));
    }
  }
  way.line(home.x, home.y);
  at[0] = start;
  at[last + 1] = way.length;
  return { way, at, outside: lane < (lanes - 1) / 2 || lanes === 1 ? 1 : -1 };
}

/** A skunk gate after its hole: across the turn, if there is one, else across the street. */
function gateAt(hole, nth, { rows, lanes, middle, left, end, last, pitch, x, lurch }) {
  const word = t(`words.skunk_${lurch ? "lurch" : Math.min(nth + 1, 3)}`);
  const over = 0.3 * rows.lane;
  const spread = (lanes - 1) * rows.lane;
  if (index(hole) !== STREET - 1 || hole >= last) {
    const at = (x(hole) + x(hole + 1)) / 2;
    const mid = middle(street(hole));
    return {
      word, x1: at, x2: at, y1: mid - spread / 2 - over, y2: mid + spread / 2 + over,
      wordX: at, wordY: mid + spread / 2 + rows.between / 2, anchor: "middle",
    };
  }
  const side = street(hole) % 2 ? -1 : 1;
  const from = (side > 0 ? end : left) + side * END_GAP * pitch;
  const y = middle(street(hole)) + rows.street / 2;
  const inner = rows.between / 2;
  return {
    word, y1: y, y2: y, x1: from + side * (inner - over), x2: from + side * (inner + spread + over),
    wordX: side > 0 ? end - 0.25 * pitch : left + 0.05 * pitch, wordY: y, anchor: side > 0 ? "end" : "start",
  };
}

/** Every tenth hole, numbered between the lanes. */
function numbers(last, lanes, rows, { x }, middle) {
  return Array.from({ length: Math.floor(last / 10) }, (_, i) => {
    const hole = 10 * (i + 1);
    const sign = street(hole) % 2 ? -1 : 1;
    const offset = lanes > 1 ? aside(0.5, lanes, rows.lane) : 0.62 * rows.lane;
    return { hole, x: x(hole), y: middle(street(hole)) + sign * offset };
  });
}

/** One straight street per lane, if there is no room for more. */
function straightTrack({ width, height, lanes, gameHole, skunkLines }) {
  const last = gameHole - 1;
  const lane = Math.min(height / (lanes + 0.7), 26);
  const pegR = Math.min(0.28 * lane + 0.2, 6.4);
  const left = 2.9 * pegR + 8;
  const right = 2.2 * pegR + 8;
  const pitch = (width - left - right) / (last - 1);
  const home = { x: width - 2 * pegR - 2, y: height / 2 };
  const ways = Array.from({ length: lanes }, (_, i) => {
    const y = height / 2 + aside(i, lanes, lane);
    const way = new LanePath(left - 2.9 * pegR, y);
    way.line(left + (last - 1) * pitch, y);
    way.line(home.x, home.y);
    const at = [1.45 * pegR];
    for (let hole = 1; hole <= last; hole += 1) at[hole] = 2.9 * pegR + (hole - 1) * pitch;
    at[last + 1] = way.length;
    return { way, at, outside: i < (lanes - 1) / 2 || lanes === 1 ? 1 : -1 };
  });
  const half = aside(lanes - 1, lanes, lane) + 0.5 * lane;
  return {
    width, height, lanes, gameHole, ways, home, pitch, pegR, lane,
    straight: true,
    holeR: 1.5,
    round: 0,
    startBar: null,
    gates: skunkLines.map((hole) => {
      const x = left + (hole - 0.5) * pitch;
      return { word: "", x1: x, x2: x, y1: height / 2 - half, y2: height / 2 + half };
    }),
    numbers: [],
  };
}

/** The place of a peg; hole 0 is the front start hole, or with `behind` the rear one. */
export function spot(ground, lane, hole, behind = false) {
  const { way, at } = ground.ways[lane];
  return way.at(distance(at, hole, behind));
}

export const distance = (at, hole, behind = false) => (hole === 0 && behind ? 0 : at[hole]);

/** First and last hole of each five after `from`, up to `hole`. */
export function fives(hole, from = 0) {
  const bars = [];
  for (let first = from + 1; first <= hole; first += FIVE) bars.push([first, Math.min(first + FIVE - 1, hole)]);
  return bars;
}

// --- what never moves ---

export const NUMBERED = 24; // px of pitch from which holes are numbered
export const SMALLEST_WORD = 14; // px

/** The words in the gates must be readable from a chair without filling the street. */
export const wordSize = (ground) => Math.max(SMALLEST_WORD, Math.min(0.75 * ground.pitch, 0.45 * ground.round));

/** Draw it, with `bothWays` for readers on both sides; returns by name the layers for what is in the holes. */
export function drawFrame(node, ground, bothWays = false) {
  const layer = (name) => svg("g", { class: name });
  const layers = { groove: layer("groove"), trail: layer("trail"), holes: layer("holes"), gates: layer("gates") };
  node.replaceChildren(...Object.values(layers));
  node.setAttribute("viewBox", `0 0 ${ground.width} ${ground.height}`);
  node.classList.toggle("straight", ground.straight);
  for (const { way, at } of ground.ways) {
    const width = ground.straight ? 3.4 : Math.max(0.035 * ground.pitch, 1);
    layers.groove.append(svg("path", { d: way.path(at[1], way.length), "stroke-width": round(width) }));
  }
  if (ground.startBar) layers.groove.append(drawStartBar(ground.startBar, ground));
  for (const one of ground.gates) layers.gates.append(...drawGate(one, ground, bothWays && !ground.isTight));
  const roomy = ground.pitch >= NUMBERED && ground.lane >= NUMBERED;
  if (roomy) layers.gates.append(...ground.numbers.map((one) => drawNumber(one, ground)));
  return layers;
}

function drawStartBar({ x, y, half }, { pitch }) {
  const d = `M${round(x)} ${round(y - half)}V${round(y + half)}`;
  return svg("path.bar", { d, "stroke-width": pitch > NUMBERED ? 2.6 : 1.4 });
}

const drawText = (x, y, size, anchor, words, more = {}) =>
  svg("text", { x: round(x), y: round(y + 0.36 * size), "text-anchor": anchor, "font-size": round(size), ...more }, words);

const LETTER = 0.56; // of the font size, how wide a letter is
const APART = 0.8; // also of the font size, between a word and its turned copy

/** The same word for the opposite player, beside the first or above it, turned upside down. */
function turnedText(x, y, size, anchor, words) {
  const way = { start: 1, end: -1 }[anchor] ?? 0;
  const [cx, cy] = [x + way * size * (2 * LETTER * words.length + APART), way ? y : y - 1.2 * size];
  return drawText(cx, cy, size, anchor, words, { transform: `rotate(180 ${round(cx)} ${round(cy)})` });
}

/** A word on the board, with `bothWays` for readers on both sides. */
export const drawWord = (x, y, size, anchor, words, bothWays) =>
  [drawText(x, y, size, anchor, words), ...(bothWays ? [turnedText(x, y, size, anchor, words)] : [])];

function drawGate({ x1, y1, x2, y2, word, wordX, wordY, anchor }, ground, bothWays) {
  const width = ground.pitch > NUMBERED ? 4 : 2;
  const bar = svg("line", { x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2), "stroke-width": width });
  if (!word) return [bar];
  return [bar, ...drawWord(wordX, wordY, wordSize(ground), anchor, word, bothWays)];
}

const drawNumber = ({ hole, x, y }, { pitch }) => drawText(x, y, 0.75 * pitch, "middle", `${hole}`, { class: "number" });

// --- pegs ---

const RIM = 0.2; // of the radius
const THINNEST_RIM = 1.4; // px
const BORE = 0.48; // of the radius

function outline(lane, r) {
  if (lane === 0) return svg("circle", { r: round(r) });
  if (lane === 1) {
    const half = r * 0.92;
    return svg("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: round(r * 0.16) });
  }
  const [wide, up] = [round(1.24 * r), round(-1.25 * r)];
  const d = lane === 2 ? `M0 ${up}L${wide} ${round(0.92 * r)}H${-wide}Z` : `M0 ${up}L${wide} 0L0 ${-up}L${-wide} 0Z`;
  return svg("path", { d, "stroke-linejoin": "round" });
}

/** A peg of a lane around the origin, with a radius of `r` px. */
export function peg(lane, r) {
  const body = outline(lane, r);
  body.setAttribute("class", "body");
  body.setAttribute("stroke-width", Math.max(RIM * r, THINNEST_RIM));
  const bore = outline(lane, r * BORE);
  bore.setAttribute("class", "bore");
  return svg("g", { class: `peg l${lane}` }, body, bore);
}

/** The dashed place of a peg that left, or that is waiting. */
export function ghost(lane, r, kind) {
  const ring = outline(lane, r);
  ring.setAttribute("class", `ghost ${kind} l${lane}`);
  ring.setAttribute("stroke-width", Math.max(0.11 * r, 1.4));
  ring.setAttribute("stroke-dasharray", `${round(Math.max(0.36 * r, 2.6))} ${round(Math.max(0.26 * r, 2))}`);
  return ring;
}

/** A peg beside a name or a number, `r` px large; triangles and diamonds look as large as the others with less. */
export const evenPeg = (lane, r) => peg(lane, lane > 1 ? 0.84 * r : r);

/** A small peg beside a name. */
export const mark = (lane, size = "") =>
  svg("svg", { class: `mark ${size}`, viewBox: "-14.5 -14.5 29 29", "aria-hidden": "true" }, evenPeg(lane, 12.4));

/** The style classes of a page by its number of lanes; four lanes have those of three, too. */
export const lanesClass = ({ lanes }) => (lanes.length > 3 ? "of3 of4" : `of${lanes.length}`);

/** The peg beside a question about a lane; null if it is about the whole board. */
export const laneSign = (lane) => (Number.isInteger(lane) ? mark(lane, "large") : null);

// --- score tiles ---

const LONG = { mine: 14, other: 8, seat: 16 }; // letters from which a name gets two smaller rows

const KNOWN = 0.6; // how likely a dealer must be to be marked

export class ScoreTile {
  #lane;
  #kind;
  #name = html("span.name", { dir: "auto" });
  #crib = html("span.crib");
  #hero = html("span.hero");
  #note = html("span.note");
  #noted = "";

  /** `kind`: mine or other on the phone, seat on the board; with `choose` it can be tapped. */
  constructor(lane, kind, choose = null) {
    this.#lane = lane;
    this.#kind = kind;
    const who = html("span.who", mark(lane), this.#name, this.#crib);
    this.node = html(choose ? "button" : "div", { class: `tile ${kind}`, ...(choose ? { type: "button" } : {}) });
    this.node.append(who, this.#hero, this.#note);
    if (choose) this.node.addEventListener("click", choose);
  }

  /** `notes`: a list of `[class, text]`, the most urgent first, plus the line that a text is about, if any. */
  show(state, notes) {
    const lane = state.lanes[this.#lane];
    this.#writeName(state);
    this.#showDealer(state);
    write(this.#hero, `${lane.front}`);
    this.node.classList.toggle("beaten", state.game.over && state.game.winner !== this.#lane);
    if (this.node.tagName === "BUTTON") this.node.title = scoreForText(state, this.#lane);
    this.#writeNotes(notes, this.#kind === "seat" ? 0 : lane.games_won);
  }

  #writeName(state) {
    const name = laneName(state, this.#lane);
    const isPair = seatsOf(state, this.#lane).length > 1;
    const long = nameWidth(name) > LONG[this.#kind];
    write(this.#name, long && isPair ? laneShortName(state, this.#lane) : name);
    this.#name.classList.toggle("long", long);
    this.#name.classList.toggle("pair", long && isPair);
    set(this.#name, "title", long ? name : null);
  }

  #showDealer(state) {
    const { dealer, seats, game } = state;
    const deals = !game.over && dealer !== null && game.dealer_sure >= KNOWN && seats[dealer].lane === this.#lane;
    const partners = seats.filter((seat) => seat.lane === this.#lane).length > 1;
    const said = deals ? (partners ? shortName(state, dealer) : t("words.why_crib")) : "";
    if (this.#crib.dataset.said === said) return;
    this.#crib.dataset.said = said;
    this.#crib.replaceChildren(...(said ? [html("b.d", { title: t("words.dealer") }, "D"), html("span", said)] : []));
  }

  #writeNotes(notes, won) {
    const key = JSON.stringify([notes, won]);
    if (key === this.#noted) return;
    this.#noted = key;
    const spans = notes.map(([kind, text, entry]) => html("span", { class: kind }, ...(entry ? entryNodes(text, entry) : [text])));
    this.#note.replaceChildren(...spans, ...(won ? [pips(won)] : []));
  }
}

// --- games won ---

/** In a match with a set end, games as the format counts them; else games won. */
const gamesCounted = ({ match, lanes }, lane) => (match.to_win === null ? lanes[lane].games_won : match.counted[lane]);

const MOST_PIPS = 5; // from six on, a number beside one pip

/** The third peg of a lane: a pip for each game won. */
function pips(won) {
  const many = won > MOST_PIPS;
  const label = html("span.unseen", `${t("words.games_won")}: ${many ? "" : won}`);
  return html("span.pips", label, many ? `${won}` : "", ...Array.from({ length: many ? 1 : won }, () => html("i")));
}

/** "4 – 1" with pegs; more than two lanes are listed without dashes. */
export const gamesWon = (state) =>
  state.lanes.flatMap((_, i) => [
    ...(i === 1 && state.lanes.length === 2 ? [html("i", { "aria-hidden": "true" })] : []),
    html("span.unseen", `${laneShortName(state, i)} `),
    mark(i),
    html("b", `${gamesCounted(state, i)}`),
  ]);

const scoreForText = (state, lane) => t("words.score_for", { name: laneName(state, lane) });
