// Game graph: a step line for each lane over the deals, with dotted, labeled skunk lines.

import { evenPeg, round } from "../board/shapes.js";
import { svg, t } from "../lib/browser.js";

const TEXT = 15; // px
const LETTER = 8.2; // px, maximum width of a letter
const MARK = 10; // px, half of a peg at the end of a line
const APART = 25; // px between the marks at the ends
const MARGIN = { top: 18, bottom: 44, left: 48, right: 76 }; // px
const STREET = 30; // holes
const TALLEST = 480; // px

const NAMES = ["skunk", "double", "triple"];

/** The holes labeled on the vertical axis: every street, and the game hole. */
const ticks = (gameHole) =>
  [...Array(Math.ceil(gameHole / STREET)).keys()].map((street) => street * STREET).filter((hole) => hole < gameHole - 8).concat(gameHole);

/** Places for marks near `wanted`: in the same order, at least `apart` from each other, inside the frame. */
function spread(wanted, apart, bottom) {
  const order = wanted.map((_, i) => i).sort((one, other) => wanted[one] - wanted[other]);
  const places = [...wanted];
  order.forEach((i, k) => {
    if (k) places[i] = Math.max(places[i], places[order[k - 1]] + apart);
  });
  [...order].reverse().forEach((i, k) => {
    places[i] = Math.min(places[i], k ? places[order[order.length - k]] - apart : bottom);
  });
  return places;
}

/** The layout in a frame of this many pixels. */
function frameOf({ steps, game_hole: gameHole }, width, height) {
  const deals = Math.max(1, steps.at(-1).deal);
  const across = width - MARGIN.left - MARGIN.right;
  const down = height - MARGIN.top - MARGIN.bottom;
  return {
    width, height, deals,
    deal: across / deals,
    right: MARGIN.left + across,
    bottom: MARGIN.top + down,
    x: (deal) => MARGIN.left + (across * (deal - 1)) / deals,
    y: (hole) => MARGIN.top + down * (1 - hole / gameHole),
  };
}

/** Each step with its horizontal place: the steps of a deal share its column evenly; the start is at the left edge. */
function placeSteps([start, ...steps], frame) {
  const inDeal = new Map();
  for (const { deal } of steps) inDeal.set(deal, (inDeal.get(deal) ?? 0) + 1);
  const seen = new Map();
  return [{ ...start, x: MARGIN.left }, ...steps.map((step) => {
    const nth = (seen.get(step.deal) ?? 0) + 1;
    seen.set(step.deal, nth);
    return { ...step, x: frame.x(step.deal) + (frame.deal * nth) / (inDeal.get(step.deal) + 1) };
  })];
}

/** The corners of a lane's line; it ends at the newest step. */
function corners(lane, steps, frame) {
  let at = steps[0].fronts[lane];
  const points = [[MARGIN.left, frame.y(at)]];
  for (const { x, fronts } of steps) {
    if (fronts[lane] === at) continue;
    points.push([x, frame.y(at)], [x, frame.y(fronts[lane])]);
    at = fronts[lane];
  }
  points.push([steps.at(-1).x, frame.y(at)]);
  return points;
}

const pathData = (points) => "M" + points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L");

/** Whether a line crosses a box. */
const isCrossed = (points, box) =>
  points.some(([x, y], i) => {
    const [fromX, fromY] = points[Math.max(0, i - 1)];
    return Math.max(x, fromX) > box.left && Math.min(x, fromX) < box.right && Math.max(y, fromY) > box.top && Math.min(y, fromY) < box.bottom;
  });

/** Where a label at a dotted line hides nothing: above or below it, on the left or right. */
function placeForName(text, y, lines, frame) {
  const width = text.length * LETTER;
  const places = [[MARGIN.left + 8, -7], [MARGIN.left + 8, 17], [frame.right - width - 8, -7], [frame.right - width - 8, 17]].map(([x, off]) =>
    ({ x, y: y + off, box: { left: x - 4, right: x + width + 4, top: y + off - 15, bottom: y + off + 5 } }));
  return places.find(({ box }) => !lines.some((points) => isCrossed(points, box))) ?? places[0];
}

const label = (x, y, text, anchor = "start", kind = "") => svg("text", { x: round(x), y: round(y), "text-anchor": anchor, class: kind || null }, text);

const shades = (frame) =>
  [...Array(frame.deals).keys()].filter((i) => i % 2).map((i) =>
    svg("rect", { class: "shade", x: round(frame.x(i + 1)), y: MARGIN.top, width: round(frame.deal), height: round(frame.bottom - MARGIN.top) }));

/** Deal numbers below the frame, as many as fit. */
function dealNumbers(frame) {
  const every = Math.ceil(26 / frame.deal);
  const numbers = [...Array(frame.deals).keys()].filter((i) => i % every === 0);
  return [
    ...numbers.map((i) => label(frame.x(i + 1) + frame.deal / 2, frame.bottom + 20, `${i + 1}`, "middle")),
    label(MARGIN.left, frame.bottom + 38, t("history.deal_axis")),
  ];
}

const level = (hole, frame, kind) =>
  svg("line", { class: kind, x1: MARGIN.left, x2: round(frame.right), y1: round(frame.y(hole)), y2: round(frame.y(hole)) });

function scale(game, frame) {
  const plain = ticks(game.game_hole).filter((hole) => !game.skunk_lines.includes(hole));
  const numbered = [...new Set([...ticks(game.game_hole), ...game.skunk_lines])].sort((one, other) => other - one);
  const free = numbered.filter((hole, i) => game.skunk_lines.includes(hole) || !numbered.some((other, k) => k !== i && game.skunk_lines.includes(other) && Math.abs(frame.y(other) - frame.y(hole)) < TEXT));
  return [
    ...plain.map((hole) => level(hole, frame, "level")),
    ...game.skunk_lines.map((hole) => level(hole, frame, "skunk-line")),
    ...free.map((hole) => label(MARGIN.left - 7, frame.y(hole) + 5, `${hole}`, "end")),
  ];
}

const skunkNames = (game, lines, frame) =>
  game.skunk_lines.map((hole, i) => {
    const text = t(`history.${game.lurch ? "lurch" : NAMES[i] ?? "triple"}_line`);
    const { x, y } = placeForName(text, frame.y(hole), lines, frame);
    return label(x, y, text, "start", "line-name");
  });

/** Marks and numbers at the ends, spaced apart; a short lead connects each to its line. */
function ends(game, lines, fronts, frame) {
  const x = frame.right + 14;
  const places = spread(lines.map((points) => points.at(-1)[1]), APART, frame.bottom);
  return lines.flatMap((points, lane) => {
    const at = svg("g", { class: "end", transform: `translate(${round(x)} ${round(places[lane])})` }, evenPeg(lane, MARK));
    return [at, label(x + MARK + 7, places[lane] + 5, `${fronts[lane]}`, "start", "end-number")];
  });
}

const withLead = (points, place, frame) => [...points, [frame.right, points.at(-1)[1]], [frame.right + 14, place]];

/** Fill `node`, an SVG element, with a game of the API, `width` pixels wide. */
export function drawGraph(node, game, width) {
  const height = Math.round(Math.min(TALLEST, Math.max(300, width * 0.84)));
  const frame = frameOf(game, width, height);
  const steps = placeSteps(game.steps, frame);
  const { fronts } = steps.at(-1);
  const lines = fronts.map((_, lane) => corners(lane, steps, frame));
  const places = spread(lines.map((points) => points.at(-1)[1]), APART, frame.bottom);
  const led = lines.map((points, lane) => withLead(points, places[lane], frame));
  node.setAttribute("viewBox", `0 0 ${width} ${height}`);
  node.replaceChildren(
    ...shades(frame),
    ...scale(game, frame),
    ...dealNumbers(frame),
    ...led.flatMap((points, lane) => ["outline", "colour"].map((kind) => svg("path", { class: `trace ${kind} l${lane}`, d: pathData(points) }))),
    ...skunkNames(game, led, frame),
    ...ends(game, lines, fronts, frame),
  );
}
