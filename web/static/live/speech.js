// Speech, sounds and vibration, if turned on, their switches, and the choice of language.

import { byId, language, loadTexts, readStorage, set, t, write, writeStorage } from "../lib/browser.js";

await loadTexts("speech_words");

const STORAGE_KEY = "pegboard.hearing";
const A_YEAR = 31_536_000; // s
const FENCES = /[\u2066-\u2069]/gu; // some voices read them aloud
const MOST_WAITING = 2; // sentences; a voice further behind drops those it has not started

/** Pitches in Hz, one after the other: a peg on wood, a peg going back, the end of a game. */
const SOUNDS = { peg: [880], back: [440, 330], end: [660, 880, 1320] };
const NOTE = 0.11; // s

const speaker = globalThis.speechSynthesis;
const wanted = { voice: false, sounds: false, buzz: false, ...readStorage(STORAGE_KEY) };
let forbidden = false; // browsers do not let a page speak before it is touched
let waiting = 0;
let context = null;

const voices = () => speaker?.getVoices() ?? [];

/** A voice for the page's language, preferably one on the device. */
function voice() {
  const own = voices().filter(({ lang }) => lang.replace("_", "-").split("-")[0].toLowerCase() === language);
  return own.find((one) => one.default) ?? own.find((one) => one.localService) ?? own[0] ?? null;
}

/** Why this device cannot do it; null if it can. */
const CLOSED = {
  voice() {
    if (!speaker || !globalThis.SpeechSynthesisUtterance) return t("speech.no_speech");
    if (!voices().length) return t("speech.no_voices");
    return voice() ? null : t("speech.no_voice");
  },
  sounds: () => (globalThis.AudioContext ? null : t("speech.no_sounds")),
  buzz: () => (navigator.vibrate ? null : t("speech.no_buzz")),
};

const isOn = (kind) => wanted[kind] && CLOSED[kind]() === null;

function speak(sentence) {
  if (!isOn("voice")) return;
  if (waiting > MOST_WAITING) speaker.cancel();
  const words = new SpeechSynthesisUtterance(sentence.replace(FENCES, ""));
  [words.voice, words.lang] = [voice(), voice().lang];
  waiting += 1;
  words.addEventListener("end", () => afterUtterance(false));
  words.addEventListener("error", ({ error }) => afterUtterance(error === "not-allowed"));
  speaker.speak(words);
}

function afterUtterance(refused) {
  waiting -= 1;
  if (refused === forbidden) return;
  forbidden = refused;
  show();
}

function play(kind) {
  if (!isOn("sounds")) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SOUNDS[kind].forEach((pitch, i) => note(pitch, context.currentTime + i * NOTE));
}

function note(pitch, at) {
  const [tone, loud] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(0.25, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + NOTE);
  tone.connect(loud).connect(context.destination);
  tone.start(at);
  tone.stop(at + NOTE);
}

const buzz = (kind) => isOn("buzz") && navigator.vibrate(kind === "end" ? [60, 80, 60] : 30);

/** What has happened: a game has ended, a line is new, or something was corrected. */
function kindOf(before, after) {
  if (after.game.over && !before.game.over) return "end";
  const [newest] = after.entries;
  return newest?.stands && newest.id !== before.entries[0]?.id ? "peg" : "back";
}

/** Announce a change by voice and sound; `said` is its sentence. */
export function announce(before, after, said) {
  const kind = kindOf(before, after);
  play(kind);
  buzz(kind);
  speak(said);
}

// The switches.

const SAMPLE = { voice: () => speak(t("speech.sample")), sounds: () => play("peg"), buzz: () => buzz("peg") };

function show() {
  for (const key of byId("hearing").querySelectorAll("[data-hear]")) {
    const kind = key.dataset.hear;
    const closed = CLOSED[kind]();
    set(key, "aria-checked", `${wanted[kind] && closed === null}`);
    set(key, "aria-disabled", closed ? "true" : null);
    write(byId(`hear-${kind}`), closed ?? (kind === "voice" && forbidden ? t("speech.touch_first") : ""));
  }
}

function turn(kind) {
  if (CLOSED[kind]() !== null) return;
  wanted[kind] = !wanted[kind];
  writeStorage(STORAGE_KEY, wanted);
  if (wanted[kind]) SAMPLE[kind]();
  else if (kind === "voice") speaker.cancel();
  show();
}

function choose(code) {
  document.cookie = `language=${code}; path=/; max-age=${A_YEAR}; samesite=lax`;
  location.reload();
}

byId("hearing").addEventListener("click", (event) => {
  const key = event.target.closest("[data-hear]");
  if (key) turn(key.dataset.hear);
});
byId("language").addEventListener("change", (event) => choose(event.target.value));
speaker?.addEventListener?.("voiceschanged", show);
show();
