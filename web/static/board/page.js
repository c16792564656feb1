// Board page for a TV or kiosk: huge scores, the track, the last move, and how to join.

import { byId, fetchJson, html, set, t, writeById } from "../lib/browser.js";
import "../lib/full_screen_and_wake_lock.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { amountText, boardText, dangerLongText, dangerShortText, dialledText, endingTexts, entryNodes, entryText, fateText, gamesHeadingText, isRuling, isVoid, laneShortName, laneThen, lastMoveText, loserText, matchWonText, nameWidth, newestMove, phaseText, reasonText, resultText, rulingText, settledText, skunkDanger, toGoText, unconfirmedText, winsText } from "../words/state.js";
import { boardModel, BoardView } from "./board_view.js";
import { gamesWon, lanesClass, mark, ScoreTile } from "./shapes.js";

const WHY = { machine: "join.unreached_machine", offline: "join.unreached_offline" };

/** Show why no phone can reach the table; the join page says how to let phones in. */
const showUnreached = ({ reach }) => reach !== "network" && writeById("unreached-why", t(WHY[reach]));

// --- how to join ---

const CODE_REFRESH = 5_000; // ms; a code works once, so the next one is needed soon after a phone has used it

const OPEN = document.body.classList.contains("open-table");

function showJoining(pairing) {
  const reached = pairing.qr !== null;
  set(byId("qr"), "hidden", !reached); // SVG elements have no `hidden` property
  byId("joining").hidden = !reached;
  byId("unreached").hidden = reached;
  if (reached) showQr(pairing);
  else showUnreached(pairing);
}

function showQr({ code, url, host, qr: { size, path } }) {
  set(byId("qr"), "viewBox", `0 0 ${size} ${size}`);
  set(byId("qr"), "aria-label", t("board.qr", { url }));
  set(byId("qr").querySelector("path"), "d", path);
  writeById("how", t("board.join"));
  const [name, port] = host.split(/(?=:\d+$)/u);
  byId("host").replaceChildren(name, ...(port ? [html("wbr"), port] : [])); // a break only before the port
  writeById("code", code ?? "");
}

let codeTimer = 0;

/** Fetch the code; without a response nothing changes, and if this screen may not see it, it is not fetched again. */
async function requestCode() {
  clearTimeout(codeTimer);
  codeTimer = setTimeout(requestCode, CODE_REFRESH);
  if (document.hidden) return;
  const { ok, status, body } = await fetchJson("/api/v1/pairing");
  if (ok) return showJoining(body);
  if (status !== 403) return;
  clearTimeout(codeTimer);
  byId("no-code").hidden = false;
  writeById("code", "");
}

/** Refresh how to join, code and QR code, while it is shown; an open table that phones can reach needs no code. */
function showInvitation(table) {
  if (OPEN && byId("unreached").dataset.reach !== "offline") return;
  requestCode();
  table.on("link", (link) => link === "live" && requestCode());
}

// --- the page ---

const MOST_ENTRIES = 5; // lines beside the board
const LONG = 14; // letters from which a name does not fit into a sentence under its score
const ONE_ROW = 14; // letters of a reason that fit beside the points

const table = new TableStream(firstState());
const slab = new BoardView(byId("slab"), { lastMove: true });
let tiles = [];

function layTiles({ lanes }) {
  if (tiles.length === lanes.length) return;
  tiles = lanes.map((_, lane) => new ScoreTile(lane, "seat"));
  byId("seats").replaceChildren(...tiles.map((tile) => tile.node));
  byId("seats").className = `seats ${lanesClass({ lanes })}`;
}

/** Under a score: the result, the dialed amount, the danger, or the last move and the holes to go. */
function notesOf(state, lane) {
  const { game, lanes } = state;
  if (game.over) return [endNote(state, lane)];
  if (lanes[lane].dialled) return [[`chip l${lane}`, dialledText(lanes[lane].dialled)], ["", toGoText(state, lane)]];
  const risk = skunkDanger(state, lane);
  if (risk) return [["risk", lanes.length > 2 || nameWidth(laneShortName(state, lane)) > LONG ? dangerShortText(risk) : dangerLongText(state, lane, risk)]];
  const last = newestMove(state);
  const said = last && lastMoveText(state, last, lane);
  return [...(said ? [[`chip l${lane}`, said, last]] : []), ["", toGoText(state, lane)]];
}

function endNote(state, lane) {
  if (state.game.winner === lane) return ["victory", winsText(state, lane)];
  return [state.lanes[lane].skunks ? "risk" : "", loserText(state, lane)];
}

function nowLine(state) {
  if (!state.game.over) return phaseText(state);
  const { bold } = endingTexts(state);
  return unconfirmedText(state) || matchWonText(state) || bold.replace(/\.$/u, "") || resultText(state);
}

/** The lines that are not undone, newest first; above them the last undone one, until something else is done. */
const recentEntries = ({ entries, redo }) => entries.filter((entry) => entry.stands || entry.id === redo).slice(0, MOST_ENTRIES);

/** A line beside the board; if it no longer counts, it is struck through. */
const row = (state) => (entry) => {
  const gone = fateText(entry);
  const struck = isVoid(entry) ? "struck" : "";
  if (entry.lane === null) return html("li", { class: `whole ${struck}` }, html("span.why", entryText(state, entry)));
  const to = entry.counts && !entry.retracted ? `${entry.to}` : "";
  const stands = to && [", ", t("words.now", { hole: "" })].join("");
  const heard = html("span.unseen", ` ${laneThen(state, entry.lane, entry)}${stands}`);
  const end = [heard, html("span.to", to)];
  const settled = settledText(state, { ...entry, points: 0 });
  if (isRuling(entry) || (settled && !entry.points)) {
    return html("li", { class: `ruling ${struck}` }, mark(entry.lane), html("span.why", rulingText(state, entry)), ...end);
  }
  const why = [settled ?? reasonText(entry), gone].filter(Boolean).join(", ");
  return html("li", { class: `${struck} ${why.length > ONE_ROW ? "long" : ""}` }, mark(entry.lane), html(struck ? "s" : "b", {}, amountText(entry)),
    html("span.why", ...entryNodes(why, entry)), ...end);
};

function show(state, { live }) {
  layTiles(state);
  tiles.forEach((tile, lane) => tile.show(state, notesOf(state, lane)));
  writeById("now", nowLine(state));
  byId("games").hidden = state.lanes.length === 1;
  writeById("games-title", gamesHeadingText(state));
  byId("games-row").replaceChildren(...gamesWon(state));
  byId("last").replaceChildren(...recentEntries(state).map(row(state)));
  byId("slab").setAttribute("aria-label", boardText(state));
  slab.show(boardModel(state), { live });
}

// If the stream is lost: how old the state is, in words.

let counting = 0;

function ageText() {
  const seconds = Math.floor((Date.now() - table.heardAt) / 1_000);
  if (seconds < 60) return t("board.old_seconds", { age: seconds });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? t("board.old_minutes", { n: minutes }) : t("board.old_hours", { n: Math.floor(minutes / 60) });
}

function showAge(link) {
  clearInterval(counting);
  byId("age").hidden = link !== "lost";
  if (link !== "lost") return;
  writeById("age", ageText());
  counting = setInterval(() => writeById("age", ageText()), 1_000);
}

followTable(table, show);
table.on("link", showAge);
showInvitation(table);
