// How bright panel and strip are: a slider each, shown by the windows while it moves.

import { byId, html, write } from "../lib/dom.js";
import { posted } from "../lib/http.js";
import { t } from "../lib/i18n.js";

const PACE = 120; // ms between two while a slider moves
const MOST = { oled: 255, strip: 1 };
const LEAST = { oled: 0, strip: 5 }; // percent: a strip is never quite dark

const percent = (of, value) => Math.round((value / MOST[of]) * 100);
const value = (of, percents) => (of === "oled" ? Math.round(percents * 2.55) : percents / 100);
const said = (n) => t("settings.percent", { n });

export class Lights {
  #around;
  #place;
  #lamps;
  #next = null;
  #busy = false;

  constructor(around, place) {
    this.#around = around;
    this.#place = place;
    this.#lamps = ["oled", "strip"].map((of) => this.#lamp(of));
    byId("lights").append(...this.#lamps.map(({ node }) => node));
  }

  show({ brightness, usual, fitted, night }) {
    for (const lamp of this.#lamps) {
      const { of } = lamp;
      const set = percent(of, usual[of]);
      lamp.missing.hidden = fitted[of];
      lamp.slider.hidden = lamp.back.hidden = lamp.output.hidden = !fitted[of];
      write(lamp.back, t("settings.as_set", { n: set }));
      if (document.activeElement !== lamp.slider) lamp.move(percent(of, brightness[of]));
    }
    byId("night").hidden = !night;
    if (night) write(byId("night"), t("settings.night", { ...night, n: percent("strip", night.strip) }));
  }

  #lamp(of) {
    const output = html("output", { "aria-live": "off" });
    const slider = html("input", { type: "range", id: `light-${of}`, min: LEAST[of], max: 100, step: 1 });
    const back = html("button.key", { type: "button" });
    const missing = html("p.quiet", { hidden: true }, t(`settings.missing_${of}`));
    const name = html("label", { for: slider.id }, t(`settings.${of}`));
    const move = (n) => {
      slider.value = n;
      slider.setAttribute("aria-valuetext", said(slider.value));
      write(output, said(slider.value));
    };
    slider.addEventListener("input", () => {
      move(slider.value);
      this.#choose({ [of]: value(of, Number(slider.value)) });
    });
    back.addEventListener("click", () => this.#choose({ [of]: null }));
    return { of, node: html("div.lamp", name, output, slider, back, missing), slider, output, back, missing, move };
  }

  /** Only the newest is sent, however fast the slider moves. */
  async #choose(change) {
    this.#next = { ...this.#next, ...change };
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next) {
      const brightness = this.#next;
      this.#next = null;
      await this.#send(brightness);
      await new Promise((done) => setTimeout(done, PACE));
    }
    this.#busy = false;
  }

  async #send(brightness) {
    const { ok, body } = await posted(this.#place, { brightness });
    if (!ok) return this.#around.refused(body);
    this.#around.tell("");
    if (this.#next) return;
    for (const lamp of this.#lamps) if (lamp.of in brightness) lamp.move(percent(lamp.of, body.brightness[lamp.of]));
  }
}
