// The rules page needs no script; with one it says when another game has begun by other rules.

import { byId } from "../lib/dom.js";
import { follow } from "../live/page.js";
import { firstState, Table } from "../live/table_stream.js";

const played = ({ game: { variant, game_hole, skunk_lines, rules } }) =>
  JSON.stringify([variant, game_hole, skunk_lines, Object.entries(rules).sort()]);

const table = new Table(firstState());
const shown = played(table.state);
const another = new URLSearchParams(location.search).has("variant");

follow(table, (state) => {
  byId("changed").hidden = another || played(state) === shown;
});
