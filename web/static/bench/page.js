// The bench: what panel and strip would show, keys to press, plugs to pull and faults to make.

import { Devices } from "./device_card.js";
import { byId, html, say } from "../lib/dom.js";
import { follow } from "../live/page.js";
import { Keyboard } from "./keys.js";
import { Strand } from "./led_strip.js";
import { firstState, Table } from "../live/table_stream.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const LINES = 4; // of the bus

const table = new Table(firstState(), { url: "/events?bench=1", also: ["bench"] });
const strand = new Strand(byId("slab"));
const keyboard = new Keyboard(byId("keys"), (key, level) => post("keys", { key, level }));
const devices = new Devices(byId("devices"), {
  plug: (device, plugged) => post("plugs", { device, plugged }),
  fault: (device, fault, on) => post("fault", { device, fault, on }),
});
let bench = null;
let lastPost = Promise.resolve();

/** Send in the order of the fingers: an "up" never overtakes its "down". */
function post(what, body) {
  const send = () => fetch(`/api/v1/bench/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  });
  lastPost = lastPost.then(send, send).catch(() => null);
}

/** The picture in the panel's memory, a bit a pixel, the leftmost first. */
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
  say("panel-size", `OLED ${width} × ${height}, ${t(on ? "bench.shown" : "bench.dark")}`);
}

const busLine = ({ at, bus, text }) => html("p", html("span.at", at), html("b", bus), html("span", words.fencedIn(text)));

const busRow = ({ name, bytes_per_s: now, bytes }) =>
  html("div", html("dt", name), html("dd", t("bench.per_second", { n: Math.round(now), bytes: words.group(Math.round(now)) })), html("dd.all", t("bench.in_all", { n: bytes, bytes: words.group(bytes) })));

function show() {
  byId("panel").hidden = !bench.panel;
  if (bench.panel) showPanel(bench.panel);
  devices.show(bench.devices);
  if (bench.strip) strand.show(bench.strip, table.state);
  keyboard.show(bench.keys, table.state);
  byId("buses").replaceChildren(...(bench.buses ?? []).map(busRow));
  byId("lines").replaceChildren(...bench.lines.slice(0, LINES).map(busLine));
}

table.on("bench", (next) => {
  bench = next;
  show();
});
follow(table, () => bench && show());
