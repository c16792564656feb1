// The leapfrog: a peg lifts, travels its lane round the turns, and lands in front of the other.

const LIFT = 90; // ms
const LAND = 120; // ms
const HIGH = 1.2; // scale of a lifted peg
const LONGEST = 900; // ms on the way

const travelTime = (holes) => Math.min(380 + 14 * holes, LONGEST);

/** How far a hop stands off its lane at share `u` of the way, in px. */
export const hopHeight = (height, u) => height * Math.sin(Math.PI * Math.min(Math.max(u, 0), 1)) ** 0.7;

/** cubic-bezier(.3, 0, .15, 1), solved by halving. */
function eased(time) {
  const bend = (a, b, t) => 3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3;
  let [low, high] = [0, 1];
  for (let i = 0; i < 18; i += 1) {
    const t = (low + high) / 2;
    if (bend(0.3, 0.15, t) < time) low = t;
    else high = t;
  }
  return bend(0, 1, low);
}

/** Where the peg is after `ms`: share of the way, and its scale; null once it has landed. */
export function flight(ms, holes) {
  const travel = travelTime(holes);
  if (ms < LIFT) return { u: 0, scale: 1 + (HIGH - 1) * (ms / LIFT) };
  if (ms < LIFT + travel) return { u: eased((ms - LIFT) / travel), scale: HIGH };
  if (ms < LIFT + travel + LAND) return { u: 1, scale: HIGH - (HIGH - 1) * ((ms - LIFT - travel) / LAND) };
  return null;
}

/** Call `step(ms)` each frame until it answers false; what is returned ends it at once. */
export function animate(step) {
  let frame = 0;
  let begin = null;
  const tick = (now) => {
    begin ??= now;
    frame = step(now - begin) === false ? 0 : requestAnimationFrame(tick);
  };
  frame = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(frame);
}
