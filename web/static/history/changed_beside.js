// What a new picture of the table tells of games that are over: one of them may have been put right.

/**
 * Whether something has changed beside the lanes: each event counts the board's revision up by one, and that of a lane
 * only where it concerns the lane, so that a correction of an earlier game moves the board's alone.
 */
export function changedBeside(state, before) {
  if (state.epoch !== before.epoch) return true;
  const lanes = state.lanes.map(({ revision }, lane) => revision - (before.lanes[lane]?.revision ?? 0));
  return state.revision - before.revision > Math.max(0, ...lanes);
}
