// Sheets that rise and ask; the harmless answer comes first, has the focus, and is what Escape means.

import { byId, write } from "./dom.js";
import { mark } from "../board/pegs.js";

const within = (node, { clientX: x, clientY: y }) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return left <= x && x <= right && top <= y && y <= bottom;
};

/** On the tablet a sheet belongs to its half: there it rises, turned as its player sits, and the other half plays on. */
const halfOf = (sheet) => sheet.closest(".half");

/** Show it, and shut what it covers; answers how to open that again. */
function cover(sheet) {
  const half = halfOf(sheet);
  if (!half) {
    sheet.showModal();
    return () => {};
  }
  const covered = [...half.children].filter((child) => child !== sheet && !child.inert);
  for (const child of covered) child.inert = true;
  sheet.show();
  return () => covered.forEach((child) => {
    child.inert = false;
  });
}

export const HURRY = 400; // ms in which a finger or a key may still be meant for what stood where something else is now

/** Let nothing in a sheet be pressed at first; answers how to ask whether that is over. */
function deafen(sheet, calm) {
  const form = sheet.querySelector("form");
  form.inert = true;
  setTimeout(() => {
    form.inert = false;
    if (sheet.open) calm();
  }, HURRY);
  return () => !form.inert;
}

/**
 * Open a sheet; `answer(value, button)` once it closes. Escape and the ground beside it mean `escape`. With `calm`, it
 * hears nothing at first, and then calls that.
 */
export function rise(sheet, escape, answer, calm = null) {
  let pressed = null;
  const ground = halfOf(sheet) ?? sheet;
  const press = (event) => {
    pressed = event.target.closest("button[value]") ?? pressed;
  };
  const hears = calm ? deafen(sheet, calm) : () => true;
  const beside = (event) => event.target === ground && hears() && !within(sheet, event) && sheet.close(escape);
  const key = (event) => {
    if (event.key !== "Escape") return;
    if (!hears()) event.preventDefault();
    else if (ground !== sheet) sheet.close(escape);
  };
  sheet.returnValue = escape;
  const uncover = cover(sheet);
  sheet.addEventListener("click", press);
  ground.addEventListener("click", beside);
  sheet.addEventListener("keydown", key);
  sheet.addEventListener("close", () => {
    sheet.removeEventListener("click", press);
    ground.removeEventListener("click", beside);
    sheet.removeEventListener("keydown", key);
    uncover();
    answer(sheet.returnValue || escape, pressed);
  }, { once: true });
}

const writeTwo = (button, [what, then]) => {
  write(button.querySelector("b"), what);
  write(button.querySelector("span"), then);
};

/** Ask a question of two answers; `answer(true)` on yes. `here` finds the parts of the place where it is asked. */
export function ask({ lane, title, since, ask: question, no, yes }, answer, here = byId) {
  here("question-mark").replaceChildren(...(Number.isInteger(lane) ? [mark(lane, "large")] : []));
  write(here("question-title"), title);
  write(here("question-since"), since);
  write(here("question-ask"), question);
  writeTwo(here("question-no"), no);
  writeTwo(here("question-yes"), yes);
  rise(here("question"), "no", (value) => answer(value === "yes"), () => here("question-no").focus());
}
