// Director's desk: the view of an event shown part by part, its tabs, and what each key opens.

import { byId, quote } from "../../lib/browser.js";
import { listenToKeys, watchRevision } from "../controls.js";
import { NightStream, showLink, whenLetGo } from "../night_stream.js";
import { linkWords, sentence } from "../night_words.js";
import * as finals from "./finals.js";
import * as games from "./games.js";
import * as log from "./log.js";
import * as money from "./money.js";
import { showNeeds, showNextStep } from "./next_step.js";
import * as people from "./people.js";
import { openRules } from "./rules_form.js";

const TICK = 15_000; // ms between checks for slow games

const stream = new NightStream("director");
const read = () => stream.view;

/** What to update when which parts have changed; `head` is in each. */
const SHOWN = [
  [["head", "players", "people"], (view) => people.showPeople(view)],
  [["head", "rounds", "names", "tables", "remarks"], (view) => games.showGames(view, stream)],
  [["standings", "teams", "totals", "names"], (view) => finals.showStandings(view)],
  [["cut", "names"], (view) => finals.showCut(view)],
  [["head", "brackets", "cut", "players", "consolations"], (view) => finals.showBrackets(view)],
  [["head", "pots", "money", "names"], (view) => money.showMoney(view)],
  [["pots", "players"], (view) => money.refreshPotEntries(view)],
  [["announcements"], (view) => log.showAnnouncements(view)],
  [["audit", "names"], (view) => log.showAudit(view)],
  [["head", "tables"], (view) => log.showTables(view, stream)],
  [["head", "people", "players", "rounds", "cut", "brackets", "pots", "money"], (view) => showNextStep(view)],
  [["head", "rounds", "tables", "calls", "totals", "waiting", "departures", "alarms", "troubles", "pots"], (view) => showNeeds(view, stream)],
];

let said = ""; // the newest sentence of the trail, for screen readers

function show(view, changed) {
  byId("desk").classList.remove("waiting");
  for (const [parts, act] of SHOWN) if (parts.some((part) => changed.has(part))) act(view);
  if (changed.has("audit")) {
    const newest = view.audit[0] ? sentence(view.audit[0].said) : "";
    if (said && newest !== said) quote(byId("said"), newest);
    said = newest;
    log.forgetOlder(read);
  }
}

// --- tabs ---

const TABS = [...document.querySelectorAll("[role=tab]")];

function chooseTab(name) {
  const chosen = TABS.find((tab) => tab.dataset.tab === name) ?? TABS[0];
  for (const tab of TABS) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", isChosen ? "true" : "false");
    tab.tabIndex = isChosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
  return chosen;
}

/** The fragment of a tab names no element, else the browser would scroll to it. */
const fragmentTab = () => location.hash.replace(/^#(tab=)?/u, "");

function listenToTabs() {
  for (const tab of TABS) {
    tab.addEventListener("click", () => {
      location.replace(`#tab=${tab.dataset.tab}`);
      chooseTab(tab.dataset.tab);
    });
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step) chooseTab(TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length].dataset.tab).focus();
    });
  }
  addEventListener("hashchange", () => chooseTab(fragmentTab()));
  chooseTab(fragmentTab());
}

/** What keys open, by their words. */
const OPENERS = {
  person: (player) => people.openPerson(read(), player),
  correct: (player) => people.openCorrection(read(), player),
  pay: (player) => people.openPayment(read(), player),
  phone: (player) => people.openPhone(read(), player),
  new_phone: (player) => people.renewPhone(read(), player),
  take_off: (player) => people.takeOff(read(), player),
  names: () => people.openNames(read),
  rules: () => openRules(read()),
  round: (round) => {
    games.chooseRound(round);
    games.showGames(read(), stream);
  },
  game: (key) => games.openGame(read(), key),
  result: (key) => games.openResult(read(), key),
  claim: (about) => games.openClaim(read(), about),
  rule: (key) => games.openRuling(read(), key),
  award: (key) => games.openAward(read(), key),
  forfeit: (key) => games.openForfeit(read(), key),
  move: (key) => games.openMove(read(), key),
  tie: (at) => finals.openTie(read(), at),
  match: (key) => finals.openMatch(read(), key),
  no_show: (key) => finals.openNoShow(read(), key),
  consolation: () => finals.openConsolation(read()),
  place: (bracket) => finals.openPlace(read(), bracket),
  new_pot: () => money.openNewPot(read()),
  pot_entries: (pot) => money.openPotEntries(read(), pot),
  pot_hit: (pot) => money.openPotHit(read(), pot),
  announce: () => log.openAnnouncement(),
  older: () => log.loadOlder(read),
  new_table: () => log.openNewTable(read()),
  seat: (table) => log.openSeat(read(), table),
  co_director: () => log.openCoDirector(),
  unpair: (device) => log.unpairDirector(device),
};

const standing = new Map(); // for each table, whether it was online and what it played when last shown

/** Show a table's state at its game; if it went online or offline or started another game, also under what needs
 * attention. */
function showTable({ table, online, state }) {
  if (!stream.view) return;
  games.showLiveTable(stream.view, stream, table);
  const now = `${online} ${state?.pairing} ${state?.over} ${state?.settled} ${state?.confirmed}`;
  if (standing.get(table) === now) return;
  standing.set(table, now);
  log.showTables(stream.view, stream);
  showNeeds(stream.view, stream);
}

function tick() {
  if (!stream.view || document.hidden) return;
  showNeeds(stream.view, stream);
  games.showGames(stream.view, stream);
  log.showTables(stream.view, stream);
}

stream.on("view", show);
stream.on("tables", (_, row) => showTable(row));
setInterval(() => whenLetGo(tick), TICK);

showLink(stream, linkWords);
watchRevision(() => stream.view?.revision);
listenToKeys(OPENERS);
listenToTabs();
people.listenToPeople(read);
games.listenToGames(read, stream);
log.listenToSignature();
log.listenToImport();
people.showDoor();
log.showDirectors();
stream.open();
