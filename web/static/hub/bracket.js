// A bracket as it is read: a column for each round, its matches from the top, who has won how many games of each.

import { html, t } from "../lib/browser.js";

const FROM_END = ["hub.the_final", "hub.the_semi_finals", "hub.the_quarter_finals"];

export const roundName = (round, rounds) => (FROM_END[rounds - round] ? t(FROM_END[rounds - round]) : t("hub.bracket_round", { n: round }));

const NAMED = ["main", "consolation", "plate", "open plate", "second chance"];

/** What a bracket is called; one of another name is a consolation. */
export const bracketName = ({ bracket }) => t(`hub.bracket_${(NAMED.includes(bracket) ? bracket : "consolation").replace(" ", "_")}`);

function sideLine(view, match, side) {
  const player = match.players[side];
  const isBye = match.bye && !player;
  const name = player ? view.names[player] : t(isBye ? "hub.bye" : "hub.not_known");
  const won = match.bye ? "" : `${match.won[side]}`;
  const kind = match.winner && match.winner === player ? ".winner" : player ? "" : ".nobody";
  return html(`p.side${kind}`, html("span.name", { dir: "auto" }, name), html("b.number", player ? won : ""));
}

const matchBox = (view, match, keys) =>
  html("li.slot", html(`div.match${match.bye ? ".bye" : ""}`, html("div.sides", sideLine(view, match, 0), sideLine(view, match, 1)), ...keys(match)));

/** The bracket from a round on; `keys(match)` are what can be done about a match. */
export function bracketPicture(view, { matches, rounds }, keys = () => [], first = 1) {
  const columns = Array.from({ length: rounds - first + 1 }, (_, at) => at + first).map((round) => {
    const these = matches.filter((match) => match.round === round).sort((one, other) => one.place - other.place);
    return html("li.bracket-round", html("h3", roundName(round, rounds)), html("ol", ...these.map((match) => matchBox(view, match, keys))));
  });
  return html("div.bracket-picture", html("ol.bracket-rounds", { "data-rounds": `${columns.length}` }, ...columns));
}
