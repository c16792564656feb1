// Statistics page: each player against par, records, head to head, and what the averages leave out.

import { byId, fetchJson, html, refusalNodes, svg, t, withQuery, writeById } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { formatFigure, isChangedElsewhere, shortDayText, sureTexts } from "../words/games.js";

const SCALE = 24; // holes per deal at the right end of a bar
const LONG = 240; // length of a bar, in its own units
const HIGH = 18;
const NEAR = 0.05; // holes: this close to par counts as at par

/** Partners as one: "Ann & Cy" */
const joinPartners = (names) => names.join(" & ");

const across = (value) => Math.min(LONG, (value / SCALE) * LONG);

/** A bar with a notch at par: shows where it ends, and where it should. */
function bar(average, par) {
  const notch = across(par ?? 0);
  return svg("svg", { class: "bar", viewBox: `0 -8 ${LONG} ${HIGH + 8}`, "aria-hidden": "true" },
    svg("rect", { class: "ground", x: 0.5, y: 0.5, width: LONG - 1, height: HIGH - 1, rx: 4 }),
    svg("rect", { class: "reach", x: 0, y: 0, width: across(average), height: HIGH, rx: 4 }),
    ...(par === null ? [] : [svg("path", { class: "par", d: `M${notch} ${HIGH}V0M${notch - 6} -8H${notch + 6}L${notch} 0Z` })]));
}

function againstPar(average, par) {
  if (par === null) return t("stats.no_par");
  const off = average - par;
  if (Math.abs(off) < NEAR) return t("stats.at_par", { par: formatFigure(par) });
  return t(off > 0 ? "stats.over_par" : "stats.under_par", { off: formatFigure(Math.abs(off)), par: formatFigure(par) });
}

const dealAverage = (label, { deals: n, average, par }) =>
  html("div.average", html("dt", t(label)), ...(n
    ? [html("dd", html("b", formatFigure(average, 2)), html("small", `${againstPar(average, par)}, ${t("history.deals", { n })}`), bar(average, par))]
    : [html("dd", html("small", t("stats.no_deals")))]));

const smallFigure = (label, value) => html("div", html("dt", t(label)), html("dd", value));

const partFigures = ({ play, hand, crib }) => html("dl.small-figures", smallFigure("stats.play", formatFigure(play, 2)), smallFigure("stats.hand", formatFigure(hand, 2)), smallFigure("stats.crib", formatFigure(crib, 2)));

const tookOverNodes = ({ took_over: n }) => (n ? [html("p", t("stats.took_over", { n }))] : []);

function recordNodes({ games, won, lost, streak, longest }) {
  if (!games) return [];
  const run = Math.abs(streak) > 1 ? t(streak > 0 ? "stats.won_running" : "stats.lost_running", { n: Math.abs(streak) }) : "";
  return [html("p.record", html("b", `${t("stats.won", { n: won })},`), " ", html("b", t("stats.lost", { n: lost })), " ", html("span.quiet", t("stats.of", { n: games }))),
    html("p", [run, longest > 1 ? t("stats.longest", { n: longest }) : ""].filter(Boolean).join(" "))];
}

const skunkCounts = (counts) => ["single", "double", "triple"].flatMap((kind, i) => (counts[i] ? [t(`stats.skunks_${kind}`, { n: counts[i] })] : [])).join(", ") || t("stats.no_skunks");

const skunkFigures = ({ skunks: { given, taken } }) => [smallFigure("stats.given", skunkCounts(given)), smallFigure("stats.taken", skunkCounts(taken))];

const firstDealerFigures = ({ first_dealer: { games, won } }) => (games ? [smallFigure("stats.first_dealer", t("stats.first_won", { won, n: games }))] : []);

const matchFigures = ({ matches: { played, won } }) => (played ? [smallFigure("stats.matches", t("stats.matches_won", { won, n: played }))] : []);

const bestHands = ({ best_hands: hands }) => (hands.length ? [html("h3", t("stats.best")), html("ol.best", ...hands.map(({ points, why, game, at, sure }) =>
  html("li", html("b.points", `${points}`), html("span", [t(`stats.what_${why}`), ...sureTexts(sure)].join(", ")), html("a", { href: `/history/${encodeURIComponent(game)}` }, shortDayText(at)))))] : []);

/** How often 24, 28 and 29 were counted: the wall of fame. */
const wall = ({ wall: often }) => html("ul.often", { "aria-label": t("stats.wall") }, ...Object.entries(often).map(([points, n]) =>
  html("li", { class: n ? "reached" : null }, html("b", points), html("span", n ? t("stats.times", { n }) : t("stats.never")))));

function leftOutText({ unfinished, unknown, points }) {
  const says = [unfinished && t("history.left_unfinished", { n: unfinished }), unknown && t("history.left_unknown", { n: unknown }), points && t("history.left_points", { n: points })];
  return says.filter(Boolean).join(" ");
}

const solitaireNodes = ({ solitaire }) => (solitaire ? [html("h3", t("history.variant_solitaire")), html("p", t("stats.alone", { ...solitaire, n: solitaire.games, average: formatFigure(solitaire.average) }))] : []);

/** The card of a player or of partners. */
function playerCard(player) {
  const { names, games, took_over: parts, dealer, pone } = player;
  const table = games || parts ? [
    html("dl.averages", dealAverage("stats.dealing", dealer), dealAverage("stats.as_pone", pone)),
    partFigures(player),
    ...(games ? [html("dl.facts-of", ...skunkFigures(player), ...firstDealerFigures(player), ...matchFigures(player))] : []),
    wall(player),
    ...bestHands(player),
  ] : [];
  return html("article.card.player-card", html("h2", html("bdi", joinPartners(names))), ...recordNodes(player), ...tookOverNodes(player), ...table, ...solitaireNodes(player), html("p.quiet", leftOutText(player.left_out)));
}

// --- the page ---

const FILTERS = ["player", "since", "variant"];

const table = new TableStream(firstState());
let loads = 0;

const chosenFilters = () => Object.fromEntries(FILTERS.map((name) => [name, new URLSearchParams(location.search).get(name) ?? ""]));

/** The filters as the table takes them: a day starts in the viewer's time zone, not in UTC. */
function filtersOfViewer() {
  const { since, ...others } = chosenFilters();
  const seconds = new Date(`${since}T00:00`).getTime() / 1000;
  return { ...others, since: seconds >= 0 ? `${seconds}` : since };
}

async function load() {
  const asking = ++loads;
  const { ok, body } = await fetchJson(withQuery("/api/v1/stats", filtersOfViewer()));
  if (asking !== loads) return;
  byId("trouble").hidden = ok;
  byId("trouble").replaceChildren(...(ok ? [] : refusalNodes(body)));
  if (ok) show(body);
}

function show(stats) {
  const none = stats.players.length === 0;
  byId("figures-of-all").hidden = none;
  byId("empty").hidden = !none;
  byId("empty").replaceChildren(...(none ? emptyNodes() : []));
  writeById("counted", [t("stats.counted", { n: stats.games }), ...leftOutTexts(stats.left_out), stats.more ? t("stats.more", { n: stats.more }) : ""].filter(Boolean).join(" "));
  byId("players").replaceChildren(...stats.players.map(playerCard));
  list("pairs", stats.head_to_head.map(pairRow));
  list("wall", stats.wall.map(famousRow));
  if (!chosenFilters().player) byId("names").replaceChildren(...[...new Set(stats.players.flatMap(({ names }) => names))].map((name) => html("option", { value: name })));
}

const leftOutTexts = ({ games_given_up: up, games_unfinished: unfinished }) =>
  [up && t("stats.given_up", { n: up }), unfinished && t("stats.unfinished", { n: unfinished })].filter(Boolean);

const emptyNodes = () =>
  Object.values(chosenFilters()).some(Boolean) ? [t("stats.none")] : [t("stats.empty"), " ", html("a", { href: "/" }, t("history.to_pad"))];

function list(id, rows) {
  byId(`${id}-part`).hidden = rows.length === 0;
  byId(id).replaceChildren(...rows);
}

const pairRow = ({ names: [one, other], games, won, spread }) =>
  html("li", html("p", html("bdi", joinPartners(one)), html("b", `${won[0]}`), html("span.unseen", t("stats.to")), html("i", { "aria-hidden": "true" }), html("b", `${won[1]}`), html("bdi", joinPartners(other))),
    html("p.quiet", t("stats.games", { n: games }), " · ", spread ? t("stats.ahead", { name: joinPartners(spread > 0 ? one : other), n: Math.abs(spread) }) : t("stats.even")));

const famousRow = ({ points, why, names, game, deal, at, sure }) =>
  html("li", html("b.points", `${points}`), html("span", html("bdi", joinPartners(names)), ", ", [t(`stats.what_${why}`), ...sureTexts(sure)].join(", ")),
    html("a", { href: `/history/${encodeURIComponent(game)}` }, t("stats.deal_on", { deal, day: shortDayText(at) })));

// --- filters ---

byId("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  choose(Object.fromEntries(FILTERS.map((name) => [name, byId(name).value.trim()])));
});
byId("all").addEventListener("click", () => choose({}));
addEventListener("popstate", showFilters);

function choose(values) {
  history.pushState(null, "", withQuery("/stats", values));
  showFilters();
}

function showFilters() {
  for (const [name, value] of Object.entries(chosenFilters())) byId(name).value = value;
  byId("all").hidden = !Object.values(chosenFilters()).some(Boolean);
  load();
}

followTable(table, (state, { before }) => {
  const { game, match } = state;
  if (game.over !== before.game.over || game.winner !== before.game.winner || match.id !== before.match.id || isChangedElsewhere(state, before)) load();
});
showFilters();
