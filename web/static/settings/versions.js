// The versions of the table's program: a director sends a newer package, installs it, or goes back, and the page follows.

import { byId, fetchJson, html, language, postJson, set, t, translate, withQuery, writeById } from "../lib/browser.js";

const PLACE = "/api/v1/versions";
const DEBIAN_PACKAGE = "application/vnd.debian.binary-package";
const SEND_TIMEOUT = 150_000; // ms; the server takes two minutes
const ASK_EVERY = 1_500; // ms between two looks at whether it is done
const LASTS_AT_MOST = 8 * 60_000; // ms: a small Pi tries a version on the scores of years

const timeText = (at) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at * 1000);
const megabytes = (bytes) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / 1e6);
const OUTCOMES = { installed: "installed", updated: "installed", back: "went_back", failed: "failed", refused: "refused" };

/** What came of the last change, in words. */
function outcomeText({ what, version, at, why }) {
  const said = why === null ? "" : translate(why, why.text);
  return t(`settings.versions_${OUTCOMES[what]}`, { version, when: timeText(at), why: said });
}

export class VersionsPart {
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
    const { ok, body } = await fetchJson(PLACE);
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

  /** Only a director may, and nobody while something is being done. */
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
    const { ok, body } = await fetchJson(withQuery(`${PLACE}/package`, { name: file.name }), options, SEND_TIMEOUT);
    if (!ok) return this.#page.showRefusal(body);
    this.#draw(body);
    this.#page.showMessage(t("settings.versions_sent", { version: body.waiting[0].version }), true);
  }

  async #ask(title, yes, wish) {
    const { game, entries } = this.#page.table.state;
    const isPlaying = entries.length > 0 && !game.over;
    const then = t(isPlaying ? "settings.versions_then_game" : "settings.versions_then");
    if (!(await this.#page.confirm({ title, then, no: t("settings.versions_keep"), yes }))) return;
    const { ok, body } = await postJson(PLACE, { ...wish, during_game: isPlaying });
    if (!ok) return this.#page.showRefusal(body);
    this.#follow(this.#report.last?.at);
  }

  /** Ask again and again until something has come of it, while the table starts anew; `since` is the last change before. */
  async #follow(since) {
    this.#following = true;
    this.#close();
    this.#page.showMessage(t("settings.versions_going"), true);
    const running = this.#report.current;
    const until = Date.now() + LASTS_AT_MOST;
    while (Date.now() < until) {
      await new Promise((done) => setTimeout(done, ASK_EVERY));
      const { ok, body } = await fetchJson(PLACE);
      if (!ok || body.under_way || body.last?.at === since) continue;
      if (body.current !== running) return location.reload(); // the pages of another version are others
      this.#following = false;
      this.#draw(body);
      return this.#page.showMessage(outcomeText(body.last), body.last.why === null);
    }
    this.#following = false;
    this.#close();
    this.#page.showMessage(t("settings.versions_silent"));
  }
}
