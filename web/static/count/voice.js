// Says a count part by part, the cards of each lit meanwhile; where the device has no voice, in its own time.

import { recall } from "../lib/storage.js";
import { language } from "../lib/i18n.js";

const PAUSE = 1_100; // ms a part stays lit without a voice
const HUNG = 6_000; // ms after which a voice that does not come is not waited for

const HEARING = "pegboard.hearing"; // where the switches of what is heard are kept

const speaker = globalThis.speechSynthesis;

/** Whether what is counted is to be heard without asking for it. */
export const isHeard = () => recall(HEARING)?.voice === true;

/** A voice for the page's language, or null. */
const voice = () =>
  (speaker?.getVoices() ?? []).find(({ lang }) => lang.replace("_", "-").split("-")[0].toLowerCase() === language) ?? null;

/** Speak, and call `then` when it is said. */
export function speak(text, then = () => {}) {
  if (!voice()) return then();
  const spoken = new SpeechSynthesisUtterance(text);
  [spoken.voice, spoken.lang] = [voice(), voice().lang];
  const timer = setTimeout(then, HUNG);
  spoken.onend = () => {
    clearTimeout(timer);
    then();
  };
  spoken.onerror = spoken.onend;
  speaker.speak(spoken);
}

export class Saying {
  #light;
  #number = 0;
  #going = false;

  /** `light(part)` lights a part; null when all is said. */
  constructor(light) {
    this.#light = light;
  }

  get going() {
    return this.#going;
  }

  stop() {
    this.#number += 1;
    if (this.#going) speaker?.cancel();
    this.#going = false;
  }

  /** Say these texts one after the other; the first `parts` of them light a part each. */
  say(texts, parts) {
    this.stop();
    const number = this.#number;
    this.#going = true;
    const next = (i) => {
      if (number !== this.#number) return;
      this.#going = i < texts.length;
      this.#light(this.#going && i < parts ? i : null);
      if (!this.#going) return;
      const then = () => next(i + 1);
      if (voice()) speak(texts[i], then);
      else setTimeout(then, PAUSE);
    };
    next(0);
  }
}
