// The page of the games that are kept: newest first, matches together, older ones on request.

import { byId, html, say } from "./element.js";
import { asked, fetched, refusal } from "./fetched.js";
import { follow } from "./follow.js";
import { facts, laneOf, marks, result, when } from "./gamewords.js";
import { mark } from "./pegs.js";
import { firstState, Table } from "./table.js";
import { t } from "./text.js";

const AT_ONCE = 20; // games

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

async function load(more = false) {
  const nth = ++asking;
  const { ok, body } = await fetched(asked("/api/v1/games", { limit: AT_ONCE, before: more ? before : "", player: player() }));
  if (nth !== asking) return;
  tellTrouble(ok ? null : body);
  if (!ok) return;
  games = more ? [...games, ...body.games] : body.games;
  before = body.before;
  show();
  if (more) byId("games").querySelector(`[data-game="${CSS.escape(body.games[0]?.id ?? "")}"] a`)?.focus();
}

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

/** Neighbours of one match together; a row of games without an end is none. */
function matches(cards) {
  const found = [];
  for (const card of cards) {
    const [before] = found.at(-1) ?? [];
    if (card.format !== "open" && before?.match === card.match) found.at(-1).push(card);
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
    html("a", { href: `/history/${encodeURIComponent(card.id)}` }, html("bdi", result(card))),
    html("p.names", ...card.players.flatMap((name, i) => [...(i ? [", "] : []), html("bdi", name)])),
    html("p.facts", [when(card), ...facts(card)].join(" · ")),
    html("p.marks", ...marks(card).map(({ kind, text }) => html(`span.tag.${kind}`, text))));
}

/** The row of the running game alone: the others stay as they are, and so does the focus. */
function refresh() {
  const card = games.find(({ id }) => id === table.state.game.id);
  const old = card && byId("games").querySelector(`[data-game="${CSS.escape(card.id)}"]`);
  if (!old || old.contains(document.activeElement)) return;
  old.replaceWith(row(card));
}

byId("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  choose(byId("player").value.trim());
});
byId("everybody").addEventListener("click", () => choose(""));
addEventListener("popstate", () => chosen());
byId("older").addEventListener("click", () => load(true));

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

const closed = { viewer: "history.import_viewer", scorer: "history.import_scorer" }[document.body.dataset.role];

async function bringIn() {
  const [file] = byId("file").files;
  if (closed || !file) return say("imported", t(closed ?? "history.import_choose"));
  say("imported", t("history.importing", { file: file.name }));
  const { ok, body } = await fetched("/api/v1/import", { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: file }, 120_000);
  byId("imported").replaceChildren(...(ok ? [t("history.imported", body)] : refusal(body)));
  if (!ok) return;
  byId("import").reset();
  load();
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
  if (state.game.id !== old.game.id || state.game.over !== old.game.over) load();
  else if (state.revision !== old.revision) refresh();
});
chosen();
