// The table as this page knows it: the newest picture, and whether the line to it is live.

const WATCHDOG = 25_000; // ms without a heartbeat (one every 10 s) before the stream is opened anew
const PULSE = 1_000; // ms between looks at the clock
const SLEPT = 5_000; // ms between two of them: the device was asleep, and whatever line it had is not to be trusted
const REOPEN = [1_000, 2_000, 4_000, 8_000]; // ms, where the browser itself has given up
const EVENTS = ["state", "heartbeat"];

/** The picture that came with the page. */
export const firstState = () => JSON.parse(document.getElementById("state").textContent);

export class Table {
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
    this.#pulse = setInterval(() => this.#beat(Date.now()), PULSE);
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
