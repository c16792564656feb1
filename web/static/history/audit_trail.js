// Every line of a sheet with its door, its time and what has become of it: the audit trail.

import { html } from "../lib/dom.js";
import { asState, clock } from "../words/games.js";
import { correction, dealsOf } from "./score_sheet.js";
import { mark as markOf } from "../board/pegs.js";
import { isRuling, isVoid } from "../words/entries.js";
import { known, t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const DOORS = new Set(["button", "keypad", "keyboard", "phone", "program", "table", "terminal", "hub"]);

const door = ({ source }) => (DOORS.has(source) ? t(`history.door_${source}`) : source);

/** "phone, 20:24" */
const doorAndTime = (mark) => t("history.door_time", { door: door(mark), time: clock(mark.at) });

/** What an entry said before it was amended: "5", "5, hand", "Ann". */
const saidBefore = (state, { was, was_why: reason, was_seat: seat, was_lane: lane }) => [
  ...(Number.isInteger(was) ? [`${was}`] : []),
  ...(reason === undefined ? [] : [reason === null ? t("history.reason_unsaid") : known(`words.why_${reason}`, reason)]),
  ...(lane === undefined ? [] : [seat === null ? words.laneCalled(state, lane) : words.called(state, seat)]),
].join(", ");

const change = (state) => ({ did, ...mark }) =>
  html("li", did === "amend" ? t("history.did_amend", { points: saidBefore(state, mark), door: doorAndTime(mark) }) : t(`history.did_${did}`, { door: doorAndTime(mark) }));

/** What rules on a line, and what that has made of it. */
function rulingOn(entry) {
  if (!entry.ruled_by) return [];
  return [html("li", t("history.under_ruling", { line: entry.ruled_by }))];
}

/** In which deal each line stands: where it counts the steps say it, else the deal that ran when it was made. */
function dealOfEach(game) {
  const counted = dealsOf(game);
  const found = new Map();
  let deal = 1;
  for (const entry of [...game.entries].reverse()) {
    deal = counted.get(entry.id) ?? deal;
    found.set(entry.id, deal);
  }
  return found;
}

function row(game, state, entry, act) {
  const struck = !entry.stands || isVoid(entry);
  const moved = entry.counts && Number.isInteger(entry.from) && entry.from !== entry.to;
  const trail = [...(entry.history ?? []).map(change(state)), ...rulingOn(entry)];
  return html("li.entry", { id: `line-${entry.id}`, class: struck ? "entry struck" : "entry" },
    html("span.line-number", entry.id),
    html("span.stands", ...(Number.isInteger(entry.lane) ? [markOf(entry.lane)] : [])),
    html("p.what-line", html(struck ? "s" : "b", ...words.marked(words.line(state, entry), entry)), ...(words.fate(entry) ? [" ", html("span.fate", words.fate(entry))] : [])),
    html("p.moved", moved ? `${entry.from} → ${entry.to}` : ""),
    html("p.door", doorAndTime(entry)),
    html("ul.trail", ...trail),
    ...(act ? [act(entry)] : []));
}

/** A corrected name: no line of the sheet, but an event of the game or of another one of its match. */
const renaming = (game, { seat, from, to, ...mark }) =>
  html("li.entry.renaming",
    html("span.line-number"), html("span.stands", markOf(game.lanes[seat])),
    html("p.what-line", html("b", nameCorrected({ from, to }))),
    html("p.moved"), html("p.door", doorAndTime(mark)), html("ul.trail"));

const nameCorrected = ({ from, to }) => t("history.renamed", { former: words.fencedIn(from), name: words.fencedIn(to) });

/** Those made after a line, newest first. */
const renamingsAfter = (game, id) => game.renamings.filter(({ after }) => after === id).reverse().map((one) => renaming(game, one));

/** Fill the list; `act(entry)` makes the key beside a line, where there is one. */
export function fillEntries(list, game, act) {
  const state = asState(game);
  const deals = dealOfEach(game);
  let deal = null;
  list.replaceChildren(...game.entries.flatMap((entry) => {
    const heading = deals.get(entry.id) === deal ? [] : [html("li.of-deal", html("h3", t("history.deal_n", { deal: deals.get(entry.id) })))];
    deal = deals.get(entry.id);
    return [...heading, ...renamingsAfter(game, entry.id), row(game, state, entry, act)];
  }), ...renamingsAfter(game, "0"));
}

/** What has been put right, a sentence each, oldest first: it stands under the score sheet. */
export function notes(game) {
  const state = asState(game);
  const deals = dealOfEach(game);
  return [...game.entries].reverse().flatMap((entry) => {
    const deal = deals.get(entry.id);
    const amended = correction(entry) && entry.history?.findLast(({ did }) => did === "amend");
    if (amended) {
      const { was, now } = correction(entry);
      return [t("history.note_amended", { deal, line: words.line(state, entry), was, now, door: doorAndTime(amended) })];
    }
    if (!isRuling(entry) || !entry.stands) return [];
    return [t("history.note_ruling", { deal, line: words.line(state, entry), door: doorAndTime(entry) })];
  }).concat(game.renamings.map((one) => t("history.note_renamed", { said: nameCorrected(one), door: doorAndTime(one) })));
}

/** Points without a reason, said where the sheet shows them. */
export function unknownNote(game) {
  const points = game.deals_played.reduce((sum, { lanes }) => sum + lanes.reduce((all, { unknown }) => all + unknown, 0), 0);
  return points ? [t("history.note_unknown", { n: points })] : [];
}
