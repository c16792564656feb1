// The sheet behind More: the rarer points, the deal, and who holds the phone.

import { byId, html, say } from "./element.js";
import { rise } from "./sheets.js";
import { refuse } from "./strip.js";
import * as words from "./words.js";

/** Before the first card and in an unknown phase the dealer is chosen; else the deal goes round. */
function dealKeys(state) {
  const { seats, dealer, game } = state;
  if (game.phase === "cut" || game.phase === "unknown") return seats.map((_, seat) => dealerKey(state, seat));
  const next = words.deals(state, (dealer + 1) % seats.length);
  return [html("button.key.wide", { value: "deal" }, html("b", "Next deal"), html("span", next))];
}

function dealerKey(state, seat) {
  const key = html("button.key", { value: "deal", "data-dealer": seat }, words.deals(state, seat));
  if (state.game.phase === "cut" && seat === state.dealer) refuse(key, words.alreadyDeals(state, seat));
  return key;
}

/** `chosen` has `points(key)`, `muggins()`, `deal(seat or undefined)` and `holder()`. */
export function openMore(state, holder, chosen) {
  say("more-title", words.keysFor(state, holder.lane));
  say("more-reason", "");
  const whose = html("span", words.holder.is(state, holder.seat));
  byId("more-holder").replaceChildren(whose, html("b", words.holder.change));
  byId("more-deal").replaceChildren(...dealKeys(state));
  rise(byId("more-sheet"), "close", (value, key) => {
    if (value === "points") chosen.points(key);
    if (value === "muggins") chosen.muggins();
    if (value === "deal") chosen.deal(key.dataset.dealer && Number(key.dataset.dealer));
    if (value === "holder") chosen.holder();
  });
}

byId("more-sheet").addEventListener("click", (event) => {
  const reason = event.target.closest("button")?.dataset.reason;
  if (!reason) return;
  event.preventDefault();
  say("more-reason", reason);
}, true);
