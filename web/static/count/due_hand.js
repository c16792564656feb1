// The show as the table plays it: whose hand is next, what has been pegged already, and how that is said.

import { called as cardCalled } from "./card.js";
import { STARTER } from "./hand.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

/** Whose cards are counted next: the hand that is due, the dealer's crib, or pone's hand while the deal is played. */
export function dueIn({ game, dealer, seats }) {
  if (game.phase === "hand" && game.to_count !== null) return { seat: game.to_count, crib: false };
  if (game.phase === "crib" && dealer !== null) return { seat: dealer, crib: true };
  return { seat: dealer === null ? 0 : (dealer + 1) % seats.length, crib: false };
}

/** Whether the sheet has these cards of this deal already: the show goes from pone round to the dealer's crib. */
export function isPegged({ game, dealer, seats }, { seat, crib }) {
  if (crib || dealer === null) return false;
  const turn = (one) => (one - dealer - 1 + seats.length) % seats.length;
  if (game.phase === "crib") return true;
  return game.phase === "hand" && game.to_count !== null && turn(seat) < turn(game.to_count);
}

const LONGEST = 12; // letters of a name beside the points

const shortened = (name) => (words.letters(name) > LONGEST ? `${[...name].slice(0, LONGEST - 1).join("")}…` : name);

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

const PLACES = ["first", "second", "third", "fourth", "starter"];

export const wordsFor = {
  /** "six, the starter, counts" */
  card(rank, place, counts) {
    const where = t(`count.place_${PLACES[place]}`);
    if (!rank) return t("count.empty", { where });
    return [cardCalled(rank), ...(place === STARTER ? [where] : []), ...(counts ? [t("count.counts")] : [])].join(", ");
  },

  key: (name, many) => (many ? t("count.key_there", { card: name, many }) : name),

  closed: (what, { code }, card) => t(`count.${what}_${code}`, { card }),

  cribFlush: (card) => t("count.crib_flush", { card: capital(card) }),

  pegs: (name, crib, { from, to }) =>
    t(`count.${crib ? "crib" : "hand"}_${from === to ? "stays" : "moves"}`, { name: shortened(name), from, to }),

  already: (name, crib) => t(crib ? "count.already_crib" : "count.already_hand", { name }),

  /** The question before a pegged count is taken back. */
  takeBack(state, line) {
    const { front } = state.lanes[line.lane];
    return {
      lane: line.lane,
      title: t("pad.take_back_it", { line: words.line(state, line) }),
      since: "",
      ask: t("count.take_back_ask"),
      no: [t("pad.keep"), t("pad.stays")],
      yes: [t("pad.take"), t("pad.from_to", { from: front, to: front - (line.to - line.from) })],
    };
  },

  /** The question before a hand is pegged that is on the sheet already. */
  again: (state, { seat, crib, to }) => {
    const { lane, name } = { lane: state.seats[seat].lane, name: words.called(state, seat) };
    return {
      lane,
      title: wordsFor.already(name, crib),
      since: "",
      ask: t("count.again_ask"),
      no: [t("count.again_no"), t("pad.stays")],
      yes: [t("count.again_yes"), t("pad.from_to", { from: state.lanes[lane].front, to })],
    };
  },

  /** "12: fifteen two, fifteen four, ..." */
  announced: (points, said) => `${points}: ${said.join(", ")}`,
};
