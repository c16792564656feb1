// The end of a game on the phone: who won, by how much, what it was, and what comes next.

import { byId, html, write } from "./element.js";
import { gamesWon } from "./games.js";
import { mark } from "./pegs.js";
import * as words from "./words.js";

const AFTER = ["won", "games", "after"];
const DURING = ["scores", "keys"];

/**
 * Show the end, or the game while it goes on; Undo would take `undoable` back, `closed` says why this phone may not;
 * `confirming` lists the seats that can confirm the result here, `mine` whether they are one seat that holds the phone.
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
  write(byId("won-title"), words.result(state));
  write(byId("won-bold"), bold);
  write(byId("won-rest"), rest);
  byId("won-scores").replaceChildren(...finals(state));
  byId("games").hidden = state.lanes.length === 1;
  byId("games-row").replaceChildren(...gamesWon(state));
  write(byId("games-title"), words.gamesHeading(state));
  write(byId("match-won"), words.matchWon(state));
  write(byId("next-word"), words.nextGame(state));
  write(byId("next-dealer"), closed ?? words.beforeNext(state));
  write(byId("undo-win-word"), words.undoOf(undoable));
}

/** Whoever holds the phone confirms first; then the next game can begin. */
function offer(state, seats, mine) {
  byId("next-game").hidden = seats.length > 0;
  byId("confirm").hidden = !seats.length;
  byId("confirm").replaceChildren(...seats.map((seat) => confirmKey(state, seat, mine)));
}

function confirmKey(state, seat, mine) {
  const word = mine ? words.confirmMine : words.confirmOf(state, state.seats[seat].lane);
  return html("button", { type: "button", class: "solid", "data-seat": seat },
    html("b", {}, word), mine ? html("span", {}, words.fronts(state)) : null);
}

/** The winner's number large, the others' beside it with their names. */
function finals(state) {
  const first = state.game.winner ?? 0;
  const losers = state.lanes.map((_, lane) => lane).filter((lane) => lane !== first);
  const hero = html("p", { class: "hero" }, `${state.lanes[first].front}`);
  return [hero, html("div", {}, ...losers.map((lane) => final(state, lane)))];
}

function final(state, lane) {
  const name = html("span", { class: "name", dir: "auto" }, words.laneName(state, lane));
  return html("p", { class: "final" }, name, mark(lane), html("b", {}, `${state.lanes[lane].front}`));
}
