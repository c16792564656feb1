// Board view as SVG: trails, holes and pegs, drawn from each state of the table; moving pegs are animated.

import { isClassic, set, svg } from "../lib/browser.js";
import { isScore, movesLane, newestMove } from "../words/state.js";
import { distance, drawFrame, fives, ghost, layTrack, NUMBERED, peg, round, SMALLEST_WORD, spot, wordSize } from "./shapes.js";

const layClassic = isClassic ? (await import("./classic_track.js")).layClassic : () => null;

/** The last move with the hole its peg left; null if unknown, or if it was a ruling. */
function lastMove(state) {
  const last = newestMove(state);
  if (!last || !isScore(last)) return null;
  const { lane, points, from, to } = last;
  const now = state.lanes[lane];
  const left = from === 0 ? 0 : holeLeft(state, last);
  if (left === null || now.rear !== from || now.front !== to || left > from) return null;
  return { lane, points, from: left, fromStart: from === 0, rear: now.rear, front: now.front };
}

/** The hole a peg left for `last`: where the rear peg of its lane was before the previous score. */
function holeLeft(state, last) {
  const earlier = state.entries.slice(state.entries.indexOf(last) + 1)
    .find((entry) => entry.stands && entry.counts && movesLane(entry, last.lane) && entry.points !== 0);
  return earlier && isScore(earlier) && earlier.to === last.from ? earlier.from : null;
}

export const boardModel = (state, waiting = []) => ({
  gameHole: state.game.game_hole,
  skunkLines: state.game.skunk_lines,
  lurch: state.game.rules.lurch,
  lanes: state.lanes,
  move: lastMove(state),
  winner: state.game.winner,
  waiting,
});

// --- animation of a peg ---

const LIFT = 90; // ms
const LAND = 120; // ms
const HIGH = 1.2; // scale of a lifted peg
const LONGEST = 900; // ms on the way

const travelTime = (holes) => Math.min(380 + 14 * holes, LONGEST);

/** How far a hop is off its lane at share `u` of the way, in px. */
const hopHeight = (height, u) => height * Math.sin(Math.PI * Math.min(Math.max(u, 0), 1)) ** 0.7;

/** cubic-bezier(.3, 0, .15, 1), solved by bisection. */
function ease(time) {
  const bend = (a, b, t) => 3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3;
  let [low, high] = [0, 1];
  for (let i = 0; i < 18; i += 1) {
    const t = (low + high) / 2;
    if (bend(0.3, 0.15, t) < time) low = t;
    else high = t;
  }
  return bend(0, 1, low);
}

/** Where the peg is after `ms`: share of the way, and its scale; null after it has landed. */
export function flight(ms, holes) {
  const travel = travelTime(holes);
  if (ms < LIFT) return { u: 0, scale: 1 + (HIGH - 1) * (ms / LIFT) };
  if (ms < LIFT + travel) return { u: ease((ms - LIFT) / travel), scale: HIGH };
  if (ms < LIFT + travel + LAND) return { u: 1, scale: HIGH - (HIGH - 1) * ((ms - LIFT - travel) / LAND) };
  return null;
}

/** Call `step(ms)` each frame until it returns false; the returned function ends it at once. */
function animate(step) {
  let frame = 0;
  let begin = null;
  const tick = (now) => {
    begin ??= now;
    frame = step(now - begin) === false ? 0 : requestAnimationFrame(tick);
  };
  frame = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(frame);
}

// --- the board ---

const GROW = 160; // ms in which a trail follows its peg
const FLAT = 20; // px at most that a hop is off an outer turn

const still = matchMedia("(prefers-reduced-motion: reduce)");

const circle = (kind, { x, y }, radius, width) =>
  svg("circle", { class: kind, cx: round(x), cy: round(y), r: round(radius), "stroke-width": round(width) });

export class BoardView {
  #node;
  #options;
  #ground = null;
  #layers;
  #holes;
  #pegs; // per lane: [rear, front]
  #shown = null;
  #finish = null;

  /**
   * `straight()` asks for the straight track, `bothWays()` for words readable from both sides; `lastMove` keeps ghost,
   * hop and pill.
   */
  constructor(node, { straight = () => false, bothWays = () => false, lastMove = false } = {}) {
    this.#node = node;
    this.#options = { straight, bothWays, lastMove };
    new ResizeObserver(() => this.#shown && this.show(this.#shown)).observe(node);
  }

  /** Draw what `boardModel` returns; `live` animates a peg. */
  show(picture, { live = false } = {}) {
    const before = this.#shown;
    this.#shown = picture;
    if (this.#lay(picture)) this.#place(picture);
    else if (before.lanes.some((lane, i) => differs(lane, picture.lanes[i]))) this.#move(before, picture, live);
    else if (!this.#finish) this.#lastMove(picture.move);
    this.#waiting(picture.waiting ?? []);
    this.#crown(picture, live);
  }

  /** Put everything in its place at once. */
  #place(picture) {
    picture.lanes.forEach((lane, i) => this.#settle(i, lane));
    this.#lastMove(picture.move);
  }

  /** Go from one state to the next: an unfinished animation first jumps to its end. */
  #move(before, picture, live) {
    this.#finish?.();
    const leap = live && !document.hidden ? leapOf(before, picture) : null;
    if (!leap) this.#place(picture);
    else if (still.matches) this.#appear(leap, picture);
    else this.#leap(leap, picture);
  }

  /** Lay the track again if size, lanes or game hole changed; returns whether it did. */
  #lay({ gameHole, skunkLines, lurch, lanes }) {
    const width = this.#node.clientWidth || 358;
    const height = this.#node.clientHeight || 156;
    const straight = this.#options.straight();
    const key = [width, height, straight, this.#options.bothWays(), gameHole, lanes.length, lurch, ...skunkLines].join();
    if (this.#ground?.key === key) return false;
    this.#finish?.();
    const size = { width, height, lanes: lanes.length, gameHole, skunkLines, lurch, straight };
    this.#ground = { lap: gameHole - 1, ...(layClassic(size) ?? layTrack(size)), key };
    this.#draw();
    return true;
  }

  #draw() {
    const ground = this.#ground;
    const layers = drawFrame(this.#node, ground, this.#options.bothWays());
    for (const name of ["laps", "hop", "waits", "rears", "fronts"]) {
      layers[name] = svg("g", { class: name });
      this.#node.append(layers[name]);
    }
    this.#layers = layers;
    this.#holes = ground.ways.map((_, lane) => this.#drill(lane));
    layers.holes.append(...this.#home());
    this.#layers.trails = ground.ways.map((_, lane) => {
      const thread = svg("path", { class: `thread l${lane}`, "stroke-width": round(Math.max(0.7 * ground.holeR, 1.5)) });
      const bars = svg("path", { class: `bars l${lane}`, "stroke-width": ground.straight ? 5 : round(2 * ground.holeR) });
      layers.trail.append(thread, bars);
      return { thread, bars };
    });
    this.#pegs = ground.ways.map((_, lane) => [peg(lane, ground.pegR), peg(lane, ground.pegR)]);
  }

  #drill(lane) {
    const { holeR, gameHole, lap } = this.#ground;
    const drill = (hole, behind) => {
      const { x, y } = spot(this.#ground, lane, hole, behind);
      const node = circle("hole", { x, y }, holeR, Math.max(0.16 * holeR, 0.9));
      this.#layers.holes.append(node);
      return node;
    };
    drill(0, true);
    drill(0, false);
    const holes = [null];
    for (let hole = 1; hole < gameHole && hole <= lap; hole += 1) holes.push(drill(hole));
    return holes;
  }

  /** The holes of the laps that a peg in `hole` has completed. */
  #laps(hole) {
    const { lap, gameHole } = this.#ground;
    return lap * Math.floor(Math.max(0, Math.min(hole, gameHole - 1) - 1) / lap);
  }

  #home() {
    const { home, holeR, pegR, straight } = this.#ground;
    const ring = straight ? 0.95 * pegR : Math.max(2.1 * holeR, pegR);
    return [circle("home", home, ring, Math.max(0.17 * ring, 1.8)), circle("hole", home, Math.max(1.1 * holeR, 2.4), 1)];
  }

  /** Put a lane's trail, holes and pegs in their places. */
  #settle(lane, { front, rear }) {
    this.#trail(lane, rear);
    this.#tint(lane, rear, front);
    this.#layers.laps.replaceChildren(...(this.#ground.lapWords?.(this.#shown.lanes, this.#options.bothWays()) ?? []));
    const [behind, before] = this.#pegs[lane];
    this.#stand(behind, lane, rear, front === 0);
    this.#stand(before, lane, front);
    behind.classList.add("rear");
    before.classList.remove("rear");
    this.#layers.rears.append(behind);
    this.#layers.fronts.append(before);
  }

  #stand(node, lane, hole, behind = false) {
    const { x, y } = spot(this.#ground, lane, hole, behind);
    node.setAttribute("transform", `translate(${round(x)} ${round(y)})`);
  }

  #trail(lane, upTo) {
    const { way, at } = this.#ground.ways[lane];
    const { thread, bars } = this.#layers.trails[lane];
    set(thread, "d", upTo > 1 ? way.path(at[1], at[upTo]) : null);
    const bar = ([first, last]) => `${way.path(at[first], at[last])}h.01`;
    set(bars, "d", upTo > 0 ? fives(upTo, this.#laps(upTo)).map(bar).join("") : null);
  }

  #tint(lane, rear, front) {
    const { holeR, lap } = this.#ground;
    const [from, trail] = [this.#laps(front), this.#laps(rear)];
    this.#holes[lane].forEach((node, place) => {
      if (!node) return;
      const hole = from + place - (from + place > front ? lap : 0); // the last time that the front peg passed
      const under = hole > trail && hole <= rear;
      const kind = under ? "hole under" : hole > rear && hole < front ? `hole run l${lane}` : "hole";
      if (node.getAttribute("class") === kind) return;
      node.setAttribute("class", kind);
      node.setAttribute("r", round(under ? 0.42 * holeR : holeR));
    });
  }

  /** Animate a peg; it lands solid, the one it passed becomes hollow, and the trail follows. */
  #leap({ lane, back, from, to }, picture) {
    const mover = this.#pegs[lane][back ? 1 : 0];
    const { way, at, outside } = this.#ground.ways[lane];
    const [begin, end] = [distance(at, from.hole, from.behind), distance(at, to.hole, to.behind)];
    const height = this.#standOff(lane, begin, end, this.#ground.lane) * outside;
    this.#layers.hop.replaceChildren();
    this.#layers.fronts.append(mover);
    if (back) this.#trail(lane, to.hole);
    const cancel = animate((ms) => {
      const now = flight(ms, Math.abs(to.hole - from.hole));
      if (!now) {
        this.#land(lane, picture);
        if (!back) this.#grow(lane, from.hole, picture.lanes[lane].rear);
        return false;
      }
      const { x, y, nx, ny } = way.at(begin + (end - begin) * now.u);
      const off = hopHeight(height, now.u);
      mover.setAttribute("transform", `translate(${round(x + nx * off)} ${round(y + ny * off)})scale(${round(now.scale)})`);
      return true;
    });
    this.#finish = () => {
      cancel();
      this.#land(lane, picture);
    };
  }

  #land(lane, picture) {
    this.#finish = null;
    this.#pegs[lane].reverse();
    this.#settle(lane, picture.lanes[lane]);
    this.#lastMove(picture.move);
  }

  #grow(lane, from, to) {
    const cancel = animate((ms) => {
      const share = Math.min(ms / GROW, 1);
      this.#trail(lane, Math.round(from + (to - from) * share));
      if (share < 1) return true;
      this.#finish = null;
      return false;
    });
    this.#finish = () => {
      cancel();
      this.#finish = null;
      this.#trail(lane, to);
    };
  }

  /** Without animation: the peg appears at once, and ghost and hop fade. */
  #appear({ lane, back, from, to }, picture) {
    this.#land(lane, picture);
    if (back || this.#options.lastMove) return;
    this.#layers.hop.replaceChildren();
    const { rear } = picture.lanes[lane];
    this.#hop({ lane, from: from.hole, fromStart: from.behind, rear, front: to.hole }, "fading");
  }

  #lastMove(move) {
    if (!this.#options.lastMove) return;
    this.#layers.hop.replaceChildren();
    if (move) this.#hop(move, "");
  }

  /** The ghost of a peg that left, its hop, and the points over the holes gained. */
  #hop({ lane, from, fromStart, rear, front, points }, fading) {
    const ground = this.#ground;
    const { way, at, outside } = ground.ways[lane];
    const [begin, end] = [distance(at, from, fromStart), at[front]];
    const height = this.#standOff(lane, begin, end, 0.7 * ground.lane);
    const over = (u, least = 0) => {
      const place = way.at(begin + (end - begin) * u);
      const off = Math.max(hopHeight(height, u), least) * outside;
      return { x: place.x + place.nx * off, y: place.y + place.ny * off };
    };
    const steps = Math.max(24, Math.round((end - begin) / 12));
    const line = Array.from({ length: steps + 1 }, (_, i) => over(i / steps)).map(({ x, y }) => `${round(x)} ${round(y)}`);
    const [width, dashes] = ground.pitch > NUMBERED ? [2.6, "9 7"] : [1.4, "4 3"];
    const stroke = { "stroke-width": width, "stroke-dasharray": dashes };
    const hop = svg("path", { class: `hopline l${lane}`, d: `M${line.join("L")}`, ...stroke });
    const left = ghost(lane, 0.96 * ground.pegR, "left");
    this.#stand(left, lane, from, fromStart);
    this.#layers.hop.setAttribute("class", `hop ${fading}`);
    this.#layers.hop.append(hop, left);
    const gained = ((at[rear] + at[front]) / 2 - begin) / (end - begin);
    if (points) this.#layers.hop.append(this.#pill(lane, points, over(gained, 0.82 * ground.pitch)));
  }

  #pill(lane, points, { x, y }) {
    const { pitch, width, height } = this.#ground;
    const size = Math.max(SMALLEST_WORD, 0.75 * pitch);
    const [half, tall] = [size * (0.5 + 0.33 * `+${points}`.length), size * 1.32];
    const inside = (value, room, edge) => Math.min(Math.max(value, edge + 4), room - edge - 4);
    const cy = inside(y, height, tall / 2);
    const cx = besideWords(this.#ground, inside(x, width, half), cy, half, tall);
    return svg("g", { class: `pill l${lane}`, transform: `translate(${round(cx)} ${round(cy)})` },
      svg("rect", { x: round(-half), y: round(-tall / 2), width: round(2 * half), height: round(tall), rx: round(tall / 2) }),
      svg("text", { y: round(0.36 * size), "text-anchor": "middle", "font-size": round(size) }, `+${points}`));
  }

  /** How far a hop is off its lane: less around a turn, half between two neighbors. */
  #standOff(lane, begin, end, most) {
    const { ways } = this.#ground;
    const { way } = ways[lane];
    if (lane > 0 && lane < ways.length - 1) return most / 2;
    const level = Math.abs(way.at(begin).y - way.at(end).y) < 1;
    return level ? most : Math.min(most, FLAT);
  }

  /** Where a tap that is not stored yet would bring the peg. */
  #waiting(waiting) {
    this.#layers.waits.replaceChildren(...waiting.map(({ lane, to }) => {
      const ring = ghost(lane, this.#ground.pegR, "coming");
      this.#stand(ring, lane, Math.min(to, this.#ground.gameHole));
      return ring;
    }));
  }

  /** The peg in the game hole pulses three times if its arrival was visible. */
  #crown({ winner }, live) {
    this.#pegs.forEach((pair, lane) => pair.forEach((node) => {
      if (lane !== winner) node.classList.remove("won");
      else if (live) node.classList.add("won");
    }));
  }
}

/** Where a pill centered at `x`, `y` hides no gate's word: here, or beside the word. */
function besideWords(ground, x, y, half, tall) {
  const size = wordSize(ground);
  for (const { word, wordX, wordY, anchor } of ground.gates) {
    const long = 0.58 * size * word.length;
    const left = wordX - { start: 0, middle: long / 2, end: long }[anchor ?? "start"];
    const apart = Math.abs(y - wordY) > (tall + size) / 2 || x + half < left || x - half > left + long;
    if (word && !apart) return anchor === "end" ? left - half - 4 : left + long + half + 4;
  }
  return x;
}

/** The only peg move between two states, forward or back; null if more changed. */
function leapOf(before, after) {
  const changed = after.lanes.map((_, i) => i).filter((i) => differs(before.lanes[i], after.lanes[i]));
  if (changed.length !== 1) return null;
  const [lane] = changed;
  const [old, now] = [before.lanes[lane], after.lanes[lane]];
  if (now.rear === old.front && now.front > old.front) return { lane, back: false, from: rearOf(old), to: frontOf(now) };
  if (now.front === old.rear && old.front > now.front) return { lane, back: true, from: frontOf(old), to: rearOf(now) };
  return null;
}

const rearOf = ({ rear, front }) => ({ hole: rear, behind: front === 0 });

const frontOf = ({ front }) => ({ hole: front, behind: false });

const differs = (one, other) => one.front !== other.front || one.rear !== other.rear;
