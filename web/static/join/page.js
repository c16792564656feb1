// Join page: pairs this device with a scanned or typed code.

import { asPost, asSentence, byId, fetchJson, language, quote, request, set, t, write } from "../lib/browser.js";
import { firstState, followTable, Role, TableStream } from "../live/table_stream.js";

const STANDING = { scorer: "join.is_scorer", director: "join.is_director" };
const REFUSED = { shape: "join.shape", wrong_code: "join.wrong_code" };

const form = byId("pairing");
const field = byId("code");
const role = new Role();

const LETTERS = 6;

let hasLeft = false; // just unpaired on this page

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString(language, { timeStyle: "short" });

async function showStanding() {
  const { ok, body: me } = await fetchJson("/api/v1/me", { cache: "no-store" });
  if (!ok) return;
  byId("unpair").hidden = me.role === "viewer";
  hasLeft &&= me.role === "viewer";
  const looksOn = hasLeft ? t("join.unpaired") : t("join.about");
  write(byId("standing"), me.role === "viewer" ? looksOn : t(STANDING[me.role], { time: clock(me.until) }));
}

/** Why a code was refused, and what to do. */
function whyNot({ status, body: problem, wait }) {
  if (status === 429) return t("join.too_many", { seconds: wait / 1_000 || 1 });
  return problem?.code in REFUSED ? t(REFUSED[problem.code]) : (problem?.detail ? asSentence(problem.detail) : t("join.no_answer"));
}

function showRefusal(sentence) {
  quote(byId("refusal"), sentence);
  set(field, "aria-invalid", sentence ? "true" : null);
  if (sentence) field.focus();
}

async function sendCode(code) {
  const answer = await request("/api/v1/pair", asPost({ code }));
  if (answer.ok) return location.replace("/");
  showRefusal(whyNot(answer));
}

async function pair(event) {
  event.preventDefault();
  const code = field.value.trim();
  if (!code) return showRefusal(t("join.empty"));
  if (code.replaceAll(/[^0-9a-z]/giu, "").length !== LETTERS) return showRefusal(t("join.shape"));
  const key = form.querySelector("button");
  if (key.disabled) return;
  key.disabled = true;
  showRefusal("");
  await sendCode(code);
  key.disabled = false;
}

if (form) {
  form.addEventListener("submit", pair);
  form.querySelector("button").disabled = false; // earlier, the browser itself would have put the code into an address
  byId("unpair").addEventListener("click", async () => {
    if (!(await role.unpair())) return showRefusal(t("join.no_answer"));
    hasLeft = true;
    await showStanding();
    field.focus();
  });
  role.follow(showStanding);
  if (role.mayScore) showStanding();
  (field.value ? form.querySelector("button") : field).focus();
}
followTable(new TableStream(firstState()), () => {});
