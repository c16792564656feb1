// People of an event: the roster with check-in, the check-in QR code of this minute, additions, names with numbers.

import { byId, fetchJson, html, t, write } from "../../lib/browser.js";
import { areaField, confirm, doKey, invite, openDecision, openForm, openKey, openNotice, readCents, showRows, textField } from "../controls.js";
import { decide, refusalOf, send } from "../decisions.js";
import { NIGHT, whenLetGo } from "../night_stream.js";
import { byName, money, whyNot } from "../night_words.js";

const GROUPS = [["entered", "hub.group_missing"], ["here", "hub.group_here"], ["left", "hub.group_left"]];
const MOST_NAMES = 400; // in one list
const PASTED = 3; // cells of a line: name, number, team
const [PAIRS, TEAMS] = ["pairs", "teams"]; // formats of an event

let filter = "";

// --- the roster ---

function facts(view, { number, team, partner, late, walk_up: walkUp, free, stays, fee }) {
  const owes = fee.due - fee.paid;
  return [
    number,
    team,
    lack(view.night.rules, { partner, team }),
    walkUp && t("hub.walk_up"),
    late && t("hub.late"),
    free && t("hub.free"),
    stays && t("hub.stays"),
    owes > 0 && t("hub.owes", { sum: money(owes, view.night.rules.currency) }),
  ].filter(Boolean).join(" · ");
}

const nextText = ({ next, state }) =>
  state === "here" && next ? t("hub.next_at", { round: next.round, table: next.label || "–" }) : "";

function mainKey({ player, name, state, actions }) {
  const about = { name: (label) => `${label}: ${name}` };
  const key = (label, doing) => doKey(label, { do: doing, player }, actions[doing], { name: about.name(label) });
  if (state === "entered") return key(t("hub.check_in"), "check_in");
  return state === "here" ? key(t("hub.leaves"), "leave") : key(t("hub.is_back"), "come_back");
}

/** What an entry in a pairs or team event is missing. */
const lack = ({ format }, { partner, team }) => (format === PAIRS && !partner && t("hub.no_partner")) || (format === TEAMS && !team && t("hub.no_team"));

const personRow = (view, one) => html("li.person", { "data-key": one.player },
  html("p", html("b.name", { dir: "auto" }, view.names[one.player]), html("span.quiet", facts(view, one))),
  html("p.quiet.where", nextText(one)),
  html("div.acts", mainKey(one), openKey("…", "person", one.player, { name: t("hub.more_of", { name: one.name }) })));

function groupRows(view, [state, title]) {
  const people = view.players.filter((one) => one.state === state).sort((one, other) => byName(one.name, other.name));
  if (!people.length) return [];
  const shown = people.filter(({ name, partner, number, team }) => `${name} ${partner} ${number} ${team}`.toLocaleLowerCase().includes(filter));
  return [html("li.group", { "data-key": state }, html("h3", t(title, { n: people.length }))), ...shown.map((one) => personRow(view, one))];
}

/** Show the roster. */
export function showPeople(view) {
  const { entered, checked_in: here, missing, left } = view.people;
  write(byId("people-count"), t("hub.people_count", { entered, here, missing, left, n: entered }));
  showRows(byId("roster"), GROUPS.flatMap((group) => groupRows(view, group)));
  byId("roster-empty").hidden = view.players.length > 0;
  showEntryFields({ format: view.night.rules.format, isOpen: view.night.phase !== "none" });
  showRegistration(view);
}

/** A pairs event needs the partner, a team event the team; nobody can be added unless an event is open. */
function showEntryFields({ format, isOpen }) {
  byId("enter").hidden = !isOpen;
  const { partner, team } = byId("enter").elements;
  partner.closest("label").hidden = format !== PAIRS;
  team.closest("label").hidden = format !== TEAMS;
}

let wasOpen = null; // whether registration was open when last shown

function showRegistration({ night, actions }) {
  if (night.registration_open !== wasOpen) byId("enter-said").hidden = true; // its refusals are outdated
  wasOpen = night.registration_open;
  const key = night.registration_open
    ? doKey(t("hub.close_registration"), { do: "close_registration" }, actions.close_registration)
    : doKey(t("hub.open_registration"), { do: "open_registration" }, actions.open_registration);
  showRows(byId("registration"), [html("div.acts", { "data-key": "one" }, key)]);
}

/** Activate the forms beside the roster; `read()` returns the newest view. */
export function listenToPeople(read) {
  byId("filter").addEventListener("input", ({ target }) => {
    filter = target.value.trim().toLocaleLowerCase();
    showPeople(read());
  });
  byId("enter").addEventListener("submit", (event) => {
    event.preventDefault();
    enterOne(event.target, event.submitter?.value !== "later");
  });
}

async function enterOne(form, isHere) {
  const said = byId("enter-said");
  const { name, number, partner, team } = Object.fromEntries(new FormData(form));
  said.hidden = true;
  if (!name.trim()) {
    showReason(said, t("hub.name_first"));
    return form.elements.name.focus();
  }
  const answer = await decide({ do: "enter", name: name.trim(), number: number.trim(), partner: partner.trim(), team: team.trim(), walk_up: isHere });
  if (answer.ok) {
    form.reset();
    return form.elements.name.focus();
  }
  showReason(said, refusalOf(answer).text);
}

function showReason(place, text) {
  write(place, text);
  place.hidden = false;
}

// --- a list of names ---

const CELL = /"((?:[^"]|"")*)"|[^\t;,]+|(?<=^|[\t;,])(?=[\t;,]|$)/gu; // quoted, plain or empty

/**
 * "Ann", "Ann, MI101", "Ann;MI101;Riverside" or, in a pairs event, "Ann & Bob" in each line, as in a spreadsheet or a
 * message; quoted text is one name.
 */
const readLine = (format) => (line) => {
  const cells = [...line.trim().matchAll(CELL)].map(([cell, quoted]) => (quoted?.replaceAll('""', '"') ?? cell).trim());
  const [names = "", number = "", team = ""] = cells;
  const [name, ...partners] = format === PAIRS ? names.split("&").map((part) => part.trim()) : [names];
  return { name, partner: partners.join(" & "), number, team, more: cells.slice(PASTED).some(Boolean) };
};

/** Add each of them; a refused player is named with the reason, and does not block the others. */
async function enterAll(people) {
  const refused = [];
  for (const { name, partner, number, team } of people) {
    const answer = await decide({ do: "enter", name, partner, number, team });
    if (!answer.status) return refusalOf(answer);
    if (!answer.ok) refused.push(`${name}: ${refusalOf(answer).text}`);
  }
  return refused.length ? { text: [t("hub.imported", { n: people.length - refused.length }), ...refused].join("\n") } : null;
}

/** Paste a roster; `read()` returns the newest view. Players added before a refused line do not count as duplicates. */
export function openNames(read) {
  openForm({
    title: t("hub.names_title"),
    about: t("hub.names_about"),
    nodes: [areaField(t("hub.names"), "names", { hint: t("hub.names_hint"), rows: "10", autofocus: true })],
    yes: t("hub.names_enter"),
    submit: ({ names }) => {
      const known = new Map(read().players.map(({ name, number }) => [name.toLocaleLowerCase(), number]));
      const isThere = ({ name, number }) => known.has(name.toLocaleLowerCase()) && ["", known.get(name.toLocaleLowerCase())].includes(number);
      const lines = names.split("\n").filter((line) => line.trim());
      const nameless = lines.filter((line) => !readLine(read().night.rules.format)(line).name);
      if (nameless.length) return { text: t("hub.names_nameless", { line: nameless[0].trim() }) };
      const longer = lines.filter((line) => readLine(read().night.rules.format)(line).more);
      if (longer.length) return { text: t("hub.names_longer", { line: longer[0].trim() }) };
      const wordy = lines.filter((line) => /^\D+$/u.test(readLine(read().night.rules.format)(line).number));
      if (wordy.length) return { text: t("hub.names_wordy", { line: wordy[0].trim() }) };
      const people = lines.map(readLine(read().night.rules.format)).filter((one) => !isThere(one));
      if (!people.length) return { text: t("hub.names_none") };
      return people.length > MOST_NAMES ? { text: t("hub.names_many", { n: MOST_NAMES }) } : enterAll(people);
    },
  });
}

// --- one person ---

/** All actions for a player. */
export function openPerson(view, player) {
  const one = view.players.find((each) => each.player === player);
  const { currency } = view.night.rules;
  const owes = one.fee.due - one.fee.paid;
  const pay = openKey(owes > 0 ? t("hub.pay", { sum: money(owes, currency) }) : t("hub.pay_other"), "pay", player, { kind: "button.key.wide", why: whyNot(one.actions.fee_paid) });
  const keys = [
    openKey(t("hub.correct_entry"), "correct", player, { kind: "button.key.wide", why: whyNot(one.actions.correct_entry) }),
    pay,
    openKey(t("hub.phone_of"), "phone", player, { kind: "button.key.wide" }),
    html("a.key.wide", { href: `/night/${NIGHT}/print/cards?player=${player}`, target: "_blank" }, t("hub.print_card")),
    ...(one.state === "entered" || one.walk_up ? [openKey(t("hub.take_off"), "take_off", player, { kind: "button.key.wide" })] : []),
  ];
  openNotice(one.name, [html("p.since", facts(view, one)), html("div.answers", ...keys)]);
}

export function openCorrection(view, player) {
  const one = view.players.find((each) => each.player === player);
  openDecision({
    title: t("hub.correct_entry"),
    nodes: [
      textField(t("hub.name"), "name", { value: one.name, maxlength: "64", autofocus: true }),
      ...(view.night.rules.format === PAIRS || one.partner ? [textField(t("hub.partner"), "partner", { value: one.partner, maxlength: "64" })] : []),
      textField(t("hub.number"), "number", { value: one.number, maxlength: "64", hint: t("hub.number_hint") }),
      textField(t("hub.team"), "team", { value: one.team, maxlength: "40", hint: t("hub.team_hint") }),
      html("label.check", html("input", { type: "checkbox", name: "free", value: "yes", checked: one.free }), html("span", t("hub.free_of_fee"))),
      html("label.check", html("input", { type: "checkbox", name: "stays", value: "yes", checked: one.stays }), html("span", t("hub.stays_at_table"))),
    ],
    yes: t("hub.save"),
    request: ({ name, partner = "", number, team, free, stays }) => ({ do: "correct_entry", player, name, partner, number, team: team.trim(), free: free === "yes", stays: stays === "yes" }),
  });
}

/** Undo the entry of a player added by mistake, if nothing depends on it. */
export async function takeOff(view, player) {
  const { name, entry } = view.players.find((each) => each.player === player);
  if (!(await confirm({ title: t("hub.take_off_ask", { name }), about: t("hub.take_off_about"), yes: t("hub.take_off") }))) return;
  const answer = await decide({ do: "undo", number: entry });
  if (!answer.ok) openNotice(name, [html("p.why", { role: "alert" }, refusalOf(answer).text)]);
}

export function openPayment(view, player) {
  const one = view.players.find((each) => each.player === player);
  const owes = Math.max(0, one.fee.due - one.fee.paid);
  openForm({
    title: t("hub.pays", { name: one.name }),
    about: t("hub.pays_about"),
    nodes: [textField(t("hub.amount", { currency: view.night.rules.currency }), "amount", { value: (owes / 100).toFixed(2), inputmode: "decimal", autofocus: true })],
    yes: t("hub.save"),
    submit: async ({ amount }) => {
      const cents = readCents(amount);
      if (cents === null || cents === 0) return { text: t("hub.amount_wrong") };
      const answer = await decide({ do: "fee_paid", player, cents }, view.revision);
      return answer.ok ? null : refusalOf(answer);
    },
  });
}

/** The QR code that pairs a phone with a player. */
export async function openPhone(view, player) {
  showPhone(view, player, await fetchJson(`/night/v1/${NIGHT}/players/${player}/code`));
}

function showPhone(view, player, answer) {
  const { ok, body } = answer;
  const other = openKey(t("hub.phone_other"), "new_phone", player, { kind: "button.key.wide" });
  const nodes = ok ? [...invite(body, "hub.phone_how", "hub.phone_how_typed"), html("div.answers", other)] : [html("p.why", refusalOf(answer).text)];
  openNotice(t("hub.phone_title", { name: view.names[player] }), nodes, "inviting");
}

/** A new code for a player; unpairs the player's phones. */
export async function renewPhone(view, player) {
  const name = view.names[player];
  if (!(await confirm({ title: t("hub.phone_other"), about: t("hub.phone_other_about", { name }), yes: t("hub.phone_other_yes") }))) return;
  showPhone(view, player, await send(`/night/v1/${NIGHT}/players/${player}/code`, {}));
}

// --- check-in ---

let doorTimer = 0;

/** Show the check-in code, and the next one after its minute. */
export async function showDoor() {
  clearTimeout(doorTimer);
  const { ok, body } = await fetchJson(`/night/v1/${NIGHT}/door`, { cache: "no-store" });
  if (ok) whenLetGo(() => showRows(byId("door"), [html("div.door-code", { "data-key": body.code }, ...invite(body, "hub.door_how", "hub.door_how_typed"))]));
  const wait = ok ? Math.max(1_000, body.until - Date.now() + 300) : 5_000;
  doorTimer = setTimeout(() => document.hidden || showDoor(), Math.min(wait, 60_000));
}

document.addEventListener("visibilitychange", () => document.hidden || (byId("door") && showDoor()));

