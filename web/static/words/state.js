// Texts of the table's state: names, lines of the score sheet, phase, end, and changes.

import { html, language, t, textOr, translate } from "../lib/browser.js";

const POINTS = new Set(["score", "penalty", "muggins"]);

/** Whether a line pegs points for a seat; the others are deals and rulings. */
export const isScore = (entry) => POINTS.has(entry.do);

/** Whether a line only says who deals or plays, or the state of the deal. */
const isDealEntry = ({ do: what }) => what === "deal" || what === "stage" || what === "substitute";

export const isRuling = (entry) => !isDealEntry(entry) && !isScore(entry) && entry.do !== "head_start";

/** Whether a line pegs, or rules on pegs; a redeal without points does not. */
const isForPegs = (entry) => isRuling(entry) || (isScore(entry) && (entry.do !== "penalty" || entry.points > 0));

/** Whether it is too late for a head start. */
export const hasPegged = ({ entries }) => entries.some((entry) => entry.counts && isForPegs(entry));

/** The reason for points: as entered, else the most likely one; null if neither is known. */
export const reasonOf = ({ why, guessed, likely }) => (guessed ? (likely?.why ?? why) : (why ?? likely?.why ?? null));

/** Whether the reason was not entered, and is only likely. */
const isOnlyLikely = (entry) => (entry.why === null || entry.guessed === true) && reasonOf(entry) !== null;

const PERFECT = [28, 29]; // points of the hands that get a certificate

/** The address of the certificate for a line of 28 or 29 points; null for other lines. */
export const certificateOf = (game, { id, do: done, why, points, counts, ruled_by: ruled }) =>
  done === "score" && why !== "muggins" && counts && !ruled && PERFECT.includes(points) ? `/print/${points}?game=${game}&line=${id}` : null;

/** The line of that id, if it is among the newest. */
export const findEntry = (state, id) => state.entries.find((entry) => entry.id === id) ?? null;

/** Whether a line came after the end, was rolled back, or was ruled to be untrue. */
export const isVoid = ({ counts, retracted, truth }) => !counts || retracted === true || truth !== undefined;

/** The points of a line before it was corrected; null if it was not. */
const pointsBefore = (entry) => entry.history?.findLast(({ was }) => Number.isInteger(was))?.was ?? null;

/** Whether a line may have moved the pegs of a lane. */
export const movesLane = (entry, lane) => entry.do === "retract" || entry.lane === lane || entry.awarded === lane;

/** The newest line that counts and moved a peg, or may have. */
export const newestMove = (state) =>
  state.entries.find((entry) => entry.stands && entry.counts && !isDealEntry(entry) && !(isScore(entry) && !entry.points)) ??
  null;

const IMPOSSIBLE = new Set([19, 25, 26, 27]); // no hand counts these
const canBeShow = (points) => !IMPOSSIBLE.has(points);
const canBeHand = (points, { pegging_only: three }) => (three ? points <= 15 || points === 20 : canBeShow(points)); // hands of three cards
const MOST_FOR_A_CARD = 15;

/** The reasons for points other than faults, with their possible amounts. */
const CAN_BE = {
  play: (points) => points <= MOST_FOR_A_CARD,
  go: (points) => points === 1,
  "thirty-one": (points) => points >= 2 && points <= MOST_FOR_A_CARD,
  heels: (points) => points === 2,
  hand: canBeHand,
  crib: canBeShow,
};

/** Whether a penalty says what followed a fault of the deal: a redeal, or a deal that stands. */
const isSettled = ({ redeal = null, accepted = false }) => redeal !== null || accepted;

/** The fewest points that a line can have. */
export const leastPoints = (entry) => (entry.do === "score" || isSettled(entry) ? 0 : 1);

const ANY_POINTS = new Set(["cut-pack", "renege"]); // faults that are not of the deal

/** Whether a penalty can have these points: for a fault of the deal, those of the rules. */
const canCost = ({ penalties }, { fault, accepted }, points) =>
  !fault || ANY_POINTS.has(fault) || (!(accepted && fault === "out-of-turn") && penalties.some((one) => one.fault === fault && one.points === points));

/** Whether a line can have these points under these rules; without a reason, any amount is possible. */
export const canBe = (rules, entry, points) =>
  points >= leastPoints(entry) && (!points || canCost(rules, entry, points)) && (CAN_BE[entry.why]?.(points, rules) ?? true);

/** The reasons that a line can have other than its own, and null if its own can be removed. */
export function reasonsFor(rules, { do: what, why, points }) {
  if (what !== "score") return [];
  const possible = Object.keys(CAN_BE).filter((one) => one !== why && CAN_BE[one](points, rules));
  return why === null ? possible : [...possible, null];
}

// --- in words ---

const LEFTWARD = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"; // letters of right-to-left scripts
const RIGHT_TO_LEFT = new RegExp(LEFTWARD, "u");
const LEFTWARD_WORDS = new RegExp(`${LEFTWARD}+( +${LEFTWARD}+)*`, "gu");
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3fffd}]/u;

/** Keep a name of another writing direction from reversing the sentence. */
const isolate = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The same for the names in a complete sentence. */
export const isolateNames = (text) => text.replace(LEFTWARD_WORDS, "\u2068$&\u2069");

/** The width of a name in letters; wide letters count twice. */
export const nameWidth = (name) => [...name].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);

const LONGEST = 24; // letters of a name in a sentence

const shorten = (name) => (nameWidth(name) > LONGEST ? `${[...name].slice(0, LONGEST - 1).join("")}…` : name);

const firstWord = (name) => name.trim().split(/\s+/u)[0];

/** A seat's name for a sentence: the first word, unless two seats share it. */
export function shortName(state, seat) {
  const first = firstWord(state.seats[seat].name);
  const shared = state.seats.filter((one) => firstWord(one.name) === first).length > 1;
  return isolate(shared ? state.seats[seat].name : shorten(first));
}

export const dealsText = (state, seat) => t("words.deals", { name: shortName(state, seat) });

export const PARTNERS = ` ${t("words.partners")} `;

export const seatsOf = (state, lane) => state.seats.flatMap((seat, i) => (seat.lane === lane ? [i] : []));

/** Full name of a lane; partners share one. */
export function laneName(state, lane) {
  const names = seatsOf(state, lane).map((i) => state.seats[i].name);
  return names.length > 1 ? names.map(isolate).join(PARTNERS) : names[0];
}

export const laneShortName = (state, lane) => seatsOf(state, lane).map((i) => shortName(state, i)).join(PARTNERS);

/** The seats of all players in other lanes. */
export const opponentSeats = (state, lane) => state.seats.flatMap((one, seat) => (one.lane === lane ? [] : [seat]));

/** The values of a sentence about a lane: its name, and as `n` the number of its players. */
export const laneValues = (state, lane) => ({ name: laneShortName(state, lane), n: seatsOf(state, lane).length });

/** The owner of a line: if someone took over, the player then. */
function entryOwner(state, { seat, lane, by }) {
  if (by) return isolate(shorten(by));
  return seat === null ? laneShortName(state, lane) : shortName(state, seat);
}

/** The player at a seat when a line was made, who may have left since. */
export function nameThen(state, seat, { id }) {
  const later = ({ do: what, counts, seat: taken, id: line }) => what === "substitute" && counts && taken === seat && Number(line) > Number(id);
  const left = state.entries?.findLast(later);
  return left ? isolate(shorten(left.former)) : shortName(state, seat);
}

/** The same for the players of a lane. */
export const laneThen = (state, lane, entry) => seatsOf(state, lane).map((seat) => nameThen(state, seat, entry)).join(PARTNERS);

/** "Bob +4", of those who played when a line was made. */
const gainThen = (state, lane, points, entry) => `${laneThen(state, lane, entry)} +${points}`;

/** "Bob +4" */
export const gainText = (state, lane, points) => `${laneShortName(state, lane)} +${points}`;

/** The text with a note, which cannot change the writing direction of the sentence. */
const withNote = (text, { note }) => (note ? t("words.noted", { text, note: isolate(note) }) : text);

const reasonName = (cause) => textOr(`words.why_${cause}`, cause);

/** "hand", if not entered "likely hand", or for points without a known reason, where they were entered. */
function plainReasonText(entry) {
  const cause = reasonOf(entry);
  if (!cause) return textOr(`words.source_${entry.source}`, entry.source);
  return isOnlyLikely(entry) ? t("words.likely", { why: reasonName(cause) }) : reasonName(cause);
}

/** From this certainty on only its style marks a reason as likely; below, a figure says how sure it is. */
export const SURE = 0.98;

/** A sentence about a line as nodes: a likely reason is visibly and audibly marked. */
export function entryNodes(text, entry) {
  const said = isScore(entry) && isOnlyLikely(entry) ? plainReasonText(entry) : "";
  const at = said ? text.lastIndexOf(said) : -1;
  if (at < 0) return [text];
  const word = reasonName(reasonOf(entry));
  const quiet = (part) => (part ? html(entry.likely?.sure >= SURE ? "span.unseen" : "span", part) : null);
  const around = said.split(word);
  const likely = html("i.maybe", { title: t("words.most_likely") }, quiet(around[0]), word, quiet(around.slice(1).join(word)));
  return [text.slice(0, at), likely, text.slice(at + said.length)];
}

/** The reason for points: "hand", "penalty: misdeal". */
export function reasonText(entry) {
  if (entry.do === "muggins" && !entry.missed) return t("words.wrong_call");
  return withNote(plainReasonText(entry), entry);
}

export const plusText = (points) => (points ? `+${points}` : t("words.zero"));

/** What was chosen after a fault of the deal: "Bob lets the deal stand: deck not cut", "Ann redeals: deck not cut, Bob +2";
 * null if nothing was. */
export function settledText(state, entry) {
  if (!isSettled(entry)) return null;
  const { seat, points, note, fault, redeal, accepted } = entry;
  const what = isolate(note || fault.replaceAll("-", " "));
  const said = accepted ? t("words.lets_stand", { name: nameThen(state, seat, entry), fault: what }) : t("words.redeals", { name: nameThen(state, redeal, entry), fault: what });
  return [said, ...(points ? [gainThen(state, state.seats[seat].lane, points, entry)] : [])].join(", ");
}

/** "Ann +12, hand", "Ann back 15", "Back to line 4" */
export function entryText(state, entry) {
  switch (entry.do) {
    case "deal":
      return t("words.deals", { name: entryOwner(state, { ...entry, seat: entry.dealer }) });
    case "stage":
      return t(`words.stage_${entry.stage}`);
    case "substitute":
      return isolateNames(t("words.plays_for", entry));
    case "head_start":
      return t("words.starts_ahead", { name: entryOwner(state, entry), holes: entry.holes });
    case "score":
    case "penalty":
      return settledText(state, entry) ?? t("words.scored", { name: entryOwner(state, entry), points: plusText(entry.points), why: reasonText(entry) });
    case "muggins":
      return t(entry.missed ? "words.muggins" : "words.wrong_call_by", {
        name: entryOwner(state, entry), points: plusText(entry.points), caller: entry.missed ? "" : nameThen(state, entry.caller, entry),
      });
    case "over_peg":
      return [t("words.put_right", { line: entry.entry, truth: truthText(entry) }), ...awardTexts(state, entry)].join(", ");
    case "false_claim":
      return t("words.false_claim", { what: falseClaimTexts(state, entry).join(", ") });
    case "peg_back":
      return withNote(backText(state, entry), entry);
    case "set_pegs":
      return [t("words.judged", { name: entryOwner(state, entry), hole: entry.front }), ...(entry.note ? [isolate(entry.note)] : [])].join(", ");
    case "retract":
      return withNote(entry.entry === "0" ? t("words.back_to_start") : t("words.back_to", { line: entry.entry }), entry);
    default:
      return entry.do.replaceAll("_", " ");
  }
}

const backText = (state, entry) => t("words.back", { name: entryOwner(state, entry), holes: entry.holes });

/** "8, not 10": what a ruling found, and what the line had claimed. */
const truthText = ({ points, was }) => t("words.truth", { points, was });

const awardTexts = (state, entry) => (entry.award ? [gainThen(state, entry.awarded, entry.award, entry)] : []);

const falseClaimTexts = (state, entry) =>
  [`${laneThen(state, entry.lane, entry)} ${entry.points}`, ...awardTexts(state, entry), backText(state, entry)];

/** A ruling on a lane, for a row that shows whose it is: "back 15: renege" */
export function rulingText(state, entry) {
  switch (entry.do) {
    case "over_peg":
      return [t("words.line_truth", { line: entry.entry, truth: truthText(entry) }), ...awardTexts(state, entry)].join(", ");
    case "false_claim":
      return [t("words.a_false_claim"), ...awardTexts(state, entry)].join(", ");
    case "peg_back":
      return withNote(t("words.backwards", { holes: entry.holes }), entry);
    case "set_pegs":
      return withNote(t("words.set_by_judge"), entry);
    default:
      return entryText(state, entry);
  }
}

/** The fate of a line; "" for most. */
export function fateText(entry) {
  if (!entry.stands) return t("words.taken_back");
  if (entry.retracted) return t("words.retracted");
  if (Number.isInteger(entry.truth)) return t("words.truly", { points: entry.truth });
  if (!entry.counts) return t("words.after_end");
  const was = pointsBefore(entry);
  return was === null ? "" : t("words.not", { points: was });
}

export const entryWithFate = (state, entry) => [entryText(state, entry), fateText(entry)].filter(Boolean).join(", ");

export const amountText = (entry) => (entry.points ? `+${entry.points}` : "0");

/** The last move, under the score of a lane: "+12 hand", "back 15"; null if it was another lane's. */
export function lastMoveText(state, entry, lane) {
  if (entry.awarded === lane && entry.award) return t("words.awarded", { points: entry.award });
  if (entry.lane !== lane) return null;
  if (isScore(entry)) return (entry.points ? null : settledText(state, entry)) ?? `${plusText(entry.points)} ${plainReasonText(entry)}`;
  if (entry.do === "set_pegs") return t("words.set_by_judge");
  if (entry.do === "over_peg") return truthText(entry);
  return entry.do === "peg_back" || entry.do === "false_claim" ? t("words.backwards", { holes: entry.holes }) : entryText(state, entry);
}

/** "57 → 69, just now" */
export function fromToText(entry, ago) {
  const moved = entry.counts && Number.isInteger(entry.from) && entry.from !== entry.to;
  return [...(moved ? [`${entry.from} → ${entry.to}`] : []), fateText(entry), ago].filter(Boolean).join(", ");
}

/** Seconds into "just now", "2 s ago", then the clock. */
export function agoText(seconds, at) {
  if (seconds < 2) return t("words.just_now");
  if (seconds < 60) return t("words.seconds_ago", { seconds: Math.floor(seconds) });
  return clockText(at);
}

export const clockText = (at, second) =>
  new Date(at * 1000).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second, hour12: false });

/** "Ann, Bob and Cy" */
const joinNames = (names) =>
  names.length > 1 ? t("words.and", { first: names.slice(0, -1).join(", "), last: names.at(-1) }) : names.join("");

// --- phase, end, and what has changed ---

/** "skunk", "double skunk": the name for missing this many skunk lines. */
const skunkName = (state, skunks) => t(`words.skunk_${skunkKey(state, skunks)}`);

/** The key of a skunk in the catalog: 1 to 3 skunk lines missed, or the lurch. */
const skunkKey = ({ game }, skunks) => (skunks && game.rules.lurch ? "lurch" : Math.min(skunks, 3));

/** The seat that counts and what; null outside the show. */
function toCount({ game, dealer }) {
  if (game.phase === "hand" && game.to_count !== null) return { seat: game.to_count, what: "hand" };
  return game.phase === "crib" && dealer !== null ? { seat: dealer, what: "crib" } : null;
}

/** The two likeliest states of the deal, if it is not sure. */
export const likelyPhases = ({ dealer, game }) => [{ dealer, phase: game.phase, to_count: game.to_count }, game.otherwise];

/** The same in words: "Still in the play", "Bob counts the hand". */
export const likelyPhaseTexts = (state) => likelyPhases(state).map((one, i, all) => likelyPhaseText(state, one, all[1 - i]));

function likelyPhaseText(state, one, other) {
  const count = toCount({ game: one, dealer: one.dealer });
  if (count && one.dealer === other.dealer) return t(`words.counts_${count.what}`, { name: shortName(state, count.seat) });
  if (count) return t(`words.counts_${count.what}_dealt`, { name: shortName(state, count.seat), dealer: shortName(state, one.dealer) });
  return t(one.dealer === other.dealer ? "words.still_play" : "words.play_dealt", { name: shortName(state, one.dealer) });
}

/** Whether the first dealer is still unknown, and nothing has been pegged. */
export const asksFirstDealer = ({ game, seats, dealer }) => game.phase === "cut" && seats.length > 1 && dealer === null;

/** The phase in a sentence, in the third person. */
export function phaseText(state) {
  const { game, dealer } = state;
  const count = toCount(state);
  if (game.over) return t(state.match.winner === null ? "words.game_over" : "words.match_over");
  if (game.otherwise) return t("words.either", { one: likelyPhaseTexts(state)[0], other: likelyPhaseTexts(state)[1] });
  if (count) return t(`words.counts_${count.what}`, { name: shortName(state, count.seat) });
  if (game.phase === "unknown") return t("words.play_or_show");
  if (dealer === null) return t("words.cut");
  if (game.phase === "cut") return t("words.deals_first", { name: shortName(state, dealer) });
  return game.scored ? t("words.play") : dealsText(state, dealer);
}

/** The same for the player in `seat`, or for everyone if that is null; `keys` says that both possibilities are keys. */
export function hintText(state, seat, { keys = false, lane = null } = {}) {
  const { game, dealer } = state;
  const count = toCount(state);
  if (keys && asksFirstDealer(state)) return t("pad.who_deals");
  if (keys && game.ask_deal) return t("words.ask_deal", { name: shortName(state, dealer) });
  if (game.otherwise && !game.over) return keys ? t(game.otherwise.dealer === dealer ? "words.play_or_show" : "words.who_deals_now") : phaseText(state);
  if (game.over || !count) return game.over || seat === null || dealer !== seat ? phaseText(state) : dealerPhaseText(state);
  if (count.seat === seat) return t(`words.count_your_${count.what}`);
  return lane === state.seats[count.seat].lane ? pointsDueText(state, count) : t("words.show", { doing: phaseText(state) });
}

/** "Points for Bob: the hand" */
const pointsDueText = (state, { seat, what }) => t(`words.points_${what}`, { name: shortName(state, seat) });

/** Whose cards are counted now; null outside the show, and if that is not sure. */
export const dueSeat = (state) => (state.game.over || state.game.otherwise ? null : (toCount(state)?.seat ?? null));

/** The same, addressed to the dealer. */
function dealerPhaseText(state) {
  const { phase, scored } = state.game;
  if (phase === "cut") return t("words.you_deal_first");
  return scored ? phaseText(state) : t("words.you_deal");
}

/** "52 to go"; in solitaire, if less than the game hole is enough, "13 to win, 43 to finish"; "" in the game hole. */
export function toGoText(state, lane) {
  const { out } = state.needs[lane];
  const { enough = 0 } = state.game.rules;
  const short = enough - state.lanes[lane].front;
  if (!out) return "";
  if (!enough) return t("words.to_go", { n: out });
  return short > 0 ? t("words.to_win_to_go", { short, out }) : t("words.enough_to_go", { out });
}

/** The nearest skunk line ahead: its name, the hole that saves, and the distance. */
function skunkLineAhead(state, lane) {
  const { save, skunks } = state.needs[lane];
  return save === null ? null : { called: skunkName(state, skunks), saved: state.lanes[lane].front + save, needs: save };
}

/** "Needs 4 to save the skunk", from thirty holes before the leader's game hole; else null. */
export function skunkDanger(state, lane) {
  const leader = Math.max(...state.lanes.map((one) => one.front));
  const near = state.lanes.length > 1 && leader >= state.game.game_hole - 30 && state.lanes[lane].front < leader;
  return near && !state.game.over ? skunkLineAhead(state, lane) : null;
}

export const dangerLongText = (state, lane, { needs, called: line }) => t("words.needs_to_save", { ...laneValues(state, lane), needs, line });

export const dangerShortText = ({ needs, called: line }) => t("words.to_save", { needs, line });

export const dangerHoleText = ({ needs, saved }) => t("words.to_hole", { needs, hole: saved });

export const winsText = (state, lane) => t("words.wins", laneValues(state, lane));

/** "Skunked: 3 short of 91" */
export function loserText(state, lane) {
  const { front, skunks } = state.lanes[lane];
  if (isHome(state, lane)) return t("words.home_late");
  if (!skunks) return t("words.short", { holes: state.game.game_hole - front });
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  return t(`words.skunked_${skunkKey(state, skunks)}`, { holes: saved - front, hole: saved });
}

/** The end of a game: a bold word and the sentences after it. */
export function endingTexts(state) {
  const { game, lanes } = state;
  const losers = lanes.map((_, lane) => lane).filter((lane) => lane !== game.winner);
  const worst = Math.max(0, ...losers.map((lane) => lanes[lane].skunks));
  if (game.winner === null) return { bold: "", rest: t("words.so_many_of", { holes: lanes[0].front, hole: game.game_hole }) };
  if (!losers.length) return { bold: "", rest: t("words.home_with", { holes: lanes[game.winner].front }) };
  const home = alsoHomeText(state, losers);
  if (!worst) return { bold: "", rest: [home || aheadText(state, losers), ...worthTexts(game, 0)].join(" ") };
  const skunked = losers.filter((lane) => lanes[lane].skunks);
  const rest = [home, ...skunked.map((lane) => shortOfText(state, lane)), ...worthTexts(game, worst)].filter(Boolean).join(" ");
  return { bold: t(`words.a_skunk_${skunkKey(state, worst)}`), rest };
}

/** "By 12 holes." */
const aheadText = ({ game, lanes }, losers) =>
  t("words.by_holes", { n: Math.min(...losers.map((lane) => game.game_hole - lanes[lane].front)) });

const isHome = ({ game, lanes }, lane) => lanes[lane].front === game.game_hole;

/** "Both are home; Ann was first." If no loser is, "". */
function alsoHomeText(state, losers) {
  const { winner } = state.game;
  const home = losers.filter((lane) => isHome(state, lane)).map((lane) => laneShortName(state, lane));
  if (!home.length) return "";
  const first = laneValues(state, winner);
  if (state.lanes.length === 2) return t("words.both_home", first);
  return t("words.all_home", { ...first, all: joinNames([first.name, ...home]) });
}

/** "It counts as two games." One game is not mentioned. */
function worthTexts({ rules: { worth: values } }, skunks) {
  const value = values[Math.min(skunks, values.length - 1)];
  if (values[0] > 1) return [t("words.worth", { n: value })];
  return skunks ? [textOr(`words.counts_as_${value}`, t("words.counts_as", { n: value }))] : [];
}

/** "Bob was 3 holes short of the skunk line at 91." */
function shortOfText(state, lane) {
  const { front, skunks } = state.lanes[lane];
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  const holes = t("words.holes", { n: saved - front });
  return t("words.short_of", { ...laneValues(state, lane), holes, line: skunkName(state, skunks), hole: saved });
}

/** "Ann has won the match", or "" until it is decided. */
export function matchWonText(state) {
  const { winner } = state.match;
  return winner === null ? "" : t("words.won_match", laneValues(state, winner));
}

/** "Games, best of 3" */
export function gamesHeadingText({ match }) {
  if (match.to_win === null) return t("words.games_won");
  return t("words.games_in", { format: formatName(match.format) });
}

/** "best of 3", "single game": the format of a match. */
export function formatName(format) {
  const [, kind, games] = /^(.*?)(?: (\d+))?$/u.exec(format);
  return textOr(`words.format_${kind.replaceAll(" ", "_")}`, format, { games });
}

/** "To confirm: Ann, Bob", or "" if all have. */
export function unconfirmedText(state) {
  const lanes = state.game.unconfirmed;
  return lanes.length ? t("words.to_confirm", { names: lanes.map((lane) => laneShortName(state, lane)).join(", ") }) : "";
}

/** "121 to 88", the winner's first. */
export function frontsText({ game, lanes }) {
  const first = game.winner ?? 0;
  const others = lanes.filter((_, lane) => lane !== first).map(({ front }) => `${front}`);
  if (!others.length) return `${lanes[first].front}`;
  return t("words.to", { first: lanes[first].front, others: joinNames(others) });
}

/** A name, which may be cut short, and a statement about it, which may not. */
export function headlineTexts(state) {
  const { winner } = state.game;
  if (winner === null) return { name: "", says: t("words.not_home") };
  return { name: laneShortName(state, winner), says: t("words.does_win", laneValues(state, winner)) };
}

/** "Ann has won: take the win back?" */
export const winLostText = (state) => t("words.win_lost", laneValues(state, state.game.winner));

export const resultText = (state) => (state.game.winner === null ? t("words.not_home") : winsText(state, state.game.winner));

/** Another winner or other skunks are another result. */
const outcome = ({ game, lanes }) => (game.over ? [game.winner, ...lanes.map(({ skunks }) => skunks)].join() : null);

/** "Bob wins, 121 to 80. A skunk." */
const resultAnnouncement = (state) => [`${resultText(state)}, ${frontsText(state)}`, endingTexts(state).bold].filter(Boolean).join(". ");

/** The whole board in one text, for screen readers. */
export const boardText = (state) =>
  `${[t("words.board"), ...state.lanes.map(({ front, rear }, lane) => t("words.stands", { name: laneShortName(state, lane), front, rear }))].join(". ")}.`;

/** The live region's text about a change. */
export function changeAnnouncement(before, after) {
  if (after.game.id !== before.game.id) return newGameAnnouncement(after);
  if (after.game.over && outcome(after) !== outcome(before)) return resultAnnouncement(after);
  return entryAnnouncement(before, after) ?? confirmationAnnouncement(before, after) ?? nameAnnouncement(before, after);
}

const SURELY = 0.9; // if it is less certain what comes now, it is called likely

/** The phase of the game, if it has changed: "Most likely: Bob counts the hand"; else "". */
export function turnText(before, after) {
  const now = phaseText(after);
  const silent = after.game.over || after.game.otherwise !== null || after.game.id !== before.game.id;
  const goesOn = after.game.phase === "play" && after.game.scored; // not news, nor is a hand without points
  if (silent || goesOn || now === phaseText(before)) return "";
  return after.game.sure < SURELY ? t("words.likely_now", { doing: now }) : now;
}

const newGameAnnouncement = (state) =>
  state.entries.length ? `${t("words.earlier_game")} ${boardText(state)}` : t("words.new_game", { deals: state.dealer === null ? t("words.cut") : dealsText(state, state.dealer) });

function entryAnnouncement(before, after) {
  const seen = new Map(before.entries.map((entry) => [entry.id, entry]));
  const fresh = after.entries.find((entry) => !seen.has(entry.id) && entry.stands && isNewer(entry, before));
  if (fresh) return entryAloud(after, fresh);
  const turned = after.entries.find((entry) => seen.has(entry.id) && seen.get(entry.id).stands !== entry.stands);
  if (turned) return t(turned.stands ? "words.said_put_back" : "words.said_taken_back", { what: entryAloud(after, turned) });
  const moved = after.entries.find((entry) => seen.has(entry.id) && seen.get(entry.id).lane !== entry.lane);
  if (moved) return t("words.put_right", { line: moved.id, truth: entryAloud(after, moved) });
  const amended = after.entries.find((entry) => seen.has(entry.id) && seen.get(entry.id).points !== entry.points);
  if (!amended) return null;
  const right = truthText({ points: amended.points, was: seen.get(amended.id).points });
  return `${t("words.put_right", { line: amended.id, truth: right })}${nowText(after, amended)}`;
}

/** If little space is left, an old line can return to the state. */
const isNewer = (entry, { entries }) => !entries.length || Number(entry.id) > Number(entries[0].id);

/** "Ann 12, now 69" */
function entryAloud(state, entry) {
  if (entry.do === "score") return `${entryOwner(state, entry)} ${entry.points}${nowText(state, entry)}`;
  const isForNobody = entry.do === "penalty" && !entry.points; // a redeal without points, or a deal that stands
  return `${entryText(state, entry)}${isForNobody ? "" : nowText(state, entry)}`;
}

/** The current score of a line's lane; after a rollback, everyone's. */
function nowText(state, entry) {
  if (entry.do === "retract") return `. ${boardText(state)}`;
  return Number.isInteger(entry.lane) ? `, ${t("words.now", { hole: state.lanes[entry.lane].front })}` : "";
}

function confirmationAnnouncement(before, after) {
  const seat = after.seats.findIndex((one, i) => one.confirmed && !before.seats[i]?.confirmed);
  return seat < 0 ? null : t("words.has_confirmed", { name: shortName(after, seat) });
}

function nameAnnouncement(before, after) {
  const seat = after.seats.findIndex(({ name }, i) => before.seats[i] && name !== before.seats[i].name);
  return seat < 0 ? null : t("words.renamed", { former: isolateNames(before.seats[seat].name), name: isolateNames(after.seats[seat].name) });
}

export const linkTexts = { live: t("words.live"), waiting: t("common.connecting"), checking: t("words.checking"), lost: t("words.lost") };

export const dialledText = (points) => `+${points} …`;

// The devices.

export const formatNumber = (number) => number.toLocaleString(language);

/** A device's name on the pages, or else its own. */
export const deviceName = (name) => textOr(`words.device_${name.toLowerCase().replaceAll(" ", "_")}`, name);

/** The devices' trouble, "" if all are well: "LED strip: no answer" */
export function deviceTroubleText({ devices }) {
  const ill = devices.filter(({ trouble }) => trouble !== null);
  if (ill.length === 1) return t("words.ails", { name: deviceName(ill[0].name), trouble: translate(ill[0].trouble_message, ill[0].trouble) });
  return ill.length ? t("words.ail", { n: ill.length, names: joinNames(ill.map(({ name }) => deviceName(name))) }) : "";
}

export const devicesWellText = t("words.well_again");
export const notPairedText = t("words.not_paired");
export const noMugginsText = t("words.no_muggins");
