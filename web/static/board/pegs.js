// Pegs by shape: a circle, a square, a triangle; the rear peg has a dark bore.

import { svg } from "../lib/dom.js";
import { r as round } from "./path.js";

const RIM = 0.2; // of the radius
const THINNEST_RIM = 1.4; // px
const BORE = 0.48; // of the radius

function outline(lane, r) {
  if (lane === 0) return svg("circle", { r: round(r) });
  if (lane === 1) {
    const half = r * 0.92;
    return svg("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: round(r * 0.16) });
  }
  return svg("path", {
    d: `M0 ${round(-1.25 * r)}L${round(1.24 * r)} ${round(0.92 * r)}H${round(-1.24 * r)}Z`,
    "stroke-linejoin": "round",
  });
}

/** A peg of a lane round the origin, `r` px wide from its middle. */
export function peg(lane, r) {
  const body = outline(lane, r);
  body.setAttribute("class", "body");
  body.setAttribute("stroke-width", Math.max(RIM * r, THINNEST_RIM));
  const bore = outline(lane, r * BORE);
  bore.setAttribute("class", "bore");
  return svg("g", { class: `peg l${lane}` }, body, bore);
}

/** The dashed place of a peg that left, or that waits to come. */
export function ghost(lane, r, kind) {
  const ring = outline(lane, r);
  ring.setAttribute("class", `ghost ${kind} l${lane}`);
  ring.setAttribute("stroke-width", Math.max(0.11 * r, 1.4));
  ring.setAttribute("stroke-dasharray", `${round(Math.max(0.36 * r, 2.6))} ${round(Math.max(0.26 * r, 2))}`);
  return ring;
}

/** A small peg to stand beside a name. */
export const mark = (lane, size = "") =>
  svg("svg", { class: `mark ${size}`, viewBox: "-14.5 -14.5 29 29", "aria-hidden": "true" }, peg(lane, lane === 2 ? 10.2 : 12.4));
