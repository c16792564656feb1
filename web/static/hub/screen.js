// The big screen of a night: who sits where, live games, standings page by page, brackets, what was said to all.

import { byId, fetchJson, html, language, t, write } from "../lib/browser.js";
import { bracketPicture } from "./bracket.js";
import { showRows } from "./controls.js";
import { NIGHT, NightStream, showLink } from "./night_stream.js";
import { byName, linkWords, listText, sentence, withSign, stateWord } from "./night_words.js";
import { invite } from "./qr.js";

const PAGE = 12_000; // ms that a page of the standings, or of the seats, is shown
const DOOR = document.body.dataset.role === "director";

const SIZES = ["few", "some", "many", "crowd"]; // how large the tiles of tables are

const stream = new NightStream("screen");
let page = 0;

const clock = () => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(Date.now());

// --- seats and games ---

const seatRow = (view, player, { label }, against) =>
  html("li.seat", { "data-key": player }, html("span.name", { dir: "auto" }, view.names[player]), html("b.number", label || "–"), html("span.quiet.name", { dir: "auto" }, view.names[against]));

/** Everybody by name with the table where they sit: that is how one looks for oneself. */
function seats(view, round) {
  const found = round.games.flatMap((game) => [0, 1].map((seat) => [game.players[seat], game, game.players[1 - seat]]));
  found.sort(([one], [other]) => byName(view.names[one], view.names[other]));
  return found.map(([player, game, against]) => seatRow(view, player, game, against));
}

function besides(game, seat, live) {
  if (game.values[seat]) return [html("b.number", withSign(game.values[seat].net))];
  const scores = game.state === "running" ? live?.state?.scores : null;
  return scores ? [html("b.number", `${scores[seat] ?? ""}`)] : [];
}

function gameTile(view, game) {
  const live = stream.tables.get(game.table);
  const lines = [0, 1].map((seat) => html("p.line", html("span.name", { dir: "auto" }, view.names[game.players[seat]]), ...besides(game, seat, live)));
  return html(`li.game.${game.state}`, { "data-key": game.game }, html("header", html("b", html("span.table-word", t("hub.table_word"), " "), game.label || "–"), html("span.quiet", stateWord(game.state))), ...lines);
}

function showRound(view) {
  const [round] = view.rounds;
  const isDrawn = round?.state === "drawn";
  byId("seats").hidden = !isDrawn;
  byId("games").hidden = !round || isDrawn;
  if (!round) return;
  if (isDrawn) showPage(byId("seats"), seats(view, round), SEATS);
  else showPage(byId("games"), round.games.map((game) => gameTile(view, game)), SIZES);
}

// --- what fits, page by page ---

const SEATS = ["huge", "few", "many"];

const fits = (list) => list.scrollHeight <= list.clientHeight + 1 && list.scrollWidth <= list.clientWidth + 1;

/** Show rows as large as all of them fit; where they do not fit at the smallest either, page by page. */
function showPage(list, rows, sizes) {
  showRows(list, rows);
  for (const size of sizes) {
    list.dataset.size = size;
    if (fits(list)) return;
  }
  const pages = Math.ceil(list.scrollHeight / list.clientHeight) + (list.scrollWidth > list.clientWidth + 1 ? 1 : 0);
  const most = Math.floor(rows.length / pages);
  const first = (page % Math.ceil(rows.length / most)) * most;
  showRows(list, rows.slice(first, first + most));
}

const standingRow = (view, one) => html("tr", { "data-key": one.player, class: one.qualifies ? "qualifies" : null },
  html("td.number", `${one.place}`), html("th", { scope: "row" }, html("span.name", { dir: "auto" }, view.names[one.player])),
  html("td.number", `${one.points}`), html("td.number", `${one.won}`), html("td.number", withSign(one.net)));

function showStandings(view) {
  byId("standings-card").hidden = !view.standings.some(({ games }) => games > 0);
  const body = byId("standings");
  const row = parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.56;
  const most = Math.max(4, Math.floor((byId("standings-room").clientHeight - row) / row));
  const pages = Math.max(1, Math.ceil(view.standings.length / most));
  const first = (page % pages) * most;
  showRows(body, view.standings.slice(first, first + most).map((one) => standingRow(view, one)));
  write(byId("standings-page"), pages > 1 ? t("hub.page_of", { page: (page % pages) + 1, pages }) : "");
}

/** Who is here. */
const present = (view) => Object.keys(view.next);

// --- the head ---

const HEADS = {
  none: () => "",
  registration: (view) => t("hub.screen_registration", { n: present(view).length }),
  drawn: (view) => t("hub.screen_seats", { round: view.rounds[0]?.round ?? 1 }),
  playing: (view) => t("hub.screen_round", { round: view.night.round, rounds: view.night.rounds }),
  played: () => t("hub.screen_played"),
  cut: (view) => sentence(view.cut.said),
  bracket: (view) => champion(view) ?? t("hub.screen_bracket"),
  ended: (view) => champion(view) ?? t("hub.screen_ended"),
};

function champion(view) {
  const winner = view.brackets.find(({ bracket }) => bracket === "main")?.winner;
  return winner ? t("hub.has_won", { name: view.names[winner] }) : null;
}

function show(view) {
  document.body.dataset.phase = view.night.phase;
  write(byId("headline"), HEADS[view.night.phase](view));
  write(byId("time"), clock());
  showRound(view);
  const sit = view.sitting_out;
  write(byId("sitting"), sit.length ? t("hub.sit_out", { names: listText(sit.map((player) => view.names[player])), n: sit.length }) : "");
  showStandings(view);
  showBracket(view);
  const said = view.announcements.slice(0, 2).map(({ number, text }) => html("li", { "data-key": `${number}`, dir: "auto" }, text));
  byId("announcements").hidden = !said.length;
  showRows(byId("announcements"), said);
  byId("door-card").hidden = !DOOR || !["none", "registration", "drawn"].includes(view.night.phase);
  const here = present(view).map((player) => view.names[player]).sort(byName);
  byId("people").hidden = view.night.phase !== "registration";
  showRows(byId("people"), here.map((name) => html("li", { "data-key": name, dir: "auto" }, name)));
}

/** One bracket at a time, from the first round from which on it fits. */
function showBracket(view) {
  const place = byId("brackets");
  const shown = ["bracket", "ended"].includes(view.night.phase) ? view.brackets : [];
  place.hidden = !shown.length;
  if (!shown.length) return;
  const bracket = shown[page % shown.length];
  const title = t(bracket.bracket === "main" ? "hub.bracket_main" : "hub.bracket_consolation");
  for (let first = 1; first <= bracket.rounds; first += 1) {
    showRows(place, [html("section", { "data-key": bracket.bracket }, html("h2", title), bracketPicture(view, bracket, () => [], first))]);
    if (fits(place)) return;
  }
}

// --- the door ---

async function showDoor() {
  const { ok, body } = await fetchJson(`/night/v1/${NIGHT}/door`, { cache: "no-store" });
  if (ok) {
    showRows(byId("door"), [html("div.door-code", { "data-key": body.code }, ...invite(body, "hub.door_how", "hub.door_how_typed", { isTouched: false }))]);
  }
  setTimeout(showDoor, ok ? Math.min(60_000, Math.max(1_000, body.until - Date.now() + 300)) : 5_000);
}

function turn() {
  page += 1;
  if (stream.view) show(stream.view);
}

stream.on("view", show);
stream.on("tables", () => stream.view && showRound(stream.view));
showLink(stream, linkWords);
setInterval(turn, PAGE);
addEventListener("resize", () => stream.view && show(stream.view));
if (DOOR) showDoor();
stream.open();
