// What every page does: it shows each picture, says what has changed, and whether the line is live.

import { byId, say, write } from "../lib/dom.js";
import { recall } from "../lib/storage.js";
import { quote } from "../lib/i18n.js";
import * as words from "../words/words.js";

/** What is heard comes where it is wanted, or its switches are in sight; else when they are first asked for. */
let hearing = null;

const hear = () => (hearing ??= import("./speech.js"));

const heard = (act) => hearing?.then(act).catch(() => {});

const openers = document.querySelectorAll("[data-opens=hearing-sheet]");

if (byId("hearing") && (!openers.length || Object.values(recall("pegboard.hearing") ?? {}).includes(true))) hear();
for (const key of openers) {
  key.addEventListener("click", () => hear().then(() => byId("hearing-sheet").showModal()).catch(() => {}));
}

/** A quiet line on phone and board; the bench and the page of the devices tell it themselves. */
function tellAiling(state) {
  const ailing = words.ailing(state);
  const line = byId("ailing");
  if (line) {
    line.hidden = !ailing;
    write(line.firstElementChild, ailing);
    line.firstElementChild.title = ailing;
  }
  return ailing;
}

const told = { deal: "", turn: "" };

/** Whether the newest line was there before: then something was put right, and what follows from it is news again. */
const isPutRight = (before, { revision, entries }) => revision !== before.revision && entries[0]?.id === before.entries[0]?.id;

/** What the table does now where that has changed; not again where a line took the guess back and the next has brought it. */
export function turn(before, state) {
  const deal = `${state.game.id} ${state.game.deal}`;
  if (told.deal === "") told.turn = words.doing(before); // which stood there when the page came
  else if (told.deal !== deal || isPutRight(before, state)) told.turn = "";
  told.deal = deal;
  const [said, now] = [words.turnSpoken(before, state), words.doing(state)];
  if (!said || now === told.turn) return "";
  told.turn = now;
  return said;
}

/** Sentences in one breath. */
const breath = (...said) => said.filter(Boolean).reduce((all, one) => `${all}${/[.?]$/u.test(all) ? "" : "."} ${one}`, "").replace(/^\. /u, "");

/** Show the first picture and each newer one by `show(state, {before, live, said})`, which answers what else to say. */
export function follow(table, show) {
  table.on("state", (state, { before, live }) => {
    const said = live && words.spoken(before, state);
    const due = live ? turn(before, state) : "";
    const ailing = tellAiling(state);
    const news = said || (live && ailing !== words.ailing(before) && (ailing || words.wellAgain));
    if (said) heard((speech) => speech.hear(before, state, breath(said, due)));
    const also = show(state, { before, live, said });
    if (news || due || also) quote(byId("said"), breath(news, due, also));
  });
  table.on("link", (link) => {
    say("link", words.link[link]);
    byId("link").parentElement.className = `link ${link}`;
  });
  tellAiling(table.state);
  show(table.state, { before: table.state, live: false, said: false });
  table.open();
}
