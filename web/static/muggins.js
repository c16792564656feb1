// The sheet for muggins: what was claimed, what was truly missed, and who scores it.

import { byId, html, say, set } from "./element.js";
import { mark } from "./pegs.js";
import { rise } from "./sheets.js";
import { refuse } from "./strip.js";
import * as words from "./words.js";

const MOST = 29;
const LEAST = { claimed: 1, missed: 0 };
const USUAL = 2; // points that are missed most often

let call = null; // {state, callers, claimed, missed}

/** Open it for the seats of which one calls; `then` takes the fields of the command. */
export function openMuggins(state, callers, then) {
  call = { state, callers, claimed: USUAL, missed: USUAL };
  say("muggins-title", words.calls(state, callers));
  show("claimed");
  rise(byId("muggins-sheet"), "close", (value, key) => {
    if (value !== "peg") return;
    const { claimed, missed } = call;
    const { seat, opponent } = key.dataset;
    then({ seat: Number(seat), claimed, missed, opponent: opponent && Number(opponent) });
  });
}

/** In another game, or after the end, nothing is called any more. */
export function closeMuggins({ game }) {
  const sheet = byId("muggins-sheet");
  if (sheet.open && (game.over || game.id !== call.state.game.id)) sheet.close("close");
}

/** Missed follows claimed until it is chosen by itself. */
function step(which, by) {
  const together = which === "claimed" && call.missed === call.claimed;
  call[which] = Math.min(MOST, Math.max(LEAST[which], call[which] + by));
  if (together) call.missed = call.claimed;
  show(which);
}

/** Only the number that was stepped is read aloud. */
function show(stepped) {
  say("muggins-reason", "");
  for (const which of ["claimed", "missed"]) {
    set(byId(which), "aria-live", which === stepped ? "polite" : "off");
    say(which, `${call[which]}`);
  }
  for (const key of byId("muggins-sheet").querySelectorAll("[data-step]")) {
    const end = Number(key.dataset.step) > 0 ? MOST : LEAST[key.dataset.of];
    refuse(key, call[key.dataset.of] === end ? words.noFurther(end) : null);
  }
  byId("muggins-awards").replaceChildren(...awards());
}

/** A key for each who may have called, and each opponent whom a wrong call may award. */
function awards() {
  const { state, callers, claimed, missed } = call;
  const own = state.seats[callers[0]].lane;
  if (missed) return callers.map((seat) => award(seat, own, Math.min(claimed, missed)));
  const others = state.lanes.map((_, lane) => lane).filter((lane) => lane !== own);
  const opponent = (lane) => state.seats.findIndex((one) => one.lane === lane);
  return callers.flatMap((seat) => others.map((lane) => award(seat, lane, claimed, opponent(lane))));
}

function award(seat, lane, points, opponent = null) {
  const { front } = call.state.lanes[lane];
  const to = Math.min(front + points, call.state.game.game_hole);
  const caller = call.callers.length > 1 ? seat : null;
  return html("button.key.wide", { value: "peg", "data-seat": seat, "data-opponent": opponent }, mark(lane),
    html("b", words.callPegs(call.state, call, lane, points, caller)), html("span", `${front} → ${to}`));
}

byId("muggins-sheet").addEventListener("click", (event) => {
  const key = event.target.closest("[data-step]");
  if (key?.dataset.reason) say("muggins-reason", key.dataset.reason);
  else if (key) step(key.dataset.of, Number(key.dataset.step));
});
