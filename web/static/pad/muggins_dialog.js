// The sheet for muggins: what was claimed, what was truly missed, and who scores it.

import { byId, html, refuse, set, write } from "../lib/dom.js";
import { mark } from "../board/pegs.js";
import { rise } from "../lib/dialog.js";
import * as words from "../words/words.js";

const MOST = 29;
const LEAST = { claimed: 1, missed: 0 };
const USUAL = 2; // points that are missed most often

const calls = new Map(); // each sheet's own: {here, state, callers, claimed, missed}

/** Open it for the seats of which one calls; `then` takes the fields of the command. */
export function openMuggins(state, callers, then, here = byId) {
  const sheet = here("muggins-sheet");
  if (!calls.has(sheet)) sheet.addEventListener("click", (event) => hear(calls.get(sheet), event));
  const call = { here, state, callers, claimed: USUAL, missed: USUAL };
  calls.set(sheet, call);
  write(here("muggins-title"), words.calls(state, callers));
  show(call, "claimed");
  rise(sheet, "close", (value, key) => {
    if (value !== "peg") return;
    const { seat, opponent } = key.dataset;
    then({ seat: Number(seat), claimed: call.claimed, missed: call.missed, opponent: opponent && Number(opponent) });
  });
}

function hear(call, event) {
  const key = event.target.closest("[data-step]");
  if (key?.dataset.reason) write(call.here("muggins-reason"), key.dataset.reason);
  else if (key) step(call, key.dataset.of, Number(key.dataset.step));
}

/** Missed follows claimed until it is chosen by itself. */
function step(call, which, by) {
  const together = which === "claimed" && call.missed === call.claimed;
  call[which] = Math.min(MOST, Math.max(LEAST[which], call[which] + by));
  if (together) call.missed = call.claimed;
  show(call, which);
}

/** Only the number that was stepped is read aloud. */
function show(call, stepped) {
  const { here } = call;
  write(here("muggins-reason"), words.cutShort(call.state, call.state.seats[call.callers[0]].lane, call));
  for (const which of ["claimed", "missed"]) {
    set(here(which), "aria-live", which === stepped ? "polite" : "off");
    write(here(which), `${call[which]}`);
  }
  for (const key of here("muggins-sheet").querySelectorAll("[data-step]")) {
    const end = Number(key.dataset.step) > 0 ? MOST : LEAST[key.dataset.of];
    refuse(key, call[key.dataset.of] === end ? words.noFurther(end) : null);
  }
  here("muggins-awards").replaceChildren(...awards(call));
}

/** A key for each who may have called, and each opponent who may have missed the points or whom a wrong call awards. */
function awards(call) {
  const { state, callers, claimed, missed } = call;
  const own = state.seats[callers[0]].lane;
  if (missed && state.lanes.length < 3) return callers.map((seat) => award(call, seat, own, words.callAward(state, own, call)));
  const others = state.lanes.map((_, lane) => lane).filter((lane) => lane !== own);
  const opponent = (lane) => state.seats.findIndex((one) => one.lane === lane);
  const pegs = (lane) => (missed ? [own, words.callAward(state, own, { claimed, missed, opponent: opponent(lane) })] : [lane, claimed]);
  return callers.flatMap((seat) => others.map((lane) => award(call, seat, ...pegs(lane), opponent(lane))));
}

function award(call, seat, lane, points, opponent = null) {
  const { front } = call.state.lanes[lane];
  const to = Math.min(front + points, call.state.game.game_hole);
  const caller = call.callers.length > 1 ? seat : null;
  return html("button.key.wide", { value: "peg", "data-seat": seat, "data-opponent": opponent }, mark(lane),
    html("b", words.callPegs(call.state, call, lane, points, caller, call.missed ? opponent : null)), html("span", `${front} → ${to}`));
}
