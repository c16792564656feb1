// Asks the table to count: the newest question only, and again until there is an answer.

const PATIENCE = 3_000; // ms
const RETRY = [500, 1_000, 2_000, 4_000]; // ms

export class Asking {
  #told;
  #asked = null; // the address, until it is answered
  #tries = 0;
  #timer = 0;
  #abort = null;

  /** `told` has `answered(values)`, `refused(sentence)` and `waiting(whether)`: whether there is no answer yet. */
  constructor(told) {
    this.#told = told;
    addEventListener("online", () => this.hurry());
  }

  /** Ask for `path` with what it names; `null` values are left out. An earlier question is forgotten. */
  ask(path, named) {
    this.forget();
    const given = Object.entries(named).filter(([, value]) => value !== null);
    this.#asked = `${path}?${new URLSearchParams(given)}`;
    this.#tries = 0;
    this.#send(this.#asked);
  }

  forget() {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#asked = null;
  }

  /** The line is back: do not sit out the wait. */
  hurry() {
    if (!this.#asked || !this.#tries) return;
    clearTimeout(this.#timer);
    this.#send(this.#asked);
  }

  async #send(asked) {
    const abort = new AbortController();
    this.#abort = abort;
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    const response = await fetch(asked, { signal: abort.signal, cache: "no-store" }).catch(() => null);
    const values = await response?.json().catch(() => null);
    clearTimeout(timer);
    if (asked !== this.#asked || abort !== this.#abort) return;
    if (!values || response.status === 429 || response.status >= 500) this.#again(asked);
    else this.#heard(response.ok, values);
  }

  #heard(good, values) {
    this.#asked = null;
    this.#told.waiting(false);
    if (good) this.#told.answered(values);
    else this.#told.refused(values.detail ?? "");
  }

  #again(asked) {
    const pause = RETRY[Math.min(this.#tries, RETRY.length - 1)];
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#send(asked), pause);
    this.#told.waiting(true);
  }
}
