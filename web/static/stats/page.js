// The page of the statistics: each player against par, records, head to head, and what the averages leave out.

import { changedBeside } from "../history/changed_beside.js";
import { byId, html, say } from "../lib/dom.js";
import { asked, fetched, refusal } from "../lib/http.js";
import { follow } from "../live/page.js";
import { howSure, shortDay } from "../words/games.js";
import { card, joined } from "./player_card.js";
import { firstState, Table } from "../live/table_stream.js";
import { t } from "../lib/i18n.js";

const FILTERS = ["player", "since", "variant"];

const table = new Table(firstState());
let nth = 0;

const chosen = () => Object.fromEntries(FILTERS.map((name) => [name, new URLSearchParams(location.search).get(name) ?? ""]));

async function load() {
  const asking = ++nth;
  const { ok, body } = await fetched(asked("/api/v1/stats", chosen()));
  if (asking !== nth) return;
  byId("trouble").hidden = ok;
  byId("trouble").replaceChildren(...(ok ? [] : refusal(body)));
  if (ok) show(body);
}

function show(stats) {
  const none = stats.players.length === 0;
  byId("figures-of-all").hidden = none;
  byId("empty").hidden = !none;
  byId("empty").replaceChildren(...(none ? nothing() : []));
  say("counted", [t("stats.counted", { n: stats.games }), ...given(stats.left_out), stats.more ? t("stats.more", { n: stats.more }) : ""].filter(Boolean).join(" "));
  byId("players").replaceChildren(...stats.players.map(card));
  list("pairs", stats.head_to_head.map(pair));
  list("wall", stats.wall.map(famous));
  if (!chosen().player) byId("names").replaceChildren(...[...new Set(stats.players.flatMap(({ names }) => names))].map((name) => html("option", { value: name })));
}

const given = ({ games_given_up: up, games_unfinished: unfinished }) =>
  [up && t("stats.given_up", { n: up }), unfinished && t("stats.unfinished", { n: unfinished })].filter(Boolean);

const nothing = () =>
  Object.values(chosen()).some(Boolean) ? [t("stats.none")] : [t("stats.empty"), " ", html("a", { href: "/" }, t("history.to_pad"))];

function list(id, rows) {
  byId(`${id}-part`).hidden = rows.length === 0;
  byId(id).replaceChildren(...rows);
}

const pair = ({ names: [one, other], games, won, spread }) =>
  html("li", html("p", html("bdi", joined(one)), html("b", `${won[0]}`), html("span.unseen", t("stats.to")), html("i", { "aria-hidden": "true" }), html("b", `${won[1]}`), html("bdi", joined(other))),
    html("p.quiet", t("stats.games", { n: games }), " · ", spread ? t("stats.ahead", { name: joined(spread > 0 ? one : other), n: Math.abs(spread) }) : t("stats.even")));

const famous = ({ points, why, names, game, deal, at, sure }) =>
  html("li", html("b.points", `${points}`), html("span", html("bdi", joined(names)), ", ", [t(`stats.what_${why}`), ...howSure(sure)].join(", ")),
    html("a", { href: `/history/${encodeURIComponent(game)}` }, t("stats.deal_on", { deal, day: shortDay(at) })));

// --- filters ---

byId("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  choose(Object.fromEntries(FILTERS.map((name) => [name, byId(name).value.trim()])));
});
byId("all").addEventListener("click", () => choose({}));
addEventListener("popstate", lay);

function choose(values) {
  history.pushState(null, "", asked("/stats", values));
  lay();
}

function lay() {
  for (const [name, value] of Object.entries(chosen())) byId(name).value = value;
  byId("all").hidden = !Object.values(chosen()).some(Boolean);
  load();
}

follow(table, (state, { before }) => {
  const { game, match } = state;
  if (game.over !== before.game.over || game.winner !== before.game.winner || match.id !== before.match.id || changedBeside(state, before)) load();
});
lay();
