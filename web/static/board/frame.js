// The wood that never moves: groove, start bar, gates with their words, numbers.

import { svg } from "../lib/dom.js";
import { r } from "./path.js";

export const NUMBERED = 24; // px of pitch from which holes are numbered
export const SMALLEST_WORD = 14; // px

/** The words in the gates must be readable from a chair and may not fill the street. */
export const wordSize = (ground) => Math.max(SMALLEST_WORD, Math.min(0.75 * ground.pitch, 0.45 * ground.round));

/** Draw it, `bothWays` for readers on either side; answers the layers by name, for whatever stands in the holes. */
export function wood(node, ground, bothWays = false) {
  const layer = (name) => svg("g", { class: name });
  const layers = { groove: layer("groove"), trail: layer("trail"), holes: layer("holes"), gates: layer("gates") };
  node.replaceChildren(...Object.values(layers));
  node.setAttribute("viewBox", `0 0 ${ground.width} ${ground.height}`);
  node.classList.toggle("straight", ground.straight);
  for (const { way, at } of ground.ways) {
    const width = ground.straight ? 3.4 : Math.max(0.035 * ground.pitch, 1);
    layers.groove.append(svg("path", { d: way.path(at[1], way.length), "stroke-width": r(width) }));
  }
  if (ground.startBar) layers.groove.append(startBar(ground.startBar, ground));
  for (const one of ground.gates) layers.gates.append(...gate(one, ground, bothWays));
  const roomy = ground.pitch >= NUMBERED && ground.lane >= NUMBERED;
  if (roomy) layers.gates.append(...ground.numbers.map((one) => number(one, ground)));
  return layers;
}

function startBar({ x, y, half }, { pitch }) {
  const d = `M${r(x)} ${r(y - half)}V${r(y + half)}`;
  return svg("path.bar", { d, "stroke-width": pitch > NUMBERED ? 2.6 : 1.4 });
}

const text = (x, y, size, anchor, words, more = {}) =>
  svg("text", { x: r(x), y: r(y + 0.36 * size), "text-anchor": anchor, "font-size": r(size), ...more }, words);

const LETTER = 0.56; // of the size of a word, how wide one of its letters is
const APART = 0.8; // of the same, between a word and the one for the other side

/** The same word for the one who sits opposite, beside the first or above it, and turned round. */
function turned(x, y, size, anchor, words) {
  const way = { start: 1, end: -1 }[anchor] ?? 0;
  const [cx, cy] = [x + way * size * (2 * LETTER * words.length + APART), way ? y : y - 1.2 * size];
  return text(cx, cy, size, anchor, words, { transform: `rotate(180 ${r(cx)} ${r(cy)})` });
}

function gate({ x1, y1, x2, y2, word, wordX, wordY, anchor }, ground, bothWays) {
  const width = ground.pitch > NUMBERED ? 4 : 2;
  const bar = svg("line", { x1: r(x1), y1: r(y1), x2: r(x2), y2: r(y2), "stroke-width": width });
  if (!word) return [bar];
  const said = [wordX, wordY, wordSize(ground), anchor, word];
  return [bar, text(...said), ...(bothWays ? [turned(...said)] : [])];
}

const number = ({ hole, x, y }, { pitch }) => text(x, y, 0.75 * pitch, "middle", `${hole}`, { class: "number" });
