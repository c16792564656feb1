// The sheet behind More: the rarer points, penalties, the deal, who holds the phone, and the way to every other page.

import { html, write } from "./element.js";
import { rise } from "./sheets.js";
import { refuse } from "./strip.js";
import { t } from "./text.js";
import * as words from "./words.js";

/** Before the first card and in an unknown phase the dealer is chosen; else the deal goes round. */
function dealKeys(state, closed) {
  const { seats, dealer, game } = state;
  if (game.phase === "cut" || game.phase === "unknown") return seats.map((_, seat) => dealerKey(state, seat, closed));
  const next = words.deals(state, (dealer + 1) % seats.length);
  const key = html("button.key.wide", { value: "deal" }, html("b", t("pad.next_deal")), html("span", next));
  refuse(key, closed);
  return [key];
}

function dealerKey(state, seat, closed) {
  const key = html("button.key", { value: "deal", "data-dealer": seat }, words.deals(state, seat));
  const deals = state.game.phase === "cut" && seat === state.dealer;
  refuse(key, closed ?? (deals ? words.alreadyDeals(state, seat) : null));
  return key;
}

/** What faults cost: the usual misdeal, where the rules give it points, and any other penalty. */
function faultKeys(state, closed) {
  const { misdeal } = state.game.rules;
  const alone = state.lanes.length === 1;
  const usual = misdeal && !alone && state.dealer !== null ? [misdealKey(state, misdeal)] : [];
  const keys = [...usual, html("button.key", { value: "penalty" }, t("pad.penalty"))];
  for (const key of keys) refuse(key, closed);
  return keys;
}

/** The dealer's fault; with three lanes who is awarded is chosen on the sheet for penalties. */
function misdealKey(state, points) {
  const others = state.seats.map((_, seat) => seat).filter((seat) => state.seats[seat].lane !== state.seats[state.dealer].lane);
  const name = words.called(state, others[0]);
  return html("button.key", { value: "misdeal", "data-seat": others[0] }, t("pad.misdeal", { name, points }));
}

/** `chosen` has `points(key)` and one function for each other key's value; `more` lists further keys of the page. */
export function openMore(here, state, { title, closed, deals = null, more = [] }, chosen) {
  write(here("more-title"), title);
  write(here("more-reason"), closed ?? "");
  for (const key of here("more-points").querySelectorAll("[data-points]")) refuse(key, closed);
  here("more-deal").replaceChildren(...dealKeys(state, closed ?? deals), ...faultKeys(state, closed ?? deals));
  here("more-also").replaceChildren(...more);
  rise(here("more-sheet"), "close", (value, key) => chosen[value]?.(key));
}

/** A key that says why it does nothing keeps its sheet open: `sheet` writes the reason into its own line. */
export function explainIn(sheet) {
  sheet.addEventListener("click", (event) => {
    const reason = event.target.closest("button")?.dataset.reason;
    if (!reason) return;
    event.preventDefault();
    event.stopPropagation();
    const line = sheet.querySelector(".reason");
    if (line) write(line, reason);
  }, true);
}
