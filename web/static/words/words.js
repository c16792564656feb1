// Every sentence of the game, as said at the table, in the reader's language.

import { html } from "../lib/dom.js";
import { isOnlyLikely, isRuling, isScore, lineOf, touches, wasOf, whyOf } from "./entries.js";
import { known, language, t, translated } from "../lib/i18n.js";

/** "skunk", "double skunk": what missing so many lines is called. */
const skunkCalled = (state, skunks) => t(`words.skunk_${sizeOf(state, skunks)}`);

/** Which skunk that is in the catalog: 1 to 3 lines missed, or the lurch. */
const sizeOf = ({ game }, skunks) => (skunks && game.rules.lurch ? "lurch" : Math.min(skunks, 3));

const LEFTWARD = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"; // letters that are written from right to left
const RIGHT_TO_LEFT = new RegExp(LEFTWARD, "u");
const LEFTWARD_WORDS = new RegExp(`${LEFTWARD}+( +${LEFTWARD}+)*`, "gu");
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3fffd}]/u;

/** A name of another writing direction cannot turn the sentence round. */
const fenced = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** The same for the names in a sentence that came as a whole. */
export const fencedIn = (text) => text.replace(LEFTWARD_WORDS, "\u2068$&\u2069");

/** How many letters wide a name is; wide letters count twice. */
export const letters = (name) => [...name].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);

const LONGEST = 24; // letters of a name in a sentence

const shortened = (name) => (letters(name) > LONGEST ? `${[...name].slice(0, LONGEST - 1).join("")}…` : name);

const firstWord = (name) => name.trim().split(/\s+/u)[0];

/** A seat's name for a sentence: the first word, unless two seats share it. */
export function called(state, seat) {
  const first = firstWord(state.seats[seat].name);
  const shared = state.seats.filter((one) => firstWord(one.name) === first).length > 1;
  return fenced(shared ? state.seats[seat].name : shortened(first));
}

export const deals = (state, seat) => t("words.deals", { name: called(state, seat) });

const PARTNERS = ` ${t("words.partners")} `;

const seatsOf = (state, lane) => state.seats.flatMap((seat, i) => (seat.lane === lane ? [i] : []));

/** Whole name of a lane; partners share one. */
export function laneName(state, lane) {
  const names = seatsOf(state, lane).map((i) => state.seats[i].name);
  return names.length > 1 ? names.map(fenced).join(PARTNERS) : names[0];
}

export const laneCalled = (state, lane) => seatsOf(state, lane).map((i) => called(state, i)).join(PARTNERS);

/** The seats of everybody who pegs in another lane. */
export const seatsBeside = (state, lane) => state.seats.flatMap((one, seat) => (one.lane === lane ? [] : [seat]));

/** Who a sentence on a lane is about: its name, and as `n` how many players that are. */
const ofLane = (state, lane) => ({ name: laneCalled(state, lane), n: seatsOf(state, lane).length });

/** Who stands behind a line of the sheet. */
const whose = (state, entry) => (entry.seat === null ? laneCalled(state, entry.lane) : called(state, entry.seat));

/** "Bob +4" */
export const gains = (state, lane, points) => `${laneCalled(state, lane)} +${points}`;

/** A reason that somebody wrote down, kept from turning the sentence round. */
const noted = (text, { note }) => (note ? t("words.noted", { text, note: fenced(note) }) : text);

const whyCalled = (cause) => known(`words.why_${cause}`, cause);

/** "hand", where nobody has said so "likely hand", or the door that points came through whose reason is not known. */
function reason(entry) {
  const cause = whyOf(entry);
  if (!cause) return known(`words.source_${entry.source}`, entry.source);
  return isOnlyLikely(entry) ? t("words.likely", { why: whyCalled(cause) }) : whyCalled(cause);
}

/** From here on only the look of a likely reason tells that nobody has said it; below, a figure says how sure it is. */
export const SURE = 0.98;

/** A sentence that tells what an entry was for, as nodes: what is only likely looks so, and is heard to be. */
export function marked(text, entry) {
  const said = isScore(entry) && isOnlyLikely(entry) ? reason(entry) : "";
  const at = said ? text.lastIndexOf(said) : -1;
  if (at < 0) return [text];
  const word = whyCalled(whyOf(entry));
  const quiet = (part) => (part ? html(entry.likely?.sure >= SURE ? "span.unseen" : "span", part) : null);
  const around = said.split(word);
  const likely = html("i.maybe", { title: t("words.most_likely") }, quiet(around[0]), word, quiet(around.slice(1).join(word)));
  return [text.slice(0, at), likely, text.slice(at + said.length)];
}

/** What points are for: "hand", "penalty: misdeal". */
export function why(entry) {
  if (entry.do === "muggins" && !entry.missed) return t("words.wrong_call");
  return noted(reason(entry), entry);
}

const plus = (points) => (points ? `+${points}` : t("words.zero"));

/** "Ann +12, hand", "Ann back 15", "Back to line 4" */
export function line(state, entry) {
  switch (entry.do) {
    case "deal":
      return deals(state, entry.dealer);
    case "stage":
      return t(`words.stage_${entry.stage}`);
    case "score":
    case "penalty":
      return t("words.scored", { name: whose(state, entry), points: plus(entry.points), why: why(entry) });
    case "muggins":
      return t(entry.missed ? "words.muggins" : "words.wrong_call_by", {
        name: whose(state, entry), points: plus(entry.points), caller: entry.missed ? "" : called(state, entry.caller),
      });
    case "over_peg":
      return [t("words.put_right", { line: entry.entry, truth: truth(entry) }), ...awarded(state, entry)].join(", ");
    case "false_claim":
      return t("words.false_claim", { what: falseClaim(state, entry).join(", ") });
    case "peg_back":
      return noted(back(state, entry), entry);
    case "set_pegs":
      return [t("words.judged", { name: whose(state, entry), hole: entry.front }), ...(entry.note ? [fenced(entry.note)] : [])].join(", ");
    case "retract":
      return noted(entry.entry === "0" ? t("words.back_to_start") : t("words.back_to", { line: entry.entry }), entry);
    default:
      return entry.do.replaceAll("_", " ");
  }
}

const back = (state, entry) => t("words.back", { name: whose(state, entry), holes: entry.holes });

/** "8, not 10": what a ruling found, and what the line had claimed. */
const truth = ({ points, was }) => t("words.truth", { points, was });

const awarded = (state, { awarded: lane, award }) => (award ? [gains(state, lane, award)] : []);

const falseClaim = (state, entry) =>
  [`${laneCalled(state, entry.lane)} ${entry.points}`, ...awarded(state, entry), back(state, entry)];

/** A ruling on a lane, for a row that shows whose it is: "back 15: renege" */
export function ruling(state, entry) {
  switch (entry.do) {
    case "over_peg":
      return [t("words.line_truth", { line: entry.entry, truth: truth(entry) }), ...awarded(state, entry)].join(", ");
    case "false_claim":
      return [t("words.a_false_claim"), ...awarded(state, entry)].join(", ");
    case "peg_back":
      return noted(t("words.backwards", { holes: entry.holes }), entry);
    case "set_pegs":
      return noted(t("words.set_by_judge"), entry);
    default:
      return line(state, entry);
  }
}

/** What has become of a line; "" for most. */
export function fate(entry) {
  if (!entry.stands) return t("words.taken_back");
  if (entry.retracted) return t("words.retracted");
  if (Number.isInteger(entry.truth)) return t("words.truly", { points: entry.truth });
  if (!entry.counts) return t("words.after_end");
  const was = wasOf(entry);
  return was === null ? "" : t("words.not", { points: was });
}

const told = (state, entry) => [line(state, entry), fate(entry)].filter(Boolean).join(", ");

export const amount = (entry) => (entry.points ? `+${entry.points}` : "0");

/** The last move, under the score of a lane: "+12 hand", "back 15"; null where it was another's. */
export function lastOf(state, entry, lane) {
  if (entry.awarded === lane && entry.award) return t("words.awarded", { points: entry.award });
  if (entry.lane !== lane) return null;
  if (isScore(entry)) return `${plus(entry.points)} ${reason(entry)}`;
  if (entry.do === "set_pegs") return t("words.set_by_judge");
  return entry.do === "over_peg" ? truth(entry) : t("words.backwards", { holes: entry.holes });
}

/** "57 → 69, just now" */
export function fromTo(entry, ago) {
  const moved = entry.counts && Number.isInteger(entry.from) && entry.from !== entry.to;
  return [...(moved ? [`${entry.from} → ${entry.to}`] : []), fate(entry), ago].filter(Boolean).join(", ");
}

/** Seconds into "just now", "2 s ago", then the clock. */
export function ago(seconds, at) {
  if (seconds < 2) return t("words.just_now");
  if (seconds < 60) return t("words.seconds_ago", { seconds: Math.floor(seconds) });
  return clock(at);
}

const clock = (at, second) =>
  new Date(at * 1000).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second, hour12: false });

/** The seat and what it counts; null outside the show. */
function toCount({ game, dealer }) {
  if (game.phase === "hand" && game.to_count !== null) return { seat: game.to_count, what: "hand" };
  return game.phase === "crib" && dealer !== null ? { seat: dealer, what: "crib" } : null;
}

/** The two likeliest ways in which the deal stands, where that is not sure. */
export const both = ({ dealer, game }) => [{ dealer, phase: game.phase, to_count: game.to_count }, game.otherwise];

/** The same in words: "Still in the play", "Bob counts the hand". */
export const ways = (state) => both(state).map((one, i, all) => wayOf(state, one, all[1 - i]));

function wayOf(state, one, other) {
  const count = toCount({ game: one, dealer: one.dealer });
  if (count && one.dealer === other.dealer) return t(`words.counts_${count.what}`, { name: called(state, count.seat) });
  if (count) return t(`words.counts_${count.what}_dealt`, { name: called(state, count.seat), dealer: called(state, one.dealer) });
  return t(one.dealer === other.dealer ? "words.still_play" : "words.play_dealt", { name: called(state, one.dealer) });
}

/** Whether nobody knows yet who deals first, and nothing has been pegged. */
export const asksFirst = (state) => state.game.phase === "cut" && state.seats.length > 1 && !dealIsKnown(state);

/** Whether who deals has been said, or is known from an earlier game, so that nobody cuts for it. */
const dealIsKnown = ({ game, lanes }) => game.dealer_sure === 1 || lanes.some(({ games_won: games }) => games > 0);

/** What the table is doing, in the third person. */
export function doing(state) {
  const { game, dealer } = state;
  const count = toCount(state);
  if (game.over) return t(state.match.winner === null ? "words.game_over" : "words.match_over");
  if (game.otherwise) return t("words.either", { one: ways(state)[0], other: ways(state)[1] });
  if (count) return t(`words.counts_${count.what}`, { name: called(state, count.seat) });
  if (game.phase === "unknown") return t("words.play_or_show");
  if (dealer === null) return t("words.cut");
  if (game.phase === "cut") return t(dealIsKnown(state) ? "words.deals_first" : "words.cut_deals", { name: called(state, dealer) });
  return game.scored ? t("words.play") : deals(state, dealer);
}

/** The same for the one who sits in `seat`, or for everybody where that is null; `keys` tells that both ways are keys. */
export function hint(state, seat, { keys = false, lane = null } = {}) {
  const { game, dealer } = state;
  const count = toCount(state);
  if (keys && asksFirst(state)) return t("pad.who_deals");
  if (keys && game.ask_deal) return t("words.ask_deal", { name: called(state, dealer) });
  if (game.otherwise && !game.over) return keys ? t(game.otherwise.dealer === dealer ? "words.play_or_show" : "words.who_deals_now") : doing(state);
  if (game.over || !count) return game.over || seat === null || dealer !== seat ? doing(state) : yours(state);
  if (count.seat === seat) return t(`words.count_your_${count.what}`);
  return lane === state.seats[count.seat].lane ? pointsDue(state, count) : t("words.show", { doing: doing(state) });
}

/** "Points for Bob: the hand" */
const pointsDue = (state, { seat, what }) => t(`words.points_${what}`, { name: called(state, seat) });

/** Whose cards are counted now; null outside the show, and where that is not sure. */
export const dueSeat = (state) => (state.game.over || state.game.otherwise ? null : (toCount(state)?.seat ?? null));

/** What the table is doing, said to the dealer. */
function yours(state) {
  const { phase, scored } = state.game;
  if (phase === "cut") return t(dealIsKnown(state) ? "words.you_deal_first" : "words.cut_you_deal");
  return scored ? doing(state) : t("words.you_deal");
}

/** "52 to go"; alone, where less than the game hole is enough, "13 to win, 43 to go". */
export function toGo(state, lane) {
  const { out } = state.needs[lane];
  const { enough = 0 } = state.game.rules;
  const short = enough - state.lanes[lane].front;
  if (!enough) return t("words.to_go", { n: out });
  return short > 0 ? t("words.to_win_to_go", { short, out }) : t("words.enough_to_go", { out });
}

/** The nearest skunk line ahead: its name, the hole that saves, and how far that is. */
function lineAhead(state, lane) {
  const { save, skunks } = state.needs[lane];
  return save === null ? null : { called: skunkCalled(state, skunks), saved: state.lanes[lane].front + save, needs: save };
}

/** "Needs 4 to save the skunk", from thirty holes before the leader's game hole; else null. */
export function danger(state, lane) {
  const leader = Math.max(...state.lanes.map((one) => one.front));
  const near = state.lanes.length > 1 && leader >= state.game.game_hole - 30 && state.lanes[lane].front < leader;
  return near && !state.game.over ? lineAhead(state, lane) : null;
}

export const dangerLong = (state, lane, { needs, called: line }) => t("words.needs_to_save", { ...ofLane(state, lane), needs, line });

export const dangerShort = ({ needs, called: line }) => t("words.to_save", { needs, line });

export const dangerHole = ({ needs, saved }) => t("words.to_hole", { needs, hole: saved });

export const wins = (state, lane) => t("words.wins", ofLane(state, lane));

/** "Skunked: 3 short of 91" */
export function lost(state, lane) {
  const { front, skunks } = state.lanes[lane];
  if (isHome(state, lane)) return t("words.home_late");
  if (!skunks) return t("words.short", { holes: state.game.game_hole - front });
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  return t(`words.skunked_${sizeOf(state, skunks)}`, { holes: saved - front, hole: saved });
}

/** The end of a game: a bold word and the sentences after it. */
export function ending(state) {
  const { game, lanes } = state;
  const losers = lanes.map((_, lane) => lane).filter((lane) => lane !== game.winner);
  const worst = Math.max(0, ...losers.map((lane) => lanes[lane].skunks));
  if (game.winner === null) return { bold: "", rest: t("words.so_many_of", { holes: lanes[0].front, hole: game.game_hole }) };
  if (!losers.length) return { bold: "", rest: t("words.home_with", { holes: lanes[game.winner].front }) };
  const home = alsoHome(state, losers);
  if (!worst) return { bold: "", rest: [home || ahead(state, losers), ...worth(game, 0)].join(" ") };
  const skunked = losers.filter((lane) => lanes[lane].skunks);
  const rest = [home, ...skunked.map((lane) => shortOf(state, lane)), ...worth(game, worst)].filter(Boolean).join(" ");
  return { bold: t(`words.a_skunk_${sizeOf(state, worst)}`), rest };
}

/** "By 12 holes." */
const ahead = ({ game, lanes }, losers) =>
  t("words.by_holes", { n: Math.min(...losers.map((lane) => game.game_hole - lanes[lane].front)) });

const isHome = ({ game, lanes }, lane) => lanes[lane].front === game.game_hole;

/** "Both are home; Ann was first." Where no loser is, "". */
function alsoHome(state, losers) {
  const { winner } = state.game;
  const home = losers.filter((lane) => isHome(state, lane)).map((lane) => laneCalled(state, lane));
  if (!home.length) return "";
  const first = ofLane(state, winner);
  if (state.lanes.length === 2) return t("words.both_home", first);
  return t("words.all_home", { ...first, all: listed([first.name, ...home]) });
}

/** "It counts as two games." One game goes without saying. */
function worth({ rules: { worth: values } }, skunks) {
  const value = values[Math.min(skunks, values.length - 1)];
  if (values[0] > 1) return [t("words.worth", { n: value })];
  return skunks ? [known(`words.counts_as_${value}`, t("words.counts_as", { n: value }))] : [];
}

/** "Bob was 3 holes short of the skunk line at 91." */
function shortOf(state, lane) {
  const { front, skunks } = state.lanes[lane];
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  const holes = t("words.holes", { n: saved - front });
  return t("words.short_of", { ...ofLane(state, lane), holes, line: skunkCalled(state, skunks), hole: saved });
}

/** "Ann, Bob and Cy" */
const listed = (names) =>
  names.length > 1 ? t("words.and", { first: names.slice(0, -1).join(", "), last: names.at(-1) }) : names.join("");

/** "Ann has won the match", or "" while it is not decided. */
export function matchWon(state) {
  const { winner } = state.match;
  return winner === null ? "" : t("words.won_match", ofLane(state, winner));
}

/** "Games, best of 3" */
export function gamesHeading({ match }) {
  if (match.to_win === null) return t("words.games_won");
  return t("words.games_in", { format: formatCalled(match.format) });
}

/** "best of 3", "single game": how a match is played. */
export function formatCalled(format) {
  const [, kind, games] = /^(.*?)(?: (\d+))?$/u.exec(format);
  return known(`words.format_${kind.replaceAll(" ", "_")}`, format, { games });
}

/** "To confirm: Ann, Bob", or "" where all have. */
export function unconfirmed(state) {
  const lanes = state.game.unconfirmed;
  return lanes.length ? t("words.to_confirm", { names: lanes.map((lane) => laneCalled(state, lane)).join(", ") }) : "";
}

export const confirmMine = t("words.confirm_result");
export const confirms = t("words.confirms");

/** "121 to 88", the winner's first. */
export function fronts({ game, lanes }) {
  const first = game.winner ?? 0;
  const others = lanes.filter((_, lane) => lane !== first).map(({ front }) => `${front}`);
  if (!others.length) return `${lanes[first].front}`;
  return t("words.to", { first: lanes[first].front, others: listed(others) });
}

/** A name, which may be cut short, and what is said of it, which may not. */
export function headline(state) {
  const { winner } = state.game;
  if (winner === null) return { name: "", says: t("words.not_home") };
  return { name: laneCalled(state, winner), says: t("words.does_win", ofLane(state, winner)) };
}

/** "Ann has won: take the win back?" */
export const winLost = (state) => t("words.win_lost", ofLane(state, state.game.winner));

export const result = (state) => (state.game.winner === null ? t("words.not_home") : wins(state, state.game.winner));

/** Another winner or other skunks make another result. */
const outcome = ({ game, lanes }) => (game.over ? [game.winner, ...lanes.map(({ skunks }) => skunks)].join() : null);

/** "Bob wins, 121 to 80. A skunk." */
const resultSpoken = (state) => [`${result(state)}, ${fronts(state)}`, ending(state).bold].filter(Boolean).join(". ");

/** The board in one breath, for those who hear it. */
export const spokenBoard = (state) =>
  `${[t("words.board"), ...state.lanes.map(({ front, rear }, lane) => t("words.stands", { name: laneCalled(state, lane), front, rear }))].join(". ")}.`;

/** What the live region says of a change. */
export function spoken(before, after) {
  if (after.game.id !== before.game.id) return anotherGame(after);
  if (after.game.over && outcome(after) !== outcome(before)) return resultSpoken(after);
  return lineSpoken(before, after) ?? confirmationSpoken(before, after) ?? nameSpoken(before, after);
}

const RATHER = 0.9; // where it is less sure what comes now, it is said to be likely

/** What the table does now, where that has changed: "Most likely: Bob counts the hand"; else "". */
export function turnSpoken(before, after) {
  const now = doing(after);
  const silent = after.game.over || after.game.otherwise !== null || after.game.id !== before.game.id;
  const goesOn = after.game.phase === "play" && after.game.scored; // no news, nor that a hand was none
  if (silent || goesOn || now === doing(before)) return "";
  return after.game.sure < RATHER ? t("words.likely_now", { doing: now }) : now;
}

const anotherGame = (state) =>
  state.entries.length ? `${t("words.earlier_game")} ${spokenBoard(state)}` : t("words.new_game", { deals: deals(state, state.dealer) });

function lineSpoken(before, after) {
  const seen = new Map(before.entries.map((entry) => [entry.id, entry]));
  const fresh = after.entries.find((entry) => !seen.has(entry.id) && entry.stands && isNewer(entry, before));
  if (fresh) return aloud(after, fresh);
  const turned = after.entries.find((entry) => seen.has(entry.id) && seen.get(entry.id).stands !== entry.stands);
  if (turned) return t(turned.stands ? "words.said_put_back" : "words.said_taken_back", { what: aloud(after, turned) });
  const moved = after.entries.find((entry) => seen.has(entry.id) && seen.get(entry.id).lane !== entry.lane);
  if (moved) return t("words.put_right", { line: moved.id, truth: aloud(after, moved) });
  const amended = after.entries.find((entry) => seen.has(entry.id) && seen.get(entry.id).points !== entry.points);
  if (!amended) return null;
  const right = truth({ points: amended.points, was: seen.get(amended.id).points });
  return `${t("words.put_right", { line: amended.id, truth: right })}${now(after, amended)}`;
}

/** Where little room is left, an old line can come back into the picture. */
const isNewer = (entry, { entries }) => !entries.length || Number(entry.id) > Number(entries[0].id);

/** "Ann 12, now 69" */
function aloud(state, entry) {
  if (entry.do === "score") return `${whose(state, entry)} ${entry.points}${now(state, entry)}`;
  return `${line(state, entry)}${now(state, entry)}`;
}

/** Where the lane of a line stands now; after a retraction, where everybody does. */
function now(state, entry) {
  if (entry.do === "retract") return `. ${spokenBoard(state)}`;
  return Number.isInteger(entry.lane) ? `, ${t("words.now", { hole: state.lanes[entry.lane].front })}` : "";
}

function confirmationSpoken(before, after) {
  const seat = after.seats.findIndex((one, i) => one.confirmed && !before.seats[i]?.confirmed);
  return seat < 0 ? null : t("words.has_confirmed", { name: called(after, seat) });
}

function nameSpoken(before, after) {
  const seat = after.seats.findIndex(({ name }, i) => before.seats[i] && name !== before.seats[i].name);
  return seat < 0 ? null : t("words.renamed", { former: fencedIn(before.seats[seat].name), name: fencedIn(after.seats[seat].name) });
}

export const link = { live: t("words.live"), waiting: t("common.connecting"), lost: t("words.lost") };

export const dialled = (points) => `+${points} …`;

// The devices.

export const group = (number) => number.toLocaleString(language);

export const times = (count) => t("words.times", { n: count, count: group(count) });

/** A device by the name that the pages have for it, or by its own. */
export const deviceCalled = (name) => known(`words.device_${name.toLowerCase().replaceAll(" ", "_")}`, name);

/** What ails the devices, "" while all are well: "LED strip: no answer" */
export function ailing({ devices }) {
  const ill = devices.filter(({ trouble }) => trouble !== null);
  if (ill.length === 1) return t("words.ails", { name: deviceCalled(ill[0].name), trouble: translated(ill[0].trouble) });
  return ill.length ? t("words.ail", { n: ill.length, names: listed(ill.map(({ name }) => deviceCalled(name))) }) : "";
}

export const wellAgain = t("words.well_again");

export const wellness = ({ ok, failing_since: at }) => 
  ok ? t("words.working") : at ? t("words.failing_since", { at: clock(at, "2-digit") }) : t("words.failing");

/** What is told of the program itself, in the form of a device. */
export const serviceCard = ({ version, uptime_s: seconds, viewers, journal }) => ({
  name: t("words.this_table"),
  about: `pegboard ${version}`,
  ok: true,
  extra: { [t("words.open_since")]: new Date(Date.now() - 1000 * seconds).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", hour12: false }), [t("words.looking_on")]: viewers, [t("words.events")]: group(journal.revision) },
});

// The strip, the keys and their reasons.

/** "Bob deals: peg 2", "A new deal: peg 2": what has a refused score taken. */
export function offerSaid(state, { dealer, new: begins }, { points }) {
  if (dealer === undefined) return t("words.offer_new", { points });
  return t(begins ? "words.offer_next" : "words.offer_deals", { name: called(state, dealer), points });
}

/** A tap that has not been stored yet. */
export function tap(state, { body, label }) {
  const { do: what, points, why: cause, entry, dealer } = body;
  const word = known(`words.why_${label ?? cause}`, label ?? cause);
  switch (what) {
    case "score":
      return word ? `${plus(points)}, ${word}` : plus(points);
    case "deal":
      return dealer === undefined ? t("words.deal") : deals(state, dealer);
    case "stage":
      return t(`words.stage_${body.stage}`);
    case "start":
      return t("words.next_game");
    case "confirm":
      return t("words.confirmation");
    case "muggins":
      return t("words.call_of_muggins", { name: called(state, body.seat) });
    default:
      return undoOf(lineOf(state, entry), t(what === "undo" ? "words.undo" : "words.redo"));
  }
}

export const notSent = (said) => t("words.not_sent", { said });
export const sent = (said) => t("words.sent", { said });
export const tryingAgain = (seconds) => (seconds > 0 ? t("words.trying_in", { seconds }) : t("words.trying_now"));
export const waiting = (points) => t("words.waiting", { points });
export const queueFull = t("words.queue_full");
export const notPaired = t("words.not_paired");
export const olderLines = t("words.older_lines");
export const noUndo = t("words.no_undo");
export const noRedo = t("words.no_redo");
export const noMuggins = t("words.no_muggins");
export const gameOver = t("words.game_over_start");
export const unreadable = t("words.unreadable");

export const nextGame = (state) => t(state.match.winner === null ? "words.next_game" : "words.next_match");

/** Who deals first in the next game, or who has yet to confirm this one. */
export function beforeNext(state) {
  const { dealer_next: dealer } = state.game;
  return unconfirmed(state) || (dealer === null ? "" : dealsFirst(state, dealer));
}

const dealsFirst = (state, seat) => t("words.deals_first", { name: called(state, seat) });

/** "Undo +8", "Undo ruling" */
export function undoOf(entry, word = t("words.undo")) {
  if (!entry) return word;
  if (isRuling(entry)) return t("words.of_ruling", { word });
  return isScore(entry) && entry.points ? `${word} +${entry.points}` : word;
}

/** "Ann calls muggins"; of partners, either may. */
export const calls = (state, seats) =>
  t("words.calls", { name: seats.map((seat) => called(state, seat)).join(PARTNERS), n: seats.length });

/** What a call awards: no more than was claimed, was missed, and could have been pegged by whoever missed it. */
export const callAward = (state, own, call) => (call.missed ? Math.min(call.claimed, call.missed, couldPeg(state, own, call)) : call.claimed);

/** Holes that whoever missed points had still to go; where nobody is named, the other lane. */
function couldPeg({ seats, lanes, game }, own, { opponent }) {
  const owner = Number.isInteger(opponent) ? seats[opponent].lane : lanes.findIndex((_, lane) => lane !== own);
  return game.game_hole - lanes[owner].front;
}

/** That the game hole cuts a call short, of whoever may have missed the points, or "". */
export function cutShort(state, own, call) {
  const owners = state.lanes.map((_, lane) => lane).filter((lane) => lane !== own);
  return owners.flatMap((lane) => {
    const award = callAward(state, own, { ...call, opponent: seatsOf(state, lane)[0] });
    return call.missed && award < Math.min(call.claimed, call.missed) ? [t("words.no_more_to_miss", { name: laneCalled(state, lane), n: award })] : [];
  }).join(" ");
}

/** What a call pegs: "Ann +2", "Wrong call: Bob +2"; of partners, who calls. */
export function callPegs(state, { missed }, lane, points, caller = null, opponent = null) {
  const gained = gains(state, lane, points);
  const owned = opponent === null ? gained : t("words.missed_by", { pegs: gained, name: called(state, opponent) });
  const pegs = missed ? owned : t("words.wrong_call_pegs", { pegs: gained });
  return caller === null ? pegs : t("words.caller_pegs", { name: called(state, caller), pegs });
}

export const noFurther = (end) => t(end > 1 ? "words.the_most" : "words.the_least", { end });

const atMost = (count, entries, say) => entries.slice(0, count).map(say).join(" · ") || t("words.changed");

/** A line in a question about its lane: "+12, hand" */
const onItsLane = (state, entry) =>
  entry.do === "score" ? [plus(entry.points), why(entry), fate(entry)].filter(Boolean).join(", ") : told(state, entry);

/** The question after a lane has moved on under a tap. */
export function movedQuestion(now, item, since, when) {
  const { lane, body } = item;
  const shown = since.map((entry) => lineOf(now, entry.id) ?? entry); // the state knows what each was likely for
  const onLane = shown.filter((entry) => touches(entry, lane));
  if (body.do === "score") {
    const { front } = now.lanes[lane];
    const to = Math.min(front + body.points, now.game.game_hole);
    return {
      lane,
      title: t("words.already_at", { ...ofLane(now, lane), front }),
      since: atMost(3, onLane, (entry) => `${onItsLane(now, entry)}, ${when(entry)}`),
      ask: body.points ? t("words.add_more", { points: body.points }) : t("words.enter_zero"),
      no: [t("words.no_right", { front }), t("words.nothing_added")],
      yes: body.points ? [t("words.yes_add", { points: body.points }), `${front} → ${to}`] : [t("words.yes_zero"), t("words.no_peg")],
    };
  }
  return {
    lane: null,
    title: t("words.moved_on"),
    since: atMost(3, since, (entry) => `${told(now, entry)}, ${when(entry)}`),
    no: [t("words.no_leave"), t("words.nothing_changes")],
    ...stillDue(now, body),
  };
}

const yes = (what) => t("words.yes", { what });

/** Whether it is still wanted, and what it would do. */
function stillDue(now, body) {
  const [, then] = pegsOf(now, body) ?? [null, thenOf(now, body)];
  switch (body.do) {
    case "muggins":
      return { ask: t(body.missed ? "words.still_muggins" : "words.still_wrong"), yes: [yes(pegsOf(now, body)[0]), then] };
    case "deal":
      return { ask: t("words.still_right", { what: then }), yes: [yes(then), t(isNewDeal(now, body) ? "words.next_deal" : "words.this_deal")] };
    case "stage":
      return { ask: t("words.still_right", { what: then }), yes: [yes(then), t("words.no_peg")] };
    default:
      return { ask: t("words.still_start"), yes: [t("words.yes_next_game"), then] };
  }
}

const isNewDeal = ({ game }, body) => body.new ?? game.scored;

/** What a tap would peg: ["Ann +2", "10 → 12"]; null where it pegs nothing. */
function pegsOf(now, body) {
  const lane = pegsIn(now, body);
  const points = body.do === "muggins" ? callAward(now, now.seats[body.seat].lane, body) : body.points;
  if (lane === null || !points) return null;
  const { front } = now.lanes[lane];
  return [gains(now, lane, points), `${front} → ${Math.min(front + points, now.game.game_hole)}`];
}

/** The lane that a tap gives points; those of a wrong call of muggins are an opponent's. */
function pegsIn({ seats, lanes }, { do: what, seat, lane, missed, opponent }) {
  if (what !== "score" && what !== "muggins") return null;
  const own = lane ?? seats[seat].lane;
  if (what === "score" || missed) return own;
  return opponent === undefined ? lanes.findIndex((_, other) => other !== own) : seats[opponent].lane;
}

/** What comes of a tap that pegs nothing. */
function thenOf(now, { do: what, dealer, stage }) {
  if (what === "deal") return deals(now, dealer ?? (now.dealer + 1) % now.seats.length);
  if (what === "stage") return t(`words.stage_${stage}`);
  const first = dealer ?? now.game.dealer_next;
  return what === "start" && first !== null ? dealsFirst(now, first) : t("words.once_answered");
}

/** The question after a minute without an answer. */
export function oldQuestion(now, item) {
  const said = tap(now, item);
  const [, then] = pegsOf(now, item.body) ?? [null, thenOf(now, item.body)];
  return {
    lane: item.lane,
    title: t("words.has_waited", { said }),
    since: t("words.gone_on"),
    ask: t("words.still_send"),
    no: [t("words.no_drop"), t(pegsOf(now, item.body) ? "words.nothing_added" : "words.nothing_changes")],
    yes: [t("words.yes_send"), then],
  };
}

export const holder = {
  ask: t("words.who_holds"),
  all: (count) => t(count === 2 ? "words.both" : "words.everybody"),
  allWhy: t("words.tap_to_change"),
  change: t("words.change"),
  is: (state, seat) => (seat === null ? t("words.scores_for_all") : t("words.phone_of", { name: called(state, seat) })),
};

export const scoreFor = (state, lane) => t("words.score_for", { name: laneName(state, lane) });
export const keysFor = (state, lane) => t("words.points_for", { name: laneName(state, lane) });
export const alreadyDeals = (state, seat) => t("words.has_deal", { name: called(state, seat) });
