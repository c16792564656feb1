// Settings page: names, next game, brightness, pairing, versions. A director changes them; others see why they are
// closed.

import { asSentence, byId, fetchJson, html, language, openDialog, postJson, quote, set, svg, t, translate, withQuery, write, writeById } from "../lib/browser.js";
import { whyLocked } from "../live/command_queue.js";
import { firstState, followTable, Role, TableStream } from "../live/table_stream.js";
import { NameForm } from "../pad/name_correction_form.js";
import { formatNumber } from "../words/state.js";
import { listNames, NextGame } from "./next_game.js";

const PACE = 120; // ms between two requests while a slider moves
const MOST = { oled: 255, strip: 1 };
const LEAST = { oled: 0, strip: 5 }; // percent: an LED strip is never completely dark

const percent = (of, value) => Math.round((value / MOST[of]) * 100);
const brightnessOf = (of, percents) => (of === "oled" ? Math.round(percents * 2.55) : percents / 100);
const percentText = (n) => t("settings.percent", { n });

// --- brightness ---

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

  /** Send only the newest value, however fast the slider moves. */
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

// --- pairing: the code that pairs a phone, and the paired devices ---

const OPEN = document.body.classList.contains("open-table");
const DAY = 86_400; // seconds

const qr = ({ url, qr: { size, path } }) =>
  svg("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("settings.qr", { url }) },
    svg("rect", { width: "100%", height: "100%" }), svg("path", { d: path }));

const clockText = (at) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at * 1000);

/** The time of day, with the date if that is not clear. */
function timeText(at) {
  if (Math.abs(Date.now() / 1000 - at) < DAY) return clockText(at);
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at * 1000);
}

const labelOf = ({ label }) => label || t("settings.device_unknown");

class PairingPart {
  #page;
  #timer = 0;

  constructor(page) {
    this.#page = page;
    byId("unpair").hidden = OPEN;
    byId("unpair").addEventListener("click", () => this.#unpairAll());
    document.addEventListener("visibilitychange", () => document.hidden || this.show());
  }

  async show() {
    if (OPEN) return byId("pairing").replaceChildren(html("p", t("settings.pairing_open")));
    clearTimeout(this.#timer);
    const [{ ok, body }] = await Promise.all([fetchJson("/api/v1/pairing"), this.#showDevices()]);
    byId("pairing").replaceChildren(...(ok && body.code ? this.#code(body) : [html("p", t("settings.pairing_hidden"))]));
  }

  #code(pairing) {
    this.#timer = setTimeout(() => document.hidden || this.show(), Math.max(1_000, pairing.until * 1000 - Date.now() + 1_000));
    const { host, code, until } = pairing;
    const asks = pairing.qr === null ? t("settings.pairing_code_here", { host }) : t("settings.pairing_code", { host });
    const how = html("p", asks, html("span.code", code), html("small", t("settings.pairing_until", { time: clockText(until) })));
    return pairing.qr === null ? [how] : [qr(pairing), how];
  }

  async #showDevices() {
    const { ok, body } = this.#page.role.isDirector ? await fetchJson("/api/v1/paired") : { ok: false };
    byId("paired").hidden = !ok;
    if (!ok) return;
    const rows = body.devices.map((device) => this.#row(device));
    byId("paired-devices").replaceChildren(...(rows.length > 0 ? rows : [html("li", t("settings.devices_none"))]));
  }

  #row(device) {
    const name = html("b", labelOf(device), device.this ? html("small", ` · ${t("settings.device_this")}`) : "");
    const facts = [
      t(`settings.device_${device.role}`),
      t("settings.device_since", { time: timeText(device.since) }),
      ...(device.seen === null ? [] : [t("settings.device_seen", { time: timeText(device.seen) })]),
    ];
    const button = html("button.key", { type: "button", "aria-label": `${t("settings.device_unpair")}: ${labelOf(device)}` }, t("settings.device_unpair"));
    button.addEventListener("click", () => this.#unpair(device));
    return html("li", html("p", name, html("span.quiet", facts.join(" · "))), button);
  }

  async #unpair(device) {
    const name = labelOf(device);
    const question = { title: t("settings.device_unpair_ask"), then: t("settings.device_unpair_then", { device: name }), no: t("settings.device_unpair_keep"), yes: t("settings.device_unpair") };
    if (!(await this.#page.confirm(question))) return;
    const { ok, body } = await postJson("/api/v1/unpair", { device: device.id });
    if (!ok) this.#page.showRefusal(body);
    else {
      this.#page.showMessage(t("settings.device_unpaired", { device: name }), true);
      if (device.this) return this.#page.role.becomeViewer();
    }
    await this.#showDevices();
  }

  async #unpairAll() {
    const question = { title: t("settings.unpair_ask"), then: t("settings.unpair_then"), no: t("settings.unpair_keep"), yes: t("settings.unpair_do") };
    if (!(await this.#page.confirm(question))) return;
    const { ok, body } = await postJson("/api/v1/unpair", { all: true });
    if (!ok) return this.#page.showRefusal(body);
    this.#page.showMessage(t("settings.unpaired"), true);
    this.#page.role.becomeViewer();
  }
}

// --- versions: a director uploads a newer package, installs it, or goes back, and the page follows ---

const VERSIONS = "/api/v1/versions";
const DEBIAN_PACKAGE = "application/vnd.debian.binary-package";
const SEND_TIMEOUT = 150_000; // ms; the server takes two minutes
const ASK_EVERY = 1_500; // ms between two polls
const LASTS_AT_MOST = 8 * 60_000; // ms: a small Pi tests a version on years of scores

const dateText = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at * 1000);
const megabytes = (bytes) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / 1e6);
const OUTCOMES = { installed: "installed", updated: "installed", back: "went_back", failed: "failed", refused: "refused" };

/** The outcome of the last change, in words. */
function outcomeText({ what, version, at, why }) {
  const said = why === null ? "" : translate(why, why.text);
  return t(`settings.versions_${OUTCOMES[what]}`, { version, when: dateText(at), why: said });
}

class VersionsPart {
  #page;
  #report = null;
  #following = false;

  constructor(page) {
    this.#page = page;
    const chooser = byId("versions-choose").querySelector("input");
    chooser.addEventListener("change", () => {
      const [file] = chooser.files;
      if (file) this.#send(file).then(() => (chooser.value = ""));
    });
  }

  async show({ updates: isThere }) {
    byId("versions").hidden = !isThere;
    if (!isThere || this.#following) return;
    const { ok, body } = await fetchJson(VERSIONS);
    if (!ok) return;
    this.#draw(body);
    if (body.under_way) this.#follow(body.last?.at);
  }

  #draw(report) {
    this.#report = report;
    const { current, previous, waiting, last } = report;
    writeById("versions-now", t("settings.versions_runs", { version: current }));
    writeById("versions-last", last === null ? "" : outcomeText(last));
    const offers = waiting.flatMap(({ file, version, bytes }) => [
      html("p", t("settings.versions_waits", { version, size: megabytes(bytes) })),
      this.#button(t("settings.versions_install", { version }), t("settings.versions_ask", { version }), { do: "update", file }),
    ]);
    const back = previous === null ? [] : [
      this.#button(t("settings.versions_back", { version: previous }), t("settings.versions_back_ask", { version: previous }), { do: "back" }),
    ];
    byId("versions-ways").replaceChildren(...offers, ...back);
    this.#close();
  }

  /** Only a director may, and nobody while a change is running. */
  #close() {
    for (const control of byId("versions").querySelectorAll("input, button")) {
      set(control, "disabled", this.#following || !this.#page.role.isDirector);
    }
  }

  #button(text, title, wish) {
    const button = html("button.key", { type: "button" }, text);
    button.addEventListener("click", () => this.#ask(title, text, wish));
    return button;
  }

  async #send(file) {
    this.#page.showMessage(t("settings.versions_sending"), true);
    const options = { method: "POST", headers: { "Content-Type": DEBIAN_PACKAGE }, body: file };
    const { ok, body } = await fetchJson(withQuery(`${VERSIONS}/package`, { name: file.name }), options, SEND_TIMEOUT);
    if (!ok) return this.#page.showRefusal(body);
    this.#draw(body);
    this.#page.showMessage(t("settings.versions_sent", { version: body.waiting[0].version }), true);
  }

  async #ask(title, yes, wish) {
    const { game, entries } = this.#page.table.state;
    const isPlaying = entries.length > 0 && !game.over;
    const then = t(isPlaying ? "settings.versions_then_game" : "settings.versions_then");
    if (!(await this.#page.confirm({ title, then, no: t("settings.versions_keep"), yes }))) return;
    const { ok, body } = await postJson(VERSIONS, { ...wish, during_game: isPlaying });
    if (!ok) return this.#page.showRefusal(body);
    this.#follow(this.#report.last?.at);
  }

  /** Poll until the change is complete, while the table restarts; `since` is the last change before it. */
  async #follow(since) {
    this.#following = true;
    this.#close();
    this.#page.showMessage(t("settings.versions_going"), true);
    const running = this.#report.current;
    const until = Date.now() + LASTS_AT_MOST;
    while (Date.now() < until) {
      await new Promise((done) => setTimeout(done, ASK_EVERY));
      const { ok, body } = await fetchJson(VERSIONS);
      if (!ok || body.under_way || body.last?.at === since) continue;
      if (body.current !== running) return location.reload(); // another version has other pages
      this.#following = false;
      this.#draw(body);
      return this.#page.showMessage(outcomeText(body.last), body.last.why === null);
    }
    this.#following = false;
    this.#close();
    this.#page.showMessage(t("settings.versions_silent"));
  }
}

// --- shutting down ---

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
let isSilent = false; // the message says that the server did not respond

/** Say what happened, in the place that is read aloud. */
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

/** What this device cannot change stays readable, and says why. */
function closeFields() {
  byId("closed").hidden = role.isDirector;
  writeById("closed-why", t(role.mayScore ? "settings.closed_scorer" : "settings.closed"));
  for (const control of document.querySelectorAll("main .card :is(input, select, button)")) {
    if (!control.closest(".hearing, .names")) set(control, "disabled", !role.isDirector);
  }
}

let loading = null;

/** Load and show the settings; resolves to whether they arrived. A later request takes precedence. */
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
