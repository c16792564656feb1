// Track of a classic board: for each lane an outer row, an inner row back, and around again; loaded if a table wants it.

import { t } from "../lib/browser.js";
import { along, drawWord, END_GAP, holeRadius, LanePath, STREET, wordSize } from "./shapes.js";

const LAP = 2 * STREET; // holes once around

const LOOP = 3.4; // pitches at most from the outer row of a lane to its inner row
const CLOSEST = 1.5; // loops of height that a lane takes at least, with what is between lanes
const LOW = 20; // px of a loop below which a straight track is clearer, as nothing can be written in it

const LETTER = 1.12; // of the font size, how wide a letter and its turned copy are
const APART = 1.6; // also of the font size, between two words with their copies

/** The lower half of the lanes has its outer row below its inner row. */
const isMirrored = (lane, lanes) => lane >= Math.floor((lanes + 1) / 2);

/**
 * The same as `layTrack` for a classic board, into a shared game hole; null if the room is too low for it.
 *
 * `lapWords` draws which lap each front peg is on, from the second on; `isTight` if turned words of gates do not fit.
 */
export function layClassic({ width, height, lanes, gameHole, skunkLines, lurch }) {
  const loop = Math.min(height / (CLOSEST * lanes), (LOOP * width) / 38);
  if (loop < LOW) return null;
  const between = height / lanes - loop;
  const radius = loop / 2;
  const pegR = Math.min(0.4 * Math.min(loop, between), Math.max((0.46 * width) / 39, 5.2));
  const over = Math.min(0.36 * radius, 20); // px that a gate stands out of its turn
  const pitch = (width - radius - over - pegR - 10) / (3.45 + along(STREET - 1, 1) + 2 * END_GAP);
  const left = 3.45 * pitch + pegR + 2;
  const end = left + along(STREET - 1, pitch);
  const middle = (lane) => (lane + 0.5) * (height / lanes);
  const outer = (lane) => middle(lane) + (isMirrored(lane, lanes) ? radius : -radius);
  const home = { x: left - 0.2 * loop, y: height / 2 };
  const start = Math.max(1.13 * pitch, 2.3 * pegR);
  const places = { left, end, pitch, radius, over, start, home, gameHole };
  const all = Array.from({ length: lanes }, (_, lane) => lane);
  const lane = Math.min(loop, between) / 1.4;
  const ground = {
    width, height, lanes, gameHole, home, pitch, pegR, lane,
    ways: all.map((one) => loopWay(isMirrored(one, lanes), outer(one), places)),
    lap: LAP,
    straight: false,
    holeR: holeRadius(pitch, lane),
    round: loop,
    startBar: null,
    gates: skunkLines.flatMap((hole, i) => all.map((one) => gateAt(hole, i, outer(one), middle(one), { ...places, lurch }))),
    numbers: [],
  };
  const sayLap = (one, front, bothWays) => {
    const n = Math.ceil(Math.min(front, gameHole - 1) / LAP);
    const size = wordSize(ground);
    const [x, anchor] = [(left + end) / 2, bothWays ? "start" : "middle"];
    return n < 2 ? [] : drawWord(bothWays ? x - size : x, middle(one), size, anchor, t("words.lap", { n }), bothWays);
  };
  const lapWords = (pegs, bothWays) => all.flatMap((one) => sayLap(one, pegs[one].front, bothWays));
  const words = [...skunkLines.map((_, i) => skunkWord(i, lurch)), t("words.lap", { n: 2 })];
  const wide = words.reduce((sum, word) => sum + LETTER * word.length + APART, 0) * wordSize(ground);
  return { ...ground, lapWords, isTight: wide > end - left };
}

/** From the two start holes around and around, and from the end of the last inner row into the game hole. */
function loopWay(mirrored, y, { left, end, pitch, radius, start, home, gameHole }) {
  const back = 1.4 * pitch + start;
  const [ease, down, inner] = [END_GAP * pitch, mirrored ? -1 : 1, mirrored ? y - 2 * radius : y + 2 * radius];
  const way = new LanePath(left - back, y);
  const at = [start];
  for (let first = 1; first < gameHole; first += LAP) {
    const begin = way.length + (first > 1 ? ease : back);
    for (let i = 0; i < STREET; i += 1) at[first + i] = begin + along(i, pitch);
    way.line(end + ease, y);
    way.turn(radius, 1, down);
    const turned = way.length + ease;
    for (let i = 0; i < STREET; i += 1) at[first + STREET + i] = turned + along(STREET - 1, pitch) - along(STREET - 1 - i, pitch);
    if (first + LAP < gameHole) {
      way.line(left - ease, inner);
      way.turn(radius, -1, -down);
    } else way.line(left, inner);
  }
  way.line(home.x, home.y);
  at.length = gameHole;
  at[gameHole] = way.length;
  return { way, at, outside: down };
}

const skunkWord = (nth, lurch) => t(`words.skunk_${lurch ? "lurch" : Math.min(nth + 1, 3)}`);

/** A gate after its hole: across the turn at either end, else across the row; its word is inside the loop. */
function gateAt(hole, nth, outer, middle, { left, end, pitch, radius, over, home, lurch }) {
  const word = skunkWord(nth, lurch);
  const place = hole % LAP;
  if (place % STREET === 0) {
    const atHome = !place && Math.abs(middle - home.y) < 1; // the game hole lies inside this turn
    const [side, from] = place ? [1, end + END_GAP * pitch] : [-1, left - END_GAP * pitch];
    return {
      word, y1: middle, y2: middle, x1: from + side * (radius - (atHome ? 0 : over)), x2: from + side * (radius + over),
      wordX: place ? end : left + (atHome ? 0.6 * pitch : 0), wordY: middle, anchor: place ? "end" : "start",
    };
  }
  const i = place < STREET ? place : LAP - place;
  const [x, y] = [left + (along(i - 1, pitch) + along(i, pitch)) / 2, place < STREET ? outer : 2 * middle - outer];
  return { word, x1: x, x2: x, y1: y - over, y2: y + over, wordX: x, wordY: middle, anchor: "middle" };
}
