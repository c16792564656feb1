// What every page does: it shows each picture, says what has changed, and whether the line is live.

import { byId, say, write } from "./element.js";
import { quote } from "./text.js";
import * as words from "./words.js";

/** Only pages with the switches for it are heard. */
const hearing = byId("hearing") ? import("./speech.js") : null;

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

/** Show the first picture and each newer one by `show(state, {before, live, said})`. */
export function follow(table, show) {
  table.on("state", (state, { before, live }) => {
    const said = live && words.spoken(before, state);
    const ailing = tellAiling(state);
    const news = said || (live && ailing !== words.ailing(before) && (ailing || words.wellAgain));
    if (news) quote(byId("said"), news);
    if (said) hearing?.then(({ hear }) => hear(before, state, said));
    show(state, { before, live, said });
  });
  table.on("link", (link) => {
    say("link", words.link[link]);
    byId("link").parentElement.className = `link ${link}`;
  });
  tellAiling(table.state);
  show(table.state, { before: table.state, live: false, said: false });
  table.open();
}
