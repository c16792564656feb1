// The list of events, and a new one: its name and date are filled in, so that one tap opens it.

import { byId, quote, t, write } from "../lib/browser.js";
import { refusalOf, send, signature } from "./decisions.js";
import { dayText } from "./night_words.js";

const form = byId("new-night");

/** Today in the director's time zone. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
}

async function openNight(event) {
  event.preventDefault();
  const { name, date, games } = Object.fromEntries(new FormData(form));
  const rules = { games: Number(games) };
  const answer = await send("/night/v1/nights", { name: name.trim() || t("hub.club_night"), date, rules, signature: signature.get() });
  if (answer.ok) location.assign(`/night/${answer.body.night}`);
  else {
    byId("new-said").hidden = false;
    quote(byId("new-said"), refusalOf(answer).text);
  }
}

for (const day of document.querySelectorAll("time")) write(day, dayText(day.dateTime));

if (form) {
  form.elements.date.value = today();
  form.addEventListener("submit", openNight);
}
