// Server-sent events client, the role of this device, and what every page does with each new state of the table.

import { byId, quote, readStorage, write, writeById } from "../lib/browser.js";
import { changeAnnouncement, devicesWellText, deviceTroubleText, linkTexts, phaseText, turnText } from "../words/state.js";

const WATCHDOG = 25_000; // ms without a heartbeat (one every 10 s) before the stream is opened anew
const CLOCK_CHECK = 1_000; // ms between looks at the clock
const SLEPT = 5_000; // ms between two of them: the device was asleep, and whatever line it had is not to be trusted
const REOPEN = [1_000, 2_000, 4_000, 8_000]; // ms, where the browser itself has given up
const EVENTS = ["state", "heartbeat"];

/** The picture that came with the page. */
export const firstState = () => JSON.parse(document.getElementById("state").textContent);

export class TableStream {
  #followers = { state: [], link: [], bench: [] };
  #stream = null;
  #url;
  #kinds;
  #pulse = 0;
  #beaten = 0;
  #opened = 0;
  #failures = 0;
  #fresh = true;

  /** Follow `url`; `also` names further kinds of events to hand on. */
  constructor(state, { url = "/events", also = [] } = {}) {
    this.state = state;
    this.link = "waiting";
    this.heard = Date.now(); // ms; when the table was last heard
    this.skew = 0; // s by which this clock is ahead of the table's
    this.#url = url;
    this.#kinds = [...EVENTS, ...also];
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.open()));
    addEventListener("pageshow", () => document.hidden || this.open());
    addEventListener("pagehide", () => this.#close());
    addEventListener("online", () => document.hidden || this.#anew());
    document.addEventListener("resume", () => document.hidden || this.#anew());
  }

  /** Call `follower(state, {before, live})` or `follower(link)` from now on. */
  on(kind, follower) {
    this.#followers[kind].push(follower);
  }

  /** Take a picture unless it is older; `live` says that a peg may leap for it. */
  take(state, { live = true } = {}) {
    const before = this.state;
    if (state.epoch === before.epoch && state.revision < before.revision) return;
    const newest = state.entries[0];
    if (live && newest && newest.id !== before.entries[0]?.id) this.skew = Date.now() / 1000 - newest.at;
    this.state = state;
    this.#tell("state", state, { before, live });
  }

  /** Take the picture that came with an answer; of the same event, a live line has told a newer one already. */
  answered(state, told) {
    const { epoch, revision } = this.state;
    if (this.link !== "live" || state.epoch !== epoch || state.revision !== revision) this.take(state, told);
  }

  /** Seconds since a moment of the table's clock. */
  since(at) {
    return Math.max(0, Date.now() / 1000 - this.skew - at);
  }

  open() {
    if (this.#stream) return;
    this.#fresh = true;
    if (this.link === "live") this.#linked("waiting");
    const stream = new EventSource(this.#url);
    this.#stream = stream;
    for (const kind of this.#kinds) stream.addEventListener(kind, (event) => this.#hear(kind, event.data));
    stream.addEventListener("error", () => this.#broken(stream));
    this.#watch();
  }

  #hear(kind, data) {
    this.#failures = 0;
    this.heard = Date.now();
    this.#linked("live");
    if (kind === "heartbeat") return;
    const content = JSON.parse(data);
    if (kind !== "state") return this.#tell(kind, content);
    this.take(content, { live: !this.#fresh });
    this.#fresh = false;
  }

  /** The browser tries again by itself while connecting; where it has given up, we do. */
  #broken(stream) {
    this.#fresh = true;
    this.#linked("lost");
    if (stream.readyState !== EventSource.CLOSED) return;
    this.#close();
    const wait = REOPEN[Math.min(this.#failures, REOPEN.length - 1)];
    this.#failures += 1;
    setTimeout(() => document.hidden || this.open(), wait);
  }

  /** Look at the clock from now on: a device that slept fires no timer meanwhile, and may be told of it by nobody. */
  #watch() {
    clearInterval(this.#pulse);
    this.#opened = this.#beaten = Date.now();
    this.#pulse = setInterval(() => this.#beat(Date.now()), CLOCK_CHECK);
  }

  #beat(now) {
    const slept = now - this.#beaten > SLEPT;
    this.#beaten = now;
    if (this.#silent(now)) this.#linked("lost");
    if (slept || this.#silent(now)) this.#anew();
  }

  #silent(now) {
    return now - Math.max(this.heard, this.#opened) > WATCHDOG;
  }

  #anew() {
    this.#close();
    this.open();
  }

  #close() {
    clearInterval(this.#pulse);
    this.#stream?.close();
    this.#stream = null;
  }

  #linked(link) {
    if (this.link === link) return;
    this.link = link;
    this.#tell("link", link);
  }

  #tell(kind, ...content) {
    for (const follower of this.#followers[kind]) follower(...content);
  }
}

// --- what this device may do ---

const OPEN = document.body.classList.contains("open-table");

export class Role {
  #role = document.body.dataset.role;
  #changed = () => {};

  /** `changed()` is told of every other role. */
  follow(changed) {
    this.#changed = changed;
    if (OPEN) return;
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    addEventListener("pageshow", ({ persisted }) => persisted && this.ask());
  }

  /** Whether everybody may do everything here. */
  get open() {
    return OPEN;
  }

  get mayScore() {
    return this.#role !== "viewer";
  }

  get directs() {
    return this.#role === "director";
  }

  /** The table no longer knows this device. */
  lost() {
    this.#take("viewer");
  }

  async ask() {
    const answer = await fetch("/api/v1/me", { cache: "no-store" }).catch(() => null);
    const me = answer?.ok ? await answer.json().catch(() => null) : null;
    if (me?.role) this.#take(me.role);
  }

  /** Be a viewer again; false where the table did not answer. */
  async unpair() {
    const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"all":false}' };
    const answer = await fetch("/api/v1/unpair", asked).catch(() => null);
    if (answer?.ok) this.lost();
    return answer?.ok === true;
  }

  #take(role) {
    if (role === this.#role) return;
    this.#role = role;
    this.#changed();
  }
}

// --- what every page shows and says ---

/** What is heard comes where it is wanted, or its switches are in sight; else when they are first asked for. */
let speechModule = null;

const loadSpeech = () => (speechModule ??= import("./speech.js"));

const withSpeech = (act) => speechModule?.then(act).catch(() => {});

const openers = document.querySelectorAll("[data-opens=hearing-sheet]");

if (byId("hearing") && (!openers.length || Object.values(readStorage("pegboard.hearing") ?? {}).includes(true))) loadSpeech();
for (const key of openers) {
  key.addEventListener("click", () => loadSpeech().then(() => byId("hearing-sheet").showModal()).catch(() => {}));
}

/** A quiet line on phone and board; the bench and the page of the devices tell it themselves. */
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

const announced = { deal: "", turn: "" };

/** Whether the newest line was there before: then something was put right, and what follows from it is news again. */
const isCorrection = (before, { revision, entries }) => revision !== before.revision && entries[0]?.id === before.entries[0]?.id;

/** What the table does now where that has changed; not again where a line took the guess back and the next has brought it. */
export function turnAnnouncement(before, state) {
  const deal = `${state.game.id} ${state.game.deal}`;
  if (announced.deal === "") announced.turn = phaseText(before); // which stood there when the page came
  else if (announced.deal !== deal || isCorrection(before, state)) announced.turn = "";
  announced.deal = deal;
  const [said, now] = [turnText(before, state), phaseText(state)];
  if (!said || now === announced.turn) return "";
  announced.turn = now;
  return said;
}

/** Sentences in one breath. */
const joinSentences = (...said) => said.filter(Boolean).reduce((all, one) => `${all}${/[.?]$/u.test(all) ? "" : "."} ${one}`, "").replace(/^\. /u, "");

/** Show the first picture and each newer one by `show(state, {before, live, said})`, which answers what else to say. */
export function followTable(table, show) {
  table.on("state", (state, { before, live }) => {
    const said = live && changeAnnouncement(before, state);
    const due = live ? turnAnnouncement(before, state) : "";
    const ailing = showDeviceTrouble(state);
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
  show(table.state, { before: table.state, live: false, said: false });
  table.open();
}
