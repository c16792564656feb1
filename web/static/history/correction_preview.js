// What a correction would do, before it is done: the pegs before and after, the result, and what stays.

import { html } from "../lib/dom.js";
import { asState, result } from "../words/games.js";
import { mark } from "../board/pegs.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const moves = (from, to) => `${from} → ${to}`;

/** "69 → 57"; where only the rear peg moves, that too. */
function pegs(before, after, lane) {
  const [from, to] = [before.fronts[lane], after.fronts[lane]];
  if (from !== to) return moves(from, to);
  if (before.rears[lane] === after.rears[lane]) return t("history.stays", { hole: from });
  return t("history.rear_moves", { hole: from, move: moves(before.rears[lane], after.rears[lane]) });
}

const outcome = ({ over, winner, skunks }) => JSON.stringify([over, winner, skunks]);

/** What becomes of the result, in a sentence; "" where there is none before or after. */
function resultSays(game, before, after) {
  const then = result({ ...game, ...after, abandoned: false });
  if (before.over && !after.over) return t("history.open_again");
  if (!after.over) return "";
  return outcome(before) === outcome(after) ? t("history.result_stays", { result: then }) : t("history.result_then", { result: then });
}

/** After a game is given up another stands on the table. */
function onTheTable({ state }) {
  const card = { players: state.seats.map(({ name }) => name), lanes: state.seats.map(({ lane }) => lane), fronts: state.lanes.map(({ front }) => front), skunks: state.lanes.map(({ skunks }) => skunks), lurch: state.game.rules.lurch, ...state.game };
  return t("history.then_table", { result: result(card) });
}

/** The preview of a table's answer for `game`. */
export function previewNodes(game, answer) {
  const { before, after, note, state } = answer;
  const table = asState(game);
  const gone = state.game.id !== game.id && game.running;
  const rows = gone ? [] : before.fronts.map((_, lane) =>
    html("li", html("span.who", mark(lane), html("bdi", words.laneName(table, lane))), html("b", pegs(before, after, lane))));
  const says = gone ? onTheTable(answer) : resultSays(game, before, after);
  return [
    html("ul.preview", ...rows),
    ...(says ? [html("p.outcome", says)] : []),
    ...(note ? [html("p.stays-note", words.fencedIn(note))] : []),
  ];
}
