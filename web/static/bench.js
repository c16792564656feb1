// The bench: what panel and strip would show, keys to press with a finger, and plugs to pull.

import { showDevices } from "./devices.js";
import { byId, html, write } from "./element.js";
import { Keyboard } from "./keyboard.js";
import { Strand } from "./strand.js";
import { firstState, Table } from "./table.js";
import * as words from "./words.js";

const LINES = 4; // of the bus

const table = new Table(firstState(), { url: "/events?bench=1", also: ["bench"] });
const strand = new Strand(byId("slab"));
const keyboard = new Keyboard(byId("keys"), (key, level) => post("/api/v1/bench/keys", { key, level }));
let bench = null;
let lastPost = Promise.resolve();

/** Send in the order of the fingers: an "up" never overtakes its "down". */
function post(url, body) {
  const send = () => fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  });
  lastPost = lastPost.then(send, send).catch(() => null);
  return lastPost;
}

const plug = (device, plugged) => post("/api/v1/bench/plugs", { device, plugged });

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
  write(byId("panel-size"), `OLED ${width} × ${height}, ${on ? "what the chip shows" : "dark"}`);
}

const busLine = ({ at, bus, text }) =>
  html("p", {}, html("span", { class: "at" }, at), html("b", {}, bus), html("span", {}, text));

function show(next) {
  bench = next;
  if (bench.panel) showPanel(bench.panel);
  showDevices(byId("devices"), bench.devices, plug);
  if (bench.strip) strand.show(bench.strip, table.state);
  keyboard.show(bench.keys, table.state);
  byId("lines").replaceChildren(...bench.lines.slice(0, LINES).map(busLine));
}

table.on("bench", show);
table.on("state", (state, { before, live }) => {
  const said = live && words.spoken(before, state);
  if (said) write(byId("said"), said);
  if (bench) show(bench);
});
table.on("link", (link) => {
  write(byId("link"), words.link[link]);
  byId("link").parentElement.className = `link ${link}`;
});
table.open();
