// From the table's state to what the slab draws: pegs, lines, the last move and the taps that wait.

/** The newest standing score that moved a peg. */
export const lastScore = (state) =>
  state.entries.find((entry) => entry.do === "score" && entry.stands && entry.counts && entry.points > 0) ?? null;

/** The last move with the hole its peg left; null where the newest ten lines do not tell it. */
function lastMove(state) {
  const last = lastScore(state);
  if (!last) return null;
  const { lane, points, from } = last;
  const now = state.lanes[lane];
  const earlier = state.entries.slice(state.entries.indexOf(last) + 1)
    .find((entry) => entry.lane === lane && entry.stands && entry.counts && entry.points > 0);
  const left = earlier ? earlier.from : from === 0 ? 0 : null;
  if (left === null || now.rear !== from || left > from) return null;
  return { lane, points, from: left, fromStart: from === 0, rear: now.rear, front: now.front };
}

export const pictureOf = (state, waiting = []) => ({
  gameHole: state.game.game_hole,
  skunkLines: state.game.skunk_lines,
  lanes: state.lanes,
  move: lastMove(state),
  winner: state.game.winner,
  waiting,
});
