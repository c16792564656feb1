// Rules page: works without a script; this one says when another game has started with other rules.

import { byId } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";

const rulesKey = ({ game: { variant, preset, game_hole, skunk_lines, rules } }) =>
  JSON.stringify([variant, preset, game_hole, skunk_lines, Object.entries(rules).sort()]);

const table = new TableStream(firstState());
const shown = rulesKey(table.state);
const asked = new URLSearchParams(location.search);
const another = asked.has("variant") || asked.has("preset");

followTable(table, (state) => {
  byId("changed").hidden = another || rulesKey(state) === shown;
});
