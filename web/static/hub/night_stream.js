// Event stream (SSE): merges the parts of an event into one view, with live rows of the tables and the link state.

import { byId, fetchJson, write } from "../lib/browser.js";

const WATCHDOG = 25_000; // ms of silence (a heartbeat comes every 10 s) before the stream is reopened
const CLOCK_CHECK = 1_000; // ms between checks of the clock
const SLEPT = 5_000; // ms between two checks: the device was asleep, and its connection cannot be trusted
const REOPEN = [1_000, 2_000, 4_000, 8_000]; // ms, if the browser itself has stopped trying
const ROUND = "rounds.";
const FORBIDDEN = 403;

/** The parts a page needs before it shows anything, by audience; also each round listed in `head`. */
const PARTS = {
  director: [
    ...["head", "names", "people", "players", "tables", "waiting", "standings", "teams", "totals", "cut", "brackets", "consolations", "pots", "money"],
    ...["announcements", "calls", "audit", "departures", "remarks", "alarms", "troubles"],
  ],
  screen: ["head", "names", "tables", "next", "sitting_out", "standings", "cut", "brackets", "pots", "announcements", "waiting"],
  player: ["head", "names", "card", "totals", "standings", "cut", "brackets", "announcements", "calls"],
};

// --- presses on the page ---

const LET_GO = 400; // ms after a finger was lifted within which its click arrives
const LONGEST_PRESS = 3_000; // ms after which a finger blocks nothing: it may have been lifted outside the window

let finger = null; // the current press
const waiting = new Set(); // what to do after it

function letGo(press) {
  if (press !== finger) return; // another finger is down
  finger = null;
  const acts = [...waiting];
  waiting.clear();
  for (const act of acts) act();
}

document.addEventListener("pointerdown", () => {
  finger = {};
  setTimeout(letGo, LONGEST_PRESS, finger);
}, { capture: true });
document.addEventListener("pointercancel", () => letGo(finger));
document.addEventListener("pointerup", () => setTimeout(letGo, LET_GO, finger));
document.addEventListener("click", () => setTimeout(letGo, 0, finger));

/** Call `act` when no finger is on the page. A key that moves or is replaced during a press gets no click. */
export function whenLetGo(act) {
  if (finger) waiting.add(act);
  else act();
}

// --- the stream ---

export const NIGHT = document.body.dataset.night;

export class NightStream {
  #url;
  #own;
  #needed;
  #parts = new Map();
  #followers = { view: [], tables: [], link: [] };
  #changed = new Set();
  #stream = null;
  #clock = 0;
  #checkedAt = 0;
  #heardAt = 0;
  #failures = 0;
  #isDue = false;

  /** Follow the view of `audience`: "director", "screen", or "player" with the id of `player`. */
  constructor(audience, player = "") {
    this.#needed = PARTS[audience];
    this.#url = `/night/v1/events?${new URLSearchParams({ night: NIGHT, view: audience, ...(player && { player }) })}`;
    this.#own = audience === "screen" ? null : `/night/v1/${NIGHT}/${player ? `players/${player}` : audience}`;
    this.view = null; // until the first one is complete
    this.tables = new Map(); // live rows by table
    this.link = "waiting";
    this.skew = 0; // ms by which this clock is ahead of the hub's
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.open()));
    addEventListener("pageshow", () => document.hidden || this.open());
    addEventListener("pagehide", () => this.#close());
    addEventListener("online", () => document.hidden || this.#reopen());
  }

  /** Call `follower(view, changed)` with the names of the new parts, `follower(tables)` or `follower(link)`. */
  on(kind, follower) {
    this.#followers[kind].push(follower);
  }

  /** Milliseconds since a time of the hub's clock. */
  since(at) {
    return Math.max(0, Date.now() - this.skew - at);
  }

  open() {
    if (this.#stream) return;
    const stream = new EventSource(this.#url);
    this.#stream = stream;
    stream.addEventListener("part", ({ data }) => this.#receive(() => this.#takePart(JSON.parse(data))));
    stream.addEventListener("table", ({ data }) => this.#receive(() => this.#takeTable(JSON.parse(data))));
    stream.addEventListener("heartbeat", ({ data }) => this.#receive(() => this.#takeTime(JSON.parse(data))));
    stream.addEventListener("error", () => this.#reconnect(stream));
    clearInterval(this.#clock);
    this.#heardAt = this.#checkedAt = Date.now();
    this.#clock = setInterval(() => this.#checkClock(Date.now()), CLOCK_CHECK);
  }

  #receive(take) {
    this.#failures = 0;
    this.#heardAt = Date.now();
    this.#setLink("live");
    take();
  }

  #takePart({ part, value }) {
    this.#parts.set(part, value);
    this.#changed.add(part.startsWith(ROUND) ? "rounds" : part);
    this.#notifySoon();
  }

  #takeTable(row) {
    this.tables.set(row.table, row);
    whenLetGo(() => { for (const follower of this.#followers.tables) follower(this.tables, row); });
  }

  #takeTime({ now }) {
    this.skew = Date.now() - now;
  }

  /** Parts arrive one by one; pages are updated once for each batch, and not before all are there. */
  #notifySoon() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => whenLetGo(() => this.#notify()));
  }

  #notify() {
    this.#isDue = false;
    if (!this.#isWhole()) return;
    const changed = this.#changed;
    this.#changed = new Set();
    this.view = this.#assemble();
    for (const follower of this.#followers.view) follower(this.view, changed);
  }

  #isWhole() {
    const rounds = this.#parts.get("head")?.round_numbers ?? [];
    return this.#needed.every((part) => this.#parts.has(part)) && rounds.every((round) => this.#parts.has(ROUND + round));
  }

  #assemble() {
    const { round_numbers: numbers = [], ...head } = this.#parts.get("head");
    const rest = [...this.#parts].filter(([name]) => name !== "head" && !name.startsWith(ROUND));
    const rounds = numbers.map((number) => this.#parts.get(ROUND + number)).filter(Boolean);
    return { ...head, ...Object.fromEntries(rest), rounds };
  }

  /** While connecting, the browser retries by itself; if it has stopped, we retry. */
  #reconnect(stream) {
    this.#setLink("lost");
    if (stream.readyState !== EventSource.CLOSED) return;
    this.#close();
    this.#leaveIfForbidden();
    const wait = REOPEN[Math.min(this.#failures, REOPEN.length - 1)];
    this.#failures += 1;
    setTimeout(() => document.hidden || this.open(), wait);
  }

  /** A page that may no longer see the event, because its phone was unpaired, reloads and says so. */
  async #leaveIfForbidden() {
    if (this.#own === null) return;
    const { status } = await fetchJson(this.#own);
    if (status === FORBIDDEN) location.reload();
  }

  #checkClock(now) {
    const slept = now - this.#checkedAt > SLEPT;
    const isSilent = now - this.#heardAt > WATCHDOG;
    this.#checkedAt = now;
    if (isSilent) this.#setLink("lost");
    if (slept || isSilent) this.#reopen();
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
    for (const follower of this.#followers.link) follower(link);
  }
}

/** Show at the top of the page whether it is live; `words` by the state of the link. */
export function showLink(stream, words) {
  stream.on("link", (link) => {
    write(byId("link"), words[link]);
    byId("link").parentElement.className = `link ${link}`;
  });
}
