// Sheets that rise and ask; the harmless answer comes first, has the focus, and is what Escape means.

import { byId, say, write } from "./element.js";
import { mark } from "./pegs.js";

const within = (node, { clientX: x, clientY: y }) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return left <= x && x <= right && top <= y && y <= bottom;
};

/** Open a sheet; `answer(value, button)` once it closes. Escape and the ground beside it mean `escape`. */
export function rise(sheet, escape, answer) {
  let pressed = null;
  const press = (event) => {
    pressed = event.target.closest("button[value]") ?? pressed;
  };
  const beside = (event) => event.target === sheet && !within(sheet, event) && sheet.close(escape);
  sheet.returnValue = escape;
  sheet.addEventListener("click", press);
  sheet.addEventListener("click", beside);
  sheet.addEventListener("close", () => {
    sheet.removeEventListener("click", press);
    sheet.removeEventListener("click", beside);
    answer(sheet.returnValue || escape, pressed);
  }, { once: true });
  sheet.showModal();
}

const writeTwo = (button, [what, then]) => {
  write(button.querySelector("b"), what);
  write(button.querySelector("span"), then);
};

/** Ask a question of two answers; `answer(true)` on yes. */
export function ask({ lane, title, since, ask: question, no, yes }, answer) {
  const sheet = byId("question");
  byId("question-mark").replaceChildren(...(Number.isInteger(lane) ? [mark(lane, "large")] : []));
  say("question-title", title);
  say("question-since", since);
  say("question-ask", question);
  writeTwo(byId("question-no"), no);
  writeTwo(byId("question-yes"), yes);
  rise(sheet, "no", (value) => answer(value === "yes"));
  byId("question-no").focus();
}
