// Rules page: works without a script; this one says when another game has started with other rules.

import { byId } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";

const rulesKey = ({ game: { variant, game_hole, skunk_lines, rules } }) =>
  JSON.stringify([variant, game_hole, skunk_lines, Object.entries(rules).sort()]);

const table = new TableStream(firstState());
const shown = rulesKey(table.state);
const another = new URLSearchParams(location.search).has("variant");

followTable(table, (state) => {
  byId("changed").hidden = another || rulesKey(state) === shown;
});
