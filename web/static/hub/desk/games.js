// Games of an event by round: seats, live scores, both cards, and every ruling on them.

import { byId, html, t } from "../../lib/browser.js";
import { choiceField, doKey, numberField, openDecision, openKey, openNotice, selectField, showRow, showRows, textField } from "../controls.js";
import { agoText, claimText, clockText, listText, liveScore, sentence, skunkText, withSign, stateWord, valueText, whyNot } from "../night_words.js";
import { redrawKey, SLOW } from "./next_step.js";

let chosen = null; // the selected round; null for the current one
let filter = ""; // of names, and of tables' numbers

const JUDGE = "judge"; // the ruling with its own values

function roundOf(view) {
  const found = view.rounds.find(({ round }) => round === chosen);
  return found ?? view.rounds.find(({ state }) => state !== "done") ?? view.rounds.at(-1);
}

export const findGame = (view, key) => view.rounds.flatMap(({ games }) => games).find(({ game }) => game === key);

const namesOf = (view, { players }) => players.map((player) => view.names[player]);

/** "Ann – Bob, round 3, table 4". */
const gameText = (view, game) => {
  const [one, other] = namesOf(view, game);
  return t("hub.game_of", { one, other, round: game.round, table: game.label || "–" });
};

// --- the rounds ---

function roundTab({ round, state }, current) {
  const key = openKey(t("hub.round", { n: round }), "round", round);
  key.setAttribute("aria-pressed", round === current ? "true" : "false");
  return html("li", { "data-key": `${round}` }, key, html("span.unseen", t(`hub.round_${state}`)));
}

/** Show the games of the selected round, or of the current one. */
export function showGames(view, stream) {
  const round = roundOf(view);
  byId("no-games").hidden = Boolean(round);
  byId("round-games").hidden = !round;
  showRows(byId("rounds"), view.rounds.map((one) => roundTab(one, round?.round)));
  showRows(byId("remarks"), view.remarks.map((remark, at) => html("li", { "data-key": `${at}` }, sentence(remark))));
  if (!round) return;
  const start = round.state === "drawn"
    ? [doKey(t("hub.start_round", { round: round.round }), { do: "start_round", round: round.round }, round.actions.start_round)]
    : [];
  const sit = round.sitting_out.length ? t("hub.sit_out", { names: listText(round.sitting_out.map((one) => view.names[one])), n: round.sitting_out.length }) : "";
  showRows(byId("round-head"), [html("div.round-head", { "data-key": "one" }, html("p", t(`hub.round_${round.state}`)), html("p.quiet", sit), html("div.acts", ...start, redrawKey(view)))]);
  const games = findSought(view, round);
  byId("find-game-field").hidden = round.games.length < MANY;
  byId("none-found").hidden = games.length > 0;
  showRows(byId("games"), games.map((game) => gameRow(view, game, stream)));
}

const MANY = 13; // games in a round from which searching makes sense

/** The games of a round at the table searched for, else those of a name; all without a search. */
function findSought(view, { games }) {
  if (!filter || games.length < MANY) return games;
  const at = games.filter(({ label }) => label.toLocaleLowerCase() === filter);
  return at.length ? at : games.filter((game) => namesOf(view, game).some((name) => name.toLocaleLowerCase().includes(filter)));
}

/** Let the field above the games find those of a name, or that at a table. */
export function listenToGames(read, stream) {
  byId("find-game").addEventListener("input", ({ target }) => {
    filter = target.value.trim().toLocaleLowerCase();
    showGames(read(), stream);
  });
}

export function chooseRound(round) {
  chosen = Number(round);
}

/** Update a table's live score if its game is visible. */
export function showLiveTable(view, stream, table) {
  const game = roundOf(view)?.games.find((one) => one.table === table);
  if (game) showRow(byId("games"), gameRow(view, game, stream));
}

// --- a game ---

/** Differences between two cards that are visible when they are side by side. */
const SEEN_ON_CARDS = new Set(["margins_differ", "both_won", "both_lost", "blank", "both_blank"].map((what) => `results_${what}`));

const hasNoValues = ({ values }) => values.includes(null);

/** The value beside a player's name: the live score, what the card says, or what counts. */
function besides(view, game, seat, live) {
  const value = game.values[seat];
  if (value) return [html("b.number", `${value.points}`), html("span.number.quiet", withSign(value.net))];
  if (live?.state && game.state === "running") return [html("b.number.score", `${liveScore(view, game, seat, live)}`)];
  return game.claims[seat] ? [html("span", claimText(game.claims[seat]))] : [];
}

function liveText(game, live, stream) {
  if (!live || !hasNoValues(game)) return "";
  if (!live.online) return t("hub.offline_since", { time: clockText(live.since) });
  const quiet = stream.since(live.last_at);
  return quiet >= SLOW && game.state === "running" ? t("hub.slow", { ago: agoText(quiet) }) : "";
}

const line = (view, game, seat, live) => {
  const player = game.players[seat];
  const deals = game.deals_first === player && hasNoValues(game) ? html("span.d", { title: t("hub.they_deal", { name: game.dealer }) }, t("hub.dealer_mark")) : null;
  return html("p.line", html("span.name", { dir: "auto" }, view.names[player]), deals, html("span.at", ...besides(view, game, seat, live)));
};

function gameRow(view, game, stream) {
  const live = stream.tables.get(game.table);
  const trouble = liveText(game, live, stream);
  const skunk = hasNoValues(game) ? "" : skunkText(view, Math.max(...game.values.map(({ net }) => net)));
  const notes = [
    game.mismatch && !SEEN_ON_CARDS.has(game.mismatch.key) && html("p.ill", sentence(game.mismatch)),
    trouble && html("p.ill", trouble),
    game.ruling && html("p.quiet", t(game.ruling.note ? "hub.ruled_by" : "hub.ruled_by_letter", { letter: game.ruling.letter, note: game.ruling.note })),
    game.award && html("p.quiet", sentence(game.award)),
    skunk && html("p.quiet", skunk),
  ].filter(Boolean);
  const keys = game.state === "mismatch"
    ? [openKey(t("hub.rule"), "rule", game.game, { kind: "button.key.strong" })]
    : [openKey(hasNoValues(game) ? t("hub.result") : t("hub.correct"), "result", game.game, { why: whyNot(game.actions.paper_result), name: `${t("hub.result")}: ${gameText(view, game)}` })];
  return html(`li.game.${game.state}`, { "data-key": game.game },
    html("header", html("b", t("hub.table", { table: game.label || "–" })), html(`span.tag.${game.state}`, stateWord(game.state))),
    line(view, game, 0, live), line(view, game, 1, live), html("div.notes", ...notes),
    html("div.acts", ...keys, openKey("…", "game", game.game, { name: t("hub.more_of", { name: gameText(view, game) }) })));
}

// --- results ---

const winnerField = (view, { players }, chosenPlayer = null) =>
  choiceField(t("hub.who_won"), "winner", players.map((player) => [player, view.names[player]]), { chosen: chosenPlayer });

const marginField = (value = "") => numberField(t("hub.margin"), "margin", { value, hint: t("hub.margin_hint"), maxlength: "3" });

const numberOf = (text) => (/^\d{1,3}$/u.test(text?.trim() ?? "") ? Number(text) : null);

/** Enter a result: the director has both cards. */
export function openResult(view, key) {
  const game = findGame(view, key);
  const cards = game.claims.map((claim, seat) => claim && html("p", t("hub.card_says", { name: view.names[game.players[seat]], claim: claimText(claim) })));
  const said = game.report ?? winOfCards(game);
  openDecision({
    title: t("hub.result"),
    about: gameText(view, game),
    nodes: [...cards.filter(Boolean), winnerField(view, game, said?.winner), marginField(said?.margin ?? "")],
    yes: t("hub.enter_result"),
    request: ({ winner, margin }) => {
      if (!winner) return { text: t("hub.say_who_won") };
      return numberOf(margin) ? { do: "paper_result", game: key, winner, margin: numberOf(margin) } : { text: t("hub.say_margin") };
    },
  });
}

/** The winner and the margin by the first available card; null if there is none. */
function winOfCards({ claims, players }) {
  const seat = claims.findIndex(Boolean);
  if (seat < 0) return null;
  const { won, margin } = claims[seat];
  return { winner: players[won ? seat : 1 - seat], margin };
}

/** Enter one card, if the other one differs or is missing. */
export function openClaim(view, about) {
  const [key, player] = about.split(" ");
  const game = findGame(view, key);
  const said = game.claims[game.players.indexOf(player)];
  openDecision({
    title: t("hub.card_of", { name: view.names[player] }),
    about: gameText(view, game),
    nodes: [
      choiceField(t("hub.the_card_says"), "won", [["yes", t("hub.won")], ["no", t("hub.lost_game")]], { chosen: said ? (said.won ? "yes" : "no") : null }),
      numberField(t("hub.margin"), "margin", { value: said?.margin ?? "", hint: t("hub.margin_blank"), maxlength: "3" }),
    ],
    yes: t("hub.enter_card"),
    request: ({ won, margin }) => (won ? { do: "claim", game: key, player, won: won === "yes", margin: numberOf(margin) } : { text: t("hub.say_which") }),
  });
}

/** The rulings of ACC 12.2, each with what both players get; those that do not apply say why. */
export function openRuling(view, key) {
  const game = findGame(view, key);
  const [one, other] = namesOf(view, game);
  const choice = ({ letter, said, values, why, notice }) => {
    const gives = values && t("hub.ruling_gives", { one, other, first: valueText(values[0]), second: valueText(values[1]) });
    const more = values && html("span", gives, ...(notice ? [html("b.notice", sentence(notice))] : []));
    return [letter, said ? sentence(said) : letterText(letter), more, why && sentence(why)];
  };
  const [fit, others] = [game.rulings.filter(({ possible }) => possible), game.rulings.filter(({ possible }) => !possible)];
  const own = (name, seat) => html("div.pair",
    numberField(t("hub.points_of", { name }), `points${seat}`, { maxlength: "2" }),
    textField(t("hub.net_of", { name }), `net${seat}`, { maxlength: "4", inputmode: "text", placeholder: "+12" }));
  const form = openDecision({
    title: t("hub.rule"),
    about: sentence(game.mismatch),
    nodes: [
      choiceField(t("hub.ruling_choice"), "letter", [...fit.map(choice), [JUDGE, t("hub.ruling_judge"), t("hub.ruling_judge_about")]]),
      html("div.own", { hidden: true }, own(one, 0), own(other, 1)),
      textField(t("hub.note"), "note", { maxlength: "280" }),
      html("details.unfit", html("summary", t("hub.ruling_unfit")), choiceField(t("hub.ruling_choice"), "letter", others.map(choice))),
    ],
    yes: t("hub.rule_so"),
    request: (values) => {
      if (!values.letter) return { text: t("hub.say_which") };
      const own = values.letter === JUDGE ? [ownValue(values, 0), ownValue(values, 1)] : null;
      if (own?.some(({ points, net }) => points === null || Number.isNaN(net))) return { text: t("hub.say_values") };
      return { do: "rule", game: key, letter: values.letter, note: values.note, ...(own && { values: own }) };
    },
    kind: "broad",
  });
  form.addEventListener("change", () => {
    form.querySelector(".own").hidden = new FormData(form).get("letter") !== JUDGE;
  });
}

const letterText = (letter) => t(`hub.letter_${letter}`);

const ownValue = (values, seat) => ({ points: numberOf(values[`points${seat}`]), net: Number(values[`net${seat}`].replace("−", "-").replace("+", "") || Number.NaN) });

/** All actions for a game. */
export function openGame(view, key) {
  const game = findGame(view, key);
  const wide = { kind: "button.key.wide" };
  const cards = game.players.map((player) =>
    openKey(t("hub.card_of", { name: view.names[player] }), "claim", `${key} ${player}`, { ...wide, why: whyNot(game.actions.claim) }));
  const keys = [
    openKey(t("hub.result"), "result", key, { ...wide, why: whyNot(game.actions.paper_result) }),
    ...cards,
    openKey(t("hub.rule"), "rule", key, { ...wide, why: whyNot(game.actions.rule) }),
    openKey(t("hub.award"), "award", key, { ...wide, why: whyNot(game.actions.award) }),
    openKey(t("hub.forfeit"), "forfeit", key, { ...wide, why: whyNot(game.actions.forfeit) }),
    openKey(t("hub.move"), "move", key, { ...wide, why: whyNot(game.actions.move_game) }),
  ];
  const said = game.claims.map((claim, seat) => html("p", t("hub.card_says", { name: view.names[game.players[seat]], claim: claimText(claim) })));
  const place = html("p.since", t("hub.place_of_game", { round: game.round, table: game.label || "–" }));
  openNotice(namesOf(view, game).join(" – "), [place, html("div", ...said), html("div.answers", ...keys)]);
}

export function openAward(view, key) {
  const game = findGame(view, key);
  openDecision({
    title: t("hub.award"),
    about: gameText(view, game),
    nodes: [
      choiceField(t("hub.award_against"), "against", game.players.map((player) => [player, view.names[player]])),
      choiceField(t("hub.award_why"), "kind", [["late", t("hub.award_late"), t("hub.award_late_about")], ["refused_judges", t("hub.award_refused"), t("hub.award_refused_about")]]),
    ],
    yes: t("hub.award_so"),
    request: ({ against, kind }) => (against && kind ? { do: "award", game: key, against, kind } : { text: t("hub.say_which") }),
  });
}

export function openForfeit(view, key) {
  const game = findGame(view, key);
  openDecision({
    title: t("hub.forfeit"),
    about: t("hub.forfeit_about"),
    nodes: [choiceField(t("hub.forfeit_who"), "player", game.players.map((player) => [player, view.names[player]]))],
    yes: t("hub.forfeit_so"),
    request: ({ player }) => (player ? { do: "forfeit", game: key, player } : { text: t("hub.say_which") }),
  });
}

export function openMove(view, key) {
  const game = findGame(view, key);
  openDecision({
    title: t("hub.move"),
    about: gameText(view, game),
    nodes: [selectField(t("hub.to_table"), "table", view.tables.map(({ table, label, state }) => [table, t("hub.table_state", { table: label, state: t(`hub.table_${state}`) })]), game.table)],
    yes: t("hub.move_so"),
    request: ({ table }) => ({ do: "move_game", game: key, table }),
  });
}
