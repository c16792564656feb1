// Score sheet lines seen by this device, in case the table loses some of them.

import { readStorage, writeStorage } from "../lib/browser.js";

const SEEN = "pegboard.seen";
const MOST_SEEN = 3; // games

let seen = []; // fallback if nothing can be stored

/** The games that this device has seen, the newest first: {epoch, game, names, lines: {id: line}}. */
export const recallGames = () => readStorage(SEEN) ?? seen;

/** Keep those games, and drop the others. */
export function keepGames(games) {
  seen = games;
  writeStorage(SEEN, games);
}

/** Add the lines of a state to those seen before. */
function noteLines({ epoch, game, seats, entries }) {
  const games = recallGames();
  const isOwn = (one) => one.epoch === epoch && one.game === game.id;
  const own = games.find(isOwn) ?? { epoch, game: game.id, lines: {} };
  own.names = seats.map(({ name }) => name);
  for (const entry of entries) {
    own.lines[entry.id] = { ...entry, why: entry.guessed ? null : entry.why, likely: undefined, history: undefined };
  }
  keepGames([own, ...games.filter((one) => !isOwn(one))].slice(0, MOST_SEEN));
}

let noted = ""; // the newest state whose lines are noted

/** Note a state unless it is the last noted one. */
function noteOnce(state) {
  const now = [state.epoch, state.revision, state.game.id].join();
  if (now !== noted) noteLines(state);
  noted = now;
}

/** Also note the first state, which came with the page, or one of another epoch. */
export function noteChange(before, state) {
  if (before.epoch !== state.epoch || !noted) noteOnce(before);
  noteOnce(state);
}
