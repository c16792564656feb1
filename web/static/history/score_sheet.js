// The score sheet of a game, deal by deal: as a table where there is room, as a list on a phone.

import { html } from "../lib/dom.js";
import { asState, percent } from "../words/games.js";
import { mark } from "../board/pegs.js";
import { whyOf } from "../words/entries.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const COLUMN = { hand: "hand", crib: "crib", play: "play", go: "play", "thirty-one": "play", heels: "play" };

/** Under which column the points of a line stand. */
const columnOf = (entry) => (entry.do === "score" ? (COLUMN[whyOf(entry)] ?? "other") : "other");

/** The points a line said at first, and those it counts now; null where they are the same. */
export function correction(entry) {
  if (!entry.stands || !Number.isInteger(entry.points)) return null;
  if (entry.do !== "score" && entry.do !== "penalty") return null;
  const was = entry.history?.find(({ was: points }) => Number.isInteger(points))?.was ?? entry.points;
  const now = entry.truth ?? entry.points;
  return was === now ? null : { was, now };
}

/** The deal in which each line counts. */
export const dealsOf = ({ steps }) => new Map(steps.filter(({ entry }) => entry !== null).map(({ entry, deal }) => [entry, deal]));

/** How much more each cell once said: "deal lane column" to holes. */
function struckIn(game) {
  const deals = dealsOf(game);
  const struck = new Map();
  for (const entry of game.entries) {
    const put = correction(entry);
    if (!put || !deals.has(entry.id)) continue;
    const key = `${deals.get(entry.id)} ${entry.lane} ${columnOf(entry)}`;
    struck.set(key, (struck.get(key) ?? 0) + put.was - put.now);
  }
  return struck;
}

/** What a sheet shows: its columns, and for each deal and lane their numbers with the old ones. */
function sheetOf(game) {
  const struck = struckIn(game);
  const hasOther = game.deals_played.some(({ lanes }) => lanes.some(({ other, unknown }) => other || unknown));
  const columns = ["play", "hand", "crib", ...(hasOther ? ["other"] : [])];
  const rows = game.deals_played.map(({ deal, dealer, whole, sure, lanes }) => ({
    deal, dealer, sure,
    lanes: lanes.map((cells, lane) => {
      const deals = dealer !== null && game.lanes[dealer] === lane;
      const told = columns.map((column) => {
        const points = column === "other" ? cells.other + cells.unknown : cells[column];
        const off = struck.get(`${deal} ${lane} ${column}`) ?? 0;
        return { column, points, was: off ? points + off : null, empty: !points && !off && isOpen(column, whole, deals) };
      });
      return { score: cells.score, gained: cells.play + cells.hand + cells.crib + cells.other + cells.unknown, deals, cells: told };
    }),
  }));
  return { columns, rows };
}

/** A zero that was never counted is left empty: another's crib, and what a deal that was cut short did not reach. */
const isOpen = (column, whole, deals) => column === "other" || (column === "crib" && !deals) || !whole;

const number = ({ points, was, empty }) =>
  was === null ? [empty ? "" : `${points}`] : [html("s", { "aria-hidden": "true" }, `${was}`), html("span.unseen", t("history.was", { points: was })), ` ${points}`];

const dealerMark = (title) => html("b.d", { title }, t("history.d"));

/** How likely it is that a deal's points were for this, where that is not certain. */
const unsureMark = (sure) => (sure < words.SURE ? [html("small.how-sure", { title: t("history.sure_deal", { n: percent(sure) }) }, html("span", { "aria-hidden": "true" }, "?"), html("span.unseen", t("history.sure_deal", { n: percent(sure) })))] : []);

/** Of partners the D does not tell which one has dealt. */
const whoDealt = ({ players, fronts }, state, dealer) =>
  players.length > fronts.length && dealer !== null ? [html("small", html("bdi", words.called(state, dealer)))] : [];

/** Fill the table. */
export function fillTable(table, game) {
  const { columns, rows } = sheetOf(game);
  const state = asState(game);
  const heads = [...columns, "score"];
  const names = state.lanes.map((_, lane) =>
    html("th.player", { scope: "colgroup", colspan: heads.length }, html("span.who", mark(lane), html("span.name", { dir: "auto", title: words.laneName(state, lane) }, words.laneName(state, lane)))));
  const row = ({ deal, dealer, sure, lanes }) => html("tr", html("th", { scope: "row" }, `${deal}`, ...unsureMark(sure), ...whoDealt(game, state, dealer)), ...lanes.flatMap((lane) => [
    ...lane.cells.map((cell) => html("td", ...(cell.column === "crib" && lane.deals ? [dealerMark(t("history.dealer", { name: words.called(state, dealer) })), " "] : []), ...number(cell))),
    html("td.score", `${lane.score}`),
  ]));
  table.className = `score-sheet of${state.lanes.length}${game.players.length > state.lanes.length ? " partners" : ""}`;
  table.replaceChildren(
    html("thead",
      html("tr", html("th.deal", { scope: "col", rowspan: 2 }, t("history.deal")), ...names),
      html("tr", ...state.lanes.flatMap(() => heads.map((column) => html("th", { scope: "col", class: column === "score" ? "score" : null }, t(`history.${column}`)))))),
    html("tbody", ...rows.map(row)));
}

/** Fill the list: the newest deal first. */
export function fillList(list, game) {
  const { rows } = sheetOf(game);
  const state = asState(game);
  const part = ({ column, ...cell }) => (cell.empty || (!cell.points && cell.was === null && column === "other") ? [] : [html("span", `${t(`history.${column}_in`)} `, ...number(cell))]);
  const lane = (one, i, dealer) => html("div.lane-of-deal",
    html("span.who", mark(i), html("span.unseen", words.laneCalled(state, i)), html("b", `${one.score}`), html("span.gained", one.gained < 0 ? `−${-one.gained}` : `+${one.gained}`), ...(one.deals ? [dealerMark(t("history.dealer", { name: words.called(state, dealer) })), ...whoDealt(game, state, dealer)] : [])),
    html("span.parts-of-deal", ...one.cells.flatMap(part)));
  list.replaceChildren(...[...rows].reverse().map(({ deal, dealer, sure, lanes }) =>
    html("li", { "aria-label": t("history.deal_n", { deal }) }, html("span.deal-number", `${deal}`, ...unsureMark(sure)), ...lanes.map((one, i) => lane(one, i, dealer)))));
}
