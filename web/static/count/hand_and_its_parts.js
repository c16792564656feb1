// Hand counter: the cards of the hand, the parts of its count, and whose hand is next.

import { byId, capitalize, html, set, t } from "../lib/browser.js";
import { entryText, nameWidth, shortName } from "../words/state.js";
import { cardChip, PER_RANK, rankName } from "./shared_by_count_and_play.js";

export const STARTER = 4;

export class Hand {
  #slots = [null, null, null, null, null];
  #typed = []; // the places in the order they were filled
  #changing = null;
  #alone = false;
  #size = STARTER;

  /** How many cards the hand has without the starter. */
  get size() {
    return this.#size;
  }

  set size(size) {
    this.#size = size;
    for (let place = size; place < STARTER; place += 1) this.#take(place);
  }

  /** Whether a card belongs at this place. */
  has(place) {
    return place < this.#size || (place === STARTER && !this.#alone);
  }

  /** Whether four cards are counted without a starter. */
  get alone() {
    return this.#alone;
  }

  set alone(alone) {
    this.#alone = alone;
    if (alone) this.#take(STARTER);
  }

  get slots() {
    return this.#slots;
  }

  /** The place whose card the next rank replaces, or null. */
  get changing() {
    return this.#changing;
  }

  /** The place that the next rank fills, or null. */
  get next() {
    if (this.#changing !== null) return this.#changing;
    const empty = this.#slots.findIndex((rank, place) => rank === null && this.has(place));
    return empty < 0 ? null : empty;
  }

  get complete() {
    return this.missingCards === 0;
  }

  /** How many cards are still missing. */
  get missingCards() {
    return this.#slots.filter((rank, place) => rank === null && this.has(place)).length;
  }

  /** Whether any card of the hand itself is entered. */
  get hasCards() {
    return this.#slots.slice(0, STARTER).some(Boolean);
  }

  get ranks() {
    return this.#slots.slice(0, this.#size);
  }

  get starter() {
    return this.#slots[STARTER];
  }

  many(rank) {
    return this.#slots.filter((one) => one === rank).length;
  }

  /** Why a rank cannot be entered now: "full", "all_four", or null. */
  whyClosed(rank) {
    if (this.next === null) return "full";
    const others = this.#slots.filter((one, place) => one === rank && place !== this.#changing).length;
    return others === PER_RANK ? "all_four" : null;
  }

  put(rank) {
    const place = this.next;
    this.#slots[place] = rank;
    if (this.#changing === null) this.#typed.push(place);
    this.#changing = null;
  }

  /** Mark the card of this place for replacement, or unmark it. */
  change(place) {
    this.#changing = this.#changing === place || this.#slots[place] === null ? null : place;
  }

  /** Remove the newest card, or the one marked for replacement. */
  back() {
    const place = this.#changing ?? this.#typed.at(-1);
    if (place !== undefined) this.#take(place);
  }

  clear({ keep = false } = {}) {
    const { starter } = this;
    this.#slots = [null, null, null, null, null];
    this.#typed = [];
    this.#changing = null;
    if (keep && starter) this.#fill(STARTER, starter);
  }

  #fill(place, rank) {
    this.#slots[place] = rank;
    this.#typed.push(place);
  }

  #take(place) {
    if (this.#slots[place] === null) return;
    this.#slots[place] = null;
    this.#typed = this.#typed.filter((one) => one !== place);
    this.#changing = null;
  }

  /** The contents to save, and to restore from. */
  get contents() {
    return { slots: this.#slots, typed: this.#typed };
  }

  set contents({ slots, typed }) {
    this.#slots = slots;
    this.#typed = typed;
  }
}

// --- the parts of a count ---

const MOST = 5; // parts with a row each; if there are more, those of a kind share one

const NUMBERS = t("count.numbers").split(" ");

const numberWord = (number) => NUMBERS[number];

const partKey = (kind) => `count.say_${kind.replaceAll(/[ -]/gu, "_")}`;

/** "fifteen two", "a run of three is seven" */
function partPhrase(part, alone) {
  if (part.kind === "nobs" && alone) return t("count.say_nobs_only");
  return t(partKey(part.kind), { total: numberWord(part.total), cards: numberWord(part.cards.length) });
}

const isAlike = (one, other) => one.kind === other.kind && (one.kind === "fifteen" || one.cards.length === other.cards.length);

/** The places of the parts that share a row: one each, or all of a kind if there are too many. */
function groupParts(parts) {
  if (parts.length <= MOST) return parts.map((_, i) => [i]);
  const groups = [];
  for (const [i, part] of parts.entries()) {
    if (groups.length && isAlike(parts[groups.at(-1)[0]], part)) groups.at(-1).push(i);
    else groups.push([i]);
  }
  return groups;
}

/** The last part, if it follows others and is not a fifteen, begins with "and". */
const withAnd = (said, part, isLast, others) => (isLast && others && part.kind !== "fifteen" ? t("count.and", { said }) : said);

/** Every part as spoken separately; `zero` if nothing scores. */
export function spokenParts(parts, zero) {
  const last = parts.length - 1;
  const said = parts.map((part, i) => withAnd(partPhrase(part, !last), part, i === last, last > 0));
  return said.length ? said : [zero];
}

export class PartList {
  #node = byId("lines");
  #chosen;
  #groups = [];
  #parts = [];
  #built = "";

  /** `chosen(part)` gets the place of the part whose row was touched, or null if it was already lit. */
  constructor(chosen) {
    this.#chosen = chosen;
    this.#node.addEventListener("click", (event) => {
      const line = event.target.closest("button");
      if (line) this.#touch(Number(line.dataset.group));
    });
    this.#node.addEventListener("keydown", (event) => this.#arrow(event));
  }

  /** Draw the parts of a hand of these ranks; `lit` is the part that is lit, or null. */
  show(parts, ranks, lit) {
    const built = JSON.stringify([parts, ranks]);
    if (built !== this.#built) this.#build(parts, ranks);
    this.#built = built;
    for (const [g, line] of [...this.#node.querySelectorAll("button")].entries()) {
      const on = this.#groups[g].includes(lit);
      set(line, "aria-pressed", on ? "true" : "false");
      if (on) line.scrollIntoView({ block: "nearest" });
      for (const word of line.querySelectorAll("[data-part]")) word.classList.toggle("lit", Number(word.dataset.part) === lit);
      if (on) this.#chips(line, parts[lit], ranks);
    }
  }

  #build(parts, ranks) {
    this.#parts = parts;
    this.#groups = groupParts(parts);
    this.#node.replaceChildren(...this.#groups.map((group, g) => html("li", this.#line(group, g, ranks))));
  }

  /** "fifteen two, four, six": the first part in full, then the totals of the others. */
  #line(group, g, ranks) {
    const first = this.#parts[group[0]];
    const opening = withAnd(partPhrase(first, this.#parts.length === 1), first, g === this.#groups.length - 1, g > 0);
    const words = group.map((i, at) => html("span", { "data-part": i }, at ? numberWord(this.#parts[i].total) : opening));
    const said = html("span.said.sentence", ...words.flatMap((word, at) => (at ? [", ", word] : [word])));
    const total = html("b.total", `${this.#parts[group.at(-1)].total}`);
    const line = html("button.line", { type: "button", "data-group": g, "aria-pressed": "false" }, said, html("span.chips"), total);
    this.#chips(line, first, ranks);
    return line;
  }

  #chips(line, part, ranks) {
    line.querySelector(".chips").replaceChildren(...part.cards.map((place) => cardChip(ranks[place])));
  }

  /** Touching a row of several parts shows one after the other, then none. */
  #touch(g) {
    const group = this.#groups[g];
    const lit = group.findIndex((i) => this.#node.querySelector(`[data-part="${i}"]`).classList.contains("lit"));
    this.#chosen(lit + 1 < group.length ? group[lit + 1] : null);
  }

  #arrow(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const lines = [...this.#node.querySelectorAll("button")];
    const to = lines[lines.indexOf(event.target.closest("button")) + step];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }
}

// --- whose hand is next, and how it is said ---

/** Whose cards are counted next: the hand whose turn it is, the dealer's crib, or pone's hand during the play. */
export function dueHand({ game, dealer, seats }) {
  if (game.phase === "hand" && game.to_count !== null) return { seat: game.to_count, crib: false };
  if (game.phase === "crib" && dealer !== null) return { seat: dealer, crib: true };
  return { seat: dealer === null ? 0 : (dealer + 1) % seats.length, crib: false };
}

/** Whether these cards of this deal are already on the score sheet: the show goes from pone to the dealer's crib. */
export function isPegged({ game, dealer, seats }, { seat, crib }) {
  if (crib || dealer === null) return false;
  const turn = (one) => (one - dealer - 1 + seats.length) % seats.length;
  if (game.phase === "crib") return true;
  return game.phase === "hand" && game.to_count !== null && turn(seat) < turn(game.to_count);
}

const LONGEST = 12; // letters of a name beside the points

const shorten = (name) => (nameWidth(name) > LONGEST ? `${[...name].slice(0, LONGEST - 1).join("")}…` : name);

const PLACES = ["first", "second", "third", "fourth", "starter"];

export const countTexts = {
  /** "six, the starter, counts" */
  card(rank, place, counts) {
    const where = t(`count.place_${PLACES[place]}`);
    if (!rank) return t("count.empty", { where });
    return [rankName(rank), ...(place === STARTER ? [where] : []), ...(counts ? [t("count.counts")] : [])].join(", ");
  },

  key: (name, many) => (many ? t("count.key_there", { card: name, many }) : name),

  closedText: (what, { code }, card) => t(`count.${what}_${code}`, { card }),

  cribFlush: (card) => t("count.crib_flush", { card: capitalize(card) }),

  pegs: (name, crib, { from, to }) =>
    t(`count.${crib ? "crib" : "hand"}_${from === to ? "stays" : "moves"}`, { name: shorten(name), from, to }),

  already: (name, crib) => t(crib ? "count.already_crib" : "count.already_hand", { name }),

  /** The question before a pegged count is undone. */
  takeBack(state, line) {
    const { front } = state.lanes[line.lane];
    return {
      lane: line.lane,
      title: t("pad.take_back_it", { line: entryText(state, line) }),
      since: "",
      ask: t("count.take_back_ask"),
      no: [t("pad.keep"), t("pad.stays")],
      yes: [t("pad.take"), t("pad.from_to", { from: front, to: front - (line.to - line.from) })],
    };
  },

  /** The question before pegging a hand that is already on the score sheet. */
  again: (state, { seat, crib, to }) => {
    const { lane, name } = { lane: state.seats[seat].lane, name: shortName(state, seat) };
    return {
      lane,
      title: countTexts.already(name, crib),
      since: "",
      ask: t("count.again_ask"),
      no: [t("count.again_no"), t("pad.stays")],
      yes: [t("count.again_yes"), t("pad.from_to", { from: state.lanes[lane].front, to })],
    };
  },

  /** "12: fifteen two, fifteen four, ..." */
  announced: (points, said) => `${points}: ${said.join(", ")}`,
};
