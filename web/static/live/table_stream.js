// Server-sent events client of the table, and what every page does with each new state.

import { byId, fetchJson, loadTexts, postJson, quote, readStorage, write, writeById } from "../lib/browser.js";
import { changeAnnouncement, devicesWellText, deviceTroubleText, linkTexts, phaseText, turnText } from "../words/state.js";

const QUIET = 12_000; // ms without a heartbeat (one every 5 s) before the link is in doubt
const WATCHDOG = 25_000; // ms before the stream is reopened
const CLOCK_CHECK = 1_000; // ms between checks of the clock
const SLEPT = 5_000; // ms between two checks: the device was asleep, and its connection cannot be trusted
const REOPEN = [1_000, 2_000, 4_000, 8_000]; // ms, if the browser itself has stopped trying
const EVENTS = ["state", "heartbeat"];

/** The state that came with the page. */
export const firstState = () => JSON.parse(document.getElementById("state").textContent);

export class TableStream {
  #followers = { state: [], link: [], bench: [] };
  #stream = null;
  #url;
  #kinds;
  #clock = 0;
  #checkedAt = 0;
  #openedAt = 0;
  #failures = 0;
  #isFresh = true;

  /** Follow `url`; `also` names further kinds of events to pass on. */
  constructor(state, { url = "/events", also = [] } = {}) {
    this.state = state;
    this.link = "waiting";
    this.heardAt = Date.now(); // ms; when the server last sent something
    this.skew = 0; // s by which this clock is ahead of the server's
    this.#url = url;
    this.#kinds = [...EVENTS, ...also];
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.open()));
    addEventListener("pageshow", () => document.hidden || this.open());
    addEventListener("pagehide", () => this.#close());
    addEventListener("online", () => document.hidden || this.#reopen());
    addEventListener("offline", () => this.noteFailure());
    document.addEventListener("resume", () => document.hidden || this.#reopen());
  }

  /** Call `follower(state, {before, live})` or `follower(link)` from now on. */
  on(kind, follower) {
    this.#followers[kind].push(follower);
  }

  /** Use a state unless it is older; `live` allows animating a peg. */
  take(state, { live = true } = {}) {
    const before = this.state;
    if (state.epoch === before.epoch && state.revision < before.revision) return;
    const newest = state.entries[0];
    if (live && newest && newest.id !== before.entries[0]?.id) this.skew = Date.now() / 1000 - newest.at;
    this.state = state;
    this.#notify("state", state, { before, live });
  }

  /** Use the state of a response, unless the stream is live and has already delivered the same event. */
  takeAnswer(state, options) {
    const { epoch, revision } = this.state;
    if (this.link !== "live" || state.epoch !== epoch || state.revision !== revision) this.take(state, options);
  }

  /** Seconds since a time of the server's clock. */
  secondsSince(at) {
    return Math.max(0, Date.now() / 1000 - this.skew - at);
  }

  /** A request of this page found no table: the link is lost, whatever the stream reports. */
  noteFailure() {
    this.#setLink("lost");
  }

  open() {
    if (this.#stream) return;
    this.#isFresh = true;
    if (this.link === "live") this.#setLink("waiting");
    const stream = new EventSource(this.#url);
    this.#stream = stream;
    for (const kind of this.#kinds) stream.addEventListener(kind, (event) => this.#receive(kind, event.data));
    stream.addEventListener("error", () => this.#reconnect(stream));
    this.#watch();
  }

  #receive(kind, data) {
    this.#failures = 0;
    this.heardAt = Date.now();
    this.#setLink("live");
    if (kind === "heartbeat") return;
    const content = JSON.parse(data);
    if (kind !== "state") return this.#notify(kind, content);
    this.take(content, { live: !this.#isFresh });
    this.#isFresh = false;
  }

  /** While connecting, the browser retries by itself; if it has stopped, we retry. */
  #reconnect(stream) {
    this.#isFresh = true;
    this.#setLink("lost");
    if (stream.readyState !== EventSource.CLOSED) return;
    this.#close();
    const wait = REOPEN[Math.min(this.#failures, REOPEN.length - 1)];
    this.#failures += 1;
    setTimeout(() => document.hidden || this.open(), wait);
  }

  /** Check the clock from now on: a sleeping device fires no timers, and may get no event about it. */
  #watch() {
    clearInterval(this.#clock);
    this.#openedAt = this.#checkedAt = Date.now();
    this.#clock = setInterval(() => this.#checkClock(Date.now()), CLOCK_CHECK);
  }

  #checkClock(now) {
    const slept = now - this.#checkedAt > SLEPT;
    this.#checkedAt = now;
    if (this.#isSilent(now)) this.#setLink("lost");
    else if (this.link === "live" && now - this.heardAt > QUIET) this.#setLink("checking");
    if (slept || this.#isSilent(now)) this.#reopen();
  }

  #isSilent(now) {
    return now - Math.max(this.heardAt, this.#openedAt) > WATCHDOG;
  }

  #reopen() {
    this.#close();
    this.open();
  }

  #close() {
    clearInterval(this.#clock);
    this.#stream?.close();
    this.#stream = null;
  }

  #setLink(link) {
    if (this.link === link) return;
    this.link = link;
    this.#notify("link", link);
  }

  #notify(kind, ...content) {
    for (const follower of this.#followers[kind]) follower(...content);
  }
}

// --- role: what this device may do ---

const OPEN = document.body.classList.contains("open-table");

export class Role {
  #role = document.body.dataset.role;
  #changed = () => {};

  /** Call `changed()` when the role changes. */
  follow(changed) {
    this.#changed = changed;
    if (OPEN) return;
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
    addEventListener("pageshow", ({ persisted }) => persisted && this.refresh());
  }

  /** Whether everyone may do everything here. */
  get isOpen() {
    return OPEN;
  }

  get mayScore() {
    return this.#role !== "viewer";
  }

  get isDirector() {
    return this.#role === "director";
  }

  /** The server no longer knows this device. */
  becomeViewer() {
    this.#setRole("viewer");
  }

  async refresh() {
    const { ok, body } = await fetchJson("/api/v1/me", { cache: "no-store" });
    if (ok && body.role) this.#setRole(body.role);
  }

  /** Become a viewer again; false if the server did not respond. */
  async unpair() {
    const { ok } = await postJson("/api/v1/unpair", { all: false });
    if (ok) this.becomeViewer();
    return ok;
  }

  #setRole(role) {
    if (role === this.#role) return;
    this.#role = role;
    this.#changed();
  }
}

// --- what every page shows and says ---

/** Speech and sounds are loaded if turned on or if their switches are visible, else when these are first opened. */
let speechModule = null;

const loadSpeech = () => (speechModule ??= import("./speech.js"));

const withSpeech = (act) => speechModule?.then(act).catch(() => {});

const openers = document.querySelectorAll("[data-opens=hearing-dialog]");

if (byId("hearing") && (!openers.length || Object.values(readStorage("pegboard.hearing") ?? {}).includes(true))) loadSpeech();
for (const key of openers) {
  key.addEventListener("click", () => loadSpeech().then(() => byId("hearing-dialog").showModal()).catch(() => {}));
}

/** Call `act` when the texts of notices and device trouble are loaded, or cannot be: they come later than the page. */
export const withNoticeWords = (act) => loadTexts("notice_words").then(act, act);

/** A device's trouble, muted, on phone and board; the bench and the health page show it themselves. */
function showDeviceTrouble(state) {
  const ailing = deviceTroubleText(state);
  const line = byId("ailing");
  if (line) {
    line.hidden = !ailing;
    write(line.firstElementChild, ailing);
    line.firstElementChild.title = ailing;
  }
  return ailing;
}

const NOTED = 3_000; // ms after which a page without changes notes what it shows

/** Show alarms, and note what the table shows; loaded when there is an alarm or a change, or a little later. */
const showAlarms = (table, before) => import("./page_head.js").then(({ note }) => note(table, before), () => {});

const announcement = { deal: "", turn: "" };

/** Whether the newest line was there before: then something was corrected, and its consequences are announced again. */
const isCorrection = (before, { revision, entries }) => revision !== before.revision && entries[0]?.id === before.entries[0]?.id;

/** The phase of the game, if it has changed; not again if one line withdrew the guess and the next restored it. */
export function turnAnnouncement(before, state) {
  const deal = `${state.game.id} ${state.game.deal}`;
  if (announcement.deal === "") announcement.turn = phaseText(before); // as shown when the page loaded
  else if (announcement.deal !== deal || isCorrection(before, state)) announcement.turn = "";
  announcement.deal = deal;
  const [said, now] = [turnText(before, state), phaseText(state)];
  if (!said || now === announcement.turn) return "";
  announcement.turn = now;
  return said;
}

/** Join sentences into one text. */
const joinSentences = (...said) => said.filter(Boolean).reduce((all, one) => `${all}${/[.?]$/u.test(all) ? "" : "."} ${one}`, "").replace(/^\. /u, "");

/** Call `show(state, {before, live, said})`, which returns what else to say, for the first and each newer state. */
export function followTable(table, show) {
  table.on("state", (state, { before, live }) => {
    const said = live && changeAnnouncement(before, state);
    const due = live ? turnAnnouncement(before, state) : "";
    const ailing = showDeviceTrouble(state);
    if (ailing) withNoticeWords(() => showDeviceTrouble(table.state));
    if (state.revision !== before.revision || state.alarms.length || before.alarms.length) showAlarms(table, before);
    const news = said || (live && ailing !== deviceTroubleText(before) && (ailing || devicesWellText));
    if (said) withSpeech((speech) => speech.announce(before, state, joinSentences(said, due)));
    const also = show(state, { before, live, said });
    if (news || due || also) quote(byId("said"), joinSentences(news, due, also));
  });
  table.on("link", (link) => {
    writeById("link", linkTexts[link]);
    byId("link").parentElement.className = `link ${link}`;
  });
  showDeviceTrouble(table.state);
  setTimeout(showAlarms, table.state.alarms.length || table.state.event ? 0 : NOTED, table, table.state);
  show(table.state, { before: table.state, live: false, said: false });
  table.open();
}
