// Pages opened by a code: a director's desk, check-in and a player's card, a table's seat, a result.

import { byId, html, quote, t, write } from "../lib/browser.js";
import { showRows } from "./controls.js";
import { refusalOf, send } from "./decisions.js";
import { byName } from "./night_words.js";

const said = byId("refusal");
const form = byId("redeem");

const refuse = (answer) => sayWhy(refusalOf(answer).text);

/** Show a reason where it is seen. */
function sayWhy(text) {
  said.hidden = false;
  quote(said, text);
  said.scrollIntoView({ block: "nearest" });
}

const codeOf = () => byId("code").value.trim();

const goTo = ({ night, player }) => location.assign(player ? `/night/${night}/me` : `/night/${night}`);

// --- a director ---

async function pair() {
  const answer = await send("/night/v1/pair", { code: codeOf() });
  if (!answer.ok) return refuse(answer);
  const { night } = document.body.dataset;
  return location.assign(night ? `/night/${night}` : "/");
}

// --- check-in of a player ---

let guests = []; // players on the roster who are not checked in

async function knock() {
  const answer = await send("/night/v1/door/list", { code: codeOf() });
  if (!answer.ok) return refuse(answer);
  said.hidden = true;
  guests = answer.body.players.sort((one, other) => byName(one.name, other.name));
  write(byId("night-name"), answer.body.name);
  byId("walk-up").elements.partner.closest("label").hidden = answer.body.format !== "pairs";
  byId("knock").hidden = true;
  byId("who").hidden = false;
  byId("who").prepend(said); // from now on, refusals are about the name
  byId("on-list").hidden = !guests.length;
  return showGuests("");
}

function showGuests(filter) {
  const found = guests.filter(({ name }) => name.toLocaleLowerCase().includes(filter));
  showRows(byId("guests"), found.map(({ player, name }) =>
    html("li", { "data-key": player }, html("button.key.wide", { type: "button", "data-player": player }, html("b", { dir: "auto" }, name)))));
}

async function comeIn(values) {
  const answer = await send("/night/v1/door", { code: codeOf(), ...values });
  if (answer.ok) return goTo(answer.body);
  if (answer.body?.code === "wrong_code") askAgain();
  return refuse(answer);
}

/** Check-in now shows another code: ask for it again. */
function askAgain() {
  form.querySelector("button").before(said);
  byId("who").hidden = true;
  byId("knock").hidden = false;
  byId("code").select();
}

function listenAtDoor() {
  byId("guests").addEventListener("click", ({ target }) => {
    const { player } = target.closest("[data-player]")?.dataset ?? {};
    if (player) comeIn({ player });
  });
  byId("guest-filter").addEventListener("input", ({ target }) => showGuests(target.value.trim().toLocaleLowerCase()));
  byId("walk-up").addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, partner, number } = Object.fromEntries(new FormData(event.target));
    if (name.trim()) comeIn({ name: name.trim(), partner: partner.trim(), number: number.trim() });
    else sayWhy(t("hub.say_your_name"));
  });
  if (codeOf()) knock();
}

// --- a player's card, and a result ---

async function takeCard() {
  const answer = await send("/night/v1/card", { code: codeOf() });
  if (answer.ok) goTo(answer.body);
  else refuse(answer);
}

async function takeResult() {
  const answer = await send("/night/v1/result-codes", { code: codeOf() });
  if (!answer.ok) return refuse(answer);
  said.hidden = true;
  form.hidden = true;
  byId("done").hidden = false;
  return write(byId("done"), t(answer.body.replayed ? "hub.result_was_in" : "hub.result_is_in"));
}

// --- a table's seat: the code is redeemed by the table, to which this page leads ---

function leadToTable() {
  const address = byId("address").value.trim().replace(/^https?:\/\//iu, "").replace(/\/.*$/u, "");
  if (!address) return byId("address").focus();
  return location.assign(`http://${address}/event?${new URLSearchParams({ join: location.href })}`);
}

const ACTS = { pair, knock, card: takeCard, result: takeResult, seat: leadToTable };

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ACTS[form.dataset.act]();
});
if (form.dataset.act === "knock") listenAtDoor();
