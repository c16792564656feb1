// The sheet for a call of muggins: what was claimed, what was truly missed, and who scores it.

import { byId, html, write } from "./element.js";
import { mark } from "./pegs.js";
import { rise } from "./sheets.js";
import { refuse } from "./strip.js";
import * as words from "./words.js";

const MOST = 29;
const LEAST = { claimed: 1, missed: 0 };
const USUAL = 2; // points that are missed most often

let call = null; // {state, seat, claimed, missed}

/** Open it for the seat that calls; `then` takes the fields of the command. */
export function openMuggins(state, seat, then) {
  call = { state, seat, claimed: USUAL, missed: USUAL };
  write(byId("muggins-title"), words.calls(state, seat));
  show();
  rise(byId("muggins-sheet"), "close", (value, key) => {
    if (value !== "peg") return;
    const { claimed, missed } = call;
    const opponent = key.dataset.opponent === undefined ? {} : { opponent: Number(key.dataset.opponent) };
    then({ seat, claimed, missed, ...opponent });
  });
}

/** Missed follows claimed until it is chosen by itself. */
function step(which, by) {
  const together = which === "claimed" && call.missed === call.claimed;
  call[which] = Math.min(MOST, Math.max(LEAST[which], call[which] + by));
  if (together) call.missed = call.claimed;
  show();
}

function show() {
  for (const which of ["claimed", "missed"]) write(byId(which), `${call[which]}`);
  for (const key of byId("muggins-sheet").querySelectorAll("[data-step]")) {
    const end = Number(key.dataset.step) > 0 ? MOST : LEAST[key.dataset.of];
    refuse(key, call[key.dataset.of] === end ? words.noFurther(end) : null);
  }
  byId("muggins-awards").replaceChildren(...awards());
}

/** One key, or one for each opponent whom a wrong call may award. */
function awards() {
  const { state, seat, claimed, missed } = call;
  const own = state.seats[seat].lane;
  if (missed) return [award(own, Math.min(claimed, missed))];
  const others = state.lanes.map((_, lane) => lane).filter((lane) => lane !== own);
  return others.map((lane) => award(lane, claimed, state.seats.findIndex((one) => one.lane === lane)));
}

function award(lane, points, opponent = null) {
  const { front } = call.state.lanes[lane];
  const to = Math.min(front + points, call.state.game.game_hole);
  const named = opponent === null ? {} : { "data-opponent": opponent };
  return html("button", { class: "key wide", value: "peg", ...named }, mark(lane),
    html("b", {}, words.gains(call.state, lane, points)), html("span", {}, `${front} → ${to}`));
}

byId("muggins-sheet").addEventListener("click", (event) => {
  const key = event.target.closest("[data-step]");
  if (key && !key.dataset.reason) step(key.dataset.of, Number(key.dataset.step));
});
