// How the play is said at the table.

import { called, theCard } from "../count/card.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const NUMBERS = t("count.numbers").split(" ");

const key = (kind) => `play.said_${kind.replaceAll(/[ -]/gu, "_")}`;

/** "fifteen two", "a run of three" */
const partSaid = ({ kind, points }) => t(key(kind), { points: NUMBERS[points] });

/** What a card has scored: "fifteen two, and a pair for two"; where nothing, its count. */
export function stepSaid({ parts, count, act }) {
  if (!parts.length) return act === "go" ? t("play.said_pass") : NUMBERS[count];
  const said = parts.map(partSaid);
  return said.length > 1 ? `${said.slice(0, -1).join(", ")}, ${t("count.and", { said: said.at(-1) })}` : said[0];
}

/** "Bob, ten: fifteen two" */
export const stepAloud = (state, step) =>
  t("play.aloud", { name: words.called(state, step.seat), card: cardOf(step), said: stepSaid(step) });

const cardOf = ({ act }) => (act === "go" ? t("play.go") : called(act));

/** "Bob +2" and whether that is on the board. */
export const gain = (state, { to, points }) => words.gains(state, state.seats[to].lane, points);

export const turn = (state, seat) => t("play.turn", { name: words.called(state, seat) });

/** Why a rank cannot be laid. */
export function closedRank({ rank, code }, { count }) {
  return t(`play.closed_${code}`, { card: capital(theCard(rank)), count: count + (VALUES[rank] ?? Number(rank)) });
}

const VALUES = { A: 1, J: 10, Q: 10, K: 10 };

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

export const held = (cards) => t("play.held", { n: cards });

/** The question before a card is taken back whose points are on the sheet. */
export function takeBackQuestion(state, step, line) {
  const { lane } = line;
  const { front } = state.lanes[lane];
  return {
    lane,
    title: t("play.take_back_it", { name: words.called(state, step.seat), card: cardOf(step) }),
    since: words.line(state, line),
    ask: t("play.take_back_ask"),
    no: [t("pad.keep"), t("pad.stays")],
    yes: [t("pad.take"), t("pad.from_to", { from: front, to: front - (line.to - line.from) })],
  };
}
