// One card a device: what it is, what went over its wires, and its plug.

import { html, write } from "./element.js";

const FIGURES = [
  ["last write", ({ last_bytes: bytes }) => count(bytes, "byte")],
  ["on the wire", ({ last_ms: ms }) => (ms === null ? "nothing yet" : `${ms} ms`)],
  ["frames", ({ frames }) => group(frames)],
  ["errors", ({ errors }) => group(errors)],
];

const group = (number) => Number(number).toLocaleString("en");
const count = (number, word) => (number === null ? "nothing yet" : `${group(number)} ${word}${number === 1 ? "" : "s"}`);

const cards = new Map();

/** Show the devices; `plug(name, plugged)` pulls a plug or puts it in. */
export function showDevices(node, devices, plug) {
  for (const device of devices) {
    if (!cards.has(device.name)) {
      cards.set(device.name, build(device, plug));
      node.append(cards.get(device.name).card);
    }
    update(cards.get(device.name), device);
  }
}

function build({ name }, plug) {
  const health = html("p", { class: "health" });
  const about = html("p", { class: "about" });
  const figures = html("dl");
  const knob = html("button", { type: "button", class: "plug", role: "switch" });
  knob.append(html("i", { "aria-hidden": "true" }), html("b"));
  knob.addEventListener("click", () => plug(name, knob.getAttribute("aria-checked") !== "true"));
  const title = html("header", {}, html("h2", {}, name), health);
  const card = html("section", { class: "card device" }, title, about, figures, knob);
  return { card, health, about, figures, knob };
}

const row = ([word, figure]) => html("div", {}, html("dt", {}, word), html("dd", {}, `${figure}`));

function update({ health, about, figures, knob }, device) {
  const well = device.plugged && device.ok;
  health.className = `health ${well ? "ok" : "ill"}`;
  write(health, device.trouble ?? (well ? "working" : "not plugged in"));
  write(about, device.about);
  const rows = [...FIGURES.map(([word, figure]) => [word, figure(device)]), ...Object.entries(device.extra ?? {})];
  if (figures.dataset.shown !== JSON.stringify(rows)) {
    figures.dataset.shown = JSON.stringify(rows);
    figures.replaceChildren(...rows.map(row));
  }
  knob.setAttribute("aria-checked", device.plugged);
  write(knob.lastChild, device.plugged ? "Plugged in" : "Unplugged");
  knob.setAttribute("aria-label", `${device.name}: ${device.plugged ? "Plugged in" : "Unplugged"}`);
}
