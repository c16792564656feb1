// The page of one game: its result, sheet, picture, figures and every line; live while it is on the table.

import { closedFor, correct, moved as tableMoved, role } from "./corrections.js";
import { changedBeside } from "./changed_beside.js";
import { byId, html, say, set } from "../lib/dom.js";
import { fetched, refusal } from "../lib/http.js";
import { follow } from "../live/page.js";
import { fillEntries, notes, unknownNote } from "./audit_trail.js";
import { fillFigures, leftOut } from "./figures.js";
import { fillList, fillTable } from "./score_sheet.js";
import { asState, facts, laneOf, marks, result, when } from "../words/games.js";
import { drawGraph } from "./graph.js";
import { mark } from "../board/pegs.js";
import { firstState, Table } from "../live/table_stream.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const PAPER = 700; // px across, as drawn for print

const table = new Table(firstState());
const wanted = byId("game").dataset.game;
let game = null;
let nth = 0;

const id = () => (wanted === "now" ? table.state.game.id : wanted);

async function load() {
  const asking = ++nth;
  const { ok, body } = await fetched(`/api/v1/games/${encodeURIComponent(id())}`);
  if (asking !== nth) return;
  byId("trouble").hidden = ok;
  byId("trouble").replaceChildren(...(ok ? [] : refusal(body)));
  if (!ok) return;
  game = body;
  show();
}

function show() {
  const lane = laneOf(game);
  const sentence = result(game);
  document.title = `${sentence} · pegboard`;
  byId("parts").hidden = false;
  say("when", [when(game), ...facts(game)].join(" · "));
  say("result", sentence);
  byId("result-mark").replaceChildren(...(lane === null ? [] : [mark(lane, "large")]));
  byId("marks").replaceChildren(...marks(game).map(({ kind, text }) => html(`span.tag.${kind}`, text)));
  set(byId("csv"), "href", `/api/v1/games/${encodeURIComponent(game.id)}.csv`);
  fillTable(byId("score-sheet"), game);
  fillList(byId("deal-list"), game);
  for (const list of ["sheet-notes", "deal-notes"]) byId(list).replaceChildren(...[...notes(game), ...unknownNote(game)].map((note) => html("li", note)));
  fillFigures(byId("figures"), game);
  say("left-out", leftOut(game.figures.left_out));
  showEntries();
  picture();
  sign();
  const closed = closedFor(game);
  set(byId("correct-key"), "aria-disabled", closed ? "true" : null);
  if (!closed) say("correct-closed", "");
}

function showEntries() {
  const open = document.activeElement?.dataset?.line;
  say("entry-count", t("history.lines", { n: game.entries.length }));
  fillEntries(byId("entry-list"), game, closedFor(game) ? null : key);
  if (open) byId("entry-list").querySelector(`[data-line="${open}"]`)?.focus();
}

const key = (entry) =>
  html("button.key", { type: "button", "data-line": entry.id, "aria-label": t("history.correct_line", { line: entry.id }) }, t("history.correct_short"));

/** The picture, as wide as it stands here. */
function picture(width = Math.floor(byId("graph").parentElement.clientWidth)) {
  if (!game || width < 100) return;
  drawGraph(byId("graph"), game, width);
  const state = asState(game);
  const course = state.lanes.map((_, lane) => t("history.course", { name: words.laneCalled(state, lane), holes: game.deals_played.map(({ lanes }) => lanes[lane].score).join(", ") }));
  byId("graph").setAttribute("aria-label", [t("history.graph_says"), ...course].join(" "));
}

/** Lines to sign on paper, where the players confirm the result. */
function sign() {
  const { confirm } = game.rules;
  byId("signatures").hidden = !confirm;
  byId("signatures").replaceChildren(...(confirm ? game.players.map((name) => html("p", html("span.signature"), html("bdi", name))) : []));
}

new ResizeObserver(() => picture()).observe(byId("graph").parentElement);
addEventListener("beforeprint", () => picture(PAPER));
addEventListener("afterprint", () => picture());

byId("print").addEventListener("click", () => print());
byId("correct-key").addEventListener("click", () => begin(null));
byId("entry-list").addEventListener("click", (event) => {
  const line = event.target.closest("[data-line]")?.dataset.line;
  if (line) begin(line);
});
addEventListener("hashchange", unfold);

/** A link to the lines, or to one, finds them unfolded. */
function unfold() {
  if (/^#(entries|line-)/u.test(location.hash)) byId("entries").open = true;
}
unfold();

async function begin(line) {
  if (!game) await load();
  const closed = game && closedFor(game);
  if (closed) return byId("correct-closed").replaceChildren(...closed);
  if (game) correct({ game: () => game, table, reload: load, line });
}

/** A picture that may have changed this game: a new line of it, a correction of an earlier one, another game. */
function concerns(state, before) {
  if (state.game.id !== before.game.id || state.epoch !== before.epoch) return true;
  return id() === state.game.id ? state.revision !== before.revision : changedBeside(state, before);
}

role.follow(() => game && show());
follow(table, (state, { before }) => {
  if (!concerns(state, before)) return;
  load().then(tableMoved);
});
load();
