// Standings and finals of an event: what decided each place, matching totals, cutoff and ties, brackets with byes,
// consolation, and their matches.

import { byId, html, t } from "../../lib/browser.js";
import { bracketName, bracketPicture, choiceField, doKey, numberField, openDecision, openKey, selectField, showRows } from "../controls.js";
import { byName, listText, sentence, whyNot, withSign } from "../night_words.js";

const MAIN = "main";

const numberOf = (text) => (/^\d{1,3}$/u.test(text?.trim() ?? "") ? { margin: Number(text) } : {});

// --- cutoff ---

function cutFacts({ entrants, places, byes, bracket_size: size }) {
  return t("hub.cut_facts", { entrants, places, byes, size, n: places });
}

const qualifierRow = (view, player, seed) =>
  html("li", { "data-key": player }, html("b.number", `${seed + 1}`), html("span.name", { dir: "auto" }, view.names[player]));

/** Show the cutoff, and who qualifies. */
export function showCut(view) {
  const { cut } = view;
  const keys = cut.state === "closed"
    ? [doKey(t("hub.open_cut"), { do: "open_cut" }, cut.actions.open_cut, { asks: { title: t("hub.open_cut"), about: t("hub.open_cut_about"), yes: t("hub.open_cut") } })]
    : [doKey(t("hub.close_cut"), { do: "close_cut" }, cut.actions.close_cut, { kind: "button.key.strong" })];
  const ties = cut.ties.map(({ kind, said }, at) => html("div.said", html("p", sentence(said)),
    html("div.acts", openKey(t(`hub.break_${kind}`), "tie", at, { kind: "button.key.strong", why: whyNot(cut.actions.break_tie) }))));
  const isSaid = cut.ties.some(({ said }) => sentence(said) === sentence(cut.said));
  const highest = cut.high_non_qualifier.map((player) => view.names[player]);
  const high = highest.length ? html("p", t("hub.high_non_qualifier", { name: listText(highest) })) : null;
  showRows(byId("cut"), [html("div", { "data-key": "one" }, isSaid ? null : html("p", sentence(cut.said)), ...ties, html("p.quiet", cut.places ? cutFacts(cut) : ""), high, html("div.acts", ...keys))]);
  showRows(byId("qualifiers"), cut.qualifiers.map((player, seed) => qualifierRow(view, player, seed)));
}

/** The order in which tied players finished a playoff, best first: two or three places, tapped in order. */
export function openTie(view, at) {
  const { players: tied, said } = view.cut.ties[Number(at)];
  const form = openDecision({
    title: t("hub.break_tie"),
    about: `${sentence(said)}. ${t("hub.break_tie_about")}`,
    nodes: [
      choiceField(t("hub.tie_order"), "order[]", tied.map((player) => [player, view.names[player]]), { type: "checkbox" }),
      choiceField(t("hub.tie_how"), "how", [["game", t("hub.tie_game")], ["draw", t("hub.tie_draw")], ["director", t("hub.tie_director")]]),
    ],
    yes: t("hub.tie_so"),
    request: ({ how }) => {
      if (order.length < tied.length) return { text: t("hub.tie_all") };
      return how ? { do: "break_tie", players: order, how } : { text: t("hub.tie_how_missing") };
    },
  });
  let order = [];
  form.addEventListener("change", ({ target }) => {
    if (target.name !== "order[]") return;
    order = target.checked ? [...order, target.value] : order.filter((player) => player !== target.value);
    for (const input of form.querySelectorAll("[name='order[]']")) {
      const place = order.indexOf(input.value);
      input.parentElement.querySelector("b").textContent = place < 0 ? view.names[input.value] : `${place + 1}. ${view.names[input.value]}`;
    }
  });
}

// --- brackets ---

/** "Best of 3", or "Best of 3, then best of 5" if later rounds are longer. */
const bestOfText = ({ best_of: lengths }) => lengths.map((n, at) => t(at ? "hub.then_best_of" : "hub.best_of", { n })).join(" ");

/** Show every bracket, and what can be drawn. */
export function showBrackets(view) {
  showRows(byId("brackets"), view.brackets.map((bracket) => html("section.card.bracket", { "data-key": bracket.bracket },
    html("h2", bracketName(bracket)),
    html("p.quiet", bracket.winner ? t("hub.has_won", { name: view.names[bracket.winner] }) : bestOfText(bracket)),
    ...(bracket.said ? [html("p.ill", sentence(bracket.said))] : []),
    bracketPicture(view, bracket, (match) => matchKeys(view, match)),
    html("div.acts", openKey(t("hub.change_place"), "place", bracket.bracket, { why: whyNot(bracket.actions.place) })))));
  const has = (name) => view.brackets.some(({ bracket }) => bracket === name);
  const draw = doKey(t("hub.draw_bracket"), { do: "draw_bracket", bracket: MAIN }, view.actions.draw_bracket, { kind: "button.key.strong" });
  const { consolations } = view;
  const waiting = consolations.find(({ draw }) => draw.why && draw.why.key !== "night_consolation_drawn") ?? consolations[0];
  const noneFree = consolations.length && !consolations.some(isFree) ? whyNot(waiting.draw) : null;
  const consolation = openKey(t("hub.draw_consolation"), "consolation", "", { why: whyNot(view.actions.draw_consolation) ?? noneFree });
  showRows(byId("bracket-keys"), [html("div.acts", { "data-key": "one" }, ...(has(MAIN) ? [] : [draw]), consolation)]);
}

/** The key of a match in play: both players are known, and nobody has won yet. */
function matchKeys(view, match) {
  if (match.bye || match.winner || !match.players.every(Boolean)) return [];
  const name = `${t("hub.result")}: ${match.players.map((player) => view.names[player]).join(" – ")}`;
  return [openKey(t("hub.result"), "match", match.match, { why: whyNot(match.actions?.bracket_game), name })];
}

const findMatch = (view, key) => view.brackets.flatMap(({ matches }) => matches).find(({ match }) => match === key);

const sides = (view, match) => match.players.map((player) => [player, view.names[player]]);

export function openMatch(view, key) {
  const match = findMatch(view, key);
  openDecision({
    title: t("hub.match_game", { n: match.games.length + 1 }),
    about: match.players.map((player) => view.names[player]).join(" – "),
    nodes: [
      choiceField(t("hub.who_won"), "winner", sides(view, match)),
      numberField(t("hub.margin"), "margin", { hint: t("hub.margin_optional"), maxlength: "3" }),
      openKey(t("hub.no_show"), "no_show", key, { kind: "button.key.aside", why: whyNot(match.actions?.bracket_forfeit) }),
    ],
    yes: t("hub.enter_result"),
    request: ({ winner, margin }) => (winner ? { do: "bracket_game", match: key, winner, ...numberOf(margin) } : { text: t("hub.say_who_won") }),
  });
}

export function openNoShow(view, key) {
  const match = findMatch(view, key);
  const form = openDecision({
    title: t("hub.no_show"),
    about: t("hub.no_show_about"),
    nodes: [
      choiceField(t("hub.no_show_who"), "player", sides(view, match)),
      html("div.lost"),
    ],
    yes: t("hub.no_show_so"),
    request: ({ player, games }) => (player ? { do: "bracket_forfeit", match: key, player, games: Number(games) } : { text: t("hub.say_which") }),
  });
  form.addEventListener("change", ({ target }) => {
    if (target.name !== "player") return;
    const minutes = match.no_show[match.players.indexOf(target.value)];
    const games = minutes.map((after, at) => [`${at + 1}`, t("hub.no_show_more", { n: at + 1 }), t("hub.no_show_minutes", { n: after })]);
    form.querySelector(".lost").replaceChildren(choiceField(t("hub.no_show_games"), "games", games, { chosen: "1" }));
  });
}

/** Move a player to another place in the first round. */
export function openPlace(view, name) {
  const { matches } = view.brackets.find(({ bracket }) => bracket === name);
  const first = matches.filter(({ round }) => round === 1).sort((one, other) => one.place - other.place).flatMap(({ players }) => players);
  const nameOf = (player) => (player ? view.names[player] : t("hub.bye"));
  const players = view.players.filter(({ state }) => state !== "left").map(({ player }) => [player, view.names[player]]).sort(([, one], [, other]) => byName(one, other));
  openDecision({
    title: t("hub.change_place"),
    about: t("hub.change_place_about"),
    nodes: [
      selectField(t("hub.place_which"), "place", first.map((player, at) => [`${at + 1}`, t("hub.place_of", { n: at + 1, name: nameOf(player) })])),
      selectField(t("hub.player"), "player", [...players, ["", t("hub.bye")]]),
    ],
    yes: t("hub.change_place_so"),
    request: ({ place, player }) => ({ do: "place", bracket: name, place: Number(place), player }),
  });
}

/** Which second bracket, and who plays in it: all eligible players who are here, unless the director decides otherwise.
*/
export function openConsolation(view) {
  const { consolations } = view;
  const chosen = consolations.find(isFree).bracket;
  const about = ({ bracket }) => t(`hub.bracket_${bracket.replace(" ", "_")}_about`);
  const form = openDecision({
    title: t("hub.draw_consolation"),
    about: t("hub.consolation_about"),
    nodes: [
      choiceField(t("hub.consolation_which"), "bracket", consolations.map((one) => [one.bracket, bracketName(one), about(one), whyNot(one.draw)]), { chosen }),
      fieldOf(view, chosen),
    ],
    yes: t("hub.draw_consolation"),
    request: ({ bracket, players = [] }) => (players.length > 1 ? { do: "draw_bracket", bracket, players } : { text: t("hub.say_two") }),
    kind: "broad",
  });
  form.addEventListener("change", ({ target }) => {
    if (target.name === "bracket") form.querySelector(".who").replaceWith(fieldOf(view, target.value));
  });
}

const isFree = ({ draw }) => draw.possible;

function fieldOf(view, name) {
  const may = view.consolations.find(({ bracket }) => bracket === name).players;
  const out = view.players.filter(({ player }) => may.includes(player)).sort((one, other) => byName(view.names[one.player], view.names[other.player]));
  const here = out.filter(({ state }) => state === "here").map(({ player }) => player);
  return html("div.who", choiceField(t("hub.consolation_who"), "players[]", out.map(({ player }) => [player, view.names[player]]), { chosen: here, type: "checkbox" }));
}

// --- standings ---

const BY_POINTS = "results_alone"; // say what decided a place unless it is the number beside the name

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

/** A check that passes, fails with the games that break it, or is explained by a ruling or an award. */
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
