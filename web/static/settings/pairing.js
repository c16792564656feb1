// Pairing on the settings page: the code that pairs a phone, and the paired devices, which a director unpairs one by one.

import { byId, fetchJson, html, language, postJson, svg, t } from "../lib/browser.js";

const OPEN = document.body.classList.contains("open-table");
const DAY = 86_400; // seconds

const qr = ({ url, qr: { size, path } }) =>
  svg("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("settings.qr", { url }) },
    svg("rect", { width: "100%", height: "100%" }), svg("path", { d: path }));

const clockText = (at) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at * 1000);

/** The time of day, with the day where that is not clear. */
function timeText(at) {
  if (Math.abs(Date.now() / 1000 - at) < DAY) return clockText(at);
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at * 1000);
}

const labelOf = ({ label }) => label || t("settings.device_unknown");

export class PairingPart {
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
