// Event strip at the top of phone, tablet and board: calls, next tables, unsent results.

import { asSentence, byId, capitalize, html, languageOf, loadTexts, openDialog, postJson, quote, t, translate } from "../lib/browser.js";
import { makeRoom } from "../live/page_head.js";
import { Role } from "../live/table_stream.js";

await loadTexts("event_words");

const CALLS = {
  judge: { call: "event.call_judge", end: "event.end_judge", called: "event.called_judge", one: "event.called_judge_one" },
  director: { call: "event.call_director", end: "event.end_director", called: "event.called_director", one: "event.called_director_one" },
};

const isAnswered = ({ accepted, needed }) => accepted.length >= needed;

/** Who is coming, or that there is no answer yet. */
function callText(call) {
  const { accepted } = call;
  const names = new Intl.ListFormat(document.documentElement.lang).format(accepted);
  if (isAnswered(call)) return t("event.comes", { n: accepted.length, names });
  const words = CALLS[call.for];
  return accepted.length ? t(words.one, { names }) : t(words.called);
}

const deals = { true: "event.deals", false: "event.other_deals" };

/** "Ann: table 4, against Bob, deals first" */
function nextText({ name }, { table, against, deals: first, stays }) {
  if (table === null) return t("event.no_next", { name });
  const where = t(stays ? "event.stays" : "event.goes", { name, table });
  return [where, t("event.against", { name: against }), ...(first === null ? [] : [t(deals[first])])].join(", ");
}

/** Where the table is in the event. */
const placeText = ({ table, round, rounds }) =>
  [t("event.table", { table }), ...(round ? [t(rounds ? "event.round_of" : "event.round", { round, rounds })] : [])].join(" · ");

export class EventStrip {
  #table;
  #role = new Role();
  #node = html("section.event-strip", { "aria-label": t("event.title"), hidden: true });
  #drawn = "";
  #said = "";

  constructor(table) {
    this.#table = table;
    for (const sheet of ["../live/alarms.css", "strip.css"]) {
      document.head.append(html("link", { rel: "stylesheet", href: new URL(sheet, import.meta.url).pathname }));
    }
    document.querySelector("main").before(this.#node);
    this.#role.follow(() => this.show());
    new ResizeObserver(makeRoom).observe(this.#node);
    table.on("state", () => this.show());
    this.show();
  }

  show() {
    const { event, seats, game } = this.#table.state;
    const now = JSON.stringify([event, game.id, this.#role.mayScore]);
    if (now === this.#drawn) return;
    this.#drawn = now;
    this.#node.hidden = !event;
    const held = document.activeElement === this.#node.querySelector("button");
    this.#node.replaceChildren(...(event ? this.#rows(event, seats, game) : []));
    if (held) this.#node.querySelector("button")?.focus({ preventScroll: true });
    if (event) this.#announce(event);
    makeRoom();
  }

  #rows(event, seats, game) {
    const place = html("p.event-place", placeText(event), ...(event.linked ? [] : [" ", html("small", t("event.no_link"))]));
    return [
      html("div.event-line", place, ...this.#callKey(event)),
      ...event.calls.map((call) => html("p.event-call", callText(call))),
      ...(event.settled ? [html("p.event-next", capitalize(translate(event.settled_message, event.settled)))] : []),
      ...event.next.map((next, seat) => html("p.event-next", nextText(seats[seat], next))),
      ...(event.here.length ? [html("p.event-next", t("event.here", { names: event.here.join(" – ") }))] : []),
      ...(event.unsent ? [this.#unsentLine(game)] : []),
      ...(event.announcement ? [html("p.event-said", event.announcement)] : []),
    ];
  }

  #unsentLine({ id }) {
    return html("p.event-unsent", t("event.unsent"), " ", html("a.key", { href: `/event/${id}` }, t("event.show_code")));
  }

  #callKey({ calls }) {
    if (!this.#role.mayScore || document.body.classList.contains("board")) return [];
    const key = html("button.key", { type: "button", "aria-haspopup": "dialog" }, t(calls.length ? "event.calls" : "event.call"));
    key.addEventListener("click", () => this.#open());
    return [key];
  }

  /** Make a call, or end one. */
  #open() {
    const standing = new Set(this.#table.state.event.calls.map((call) => call.for));
    const keys = Object.entries(CALLS).map(([kind, words]) =>
      html("button.key.wide", { value: kind }, html("b", t(standing.has(kind) ? words.end : words.call))));
    const close = html("button.solid", { value: "close" }, html("b", t("common.close")));
    const heading = html("h2", { id: "event-call-title" }, t("event.call"));
    const form = html("form", { method: "dialog" }, html("p.since", t("event.call_about")), ...keys, close);
    const dialog = html("dialog.modal", { "aria-labelledby": heading.id }, heading, form);
    document.body.append(dialog);
    openDialog(dialog, "close", (kind) => {
      dialog.remove();
      if (kind !== "close") this.#call(kind, !standing.has(kind));
    }, () => close.focus({ preventScroll: true }));
  }

  async #call(kind, call) {
    const { ok, body } = await postJson("/api/v1/event/calls", { for: kind, call });
    if (ok) return;
    const said = asSentence(body.detail);
    this.#node.append(html("p.event-refusal", { role: "alert", lang: languageOf(said) }, said));
  }

  /** Announce a call, and who is coming. */
  #announce({ calls }) {
    const said = calls.map(callText).join(" ");
    if (said !== this.#said) quote(byId("said"), said);
    this.#said = said;
  }
}
