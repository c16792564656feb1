// The track: where every hole lies, for any size, number of lanes and game hole.

import { t } from "../lib/i18n.js";
import { Way } from "./path.js";

const STREET = 30; // holes in a street
const FIVE = 5;
const FIVES_GAP = 0.48; // of a pitch, between one five and the next

// In lane pitches, for one, two and three lanes: between streets, and from the edge to the first lane.
const BETWEEN = [2.4, 1.85, 1.5];
const EDGE = [1.5, 1.16, 1.12];

/**
 * Lay the track into `width` x `height` px.
 *
 * Streets of thirty, turning as on the panel; `straight` lays one line a lane instead. The answer has, per lane, its
 * `ways` and the distance of every hole on it, and the px of everything that is drawn.
 */
export const track = (asked) => (asked.straight ? line(asked) : serpentine(asked));

const index = (hole) => (hole - 1) % STREET;
const street = (hole) => Math.floor((hole - 1) / STREET);
const along = (i, pitch) => i * pitch + Math.floor(i / FIVE) * FIVES_GAP * pitch;

/** Signed distance of a lane from the middle of its lanes. */
const aside = (lane, lanes, pitch) => (lane - (lanes - 1) / 2) * pitch;

function serpentine({ width, height, lanes, gameHole, skunkLines, lurch }) {
  const last = gameHole - 1;
  const streets = street(last) + 1;
  const rows = vertical(width, height, lanes, streets);
  const pegR = Math.min(0.4 * rows.lane, Math.max((0.46 * width) / 39, 5.2));
  const outer = streets > 1 ? rows.between / 2 + (lanes - 1) * rows.lane : 0;
  const { pitch, left } = horizontal(width, pegR, outer, index(last) === STREET - 1 && streets % 2 === 1);
  const ease = 0.12 * pitch;
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
    holeR: Math.min(Math.max(Math.min(0.24 * pitch, 0.257 * rows.lane), 2.3), 0.3 * pitch, 0.4 * rows.lane),
    round: rows.between / 2 + (lanes - 1) * rows.lane,
    startBar: { x: left - 0.7 * pitch, y: middle(0), half: aside(lanes - 1, lanes, rows.lane) + 0.31 * rows.lane },
    gates: skunkLines.map((hole, i) => gate(hole, i, { ...places, rows, lanes, middle, lurch })),
    numbers: numbers(last, lanes, rows, places, middle),
  };
}

/** How the height is shared; a two-street track does not blow its lanes up to fill the slab. */
function vertical(width, height, lanes, streets) {
  const [between, edge] = [BETWEEN[lanes - 1], EDGE[lanes - 1]];
  const units = streets * (lanes - 1) + (streets - 1) * between + 2 * edge;
  const lane = Math.min(height / units, (1.6 * width) / 40);
  const free = height - streets * (lanes - 1) * lane - 2 * edge * lane;
  const gap = streets > 1 ? Math.min(free / (streets - 1), 2.6 * lane) : 0;
  const step = gap + (lanes - 1) * lane;
  return { lane, between: gap, street: step, top: (height - (streets - 1) * step) / 2 };
}

/** The largest pitch for which everything fits side by side. */
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
  const way = new Way(left - back, y(1, lane));
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
function gate(hole, nth, { rows, lanes, middle, left, end, last, pitch, x, lurch }) {
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
  const from = (side > 0 ? end : left) + side * 0.12 * pitch;
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

/** One straight line a lane, where there is no room for streets. */
function line({ width, height, lanes, gameHole, skunkLines }) {
  const last = gameHole - 1;
  const lane = Math.min(height / (lanes + 0.7), 26);
  const pegR = Math.min(0.28 * lane + 0.2, 6.4);
  const left = 2.9 * pegR + 8;
  const right = 2.2 * pegR + 8;
  const pitch = (width - left - right) / (last - 1);
  const home = { x: width - 2 * pegR - 2, y: height / 2 };
  const ways = Array.from({ length: lanes }, (_, i) => {
    const y = height / 2 + aside(i, lanes, lane);
    const way = new Way(left - 2.9 * pegR, y);
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

/** The place of a peg; hole 0 is the front start hole, or the back one where `behind`. */
export function spot(ground, lane, hole, behind = false) {
  const { way, at } = ground.ways[lane];
  return way.at(distance(at, hole, behind));
}

export const distance = (at, hole, behind = false) => (hole === 0 && behind ? 0 : at[hole]);

/** First and last hole of each five, up to `hole`. */
export function fives(hole) {
  const bars = [];
  for (let first = 1; first <= hole; first += FIVE) bars.push([first, Math.min(first + FIVE - 1, hole)]);
  return bars;
}
