// The LED strip laid along the track: a square for each LED, in the light of the decoded wire.

import { svg } from "../lib/dom.js";
import { spot, track } from "../board/track.js";
import { r } from "../board/path.js";
import { wood } from "../board/frame.js";

const GAMMA = 2.2; // an LED's byte is linear light; a screen's is not
const EYE = 0.25; // power of the brightness: no screen has an LED's range, so dim ones are lifted as the eye does
const GLOWS = 0.55; // shown brightness from which light is seen around an LED

/** Screen colour and shown brightness (0 to 1) of one LED's bytes. */
function light(rgb, led) {
  const bytes = [0, 2, 4].map((i) => parseInt(rgb.slice(6 * led + i, 6 * led + i + 2), 16) || 0);
  const most = Math.max(...bytes);
  if (!most) return { fill: "#000", bright: 0 };
  const bright = (most / 255) ** EYE;
  const screen = bytes.map((byte) => Math.round(255 * bright * (byte / most) ** (1 / GAMMA)));
  return { fill: `rgb(${screen.join()})`, bright };
}

export class Strand {
  #node;
  #ground = null;
  #leds = [];
  #last = null;

  constructor(node) {
    this.#node = node;
    new ResizeObserver(() => this.#last && this.show(...this.#last)).observe(node);
  }

  /** `rgb` is a hex string of all LEDs; `lanes` and `start` tell which stands in which hole. */
  show(strip, state) {
    this.#last = [strip, state];
    this.#lay(strip, state);
    for (const { led, square, glow } of this.#leds) {
      const { fill, bright } = light(strip.rgb, led);
      square.setAttribute("class", bright ? "led lit" : "led");
      square.setAttribute("fill", fill);
      glow.setAttribute("fill", fill);
      glow.setAttribute("opacity", bright > GLOWS ? r(0.5 * bright ** 3) : 0);
      glow.setAttribute("r", r(this.#ground.holeR * (1.2 + 1.8 * bright ** 3)));
    }
  }

  #lay(strip, { game, lanes }) {
    const [width, height] = [this.#node.clientWidth || 1240, this.#node.clientHeight || 204];
    const asked = { width, height, lanes: lanes.length, gameHole: game.game_hole, skunkLines: game.skunk_lines, lurch: game.rules.lurch };
    const key = JSON.stringify([asked, strip.lanes, strip.start]);
    if (this.#ground?.key === key) return;
    this.#ground = { ...track(asked), key };
    const { holes } = wood(this.#node, this.#ground);
    this.#leds = [];
    lanes.forEach((_, lane) => this.#string(lane, strip, game.game_hole, holes));
  }

  /** The LEDs of a lane; a hole without one stays wood. */
  #string(lane, strip, gameHole, layer) {
    const own = strip.lanes[lane] ?? [];
    for (let hole = 1; hole <= gameHole; hole += 1) {
      if (Number.isInteger(own[hole - 1])) this.#put(own[hole - 1], spot(this.#ground, lane, hole), layer);
    }
    (strip.start?.[lane] ?? []).forEach((led, i) => this.#put(led, spot(this.#ground, lane, 0, i === 0), layer));
  }

  #put(led, { x, y }, layer) {
    if (this.#leds.some((one) => one.led === led)) return;
    const half = Math.max(1.7, 0.82 * this.#ground.holeR);
    const glow = svg("circle.glow", { cx: r(x), cy: r(y), opacity: 0 });
    const side = r(2 * half);
    const square = svg("rect.led", { x: r(x - half), y: r(y - half), width: side, height: side, rx: 1 });
    layer.append(glow, square);
    this.#leds.push({ led, square, glow });
  }
}
