// Standings of a night with what decided each place in words, and the totals that must agree.

import { byId, html, t } from "../../lib/browser.js";
import { openKey, showRows } from "../controls.js";
import { sentence, withSign } from "../night_words.js";

const BY_POINTS = "results_alone"; // what decided a place is said where it is not the number beside the name

const CHECK = { holds: "hub.holds", explained: "hub.explained", broken: "hub.broken" };

function standingRow(view, one) {
  const mark = one.qualifies ? [" ", html("span.tag.agreed", t("hub.qualifies"))] : [];
  const why = one.said.key === BY_POINTS ? null : html("small.quiet", sentence(one.said));
  const who = html("th", { scope: "row" }, html("b.name", { dir: "auto" }, view.names[one.player]), ...mark, why);
  const cells = [one.points, `${one.won}–${one.lost}`, withSign(one.net), one.plus, one.skunks, one.games];
  return html("tr", { "data-key": one.player }, html("td.place", `${one.place}`), who, ...cells.map((cell) => html("td.number", `${cell}`)));
}

function teamRow(one) {
  const cells = [one.points, `${one.won}–${one.lost}`, withSign(one.net), one.plus, one.skunks, one.games];
  const who = html("th", { scope: "row" }, html("b.name", { dir: "auto" }, one.team), html("small.quiet", t("hub.team_players", { n: one.players.length })));
  return html("tr", { "data-key": one.team }, html("td.place", `${one.place}`), who, ...cells.map((cell) => html("td.number", `${cell}`)));
}

/** Show the standings of players and teams, and the totals. */
export function showStandings(view) {
  const isBegun = view.standings.some(({ games }) => games > 0);
  byId("no-standings").hidden = isBegun;
  byId("standings-table").hidden = !isBegun;
  showRows(byId("standings"), view.standings.map((one) => standingRow(view, one)));
  byId("teams-card").hidden = !view.teams.length;
  showRows(byId("teams"), view.teams.map(teamRow));
  showTotals(view);
}

function showTotals({ totals, names }) {
  const sums = ["games", "wins", "points", "skunks", "plus", "minus", "net"].map((name) =>
    html("div", { "data-key": name }, html("dt", t(`hub.sum_${name}`)), html("dd", name === "net" ? withSign(totals[name]) : `${totals[name]}`)));
  showRows(byId("totals"), sums);
  showRows(byId("checks"), totals.checks.map((check) => checkRow(names, check)));
}

/** A check that holds, or one that does not with the games that break it, or that a ruling or an award explains. */
function checkRow(names, { check, state, holds, said, games }) {
  const keys = games.slice(0, 5).map((game) => openKey(gameText(names, game), "game", game));
  return html("li", { "data-key": check },
    html(`p${holds ? ".ok" : ".ill"}`, html("b", t(CHECK[state])), " ", sentence(said)), ...(keys.length ? [html("div.acts", ...keys)] : []));
}

/** A game by its key, "r3:p1-p2": "Round 3: Ann – Bob". */
function gameText(names, key) {
  const [, round, one, other] = /^r(\d+):(\w+)-(\w+)$/u.exec(key) ?? [];
  return round ? t("hub.game_in_round", { round, one: names[one] ?? one, other: names[other] ?? other }) : key;
}
