// History page: stored games, newest first, grouped by match, older ones on request; and the import of a file.

import { mark } from "../board/shapes.js";
import { byId, fetchJson, html, refusalNodes, t, withQuery, writeById } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { factTexts, gameResultText, isChangedElsewhere, leadingLane, marks, periodText } from "../words/games.js";
import { rulesText } from "../words/rules.js";

const AT_ONCE = 20; // games
const LONGEST_PAGE = 100; // most games that the server sends at once

const table = new TableStream(firstState());
let games = [];
let before = null;
let requests = 0; // only the response to the newest is shown

const player = () => new URLSearchParams(location.search).get("player") ?? "";

/** The running game from the stream. */
function liveCard(card, { game, lanes }) {
  if (card.id !== game.id) return card;
  return { ...card, over: game.over, winner: game.winner, fronts: lanes.map(({ front }) => front), skunks: lanes.map(({ skunks }) => skunks), deals: game.deal };
}

const page = (limit, from) => fetchJson(withQuery("/api/v1/games", { limit, before: from, player: player() }));

/**
 * At least `many` games played before `from`, up to the game `through` and to the end of a match, so that its games can
 * be counted.
 */
async function pagesFrom(from, many, through) {
  const enough = (read) => read.length >= many && (!through || read.some(({ id }) => id === through));
  let found = { games: [], before: from };
  do {
    const { ok, body } = await page(Math.min(LONGEST_PAGE, Math.max(AT_ONCE, many - found.games.length)), found.before);
    if (!ok) return { problem: body };
    found = { games: [...found.games, ...body.games], before: body.before };
  } while (found.before !== null && !enough(found.games));
  return wholeMatch(found);
}

/** The same with the rest of the last match. */
async function wholeMatch(found) {
  const { games: read, before: from } = found;
  const last = read.at(-1);
  if (from === null || !isMatch(last)) return found;
  const { ok, body } = await page(AT_ONCE, from);
  if (!ok) return { problem: body };
  const end = body.games.findIndex(({ match }) => match !== last.match);
  if (end < 0) return wholeMatch({ games: [...read, ...body.games], before: body.before });
  const whole = [...read, ...body.games.slice(0, end)];
  return { games: whole, before: whole.at(-1).id };
}

async function load({ many = AT_ONCE, through = null, more = false } = {}) {
  const nth = ++requests;
  const found = await pagesFrom(more ? before : "", many, through);
  if (nth !== requests) return;
  showTrouble(found.problem ?? null);
  if (found.problem) return;
  games = more ? [...games, ...found.games] : found.games;
  before = found.before;
  show();
  if (more) rowOf(found.games[0]?.id ?? "")?.querySelector("a").focus();
}

/** Reload what is shown, keeping the scroll position and the focus. */
async function reload() {
  const read = [...document.querySelectorAll(".game-row")].find((one) => one.getBoundingClientRect().bottom > 0);
  const top = read?.getBoundingClientRect().top;
  const focused = document.activeElement.closest(".game-row")?.dataset.game;
  await load({ many: Math.max(AT_ONCE, games.length + 1), through: games.at(-1)?.id });
  if (focused) rowOf(focused)?.querySelector("a").focus({ preventScroll: true });
  const now = scrollY && read && rowOf(read.dataset.game);
  if (now) scrollBy({ top: now.getBoundingClientRect().top - top, behavior: "instant" });
}

const rowOf = (game) => byId("games").querySelector(`[data-game="${CSS.escape(game)}"]`);

function showTrouble(problem) {
  byId("trouble").hidden = !problem;
  byId("trouble").replaceChildren(...(problem ? refusalNodes(problem) : []));
}

function show() {
  byId("games").replaceChildren(...groupByMatch(games).map(group));
  byId("older").hidden = before === null;
  byId("empty").hidden = games.length > 0;
  byId("empty").replaceChildren(...(games.length ? [] : emptyNodes()));
  byId("names").replaceChildren(...[...new Set(games.flatMap(({ players, substitutes = [] }) => [...players, ...substitutes.map(({ name }) => name)]))].map((name) => html("option", { value: name })));
}

const emptyNodes = () =>
  player() ? [t("history.none_of", { name: player() })] : [t("history.empty"), " ", html("a", { href: "/" }, t("history.to_pad"))];

/** A row of games without a set end is not a match. */
const isMatch = ({ format }) => format !== "open";

/** Group adjacent games of a match. */
function groupByMatch(cards) {
  const found = [];
  for (const card of cards) {
    const [before] = found.at(-1) ?? [];
    if (isMatch(card) && before?.match === card.match) found.at(-1).push(card);
    else found.push([card]);
  }
  return found;
}

function group(cards) {
  if (cards.length === 1) return html("li", row(cards[0]));
  const title = t("history.match", { n: cards.length });
  return html("li.match", html("h2", title), html("ol", { "aria-label": title }, ...cards.map((card) => html("li", row(card)))));
}

function row(given) {
  const card = liveCard(given, table.state);
  const lane = leadingLane(card);
  return html("article.game-row", { "data-game": card.id },
    html("span.stands", ...(lane === null ? [] : [mark(lane)])),
    html("a", { href: `/history/${encodeURIComponent(card.id)}` }, gameResultText(card)),
    html("p.names", ...card.players.flatMap((name, i) => [...(i ? [" "] : []), html("span", html("bdi", name), i < card.players.length - 1 ? "," : "")])),
    html("p.facts", [periodText(card), ...factTexts(card, rulesText(card))].join(" · ")),
    html("p.marks", ...marks(card).map(({ kind, text }) => html(`span.tag.${kind}`, text))));
}

/** Refresh only the running game's row: the others, and the focus, stay. */
function refresh() {
  const card = games.find(({ id }) => id === table.state.game.id);
  const old = card && rowOf(card.id);
  if (!old || old.contains(document.activeElement)) return;
  old.replaceWith(row(card));
}

byId("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  choose(byId("player").value.trim());
});
byId("everybody").addEventListener("click", () => choose(""));
addEventListener("popstate", () => showChoice());
byId("older").addEventListener("click", () => load({ more: true }));

function choose(name) {
  history.pushState(null, "", withQuery("/history", { player: name }));
  showChoice();
}

function showChoice() {
  byId("player").value = player();
  byId("everybody").hidden = !player();
  load();
}

// --- import ---

const importText = (report) =>
  [
    t("history.imported", {
      games: report.games,
      events: t("history.imported_events", { n: report.events }),
      skipped: t("history.imported_skipped", { n: report.skipped }),
    }),
    report.continued && t("history.imported_further", report),
    report.differing && t("history.imported_otherwise", report),
  ].filter(Boolean).join(" ");

const closed = { viewer: "history.import_viewer", scorer: "history.import_scorer" }[document.body.dataset.role];

async function importFile() {
  const [file] = byId("file").files;
  if (closed || !file) return writeById("imported", t(closed ?? "history.import_choose"));
  writeById("imported", t("history.importing", { file: file.name }));
  const { ok, body } = await fetchJson("/api/v1/import", { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: file }, 120_000);
  byId("imported").replaceChildren(...(ok ? [importText(body)] : refusalNodes(body)));
  byId("imported").scrollIntoView({ block: "nearest" });
  if (!ok) return;
  byId("import").reset();
  reload();
}

byId("import").addEventListener("submit", (event) => {
  event.preventDefault();
  importFile();
});
if (closed) {
  byId("import-key").setAttribute("aria-disabled", "true");
  byId("file").disabled = true;
  writeById("imported", t(closed));
}

followTable(table, (state, { before: old }) => {
  if (state.game.id !== old.game.id || state.game.over !== old.game.over || isChangedElsewhere(state, old)) reload();
  else if (state.revision !== old.revision) refresh();
});
showChoice();
