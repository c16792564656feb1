// The page of the games that are kept: newest first, matches together, older ones on request.

import { changedBeside } from "./changed_beside.js";
import { byId, html, say } from "../lib/dom.js";
import { asked, fetched, refusal } from "../lib/http.js";
import { follow } from "../live/page.js";
import { facts, laneOf, marks, result, when } from "../words/games.js";
import { mark } from "../board/pegs.js";
import { firstState, Table } from "../live/table_stream.js";
import { t } from "../lib/i18n.js";

const AT_ONCE = 20; // games
const LONGEST_PAGE = 100; // games that the table tells at once

const table = new Table(firstState());
let games = [];
let before = null;
let asking = 0; // how often has been asked; only the newest answer is shown

const player = () => new URLSearchParams(location.search).get("player") ?? "";

/** The running game as the table tells it live. */
function live(card, { game, lanes }) {
  if (card.id !== game.id) return card;
  return { ...card, over: game.over, winner: game.winner, fronts: lanes.map(({ front }) => front), skunks: lanes.map(({ skunks }) => skunks), deals: game.deal };
}

const page = (limit, from) => fetched(asked("/api/v1/games", { limit, before: from, player: player() }));

/**
 * At least `many` games, those played before `from`, on to the game `through` and to the end of a match, so that its
 * games can be counted.
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

/** The same with the rest of the match that stands last. */
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
  const nth = ++asking;
  const found = await pagesFrom(more ? before : "", many, through);
  if (nth !== asking) return;
  tellTrouble(found.problem ?? null);
  if (found.problem) return;
  games = more ? [...games, ...found.games] : found.games;
  before = found.before;
  show();
  if (more) rowOf(found.games[0]?.id ?? "")?.querySelector("a").focus();
}

/** Ask anew for what is shown: what is read stays where it is, and the focus where it was. */
async function renew() {
  const read = [...document.querySelectorAll(".game-row")].find((one) => one.getBoundingClientRect().bottom > 0);
  const top = read?.getBoundingClientRect().top;
  const focused = document.activeElement.closest(".game-row")?.dataset.game;
  await load({ many: Math.max(AT_ONCE, games.length + 1), through: games.at(-1)?.id });
  if (focused) rowOf(focused)?.querySelector("a").focus({ preventScroll: true });
  const now = scrollY && read && rowOf(read.dataset.game);
  if (now) scrollBy({ top: now.getBoundingClientRect().top - top, behavior: "instant" });
}

const rowOf = (game) => byId("games").querySelector(`[data-game="${CSS.escape(game)}"]`);

function tellTrouble(problem) {
  byId("trouble").hidden = !problem;
  byId("trouble").replaceChildren(...(problem ? refusal(problem) : []));
}

function show() {
  byId("games").replaceChildren(...matches(games).map(group));
  byId("older").hidden = before === null;
  byId("empty").hidden = games.length > 0;
  byId("empty").replaceChildren(...(games.length ? [] : nothing()));
  byId("names").replaceChildren(...[...new Set(games.flatMap((card) => card.players))].map((name) => html("option", { value: name })));
}

const nothing = () =>
  player() ? [t("history.none_of", { name: player() })] : [t("history.empty"), " ", html("a", { href: "/" }, t("history.to_pad"))];

/** A row of games without an end is none. */
const isMatch = ({ format }) => format !== "open";

/** Neighbours of one match together. */
function matches(cards) {
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
  const card = live(given, table.state);
  const lane = laneOf(card);
  return html("article.game-row", { "data-game": card.id },
    html("span.stands", ...(lane === null ? [] : [mark(lane)])),
    html("a", { href: `/history/${encodeURIComponent(card.id)}` }, result(card)),
    html("p.names", ...card.players.flatMap((name, i) => [...(i ? [" "] : []), html("span", html("bdi", name), i < card.players.length - 1 ? "," : "")])),
    html("p.facts", [when(card), ...facts(card)].join(" · ")),
    html("p.marks", ...marks(card).map(({ kind, text }) => html(`span.tag.${kind}`, text))));
}

/** The row of the running game alone: the others stay as they are, and so does the focus. */
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
addEventListener("popstate", () => chosen());
byId("older").addEventListener("click", () => load({ more: true }));

function choose(name) {
  history.pushState(null, "", asked("/history", { player: name }));
  chosen();
}

function chosen() {
  byId("player").value = player();
  byId("everybody").hidden = !player();
  load();
}

// --- import ---

const brought = (told) =>
  [
    t("history.imported", {
      games: told.games,
      events: t("history.imported_events", { n: told.events }),
      skipped: t("history.imported_skipped", { n: told.skipped }),
    }),
    told.continued && t("history.imported_further", told),
    told.differing && t("history.imported_otherwise", told),
  ].filter(Boolean).join(" ");

const closed = { viewer: "history.import_viewer", scorer: "history.import_scorer" }[document.body.dataset.role];

async function bringIn() {
  const [file] = byId("file").files;
  if (closed || !file) return say("imported", t(closed ?? "history.import_choose"));
  say("imported", t("history.importing", { file: file.name }));
  const { ok, body } = await fetched("/api/v1/import", { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: file }, 120_000);
  byId("imported").replaceChildren(...(ok ? [brought(body)] : refusal(body)));
  byId("imported").scrollIntoView({ block: "nearest" });
  if (!ok) return;
  byId("import").reset();
  renew();
}

byId("import").addEventListener("submit", (event) => {
  event.preventDefault();
  bringIn();
});
if (closed) {
  byId("import-key").setAttribute("aria-disabled", "true");
  byId("file").disabled = true;
  say("imported", t(closed));
}

follow(table, (state, { before: old }) => {
  if (state.game.id !== old.game.id || state.game.over !== old.game.over || changedBeside(state, old)) renew();
  else if (state.revision !== old.revision) refresh();
});
chosen();
