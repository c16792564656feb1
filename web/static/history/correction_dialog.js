// Correction dialog for corrections and rulings: which one, its fields, a preview of its effects; only then is it sent.

import { mark } from "../board/shapes.js";
import { byId, capitalize, html, openDialog, refusalNodes, set, t, writeById } from "../lib/browser.js";
import { COMMANDS, LONGEST_NOTE, MOST_AT_ONCE, newId, previewCommand, sendCommand } from "../live/command_queue.js";
import { asState, faultAwardText, faultName, gameResultText } from "../words/games.js";
import { entryText, fateText, isolateNames, laneName, laneThen, leastPoints, nameThen, noMugginsText, reasonsFor, reasonText, shortName, winLostText } from "../words/state.js";
import { Role } from "../live/table_stream.js";

const FALSE_CLAIM = 15; // holes that a false claim costs, and the usual backward penalty
const FORGET = "none";

const hasPoints = ({ do: what }) => what === "score" || what === "penalty";

const lanesOf = (game) => game.fronts.length;

/** Why a line that is under a ruling, or undone, cannot be corrected; null if it can. */
function whyBound(entry, stands = true) {
  if (entry.ruled_by) return t("history.closed_ruled", { line: entry.id, ruling: entry.ruled_by });
  if (entry.stands === stands) return null;
  return t(stands ? "history.closed_taken_back" : "history.closed_stands", { line: entry.id });
}

const whyNoPoints = (entry) => (hasPoints(entry) ? null : t("history.closed_no_points", { line: entry.id }));

const whyNotWinner = (game, entry) =>
  entry.counts && entry.to === game.game_hole && entry.from < entry.to ? null : t("history.closed_no_end", { line: entry.id });

const whyNewest = (game, entry) => (game.entries[0]?.id === entry.id ? t("history.closed_newest") : null);

/** Why nothing new can be added; null if it can. */
function whyEnded(game) {
  if (!game.running) return t("history.closed_finished");
  return game.over ? t("history.closed_over") : null;
}

const whyAlone = (game) => (lanesOf(game) < 2 ? t("history.closed_alone") : null);

const mostOf = (game, entry) => (entry.do === "penalty" ? game.game_hole : MOST_AT_ONCE);

const pointsField = (label, min, max, value) => ({ kind: "number", name: "points", label, min, max, value });

/** Whose points they are: the current player's, or a player's in another lane. */
const ownerField = (game, entry) => {
  if (entry.do !== "score" || lanesOf(game) < 2) return [];
  const state = asState(game);
  const own = entry.seat === null ? laneThen(state, entry.lane, entry) : nameThen(state, entry.seat, entry);
  const others = game.players.map((_, i) => i).filter((i) => game.lanes[i] !== entry.lane);
  return [{ kind: "choice", name: "seat", label: t("history.whose_points"), spoken: true, choices: [["", own], ...others.map((i) => [`${i}`, nameThen(state, i, entry)])] }];
};

/** What the points are for: the current reason, another one, or none. */
const reasonField = (game, entry) => {
  const others = entry.do === "score" ? reasonsFor(game.rules, entry) : [];
  const choice = (why) => [why ?? FORGET, t(why ? `words.why_${why}` : "pad.forget")];
  return others.length ? [{ kind: "choice", name: "why", label: t("history.what_for"), spoken: true, choices: [["", reasonText(entry)], ...others.map(choice)] }] : [];
};

/** Only the changed fields. */
const amendedFields = (entry, { points: said, seat: who = "", why = "" }) => ({
  ...(said !== entry.points || !(who || why) ? { points: said } : {}),
  ...(who ? { seat: Number(who) } : {}),
  ...(why ? { why: why === FORGET ? null : why } : {}),
});

/** "8, hand, Bob" */
const amendTexts = (game, entry, { points: said, seat: who = "", why = "" }) => ({
  points: [`${said}`, ...(why ? [t(why === FORGET ? "history.reason_unsaid" : `words.why_${why}`)] : []), ...(who ? [nameThen(asState(game), Number(who), entry)] : [])].join(", "),
});

const noteField = (required = false) => ({ kind: "text", name: "note", label: t(required ? "history.reason" : "history.reason_maybe"), required });

/** A choice of seat; for an opponent only if there are several. */
const seatField = (game, label, name = "seat") => ({
  kind: "choice", name, label: t(label),
  choices: game.players.map((_, i) => [i, shortName(asState(game), i)]),
});

const opponentField = (game, lane, label = "history.opponent") => {
  if (lanesOf(game) < 3) return [];
  const field = seatField(game, label, "opponent");
  return [{ ...field, choices: field.choices.filter(([i]) => game.lanes[i] !== lane) }];
};

/** Whether a muggins call names an opponent; in a correct call this is never the caller. */
const namesOpponent = (game, { seat: caller, missed }, other) => other !== undefined && !(missed && game.lanes[other] === game.lanes[caller]);

const preset = (label, values) => ({ label, values });

/** The usual penalties by the rules of this table. */
const penaltyPresets = ({ rules }) => rules.penalties.map(({ fault, points }) => preset(faultAwardText({ fault, points }), { points, note: faultName(fault) }));

/** The fault of a penalty whose note is that of a preset. */
function notedFault({ rules }, note) {
  const known = rules.penalties.find(({ fault }) => faultName(fault) === note);
  return known ? { fault: known.fault } : {};
}

const notePresets = (...keys) => keys.map((key) => preset(t(key), { note: t(key) }));

/** Whether a command rules that a line's points were different: only these send the points it `was` seen to have. */
const rulesOnPoints = ({ most }) => "was" in most && "opponent" in most;

/** A ruling on a line's points: the true number is lower, except for the line that ended the game. */
const pointsRuling = (what, endsGame) => ({
  of: "line",
  closed: (game, entry) => whyNoPoints(entry) ?? whyBound(entry) ?? (endsGame ? whyNotWinner(game, entry) : null),
  fields: (game, entry) => [
    pointsField(t("history.points_true"), 0, endsGame ? mostOf(game, entry) : Math.max(0, entry.points - 1)),
    ...(endsGame || game.rules.overpeg_award === "excess" ? opponentField(game, entry.lane) : []),
  ],
  command: (game, entry, values) => ({ do: what, entry: entry.id, ...values, was: entry.points }),
});

const pointsRulings = () =>
  Object.fromEntries(Object.keys(COMMANDS).filter((what) => rulesOnPoints(COMMANDS[what])).map((what) => [what, pointsRuling(what, what === "false_claim")]));

/** The corrections by name: `of` a line ("line") or the board ("table"), the command it `does` if that has another
 * name, why it is closed, its fields, and its command. */
const CORRECTIONS = {
  undo: {
    of: "line",
    closed: (game, entry) => whyBound(entry),
    fields: () => [],
    command: (game, entry) => ({ do: "undo", entry: entry.id }),
  },
  redo: {
    of: "line",
    closed: (game, entry) => whyBound(entry, false),
    fields: () => [],
    command: (game, entry) => ({ do: "redo", entry: entry.id }),
  },
  amend: {
    of: "line",
    closed: (game, entry) => whyNoPoints(entry) ?? whyBound(entry),
    fields: (game, entry) => [pointsField(t("history.points_now"), leastPoints(entry), mostOf(game, entry), entry.points), ...ownerField(game, entry), ...reasonField(game, entry)],
    command: (game, entry, values) => ({ do: "amend", entry: entry.id, ...amendedFields(entry, values), was: entry.points }),
    said: amendTexts,
  },
  ...pointsRulings(),
  retract: {
    of: "line",
    closed: (game, entry) => whyBound(entry) ?? whyNewest(game, entry),
    fields: () => [noteField()],
    presets: () => notePresets("history.renege", "history.wrong_count"),
    command: (game, entry, values) => ({ do: "retract", to: entry.id, ...values, base: game.revision }),
  },
  penalty: {
    of: "table",
    closed: (game) => whyAlone(game) ?? whyEnded(game),
    fields: (game) => [seatField(game, "history.who_is_awarded"), pointsField(t("history.points"), 1, game.game_hole), noteField()],
    presets: penaltyPresets,
    command: (game, entry, values) => ({ do: "penalty", ...values, ...notedFault(game, values.note), base: game.revisions[game.lanes[values.seat]] }),
  },
  muggins: {
    of: "table",
    closed: (game) => whyAlone(game) ?? (game.rules.muggins ? whyEnded(game) : noMugginsText),
    fields: (game) => [
      seatField(game, "history.who_calls"),
      { kind: "number", name: "claimed", label: t("history.claimed"), min: 1, max: MOST_AT_ONCE },
      { kind: "number", name: "missed", label: t("history.missed"), min: 0, max: MOST_AT_ONCE },
      ...opponentField(game, null, "history.opponent_missed"),
    ],
    command: (game, entry, { opponent: awarded, ...values }) =>
      ({ do: "muggins", ...values, ...(namesOpponent(game, values, awarded) ? { opponent: awarded } : {}), base: game.revision }),
  },
  peg_back: {
    of: "table",
    closed: () => null,
    fields: (game) => [seatField(game, "history.whose_peg"), { kind: "number", name: "holes", label: t("history.holes"), min: 1, max: game.game_hole }, noteField()],
    presets: () => [preset(t("history.preset_back", { holes: FALSE_CLAIM }), { holes: FALSE_CLAIM })],
    command: (game, entry, values) => ({ do: "peg_back", ...values, base: game.revisions[game.lanes[values.seat]] }),
  },
  set_pegs: {
    of: "table",
    closed: () => null,
    fields: (game) => [
      seatField(game, "history.whose_pegs"),
      { kind: "number", name: "front", label: t("history.front"), min: 0, max: game.game_hole },
      { kind: "number", name: "rear", label: t("history.rear"), min: 0, max: game.game_hole },
      noteField(true),
    ],
    presets: () => notePresets("history.pegs_fell"),
    command: (game, entry, values) => ({ do: "set_pegs", ...values, base: game.revisions[game.lanes[values.seat]] }),
  },
  restart: {
    of: "table", does: "retract",
    closed: (game) => (game.entries.length ? null : t("history.closed_empty")),
    fields: () => [noteField()],
    command: (game, entry, values) => ({ do: "retract", to: "0", ...values, base: game.revision }),
  },
  abandon: {
    of: "table",
    closed: (game) => (game.running ? null : t("history.closed_finished")),
    fields: () => [noteField()],
    command: (game, entry, values) => ({ do: "abandon", ...values, base: game.revision }),
  },
};

/** Why this device or this game does not allow a correction; null if it does. */
function whyClosed(kind, game, entry, directs) {
  const { of, does = kind, closed: reason } = CORRECTIONS[kind];
  const { who } = COMMANDS[does];
  if (of === "line" && !entry) return t("history.closed_empty");
  const why = reason(game, entry);
  if (why || directs) return why;
  if (who === "director") return t("history.closed_director");
  return who === "director when strict" && game.rules.strict ? t("history.closed_strict") : null;
}

/** The corrections of a line, or of the board. */
const kindsOf = (of) => Object.keys(CORRECTIONS).filter((kind) => CORRECTIONS[kind].of === of);

// --- the fields of a form ---

const inputs = {
  number: ({ name, min, max, value }) => html("input", { name, type: "number", inputmode: "numeric", min, max, step: 1, value: value === undefined ? null : value, autocomplete: "off" }),
  text: ({ name }) => html("input", { name, type: "text", maxlength: LONGEST_NOTE, autocomplete: "off", dir: "auto" }),
};

const choiceNode = ({ name, label, choices }) =>
  html("fieldset.choice", html("legend", label), ...choices.map(([value, text], i) =>
    html("label.key", html("input", { type: "radio", name, value, checked: i === 0 }), html("bdi", text))));

const fieldNode = (field) =>
  field.kind === "choice" ? choiceNode(field) : html("label.field", html("span", field.label), inputs[field.kind](field));

/** The values of a form, or {wrong: sentence, name} if one is missing or invalid. */
function valuesOf(form, fields) {
  const values = {};
  for (const { kind, name, label, min, max, required, spoken } of fields) {
    const text = form.elements[name].value.trim();
    if (kind === "number" && !(/^\d+$/u.test(text) && Number(text) >= min && Number(text) <= max)) {
      return { wrong: min === max ? t("history.give_only", { label, min }) : t("history.give_number", { label, min, max }), name };
    }
    if (required && !text) return { wrong: t("history.give_reason"), name };
    if (spoken) values[name] = text;
    else if (kind === "text") Object.assign(values, text ? { [name]: text } : {});
    else values[name] = Number(text);
  }
  return { values };
}

/** A line in the select: "12: Ann +12, hand" */
const entryChoiceText = (game, entry) => [`${entry.id}: ${entryText(asState(game), entry)}`, fateText(entry)].filter(Boolean).join(", ");

// --- effects ---

const moveText = (from, to) => `${from} → ${to}`;

/** "69 → 57"; if only the rear peg moves, that instead. */
function pegsText(before, after, lane) {
  const [from, to] = [before.fronts[lane], after.fronts[lane]];
  if (from !== to) return moveText(from, to);
  if (before.rears[lane] === after.rears[lane]) return t("history.stays", { hole: from });
  return t("history.rear_moves", { hole: from, move: moveText(before.rears[lane], after.rears[lane]) });
}

const outcome = ({ over, winner, skunks }) => JSON.stringify([over, winner, skunks]);

/** What happens to the result, in a sentence; "" if there is none before or after. */
function resultChangeText(game, before, after) {
  const then = gameResultText({ ...game, ...after, abandoned: false });
  if (before.over && !after.over) return t("history.open_again");
  if (!after.over) return "";
  return outcome(before) === outcome(after) ? t("history.result_stays", { result: then }) : t("history.result_then", { result: then });
}

/** After a game is abandoned, another one runs. */
function nextGameOnTable({ state }) {
  const card = { players: state.seats.map(({ name }) => name), lanes: state.seats.map(({ lane }) => lane), fronts: state.lanes.map(({ front }) => front), skunks: state.lanes.map(({ skunks }) => skunks), lurch: state.game.rules.lurch, ...state.game };
  return t("history.then_table", { result: gameResultText(card) });
}

/** The server's preview for `game`. */
function previewNodes(game, answer) {
  const { before, after, note, state } = answer;
  const table = asState(game);
  const gone = state.game.id !== game.id && game.running;
  const rows = gone ? [] : before.fronts.map((_, lane) =>
    html("li", html("span.who", mark(lane), html("bdi", laneName(table, lane))), html("b", pegsText(before, after, lane))));
  const says = gone ? nextGameOnTable(answer) : resultChangeText(game, before, after);
  return [
    html("ul.preview", ...rows),
    ...(says ? [html("p.outcome", says)] : []),
    ...(note ? [html("p.stays-note", isolateNames(note))] : []),
  ];
}

// --- the dialog ---

const TIMEOUT = 5_000; // ms; a repeat carries the same id, so it is safe

export const role = new Role();

let open = null; // {game, table, reload, line, kind, values, command, id, step, sent}

/** Why nothing in a game can be corrected from here, as nodes; null if something can. */
export function whyNotCorrectable(game) {
  if (!role.mayScore) return [t("history.closed_viewer"), " ", html("a", { href: "/j/" }, t("history.pair"))];
  if (!game.correctable) return [t("history.closed_match")];
  return game.running || role.isDirector ? null : [t("history.closed_earlier")];
}

/** Open the dialog; `game()` is the API's newest response, `reload()` fetches a newer one, `line` is the chosen line.
*/
export function openCorrection(given) {
  open = { ...given, line: given.line ?? given.game().entries.find(({ stands }) => stands)?.id ?? null, step: "menu" };
  showMenu();
  openDialog(byId("correct"), "close", () => {
    open = null;
  });
}

const chosenEntry = (line) => open.game().entries.find(({ id }) => id === line) ?? null;

const showAnswer = (...nodes) => byId("correct-answer").replaceChildren(...nodes);

function layStep(step, title, ...nodes) {
  open.step = step;
  writeById("correct-title", title);
  byId("correct-body").replaceChildren(...nodes);
}

const key = (tag, text, act, attributes = {}) => {
  const node = html(tag, { type: "button", ...attributes }, text);
  node.addEventListener("click", act);
  return node;
};

const close = () => key("button.solid", t("history.close"), () => byId("correct").close("close"));

// --- choosing the correction ---

function showMenu() {
  const game = open.game();
  const pick = html("select", { id: "correct-line" }, ...game.entries.map((entry) => html("option", { value: entry.id, selected: entry.id === open.line }, entryChoiceText(game, entry))));
  pick.addEventListener("change", () => {
    open.line = pick.value;
    showMenu();
    byId("correct-line").focus();
  });
  showAnswer();
  layStep("menu", t("history.correct_title"),
    ...(game.entries.length ? [html("label.field", html("span", t("history.which_line")), pick), kindGroup("line", "history.on_line")] : []),
    kindGroup("table", "history.on_table"), close());
}

const kindGroup = (of, label) => html("div.kinds", { role: "group", "aria-label": t(label) }, html("h3", t(label)), ...kindsOf(of).map(kindKey));

function kindKey(kind) {
  const reason = whyClosed(kind, open.game(), chosenEntry(open.line), role.isDirector);
  const node = key("button.key", t(`history.kind_${kind}`), () => (reason ? showAnswer(reason) : choose(kind)), { "data-kind": kind });
  set(node, "aria-disabled", reason ? "true" : null);
  set(node, "title", reason);
  return node;
}

function choose(kind) {
  open.kind = kind;
  open.values = {};
  open.back = CORRECTIONS[kind].fields(open.game(), chosenEntry(open.line)).length ? showForm : showMenu;
  if (open.back === showForm) showForm();
  else showPreview();
}

// --- its fields ---

const aboutText = () => (CORRECTIONS[open.kind].of === "line" ? entryText(asState(open.game()), chosenEntry(open.line)) : "");

function showForm() {
  const fields = CORRECTIONS[open.kind].fields(open.game(), chosenEntry(open.line));
  const asking = html("form", { novalidate: true }, ...presetKeys(), ...fields.map(fieldNode),
    html("div.two-keys", key("button.key", t("history.back"), showMenu), html("button.solid", t("history.see"))));
  fillForm(asking, open.values);
  asking.addEventListener("submit", (event) => {
    event.preventDefault();
    const { values, wrong, name } = valuesOf(asking, fields);
    for (const input of asking.querySelectorAll("input")) set(input, "aria-invalid", input.name === name ? "true" : null);
    if (wrong) {
      showAnswer(wrong);
      return asking.elements[name].focus();
    }
    open.values = values;
    showPreview();
  });
  showAnswer();
  layStep("form", t(`history.kind_${open.kind}`), ...(aboutText() ? [html("p.about-line", t("history.line_said", { line: open.line, what: aboutText() }))] : []), asking);
  asking.querySelector("input")?.focus();
}

function fillForm(asking, values) {
  for (const [name, value] of Object.entries(values)) if (asking.elements[name]) asking.elements[name].value = `${value}`;
}

function presetKeys() {
  const presets = CORRECTIONS[open.kind].presets?.(open.game()) ?? [];
  if (!presets.length) return [];
  return [html("div.presets", { role: "group", "aria-label": t("history.presets") }, ...presets.map(({ label, values }) =>
    key("button.key", capitalize(label), (event) => fillForm(event.target.form, values))))];
}

// --- its effects ---

/** The command, based on the page's state of the game. */
const buildCommand = () => {
  const game = open.game();
  return { ...CORRECTIONS[open.kind].command(game, chosenEntry(open.line), open.values), game: game.id };
};

async function requestPreview() {
  open.sent = false;
  open.command = buildCommand();
  open.id = newId();
  return previewCommand(open.command, TIMEOUT);
}

/** Request the preview; if the page was outdated, once more based on the current state. */
async function showPreview(message = null) {
  const mine = open;
  const opened = open.kind;
  let effects = await requestPreview();
  if (effects.status === 409 && effects.body.code === "moved") {
    await open?.reload();
    if (open !== mine) return;
    effects = await requestPreview();
  }
  if (open !== mine || open.kind !== opened) return;
  if (!effects.ok) return showRefusal(effects.body);
  showEffects(effects.body, message);
}

function showRefusal(problem) {
  open.back();
  showAnswer(...refusalNodes(problem));
}

function showEffects(effects, message) {
  const no = key("button.solid", t("history.leave"), () => byId("correct").close("close"));
  const yes = key("button.key", t(`history.do_${open.kind}`), sendCorrection, { id: "correct-do" });
  showAnswer(...(message ? [message] : []));
  const said = CORRECTIONS[open.kind].said?.(open.game(), chosenEntry(open.line), open.values);
  const asks = t(`history.ask_${open.kind}`, { ...open.values, ...said, line: open.line, what: aboutText() });
  const lost = effects.loses_win !== null;
  layStep("preview", lost ? winLostText(asState(open.game())) : asks,
    ...(lost ? [html("p.about-line", asks)] : []),
    ...(aboutText() && open.kind !== "retract" ? [html("p.about-line", aboutText())] : []),
    ...previewNodes(open.game(), effects), html("div.two-keys", no, yes));
  no.focus();
}

/**
 * The game changed while someone reads a preview: show its effects again. After sending, the change may be the
 * command's own: until there is a response, only the same command is sent again.
 */
export function tableMoved() {
  if (open?.step === "preview" && !open.sent) showPreview(t("history.moved_on"));
}

// --- done ---

async function sendCorrection() {
  const mine = open;
  const yes = byId("correct-do");
  if (yes.getAttribute("aria-busy")) return;
  set(yes, "aria-busy", "true");
  open.sent = true;
  const { ok, status, body } = await sendCommand(open.command, { id: open.id, tries: 1, timeout: TIMEOUT });
  if (open !== mine) return;
  set(yes, "aria-busy", null);
  if (ok) return finish(body);
  if (status === 0 || status === 429 || status >= 500) return showAnswer(html("span", t("history.not_sent")), ...refusalNodes(body));
  open.sent = false;
  if (status !== 409 || body.code !== "moved") return showRefusal(body);
  await open.reload();
  if (open === mine) showPreview(t("history.moved_on"));
}

function finish({ state, note }) {
  const { table, reload } = open;
  const text = [t(`history.done_${open.kind}`), note ?? ""].filter(Boolean).join(". ");
  byId("correct").close("done");
  table.takeAnswer(state);
  reload().then(() => writeById("correct-closed", text));
}
