// Who may score: the code for the next phone, and the key that unpairs all of them.

import { byId, html, svg } from "../lib/dom.js";
import { fetched, posted } from "../lib/http.js";
import { language, t } from "../lib/i18n.js";

const OPEN = document.body.classList.contains("open-table");

const qr = ({ url, qr: { size, path } }) =>
  svg("svg.qr", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("settings.qr", { url }) },
    svg("rect", { width: "100%", height: "100%" }), svg("path", { d: path }));

const clock = (at) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(at * 1000);

export class Pairing {
  #around;
  #timer = 0;

  constructor(around) {
    this.#around = around;
    byId("unpair").hidden = OPEN;
    byId("unpair").addEventListener("click", () => this.#unpair());
    document.addEventListener("visibilitychange", () => document.hidden || this.show());
  }

  async show() {
    if (OPEN) return byId("pairing").replaceChildren(html("p", t("settings.pairing_open")));
    clearTimeout(this.#timer);
    const { ok, body } = await fetched("/api/v1/pairing");
    byId("pairing").replaceChildren(...(ok && body.code ? this.#code(body) : [html("p", t("settings.pairing_hidden"))]));
  }

  #code(told) {
    this.#timer = setTimeout(() => document.hidden || this.show(), Math.max(1_000, told.until * 1000 - Date.now() + 1_000));
    const { host, code, until } = told;
    const asks = told.qr === null ? t("settings.pairing_code_here", { host }) : t("settings.pairing_code", { host });
    const how = html("p", asks, html("span.code", code), html("small", t("settings.pairing_until", { time: clock(until) })));
    return told.qr === null ? [how] : [qr(told), how];
  }

  async #unpair() {
    const asked = { title: t("settings.unpair_ask"), then: t("settings.unpair_then"), no: t("settings.unpair_keep"), yes: t("settings.unpair_do") };
    if (!(await this.#around.sure(asked))) return;
    const { ok, body } = await posted("/api/v1/unpair", { all: true });
    if (!ok) return this.#around.refused(body);
    this.#around.tell(t("settings.unpaired"), true);
    this.#around.role.lost();
  }
}
