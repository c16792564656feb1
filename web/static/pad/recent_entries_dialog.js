// The sheet of the last five lines: where each peg came from, through which door, when; and each can be put right. It comes
// when it is first opened.

import { html, refuse } from "../lib/dom.js";
import { leafKey, openLeaf } from "../lib/choices.js";
import { mark } from "../board/pegs.js";
import { closedLine } from "./recent_entries.js";
import { isShow, isVoid, NEVER, reasonsFor } from "../words/entries.js";
import { known, t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const LAST = 5;
const MOST = 29;

const canAmend = (entry) => (entry.do === "score" || entry.do === "penalty") && entry.stands && !entry.ruled_by;

const doorOf = (source) => known(`words.source_${source}`, source);

/** "57 → 69, phone, 20:14" */
function about(table, entry) {
  const when = words.ago(table.since(entry.at), entry.at);
  const change = entry.history?.at(-1);
  const changed = change ? t(`pad.did_${change.did}`, { door: doorOf(change.source) }) : "";
  return [words.fromTo(entry, doorOf(entry.source)), when, changed].filter(Boolean).join(", ");
}

function keysOf(state, entry, role) {
  if (entry.ruled_by) return [];
  const closed = closedLine(state, entry, role);
  const turn = html("button.key", { value: entry.stands ? "undo" : "redo", "data-line": entry.id },
    entry.stands ? t("pad.take") : t("pad.put_back"));
  refuse(turn, closed);
  if (!canAmend(entry)) return [turn];
  const amend = html("button.key", { value: "amend", "data-line": entry.id }, t("pad.amend"));
  refuse(amend, closed);
  return [turn, amend];
}

const row = (table, role) => (entry) => {
  const { state } = table;
  const sign = Number.isInteger(entry.lane) ? mark(entry.lane) : html("span.mark");
  const struck = isVoid(entry) || !entry.stands;
  const what = html(struck ? "s.what" : "b.what", {}, ...words.marked(words.line(state, entry), entry));
  const texts = html("div.told", {}, what, html("span.when", about(table, entry)));
  return html("li", {}, sign, texts, html("div.turns", {}, ...keysOf(state, entry, role)));
};

/** Open them; `chosen(what, line)` where one is to be taken back, put back or amended. */
export function openLines(here, table, role, chosen) {
  const { entries, game } = table.state;
  const list = entries.slice(0, LAST).map(row(table, role));
  const whole = html("a.key.wide", { href: `/history/${game.id}` }, t("pad.whole_sheet"));
  const inside = list.length ? html("ol.five", {}, ...list) : html("p.since", t("pad.no_lines"));
  openLeaf(here, "lines", t("pad.last_five"), [html("p.reason", { role: "status" }), inside, whole], (value, key) => {
    if (key?.dataset.line) chosen(value, key.dataset.line);
  });
}

const pointKey = (entry, points) => {
  const key = html("button.key", { value: "points", "data-points": points }, `${points}`);
  refuse(key, points === entry.points ? t("pad.says_so", { points }) : null);
  return key;
};

/** Ask what a line truly was: `chosen({points})`, `chosen({seat})` or `chosen({why})`, null where nobody is to have said it. */
export function openAmend(here, state, entry, chosen) {
  const all = Array.from({ length: MOST + 1 }, (_, points) => points);
  const points = all.filter((one) => !(isShow(entry.why) && NEVER.has(one)) && (one || entry.do === "score"));
  const numbers = html("div.more-points", { role: "group", "aria-label": t("pad.points") }, ...points.map((one) => pointKey(entry, one)));
  const whys = reasonsFor(entry).map((why) => html("button.key", { value: "why", "data-why": why ?? "" }, t(why ? `words.why_${why}` : "pad.forget")));
  const meant = whys.length ? [html("p.ask", t("pad.meant", { why: words.why(entry) })), html("div.more-deal", {}, ...whys)] : [];
  const others = entry.do === "score" ? words.seatsBeside(state, entry.lane) : [];
  const seats = others.map((seat) => html("button.key", { value: "seat", "data-seat": seat }, t("pad.was_of", { name: words.called(state, seat) })));
  const whose = seats.length ? [html("div.more-deal", {}, ...seats)] : [];
  openLeaf(here, "amend", words.line(state, entry), [html("p.reason", { role: "status" }), numbers, ...whose, ...meant], (value, key) => {
    if (value === "points") chosen({ points: Number(key.dataset.points) });
    if (value === "seat") chosen({ seat: Number(key.dataset.seat) });
    if (value === "why") chosen({ why: key.dataset.why || null });
  });
}
