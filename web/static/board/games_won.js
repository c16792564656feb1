// The games won so far, each number beside its peg.

import { html } from "../lib/dom.js";
import { mark } from "./pegs.js";
import * as words from "../words/words.js";

/** In a match that ends, games as they count towards its end; else games won. */
const won = ({ match, lanes }, lane) => (match.to_win === null ? lanes[lane].games_won : match.counted[lane]);

/** "4 – 1" with pegs; three lanes stand side by side without a dash. */
export const gamesWon = (state) =>
  state.lanes.flatMap((_, i) => [
    ...(i === 1 && state.lanes.length === 2 ? [html("i", { "aria-hidden": "true" })] : []),
    html("span.unseen", `${words.laneCalled(state, i)} `),
    mark(i),
    html("b", `${won(state, i)}`),
  ]);
