// Every sentence the pages say, as said at the table.

import { isRuling, isScore, lineOf, touches, wasOf } from "./sheet.js";

const LINES = ["skunk", "double skunk", "triple skunk"];

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

export const deals = (state, seat) => `${called(state, seat)} deals`;

const seatsOf = (state, lane) => state.seats.flatMap((seat, i) => (seat.lane === lane ? [i] : []));

/** Whole name of a lane; partners share one. */
export function laneName(state, lane) {
  const names = seatsOf(state, lane).map((i) => state.seats[i].name);
  return names.length > 1 ? names.map(fenced).join(" & ") : names[0];
}

export const laneCalled = (state, lane) => seatsOf(state, lane).map((i) => called(state, i)).join(" & ");

const several = (state, lane) => seatsOf(state, lane).length > 1;

/** Who stands behind a line of the sheet. */
const whose = (state, entry) => (entry.seat === null ? laneCalled(state, entry.lane) : called(state, entry.seat));

/** "Bob +4" */
export const gains = (state, lane, points) => `${laneCalled(state, lane)} +${points}`;

/** A reason that somebody wrote down, kept from turning the sentence round. */
const noted = (text, { note }) => (note ? `${text}: ${fenced(note)}` : text);

/** What points are for: "hand", "penalty: misdeal". */
export function why(entry) {
  if (entry.do === "muggins" && !entry.missed) return "wrong call of muggins";
  return noted(entry.why ?? entry.source, entry);
}

const plus = (points) => (points ? `+${points}` : "zero");

/** "Ann +12, hand", "Ann back 15", "Back to line 4" */
export function line(state, entry) {
  switch (entry.do) {
    case "deal":
      return deals(state, entry.dealer);
    case "score":
    case "penalty":
      return `${whose(state, entry)} ${plus(entry.points)}, ${why(entry)}`;
    case "muggins":
      return `${entry.missed ? "Muggins" : `Wrong call of muggins by ${called(state, entry.caller)}`}: ${whose(state, entry)} ${plus(entry.points)}`;
    case "over_peg":
      return [`Line ${entry.entry} put right: ${truth(entry)}`, ...awarded(state, entry)].join(", ");
    case "false_claim":
      return `False claim: ${falseClaim(state, entry).join(", ")}`;
    case "peg_back":
      return noted(`${whose(state, entry)} back ${entry.holes}`, entry);
    case "set_pegs":
      return `Judge: ${whose(state, entry)} to ${entry.front}${entry.note ? `, ${fenced(entry.note)}` : ""}`;
    case "retract":
      return noted(`Back to ${entry.entry === "0" ? "the start" : `line ${entry.entry}`}`, entry);
    default:
      return entry.do.replaceAll("_", " ");
  }
}

/** "8, not 10": what a ruling found, and what the line had claimed. */
const truth = ({ points, was }) => `${points}, not ${was}`;

const awarded = (state, { awarded: lane, award }) => (award ? [gains(state, lane, award)] : []);

function falseClaim(state, entry) {
  const name = laneCalled(state, entry.lane);
  return [`${name} ${entry.points}`, ...awarded(state, entry), `${name} back ${entry.holes}`];
}

/** A ruling on a lane, for a row that shows whose it is: "back 15: renege" */
export function ruling(state, entry) {
  switch (entry.do) {
    case "over_peg":
      return [`line ${entry.entry}: ${truth(entry)}`, ...awarded(state, entry)].join(", ");
    case "false_claim":
      return ["false claim", ...awarded(state, entry)].join(", ");
    case "peg_back":
      return noted(`back ${entry.holes}`, entry);
    case "set_pegs":
      return noted("set by the judge", entry);
    default:
      return line(state, entry);
  }
}

/** What has become of a line; "" for most. */
export function fate(entry) {
  if (!entry.stands) return "taken back";
  if (entry.retracted) return "retracted";
  if (Number.isInteger(entry.truth)) return `truly ${entry.truth}`;
  if (!entry.counts) return "after the end";
  const was = wasOf(entry);
  return was === null ? "" : `not ${was}`;
}

const told = (state, entry) => [line(state, entry), fate(entry)].filter(Boolean).join(", ");

export const amount = (entry) => (entry.points ? `+${entry.points}` : "0");

/** The last move, under the score of a lane: "+12 hand", "back 15"; null where it was another's. */
export function lastOf(state, entry, lane) {
  if (entry.awarded === lane && entry.award) return `+${entry.award} awarded`;
  if (entry.lane !== lane) return null;
  if (isScore(entry)) return `${plus(entry.points)} ${entry.why ?? entry.source}`;
  if (entry.do === "set_pegs") return "set by the judge";
  return entry.do === "over_peg" ? truth(entry) : `back ${entry.holes}`;
}

/** "57 → 69, just now" */
export function fromTo(entry, ago) {
  const moved = entry.counts && Number.isInteger(entry.from) && entry.from !== entry.to;
  return [...(moved ? [`${entry.from} → ${entry.to}`] : []), fate(entry), ago].filter(Boolean).join(", ");
}

/** Seconds into "just now", "2 s ago", then the clock. */
export function ago(seconds, at) {
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  return clock(at);
}

const clock = (at, second) =>
  new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second, hour12: false });

/** The seat and what it counts; null outside the show. */
function toCount({ game, dealer }) {
  if (game.phase === "hand" && game.to_count !== null) return { seat: game.to_count, what: "hand" };
  return game.phase === "crib" && dealer !== null ? { seat: dealer, what: "crib" } : null;
}

/** What the table is doing, in the third person. */
export function doing(state) {
  const { game, dealer } = state;
  const count = toCount(state);
  if (game.over) return state.match.winner === null ? "The game is over" : "The match is over";
  if (count) return `${called(state, count.seat)} counts the ${count.what}`;
  if (game.phase === "unknown") return "Play or show";
  if (dealer === null) return "Cut for the deal";
  if (game.phase === "cut") return `Cut for the deal: ${deals(state, dealer)}`;
  return game.scored ? "Play" : deals(state, dealer);
}

/** The same for the one who sits in `seat`, or for everybody where that is null. */
export function hint(state, seat) {
  const { game, dealer } = state;
  const count = toCount(state);
  if (game.over) return doing(state);
  if (count) return `Show: ${count.seat === seat ? `now count your ${count.what}` : doing(state)}`;
  if (game.phase === "unknown") return "Play or show? Deal is under More";
  if (seat === null || dealer !== seat) return doing(state);
  return doing(state).replace(deals(state, seat), game.phase === "cut" ? "you deal" : "You deal");
}

export const toGo = (state, lane) => `${state.needs[lane].out} to go`;

/** The nearest skunk line ahead: its name, the hole that saves, and how far that is. */
function lineAhead(state, lane) {
  const { save, skunks } = state.needs[lane];
  return save === null ? null : { called: LINES[skunks - 1], saved: state.lanes[lane].front + save, needs: save };
}

/** "Needs 4 to save the skunk", from thirty holes before the leader's game hole; else null. */
export function danger(state, lane) {
  const leader = Math.max(...state.lanes.map((one) => one.front));
  const near = state.lanes.length > 1 && leader >= state.game.game_hole - 30 && state.lanes[lane].front < leader;
  return near && !state.game.over ? lineAhead(state, lane) : null;
}

export const dangerLong = (state, lane, { needs, called: line }) =>
  `${laneCalled(state, lane)} ${several(state, lane) ? "need" : "needs"} ${needs} to save the ${line}`;

export const dangerShort = ({ needs, called: line }) => `${needs} to save the ${line}`;

export const dangerHole = ({ needs, saved }) => `${needs} to hole ${saved}`;

export const wins = (state, lane) => `${laneCalled(state, lane)} ${several(state, lane) ? "win" : "wins"}`;

/** "Skunked: 3 short of 91" */
export function lost(state, lane) {
  const { front, skunks } = state.lanes[lane];
  if (isHome(state, lane)) return "Home, but not first";
  if (!skunks) return `${state.game.game_hole - front} short`;
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  const word = { 1: "Skunked", 2: "Double skunk" }[skunks] ?? "Triple skunk";
  return `${word}: ${saved - front} short of ${saved}`;
}

/** The end of a game: a bold word and the sentences after it. */
export function ending(state) {
  const { game, lanes } = state;
  const losers = lanes.map((_, lane) => lane).filter((lane) => lane !== game.winner);
  const worst = Math.max(0, ...losers.map((lane) => lanes[lane].skunks));
  if (game.winner === null) return { bold: "", rest: `${lanes[0].front} of ${game.game_hole} holes.` };
  if (!losers.length) return { bold: "", rest: `Home with ${lanes[game.winner].front} holes.` };
  const home = alsoHome(state, losers);
  if (!worst) return { bold: "", rest: [home || ahead(state, losers), ...worth(game, 0)].join(" ") };
  const skunked = losers.filter((lane) => lanes[lane].skunks);
  const rest = [home, ...skunked.map((lane) => shortOf(state, lane)), ...worth(game, worst)].filter(Boolean).join(" ");
  return { bold: `A ${LINES[worst - 1]}.`, rest };
}

/** "By 12 holes." */
const ahead = ({ game, lanes }, losers) =>
  `By ${counted(Math.min(...losers.map((lane) => game.game_hole - lanes[lane].front)), "hole")}.`;

const isHome = ({ game, lanes }, lane) => lanes[lane].front === game.game_hole;

/** "Both are home; Ann was first." Where no loser is, "". */
function alsoHome(state, losers) {
  const { winner } = state.game;
  const home = losers.filter((lane) => isHome(state, lane)).map((lane) => laneCalled(state, lane));
  if (!home.length) return "";
  const all = state.lanes.length === 2 ? "Both" : listed([laneCalled(state, winner), ...home]);
  return `${all} are home; ${laneCalled(state, winner)} ${several(state, winner) ? "were" : "was"} first.`;
}

const counted = (number, thing) => (number === 1 ? `1 ${thing}` : `${number} ${thing}s`);

const NUMBERS = ["no", "one", "two", "three", "four"];

/** "It counts as two games." One game goes without saying. */
function worth({ rules: { worth: values } }, skunks) {
  const value = values[Math.min(skunks, values.length - 1)];
  if (values[0] > 1) return [`It is worth ${value} game points.`];
  return skunks ? [`It counts as ${NUMBERS[value] ?? value} ${value === 1 ? "game" : "games"}.`] : [];
}

/** "Bob was 3 holes short of the skunk line at 91." */
function shortOf(state, lane) {
  const { front, skunks } = state.lanes[lane];
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  const was = several(state, lane) ? "were" : "was";
  return `${laneCalled(state, lane)} ${was} ${counted(saved - front, "hole")} short of the ${LINES[skunks - 1]} line at ${saved}.`;
}

/** "Ann, Bob and Cy" */
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join(""));

const has = (state, lane) => (several(state, lane) ? "have" : "has");

/** "Ann has won the match", or "" while it is not decided. */
export function matchWon(state) {
  const { winner } = state.match;
  return winner === null ? "" : `${laneCalled(state, winner)} ${has(state, winner)} won the match`;
}

/** "Games, best of 3" */
export function gamesHeading({ match }) {
  if (match.to_win === null) return "Games won";
  return `Games, ${match.format === "single" ? "single game" : match.format}`;
}

/** "To confirm: Ann, Bob", or "" where all have. */
export function unconfirmed(state) {
  const lanes = state.game.unconfirmed;
  return lanes.length ? `To confirm: ${lanes.map((lane) => laneCalled(state, lane)).join(", ")}` : "";
}

export const confirmMine = "Confirm the result";
export const confirms = "confirms";

/** "121 to 88", the winner's first. */
export function fronts({ game, lanes }) {
  const first = game.winner ?? 0;
  const others = lanes.filter((_, lane) => lane !== first).map(({ front }) => `${front}`);
  return [`${lanes[first].front}`, ...(others.length ? [listed(others)] : [])].join(" to ");
}

/** A name, which may be cut short, and what is said of it, which may not. */
export function headline(state) {
  const { winner } = state.game;
  if (winner === null) return { name: "", says: "Not home" };
  return { name: laneCalled(state, winner), says: several(state, winner) ? "win" : "wins" };
}

export const result = (state) => (state.game.winner === null ? "Not home" : wins(state, state.game.winner));

/** Another winner or other skunks make another result. */
const outcome = ({ game, lanes }) => (game.over ? [game.winner, ...lanes.map(({ skunks }) => skunks)].join() : null);

/** "Bob wins, 121 to 80. A skunk." */
const resultSpoken = (state) => [`${result(state)}, ${fronts(state)}`, ending(state).bold].filter(Boolean).join(". ");

/** The board in one breath, for those who hear it. */
export const spokenBoard = (state) =>
  `Board. ${state.lanes.map((lane, i) => `${laneCalled(state, i)} at ${lane.front}, rear peg at ${lane.rear}`).join(". ")}.`;

/** What the live region says of a change. */
export function spoken(before, after) {
  if (after.game.id !== before.game.id) return anotherGame(after);
  if (after.game.over && outcome(after) !== outcome(before)) return resultSpoken(after);
  return lineSpoken(before, after) ?? confirmationSpoken(before, after);
}

const anotherGame = (state) =>
  state.entries.length ? `An earlier game again. ${spokenBoard(state)}` : `New game: ${deals(state, state.dealer)}`;

function lineSpoken(before, after) {
  const known = new Map(before.entries.map((entry) => [entry.id, entry]));
  const fresh = after.entries.find((entry) => !known.has(entry.id) && entry.stands && isNewer(entry, before));
  if (fresh) return aloud(after, fresh);
  const turned = after.entries.find((entry) => known.has(entry.id) && known.get(entry.id).stands !== entry.stands);
  if (turned) return `${turned.stands ? "Put back" : "Taken back"}: ${aloud(after, turned)}`;
  const amended = after.entries.find((entry) => known.has(entry.id) && known.get(entry.id).points !== entry.points);
  return amended ? `Line ${amended.id} put right: ${amended.points}, not ${known.get(amended.id).points}${now(after, amended)}` : null;
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
  return Number.isInteger(entry.lane) ? `, now ${state.lanes[entry.lane].front}` : "";
}

function confirmationSpoken(before, after) {
  const seat = after.seats.findIndex((one, i) => one.confirmed && !before.seats[i]?.confirmed);
  return seat < 0 ? null : `${called(after, seat)} has confirmed the result`;
}

export const link = { live: "Live", waiting: "Connecting", lost: "No connection" };

export const dialled = (points) => `+${points} …`;

// The devices.

export const group = (number) => number.toLocaleString("en");

export const times = (count) => (count === 1 ? "once" : `${group(count)} times`);

/** What ails the devices, "" while all are well: "LED strip: no answer" */
export function ailing({ devices }) {
  const ill = devices.filter(({ trouble }) => trouble !== null);
  if (ill.length === 1) return `${ill[0].name}: ${ill[0].trouble}`;
  return ill.length ? `${listed(ill.map(({ name }) => name))} do not work` : "";
}

export const wellAgain = "All devices work again";

export const wellness = ({ ok, failing_since: at }) => (ok ? "working" : at ? `failing since ${clock(at, "2-digit")}` : "failing");

/** What is told of the program itself, in the form of a device. */
export const serviceCard = ({ version, uptime_s: seconds, viewers, journal }) => ({
  name: "This table",
  about: `pegboard ${version}`,
  ok: true,
  extra: { "open since": new Date(Date.now() - 1000 * seconds).toLocaleString([], { dateStyle: "medium", timeStyle: "short", hour12: false }), "looking on": viewers, "events in the journal": group(journal.revision) },
});

// The strip, the keys and their reasons.

/** A tap that has not been stored yet. */
export function tap(state, { body, label }) {
  const { do: what, points, why: reason, entry, dealer } = body;
  const word = label ?? reason;
  switch (what) {
    case "score":
      return word ? `${plus(points)}, ${word}` : plus(points);
    case "deal":
      return dealer === undefined ? "Deal" : deals(state, dealer);
    case "start":
      return "Next game";
    case "confirm":
      return "Confirmation";
    case "muggins":
      return `${called(state, body.seat)}’s call of muggins`;
    default:
      return undoOf(lineOf(state, entry), what === "undo" ? "Undo" : "Redo");
  }
}

export const notSent = (said) => `${said}: not sent yet`;
export const tryingAgain = (seconds) => (seconds > 0 ? `Trying again in ${seconds} s` : "Trying again now");
export const waiting = (points) => `+${points} waiting`;
export const queueFull = "20 taps are waiting already. Cancel one, or wait for the connection";
export const notPaired = "This phone is not paired with the table";
export const olderLines = "The newest lines are all taken back";
export const noUndo = "Nothing to take back";
export const noRedo = "Nothing was taken back";
export const noMuggins = "Muggins is not played here";
export const gameOver = "The game is over: start the next one";
export const unreadable = "The table answered something this page does not understand. Load the page again";

export const nextGame = (state) => (state.match.winner === null ? "Next game" : "Next match");

/** Who deals first in the next game, or who has yet to confirm this one. */
export function beforeNext(state) {
  const { dealer_next: dealer } = state.game;
  return unconfirmed(state) || (dealer === null ? "" : `${deals(state, dealer)} first`);
}

/** "Undo +8", "Undo ruling" */
export function undoOf(entry, word = "Undo") {
  if (!entry) return word;
  if (isRuling(entry)) return `${word} ruling`;
  return isScore(entry) && entry.points ? `${word} +${entry.points}` : word;
}

/** "Ann calls muggins"; of partners, either may. */
export const calls = (state, seats) =>
  `${seats.map((seat) => called(state, seat)).join(" & ")} ${seats.length > 1 ? "call" : "calls"} muggins`;

/** What a call pegs: "Ann +2", "Wrong call: Bob +2"; of partners, who calls. */
export function callPegs(state, { missed }, lane, points, caller = null) {
  const pegs = missed ? gains(state, lane, points) : `Wrong call: ${gains(state, lane, points)}`;
  return caller === null ? pegs : `${called(state, caller)} calls: ${pegs}`;
}

export const noFurther = (end) => `${end} is ${end > 1 ? "the most" : "the least"}`;

const atMost = (count, entries, say) => entries.slice(0, count).map(say).join(" · ") || "changed a moment ago";

/** A line in a question about its lane: "+12, hand" */
const onItsLane = (state, entry) =>
  entry.do === "score" ? [plus(entry.points), why(entry), fate(entry)].filter(Boolean).join(", ") : told(state, entry);

/** The question after a lane has moved on under a tap. */
export function movedQuestion(now, item, since, when) {
  const { lane, body } = item;
  const onLane = since.filter((entry) => touches(entry, lane));
  if (body.do === "score") {
    const { front } = now.lanes[lane];
    const to = Math.min(front + body.points, now.game.game_hole);
    return {
      lane,
      title: `${laneCalled(now, lane)} ${several(now, lane) ? "are" : "is"} already at ${front}`,
      since: atMost(3, onLane, (entry) => `${onItsLane(now, entry)}, ${when(entry)}`),
      ask: body.points ? `Add ${body.points} more?` : "Enter a zero?",
      no: [`No, ${front} is right`, "nothing is added"],
      yes: body.points ? [`Yes, add ${body.points} more`, `${front} → ${to}`] : ["Yes, enter zero", "no peg moves"],
    };
  }
  return {
    lane: null,
    title: "The board has moved on",
    since: atMost(3, since, (entry) => `${told(now, entry)}, ${when(entry)}`),
    no: ["No, leave it", "nothing changes"],
    ...stillDue(now, body),
  };
}

/** Whether it is still wanted, and what it would do. */
function stillDue(now, body) {
  const [, then] = pegsOf(now, body) ?? [null, thenOf(now, body)];
  switch (body.do) {
    case "muggins":
      return { ask: `${body.missed ? "Still call muggins" : "Still enter the wrong call"}?`, yes: [`Yes, ${pegsOf(now, body)[0]}`, then] };
    case "deal":
      return { ask: `${then}: is that still right?`, yes: [`Yes, ${then}`, now.game.scored ? "the next deal begins" : "in this deal"] };
    default:
      return { ask: "Start the next game still?", yes: ["Yes, next game", then] };
  }
}

/** What a tap would peg: ["Ann +2", "10 → 12"]; null where it pegs nothing. */
function pegsOf(now, body) {
  const lane = pegsIn(now, body);
  const points = body.do === "muggins" ? (body.missed ? Math.min(body.claimed, body.missed) : body.claimed) : body.points;
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
function thenOf(now, { do: what, dealer }) {
  if (what === "deal") return deals(now, dealer ?? (now.dealer + 1) % now.seats.length);
  return what === "start" && Number.isInteger(dealer) ? `${deals(now, dealer)} first` : "as soon as the table answers";
}

/** The question after a minute without an answer. */
export function oldQuestion(now, item) {
  const said = tap(now, item);
  const [, then] = pegsOf(now, item.body) ?? [null, thenOf(now, item.body)];
  return {
    lane: item.lane,
    title: `${said} has waited a minute`,
    since: "the table may have gone on without it",
    ask: "Send it still?",
    no: ["No, drop it", pegsOf(now, item.body) ? "nothing is added" : "nothing changes"],
    yes: ["Yes, send it", then],
  };
}

export const holder = {
  ask: "Who holds this phone?",
  all: (count) => (count === 2 ? "Both" : "Everybody"),
  allWhy: "tap a score to change sides",
  change: "Change",
  is: (state, seat) => (seat === null ? "This phone scores for everybody" : `This phone is ${called(state, seat)}’s`),
};

export const scoreFor = (state, lane) => `Score for ${laneName(state, lane)}`;
export const keysFor = (state, lane) => `Points for ${laneName(state, lane)}`;
export const alreadyDeals = (state, seat) => `${called(state, seat)} has the deal`;
