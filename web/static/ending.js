// The end of a game on the phone: who won, by how much, what it was, and what comes next.

import { byId, html, say } from "./element.js";
import { gamesWon } from "./games.js";
import { mark } from "./pegs.js";
import * as words from "./words.js";

const AFTER = ["won", "games", "after"];
const DURING = ["scores", "keys"];

/**
 * Show the end, or the game; Undo would take `undoable` back, `closed` says why this phone may not, `confirming` lists
 * the seats that can confirm here, `mine` says that it is the one that holds the phone.
 */
export function showEnding(state, undoable, closed, { confirming, mine }) {
  const { over } = state.game;
  document.body.classList.toggle("over", over);
  for (const id of AFTER) byId(id).hidden = !over;
  for (const id of DURING) byId(id).hidden = over;
  if (!over) return;
  tell(state, undoable, closed);
  offer(state, closed ? [] : confirming, mine);
}

function tell(state, undoable, closed) {
  const { winner } = state.game;
  const { bold, rest } = words.ending(state);
  byId("won-mark").replaceChildren(...(winner === null ? [] : [mark(winner, "large")]));
  headline(words.headline(state), winner === null ? "" : words.laneName(state, winner));
  say("won-bold", bold);
  say("won-rest", rest);
  byId("won-scores").replaceChildren(...finals(state));
  byId("games").hidden = state.lanes.length === 1;
  byId("games-row").replaceChildren(...gamesWon(state));
  say("games-title", words.gamesHeading(state));
  say("match-won", words.matchWon(state));
  say("next-word", words.nextGame(state));
  say("next-dealer", closed ?? words.beforeNext(state));
  say("undo-win-word", words.undoOf(undoable));
}

/** The name may be cut short; what is said of it may not. */
function headline({ name, says }, full) {
  if (byId("won-title").textContent === `${name} ${says}`.trim()) return;
  const named = name ? [html("span.name", { dir: "auto", title: full }, name), " "] : [];
  byId("won-title").replaceChildren(...named, html("span", says));
}

let offered = "";

/** Whoever holds the phone confirms before the next game; the focus goes on from there. */
function offer(state, seats, mine) {
  const now = [mine, ...seats.map((seat) => words.called(state, seat)), words.fronts(state)].join();
  if (now === offered) return;
  offered = now;
  const keys = byId("confirm");
  const held = keys.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
  keys.replaceChildren(...seats.map((seat) => confirmKey(state, seat, mine)));
  keys.classList.toggle("pairs", !mine && state.seats.length > state.lanes.length);
  keys.hidden = !seats.length;
  byId("next-game").hidden = seats.length > 0;
  if (held !== null) (keys.querySelector(`[data-seat="${held}"]`) ?? keys.querySelector("button") ?? byId("next-game")).focus();
}

function confirmKey(state, seat, mine) {
  const who = html("span.name", { dir: "auto" }, words.called(state, seat));
  const said = mine ? [html("b", words.confirmMine), " ", html("span", words.fronts(state))] : [who, " ", html("b", words.confirms)];
  return html("button", { type: "button", class: "solid", "data-seat": seat, title: mine ? null : state.seats[seat].name }, ...said);
}

function finals(state) {
  const first = state.game.winner ?? 0;
  const losers = state.lanes.map((_, lane) => lane).filter((lane) => lane !== first);
  const hero = html("p.hero", `${state.lanes[first].front}`);
  return [hero, html("div", ...losers.map((lane) => final(state, lane)))];
}

function final(state, lane) {
  const name = html("span.name", { dir: "auto" }, words.laneName(state, lane));
  return html("p.final", name, mark(lane), html("b", `${state.lanes[lane].front}`));
}
