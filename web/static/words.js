// Every sentence the pages say, as said at the table.

const WHY = { play: "play", go: "go", heels: "heels", hand: "hand", crib: "crib", muggins: "muggins", penalty: "penalty" };
const LINES = ["skunk", "double skunk", "triple skunk"];

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3fffd}]/u;

/** A name of another writing direction is fenced, so that it cannot turn the sentence round. */
const fenced = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** How many letters wide a name is; wide letters count twice. */
export const letters = (name) => [...name].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);

const firstWord = (name) => name.trim().split(/\s+/u)[0];

/** A seat's name for a sentence: the first word, unless two seats share it. */
export function called(state, seat) {
  const first = firstWord(state.seats[seat].name);
  const shared = state.seats.filter((one) => firstWord(one.name) === first).length > 1;
  return fenced(shared ? state.seats[seat].name : first);
}

export const deals = (state, seat) => `${called(state, seat)} deals`;

const seatsOf = (state, lane) => state.seats.flatMap((seat, i) => (seat.lane === lane ? [i] : []));

/** Whole name of a lane; partners share one. */
export const laneName = (state, lane) => seatsOf(state, lane).map((i) => state.seats[i].name).join(" & ");

export const laneCalled = (state, lane) => seatsOf(state, lane).map((i) => called(state, i)).join(" & ");

const several = (state, lane) => seatsOf(state, lane).length > 1;

/** Who stands behind a line of the sheet. */
const whose = (state, entry) => (entry.seat === null ? laneCalled(state, entry.lane) : called(state, entry.seat));

export const why = (entry) => WHY[entry.why] ?? entry.source ?? "";

const plus = (points) => (points ? `+${points}` : "zero");

/** "Ann +12, hand" */
export function line(state, entry) {
  if (entry.do === "deal") return deals(state, entry.dealer);
  return `${whose(state, entry)} ${plus(entry.points)}, ${why(entry)}`;
}

export const amount = (entry) => plus(entry.points);

/** "57 → 69, just now" */
export const fromTo = (entry, ago) => (entry.do === "score" && entry.points ? `${entry.from} → ${entry.to}, ${ago}` : ago);

/** Seconds into "just now", "2 s ago", then the clock. */
export function ago(seconds, at) {
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  return new Date(at * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
}

const dealJustBegan = (state) => {
  const newest = state.entries.find((entry) => entry.stands);
  return !newest || newest.do === "deal" || newest.why === "crib";
};

/** Whose hand or crib is to be counted: the seat and the word; null outside the show. */
function toCount({ game, dealer }) {
  if (game.phase === "hand" && game.to_count !== null) return { seat: game.to_count, what: "hand" };
  return game.phase === "crib" && dealer !== null ? { seat: dealer, what: "crib" } : null;
}

/** What the table is doing, in the third person. */
export function doing(state) {
  const { game, dealer } = state;
  const count = toCount(state);
  if (game.over) return "The game is over";
  if (count) return `${called(state, count.seat)} counts the ${count.what}`;
  if (game.phase === "unknown") return "Play or show";
  if (dealer === null) return "Cut for the deal";
  if (game.phase === "cut") return `Cut for the deal: ${deals(state, dealer)}`;
  return dealJustBegan(state) ? deals(state, dealer) : "Play";
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

export const toGo = (state, lane) => `${state.game.game_hole - state.lanes[lane].front} to go`;

/** The nearest skunk line a lane has not passed: what it is called, the hole that saves, and how far that is. */
function lineAhead(state, lane) {
  const { front } = state.lanes[lane];
  const nth = state.game.skunk_lines.findLastIndex((hole) => front <= hole);
  if (nth < 0) return null;
  const saved = state.game.skunk_lines[nth] + 1;
  return { called: LINES[nth], saved, needs: saved - front };
}

/** "Needs 4 to save the skunk", from thirty holes before the leader's game hole; else null. */
export function danger(state, lane) {
  const leader = Math.max(...state.lanes.map((one) => one.front));
  const near = state.lanes.length > 1 && leader >= state.game.game_hole - 30 && state.lanes[lane].front < leader;
  const ahead = near && !state.game.over ? lineAhead(state, lane) : null;
  return ahead;
}

export const dangerLong = (state, lane, { needs, called: line }) =>
  `${laneCalled(state, lane)} ${several(state, lane) ? "need" : "needs"} ${needs} to save the ${line}`;

export const dangerShort = ({ needs, called: line }) => `${needs} to save the ${line}`;

export const dangerHole = ({ needs, saved }) => `${needs} to hole ${saved}`;

export const wins = (state, lane) => `${laneCalled(state, lane)} ${several(state, lane) ? "win" : "wins"}`;

/** "Skunked: 3 short of 91" */
export function lost(state, lane) {
  const { front, skunks } = state.lanes[lane];
  if (!skunks) return `${state.game.game_hole - front} short`;
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  const word = { 1: "Skunked", 2: "Double skunk" }[skunks] ?? "Triple skunk";
  return `${word}: ${saved - front} short of ${saved}`;
}

/** The end of a game: a bold word and the sentence after it. */
export function ending(state) {
  const { game, lanes } = state;
  const losers = lanes.map((_, lane) => lane).filter((lane) => lane !== game.winner);
  const worst = Math.max(0, ...losers.map((lane) => lanes[lane].skunks));
  if (game.winner === null) return { bold: "", rest: `${lanes[0].front} of ${game.game_hole} holes.` };
  if (!losers.length) return { bold: "", rest: `Home with ${lanes[game.winner].front} holes.` };
  if (!worst) return { bold: "", rest: `By ${Math.min(...losers.map((lane) => game.game_hole - lanes[lane].front))} holes.` };
  const skunked = losers.filter((lane) => lanes[lane].skunks);
  return { bold: `A ${LINES[worst - 1]}.`, rest: skunked.map((lane) => shortOf(state, lane)).join(" ") };
}

/** "Bob was 3 holes short of the skunk line at 91." */
function shortOf(state, lane) {
  const { front, skunks } = state.lanes[lane];
  const saved = state.game.skunk_lines[skunks - 1] + 1;
  const holes = saved - front === 1 ? "1 hole" : `${saved - front} holes`;
  const was = several(state, lane) ? "were" : "was";
  return `${laneCalled(state, lane)} ${was} ${holes} short of the ${LINES[skunks - 1]} line at ${saved}.`;
}

export const result = (state) => (state.game.winner === null ? "Not home" : wins(state, state.game.winner));

/** The board in one breath, for those who hear it. */
export const spokenBoard = (state) =>
  `Board. ${state.lanes.map((lane, i) => `${laneCalled(state, i)} at ${lane.front}, rear peg at ${lane.rear}`).join(". ")}.`;

/** What the live region says when the newest line or the standing of one has changed. */
export function spoken(before, after) {
  if (after.game.over && !before.game.over) return `${result(after)}, ${after.lanes.map((lane) => lane.front).join(" to ")}`;
  const known = new Map(before.entries.map((entry) => [entry.id, entry]));
  const fresh = after.entries.find((entry) => !known.has(entry.id) && entry.stands);
  if (fresh?.do === "deal") return line(after, fresh);
  if (fresh) return `${whose(after, fresh)} ${fresh.points}, now ${after.lanes[fresh.lane].front}`;
  const turned = after.entries.find((entry) => known.has(entry.id) && known.get(entry.id).stands !== entry.stands);
  if (!turned) return null;
  const what = turned.stands ? "Put back" : "Taken back";
  if (turned.do === "deal") return `${what}: ${line(after, turned)}`;
  return `${what}: ${whose(after, turned)} ${turned.points}, now ${after.lanes[turned.lane].front}`;
}

export const link = { live: "Live", waiting: "Connecting", lost: "No connection" };

export const dialled = (points) => `+${points} …`;

// The strip, the keys and their reasons.

/** A tap that has not been stored yet. */
export function tap(state, { body, label }) {
  const { do: what, points, why: reason, entry, dealer } = body;
  const word = label ?? WHY[reason];
  if (what === "score") return word ? `${plus(points)}, ${word}` : plus(points);
  if (what === "deal") return dealer === undefined ? "Deal" : deals(state, dealer);
  if (what === "start") return "Next game";
  const named = state.entries.find((one) => one.id === entry);
  return `${what === "undo" ? "Undo" : "Redo"}${named?.points ? ` +${named.points}` : ""}`;
}

export const notSent = (said) => `${said}: not sent yet`;
export const tryingAgain = (seconds) => (seconds > 0 ? `Trying again in ${seconds} s` : "Trying again now");
export const waiting = (points) => `+${points} waiting`;
export const queueFull = "20 taps are waiting already. Cancel one, or wait for the connection";
export const notPaired = "This phone is not paired with the table";
export const noUndo = "Nothing to take back";
export const noRedo = "Nothing was taken back";
export const noMuggins = "Muggins is not played here";
export const gameOver = "The game is over: start the next one";
export const unreadable = "The table answered something this page does not understand. Load the page again";

/** The next game, and who deals first in it. */
export function dealsFirst(state) {
  const { dealer_next: dealer } = state.game;
  return dealer === null ? "" : `${deals(state, dealer)} first`;
}

export function undoOf(entry) {
  return entry?.do === "score" && entry.points ? `Undo +${entry.points}` : "Undo";
}

const atMost = (count, entries, say) => entries.slice(0, count).map(say).join(" · ") || "changed a moment ago";

/** The question after a lane has moved on under a tap. */
export function movedQuestion(now, item, since, when) {
  const { lane, body } = item;
  const onLane = since.filter((entry) => entry.lane === lane && entry.do === "score");
  if (body.do === "score") {
    const { front } = now.lanes[lane];
    const to = Math.min(front + body.points, now.game.game_hole);
    return {
      lane,
      title: `${laneCalled(now, lane)} ${several(now, lane) ? "are" : "is"} already at ${front}`,
      since: atMost(3, onLane, (entry) => `${plus(entry.points)}, ${why(entry)}, ${when(entry)}`),
      ask: body.points ? `Add ${body.points} more?` : "Enter a zero?",
      no: [`No, ${front} is right`, "nothing is added"],
      yes: body.points ? [`Yes, add ${body.points} more`, `${front} → ${to}`] : ["Yes, enter zero", "no peg moves"],
    };
  }
  const said = tap(now, item);
  return {
    lane: null,
    title: "The board has moved on",
    since: atMost(3, since, (entry) => `${line(now, entry)}, ${when(entry)}`),
    ask: `${said} all the same?`,
    no: ["No, leave it", "nothing changes"],
    yes: [`Yes, ${said}`, ""],
  };
}

/** The question after a minute without an answer. */
export function oldQuestion(now, item) {
  const said = tap(now, item);
  return {
    lane: item.lane,
    title: `${said} has waited a minute`,
    since: "the table may have gone on without it",
    ask: "Send it still?",
    no: ["No, drop it", "nothing is added"],
    yes: ["Yes, send it", "as soon as the table answers"],
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
