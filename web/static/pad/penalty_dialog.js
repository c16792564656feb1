// The sheet for a penalty: who is awarded how much, and for what; it comes when it is first opened.

import { html, refuse, write } from "../lib/dom.js";
import { faultAwards, faultCalled } from "../words/faults.js";
import { openLeaf } from "../lib/choices.js";
import { mark } from "../board/pegs.js";
import { learn, t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const USUAL = 2;
const LONGEST = 80; // letters of a note

/** A key for each seat that may be awarded, with what that would do. */
function award(state, seat, points) {
  const { lane } = state.seats[seat];
  const { front } = state.lanes[lane];
  const to = Math.min(front + points, state.game.game_hole);
  return html("button.key.wide", { value: "award", "data-seat": seat }, mark(lane),
    html("b", `${words.called(state, seat)} +${points}`), html("span", `${front} → ${to}`));
}

function steps(most, changed) {
  let points = USUAL;
  const shown = html("output", { "aria-live": "polite", "aria-label": t("pad.points") }, `${points}`);
  const step = (by, sign, label) => html("button.key", { type: "button", "data-step": by, "aria-label": label }, sign);
  const keys = [step(-1, "−", t("pad.one_fewer")), step(1, "+", t("pad.one_more"))];
  const node = html("div.stepper", { role: "group", "aria-label": t("pad.points") }, html("p", t("pad.points")), keys[0], shown, keys[1]);
  const show = () => {
    write(shown, `${points}`);
    refuse(keys[0], points === 1 ? words.noFurther(1) : null);
    refuse(keys[1], points === most ? words.noFurther(most) : null);
    changed(points);
  };
  node.addEventListener("click", ({ target }) => {
    const key = target.closest("[data-step]");
    if (!key || key.dataset.reason) return;
    points += Number(key.dataset.step);
    show();
  });
  const put = (value) => {
    points = value;
    show();
  };
  return { node, show, put, get points() { return points; } };
}

/** The usual faults; one puts its points and its name. */
function faults({ game }, put) {
  const keys = game.rules.penalties.filter(({ points }) => points).map((one) => {
    const key = html("button.key", { type: "button" }, faultAwards(one));
    key.addEventListener("click", () => put(one.points, faultCalled(one.fault)));
    return key;
  });
  return html("div.more-deal", { role: "group", "aria-label": t("faults.usual") }, ...keys);
}

let learned = null; // the promise of the words, which come with the sheet

/** Open it, the seats of `first` in front; `then({seat, points, note})`. */
export async function openPenalty(here, state, first, then) {
  learned ??= learn("penalty");
  await learned;
  const seats = [...state.seats.keys()].sort((one, other) => first.includes(other) - first.includes(one));
  const note = html("input", { type: "text", maxlength: LONGEST, autocomplete: "off", enterkeyhint: "done" });
  note.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // which would press the first key
    note.blur();
  });
  const awards = html("div.awards");
  const stepper = steps(state.game.game_hole, (points) =>
    awards.replaceChildren(...seats.map((seat) => award(state, seat, points))));
  stepper.show();
  const field = html("label.field", {}, html("span", t("pad.note")), note);
  const usual = faults(state, (points, name) => {
    stepper.put(points);
    note.value = name;
  });
  openLeaf(here, "penalty", t("pad.penalty"), [usual, stepper.node, field, awards], (value, key) => {
    if (value !== "award") return;
    const said = note.value.trim();
    then({ seat: Number(key.dataset.seat), points: stepper.points, ...(said ? { note: said } : {}) });
  });
}
