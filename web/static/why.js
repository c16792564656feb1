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

/** A state as a guess needs it: a line more, and where the deal stands then. */
const then = (state, line, phase, { to_count = null, dealer = state.dealer } = {}) =>
  ({ ...state, dealer, game: { ...state.game, phase, to_count }, entries: [{ counts: true, ...line }, ...state.entries] });

const nextDeal = (state, line, dealer = (state.dealer + 1) % state.seats.length) => then(state, line, "play", { dealer });

/** After a hand: pone counts first, the dealer last; one counted before changes nothing. */
function afterHand(state, line) {
  const { seats, dealer, game } = state;
  const due = game.to_count ?? pone(state);
  const counted = line.seat ?? due;
  const turn = (seat) => (seat - pone(state) + seats.length) % seats.length;
  if (line.seat === undefined && seats[due].lane !== line.lane) return then(state, line, "unknown");
  if (turn(counted) < turn(due)) return then(state, line, game.phase, game);
  return counted === dealer ? then(state, line, "crib") : then(state, line, "hand", { to_count: (counted + 1) % seats.length });
}

/** The state when a tap that waits is stored; of one that is not foreseen, with an unknown phase. */
function after(state, { body }) {
  const { phase, to_count } = state.game;
  if (body.do === "deal") return nextDeal(state, body, body.dealer);
  if (body.do === "penalty" || body.do === "muggins") return state;
  if (body.do !== "score" || !body.why || phase === "unknown") return then(state, body, "unknown");
  if (body.why === "crib") return nextDeal(state, body);
  if (phase === "crib" && body.why !== "hand") return after(nextDeal(state, { do: "deal" }), { body });
  if (body.why === "hand") return phase === "crib" ? then(state, body, phase) : afterHand(state, body);
  return then(state, body, phase === "hand" ? phase : "play", { to_count });
}

/** The same behind taps that wait to be stored; a crib of a deal to come is not claimed, as they may be dropped. */
export function whyBehind(state, taps, seat, points) {
  const ahead = taps.reduce(after, state);
  const why = whyOf(ahead, seat, points);
  return why === "crib" && ahead.dealer !== state.dealer ? null : why;
}
