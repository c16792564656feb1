// The sheet behind More: the rarer points, penalties, the deal, who holds the phone, and the way to every other page.

import { html, refuse, write } from "../lib/dom.js";
import { rise } from "../lib/dialog.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

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

/** Where the deal stands and who deals it, for windows in which the hint has no room for that. */
function courseKeys({ seats, dealer, game }, closed, state) {
  if (seats.length === 1 || game.phase === "cut") return [];
  const stages = ["play", "show"].map((stage) => html("button.key.spare", { value: "stage", "data-stage": stage }, t(`words.stage_${stage}`)));
  const others = seats.map((_, seat) => seat).filter((seat) => seat !== dealer);
  const dealers = others.map((seat) => html("button.key.spare", { value: "dealer", "data-dealer": seat }, words.deals(state, seat)));
  for (const key of [...stages, ...dealers]) refuse(key, closed);
  return [...stages, ...dealers];
}

/** What faults cost: the usual misdeal of the dealer, where the rules give it points, and any other penalty. */
function faultKeys(state, closed) {
  const { rules: { misdeal } } = state.game;
  const lane = state.dealer === null ? null : state.seats[state.dealer].lane;
  const awarded = misdeal && lane !== null ? state.lanes.map((_, i) => i).filter((i) => i !== lane) : [];
  const keys = [...awarded.map((one) => misdealKey(state, one, misdeal)), html("button.key", { value: "penalty" }, t("pad.penalty"))];
  for (const key of keys) refuse(key, closed);
  return keys;
}

function misdealKey(state, lane, points) {
  const seat = state.seats.findIndex((one) => one.lane === lane);
  return html("button.key", { value: "misdeal", "data-seat": seat }, t("pad.misdeal", { name: words.laneCalled(state, lane), points }));
}

/** `chosen` has `points(key)` and one function for each other key's value; `more` lists further keys of the page. */
export function openMore(here, state, { title, closed, deals = null, more = [] }, chosen) {
  write(here("more-title"), title);
  write(here("more-reason"), closed ?? "");
  for (const key of here("more-points").querySelectorAll("[data-points]")) refuse(key, closed);
  here("more-deal").replaceChildren(...dealKeys(state, closed ?? deals), ...courseKeys(state, closed ?? deals, state), ...faultKeys(state, closed ?? deals));
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
