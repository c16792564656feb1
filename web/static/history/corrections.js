// Putting right: what, then what it needs to know, then what it would do; only then it is done.

import { closed, fieldNode, KINDS, kindsOf, lineSaid, valuesOf } from "./correction_forms.js";
import { previewNodes } from "./correction_preview.js";
import { byId, html, say, set } from "../lib/dom.js";
import { posted, refusal } from "../lib/http.js";
import { asState } from "../words/games.js";
import { Role } from "../live/role.js";
import { rise } from "../lib/dialog.js";
import { newId } from "../lib/ids.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const PATIENCE = 5_000; // ms; a repeat carries the same id, so it is safe

export const role = new Role();

let at = null; // {game, table, reload, line, kind, values, command, id, step, sent}

/** Why nothing of a game can be put right from here, as nodes; null where something can. */
export function closedFor(game) {
  if (!role.mayScore) return [t("history.closed_viewer"), " ", html("a", { href: "/j/" }, t("history.pair"))];
  if (!game.correctable) return [t("history.closed_match")];
  return game.running || role.directs ? null : [t("history.closed_earlier")];
}

/** Open the sheet; `game()` is the newest answer of the API, `reload()` asks for a newer one, `line` is chosen. */
export function correct(given) {
  at = { ...given, line: given.line ?? given.game().entries.find(({ stands }) => stands)?.id ?? null, step: "menu" };
  menu();
  rise(byId("correct"), "close", () => {
    at = null;
  });
}

const entryOf = (line) => at.game().entries.find(({ id }) => id === line) ?? null;

const answer = (...nodes) => byId("correct-answer").replaceChildren(...nodes);

function lay(step, title, ...nodes) {
  at.step = step;
  say("correct-title", title);
  byId("correct-body").replaceChildren(...nodes);
}

const key = (tag, text, act, attributes = {}) => {
  const node = html(tag, { type: "button", ...attributes }, text);
  node.addEventListener("click", act);
  return node;
};

const close = () => key("button.solid", t("history.close"), () => byId("correct").close("close"));

// --- what ---

function menu() {
  const game = at.game();
  const pick = html("select", { id: "correct-line" }, ...game.entries.map((entry) => html("option", { value: entry.id, selected: entry.id === at.line }, lineSaid(game, entry))));
  pick.addEventListener("change", () => {
    at.line = pick.value;
    menu();
    byId("correct-line").focus();
  });
  answer();
  lay("menu", t("history.correct_title"),
    ...(game.entries.length ? [html("label.field", html("span", t("history.which_line")), pick), group("line", "history.on_line")] : []),
    group("table", "history.on_table"), close());
}

const group = (of, label) => html("div.kinds", { role: "group", "aria-label": t(label) }, html("h3", t(label)), ...kindsOf(of).map(kindKey));

function kindKey(kind) {
  const reason = closed(kind, at.game(), entryOf(at.line), role.directs);
  const node = key("button.key", t(`history.kind_${kind}`), () => (reason ? answer(reason) : choose(kind)), { "data-kind": kind });
  set(node, "aria-disabled", reason ? "true" : null);
  set(node, "title", reason);
  return node;
}

function choose(kind) {
  at.kind = kind;
  at.values = {};
  at.back = KINDS[kind].fields(at.game(), entryOf(at.line)).length ? form : menu;
  if (at.back === form) form();
  else preview();
}

// --- what it needs to know ---

const about = () => (KINDS[at.kind].of === "line" ? words.line(asState(at.game()), entryOf(at.line)) : "");

function form() {
  const fields = KINDS[at.kind].fields(at.game(), entryOf(at.line));
  const asking = html("form", { novalidate: true }, ...presetKeys(), ...fields.map(fieldNode),
    html("div.two-keys", key("button.key", t("history.back"), menu), html("button.solid", t("history.see"))));
  fill(asking, at.values);
  asking.addEventListener("submit", (event) => {
    event.preventDefault();
    const { values, wrong, name } = valuesOf(asking, fields);
    for (const input of asking.querySelectorAll("input")) set(input, "aria-invalid", input.name === name ? "true" : null);
    if (wrong) {
      answer(wrong);
      return asking.elements[name].focus();
    }
    at.values = values;
    preview();
  });
  answer();
  lay("form", t(`history.kind_${at.kind}`), ...(about() ? [html("p.about-line", t("history.line_said", { line: at.line, what: about() }))] : []), asking);
  asking.querySelector("input")?.focus();
}

function fill(asking, values) {
  for (const [name, value] of Object.entries(values)) if (asking.elements[name]) asking.elements[name].value = `${value}`;
}

function presetKeys() {
  const presets = KINDS[at.kind].presets?.(at.game()) ?? [];
  if (!presets.length) return [];
  return [html("div.presets", { role: "group", "aria-label": t("history.presets") }, ...presets.map(({ label, values, closed: reason }) =>
    key("button.key", label, (event) => (reason ? answer(reason) : fill(event.target.form, values)), { "aria-disabled": reason ? "true" : null, title: reason })))];
}

// --- what it would do ---

/** The command, as of what the page knows of the game. */
const command = () => {
  const game = at.game();
  return { ...KINDS[at.kind].command(game, entryOf(at.line), at.values), game: game.id };
};

async function asked() {
  at.sent = false;
  at.command = command();
  at.id = newId();
  return posted("/api/v1/preview", at.command, PATIENCE);
}

/** Ask what it would do; where the page was behind, once more of what is so now. */
async function preview(message = null) {
  const mine = at;
  const opened = at.kind;
  let told = await asked();
  if (told.status === 409 && told.body.code === "moved") {
    await at?.reload();
    if (at !== mine) return;
    told = await asked();
  }
  if (at !== mine || at.kind !== opened) return;
  if (!told.ok) return refused(told.body);
  show(told.body, message);
}

function refused(problem) {
  at.back();
  answer(...refusal(problem));
}

function show(told, message) {
  const no = key("button.solid", t("history.leave"), () => byId("correct").close("close"));
  const yes = key("button.key", t(`history.do_${at.kind}`), act, { id: "correct-do" });
  answer(...(message ? [message] : []));
  const said = KINDS[at.kind].said?.(at.game(), entryOf(at.line), at.values);
  const asks = t(`history.ask_${at.kind}`, { ...at.values, ...said, line: at.line, what: about() });
  const lost = told.loses_win !== null;
  lay("preview", lost ? words.winLost(asState(at.game())) : asks,
    ...(lost ? [html("p.about-line", asks)] : []),
    ...(about() && at.kind !== "retract" ? [html("p.about-line", about())] : []),
    ...previewNodes(at.game(), told), html("div.two-keys", no, yes));
  no.focus();
}

/**
 * The table has moved while somebody reads what a correction would do: say anew what it does. Once it has been sent, the
 * move may be its own: until it is answered, only the same tap is sent again.
 */
export function moved() {
  if (at?.step === "preview" && !at.sent) preview(t("history.moved_on"));
}

// --- done ---

async function act() {
  const mine = at;
  const yes = byId("correct-do");
  if (yes.getAttribute("aria-busy")) return;
  set(yes, "aria-busy", "true");
  at.sent = true;
  const { ok, status, body } = await posted("/api/v1/commands", { id: at.id, ...at.command }, PATIENCE);
  if (at !== mine) return;
  set(yes, "aria-busy", null);
  if (ok) return done(body);
  if (status === 0 || status === 429 || status >= 500) return answer(html("span", t("history.not_sent")), ...refusal(body));
  at.sent = false;
  if (status !== 409 || body.code !== "moved") return refused(body);
  await at.reload();
  if (at === mine) preview(t("history.moved_on"));
}

function done({ state, note }) {
  const { table, reload } = at;
  const text = [t(`history.done_${at.kind}`), note ?? ""].filter(Boolean).join(". ");
  byId("correct").close("done");
  table.answered(state);
  reload().then(() => say("correct-closed", text));
}
