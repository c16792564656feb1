// The corrections and rulings there are: who may ask for each, on what, and what it needs to know.

import { html } from "../lib/dom.js";
import { faultAwards, faultCalled } from "../words/faults.js";
import { asState } from "../words/games.js";
import { reasonsFor } from "../words/entries.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const MOST_AT_ONCE = 29;
const FALSE_CLAIM = 15; // holes that a false claim costs, and the usual backward penalty
const LONGEST_NOTE = 80; // letters
const FORGET = "none";

const hasPoints = ({ do: what }) => what === "score" || what === "penalty";

const lanesOf = (game) => game.fronts.length;

/** Why nothing can be asked of a line that is under a ruling or taken back; null where it can. */
function bound(entry, stands = true) {
  if (entry.ruled_by) return t("history.closed_ruled", { line: entry.id, ruling: entry.ruled_by });
  if (entry.stands === stands) return null;
  return t(stands ? "history.closed_taken_back" : "history.closed_stands", { line: entry.id });
}

const scored = (entry) => (hasPoints(entry) ? null : t("history.closed_no_points", { line: entry.id }));

const wonWith = (game, entry) =>
  entry.counts && entry.to === game.game_hole && entry.from < entry.to ? null : t("history.closed_no_end", { line: entry.id });

const newest = (game, entry) => (game.entries[0]?.id === entry.id ? t("history.closed_newest") : null);

/** Why nothing new can be entered; null where it can. */
function course(game) {
  if (!game.running) return t("history.closed_finished");
  return game.over ? t("history.closed_over") : null;
}

const opponents = (game) => (lanesOf(game) < 2 ? t("history.closed_alone") : null);

const mostOf = (game, entry) => (entry.do === "penalty" ? game.game_hole : MOST_AT_ONCE);

const points = (label, min, max, value) => ({ kind: "number", name: "points", label, min, max, value });

/** Whose points they are: this player's as it is, or one's of another lane. */
const whose = (game, entry) => {
  if (entry.do !== "score" || lanesOf(game) < 2) return [];
  const state = asState(game);
  const own = entry.seat === null ? words.laneCalled(state, entry.lane) : words.called(state, entry.seat);
  const others = game.players.map((_, i) => i).filter((i) => game.lanes[i] !== entry.lane);
  return [{ kind: "choice", name: "seat", label: t("history.whose_points"), spoken: true, choices: [["", own], ...others.map((i) => [`${i}`, words.called(state, i)])] }];
};

/** What they are for: as it is, another reason, or that nobody has said it. */
const reasons = (entry) => {
  const others = entry.do === "score" ? reasonsFor(entry) : [];
  const called = (why) => [why ?? FORGET, t(why ? `words.why_${why}` : "pad.forget")];
  return others.length ? [{ kind: "choice", name: "why", label: t("history.what_for"), spoken: true, choices: [["", words.why(entry)], ...others.map(called)] }] : [];
};

/** Only what is to be another. */
const amended = (entry, { points: said, seat: who = "", why = "" }) => ({
  ...(said !== entry.points || !(who || why) ? { points: said } : {}),
  ...(who ? { seat: Number(who) } : {}),
  ...(why ? { why: why === FORGET ? null : why } : {}),
});

/** "8, hand, Bob" */
const amendedSaid = (game, entry, { points: said, seat: who = "", why = "" }) => ({
  points: [`${said}`, ...(why ? [t(why === FORGET ? "history.reason_unsaid" : `words.why_${why}`)] : []), ...(who ? [words.called(asState(game), Number(who))] : [])].join(", "),
});

const note = (required = false) => ({ kind: "text", name: "note", label: t(required ? "history.reason" : "history.reason_maybe"), required });

/** A choice of a seat; of an opponent only where there are several. */
const seat = (game, label, name = "seat") => ({
  kind: "choice", name, label: t(label),
  choices: game.players.map((_, i) => [i, words.called(asState(game), i)]),
});

const opponent = (game, lane, label = "history.opponent") => {
  if (lanesOf(game) < 3) return [];
  const asked = seat(game, label, "opponent");
  return [{ ...asked, choices: asked.choices.filter(([i]) => game.lanes[i] !== lane) }];
};

/** Whether an opponent is named in a call of muggins; of a right one the caller is none. */
const named = (game, { seat: caller, missed }, other) => other !== undefined && !(missed && game.lanes[other] === game.lanes[caller]);

const chip = (label, values, closed = null) => ({ label, values, closed });

/** The usual penalties by the rules of this table. */
const penalties = ({ rules }) => rules.penalties.map(({ fault, points }) =>
  chip(faultAwards({ fault, points }), { points, note: faultCalled(fault) }, points ? null : t("history.misdeal_free")));

const noteChips = (...keys) => keys.map((key) => chip(t(key), { note: t(key) }));

/**
 * Each by its name: `of` a line or the table, whether only a director asks it, whether only a director does in a strict
 * game, why it is closed, what it asks, and its command.
 */
export const KINDS = {
  undo: {
    of: "line", strict: true,
    closed: (game, entry) => bound(entry),
    fields: () => [],
    command: (game, entry) => ({ do: "undo", entry: entry.id }),
  },
  redo: {
    of: "line", strict: true,
    closed: (game, entry) => bound(entry, false),
    fields: () => [],
    command: (game, entry) => ({ do: "redo", entry: entry.id }),
  },
  amend: {
    of: "line", strict: true,
    closed: (game, entry) => scored(entry) ?? bound(entry),
    fields: (game, entry) => [points(t("history.points_now"), entry.do === "penalty" ? 1 : 0, mostOf(game, entry), entry.points), ...whose(game, entry), ...reasons(entry)],
    command: (game, entry, values) => ({ do: "amend", entry: entry.id, ...amended(entry, values), was: entry.points }),
    said: amendedSaid,
  },
  over_peg: {
    of: "line", strict: true,
    closed: (game, entry) => scored(entry) ?? bound(entry),
    fields: (game, entry) => [
      points(t("history.points_true"), 0, Math.max(0, entry.points - 1)),
      ...(game.rules.overpeg_award === "excess" ? opponent(game, entry.lane) : []),
    ],
    command: (game, entry, values) => ({ do: "over_peg", entry: entry.id, ...values, was: entry.points }),
  },
  false_claim: {
    of: "line", director: true,
    closed: (game, entry) => scored(entry) ?? bound(entry) ?? wonWith(game, entry),
    fields: (game, entry) => [points(t("history.points_true"), 0, mostOf(game, entry)), ...opponent(game, entry.lane)],
    command: (game, entry, values) => ({ do: "false_claim", entry: entry.id, ...values, was: entry.points }),
  },
  retract: {
    of: "line", director: true,
    closed: (game, entry) => bound(entry) ?? newest(game, entry),
    fields: () => [note()],
    presets: () => noteChips("history.renege", "history.wrong_count"),
    command: (game, entry, values) => ({ do: "retract", to: entry.id, ...values, base: game.revision }),
  },
  penalty: {
    of: "table",
    closed: (game) => opponents(game) ?? course(game),
    fields: (game) => [seat(game, "history.who_is_awarded"), points(t("history.points"), 1, game.game_hole), note()],
    presets: penalties,
    command: (game, entry, values) => ({ do: "penalty", ...values, base: game.revisions[game.lanes[values.seat]] }),
  },
  muggins: {
    of: "table",
    closed: (game) => opponents(game) ?? (game.rules.muggins ? course(game) : words.noMuggins),
    fields: (game) => [
      seat(game, "history.who_calls"),
      { kind: "number", name: "claimed", label: t("history.claimed"), min: 1, max: MOST_AT_ONCE },
      { kind: "number", name: "missed", label: t("history.missed"), min: 0, max: MOST_AT_ONCE },
      ...opponent(game, null, "history.opponent_missed"),
    ],
    command: (game, entry, { opponent: awarded, ...values }) =>
      ({ do: "muggins", ...values, ...(named(game, values, awarded) ? { opponent: awarded } : {}), base: game.revision }),
  },
  peg_back: {
    of: "table", director: true,
    closed: () => null,
    fields: (game) => [seat(game, "history.whose_peg"), { kind: "number", name: "holes", label: t("history.holes"), min: 1, max: game.game_hole }, note()],
    presets: () => [chip(t("history.preset_back", { holes: FALSE_CLAIM }), { holes: FALSE_CLAIM })],
    command: (game, entry, values) => ({ do: "peg_back", ...values, base: game.revisions[game.lanes[values.seat]] }),
  },
  set_pegs: {
    of: "table", director: true,
    closed: () => null,
    fields: (game) => [
      seat(game, "history.whose_pegs"),
      { kind: "number", name: "front", label: t("history.front"), min: 0, max: game.game_hole },
      { kind: "number", name: "rear", label: t("history.rear"), min: 0, max: game.game_hole },
      note(true),
    ],
    presets: () => noteChips("history.pegs_fell"),
    command: (game, entry, values) => ({ do: "set_pegs", ...values, base: game.revisions[game.lanes[values.seat]] }),
  },
  restart: {
    of: "table", director: true,
    closed: (game) => (game.entries.length ? null : t("history.closed_empty")),
    fields: () => [note()],
    command: (game, entry, values) => ({ do: "retract", to: "0", ...values, base: game.revision }),
  },
  abandon: {
    of: "table",
    closed: (game) => (game.running ? null : t("history.closed_finished")),
    fields: () => [note()],
    command: (game, entry, values) => ({ do: "abandon", ...values, base: game.revision }),
  },
};

/** Why a correction is closed to this device or this game; null where it can be asked. */
export function closed(kind, game, entry, directs) {
  const { of, director, strict, closed: reason } = KINDS[kind];
  if (of === "line" && !entry) return t("history.closed_empty");
  const why = reason(game, entry);
  if (why || directs) return why;
  if (director) return t("history.closed_director");
  return strict && game.rules.strict ? t("history.closed_strict") : null;
}

/** A ruling can name only what is known to it; which corrections a line or the table has. */
export const kindsOf = (of) => Object.keys(KINDS).filter((kind) => KINDS[kind].of === of);

// --- the fields of a form ---

const inputs = {
  number: ({ name, min, max, value }) => html("input", { name, type: "number", inputmode: "numeric", min, max, step: 1, value: value === undefined ? null : value, autocomplete: "off" }),
  text: ({ name }) => html("input", { name, type: "text", maxlength: LONGEST_NOTE, autocomplete: "off", dir: "auto" }),
};

const choice = ({ name, label, choices }) =>
  html("fieldset.choice", html("legend", label), ...choices.map(([value, text], i) =>
    html("label.key", html("input", { type: "radio", name, value, checked: i === 0 }), html("bdi", text))));

export const fieldNode = (field) =>
  field.kind === "choice" ? choice(field) : html("label.field", html("span", field.label), inputs[field.kind](field));

/** What a form says, or {wrong: sentence, name} where something of it is missing or cannot be. */
export function valuesOf(form, fields) {
  const values = {};
  for (const { kind, name, label, min, max, required, spoken } of fields) {
    const text = form.elements[name].value.trim();
    if (kind === "number" && !(/^\d+$/u.test(text) && Number(text) >= min && Number(text) <= max)) {
      return { wrong: min === max ? t("history.give_only", { label, min }) : t("history.give_number", { label, min, max }), name };
    }
    if (required && !text) return { wrong: t("history.give_reason"), name };
    if (spoken) values[name] = text;
    else if (kind === "text") Object.assign(values, text ? { [name]: text } : {});
    else values[name] = Number(text);
  }
  return { values };
}

/** The line of a select: "12: Ann +12, hand" */
export const lineSaid = (game, entry) => [`${entry.id}: ${words.line(asState(game), entry)}`, words.fate(entry)].filter(Boolean).join(", ");
