// The board for a TV or a kiosk: huge numbers, the track, the last move, and how to join.

import { byId, html, write } from "./element.js";
import { gamesWon } from "./games.js";
import { mark } from "./pegs.js";
import { lastScore, pictureOf } from "./picture.js";
import { Slab } from "./slab.js";
import { firstState, Table } from "./table.js";
import { Tile } from "./tile.js";
import * as words from "./words.js";

const LAST = 5; // lines in the rail

const table = new Table(firstState());
const slab = new Slab(byId("slab"), { lastMove: true });
let tiles = [];

function tileUp({ lanes }) {
  if (tiles.length === lanes.length) return;
  tiles = lanes.map((_, lane) => new Tile(lane, "seat"));
  byId("seats").replaceChildren(...tiles.map((tile) => tile.node));
  byId("seats").className = `seats of${lanes.length}`;
}

/** Under a score: how it ended, what is being dialled, the danger, or the last move with the way still to go. */
function notesOf(state, lane) {
  const { game, lanes } = state;
  if (game.over) return [end(state, lane)];
  if (lanes[lane].dialled) return [[`chip l${lane}`, words.dialled(lanes[lane].dialled)], ["", words.toGo(state, lane)]];
  const risk = words.danger(state, lane);
  if (risk) return [["risk", lanes.length > 2 ? words.dangerShort(risk) : words.dangerLong(state, lane, risk)]];
  const last = lastScore(state);
  const chip = last?.lane === lane ? [[`chip l${lane}`, `${words.amount(last)} ${words.why(last)}`]] : [];
  return [...chip, ["", words.toGo(state, lane)]];
}

function end(state, lane) {
  if (state.game.winner === lane) return ["victory", words.wins(state, lane)];
  return [state.lanes[lane].skunks ? "risk" : "", words.lost(state, lane)];
}

function now(state) {
  if (!state.game.over) return words.doing(state);
  const { bold } = words.ending(state);
  return bold ? bold.replace(/\.$/u, "") : words.result(state);
}

const row = (state) => (entry) => {
  if (entry.do === "deal") return html("li", { class: "deal" }, html("span", { class: "why" }, words.line(state, entry)));
  const heard = html("span", { class: "unseen" }, ` ${words.laneCalled(state, entry.lane)}, now `);
  return html("li", {}, mark(entry.lane), html("b", {}, entry.points ? `+${entry.points}` : "0"),
    html("span", { class: "why" }, words.why(entry)), heard, html("span", { class: "to" }, `${entry.to}`));
};

function show({ live = false } = {}) {
  const { state } = table;
  tileUp(state);
  tiles.forEach((tile, lane) => tile.show(state, notesOf(state, lane)));
  write(byId("now"), now(state));
  byId("games").hidden = state.lanes.length === 1;
  byId("games-row").replaceChildren(...gamesWon(state));
  byId("last").replaceChildren(...state.entries.filter((entry) => entry.stands).slice(0, LAST).map(row(state)));
  byId("slab").setAttribute("aria-label", words.spokenBoard(state));
  slab.show(pictureOf(state), { live });
}

table.on("state", (state, { before, live }) => {
  const said = live && words.spoken(before, state);
  if (said) write(byId("said"), said);
  show({ live });
});
table.on("link", (link) => {
  write(byId("link"), words.link[link]);
  byId("link").parentElement.className = `link ${link}`;
});

show();
table.open();
