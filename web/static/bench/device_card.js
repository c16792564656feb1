// Device cards: description, status and figures of each device, and on the bench its plug and faults.

import { asSentence, html, language, set, t, textOr, translate, write } from "../lib/browser.js";
import { clockText, deviceName, formatNumber } from "../words/state.js";

/** A device that acknowledges nothing is not reported as working: all that is known is that its bus has sent
 * everything. */
const deviceStateText = ({ ok, acknowledges = true, failing_since: at }) =>
  ok ? t(acknowledges ? "words.working" : "words.all_sent") : at ? t("words.failing_since", { at: clockText(at, "2-digit") }) : t("words.failing");

/** The service itself as a device; its stalls are its trouble. */
export const serviceCard = ({ version, uptime_s: seconds, viewers, journal, stalls = [] }) => ({
  name: t("words.this_table"),
  about: `pegboard ${version}`,
  ok: stalls.length === 0,
  trouble: stalls.map(({ trouble, trouble_message: message }) => translate(message, trouble)).join("; "),
  extra: { [t("words.open_since")]: new Date(Date.now() - 1000 * seconds).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", hour12: false }), [t("words.looking_on")]: viewers, [t("words.events")]: formatNumber(journal.revision) },
});

/** The decimal numbers of a figure in the reader's format: 0.32, 0,32. */
const formatDecimals = (figure) =>
  figure.replace(/\d+\.(\d+)/gu, (number, decimals) => Number(number).toLocaleString(language, { minimumFractionDigits: decimals.length }));

const formatTenths = (number) => Number(number).toLocaleString(language, { maximumFractionDigits: 1 });

/** What is wrong now and the remedy; else, muted, what was wrong last. */
function troubleText({ ok, trouble, trouble_message: message }) {
  if (!trouble) return "";
  const text = translate(message, trouble);
  if (ok) return t("devices.last_trouble", { trouble: text });
  return message?.key === "device_no_answer" ? `${asSentence(text)}. ${t("devices.no_answer_helps")}` : asSentence(text);
}

/** The figures to show, as pairs of words. */
const figuresOf = ({ last_bytes: bytes, last_ms: ms, frames, errors, retries, ok, extra = {}, extra_messages: messages = {} }) => [
  ...(bytes ? [[t("devices.last_write"), t("devices.bytes_in", { n: bytes, bytes: formatNumber(bytes), ms: formatTenths(ms) })]] : []),
  ...(frames || errors ? [[t("devices.frames"), formatNumber(frames)], [t("devices.errors"), formatNumber(errors)]] : []),
  ...(retries && !ok ? [[t("devices.tried_again"), formatNumber(retries)]] : []),
  ...Object.entries(extra).map(([word, figure]) => [textOr(`devices.extra_${word}`, word), formatDecimals(translate(messages[word], `${figure}`))]),
];

const row = ([word, figure]) => html("div", html("dt", word), html("dd", `${figure}`));

const button = (kind, act) => {
  const node = html(`button.${kind}`, { type: "button" });
  node.addEventListener("click", () => act(node));
  return node;
};

export class DeviceCards {
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
    const card = html("section.card.device", html("header", html("h2", deviceName(name)), state), about, trouble, figures,
      plugged === null ? null : knob,
      switches.length ? html("div.faults", { role: "group", "aria-label": t("devices.faults", { name: deviceName(name) }) }, ...switches) : null);
    return { card, state, about, trouble, figures, knob, switches };
  }

  #fault(device, name) {
    const key = button("key", () => this.#bench.fault(device, name, key.getAttribute("aria-pressed") !== "true"));
    key.append(textOr(`devices.fault_${name.replaceAll(" ", "_")}`, name));
    return key;
  }
}

function update({ state, about, trouble, figures, knob, switches }, device) {
  const well = device.ok && device.plugged !== false;
  state.className = `state ${well ? (device.acknowledges === false ? "unsure" : "ok") : "ill"}`;
  write(state, device.plugged === false ? t("devices.not_plugged") : deviceStateText(device));
  const place = translate(device.about_message, device.about);
  write(about, device.acknowledges === false ? t("devices.acknowledges_nothing", { place }) : place);
  write(trouble, troubleText(device));
  trouble.classList.toggle("quiet", device.ok);
  const rows = figuresOf(device);
  if (figures.dataset.shown !== JSON.stringify(rows)) {
    figures.dataset.shown = JSON.stringify(rows);
    figures.replaceChildren(...rows.map(row));
  }
  const word = t(device.plugged ? "devices.plugged" : "devices.unplugged");
  set(knob, "aria-checked", `${device.plugged}`);
  set(knob, "aria-label", `${deviceName(device.name)}: ${word}`);
  write(knob.lastChild, word);
  switches.forEach((key, i) => set(key, "aria-pressed", `${device.faults[i].on}`));
}
