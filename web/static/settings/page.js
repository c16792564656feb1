// The page of settings: names, next game, brightness, pairing. A director changes them; others read why they are closed.

import { asSentence, byId, fetchJson, html, language, openDialog, postJson, quote, set, t, write, writeById } from "../lib/browser.js";
import { whyLocked } from "../live/command_queue.js";
import { firstState, followTable, Role, TableStream } from "../live/table_stream.js";
import { NameForm } from "../pad/name_correction_form.js";
import { formatNumber } from "../words/state.js";
import { listNames, NextGame } from "./next_game.js";
import { PairingPart } from "./pairing.js";
import { VersionsPart } from "./versions.js";

const PACE = 120; // ms between two while a slider moves
const MOST = { oled: 255, strip: 1 };
const LEAST = { oled: 0, strip: 5 }; // percent: an LED strip is never quite dark

const percent = (of, value) => Math.round((value / MOST[of]) * 100);
const brightnessOf = (of, percents) => (of === "oled" ? Math.round(percents * 2.55) : percents / 100);
const percentText = (n) => t("settings.percent", { n });

class BrightnessSliders {
  #page;
  #place;
  #lamps;
  #next = null;
  #busy = false;

  constructor(page, place) {
    this.#page = page;
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
      slider.setAttribute("aria-valuetext", percentText(slider.value));
      write(output, percentText(slider.value));
    };
    slider.addEventListener("input", () => {
      move(slider.value);
      this.#choose({ [of]: brightnessOf(of, Number(slider.value)) });
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
    const { ok, body } = await postJson(this.#place, { brightness });
    if (!ok) return this.#page.showRefusal(body);
    this.#page.showMessage("");
    if (this.#next) return;
    for (const lamp of this.#lamps) if (lamp.of in brightness) lamp.move(percent(lamp.of, body.brightness[lamp.of]));
  }
}

// --- names ---

class NamesPart {
  #form;
  #table;
  #role;

  constructor({ table, role, showMessage, confirm }, nextGame) {
    [this.#table, this.#role] = [table, role];
    const ask = (changes) => confirm({ title: t("names.same"), then: t("names.same_then", { changes }), no: t("names.other"), yes: t("names.same_yes") });
    this.#form = new NameForm(table, { ask, others: (names) => nextGame.seat(names), done: (sentence) => showMessage(sentence, true) });
    this.#form.node.addEventListener("submit", () => showMessage(""));
    byId("names").replaceChildren(this.#form.node);
    table.on("state", () => this.show());
  }

  show() {
    this.#form.show();
    this.#form.close(whyLocked(this.#table.state, null, this.#role));
  }
}

// --- switching off ---

class PowerPart {
  #page;

  constructor(page) {
    this.#page = page;
    byId("power-off").addEventListener("click", () => this.#switchOff());
  }

  show({ power_off: isThere }) {
    byId("power").hidden = !isThere;
  }

  async #switchOff() {
    const question = { title: t("settings.power_ask"), then: t("settings.power_then"), no: t("settings.power_keep"), yes: t("settings.power_do") };
    if (!(await this.#page.confirm(question))) return;
    const { ok, body } = await postJson("/api/v1/power", { off: true });
    if (!ok) return this.#page.showRefusal(body);
    this.#page.showMessage(t("settings.power_off"), true);
  }
}

// --- the page ---

const PLACE = "/api/v1/settings";

const table = new TableStream(firstState());
const role = new Role();
let isSilent = false; // the message says that the server did not answer

/** Say what happened, in the one place that is read aloud. */
function showMessage(sentence, good = false) {
  quote(byId("told"), sentence);
  isSilent = false;
  byId("told").classList.toggle("good", good);
}

/** Say why the server refused, in its own words. */
const showRefusal = ({ detail }) => showMessage(asSentence(detail));

/** Ask before something that cannot be undone; resolves to whether to do it. */
function confirm({ title, then, no, yes }) {
  writeById("confirm-title", title);
  writeById("confirm-then", then);
  writeById("confirm-no", no);
  writeById("confirm-yes", yes);
  return new Promise((answer) => openDialog(byId("confirm"), "no", (value) => answer(value === "yes")));
}

const page = { table, role, showMessage, showRefusal, confirm };
const nextGame = new NextGame(page);
const parts = [new NamesPart(page, nextGame), nextGame, new BrightnessSliders(page, PLACE), new PairingPart(page), new PowerPart(page), new VersionsPart(page)];

const fact = ([word, said]) => html("div", html("dt", word), html("dd", said));

function showFacts({ version, journal }) {
  const began = new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(journal.began * 1000);
  const names = listNames(table.state.seats.map(({ name }) => name));
  byId("facts").replaceChildren(...[
    [t("settings.running"), names],
    [t("settings.version"), version],
    [t("settings.journal"), began],
    [t("settings.events"), formatNumber(journal.events)],
  ].map(fact));
}

/** What is closed to this device stays to be read, and says why. */
function closeFields() {
  byId("closed").hidden = role.isDirector;
  writeById("closed-why", t(role.mayScore ? "settings.closed_scorer" : "settings.closed"));
  for (const control of document.querySelectorAll("main .card :is(input, select, button)")) {
    if (!control.closest(".hearing, .names")) set(control, "disabled", !role.isDirector);
  }
}

let loading = null;

/** Read the settings and show them; resolves to whether they came. What has been asked for later is shown instead. */
function load() {
  const reading = fetchJson(PLACE).then((answer) => (reading === loading ? show(answer) : loading));
  loading = reading;
  return reading;
}

function show({ ok, body }) {
  if (!ok) {
    showRefusal(body);
    isSilent = true;
    return false;
  }
  if (isSilent) showMessage("");
  for (const part of parts) part.show(body);
  showFacts(body);
  closeFields();
  return true;
}

const shownKey = ({ game, match, seats }) => JSON.stringify([game.id, match.format, seats.map(({ name }) => name)]);

role.follow(load);
followTable(table, (state, { before }) => shownKey(state) !== shownKey(before) && load());
table.on("link", (link) => link === "live" && load());
