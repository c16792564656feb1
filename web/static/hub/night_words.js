// Shared texts of the event pages: hub messages, names, amounts of money, times, states of games.

import { capitalize, language, t, translate } from "../lib/browser.js";

/** A message of the hub in the reader's language; its numbers have a true minus. */
export const say = (message) => (message ? translate(message, message.text).replace(/(^|[\s(])-(?=\d)/gu, "$1−") : "");

/** The same as a sentence of its own. */
export const sentence = (message) => capitalize(say(message));

/** Why an action is not possible, or null if it is. */
export const whyNot = (action) => (action && !action.possible ? sentence(action.why) : null);

export const linkWords = { waiting: t("hub.connecting"), live: t("hub.live"), lost: t("hub.lost") };

const CENTS = 100;

/** Cents in a currency: "$10", "10,50 €". */
export function money(cents, currency) {
  const format = { style: "currency", currency, minimumFractionDigits: cents % CENTS ? 2 : 0 };
  return new Intl.NumberFormat(language, format).format(cents / CENTS);
}

/** A number with its sign, with a true minus: "+12", "−12", "0". */
export const withSign = (number) => (number > 0 ? `+${number}` : `${number}`.replace("-", "−"));

export const clockText = (ms) => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(ms);

/** A date such as "2026-11-26" as text: "Thursday 26 November 2026". */
export function dayText(date) {
  const day = new Date(`${date}T12:00:00`);
  return Number.isNaN(day.getTime()) ? date : new Intl.DateTimeFormat(language, { dateStyle: "full" }).format(day);
}

const MINUTE = 60_000; // ms
const HOUR = 60 * MINUTE;

/** How long ago: "just now", "4 min ago", "2 h ago". */
export function agoText(ms) {
  if (ms < MINUTE) return t("hub.just_now");
  return ms < 2 * HOUR ? t("hub.minutes", { n: Math.floor(ms / MINUTE) }) : t("hub.hours", { n: Math.floor(ms / HOUR) });
}

/** The caller and who is called: "Table 4 is calling a judge", or by name without a table. */
export const callText = ({ name, label, for: whom }) => (name ? t(`hub.call_${whom}_of`, { name }) : t(`hub.call_${whom}`, { table: label }));

/** The states of a game in words. */
export const stateWord = (state) => t(`hub.state_${state}`);

/** Whether a game can still get a result. */
export const isOpen = ({ values, state }) => values.includes(null) && state !== "void";

/** A card's result: "won by 12", "lost by 12". */
export function claimText(claim) {
  if (!claim) return t("hub.claim_none");
  if (claim.margin === null) return t(claim.won ? "hub.claim_won_blank" : "hub.claim_lost_blank");
  return t(claim.won ? "hub.claim_won" : "hub.claim_lost", { margin: claim.margin });
}

/** "2 points, +12" of an adjudicated value. */
export const valueText = ({ points, net }) => t("hub.value", { points, net: withSign(net), n: points });

/** A player's score at the board, whose seats may be swapped, or which two others may still be using. */
export function liveScore(view, { players }, seat, live) {
  const { players: names = [], scores = [] } = live?.state ?? {};
  const own = players.map((player) => view.names[player]);
  const known = new Set(Object.values(view.names));
  if (names.some((name) => known.has(name) && !own.includes(name))) return "";
  const turned = own[0] !== own[1] && names[0] === own[1] && names[1] === own[0];
  return scores[turned ? 1 - seat : seat] ?? "";
}

/** The name of a win by this many holes under the event's rules, "A double skunk"; "" for a plain one. */
export function skunkText({ night: { rules: { points } } }, margin) {
  const skunks = points.lines.filter((line) => points.game_hole - margin <= line).length;
  return skunks ? t(`hub.win_${points.lurch ? "lurch" : skunks}`) : "";
}

/** A list of names with "and" before the last. */
export const listText = (names) => new Intl.ListFormat(language, { type: "conjunction" }).format(names);

/** Names in alphabetical order. */
export const byName = (one, other) => one.localeCompare(other, language, { sensitivity: "base", numeric: true });
