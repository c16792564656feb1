// Controls of the event pages: keys that send a decision and say why they cannot, lists updated row by row, forms in a
// sheet.

import { byId, html, set, svg, t } from "../lib/browser.js";
import { decide, refusalOf } from "./decisions.js";
import { whyNot } from "./night_words.js";

// --- lists ---

const written = new WeakMap(); // the original HTML of a row, whatever was put into it since

/** What has the focus, so that it can be found again in a rewritten row. */
const focusKey = (node) => node?.dataset?.do ?? node?.dataset?.opens ?? node?.getAttribute("name") ?? null;

function refocus(before, after) {
  const key = before.contains(document.activeElement) ? focusKey(document.activeElement) : null;
  return () => {
    if (key === null) return;
    const same = [...after.querySelectorAll("button, input, select, a")].find((one) => focusKey(one) === key);
    (same ?? after.querySelector("button, a"))?.focus({ preventScroll: true });
  };
}

/** The current row if unchanged, else the new one. */
function renew(there, row) {
  const made = row.outerHTML;
  if (there && written.get(there) === made) return there;
  written.set(row, made);
  if (there) {
    const focus = refocus(there, row);
    there.replaceWith(row);
    focus();
  }
  return row;
}

/** Show these rows, each with its own `data-key`; unchanged rows are kept. */
export function showRows(list, rows) {
  const old = new Map([...list.children].map((row) => [row.dataset.key, row]));
  const nodes = rows.map((row) => renew(old.get(row.dataset.key), row));
  const stay = new Set(nodes);
  for (const row of [...list.children]) if (!stay.has(row)) row.remove();
  nodes.forEach((node, place) => {
    if (list.children[place] !== node) list.insertBefore(node, list.children[place] ?? null);
  });
}

/** Update one row of a list, if it is there. */
export function showRow(list, row) {
  const there = [...list.children].find((one) => one.dataset.key === row.dataset.key);
  if (there) renew(there, row);
}

/** Show one thing, or nothing. */
export const showOne = (place, ...nodes) => showRows(place, [html("div", { "data-key": "one" }, ...nodes)]);

/** Show the outcome of a form, line by line; if something was refused, as a reason. */
export function showOutcome(place, lines, isRefused) {
  place.hidden = false;
  place.classList.toggle("why", isRefused);
  place.replaceChildren(...lines.map((line) => html("span.line", line)));
}

// --- keys ---

/** Attributes of a key that is disabled for a reason, or enabled. */
const useOf = (why) => (why ? { "aria-disabled": "true", title: why, "data-reason": why } : {});

/**
 * A key that sends a decision when pressed; `action` says whether that is possible. With `asks` ({title, about, yes})
 * it asks first.
 */
export function doKey(label, request, action, { kind = "button.key", asks = null, name = null } = {}) {
  const more = { ...(asks && { "data-asks": JSON.stringify(asks) }), ...(name && { "aria-label": name }) };
  return html(kind, { type: "button", "data-do": JSON.stringify(request), ...more, ...useOf(whyNot(action)) }, label);
}

/** A key that opens something by a word and what it is about; disabled if there is a reason. */
export function openKey(label, word, about, { kind = "button.key", why = null, name = null } = {}) {
  const more = name ? { "aria-label": name } : {};
  return html(kind, { type: "button", "data-opens": `${word} ${about}`.trim(), ...more, ...useOf(why) }, label);
}

/** Say beside a key why nothing was done; null hides it. */
export function showWhy(key, refusal) {
  const place = key.closest("[data-whys]") ?? key.closest("form, li, section, article") ?? key.parentElement;
  for (const before of document.querySelectorAll("p.why[data-beside]")) before.remove(); // forms have their own places
  if (!refusal) return;
  const said = html("p.why", { role: "alert", "data-beside": true, lang: refusal.lang ?? null }, refusal.text);
  place.append(said);
  said.scrollIntoView({ block: "nearest" });
}

const revision = { of: () => null };

/** Send with each decision the revision from `read()`. */
export function watchRevision(read) {
  revision.of = read;
}

const SEEN_WITHIN = 2_000; // ms for a decision to appear on the page
const LOOK_EACH = 20; // ms

/** Decide, and wait until the page shows it: the next decision is based on that. */
async function decideAndSee(request, seen) {
  const answer = await decide(request, seen);
  const until = performance.now() + SEEN_WITHIN;
  while (answer.ok && answer.body?.number > (revision.of() ?? Infinity) && performance.now() < until) {
    await new Promise((resolve) => { setTimeout(resolve, LOOK_EACH); });
  }
  return answer;
}

async function press(key) {
  if (key.dataset.busy) return;
  const seen = revision.of(); // what was shown when it was pressed
  const asks = key.dataset.asks ? JSON.parse(key.dataset.asks) : null;
  if (asks && !(await confirm(asks))) return;
  key.dataset.busy = "true";
  const answer = await decideAndSee(JSON.parse(key.dataset.do), seen);
  delete key.dataset.busy;
  showWhy(key, answer.ok ? null : refusalOf(answer));
}

/** Activate every key of the page; `openers` are called by their word with what it is about. */
export function listenToKeys(openers) {
  document.addEventListener("click", ({ target }) => {
    const key = target.closest?.("[data-do], [data-opens]");
    if (!key) return;
    if (key.dataset.reason) return showWhy(key, { text: key.dataset.reason });
    if (key.dataset.do) return press(key);
    const [word, ...about] = key.dataset.opens.split(" ");
    openers[word]?.(about.join(" "), key);
  });
}

// --- sheets ---

const sheet = () => byId("sheet");

function openSheet(nodes, kind = "") {
  const dialog = sheet();
  dialog.className = `modal ${kind}`.trim();
  dialog.replaceChildren(...nodes);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

export const closeSheet = () => sheet().open && sheet().close();

/** Prevent leaving a half-filled form without a question. */
addEventListener("beforeunload", (event) => {
  if (sheet()?.open && sheet().querySelector("form[data-typed]")) event.preventDefault();
});

const closeKey = (label = t("common.close")) => {
  const key = html("button.key.wide", { type: "button", value: "close" }, html("b", label));
  key.addEventListener("click", closeSheet);
  return key;
};

/** Ask before something that takes more than one tap to undo; resolves to whether to do it. */
export function confirm({ title, about = "", yes, no = t("hub.no") }) {
  return new Promise((resolve) => {
    const keep = html("button.solid", { type: "button" }, html("b", no));
    const act = html("button.key.wide", { type: "button" }, html("b", yes));
    const dialog = openSheet([html("h2", { id: "sheet-title" }, title), html("p.since", about), html("div.answers", keep, act)]);
    const answer = (value) => () => {
      resolve(value);
      closeSheet();
    };
    keep.addEventListener("click", answer(false));
    act.addEventListener("click", answer(true));
    dialog.addEventListener("close", () => resolve(false), { once: true });
    keep.focus();
  });
}

/** Show something that needs no answer. */
export function openNotice(title, nodes, kind = "") {
  openSheet([html("h2", { id: "sheet-title" }, title), ...nodes, html("div.answers", closeKey())], kind);
}

/** The values of a form by field name; a list if a name occurs several times or ends in "[]". */
export function valuesOf(form) {
  const values = {};
  for (const [name, value] of new FormData(form)) {
    if (name.endsWith("[]")) (values[name.slice(0, -2)] ??= []).push(value);
    else values[name] = value;
  }
  return values;
}

/**
 * A form in a sheet. `submit(values)` resolves to a refusal ({text, lang}), which is shown with the typed values, or to
 * null, which closes the sheet.
 */
export function openForm({ title, about = null, nodes, yes, submit, kind = "" }) {
  const said = html("p.why", { role: "alert", hidden: true });
  const act = html("button.solid", {}, html("b", yes));
  const form = html("form", { novalidate: true }, ...nodes, said, act, closeKey(t("hub.no_change")));
  openSheet([html("h2", { id: "sheet-title" }, title), ...(about ? [html("p.since", about)] : []), form], kind);
  form.addEventListener("input", () => (form.dataset.typed = "true"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (act.dataset.busy) return;
    act.dataset.busy = "true";
    const refusal = await submit(valuesOf(form));
    delete act.dataset.busy;
    if (!refusal) return closeSheet();
    said.textContent = refusal.text;
    set(said, "lang", refusal.lang ?? null);
    said.hidden = false;
  });
  (form.querySelector("[autofocus]") ?? form.querySelector("input:not([type=radio]), select, input"))?.focus();
  return form;
}

/**
 * A form whose values become a request: `request(values)` returns it, or a refusal as {text} if values are missing. It
 * is based on what was shown when the form was opened: if that has changed since, it is refused.
 */
export function openDecision({ request, ...form }) {
  const seen = revision.of();
  return openForm({
    ...form,
    submit: async (values) => {
      const wanted = request(values);
      if (!wanted.do) return wanted;
      const answer = await decideAndSee(wanted, seen);
      return answer.ok ? null : refusalOfForm(answer);
    },
  });
}

/** The refusal of a form; if it is about outdated values, it says how to see the current ones. */
function refusalOfForm(answer) {
  const refusal = refusalOf(answer);
  return answer.body?.key === "night_moved" ? { ...refusal, text: `${refusal.text} ${t("hub.form_old")}` } : refusal;
}

// --- fields ---

export const textField = (label, name, { value = "", hint = null, ...more } = {}) =>
  html("label.field", html("span", label), hint && html("small", hint), html("input", { name, value, autocomplete: "off", ...more }));

export const numberField = (label, name, options = {}) => textField(label, name, { inputmode: "numeric", pattern: "[0-9]*", ...options });

export function areaField(label, name, { hint = null, rows = "6", ...more } = {}) {
  return html("label.field", html("span", label), hint && html("small", hint), html("textarea", { name, rows, ...more }));
}

export function selectField(label, name, options, chosen = null) {
  const nodes = options.map(([value, text]) => html("option", { value, selected: value === chosen }, text));
  return html("label.field", html("span", label), html("select", { name }, ...nodes));
}

/** Choices side by side, each one tap: [value, label, more, why it is not possible]. */
export function choiceField(label, name, options, { chosen = null, type = "radio" } = {}) {
  const keys = options.map(([value, text, more = null, why = null]) => {
    const input = html("input", { type, name, value, checked: value === chosen || (Array.isArray(chosen) && chosen.includes(value)), disabled: Boolean(why) });
    return html(`label.choice${why ? ".out" : ""}`, input, html("span", html("b", text), more && html("small", more), why && html("small.reason", why)));
  });
  return html("fieldset.choices", html("legend", label), ...keys);
}

/** The cents in a typed amount, in any language's format; null if it is not an amount. */
export function readCents(text) {
  const found = /^\s*(-?)(\d{1,6})(?:[.,](\d{1,2}))?\s*$/u.exec(text);
  if (!found) return null;
  const cents = 100 * Number(found[2]) + Number((found[3] ?? "").padEnd(2, "0"));
  return found[1] ? -cents : cents;
}

// --- QR codes for phones, with what to type instead ---

const qrPicture = ({ size, path }, label) =>
  svg("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label }, svg("rect", { width: "100%", height: "100%" }), svg("path", { d: path }));

/** A link for this machine's users: only this machine reaches the hub. */
const openHere = (url) => html("a.key", { href: url, target: "_blank" }, t("hub.open_here"));

/**
 * How to join by a code, by scanning or typing: `how` is the text with a QR code, and `howTyped` without one, with the
 * reason. `isTouched` is false for a screen without touch.
 */
export function invite({ qr, url, host, reach, code }, how, howTyped, { isTouched = true } = {}) {
  const typed = html("p.typed", t(qr ? how : howTyped, { host }), " ", html("b.code", code));
  if (qr) return [qrPicture(qr, url), typed];
  const here = reach === "machine" && isTouched ? [openHere(url)] : [];
  return [html(reach === "machine" ? "p.quiet" : "p.why", t(`hub.unreached_${reach}`)), typed, ...here];
}

// --- bracket: a column for each round, its matches from the top, with games won ---

const FROM_END = ["hub.the_final", "hub.the_semi_finals", "hub.the_quarter_finals"];

export const roundName = (round, rounds) => (FROM_END[rounds - round] ? t(FROM_END[rounds - round]) : t("hub.bracket_round", { n: round }));

const NAMED = ["main", "consolation", "plate", "open plate", "second chance"];

/** The name of a bracket; an unknown name is a consolation. */
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

/** The bracket from a round on; `keys(match)` are the actions for a match. */
export function bracketPicture(view, { matches, rounds }, keys = () => [], first = 1) {
  const columns = Array.from({ length: rounds - first + 1 }, (_, at) => at + first).map((round) => {
    const these = matches.filter((match) => match.round === round).sort((one, other) => one.place - other.place);
    return html("li.bracket-round", html("h3", roundName(round, rounds)), html("ol", ...these.map((match) => matchBox(view, match, keys))));
  });
  return html("div.bracket-picture", html("ol.bracket-rounds", { "data-rounds": `${columns.length}` }, ...columns));
}
