// The board for a TV or a kiosk: huge numbers, the track, the last move, and how to join.

import { byId, html, say } from "../lib/dom.js";
import { follow } from "../live/page.js";
import { gamesWon } from "./games_won.js";
import { invite } from "./invitation.js";
import { mark } from "./pegs.js";
import { pictureOf } from "./board_model.js";
import { isRuling, isVoid, newestMove } from "../words/entries.js";
import "../lib/wake_lock.js";
import { Slab } from "./board_view.js";
import { firstState, Table } from "../live/table_stream.js";
import { t } from "../lib/i18n.js";
import { Tile } from "./score_tile.js";
import * as words from "../words/words.js";

const LAST = 5; // lines in the rail
const LONG = 14; // letters from which a name has no room in a sentence under its score
const ONE_ROW = 14; // letters of a reason that fit beside the points

const table = new Table(firstState());
const slab = new Slab(byId("slab"), { lastMove: true });
let tiles = [];

function tileUp({ lanes }) {
  if (tiles.length === lanes.length) return;
  tiles = lanes.map((_, lane) => new Tile(lane, "seat"));
  byId("seats").replaceChildren(...tiles.map((tile) => tile.node));
  byId("seats").className = `seats of${lanes.length}`;
}

/** Under a score: its end, what is being dialled, the danger, or the last move and the way to go. */
function notesOf(state, lane) {
  const { game, lanes } = state;
  if (game.over) return [end(state, lane)];
  if (lanes[lane].dialled) return [[`chip l${lane}`, words.dialled(lanes[lane].dialled)], ["", words.toGo(state, lane)]];
  const risk = words.danger(state, lane);
  if (risk) return [["risk", lanes.length > 2 || words.letters(words.laneCalled(state, lane)) > LONG ? words.dangerShort(risk) : words.dangerLong(state, lane, risk)]];
  const last = newestMove(state);
  const said = last && words.lastOf(state, last, lane);
  return [...(said ? [[`chip l${lane}`, said, last]] : []), ["", words.toGo(state, lane)]];
}

function end(state, lane) {
  if (state.game.winner === lane) return ["victory", words.wins(state, lane)];
  return [state.lanes[lane].skunks ? "risk" : "", words.lost(state, lane)];
}

function now(state) {
  if (!state.game.over) return words.doing(state);
  const { bold } = words.ending(state);
  return words.unconfirmed(state) || words.matchWon(state) || bold.replace(/\.$/u, "") || words.result(state);
}

/** What stands, newest first, and at the top what was just taken back, until something else is done. */
const lately = ({ entries, redo }) => entries.filter((entry) => entry.stands || entry.id === redo).slice(0, LAST);

/** A line of the rail; what no longer counts is struck through. */
const row = (state) => (entry) => {
  const gone = words.fate(entry);
  const struck = isVoid(entry) ? "struck" : "";
  if (entry.lane === null) return html("li", { class: `whole ${struck}` }, html("span.why", words.line(state, entry)));
  const to = entry.counts && !entry.retracted ? `${entry.to}` : "";
  const heard = html("span.unseen", ` ${words.laneCalled(state, entry.lane)}${to && `, ${t("words.now", { hole: "" })}`}`);
  const end = [heard, html("span.to", to)];
  if (isRuling(entry)) {
    return html("li", { class: `ruling ${struck}` }, mark(entry.lane), html("span.why", words.ruling(state, entry)), ...end);
  }
  const why = [words.why(entry), gone].filter(Boolean).join(", ");
  return html("li", { class: `${struck} ${why.length > ONE_ROW ? "long" : ""}` }, mark(entry.lane), html(struck ? "s" : "b", {}, words.amount(entry)),
    html("span.why", ...words.marked(why, entry)), ...end);
};

function show(state, { live }) {
  tileUp(state);
  tiles.forEach((tile, lane) => tile.show(state, notesOf(state, lane)));
  say("now", now(state));
  byId("games").hidden = state.lanes.length === 1;
  say("games-title", words.gamesHeading(state));
  byId("games-row").replaceChildren(...gamesWon(state));
  byId("last").replaceChildren(...lately(state).map(row(state)));
  byId("slab").setAttribute("aria-label", words.spokenBoard(state));
  slab.show(pictureOf(state), { live });
}

// A line that is lost: how old the picture is, in words.

let counting = 0;

function age() {
  const seconds = Math.floor((Date.now() - table.heard) / 1_000);
  if (seconds < 60) return t("board.old_seconds", { age: seconds });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? t("board.old_minutes", { n: minutes }) : t("board.old_hours", { n: Math.floor(minutes / 60) });
}

function tellAge(link) {
  clearInterval(counting);
  byId("age").hidden = link !== "lost";
  if (link !== "lost") return;
  say("age", age());
  counting = setInterval(() => say("age", age()), 1_000);
}

follow(table, show);
table.on("link", tellAge);
invite(table);
