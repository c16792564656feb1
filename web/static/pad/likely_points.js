// What a lane most likely pegs next, as the table works it out; keys are marked by it, and it is said by none of them.

const NONE = { why: null, points: [] };

/** `why` and `points` of what lane `lane` most likely pegs next; nothing where that cannot be known. */
export function likely({ lanes }, lane) {
  const { why, points } = lanes[lane].likely ?? NONE;
  return { why, points: new Set(points) };
}

/** Alone there is no play and nothing to guess: every count is the hand or the crib, and both in turn. */
export function saidAlone({ game }, taps) {
  const before = taps.findLast(({ body }) => body.do === "score")?.body.why;
  if (before) return before === "hand" ? "crib" : "hand";
  return game.phase === "crib" ? "crib" : "hand";
}
