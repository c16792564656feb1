// Game page: result, score sheet, graph, figures and the audit trail of its lines; live while the game runs.

import { lanesClass, mark } from "../board/shapes.js";
import { byId, fetchJson, html, refusalNodes, set, t, textOr, writeById } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { asState, clockTime, factTexts, formatFigure, gameResultText, isChangedElsewhere, leadingLane, marks, percent, periodText, sureTexts } from "../words/games.js";
import { rulesText } from "../words/rules.js";
import { certificateOf, entryNodes, entryText, fateText, isolateNames, isRuling, isVoid, laneName, laneShortName, laneThen, nameThen, PARTNERS, reasonOf, shortName, SURE } from "../words/state.js";
import { openCorrection, role, tableMoved, whyNotCorrectable } from "./correction_dialog.js";
import { drawGraph } from "./graph.js";

const cell = (title, value, under) => html("div", html("dt", ...title), html("dd", html("b", value), ...(under ? [html("small", under)] : [])));

const parText = ({ deals, par }) => [par === null ? "" : t("history.par", { par: formatFigure(par) }), t("history.deals", { n: deals })].filter(Boolean).join(", ");

/** Everyone who played in a lane: "Ann, Cy" if Cy took over. */
function lanePeople({ figures: { parts } }, state, lane) {
  const own = parts.filter((part) => part.lane === lane);
  return own.length > 1 ? own.map(({ names }) => isolateNames(names.join(PARTNERS))).join(", ") : laneShortName(state, lane);
}

function laneCells(game, state, { dealer, pone }, lane) {
  const name = lanePeople(game, state, lane);
  return [["dealing", dealer], ["ponede", pone]].filter(([, part]) => part.deals).map(([kind, part]) =>
    cell([mark(lane), " ", html("span", t(kind === "dealing" ? "history.dealing" : "history.as_pone", { name }))], formatFigure(part.average), parText(part)));
}

function bestHandCells(state, { best_hands: [hand] }) {
  if (!hand) return [];
  const what = t(hand.why === "crib" ? "history.best_crib" : "history.best_hand");
  const whose = t("history.whose_deal", { name: hand.by === undefined ? laneShortName(state, hand.lane) : isolateNames(hand.by), deal: hand.deal });
  return [cell([what], `${hand.points}`, [whose, ...sureTexts(hand.sure)].join(", "))];
}

const leadCells = (game, state, { lead_changes: changes, greatest_lead: most }) => {
  if (state.lanes.length < 2) return [];
  const ahead = Math.max(...most);
  const holder = most.indexOf(ahead);
  return [
    cell([t("history.lead_changed")], t("history.times", { n: changes })),
    ...(ahead ? [cell([t("history.greatest_lead")], `${ahead}`, lanePeople(game, state, holder))] : []),
  ];
};

/** What each pegged, if somebody took over. */
const partCells = ({ parts }, { substitutes = [] }) => (substitutes.length ? parts : []).map(({ names, lane, holes, deals }) =>
  cell([mark(lane), " ", html("bdi", names.join(PARTNERS))], t("words.holes", { n: holes }), t("history.deals", { n: deals })));

/** Fill the list of figures. */
function fillFigures(list, game) {
  const state = asState(game);
  const { lanes } = game.figures;
  list.replaceChildren(...partCells(game.figures, game), ...lanes.flatMap((one, lane) => laneCells(game, state, one, lane)), ...bestHandCells(state, game.figures), ...leadCells(game, state, game.figures));
}

/** How much the averages leave out, in words. */
function leftOutText({ unfinished, unknown, points }) {
  return [
    unfinished ? t("history.left_unfinished", { n: unfinished }) : "",
    unknown ? t("history.left_unknown", { n: unknown }) : "",
    points ? t("history.left_points", { n: points }) : "",
  ].filter(Boolean).join(" ");
}

// --- score sheet ---

const COLUMN = { hand: "hand", crib: "crib", play: "play", go: "play", "thirty-one": "play", heels: "play" };

/** The column for a line's points. */
const columnOf = (entry) => (entry.do === "score" ? (COLUMN[reasonOf(entry)] ?? "other") : "other");

/** A line's original points, and those it counts now; null if they are the same. */
function correction(entry) {
  if (!entry.stands || !Number.isInteger(entry.points)) return null;
  if (entry.do !== "score" && entry.do !== "penalty") return null;
  const was = entry.history?.find(({ was: points }) => Number.isInteger(points))?.was ?? entry.points;
  const now = entry.truth ?? entry.points;
  return was === now ? null : { was, now };
}

/** The deal in which each line counts. */
const dealsOf = ({ steps }) => new Map(steps.filter(({ entry }) => entry !== null).map(({ entry, deal }) => [entry, deal]));

/** How many more holes each cell once had: "deal lane column" to holes. */
function struckPoints(game) {
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

/** The content of a score sheet: its columns, and for each deal and lane the current and former numbers. */
function sheetOf(game) {
  const struck = struckPoints(game);
  const hasOther = game.deals_played.some(({ lanes }) => lanes.some(({ other, unknown }) => other || unknown));
  const columns = ["play", "hand", "crib", ...(hasOther ? ["other"] : [])];
  const rows = game.deals_played.map(({ deal, dealer, whole, sure, lanes }) => ({
    deal, dealer, sure,
    lanes: lanes.map((cells, lane) => {
      const deals = dealer !== null && game.lanes[dealer] === lane;
      const numbers = columns.map((column) => {
        const points = column === "other" ? cells.other + cells.unknown : cells[column];
        const off = struck.get(`${deal} ${lane} ${column}`) ?? 0;
        return { column, points, was: off ? points + off : null, empty: !points && !off && isOpen(column, whole, deals) };
      });
      return { score: cells.score, gained: cells.play + cells.hand + cells.crib + cells.other + cells.unknown, deals, cells: numbers };
    }),
  }));
  return { columns, rows };
}

/** A zero that was never counted is left empty: the other player's crib, and what a cut-short deal did not reach. */
const isOpen = (column, whole, deals) => column === "other" || (column === "crib" && !deals) || !whole;

const numberNodes = ({ points, was, empty }) =>
  was === null ? [empty ? "" : `${points}`] : [html("s", { "aria-hidden": "true" }, `${was}`), html("span.unseen", t("history.was", { points: was })), ` ${points}`];

const dealerMark = (title) => html("b.d", { title }, t("history.d"));

/** How likely a deal's points were for this, if that is not certain. */
const unsureMark = (sure) => (sure < SURE ? [html("small.how-sure", { title: t("history.sure_deal", { n: percent(sure) }) }, html("span", { "aria-hidden": "true" }, "?"), html("span.unseen", t("history.sure_deal", { n: percent(sure) })))] : []);

/** For partners, D does not say which of them dealt. */
const whoDealt = ({ players, fronts }, state, dealer) =>
  players.length > fronts.length && dealer !== null ? [html("small", html("bdi", shortName(state, dealer)))] : [];

/** Fill the score sheet as a table. */
function fillTable(table, game) {
  const { columns, rows } = sheetOf(game);
  const state = asState(game);
  const heads = [...columns, "score"];
  const columnName = (lane) => (game.substitutes ? lanePeople(game, state, lane) : laneName(state, lane));
  const names = state.lanes.map((_, lane) =>
    html("th.player", { scope: "colgroup", colspan: heads.length }, html("span.who", mark(lane), html("span.name", { dir: "auto", title: columnName(lane) }, columnName(lane)))));
  const row = ({ deal, dealer, sure, lanes }) => html("tr", html("th", { scope: "row" }, `${deal}`, ...unsureMark(sure), ...whoDealt(game, state, dealer)), ...lanes.flatMap((lane) => [
    ...lane.cells.map((cell) => html("td", ...(cell.column === "crib" && lane.deals ? [dealerMark(t("history.dealer", { name: shortName(state, dealer) })), " "] : []), ...numberNodes(cell))),
    html("td.score", `${lane.score}`),
  ]));
  table.className = `score-sheet ${lanesClass(state)}${game.players.length > state.lanes.length ? " partners" : ""}`;
  table.replaceChildren(
    html("thead",
      html("tr", html("th.deal", { scope: "col", rowspan: 2 }, t("history.deal")), ...names),
      html("tr", ...state.lanes.flatMap(() => heads.map((column) => html("th", { scope: "col", class: column === "score" ? "score" : null }, t(`history.${column}`)))))),
    html("tbody", ...rows.map(row)));
}

/** Fill the score sheet as a list: the newest deal first. */
function fillList(list, game) {
  const { rows } = sheetOf(game);
  const state = asState(game);
  const part = ({ column, ...cell }) => (cell.empty || (!cell.points && cell.was === null && column === "other") ? [] : [html("span", t(`history.${column}_in`), " ", ...numberNodes(cell))]);
  const lane = (one, i, dealer) => html("div.lane-of-deal",
    html("span.who", mark(i), html("span.unseen", laneShortName(state, i)), html("b", `${one.score}`), html("span.gained", one.gained < 0 ? `−${-one.gained}` : `+${one.gained}`), ...(one.deals ? [dealerMark(t("history.dealer", { name: shortName(state, dealer) })), ...whoDealt(game, state, dealer)] : [])),
    html("span.parts-of-deal", ...one.cells.flatMap(part)));
  list.classList.toggle("of4", game.fronts.length > 3);
  list.replaceChildren(...[...rows].reverse().map(({ deal, dealer, sure, lanes }) =>
    html("li", { "aria-label": t("history.deal_n", { deal }) }, html("span.deal-number", `${deal}`, ...unsureMark(sure)), ...lanes.map((one, i) => lane(one, i, dealer)))));
}

// --- audit trail ---

const SOURCES = new Set(["button", "keypad", "keyboard", "phone", "program", "table", "terminal", "hub"]);

const sourceName = ({ source }) => (SOURCES.has(source) ? t(`history.door_${source}`) : source);

/** "phone, 20:24" */
const sourceAndTime = (done) => t("history.door_time", { door: sourceName(done), time: clockTime(done.at) });

/** The content of a line before it was corrected: "5", "5, hand", "Ann". */
const textBefore = (state, entry, { was, was_why: reason, was_seat: seat, was_lane: lane }) => [
  ...(Number.isInteger(was) ? [`${was}`] : []),
  ...(reason === undefined ? [] : [reason === null ? t("history.reason_unsaid") : textOr(`words.why_${reason}`, reason)]),
  ...(lane === undefined ? [] : [seat === null ? laneThen(state, lane, entry) : nameThen(state, seat, entry)]),
].join(", ");

const changeNode = (state, entry) => ({ did, ...done }) =>
  html("li", did === "amend" ? t("history.did_amend", { points: textBefore(state, entry, done), door: sourceAndTime(done) }) : t(`history.did_${did}`, { door: sourceAndTime(done) }));

/** The ruling on a line. */
function rulingNodes(entry) {
  if (!entry.ruled_by) return [];
  return [html("li", t("history.under_ruling", { line: entry.ruled_by }))];
}

/** The deal of each line: if it counts, from the steps, else the deal that ran when it was made. */
function dealOfEach(game) {
  const counted = dealsOf(game);
  const found = new Map();
  let deal = 1;
  for (const entry of [...game.entries].reverse()) {
    deal = counted.get(entry.id) ?? deal;
    found.set(entry.id, deal);
  }
  return found;
}

function certificateLink(game, entry) {
  const href = certificateOf(game.id, entry);
  return href ? [html("li", html("a", { href }, t("certificate.link")))] : [];
}

function entryRow(game, state, entry, act) {
  const struck = !entry.stands || isVoid(entry);
  const moved = entry.counts && Number.isInteger(entry.from) && entry.from !== entry.to;
  const trail = [...(entry.history ?? []).map(changeNode(state, entry)), ...rulingNodes(entry)];
  return html("li.entry", { id: `line-${entry.id}`, class: struck ? "entry struck" : "entry" },
    html("span.line-number", entry.id),
    html("span.stands", ...(Number.isInteger(entry.lane) ? [mark(entry.lane)] : [])),
    html("p.what-line", html(struck ? "s" : "b", ...entryNodes(entryText(state, entry), entry)), ...(fateText(entry) ? [" ", html("span.fate", fateText(entry))] : [])),
    html("p.moved", moved ? `${entry.from} → ${entry.to}` : ""),
    html("p.door", sourceAndTime(entry)),
    html("ul.trail", ...trail, ...certificateLink(game, entry)),
    ...(act ? [act(entry)] : []));
}

/** A corrected name: not a line of the score sheet, but an event of this game or of another one of its match. */
const renamingRow = (game, { seat, from, to, ...done }) =>
  html("li.entry.renaming",
    html("span.line-number"), html("span.stands", mark(game.lanes[seat])),
    html("p.what-line", html("b", renamingText({ from, to }))),
    html("p.moved"), html("p.door", sourceAndTime(done)), html("ul.trail"));

const renamingText = ({ from, to }) => t("history.renamed", { former: isolateNames(from), name: isolateNames(to) });

/** Corrected names after a line, newest first. */
const renamingsAfter = (game, id) => game.renamings.filter(({ after }) => after === id).reverse().map((one) => renamingRow(game, one));

/** Fill the audit trail; `act(entry)` makes the key beside a line, if there is one. */
function fillEntries(list, game, act) {
  const state = asState(game);
  const deals = dealOfEach(game);
  let deal = null;
  list.replaceChildren(...game.entries.flatMap((entry) => {
    const heading = deals.get(entry.id) === deal ? [] : [html("li.of-deal", html("h3", t("history.deal_n", { deal: deals.get(entry.id) })))];
    deal = deals.get(entry.id);
    return [...heading, ...renamingsAfter(game, entry.id), entryRow(game, state, entry, act)];
  }), ...renamingsAfter(game, "0"));
}

/** All corrections, one sentence each, oldest first, for below the score sheet. */
function correctionNotes(game) {
  const state = asState(game);
  const deals = dealOfEach(game);
  return [...game.entries].reverse().flatMap((entry) => {
    const deal = deals.get(entry.id);
    const amended = correction(entry) && entry.history?.findLast(({ did }) => did === "amend");
    if (amended) {
      const { was, now } = correction(entry);
      return [t("history.note_amended", { deal, line: entryText(state, entry), was, now, door: sourceAndTime(amended) })];
    }
    if (!isRuling(entry) || !entry.stands) return [];
    return [t("history.note_ruling", { deal, line: entryText(state, entry), door: sourceAndTime(entry) })];
  }).concat(game.renamings.map((one) => t("history.note_renamed", { said: renamingText(one), door: sourceAndTime(one) })));
}

/** A note on points without a reason, for the score sheet. */
function unknownNote(game) {
  const points = game.deals_played.reduce((sum, { lanes }) => sum + lanes.reduce((all, { unknown }) => all + unknown, 0), 0);
  return points ? [t("history.note_unknown", { n: points })] : [];
}

// --- the page ---

const PAPER = 700; // px across, as drawn for print

const table = new TableStream(firstState());
const wantedGame = byId("game").dataset.game;
let game = null;
let loads = 0;

const id = () => (wantedGame === "now" ? table.state.game.id : wantedGame);

async function load() {
  const asking = ++loads;
  const { ok, body } = await fetchJson(`/api/v1/games/${encodeURIComponent(id())}`);
  if (asking !== loads) return;
  byId("trouble").hidden = ok;
  byId("trouble").replaceChildren(...(ok ? [] : refusalNodes(body)));
  if (!ok) return;
  game = body;
  show();
}

function show() {
  const lane = leadingLane(game);
  const sentence = gameResultText(game);
  document.title = `${sentence} · pegboard`;
  byId("parts").hidden = false;
  writeById("when", [periodText(game), ...factTexts(game, rulesText(game))].join(" · "));
  writeById("result", sentence);
  byId("result-mark").replaceChildren(...(lane === null ? [] : [mark(lane, "large")]));
  byId("marks").replaceChildren(...marks(game).map(({ kind, text }) => html(`span.tag.${kind}`, text)));
  set(byId("csv"), "href", `/api/v1/games/${encodeURIComponent(game.id)}.csv`);
  byId("result-code").hidden = !game.pairing;
  set(byId("result-code"), "href", `/event/${encodeURIComponent(game.id)}`);
  fillTable(byId("score-sheet"), game);
  fillList(byId("deal-list"), game);
  for (const list of ["sheet-notes", "deal-notes"]) byId(list).replaceChildren(...[...correctionNotes(game), ...unknownNote(game)].map((note) => html("li", note)));
  fillFigures(byId("figures"), game);
  writeById("left-out", leftOutText(game.figures.left_out));
  showEntries();
  showGraph();
  showSignatures();
  const closed = whyNotCorrectable(game);
  set(byId("correct-key"), "aria-disabled", closed ? "true" : null);
  if (!closed) writeById("correct-closed", "");
}

function showEntries() {
  const open = document.activeElement?.dataset?.line;
  writeById("entry-count", t("history.lines", { n: game.entries.length }));
  fillEntries(byId("entry-list"), game, whyNotCorrectable(game) ? null : correctionKey);
  if (open) byId("entry-list").querySelector(`[data-line="${open}"]`)?.focus();
}

const correctionKey = (entry) =>
  html("button.key", { type: "button", "data-line": entry.id, "aria-label": t("history.correct_line", { line: entry.id }) }, t("history.correct_short"));

/** Draw the graph, as wide as there is room. */
function showGraph(width = Math.floor(byId("graph").parentElement.clientWidth)) {
  if (!game || width < 100) return;
  drawGraph(byId("graph"), game, width);
  const state = asState(game);
  const course = state.lanes.map((_, lane) => t("history.course", { name: laneShortName(state, lane), holes: game.deals_played.map(({ lanes }) => lanes[lane].score).join(", ") }));
  byId("graph").setAttribute("aria-label", [t("history.graph_says"), ...course].join(" "));
}

/** Lines to sign on paper, if the players confirm the result. */
function showSignatures() {
  const { confirm } = game.rules;
  byId("signatures").hidden = !confirm;
  byId("signatures").replaceChildren(...(confirm ? game.players.map((name) => html("p", html("span.signature"), html("bdi", name))) : []));
}

new ResizeObserver(() => showGraph()).observe(byId("graph").parentElement);
addEventListener("beforeprint", () => showGraph(PAPER));
addEventListener("afterprint", () => showGraph());

byId("print").addEventListener("click", () => print());
byId("correct-key").addEventListener("click", () => beginCorrection(null));
byId("entry-list").addEventListener("click", (event) => {
  const line = event.target.closest("[data-line]")?.dataset.line;
  if (line) beginCorrection(line);
});
addEventListener("hashchange", unfoldEntries);

/** Unfold the lines for a link to them, or to one. */
function unfoldEntries() {
  if (/^#(entries|line-)/u.test(location.hash)) byId("entries").open = true;
}
unfoldEntries();

async function beginCorrection(line) {
  if (!game) await load();
  const closed = game && whyNotCorrectable(game);
  if (closed) return byId("correct-closed").replaceChildren(...closed);
  if (game) openCorrection({ game: () => game, table, reload: load, line });
}

/** Whether a new state may have changed this game: a new line, a correction of an earlier game, another game. */
function concernsGame(state, before) {
  if (state.game.id !== before.game.id || state.epoch !== before.epoch) return true;
  return id() === state.game.id ? state.revision !== before.revision : isChangedElsewhere(state, before);
}

role.follow(() => game && show());
followTable(table, (state, { before }) => {
  if (!concernsGame(state, before)) return;
  load().then(tableMoved);
});
load();
