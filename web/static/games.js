// The games won so far, each number beside its peg.

import { html } from "./element.js";
import { mark } from "./pegs.js";
import * as words from "./words.js";

/** "4 – 1" with pegs; three lanes stand side by side without a dash. */
export const gamesWon = (state) =>
  state.lanes.flatMap((lane, i) => [
    ...(i === 1 && state.lanes.length === 2 ? [html("i", { "aria-hidden": "true" })] : []),
    html("span", { class: "unseen" }, `${words.laneCalled(state, i)} `),
    mark(i),
    html("b", {}, `${lane.games_won}`),
  ]);
