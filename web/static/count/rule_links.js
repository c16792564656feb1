// Where the rules page explains a refusal, a part of a count or a reason.

const PAGE = "/rules";
const LINES = new Set([
  "fifteen", "pair", "pair-royal", "double-pair-royal", "run", "double-run", "flush", "flush-in-the-crib", "nobs",
  "thirty-one", "go", "last-card", "heels", "zero", "impossible", "muggins", "penalty", "misdeal", "the-play", "the-show", "the-crib",
]);
const IN_THE_PLAY = new Set(["fifteen", "pair", "pair-royal", "double-pair-royal", "run"]);
const REASONS = { play: "the-play", hand: "the-show", crib: "the-crib" };

/**
 * The address of the line, or null where there is none: of a problem as the API answers it, or of a word such as
 * "pair royal", "flush in the crib" or "heels"; `{ play: true }` means a part of the play, not of the show.
 */
export function ruleFor(asked, { play = false } = {}) {
  if (typeof asked !== "string") return asked?.rule ?? null;
  const word = asked.replaceAll(/[ _]/gu, "-");
  const line = play && IN_THE_PLAY.has(word) ? `play-${word}` : (REASONS[word] ?? word);
  return LINES.has(line) || line.startsWith("play-") ? `${PAGE}#${line}` : null;
}
