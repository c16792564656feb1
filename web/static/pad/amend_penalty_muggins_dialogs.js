// Pad dialogs loaded when first opened: muggins, recent lines, penalty and faults, head start, names.

import { mark } from "../board/shapes.js";
import { askYesNo, byId, capitalize, disable, fetchJson, html, openChoices, openDialog, refusalNodes, set, t, textOr, write, writeById } from "../lib/browser.js";
import { callAward, LONGEST_NOTE, MOST_AT_ONCE, sendCommand, whyLocked } from "../live/command_queue.js";
import { faultAwardText, faultName } from "../words/games.js";
import { agoText, canBe, entryNodes, entryText, fromToText, gainText, isVoid, laneShortName, nameThen, opponentSeats, PARTNERS, reasonsFor, reasonText, seatsOf, shortName } from "../words/state.js";
import { NameForm } from "./name_correction_form.js";

/** "Ann calls muggins"; either of two partners may. */
const callsText = (state, seats) =>
  t("words.calls", { name: seats.map((seat) => shortName(state, seat)).join(PARTNERS), n: seats.length });

/** A note that the game hole cuts a call short, for all who may have missed the points, or "". */
function cutShortText(state, own, call) {
  const owners = state.lanes.map((_, lane) => lane).filter((lane) => lane !== own);
  return owners.flatMap((lane) => {
    const award = callAward(state, own, { ...call, opponent: seatsOf(state, lane)[0] });
    return call.missed && award < Math.min(call.claimed, call.missed) ? [t("words.no_more_to_miss", { name: laneShortName(state, lane), n: award })] : [];
  }).join(" ");
}

/** What a call pegs: "Ann +2", "Wrong call: Bob +2"; for partners, also who calls. */
function callPegsText(state, { missed }, lane, points, caller = null, opponent = null) {
  const gained = gainText(state, lane, points);
  const owned = opponent === null ? gained : t("words.missed_by", { pegs: gained, name: shortName(state, opponent) });
  const pegs = missed ? owned : t("words.wrong_call_pegs", { pegs: gained });
  return caller === null ? pegs : t("words.caller_pegs", { name: shortName(state, caller), pegs });
}

const limitText = (end) => t(end > 1 ? "words.the_most" : "words.the_least", { end });

const LEAST = { claimed: 1, missed: 0 };
const USUAL_CALL = 2; // the most commonly missed points

const openCalls = new Map(); // by dialog: {here, state, callers, claimed, missed}

/** Open it for the seats that may call; `then` gets the fields of the command. */
export function openMuggins(state, callers, then, here = byId) {
  const dialog = here("muggins-dialog");
  if (!openCalls.has(dialog)) dialog.addEventListener("click", (event) => handleClick(openCalls.get(dialog), event));
  const call = { here, state, callers, claimed: USUAL_CALL, missed: USUAL_CALL };
  openCalls.set(dialog, call);
  write(here("muggins-title"), callsText(state, callers));
  showCall(call, "claimed");
  openDialog(dialog, "close", (value, key) => {
    if (value !== "peg") return;
    const { seat, opponent } = key.dataset;
    then({ seat: Number(seat), claimed: call.claimed, missed: call.missed, opponent: opponent && Number(opponent) });
  });
}

function handleClick(call, event) {
  const key = event.target.closest("[data-step]");
  if (key?.dataset.reason) write(call.here("muggins-reason"), key.dataset.reason);
  else if (key) stepCall(call, key.dataset.of, Number(key.dataset.step));
}

/** Missed follows claimed until it is changed itself. */
function stepCall(call, which, by) {
  const together = which === "claimed" && call.missed === call.claimed;
  call[which] = Math.min(MOST_AT_ONCE, Math.max(LEAST[which], call[which] + by));
  if (together) call.missed = call.claimed;
  showCall(call, which);
}

/** Only the changed number is read aloud. */
function showCall(call, stepped) {
  const { here } = call;
  write(here("muggins-reason"), cutShortText(call.state, call.state.seats[call.callers[0]].lane, call));
  for (const which of ["claimed", "missed"]) {
    set(here(which), "aria-live", which === stepped ? "polite" : "off");
    write(here(which), `${call[which]}`);
  }
  for (const key of here("muggins-dialog").querySelectorAll("[data-step]")) {
    const end = Number(key.dataset.step) > 0 ? MOST_AT_ONCE : LEAST[key.dataset.of];
    disable(key, call[key.dataset.of] === end ? limitText(end) : null);
  }
  here("muggins-awards").replaceChildren(...mugginsAwards(call));
}

/** A key for each possible caller, and each opponent who may have missed the points or gets those of a wrong call. */
function mugginsAwards(call) {
  const { state, callers, claimed, missed } = call;
  const own = state.seats[callers[0]].lane;
  if (missed && state.lanes.length < 3) return callers.map((seat) => mugginsAward(call, seat, own, callAward(state, own, call)));
  const others = state.lanes.map((_, lane) => lane).filter((lane) => lane !== own);
  const opponent = (lane) => state.seats.findIndex((one) => one.lane === lane);
  const pegs = (lane) => (missed ? [own, callAward(state, own, { claimed, missed, opponent: opponent(lane) })] : [lane, claimed]);
  return callers.flatMap((seat) => others.map((lane) => mugginsAward(call, seat, ...pegs(lane), opponent(lane))));
}

function mugginsAward(call, seat, lane, points, opponent = null) {
  const { front } = call.state.lanes[lane];
  const to = Math.min(front + points, call.state.game.game_hole);
  const caller = call.callers.length > 1 ? seat : null;
  return html("button.key.wide", { value: "peg", "data-seat": seat, "data-opponent": opponent }, mark(lane),
    html("b", callPegsText(call.state, call, lane, points, caller, call.missed ? opponent : null)), html("span", `${front} → ${to}`));
}

// --- recent lines ---

const RECENT = 5;

const canAmend = (entry) => (entry.do === "score" || entry.do === "penalty") && entry.stands && !entry.ruled_by;

const sourceText = (source) => textOr(`words.source_${source}`, source);

/** "57 → 69, phone, 20:14" */
function aboutText(table, entry) {
  const when = agoText(table.secondsSince(entry.at), entry.at);
  const change = entry.history?.at(-1);
  const changed = change ? t(`pad.did_${change.did}`, { door: sourceText(change.source) }) : "";
  return [fromToText(entry, sourceText(entry.source)), when, changed].filter(Boolean).join(", ");
}

function entryKeys(state, entry, role) {
  if (entry.ruled_by) return [];
  const closed = whyLocked(state, entry, role);
  const turn = html("button.key", { value: entry.stands ? "undo" : "redo", "data-line": entry.id },
    entry.stands ? t("pad.take") : t("pad.put_back"));
  disable(turn, closed);
  if (!canAmend(entry)) return [turn];
  const amend = html("button.key", { value: "amend", "data-line": entry.id }, t("pad.amend"));
  disable(amend, closed);
  return [turn, amend];
}

const row = (table, role) => (entry) => {
  const { state } = table;
  const sign = Number.isInteger(entry.lane) ? mark(entry.lane) : html("span.mark");
  const struck = isVoid(entry) || !entry.stands;
  const what = html(struck ? "s.what" : "b.what", {}, ...entryNodes(entryText(state, entry), entry));
  const texts = html("div.told", {}, what, html("span.when", aboutText(table, entry)));
  return html("li", {}, sign, texts, html("div.turns", {}, ...entryKeys(state, entry, role)));
};

/** Open them; `chosen(what, id)` if one is undone, redone or corrected. */
export function openRecentEntries(here, table, role, chosen) {
  const { entries, game } = table.state;
  const list = entries.slice(0, RECENT).map(row(table, role));
  const whole = html("a.key.wide", { href: `/history/${game.id}` }, t("pad.whole_sheet"));
  const inside = list.length ? html("ol.five", {}, ...list) : html("p.since", t("pad.no_lines"));
  openChoices(here, "lines", t("pad.last_five"), [html("p.reason", { role: "status" }), inside, whole], (value, key) => {
    if (key?.dataset.line) chosen(value, key.dataset.line);
  });
}

const pointKey = (entry, points) => {
  const key = html("button.key", { value: "points", "data-points": points }, `${points}`);
  disable(key, points === entry.points ? t("pad.says_so", { points }) : null);
  return key;
};

/** Ask what a line should be: `chosen({points})`, `chosen({seat})` or `chosen({why})`, with null to remove the reason.
*/
export function openAmend(here, state, entry, chosen) {
  const all = Array.from({ length: MOST_AT_ONCE + 1 }, (_, points) => points);
  const points = all.filter((one) => canBe(state.game.rules, entry, one));
  const numbers = html("div.more-points", { role: "group", "aria-label": t("pad.points") }, ...points.map((one) => pointKey(entry, one)));
  const whys = reasonsFor(state.game.rules, entry).map((why) => html("button.key", { value: "why", "data-why": why ?? "" }, t(why ? `words.why_${why}` : "pad.forget")));
  const meant = whys.length ? [html("p.ask", t("pad.meant", { why: reasonText(entry) })), html("div.more-deal", {}, ...whys)] : [];
  const others = entry.do === "score" ? opponentSeats(state, entry.lane) : [];
  const seats = others.map((seat) => html("button.key", { value: "seat", "data-seat": seat }, t("pad.was_of", { name: nameThen(state, seat, entry) })));
  const whose = seats.length ? [html("div.more-deal", {}, ...seats)] : [];
  openChoices(here, "amend", entryText(state, entry), [html("p.reason", { role: "status" }), numbers, ...whose, ...meant], (value, key) => {
    if (value === "points") chosen({ points: Number(key.dataset.points) });
    if (value === "seat") chosen({ seat: Number(key.dataset.seat) });
    if (value === "why") chosen({ why: key.dataset.why || null });
  });
}

// --- penalty ---

const USUAL = 2; // points of a penalty

/** A key for each seat that may get the award, with its effect. */
function penaltyAward(state, seat, points) {
  const { lane } = state.seats[seat];
  const { front } = state.lanes[lane];
  const to = Math.min(front + points, state.game.game_hole);
  return html("button.key.wide", { value: "award", "data-seat": seat }, mark(lane),
    html("b", `${shortName(state, seat)} +${points}`), html("span", `${front} → ${to}`));
}

function pointStepper(most, changed, { first = USUAL, what = t("pad.points") } = {}) {
  let points = Math.min(first, most);
  const shown = html("output", { "aria-live": "polite", "aria-label": what }, `${points}`);
  const step = (by, sign, label) => html("button.key", { type: "button", "data-step": by, "aria-label": label }, sign);
  const keys = [step(-1, "−", t("pad.one_fewer")), step(1, "+", t("pad.one_more"))];
  const node = html("div.stepper", { role: "group", "aria-label": what }, html("p", what), keys[0], shown, keys[1]);
  const show = () => {
    write(shown, `${points}`);
    disable(keys[0], points === 1 ? limitText(1) : null);
    disable(keys[1], points === most ? limitText(most) : null);
    changed(points);
  };
  const put = (wanted) => {
    points = wanted;
    show();
  };
  node.addEventListener("click", ({ target }) => {
    const key = target.closest("[data-step]");
    if (!key || key.dataset.reason) return;
    put(points + Number(key.dataset.step));
  });
  return { node, show, put, get points() { return points; } };
}

/** The form of any penalty, with the seats of `first` in front: its nodes, and the chosen award for a key. */
function penaltyForm(state, first) {
  const seats = [...state.seats.keys()].sort((one, other) => first.includes(other) - first.includes(one));
  const note = html("input", { type: "text", maxlength: LONGEST_NOTE, autocomplete: "off", enterkeyhint: "done" });
  note.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it would press the first key
    note.blur();
  });
  const awards = html("div.awards");
  const stepper = pointStepper(state.game.game_hole, (points) =>
    awards.replaceChildren(...seats.map((seat) => penaltyAward(state, seat, points))));
  stepper.show();
  const field = html("label.field", {}, html("span", t("pad.note")), note);
  const awardFor = ({ dataset }) => {
    const said = note.value.trim();
    return { seat: Number(dataset.seat), points: stepper.points, ...(said ? { note: said } : {}) };
  };
  return { nodes: [stepper.node, field, awards], awardFor };
}

// --- faults: first which one, then what follows ---

const ENDS_WITH_PLAY = new Set(["looked", "taken-up"]); // deadlines that are over once a card has been played
const BY_ACC = new Set(["turned", "unstated"]); // deadlines after which a judge decides

const seatAfter = ({ seats }, seat) => (seat + 1) % seats.length;

/** The seats that may deal now: one, unless the table is not sure. */
const dealersOf = ({ dealer, game, seats }) =>
  dealer === null || game.phase === "unknown" || game.otherwise ? [...seats.keys()] : [dealer];

/** One seat for each side other than that of `seat`, the player left of `from` first. */
function otherSides(state, seat, from = seat) {
  const sides = new Set([state.seats[seat].lane]);
  const order = state.seats.map((_, turn) => (from + 1 + turn) % state.seats.length);
  return order.filter((one) => {
    const { lane } = state.seats[one];
    return !sides.has(lane) && sides.add(lane);
  });
}

/** After a misdeal: `dealer` redeals, or the player to the left lets the deal stand. */
function afterMisdeal(state, { points, until }, dealer) {
  const sides = otherSides(state, dealer);
  const pone = seatAfter(state, dealer);
  const redeals = { said: t("faults.redeals", { name: shortName(state, dealer) }), sides, points, redeal: dealer };
  if (until === "always") return [redeals];
  const closed = state.game.rules.pone_chooses ? null : t("faults.no_choice");
  return [redeals, { said: t("faults.lets_stand", { name: shortName(state, pone) }), sides, points, accepted: true, closed }];
}

/** After `offender` dealt in place of `dealer`: the right dealer deals, or the cards were taken up. */
function afterDealOutOfTurn(state, { points }, dealer, offender) {
  return [
    { said: t("faults.deals_instead", { name: shortName(state, dealer), other: shortName(state, offender) }), sides: otherSides(state, offender), points, redeal: dealer },
    { said: t("faults.taken_up", { name: shortName(state, offender) }), sides: [seatAfter(state, offender)], points: 0, accepted: true, deals: offender === state.dealer ? null : offender },
  ];
}

/** All that can follow a fault: what is said, the side or sides that get points, and what happens to the deal. */
function outcomesOf(state, fault) {
  const { points, until } = fault;
  const seats = [...state.seats.keys()];
  if (fault.fault === "cut-pack") {
    const [pone, other] = dealersOf(state).map((dealer) => seatAfter(state, dealer));
    const offenders = seats.filter((seat) => other !== undefined || seat !== pone);
    return offenders.map((seat) => ({ said: t("faults.cut_by", { name: shortName(state, seat) }), sides: otherSides(state, seat), points }));
  }
  if (until === null) {
    return state.lanes.map((_, lane) => seatsOf(state, lane)[0]).map((seat) => ({ said: t("faults.reneged", { name: laneShortName(state, state.seats[seat].lane) }), sides: otherSides(state, seat), points }));
  }
  if (until !== "taken-up") return dealersOf(state).flatMap((dealer) => afterMisdeal(state, fault, dealer));
  return dealersOf(state).flatMap((dealer) => seats.filter((seat) => seat !== dealer).flatMap((seat) => afterDealOutOfTurn(state, fault, dealer, seat)));
}

/** Why it is too late for a fault, as far as the likely course of the deal tells; null if it is not. */
function whyTooLate({ game }, until) {
  if (until === null || until === "always" || game.otherwise) return null;
  if (game.phase === "hand" || game.phase === "crib") return BY_ACC.has(until) ? t("faults.in_show_acc") : t("faults.in_show");
  return ENDS_WITH_PLAY.has(until) && game.phase === "play" && game.scored ? t("faults.late") : null;
}

/** The deadline of a fault, or what else players must know, in a sentence. */
function untilText(state, { fault, until }) {
  const [dealer, other] = dealersOf(state);
  const pone = other === undefined && until !== "taken-up" ? shortName(state, seatAfter(state, dealer)) : t("faults.pone");
  return until === null ? textOr(`faults.about_${fault}`, "") : capitalize(t(`faults.until_${until}`, { name: pone }));
}

/** The effect of an outcome: "Bob +2, 12 → 14" */
function effectText(state, { sides, points }) {
  if (!points) return t("faults.no_points");
  const gains = sides.map((seat) => gainText(state, state.seats[seat].lane, points));
  const { front } = state.lanes[state.seats[sides[0]].lane];
  return [...gains, ...(gains.length > 1 ? [] : [`${front} → ${Math.min(front + points, state.game.game_hole)}`])].join(", ");
}

/** How a wrong number of cards is corrected if the deal stands; nothing for other faults. */
function remedyTexts(state, { fault }, pone) {
  if (!fault.endsWith("-number")) return [];
  const dealer = shortName(state, (pone + state.seats.length - 1) % state.seats.length);
  const name = fault === "pone-number" && state.seats.length > 2 ? t("faults.player") : shortName(state, pone);
  return ["many", "few"].map((what) => t(`faults.${fault}_${what}`, { name, dealer }));
}

function outcomeKey(state, outcome, i, late) {
  const node = html("button.key.wide", { value: "outcome", "data-at": i }, mark(state.seats[outcome.sides[0]].lane),
    html("b", outcome.said), html("span", effectText(state, outcome)));
  disable(node, (outcome.points || !outcome.accepted ? late : null) ?? outcome.closed ?? null);
  return node;
}

let faultsOfGame = { game: null }; // and the answer with the game's faults, which follow from its rules

async function fetchFaults({ game }) {
  if (faultsOfGame.game === game.id) return faultsOfGame.answer;
  const answer = await fetchJson("/api/v1/faults");
  if (answer.ok) faultsOfGame = { game: game.id, answer };
  return answer;
}

/** Open it: the usual faults, each with what can follow, and any other penalty; the seats of `first` in front of the
 * latter. `then([{seat, points, ...}], deals)`: an award for each side, and the seat that has dealt out of turn. */
export async function openPenalty(here, state, first, then) {
  const { ok, body } = await fetchFaults(state);
  const form = penaltyForm(state, first);
  let [fault, outcomes] = [null, []];
  const lay = (title, ...nodes) => {
    write(here("choices-title"), title);
    const back = html("button.key.wide", { type: "button" }, t("faults.back"));
    back.addEventListener("click", showFaults);
    here("choices-body").replaceChildren(...nodes, back, html("button.solid", { value: "close" }, t("common.close")));
    back.focus({ preventScroll: true });
  };
  const showOutcomes = (one) => {
    const late = whyTooLate(state, one.until);
    [fault, outcomes] = [one, outcomesOf(state, one)];
    lay(capitalize(faultName(one.fault)), html("p.since", untilText(state, one)), html("p.reason", { role: "status" }, late),
      html("div.awards", {}, ...outcomes.map((outcome, i) => outcomeKey(state, outcome, i, late))));
  };
  const key = (text, act) => {
    const node = html("button.key", { type: "button" }, text);
    node.addEventListener("click", act);
    return node;
  };
  const faults = ok
    ? html("div.more-deal", { role: "group", "aria-label": t("faults.usual") },
      ...body.faults.map((one) => key(faultAwardText(one), () => showOutcomes(one))))
    : html("p.reason", {}, ...refusalNodes(body));
  const other = key(t("faults.other"), () => lay(t("faults.other"), ...form.nodes));
  const showFaults = () => {
    write(here("choices-title"), t("pad.penalty"));
    here("choices-body").replaceChildren(faults, other, html("button.solid", { value: "close" }, t("common.close")));
    (ok ? faults.firstChild : other).focus({ preventScroll: true });
  };
  openChoices(here, "penalty", t("pad.penalty"), [faults, other], (value, pressed) => {
    if (value === "award") then([form.awardFor(pressed)]);
    if (value !== "outcome") return;
    const outcome = outcomes[Number(pressed.dataset.at)];
    then(awardsOf(fault, outcome), outcome.deals ?? null);
    const remedies = outcome.accepted ? remedyTexts(state, fault, outcome.sides[0]) : [];
    if (remedies.length) openChoices(here, "penalty", t("faults.stands"), remedies.map((said) => html("p", said)), () => {});
  });
}

/** The penalties of an outcome: the first one tells what happens to the deal, the others only award points. */
const awardsOf = ({ fault }, { sides, points, redeal, accepted }) =>
  (points ? sides : sides.slice(0, 1)).map((seat, i) => ({ seat, points, fault, note: faultName(fault), ...(i ? {} : { redeal, accepted }) }));

// --- head start ---

const USUAL_STARTS = [5, 10, 15, 20, 30]; // holes

/** A key for each lane that may start ahead, with its effect. */
function headStartKey(state, lane, holes) {
  const { front } = state.lanes[lane];
  return html("button.key.wide", { value: "start", "data-seat": seatsOf(state, lane)[0] }, mark(lane),
    html("b", laneShortName(state, lane)), html("span", `${front} → ${front + holes}`));
}

async function sendHeadStart(table, { game, lanes, seats }, seat, holes, status) {
  const { ok, body } = await sendCommand({ do: "head_start", game: game.id, seat, holes, base: lanes[seats[seat].lane].revision });
  if (body?.state) table.takeAnswer(body.state);
  if (!ok) status.showRefusal(body?.detail ?? t("history.unreadable"));
}

/** Ask who starts ahead and by how many holes. */
export function openHeadStart(table, side, status) {
  const { state } = table;
  const awards = html("div.awards");
  const most = state.game.game_hole - 1 - Math.max(...state.lanes.map(({ front }) => front));
  const stepper = pointStepper(most, (holes) =>
    awards.replaceChildren(...state.lanes.map((_, lane) => headStartKey(state, lane, holes))), { first: 10, what: t("pad.holes_ahead") });
  stepper.show();
  const usual = USUAL_STARTS.filter((holes) => holes <= most).map((holes) => {
    const key = html("button.key", { type: "button" }, `${holes}`);
    key.addEventListener("click", () => stepper.put(holes));
    return key;
  });
  const about = html("p.since", t("pad.head_start_about"));
  openChoices((name) => byId(side + name), "penalty", t("pad.head_start"), [about, html("div.more-deal", {}, ...usual), stepper.node, awards], (value, key) => {
    if (value === "start") sendHeadStart(table, state, Number(key.dataset.seat), stepper.points, status);
  });
}

// --- names ---

const nameDialogs = new Map(); // {dialog, form} by side

function makeNameDialog(table, side) {
  const close = html("button.key", { value: "close" }, t("common.close"));
  const question = (changes) => ({
    title: t("names.same"), since: "", ask: t("names.same_then", { changes }),
    no: [t("names.other"), t("words.nothing_changes")], yes: [t("names.same_yes"), ""],
  });
  const form = new NameForm(table, {
    ask: (changes) => new Promise((answer) => askYesNo(question(changes), answer, (name) => byId(side + name))),
    others: () => t("names.other_then"),
    done: (sentence) => {
      dialog.close("close");
      writeById("said", sentence);
    },
  }, close);
  const title = html("h2", { id: `${side}names-title` }, t("names.open"));
  const dialog = html("dialog.modal.penalty.names", { "aria-labelledby": title.id }, title, html("p.since", t("names.about")), form.node);
  byId(`${side}choices`).after(dialog);
  table.on("state", () => dialog.open && form.show());
  return { dialog, form };
}

/** Open it with the current names; only one dialog, even if its key is pressed again while loading. */
export function openNames(table, side = "") {
  if (!nameDialogs.has(side)) nameDialogs.set(side, makeNameDialog(table, side));
  const { dialog, form } = nameDialogs.get(side);
  if (dialog.open) return;
  form.show({ anew: true });
  openDialog(dialog, "close", () => {});
  form.input.focus();
  form.input.select();
}
