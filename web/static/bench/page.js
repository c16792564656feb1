// Bench page: the simulated panel and LED strip, keys to press, plugs to pull and faults to turn on.

import { layClassic } from "../board/classic_track.js";
import { drawFrame, layTrack, mark, round, spot } from "../board/shapes.js";
import { byId, html, svg, t, textOr, writeById } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { formatNumber, isolateNames, laneName } from "../words/state.js";
import { DeviceCards } from "./device_card.js";

const GAMMA = 2.2; // an LED's byte is linear light; a screen's is not
const EYE = 0.25; // power of the brightness: screens have less range than LEDs, so dim ones are lifted, as by the eye
const GLOWS = 0.55; // shown brightness from which light is visible around an LED

/** Screen color and shown brightness (0 to 1) of one LED's bytes. */
function ledColour(rgb, led) {
  const bytes = [0, 2, 4].map((i) => parseInt(rgb.slice(6 * led + i, 6 * led + i + 2), 16) || 0);
  const most = Math.max(...bytes);
  if (!most) return { fill: "#000", bright: 0 };
  const bright = (most / 255) ** EYE;
  const screen = bytes.map((byte) => Math.round(255 * bright * (byte / most) ** (1 / GAMMA)));
  return { fill: `rgb(${screen.join()})`, bright };
}

class LedStripView {
  #node;
  #ground = null;
  #leds = [];
  #last = null;

  constructor(node) {
    this.#node = node;
    new ResizeObserver(() => this.#last && this.show(...this.#last)).observe(node);
  }

  /** `rgb` is a hex string of all LEDs; `lanes` and `start` say which LED is at which hole. */
  show(strip, state) {
    this.#last = [strip, state];
    this.#lay(strip, state);
    for (const { led, square, glow } of this.#leds) {
      const { fill, bright } = ledColour(strip.rgb, led);
      square.setAttribute("class", bright ? "led lit" : "led");
      square.setAttribute("fill", fill);
      glow.setAttribute("fill", fill);
      glow.setAttribute("opacity", bright > GLOWS ? round(0.5 * bright ** 3) : 0);
      glow.setAttribute("r", round(this.#ground.holeR * (1.2 + 1.8 * bright ** 3)));
    }
  }

  #lay(strip, { game, lanes }) {
    const [width, height] = [this.#node.clientWidth || 1240, this.#node.clientHeight || 204];
    const size = { width, height, lanes: lanes.length, gameHole: game.game_hole, skunkLines: game.skunk_lines, lurch: game.rules.lurch };
    const key = JSON.stringify([size, strip.lanes, strip.start]);
    if (this.#ground?.key === key) return;
    this.#ground = { ...(strip.classic ? layClassic(size) : layTrack(size)), key };
    const { holes } = drawFrame(this.#node, this.#ground);
    this.#leds = [];
    lanes.forEach((_, lane) => this.#layLane(lane, strip, game.game_hole, holes));
    strip.games_won.forEach((leds, lane) => leds.forEach((led, i) => {
      this.#put(led, { x: 12 + 12 * lane, y: height - 12 * (i + 1) }, holes); // a column for each lane at the edge
    }));
  }

  /** The LEDs of a lane; a hole without an LED is drawn as a hole. */
  #layLane(lane, strip, gameHole, layer) {
    const own = strip.lanes[lane] ?? [];
    const end = strip.classic ? own.length - 1 : gameHole; // holes before a game hole of its own
    for (let hole = 1; hole <= Math.min(end, gameHole); hole += 1) {
      if (Number.isInteger(own[hole - 1])) this.#put(own[hole - 1], spot(this.#ground, lane, hole), layer);
    }
    if (strip.classic) this.#put(own[end], spot(this.#ground, lane, gameHole), layer);
    (strip.start?.[lane] ?? []).forEach((led, i) => this.#put(led, spot(this.#ground, lane, 0, i === 0), layer));
  }

  #put(led, { x, y }, layer) {
    if (this.#leds.some((one) => one.led === led)) return;
    const half = Math.max(1.7, 0.82 * this.#ground.holeR);
    const glow = svg("circle.glow", { cx: round(x), cy: round(y), opacity: 0 });
    const side = round(2 * half);
    const square = svg("rect.led", { x: round(x - half), y: round(y - half), width: side, height: side, rx: 1 });
    layer.append(glow, square);
    this.#leds.push({ led, square, glow });
  }
}

// --- keys ---

const CLICK = 60; // ms that a key is held for a screen reader's press

const KEYPAD = /^(\d|enter |keypad )/u;

const onKeypad = ({ key }) => KEYPAD.test(key);

/** "+5", "Undo", "7"; for the keypad's "enter b" and "keypad undo", "Enter" and "Undo". */
function keyText({ key, points }) {
  if (points) return `+${points}`;
  const name = key.replace(/^keypad | .$/gu, "");
  return textOr(`bench.key_${name}`, name[0].toUpperCase() + name.slice(1));
}

class BenchKeys {
  #node;
  #send;
  #keys = new Map(); // key -> {button, letter}
  #held = new Set();
  #built = "";

  /** `send(key, level)` moves the pin. */
  constructor(node, send) {
    this.#node = node;
    this.#send = send;
    addEventListener("keydown", (event) => this.#handleLetter(event, true));
    addEventListener("keyup", (event) => this.#handleLetter(event, false));
    addEventListener("blur", () => this.#releaseAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.#releaseAll());
  }

  show(keys, state) {
    const built = JSON.stringify([keys.map(({ key, lane, points, letter }) => [key, lane, points, letter]), state.seats]);
    if (built !== this.#built) this.#build(keys, state);
    this.#built = built;
    for (const { key, down } of keys) this.#keys.get(key).button.classList.toggle("down", down === true);
  }

  #build(keys, state) {
    this.#releaseAll();
    const name = (lane) => (lane === null ? "" : laneName(state, lane));
    const card = (lane, title, some) =>
      some.length ? [this.#card(lane, title, some.map((key) => this.#key(key, key.lane, name(key.lane))))] : [];
    const buttons = keys.filter((key) => !onKeypad(key));
    const ofLane = (lane) => card(lane, name(lane), buttons.filter((key) => key.lane === lane));
    const all = card(null, t(state.lanes.length > 1 ? "bench.all" : "bench.table"), buttons.filter((key) => key.lane === null));
    const others = state.lanes.slice(1).flatMap((_, i) => ofLane(i + 1));
    this.#node.replaceChildren(...ofLane(0), ...all, ...others, ...card(null, t("bench.keypad"), keys.filter(onKeypad)));
  }

  #card(lane, name, keys) {
    const title = html("h2", lane === null ? null : mark(lane), html("span", { dir: "auto" }, name));
    return html("section.card", title, html("div.round", ...keys));
  }

  #key(one, lane, name) {
    const letter = one.letter ?? "";
    const button = html("button", { type: "button", class: lane === null ? "pin" : `pin l${lane}`, "data-key": one.key },
      html(one.points ? "b" : "b.word", keyText(one)), html("kbd", letter === one.key ? "" : letter), html("span.unseen", ` ${name}`));
    const level = (down) => () => this.#press(one.key, down);
    button.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      button.setPointerCapture(event.pointerId);
      level(true)();
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, level(false));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", (event) => event.detail === 0 && this.#click(one.key));
    this.#keys.set(one.key, { button, letter: letter.toLowerCase() });
    return button;
  }

  #press(key, down) {
    if (this.#held.has(key) === down) return;
    if (down) this.#held.add(key);
    else this.#held.delete(key);
    this.#keys.get(key)?.button.classList.toggle("down", down);
    this.#send(key, down ? "down" : "up");
  }

  /** A press without pointer or letter: from a screen reader, or Enter on a focused key. */
  #click(key) {
    this.#press(key, true);
    setTimeout(() => this.#press(key, false), CLICK);
  }

  #handleLetter(event, down) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = [...this.#keys].find(([, { letter }]) => letter && letter === event.key.toLowerCase());
    if (found) this.#press(found[0], down);
  }

  #releaseAll() {
    for (const key of [...this.#held]) this.#press(key, false);
  }
}

// --- the page ---

const LINES = 4; // of the bus

const table = new TableStream(firstState(), { url: "/events?bench=1", also: ["bench"] });
const ledStrip = new LedStripView(byId("slab"));
const benchKeys = new BenchKeys(byId("keys"), (key, level) => post("keys", { key, level }));
const deviceCards = new DeviceCards(byId("devices"), {
  plug: (device, plugged) => post("plugs", { device, plugged }),
  fault: (device, fault, on) => post("fault", { device, fault, on }),
});
let bench = null;
let lastPost = Promise.resolve();

/** Send in the order of the presses: an "up" never overtakes its "down". */
function post(what, body) {
  const send = () => fetch(`/api/v1/bench/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  });
  lastPost = lastPost.then(send, send).catch(() => null);
}

/** The panel's memory, one bit per pixel, the leftmost first. */
function showPanel({ width, height, on, contrast, bits }) {
  const canvas = byId("panel");
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const bytes = Uint8Array.from(atob(bits), (one) => one.charCodeAt(0));
  const image = new ImageData(width, height);
  const light = on ? 110 + Math.round((145 * contrast) / 255) : 0;
  for (let i = 0; i < width * height; i += 1) {
    const lit = (bytes[i >> 3] >> (7 - (i & 7))) & 1 ? light : 0;
    image.data.set([lit, lit, lit, 255], 4 * i);
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  writeById("panel-size", `OLED ${width} × ${height}, ${t(on ? "bench.shown" : "bench.dark")}`);
}

const busLine = ({ at, bus, text }) => html("p", html("span.at", at), html("b", bus), html("span", isolateNames(text)));

const busRow = ({ name, bytes_per_s: now, bytes }) =>
  html("div", html("dt", name), html("dd", t("bench.per_second", { n: Math.round(now), bytes: formatNumber(Math.round(now)) })), html("dd.all", t("bench.in_all", { n: bytes, bytes: formatNumber(bytes) })));

function show() {
  byId("panel").hidden = !bench.panel;
  if (bench.panel) showPanel(bench.panel);
  deviceCards.show(bench.devices);
  if (bench.strip) ledStrip.show(bench.strip, table.state);
  benchKeys.show(bench.keys, table.state);
  byId("buses").replaceChildren(...(bench.buses ?? []).map(busRow));
  byId("lines").replaceChildren(...bench.lines.slice(0, LINES).map(busLine));
}

table.on("bench", (next) => {
  bench = next;
  show();
});
followTable(table, () => bench && show());
