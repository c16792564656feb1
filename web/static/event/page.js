// Event page of a table: joins an event by a code, leaves it, and shows a finished game as a QR code.

import { asSentence, byId, fetchJson, openDialog, postJson, quote, set, t, translate, write } from "../lib/browser.js";
import { firstState, followTable, Role, TableStream } from "../live/table_stream.js";

const LOOK = 700; // ms between polls while a hub has not answered yet

const role = new Role();
const { game } = document.querySelector("main").dataset;

function showRefusal(sentence) {
  quote(byId("refusal"), sentence ? asSentence(sentence) : "");
  const field = byId("code");
  if (!field) return;
  set(field, "aria-invalid", sentence ? "true" : null);
  if (sentence) field.focus();
}

// --- joining and leaving ---

/** What this device can do: join (a director also another event), or only read. */
function showPlace({ joined, event, table, settings, joining, asks, may_answer: mayAnswer, may_leave: mayLeave }) {
  const mayJoin = role.mayScore && !settings && (!joined || role.isDirector);
  const standing = joined ? t("event.joined", { event, table }) : t(role.mayScore ? "event.about" : "event.about_viewer");
  write(byId("standing"), joining ? t("event.joining") : standing);
  byId("joining").hidden = !mayJoin;
  byId("keys-how").hidden = joined;
  byId("leave").hidden = !mayLeave;
  byId("asks").hidden = !asks || !role.mayScore;
  if (asks) showQuestion(asks, mayAnswer);
  byId("joining").querySelector("button").disabled = joining;
  write(byId("join-word"), t(joined ? "event.join_other" : "event.join"));
}

/** Show in full the address of the hub, or of its broker, to confirm. */
function showQuestion({ hub, broker, address }, mayAnswer) {
  write(byId("asks-what"), broker ? t("event.ask_broker", { hub }) : t("event.ask_hub"));
  write(byId("asks-address"), address);
  byId("asks-how").hidden = mayAnswer;
  byId("asks-yes").hidden = !mayAnswer;
}

/** Answer the question, and hide it at once: a second tap would answer a closed question. */
async function answer(yes) {
  byId("asks").hidden = true;
  byId("asks").hidden = await send("/api/v1/event/answer", { address: byId("asks-address").textContent, join: yes });
}

/** Show the table's place, and poll until a hub has answered; `wished` shows a refusal from the hub. */
async function look({ wished = false } = {}) {
  const { ok, body } = await fetchJson("/api/v1/event", { cache: "no-store" });
  if (!ok) return showRefusal(body.detail);
  showPlace(body);
  if (body.joining) return setTimeout(() => look({ wished: true }), LOOK);
  if (wished) showRefusal(body.trouble && translate(body.trouble_message, body.trouble));
}

/** Send a request; returns whether it was accepted, so that its outcome is polled. */
async function send(path, values) {
  showRefusal("");
  const { ok, body } = await postJson(path, values);
  if (ok) setTimeout(() => look({ wished: true }), LOOK);
  else showRefusal(body.detail);
  return ok;
}

function join(event) {
  event.preventDefault();
  const code = byId("code").value.trim();
  if (code) send("/api/v1/event/join", { code });
  else showRefusal(t("event.empty"));
}

const leave = () => openDialog(byId("confirm"), "no", (value) => value === "yes" && send("/api/v1/event/leave", { leave: true }));

function startJoining() {
  byId("code").value = new URLSearchParams(location.search).get("join") ?? "";
  byId("joining").addEventListener("submit", join);
  byId("leave").addEventListener("click", leave);
  byId("asks-yes").addEventListener("click", () => answer(true));
  byId("asks-no").addEventListener("click", () => answer(false));
  role.follow(() => look());
  look();
}

// --- a result as a QR code ---

async function showResult() {
  const { ok, body } = await fetchJson(`/api/v1/event/results/${encodeURIComponent(game)}`);
  byId("result-code").hidden = !ok;
  if (!ok) return showRefusal(body.detail);
  set(byId("qr"), "viewBox", `0 0 ${body.qr.size} ${body.qr.size}`);
  set(byId("qr").querySelector("path"), "d", body.qr.path);
  write(byId("letters"), body.url);
}

if (game) showResult();
else startJoining();
followTable(new TableStream(firstState()), () => {});
