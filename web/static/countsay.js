// Says a count part by part, the cards of each lit meanwhile; where the device has no voice, in its own time.

import { language } from "./text.js";

const PAUSE = 1_100; // ms a part stays lit without a voice
const HUNG = 6_000; // ms after which a voice that does not come is not waited for

const voice = () => globalThis.speechSynthesis;

/** Speak, and call `then` when it is said. */
function speak(text, then) {
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = language;
  const timer = setTimeout(then, HUNG);
  spoken.onend = () => {
    clearTimeout(timer);
    then();
  };
  spoken.onerror = spoken.onend;
  voice().speak(spoken);
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
    this.#going = false;
    voice()?.cancel();
  }

  /** Say these texts one after the other; those before `parts` light a part each. */
  say(texts, parts, { aloud }) {
    this.stop();
    const number = this.#number;
    this.#going = true;
    const next = (i) => {
      if (number !== this.#number) return;
      this.#going = i < texts.length;
      this.#light(this.#going && i < parts ? i : null);
      if (!this.#going) return;
      const then = () => next(i + 1);
      if (aloud && voice()?.getVoices().length) speak(texts[i], then);
      else setTimeout(then, PAUSE);
    };
    next(0);
  }
}
