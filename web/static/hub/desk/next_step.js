// Next step of an event, as one key at the top of the desk, and what needs the director now.

import { byId, html, t, write } from "../../lib/browser.js";
import { bracketName, doKey, openKey, showOne, showRows } from "../controls.js";
import { NIGHT } from "../night_stream.js";
import { agoText, byName, callText, clockText, isOpen, listText, sentence, whyNot } from "../night_words.js";

export const SLOW = 5 * 60_000; // ms without a peg at a playing table
const MANY = 3; // tables with the same trouble from which one line names them all

const missingPlayers = (view) => view.players.filter(({ state }) => state === "entered").map(({ player }) => player);

const openGames = (round) => round.games.filter(isOpen).length;

/** A key that checks in all missing players with one tap. */
function everybodyKey(view, kind) {
  const players = missingPlayers(view);
  if (!players.length) return null;
  return doKey(t("hub.all_here", { n: players.length }), { do: "check_in", players }, { possible: true }, { kind });
}

function drawKey(view, kind = "button.solid") {
  const { games, movement, table_games: list } = view.night.rules;
  const text = movement === "match" && list.length ? t("hub.draw_match") : t("hub.draw_games", { n: games });
  return doKey(text, { do: "draw" }, view.actions.draw, { kind });
}

const startKey = (round, kind) =>
  doKey(t("hub.start_round", { round: round.round }), { do: "start_round", round: round.round }, round.actions.start_round, { kind });

/** Redraw the other games, after confirmation. */
export const redrawKey = (view, kind = "button.key") =>
  doKey(t("hub.draw_again"), { do: "draw" }, view.actions.draw, { kind, asks: { title: t("hub.draw_again"), about: t("hub.draw_again_about"), yes: t("hub.draw_again") } });

/** Players who came after the draw and have no game yet. */
function findNotDrawn(view) {
  const drawn = new Set(games(view).flatMap(({ players }) => players));
  return view.players.filter(({ player, state }) => state === "here" && !drawn.has(player)).map(({ name }) => name).sort(byName);
}

/** Players here whose opponent in an upcoming round has left. */
function findLeftAlone(view) {
  const left = new Set(view.players.filter(({ state }) => state === "left").map(({ player }) => player));
  const coming = view.rounds.filter(({ state }) => state === "drawn").flatMap((round) => round.games).filter(({ state }) => state === "void");
  return [...new Set(coming.flatMap(({ players }) => players).filter((player) => left.has(player)))].map((player) => view.names[player]).sort(byName);
}

function playing(view) {
  const running = view.rounds.filter(({ state }) => state === "running");
  const next = view.rounds.find(({ state }) => state === "drawn");
  const said = running.map((round) => t("hub.round_stands", { round: round.round, n: openGames(round) })).join(" ");
  const late = findNotDrawn(view);
  const left = findLeftAlone(view);
  const tables = new Set(view.tables.map(({ table }) => table));
  const isGone = view.rounds.some((round) => round.games.some((game) => game.table && !tables.has(game.table) && isOpen(game)));
  const isOld = isGone || late.length + left.length > 0;
  const keys = [...(isOld ? [redrawKey(view, "button.solid")] : []), ...(next ? [startKey(next, running.length || isOld ? "button.key" : "button.solid")] : [])];
  const missed = late.length ? t("hub.not_drawn", { names: listText(late), n: late.length }) : "";
  const alone = left.length ? t("hub.left_alone", { names: listText(left), n: left.length }) : "";
  const gone = isGone ? t("hub.table_gone") : "";
  return { said: [said || t("hub.seats_shown"), missed, alone, gone].filter(Boolean).join(" "), keys };
}

const OPENING = 1; // number of the decision that opened the event

/** Cancel an event opened by mistake, while the roster is empty. */
function callOffKey({ people, night }) {
  if (people.entered) return null;
  const asks = { title: t("hub.call_off_ask", { name: night.name }), about: t("hub.call_off_about"), yes: t("hub.call_off_yes") };
  return doKey(t("hub.call_off"), { do: "undo", number: OPENING }, { possible: true }, { kind: "button.key", asks });
}

function callOnKey({ night: { called_off_by: undoing } }) {
  return undoing ? doKey(t("hub.call_on"), { do: "undo", number: undoing }, { possible: true }, { kind: "button.solid" }) : null;
}

const HINDERS = ["cut", "seed"]; // kinds of ties that must be broken before qualifying is closed

const hinders = ({ cut }) => cut.ties.some(({ kind }) => HINDERS.includes(kind));

/** The first tie that blocks the cutoff; the next one follows. */
const tieKeys = ({ cut }) => {
  const at = cut.ties.findIndex(({ kind }) => HINDERS.includes(kind));
  return at < 0 ? [] : [openKey(t(`hub.break_${cut.ties[at].kind}`), "tie", at, { kind: "button.solid", why: whyNot(cut.actions.break_tie) })];
};

const STEPS = {
  none: (view) => ({ said: t("hub.night_called_off"), keys: [callOnKey(view)] }),
  registration: (view) => ({
    said: view.people.checked_in ? t("hub.people_here", { n: view.people.checked_in }) : t("hub.come_in"),
    keys: [drawKey(view), everybodyKey(view, "button.key"), callOffKey(view)],
  }),
  drawn: playing,
  playing,
  played: (view) => ({
    said: t("hub.all_played"),
    keys: [...tieKeys(view), doKey(t("hub.close_cut"), { do: "close_cut" }, view.cut.actions.close_cut, { kind: hinders(view) ? "button.key" : "button.solid" }), endKey(view, "button.key")],
  }),
  cut: (view) => ({
    said: sentence(view.cut.said),
    keys: [doKey(t("hub.draw_bracket"), { do: "draw_bracket", bracket: "main" }, view.actions.draw_bracket, { kind: "button.solid" }), endKey(view, "button.key")],
  }),
  bracket: (view) => {
    const main = view.brackets.find(({ bracket }) => bracket === "main");
    const winner = main?.winner;
    return { said: winner ? t("hub.has_won", { name: view.names[winner] }) : t("hub.bracket_runs"), keys: [endKey(view, winner ? "button.solid" : "button.key")] };
  },
  ended: (view) => ({ said: t("hub.night_over"), keys: [doKey(t("hub.open_again"), { do: "open_again" }, view.actions.open_again)] }),
};

/** End the event, after a question that says what would be left open. */
function endKey(view, kind) {
  const open = view.rounds.reduce((all, round) => all + openGames(round), 0);
  const pots = view.pots.filter(({ paid }) => !paid).map(({ name }) => name);
  const brackets = view.brackets.filter(({ winner }) => !winner).map(bracketName);
  const owing = view.money.open.length;
  const left = [
    open > 0 && t("hub.end_open_games", { n: open }),
    brackets.length > 0 && t("hub.end_open_brackets", { names: listText(brackets), n: brackets.length }),
    pots.length > 0 && t("hub.end_open_pots", { names: listText(pots) }),
    owing > 0 && t("hub.end_owing", { n: owing }),
  ];
  const asks = { title: t("hub.end_ask"), about: [...left, t("hub.end_about")].filter(Boolean).join(" "), yes: t("hub.end_night") };
  return doKey(t("hub.end_night"), { do: "end_night" }, view.actions.end_night, { kind, asks });
}

/** Show what comes next. */
export function showNextStep(view) {
  const { said, keys } = STEPS[view.night.phase](view);
  const { games, games_done: done } = view.night;
  write(byId("phase"), games ? t("hub.phase_games", { done, games, n: games }) : t(`hub.phase_${view.night.phase}`));
  showOne(byId("next-step"), html("p", said), html("div.acts", ...keys));
}

// --- what needs the director now ---

const games = (view) => view.rounds.flatMap((round) => round.games);

const OPEN_STATES = ["drawn", "running", "half", "mismatch"];

const isPlaying = ({ state }) => state === "running" || state === "half";

function troubles(view, stream) {
  const calls = view.calls.map((call) => callRow(call));
  const mismatches = games(view).filter(({ state }) => state === "mismatch").map((game) =>
    html("li.needs", { "data-key": `m ${game.game}` }, html("p", sentence(game.mismatch)), openKey(t("hub.rule"), "rule", game.game)));
  const checks = view.totals.checks.filter(({ holds }) => !holds).map((one) =>
    html("li.needs", { "data-key": `c ${one.check}` }, html("p", sentence(one.said))));
  const pots = view.pots.filter(({ differs }) => differs).map((pot) =>
    html("li.needs", { "data-key": `p ${pot.pot}` }, html("p", `${pot.name}: ${pot.said.map(sentence).join(" ")}`)));
  const ofHub = view.troubles.map((trouble) => html("li.needs", { "data-key": `h ${trouble.key}` }, html("p", sentence(trouble))));
  return [...calls, ...ofHub, ...mismatches, ...checks, ...pots, ...boards(view, stream), ...alarms(view), ...departures(view)];
}

/** What the ledger has refused from a table, or does not trust. */
const alarms = (view) => view.alarms.map(({ alarm, table, said }) => {
  const label = view.tables.find((one) => one.table === table)?.label ?? table;
  return html("li.needs", { "data-key": `a ${alarm}` }, html("p", t("hub.alarm", { table: label, said: sentence(said) })), doKey(t("hub.alarm_seen"), { do: "dismiss_alarm", alarm }, { possible: true }));
});

const departures = (view) => view.departures.map(({ number, why }) =>
  html("li.needs", { "data-key": `d ${number}` }, html("p", t("hub.departure", { number, why: sentence(why) }))));

function callRow(one) {
  const { call, since, accepted, needed } = one;
  const about = accepted.length ? t("hub.call_accepted", { names: accepted.join(", "), needed }) : t("hub.call_open");
  const keys = [
    doKey(t("hub.call_go"), { do: "accept_call", call }, { possible: true }),
    doKey(t("hub.call_end"), { do: "end_call", call }, { possible: true }),
  ];
  const what = html("p.stacked", html("b", callText(one)), html("span.quiet", `${clockText(since)} · ${about}`));
  return html("li.needs.call", { "data-key": `k ${call}` }, what, html("div.acts", ...keys));
}

/** Decided or dropped games that still run on a board: a judge must abandon them there. */
function findLeftOnBoards(view, stream) {
  const byKey = new Map(games(view).map((game) => [`${NIGHT}/${game.game}`, game]));
  const shown = view.tables.map(({ table, label }) => [table, label, stream.tables.get(table)]).filter(([, , live]) => live?.online && live.state && !live.state.over);
  const found = shown.map(([table, label, live]) => [{ ...byKey.get(live.state.pairing), table, label }]);
  return found.filter(([game]) => game.game && !OPEN_STATES.includes(game.state));
}

/** Boards waiting for someone to confirm a game that already counts, or that nobody can finish anymore. */
function waitingBoards(view, stream) {
  const byKey = new Map(games(view).map((game) => [`${NIGHT}/${game.game}`, game]));
  return view.tables.flatMap(({ table, label }) => {
    const { pairing, over, settled, confirmed = [], players = [] } = stream.tables.get(table)?.state ?? {};
    const state = over && !settled && confirmed.length < players.length ? byKey.get(pairing)?.state : undefined;
    if (!state || OPEN_STATES.includes(state)) return [];
    const names = listText(players.filter((_, seat) => !confirmed.includes(seat)));
    return [html("li.needs", { "data-key": `hub.board_waits ${table}` }, html("p", t(state === "void" ? "hub.board_waits_left" : "hub.board_waits", { table: label, names })))];
  });
}

/** Boards in play that are offline, have not pegged for long, or play a decided game. */
function boards(view, stream) {
  const rows = games(view).filter(isPlaying).map((game) => [game, stream.tables.get(game.table)]).filter(([, live]) => live);
  const offline = rows.filter(([, live]) => !live.online);
  const left = findLeftOnBoards(view, stream);
  const slow = rows.filter(([, live]) => live.online && stream.since(live.last_at) >= SLOW);
  return [
    ...boardRows(offline, "hub.tables_offline", (label, live) => t("hub.table_offline", { table: label, time: clockText(live.since) })),
    ...left.map(([{ players, label, table }]) => html("li.needs", { "data-key": `hub.plays_on ${table}` }, html("p", t("hub.plays_on", { table: label, names: listText(players.map((player) => view.names[player])) })))),
    ...waitingBoards(view, stream),
    ...boardRows(slow, "hub.tables_slow", (label, live) => t("hub.table_slow", { table: label, ago: agoText(stream.since(live.last_at)) })),
  ];
}

/** A line for each of these boards, or one for all if there are many. */
function boardRows(rows, key, text) {
  const row = (name, said) => html("li.needs", { "data-key": `${key} ${name}` }, html("p", said));
  if (rows.length < MANY) return rows.map(([{ label, table }, live]) => row(table, text(label, live)));
  const labels = rows.map(([{ label }]) => label).sort(byName);
  return [row("all", t(key, { tables: listText(labels) }))];
}

const WHILE_DOOR_IS_OPEN = ["registration", "drawn", "playing"];

/** Show what needs the director, and the calls. */
export function showNeeds(view, stream) {
  const rows = troubles(view, stream);
  byId("door-card").hidden = !WHILE_DOOR_IS_OPEN.includes(view.night.phase);
  byId("needs-card").hidden = !rows.length;
  showRows(byId("needs"), rows);
  const waiting = view.waiting.map(({ player, why }) => html("li", { "data-key": player }, sentence(why)));
  byId("waiting-card").hidden = !waiting.length;
  showRows(byId("waiting"), waiting);
}
