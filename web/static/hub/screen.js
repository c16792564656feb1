// Big screen of an event: seats, live games, standings page by page, brackets, announcements.

import { byId, fetchJson, html, language, t, write } from "../lib/browser.js";
import { bracketName, bracketPicture, invite, roundName, showRow, showRows } from "./controls.js";
import { NIGHT, NightStream, showLink } from "./night_stream.js";
import { byName, isOpen, linkWords, listText, liveScore, sentence, withSign, stateWord } from "./night_words.js";

const PAGE = 12_000; // ms that a page of the standings or seats is shown
const DOOR = document.body.dataset.role === "director";

/** If not everything fits, the page scrolls and does not change by itself. */
const SCROLLS = matchMedia("(max-aspect-ratio: 1), (max-width: 700px)");

const stream = new NightStream("screen");
let page = 0;

const clock = () => new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(Date.now());

// --- seats and games ---

const seatRow = (view, player, { label }, against) =>
  html("li.seat", { "data-key": player }, html("b.number", label || "–"), html("span.name", { dir: "auto" }, view.names[player]), html("span.quiet.name", { dir: "auto" }, view.names[against]));

/** All players by name with their table, so that they can find themselves. */
function seats(view, round) {
  const found = round.games.flatMap((game) => [0, 1].map((seat) => [game.players[seat], game, game.players[1 - seat]]));
  found.sort(([one], [other]) => byName(view.names[one], view.names[other]));
  return found.map(([player, game, against]) => seatRow(view, player, game, against));
}

function besides(view, game, seat, live) {
  if (game.values[seat]) return [html("b.number", withSign(game.values[seat].net))];
  const isPlayed = live?.state && ["running", "half"].includes(game.state);
  return isPlayed ? [html("b.number", `${liveScore(view, game, seat, live)}`)] : [];
}

/** The games of the newest round, and unfinished ones of earlier rounds. */
function playedGames({ rounds }) {
  const newest = rounds.at(-1);
  const others = rounds.slice(0, -1).flatMap(({ games }) => games).filter(isOpen);
  return [...(newest?.games ?? []), ...others];
}

function gameTile(view, game) {
  const live = stream.tables.get(game.table);
  const lines = [0, 1].map((seat) => html("p.line", html("span.name", { dir: "auto" }, view.names[game.players[seat]]), ...besides(view, game, seat, live)));
  return html(`li.game.${game.state}`, { "data-key": game.game }, html("header", html("b", html("span.table-word", t("hub.table_word"), " "), game.label || "–"), html("span.quiet", roundOrState(view, game))), ...lines);
}

/** If two rounds run at once, an earlier game says which round it is in. */
const roundOrState = (view, { round, state }) => (round < view.rounds.at(-1).round ? t("hub.round", { n: round }) : stateWord(state));

function showRound(view) {
  const round = view.rounds.at(-1);
  const isDrawn = round?.state === "drawn";
  const isOver = shownBrackets(view).length > 0;
  byId("seats").hidden = !isDrawn;
  byId("games").hidden = !round || isDrawn || isOver;
  if (!round || isOver) return;
  if (isDrawn) showPage(byId("seats"), seats(view, round), SEATS);
  else showPage(byId("games"), playedGames(view).map((game) => gameTile(view, game)), TILES);
}

/** Update a table's live score if its game is visible. */
function showLiveTable(view, table) {
  const game = playedGames(view).filter((one) => one.table === table).at(-1);
  if (game && !byId("games").hidden) showRow(byId("games"), gameTile(view, game));
}

// --- fitting rows, page by page ---

/** Row sizes, the largest first: in the second group rows show less, or in smaller letters. */
const TILES = [["few", "some", "more", "many"], ["dense", "crowd"]];
const SEATS = [["huge", "few", "some", "many"], ["crowd"]];
const PEOPLE = [["huge", "few", "some", "many"], ["crowd"]];

const fits = (list) => list.scrollHeight <= list.clientHeight + 1 && list.scrollWidth <= list.clientWidth + 1;

const LINES = 1.5; // line heights from which a name takes two lines

const isOneLine = (name) => name.scrollHeight < LINES * parseFloat(getComputedStyle(name).lineHeight);

const isUncut = (name) => name.scrollHeight <= name.clientHeight + 1 && name.scrollWidth <= name.clientWidth + 1;

/** Requirements for all names, the best first. */
const WISHES = [(name) => isUncut(name) && isOneLine(name), isUncut];

/** Sizes with a requirement for names, in the order to try. */
const triesOfWhole = (groups) => groups.flatMap((sizes) => WISHES.flatMap((wish) => sizes.map((size) => [size, wish])));

/** The same if names may be cut. */
const triesOfCut = (groups) => groups.flat().map((size) => [size, () => true]);

const MORE_PAGES = 2; // at most, to avoid cutting names

/** Cache of layouts, by rows and list size, so that each is tried only once. */
const layouts = new WeakMap();

/**
 * Show rows as large as possible with every name whole, on one line if possible; if they do not fit at the smallest
 * size, on as few pages as possible.
 */
function showPage(list, rows, groups, turn = page) {
  const key = `${list.clientWidth} ${list.clientHeight} ${rows.map((row) => row.textContent.replace(/\d/gu, "0")).join()}`;
  if (layouts.get(list)?.key !== key) layouts.set(list, { key, ...fittingLayout(list, rows, groups) });
  const { pages, size } = layouts.get(list);
  list.dataset.size = size;
  const [shown, count] = showTurn(list, rows, pages, turn);
  if (!list.hidden) write(byId("page-of"), count > 1 ? `· ${pageText(shown, count)}` : "");
}

const pageText = (shown, pages) => (pages > 1 ? t("hub.page_of", { page: shown + 1, pages }) : "");

/** The number of pages and the size at which rows fit with whole names; if more pages do not help, with names cut. */
function fittingLayout(list, rows, groups) {
  const last = Math.max(1, rows.length);
  const cut = fewestPages(list, rows, triesOfCut(groups), 1, last) ?? { pages: last, size: groups.at(-1).at(-1) };
  return fewestPages(list, rows, triesOfWhole(groups), cut.pages, Math.min(last, cut.pages + MORE_PAGES)) ?? cut;
}

/** The fewest pages on which rows fit, and the largest size for them; null if even `most` pages are not enough. */
function fewestPages(list, rows, tries, least, most) {
  for (let pages = least; pages <= most; pages += 1) {
    const size = fittingSize(list, rows, pages, tries);
    if (size) return { pages, size };
  }
  return null;
}

/** The size at which each of this many pages fits, or null. */
function fittingSize(list, rows, pages, tries) {
  const turns = Array.from({ length: pages }, (_, turn) => turn);
  return tries.find(([size, wish]) => {
    list.dataset.size = size;
    return turns.every((turn) => {
      showTurn(list, rows, pages, turn);
      return fits(list) && [...list.querySelectorAll(".name")].every(wish);
    });
  })?.[0];
}

/** Show one of this many pages, with its number and the total. */
function showTurn(list, rows, pages, turn) {
  const most = Math.ceil(rows.length / pages);
  const count = Math.ceil(rows.length / most) || 1;
  const shown = turn % count;
  showRows(list, rows.slice(shown * most, (shown + 1) * most));
  return [shown, count];
}

const standingRow = (view, one) => html("tr", { "data-key": one.player, class: one.qualifies ? "qualifies" : null },
  html("td.number", `${one.place}`), html("th", { scope: "row" }, html("span.name", { dir: "auto" }, view.names[one.player])),
  html("td.number", `${one.points}`), html("td.number", `${one.won}`), html("td.number", withSign(one.net)));

function showStandings(view) {
  byId("standings-card").hidden = !view.standings.some(({ games }) => games > 0);
  const body = byId("standings");
  const head = body.previousElementSibling.offsetHeight;
  const row = parseFloat(getComputedStyle(body).getPropertyValue("--row")) * parseFloat(getComputedStyle(document.documentElement).fontSize) + 1;
  const most = SCROLLS.matches ? view.standings.length : Math.max(4, Math.floor((byId("standings-room").clientHeight - head) / row));
  const pages = Math.max(1, Math.ceil(view.standings.length / most));
  const first = (page % pages) * most;
  showRows(body, view.standings.slice(first, first + most).map((one) => standingRow(view, one)));
  write(byId("standings-page"), pageText(page % pages, pages));
}

/** The players who are here. */
const present = (view) => Object.keys(view.next);

// --- the head ---

const HEADS = {
  none: () => "",
  registration: (view) => t("hub.screen_registration", { n: present(view).length }),
  drawn: (view) => t("hub.screen_seats", { round: view.rounds.at(-1)?.round ?? 1 }),
  playing: (view) => t("hub.screen_round", { round: view.rounds.at(-1)?.round ?? view.night.round, rounds: view.night.rounds }),
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
  const sit = view.sitting_out;
  write(byId("sitting"), sit.length ? t("hub.sit_out", { names: listText(sit.map((player) => view.names[player])), n: sit.length }) : "");
  const said = view.announcements.slice(0, 2).map(({ number, text }) => html("li", { "data-key": `${number}`, dir: "auto" }, text));
  byId("announcements").hidden = !said.length;
  showRows(byId("announcements"), said);
  write(byId("page-of"), "");
  byId("door-card").hidden = !DOOR || !["registration", "drawn"].includes(view.night.phase);
  byId("people").hidden = view.night.phase !== "registration"; // before measuring the room that it leaves
  showStandings(view);
  showRound(view);
  showBracket(view);
  showPresent(view);
}

function showPresent(view) {
  const here = present(view).sort((one, other) => byName(view.names[one], view.names[other]));
  if (byId("people").hidden) return;
  showPage(byId("people"), here.map((player) => html("li", { "data-key": player }, html("span.name", { dir: "auto" }, view.names[player]))), PEOPLE);
}

const shownBrackets = ({ night, brackets }) => (["bracket", "ended"].includes(night.phase) ? brackets : []);

const BRACKETS = ["few", "some", "many"]; // sizes of its matches

/** The current round: the first with an open match; else the last one. */
const openRound = ({ matches, rounds }) => Math.min(rounds, ...matches.filter(({ bye, winner }) => !bye && !winner).map(({ round }) => round));

const matchTile = (view, match, bracket) => {
  const lines = [0, 1].map((side) => html("p.line", html("span.name", { dir: "auto" }, view.names[match.players[side]] ?? t("hub.not_known")), html("b.number", `${match.won[side]}`)));
  return html("li.game", { "data-key": `${match.round}-${match.place}` }, html("header", html("b", roundName(match.round, bracket.rounds)), html("span.quiet", bracketName(bracket))), ...lines);
};

/**
 * One bracket at a time, from the first round from which it fits; if it does not fit from the current round, the
 * matches of that round.
 */
function showBracket(view) {
  const place = byId("brackets");
  const shown = shownBrackets(view);
  place.hidden = !shown.length;
  if (!shown.length) return;
  const bracket = shown[page % shown.length];
  const open = openRound(bracket);
  for (let first = 1; first <= open; first += 1) {
    showRows(place, [html("section", { "data-key": bracket.bracket }, html("h2", bracketName(bracket)), bracketPicture(view, bracket, () => [], first))]);
    for (const size of BRACKETS) {
      place.dataset.size = size;
      if (fits(place)) return;
    }
  }
  place.hidden = true;
  byId("games").hidden = false;
  const matches = bracket.matches.filter(({ round, bye }) => round === open && !bye);
  showPage(byId("games"), matches.map((match) => matchTile(view, match, bracket)), TILES, Math.floor(page / shown.length));
}

// --- check-in ---

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
stream.on("tables", (_, { table }) => stream.view && showLiveTable(stream.view, table));
showLink(stream, linkWords);
setInterval(turn, PAGE);
addEventListener("resize", () => stream.view && show(stream.view));
if (DOOR) showDoor();
stream.open();
