// A player's card: games and skunks, averages a deal against par, streaks and best hands.

import { html, svg } from "../lib/dom.js";
import { figure, howSure, shortDay } from "../words/games.js";
import { t } from "../lib/i18n.js";

const SCALE = 24; // holes a deal at the right end of a bar
const LONG = 240; // of a bar, in its own units
const HIGH = 18;
const NEAR = 0.05; // holes: this near to par is at par

/** Partners as one: "Ann & Cy" */
export const joined = (names) => names.join(" & ");

const across = (value) => Math.min(LONG, (value / SCALE) * LONG);

/** A bar with a notch at par: a reader sees where it ends, and where it ought to. */
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
  if (Math.abs(off) < NEAR) return t("stats.at_par", { par: figure(par) });
  return t(off > 0 ? "stats.over_par" : "stats.under_par", { off: figure(Math.abs(off)), par: figure(par) });
}

const deals = (label, { deals: n, average, par }) =>
  html("div.average", html("dt", t(label)), ...(n
    ? [html("dd", html("b", figure(average, 2)), html("small", `${againstPar(average, par)}, ${t("history.deals", { n })}`), bar(average, par))]
    : [html("dd", html("small", t("stats.no_deals")))]));

const small = (label, value) => html("div", html("dt", t(label)), html("dd", value));

const parts = ({ play, hand, crib }) => html("dl.small-figures", small("stats.play", figure(play, 2)), small("stats.hand", figure(hand, 2)), small("stats.crib", figure(crib, 2)));

function record({ games, won, lost, streak, longest }) {
  if (!games) return [];
  const run = Math.abs(streak) > 1 ? t(streak > 0 ? "stats.won_running" : "stats.lost_running", { n: Math.abs(streak) }) : "";
  return [html("p.record", html("b", `${t("stats.won", { n: won })},`), " ", html("b", t("stats.lost", { n: lost })), " ", html("span.quiet", t("stats.of", { n: games }))),
    html("p", [run, longest > 1 ? t("stats.longest", { n: longest }) : ""].filter(Boolean).join(" "))];
}

const kinds = (counts) => ["single", "double", "triple"].flatMap((kind, i) => (counts[i] ? [t(`stats.skunks_${kind}`, { n: counts[i] })] : [])).join(", ") || t("stats.no_skunks");

const skunks = ({ skunks: { given, taken } }) => [small("stats.given", kinds(given)), small("stats.taken", kinds(taken))];

const first = ({ first_dealer: { games, won } }) => (games ? [small("stats.first_dealer", t("stats.first_won", { won, n: games }))] : []);

const matches = ({ matches: { played, won } }) => (played ? [small("stats.matches", t("stats.matches_won", { won, n: played }))] : []);

const best = ({ best_hands: hands }) => (hands.length ? [html("h3", t("stats.best")), html("ol.best", ...hands.map(({ points, why, game, at, sure }) =>
  html("li", html("b.points", `${points}`), html("span", [t(`stats.what_${why}`), ...howSure(sure)].join(", ")), html("a", { href: `/history/${encodeURIComponent(game)}` }, shortDay(at)))))] : []);

/** How often 24, 28 and 29: the wall of fame. */
const wall = ({ wall: often }) => html("ul.often", { "aria-label": t("stats.wall") }, ...Object.entries(often).map(([points, n]) =>
  html("li", { class: n ? "reached" : null }, html("b", points), html("span", n ? t("stats.times", { n }) : t("stats.never")))));

function leftOut({ unfinished, unknown, points }) {
  const says = [unfinished && t("history.left_unfinished", { n: unfinished }), unknown && t("history.left_unknown", { n: unknown }), points && t("history.left_points", { n: points })];
  return says.filter(Boolean).join(" ");
}

const alone = ({ solitaire }) => (solitaire ? [html("h3", t("history.variant_solitaire")), html("p", t("stats.alone", { ...solitaire, n: solitaire.games, average: figure(solitaire.average) }))] : []);

/** The card of a player or of partners. */
export function card(player) {
  const { names, games, dealer, pone } = player;
  const table = games ? [
    html("dl.averages", deals("stats.dealing", dealer), deals("stats.as_pone", pone)),
    parts(player),
    html("dl.facts-of", ...skunks(player), ...first(player), ...matches(player)),
    wall(player),
    ...best(player),
  ] : [];
  return html("article.card.player-card", html("h2", html("bdi", joined(names))), ...record(player), ...table, ...alone(player), html("p.quiet", leftOut(player.left_out)));
}
