// One card a device: what it is, how it is, its figures, and on the bench its plug and its faults.

import { html, set, write } from "./element.js";
import * as words from "./words.js";

/** What there is to count, as pairs of words. */
const figuresOf = ({ last_bytes: bytes, last_ms: ms, frames, errors, retries, ok, extra = {} }) => [
  ...(bytes ? [["last write", `${words.group(bytes)} bytes, ${ms} ms`]] : []),
  ...(frames || errors ? [["frames", words.group(frames)], ["errors", words.group(errors)]] : []),
  ...(retries && !ok ? [["tried again", words.times(retries)]] : []),
  ...Object.entries(extra),
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
    const card = html("section.card.device", html("header", html("h2", name), state), about, trouble, figures,
      plugged === null ? null : knob,
      switches.length ? html("div.faults", { role: "group", "aria-label": `Faults of ${name}` }, ...switches) : null);
    return { card, state, about, trouble, figures, knob, switches };
  }

  #fault(device, name) {
    const key = button("key", () => this.#bench.fault(device, name, key.getAttribute("aria-pressed") !== "true"));
    key.append(name);
    return key;
  }
}

function update({ state, about, trouble, figures, knob, switches }, device) {
  const well = device.ok && device.plugged !== false;
  state.className = `state ${well ? "ok" : "ill"}`;
  write(state, device.plugged === false ? "not plugged in" : words.wellness(device));
  write(about, device.about);
  write(trouble, device.ok ? "" : device.trouble ?? "");
  const rows = figuresOf(device);
  if (figures.dataset.shown !== JSON.stringify(rows)) {
    figures.dataset.shown = JSON.stringify(rows);
    figures.replaceChildren(...rows.map(row));
  }
  const word = device.plugged ? "Plugged in" : "Unplugged";
  set(knob, "aria-checked", `${device.plugged}`);
  set(knob, "aria-label", `${device.name}: ${word}`);
  write(knob.lastChild, word);
  switches.forEach((key, i) => set(key, "aria-pressed", `${device.faults[i].on}`));
}
