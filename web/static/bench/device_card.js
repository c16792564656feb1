// One card a device: what it is, how it is, its figures, and on the bench its plug and its faults.

import { html, set, write } from "../lib/dom.js";
import { asSentence, known, language, t, translated } from "../lib/i18n.js";
import * as words from "../words/words.js";

/** The decimal numbers of a figure as they are written where the reader is: 0.32, 0,32. */
const written = (figure) =>
  figure.replace(/\d+\.(\d+)/gu, (number, decimals) => Number(number).toLocaleString(language, { minimumFractionDigits: decimals.length }));

const tenths = (number) => Number(number).toLocaleString(language, { maximumFractionDigits: 1 });

/** What is wrong now and what helps; or, said quietly, what was wrong last. */
function ailment({ ok, trouble }) {
  if (!trouble) return "";
  if (ok) return t("devices.last_trouble", { trouble: translated(trouble) });
  return trouble.startsWith("no answer") ? `${asSentence(trouble)}. ${t("devices.no_answer_helps")}` : asSentence(trouble);
}

/** What there is to count, as pairs of words. */
const figuresOf = ({ last_bytes: bytes, last_ms: ms, frames, errors, retries, ok, extra = {} }) => [
  ...(bytes ? [[t("devices.last_write"), t("devices.bytes_in", { n: bytes, bytes: words.group(bytes), ms: tenths(ms) })]] : []),
  ...(frames || errors ? [[t("devices.frames"), words.group(frames)], [t("devices.errors"), words.group(errors)]] : []),
  ...(retries && !ok ? [[t("devices.tried_again"), words.times(retries)]] : []),
  ...Object.entries(extra).map(([word, figure]) => [known(`devices.extra_${word}`, word), written(translated(`${figure}`))]),
];

const row = ([word, figure]) => html("div", html("dt", word), html("dd", `${figure}`));

const button = (kind, act) => {
  const node = html(`button.${kind}`, { type: "button" });
  node.addEventListener("click", () => act(node));
  return node;
};

export class Devices {
  #node;
  #bench;
  #cards = [];
  #built = "";

  /** On the bench, `bench` has `plug(device, plugged)` and `fault(device, name, on)`. */
  constructor(node, bench = null) {
    this.#node = node;
    this.#bench = bench;
  }

  show(devices) {
    const built = JSON.stringify(devices.map(({ name, plugged = null, faults }) => [name, plugged === null, faults?.map((one) => one.name)]));
    if (built !== this.#built) this.#cards = devices.map((device) => this.#build(device));
    if (built !== this.#built) this.#node.replaceChildren(...this.#cards.map(({ card }) => card));
    this.#built = built;
    devices.forEach((device, i) => update(this.#cards[i], device));
  }

  #build({ name, plugged = null, faults = [] }) {
    const [state, about, trouble, figures] = [html("p.state"), html("p.about"), html("p.ailment"), html("dl")];
    const knob = button("plug", () => this.#bench.plug(name, knob.getAttribute("aria-checked") !== "true"));
    knob.append(html("i", { "aria-hidden": "true" }), html("b"));
    knob.setAttribute("role", "switch");
    const switches = faults.map((fault) => this.#fault(name, fault.name));
    const card = html("section.card.device", html("header", html("h2", words.deviceCalled(name)), state), about, trouble, figures,
      plugged === null ? null : knob,
      switches.length ? html("div.faults", { role: "group", "aria-label": t("devices.faults", { name: words.deviceCalled(name) }) }, ...switches) : null);
    return { card, state, about, trouble, figures, knob, switches };
  }

  #fault(device, name) {
    const key = button("key", () => this.#bench.fault(device, name, key.getAttribute("aria-pressed") !== "true"));
    key.append(known(`devices.fault_${name.replaceAll(" ", "_")}`, name));
    return key;
  }
}

function update({ state, about, trouble, figures, knob, switches }, device) {
  const well = device.ok && device.plugged !== false;
  state.className = `state ${well ? "ok" : "ill"}`;
  write(state, device.plugged === false ? t("devices.not_plugged") : words.wellness(device));
  write(about, translated(device.about));
  write(trouble, ailment(device));
  trouble.classList.toggle("quiet", device.ok);
  const rows = figuresOf(device);
  if (figures.dataset.shown !== JSON.stringify(rows)) {
    figures.dataset.shown = JSON.stringify(rows);
    figures.replaceChildren(...rows.map(row));
  }
  const word = t(device.plugged ? "devices.plugged" : "devices.unplugged");
  set(knob, "aria-checked", `${device.plugged}`);
  set(knob, "aria-label", `${words.deviceCalled(device.name)}: ${word}`);
  write(knob.lastChild, word);
  switches.forEach((key, i) => set(key, "aria-pressed", `${device.faults[i].on}`));
}
