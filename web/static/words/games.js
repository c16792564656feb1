// Texts of stored games: result, day, length; and the usual faults with their awards.

import { capitalize, language, t } from "../lib/browser.js";
import { frontsText, isolateNames, laneShortName, SURE } from "./state.js";

// --- corrections of earlier games ---

/**
 * Whether something has changed outside the lanes: each event increments the board's revision, and that of a lane only
 * if it concerns the lane, so a correction of an earlier game changes only the board's.
 */
export function isChangedElsewhere(state, before) {
  if (state.epoch !== before.epoch) return true;
  const lanes = state.lanes.map(({ revision }, lane) => revision - (before.lanes[lane]?.revision ?? 0));
  return state.revision - before.revision > Math.max(0, ...lanes);
}

const MINUTE = 60; // s

const SKUNKS = ["", "skunk", "double", "triple"];

/** A game of the API in the form of the table's state, for making sentences. */
export const asState = ({ players, lanes, fronts, skunks, winner, over, game_hole: gameHole, entries }) => ({
  entries,
  seats: players.map((name, seat) => ({ name, lane: lanes[seat] })),
  lanes: fronts.map((front, lane) => ({ front, skunks: skunks?.[lane] ?? 0 })),
  game: { winner, over, game_hole: gameHole },
});

const partners = (card, lane) => card.lanes.filter((one) => one === lane).length > 1;

const winnerValues = (card, lane) => ({ name: laneShortName(asState(card), lane), n: partners(card, lane) ? 2 : 1 });

/** "a skunk"; with several losers, whose: "a skunk against Bob" */
function skunkTexts(card) {
  const losers = card.fronts.map((_, lane) => lane).filter((lane) => lane !== card.winner && card.skunks[lane]);
  const skunkName = (lane) => t(`history.a_${card.lurch ? "lurch" : SKUNKS[Math.min(3, card.skunks[lane])]}`);
  if (card.fronts.length < 3) return losers.map(skunkName);
  return losers.map((lane) => t("history.skunk_for", { skunk: skunkName(lane), name: winnerValues(card, lane).name }));
}

/** Who leads and by how much the others trail, while nobody has won. */
function standingText(card) {
  const most = Math.max(...card.fronts);
  const first = card.fronts.indexOf(most);
  if (card.fronts.length === 1) return t("history.stands_at", { ...winnerValues(card, 0), hole: most });
  if (card.fronts.every((front) => front === most)) return t("history.level", { hole: most });
  return t("history.leads", { ...winnerValues(card, first), fronts: frontsFromText(card, first) });
}

const frontsFromText = (card, first) => frontsText(asState({ ...card, winner: first }));

/** "Ann won 121 to 88, a skunk", "Ann leads 69 to 57", "Abandoned at 30 to 20" */
export function gameResultText(card) {
  const { winner, fronts } = card;
  if (card.abandoned) return t("history.given_up", { fronts: frontsFromText(card, fronts.indexOf(Math.max(...fronts))) });
  if (!card.over) return standingText(card);
  if (winner === null) return t("history.fell_short", { ...winnerValues(card, 0), hole: fronts[0] });
  if (fronts.length === 1) return t("history.home_with", { ...winnerValues(card, 0), hole: fronts[0] });
  return [t("history.won", { ...winnerValues(card, winner), fronts: frontsFromText(card, winner) }), ...skunkTexts(card)].join(", ");
}

/** The lane whose peg is shown beside the result: the winner's or the leader's; null if there is none. */
export function leadingLane(card) {
  if (card.winner !== null || card.over) return card.winner;
  const most = Math.max(...card.fronts);
  return card.fronts.every((front) => front === most) ? null : card.fronts.indexOf(most);
}

const formatTime = (at, form) => new Date(at * 1000).toLocaleString(language, form);

export const clockTime = (at) => formatTime(at, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

export const dayText = (at) => formatTime(at, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

/** "Nov 18, 2026" */
export const shortDayText = (at) => formatTime(at, { day: "numeric", month: "short", year: "numeric" });

/** "Wednesday, November 18, 2026, 20:02 to 20:31" */
export function periodText({ started, ended, over, abandoned, running }) {
  const from = clockTime(started);
  const to = clockTime(ended ?? started);
  if (running && !over && !abandoned) return t("history.since", { day: dayText(started), from });
  return from === to ? t("history.at", { day: dayText(started), from }) : t("history.from_to", { day: dayText(started), from, to });
}

/** "29 min", "1 h 5 min"; "" if it lasted under a minute or is not over. */
function durationText({ started, ended, over }) {
  const minutes = over && ended ? Math.round((ended - started) / MINUTE) : 0;
  if (!minutes) return "";
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return hours ? t("history.hours", { hours, minutes: rest }) : t("history.minutes", { minutes });
}

/** "Cy played on for Ann" */
const substituteTexts = ({ players, substitutes = [] }) =>
  substitutes.map(({ seat, name }) => t("history.played_on", { name: isolateNames(name), former: isolateNames(players[seat]) }));

/** "9 deals", "short" and other facts about a game in a word; `rules` names its rules. */
export const factTexts = (card, rules) =>
  [...substituteTexts(card), durationText(card), t("history.deals", { n: card.deals }), rules].filter(Boolean);

/** The marks of a game: running or else unfinished, corrected, imported, abandoned, incomplete. */
export const marks = (card) =>
  [!card.over && !card.abandoned && (card.running ? "running" : "unfinished"), card.corrected && "corrected", card.imported && "imported", card.abandoned && "abandoned", card.incomplete && "incomplete"].filter(Boolean)
    .map((kind) => ({ kind, text: t(`history.mark_${kind}`) }));

export const percent = (part) => Math.round(100 * part);

/** "87 % sure", or nothing if it is sure enough. */
export const sureTexts = (part) => (part < SURE ? [t("history.sure", { n: percent(part) })] : []);

/** A number in the reader's format: 13.4, 13,4. */
export const formatFigure = (value, digits = 1) =>
  value === null ? t("history.none") : value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

// --- faults ---

/** "deal out of turn" */
export const faultName = (fault) => t(`faults.${fault}`);

/** "Deal out of turn: 2", "Wrong deck" */
export const faultAwardText = ({ fault, points }) => capitalize(points ? t("faults.awards", { fault: faultName(fault), points }) : faultName(fault));
