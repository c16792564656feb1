// Certificate of a perfect hand: the key that prints it, and the date of the hand in the reader's words and time zone.

import { byId } from "../lib/browser.js";
import { dayText } from "../words/games.js";

const date = document.querySelector("#date");
if (date) date.textContent = dayText(Number(date.dataset.at));
byId("print").addEventListener("click", () => print());
