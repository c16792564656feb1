// What a tapped number most likely was, told from the phase and from what one card can make.
//
// A wrong guess may blur the phase but must never make the table refuse an honest tap; where nothing can be known the
// answer is null, which is always accepted.

const ONE_CARD = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14]); // what one card of the play can peg
const MOSTLY_PLAY = 3; // up to here, play is likelier than pone's hand
const HARDLY_PLAY = 8; // from here, one card in a thousand

/** The first seat to count its hand. */
const pone = (state) => (state.dealer + 1) % state.seats.length;

/** Whether a card has been pegged: the last one always is, so before that nobody counts. */
function playBegan({ entries }) {
  const counting = entries.filter((entry) => entry.counts);
  const end = counting.findIndex((entry) => entry.do === "deal" || entry.why === "crib");
  const deal = end < 0 ? counting : counting.slice(0, end);
  return deal.some((entry) => entry.why === "play" || entry.why === "go");
}

function inPlay(state, seat, points) {
  if (points === 0) return "hand";
  if (!ONE_CARD.has(points)) return "hand";
  if (points <= MOSTLY_PLAY || !playBegan(state)) return "play";
  if (seat === pone(state)) return "hand";
  return points >= HARDLY_PLAY ? "hand" : "play";
}

function inShow(state, seat, points) {
  const alone = state.seats.length === 1;
  if (points === 0 || alone) return "hand";
  const late = state.game.to_count === seat ? 1 : MOSTLY_PLAY; // a last card pegged after somebody began to count
  return points <= late ? "play" : "hand";
}

/** Small points of anybody but the dealer are the next deal's play: an empty crib is often not entered. */
function inCrib(state, seat, points) {
  if (seat === state.dealer) return "crib";
  return points >= 1 && points <= MOSTLY_PLAY ? "play" : "hand";
}

/** The `why` of a number key, or null. */
export function whyOf(state, seat, points) {
  if (state.seats.length === 1 && (state.game.phase === "cut" || state.game.phase === "play")) return "hand"; // no play
  switch (state.game.phase) {
    case "cut":
      return ONE_CARD.has(points) ? "play" : null;
    case "play":
      return inPlay(state, seat, points);
    case "hand":
      return inShow(state, seat, points);
    case "crib":
      return inCrib(state, seat, points);
    default:
      return null;
  }
}
