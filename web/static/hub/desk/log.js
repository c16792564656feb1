// Event log: announcements, the audit trail with undo, tables and their codes, other directors.

import { byId, fetchJson, html, postJson, t } from "../../lib/browser.js";
import { choiceField, confirm, doKey, invite, openDecision, openKey, openNotice, showOutcome, showRows, textField } from "../controls.js";
import { refusalOf, send, signature } from "../decisions.js";
import { NIGHT } from "../night_stream.js";
import { clockText, sentence } from "../night_words.js";

// --- announcements ---

export function showAnnouncements(view) {
  const rows = view.announcements.map(({ number, at, text, by, actions }) =>
    html("li.said", { "data-key": `${number}` }, html("p", html("b", { dir: "auto" }, text), html("span.quiet", [clockText(at), by].filter(Boolean).join(" · "))),
      html("div.acts", doKey(t("hub.withdraw"), { do: "undo", number }, actions.undo, { name: `${t("hub.withdraw")}: ${text}` }))));
  byId("no-announcements").hidden = rows.length > 0;
  showRows(byId("announcements"), rows);
}

export function openAnnouncement() {
  openDecision({
    title: t("hub.announce"),
    about: t("hub.announce_about"),
    nodes: [textField(t("hub.announcement"), "text", { maxlength: "280", autofocus: true })],
    yes: t("hub.announce"),
    request: ({ text }) => ({ do: "announce", text: text.trim() }),
  });
}

// --- the audit trail ---

let older = null; // all lines, if someone has asked for those that are not sent live

const byWhom = (view, { role, name }) => (role === "player" ? (view.names[name] ?? t("hub.at_the_door")) : name || t(`hub.by_${role}`));

function auditRow(view, one) {
  const { number, at, by, said, stands, undone_by: undoneBy, actions } = one;
  const facts = [t("hub.number_of", { number }), clockText(at), byWhom(view, by), undoneBy && t("hub.undone_by", { number: undoneBy })].filter(Boolean).join(" · ");
  const key = stands ? [doKey(t("hub.undo"), { do: "undo", number }, actions.undo, { name: `${t("hub.undo")}: ${sentence(said)}` })] : [];
  return html(`li.said${stands ? "" : ".undone"}`, { "data-key": `${number}` }, html("p", html(stands ? "b" : "s", { dir: "auto" }, sentence(said)), html("span.quiet", facts)), html("div.acts", ...key));
}

export function showAudit(view) {
  const live = new Map(view.audit.map((one) => [one.number, one]));
  const lines = older ? [...view.audit, ...older.filter(({ number }) => !live.has(number))] : view.audit;
  showRows(byId("audit"), lines.map((one) => auditRow(view, one)));
  byId("older").hidden = Boolean(older) || (view.audit.at(-1)?.number ?? 1) <= 1;
}

export async function loadOlder(view) {
  const { ok, body } = await fetchJson(`/night/v1/${NIGHT}/audit`);
  if (!ok) return;
  older = body.audit;
  showAudit(view());
}

/** A correction may change lines that are no longer sent live. */
export function forgetOlder(view) {
  if (older) loadOlder(view);
}

// --- tables ---

export function showTables(view, stream) {
  const rows = view.tables.map(({ table, label, kind, actions }) => {
    const live = stream.tables.get(table);
    const link = kind === "paper" ? t("hub.paper") : live ? t(live.online ? "hub.online" : "hub.offline") : t("hub.never_online");
    const keys = [
      ...(kind === "board" ? [openKey(t("hub.connect"), "seat", table, { name: `${t("hub.connect")}: ${t("hub.table", { table: label })}` })] : []),
      doKey(t("hub.remove"), { do: "remove_table", table }, actions.remove_table, { name: `${t("hub.remove")}: ${t("hub.table", { table: label })}` }),
    ];
    return html("li.owing", { "data-key": table }, html("b", t("hub.table", { table: label })), html(`span.quiet${live && !live.online ? ".ill" : ""}`, link), html("div.acts", ...keys));
  });
  byId("no-tables").hidden = rows.length > 0;
  showRows(byId("tables"), rows);
}

export function openNewTable(view) {
  const number = view.tables.reduce((most, { label }) => Math.max(most, Number(label) || 0), 0) + 1;
  openDecision({
    title: t("hub.add_table"),
    nodes: [
      textField(t("hub.table_label"), "label", { value: `${number}`, maxlength: "12", autofocus: true }),
      choiceField(t("hub.table_kind"), "kind", [["board", t("hub.board"), t("hub.board_about")], ["paper", t("hub.paper"), t("hub.paper_about")]], { chosen: "board" }),
    ],
    yes: t("hub.add_table"),
    request: ({ label, kind }) => ({ do: "add_table", table: tableId(view, label, kind), label: label.trim(), kind }),
  });
}

/** A unique id for a table: for a board it is the user name at the broker. */
function tableId(view, label, kind) {
  const ids = new Set(view.tables.map(({ table }) => table));
  const wanted = `${kind === "board" ? "t" : "p"}${label.trim().toLowerCase().replace(/[^a-z0-9_-]+/gu, "-")}`.slice(0, 24);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? wanted : `${wanted}-${number}`;
    if (!ids.has(id)) return id;
  }
}

/** The six digits with which a table joins. */
export async function openSeat(view, table) {
  const answer = await postJson(`/night/v1/${NIGHT}/tables/${table}/code`, {});
  const { ok, body } = answer;
  const { label } = view.tables.find((one) => one.table === table);
  openNotice(t("hub.connect_table", { table: label }), ok ? invite(body, "hub.connect_how", "hub.connect_how_typed") : [html("p.why", refusalOf(answer).text)], "inviting");
}

// --- files ---

/** The text of a spreadsheet file: UTF-16 if it starts that way, UTF-8, else Windows encoding. */
function textOf(bytes) {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Import a roster; name the lines that cannot be added. */
export function listenToImport() {
  byId("import").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [file] = byId("file").files;
    if (!file) return byId("file").focus();
    const answer = await send("/night/v1/import", { night: NIGHT, text: textOf(await file.arrayBuffer()), signature: signature.get() });
    const { kind, entered, faults, notes } = answer.body;
    const lines = answer.ok ? [t(kind === "results" ? "hub.imported_results" : "hub.imported", { n: entered }), ...[...faults, ...notes].map(sentence)] : [refusalOf(answer).text];
    showOutcome(byId("imported"), lines, !answer.ok || faults.length > 0);
  });
}

// --- directors ---

export async function showDirectors() {
  const { ok, body } = await fetchJson("/night/v1/directors", { cache: "no-store" });
  if (!ok) return;
  showRows(byId("directors"), body.directors.map(({ device, label, this: isThis }) => {
    const keys = isThis ? [] : [openKey(t("hub.unpair"), "unpair", device, { name: `${t("hub.unpair")}: ${label}` })];
    return html("li.owing", { "data-key": device }, html("span.name", isThis ? t("hub.this_device") : label || t("hub.device_unknown")), html("span.quiet", isThis ? label : ""), html("div.acts", ...keys));
  }));
}

export async function openCoDirector() {
  const answer = await postJson("/night/v1/directors/code", {});
  const { ok, body } = answer;
  openNotice(t("hub.co_director"), ok ? invite(body, "hub.co_director_how", "hub.co_director_how_typed") : [html("p.why", refusalOf(answer).text)], "inviting");
}

export async function unpairDirector(device) {
  if (!(await confirm({ title: t("hub.unpair_ask"), about: t("hub.unpair_about"), yes: t("hub.unpair") }))) return;
  await postJson("/night/v1/unpair", { device });
  await showDirectors();
}

/** The name with which this director signs. */
export function listenToSignature() {
  const field = byId("signature");
  field.value = signature.get();
  field.addEventListener("change", () => signature.set(field.value.trim()));
}

