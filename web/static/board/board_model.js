// From the table's state to what the slab draws.

import { isScore, newestMove, touches } from "../words/entries.js";

/** The last move with the hole its peg left; null where that is not told, or it was a ruling. */
function lastMove(state) {
  const last = newestMove(state);
  if (!last || !isScore(last)) return null;
  const { lane, points, from, to } = last;
  const now = state.lanes[lane];
  const left = from === 0 ? 0 : leftBy(state, last);
  if (left === null || now.rear !== from || now.front !== to || left > from) return null;
  return { lane, points, from: left, fromStart: from === 0, rear: now.rear, front: now.front };
}

/** The hole a peg left for `last`: where its lane stood before the score before. */
function leftBy(state, last) {
  const earlier = state.entries.slice(state.entries.indexOf(last) + 1)
    .find((entry) => entry.stands && entry.counts && touches(entry, last.lane) && entry.points !== 0);
  return earlier && isScore(earlier) && earlier.to === last.from ? earlier.from : null;
}

export const pictureOf = (state, waiting = []) => ({
  gameHole: state.game.game_hole,
  skunkLines: state.game.skunk_lines,
  lurch: state.game.rules.lurch,
  lanes: state.lanes,
  move: lastMove(state),
  winner: state.game.winner,
  waiting,
});
