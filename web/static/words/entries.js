// The lines of the score sheet: which peg points, what they truly counted, which moved a peg last.

const POINTS = new Set(["score", "penalty", "muggins"]);

/** Whether a line pegs points for a seat; the others are deals and rulings. */
export const isScore = (entry) => POINTS.has(entry.do);

/** Whether a line only says who deals, or where the deal stands. */
const saysOfTheDeal = (entry) => entry.do === "deal" || entry.do === "stage";

export const isRuling = (entry) => !saysOfTheDeal(entry) && !isScore(entry);

/** What points were for: as somebody has said, else as is most likely; null where neither is known. */
export const whyOf = ({ why, guessed, likely }) => (guessed ? (likely?.why ?? why) : (why ?? likely?.why ?? null));

/** Whether nobody has said what they were for, and it is only likely. */
export const isOnlyLikely = (entry) => (entry.why === null || entry.guessed === true) && whyOf(entry) !== null;

/** The line of that id, where it is among the newest. */
export const lineOf = (state, id) => state.entries.find((entry) => entry.id === id) ?? null;

/** Whether a line came after the end, was gone back over, or was ruled to be untrue. */
export const isVoid = ({ counts, retracted, truth }) => !counts || retracted === true || truth !== undefined;

/** The points a line said before it was amended; null where it says what it always said. */
export const wasOf = (entry) => entry.history?.findLast(({ was }) => Number.isInteger(was))?.was ?? null;

/** Whether a line may have moved the pegs of a lane. */
export const touches = (entry, lane) => entry.do === "retract" || entry.lane === lane || entry.awarded === lane;

/** The newest line that counts and moved a peg, or may have. */
export const newestMove = (state) =>
  state.entries.find((entry) => entry.stands && entry.counts && !saysOfTheDeal(entry) && !(isScore(entry) && !entry.points)) ??
  null;

export const NEVER = new Set([19, 25, 26, 27]); // no hand counts so many
const REASONS = ["play", "go", "thirty-one", "heels", "hand", "crib"];
const CAN_BE = { go: (points) => points === 1, "thirty-one": (points) => points >= 2, heels: (points) => points === 2 };

export const isShow = (why) => why === "hand" || why === "crib";

/** The reasons that a line can be given beside the one that was said, and null where that one can be forgotten. */
export function reasonsFor({ do: what, why, points }) {
  if (what !== "score") return [];
  const possible = REASONS.filter((one) => one !== why && (CAN_BE[one]?.(points) ?? true) && !(isShow(one) && NEVER.has(points)));
  return why === null ? possible : [...possible, null];
}
