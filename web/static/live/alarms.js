// Alarms at the top of every page until someone dismisses them, and restoring scores that this device has seen and the
// table has lost, one by one or all.

import { laneSign } from "../board/shapes.js";
import { asSentence, fetchJson, html, languageOf, loadTexts, openDialog, postJson, quote, t, translate, write } from "../lib/browser.js";
import { entryText, isRuling, isScore } from "../words/state.js";
import { sendCommand } from "./command_queue.js";
import { makeRoom } from "./page_head.js";
import { keepGames, recallGames } from "./seen_lines.js";
import { Role } from "./table_stream.js";

await loadTexts("alarm_words");

const FAULT = "scores_not_stored"; // the alarm under which the table can continue in memory
const LONGEST_ID = 64; // letters of a command's id
const CAN_BE_SENT = new Set(["score", "penalty"]);

// --- which lines the board is missing ---

const contentOf = ({ do: what, lane, points }) => [what, lane, points].join();

const inOrder = (lines) => Object.values(lines).sort((one, other) => Number(one.id) - Number(other.id));

/** The sheet's lines after those that a device had seen before a loss: restored or scored again. */
function linesSince(sheet, { lines }) {
  const [first] = inOrder(lines);
  const isOlder = (entry) => Number(entry.id) < Number(first.id) && entry.at <= first.at;
  return sheet.filter((entry) => lines[entry.id]?.at !== entry.at && !isOlder(entry));
}

/** Lines with points that this device has seen in a game, and that the sheet neither has nor got back. */
function missingLines(sheet, game) {
  const kept = new Map(sheet.map(({ id, at }) => [id, at]));
  const back = linesSince(sheet, game).map(contentOf);
  return inOrder(game.lines).filter((line) => {
    if (kept.get(line.id) === line.at || !line.stands || !(isScore(line) || isRuling(line))) return false;
    const place = back.indexOf(contentOf(line));
    if (place >= 0) back.splice(place, 1);
    return place < 0;
  });
}

/** The missing lines of several games seen by this device, newest first; what two games have lost is listed once. */
function allMissing(sheet, games) {
  const all = [];
  for (const game of games) {
    const known = all.map(({ line }) => contentOf(line));
    for (const line of missingLines(sheet, game)) {
      const place = known.indexOf(contentOf(line));
      if (place >= 0) known.splice(place, 1);
      else all.push({ game, line });
    }
  }
  return all.sort((one, other) => one.line.at - other.line.at);
}

/** The id of the restore command for a line, the same on every device, so that two devices restore it only once. */
const putBackId = ({ epoch, game }, line) => `back-${epoch}-${game}-${line.id}`.slice(0, LONGEST_ID);

/** The restore command for a line; null unless it is a plain score: all else is entered by hand. */
function putBackCommand({ game, epoch, lanes }, { do: what, seat, lane, points, why, note, fault, redeal, accepted }) {
  if (!CAN_BE_SENT.has(what)) return null;
  const who = seat === null ? { lane } : { seat };
  const said = what === "penalty" ? { ...(note && { note }), fault, redeal, accepted } : why && { why };
  return { game: game.id, epoch, base: lanes[lane].revision, do: what, ...who, points, ...said };
}

/** Send it; if the reason for the points does not fit the deal as now known, without the reason. */
async function sendAtLeastPoints(command, id) {
  const answer = await sendCommand(command, { id });
  return answer.body.code === "rule" && command.why ? sendCommand({ ...command, why: undefined }, { id }) : answer;
}

// --- a dialog for every page ---

/** Open a dialog; `answer(value, key)` after it closes, "close" for its harmless key, which has the focus. */
function openSheet(title, nodes, close, answer) {
  const heading = html("h2", { id: "sheet-title" }, title);
  const dialog = html("dialog.modal", { "aria-labelledby": heading.id }, heading, html("form", { method: "dialog" }, ...nodes));
  document.body.append(dialog);
  openDialog(dialog, "close", (value, key) => {
    dialog.remove();
    answer(value, key);
  }, () => close.focus({ preventScroll: true }));
}

const closeKey = (text) => html("button.solid", { value: "close" }, html("b", text));

const wideKey = (value, ...inside) => html("button.key.wide", { value }, ...inside);

/** Ask a question; `act()` on yes. The harmless answer comes first. */
function askFirst({ ask, then, no, yes }, act) {
  const close = closeKey(no);
  openSheet(ask, [html("p.since", then), close, wideKey("yes", html("b", yes))], close, (value) => value === "yes" && act());
}

// --- the strip ---

export class AlarmStrip {
  #table;
  #role = new Role();
  #node = html("section.alarms", { "aria-label": t("alarm.title"), hidden: true });
  #said = html("p.reason", { role: "status" });
  #missing = []; // {line, game}
  #isElsewhere = false; // they belong to a game that is not on the table
  #looked = ""; // the state last checked for them
  #loss = ""; // the alarms that could be dismissed at this device's last check
  #drawn = "";

  constructor(table) {
    this.#table = table;
    document.head.append(html("link", { rel: "stylesheet", href: new URL("alarms.css", import.meta.url).pathname }));
    document.body.prepend(this.#node);
    this.#role.follow(() => this.#draw());
    new ResizeObserver(makeRoom).observe(this.#node);
  }

  show() {
    const { state } = this.#table;
    const loss = state.alarms.filter(({ lasts }) => !lasts).map(({ id }) => id).join();
    if (this.#loss && !loss) this.#forget(); // someone has declared at the table that all is well
    this.#loss = loss;
    this.#draw();
    this.#look();
  }

  // What was seen and is lost.

  get #earlierGames() {
    return recallGames().filter(({ epoch }) => epoch !== this.#table.state.epoch);
  }

  #forget(games = this.#earlierGames) {
    keepGames(recallGames().filter((one) => !games.some(({ epoch, game }) => one.epoch === epoch && one.game === game)));
    this.#missing = [];
    this.#looked = "";
  }

  /** Compare what this device has seen with the whole sheet, once for each state. */
  async #look() {
    const { epoch, revision, game } = this.#table.state;
    const now = [epoch, revision, game.id].join();
    if (this.#looked === now || !this.#earlierGames.length) return;
    this.#looked = now;
    const { ok, body } = await fetchJson("/api/v1/sheet");
    if (ok && body.epoch === epoch && body.game === game.id) await this.#compare(body.entries);
    else this.#looked = ""; // try again with the next state
    this.#draw();
  }

  async #compare(sheet) {
    const { game, seats } = this.#table.state;
    const names = seats.map(({ name }) => name).join();
    const away = this.#loss ? await this.#lostGames() : [];
    const fitting = game.over ? [] : away.filter((one) => one.names.join() === names);
    const found = allMissing(sheet, [...this.#earlierGames.filter((one) => one.game === game.id), ...fitting]);
    this.#isElsewhere = !found.length && away.length > fitting.length;
    this.#missing = this.#isElsewhere ? allMissing([], away) : found;
    if (!this.#missing.length) this.#forget();
  }

  /** The games that this device has seen in an earlier journal and that the table no longer has. */
  async #lostGames() {
    const games = this.#earlierGames.filter(({ game }) => game !== this.#table.state.game.id);
    const answers = await Promise.all(games.map(({ game }) => fetchJson(`/api/v1/games/${encodeURIComponent(game)}`)));
    return games.filter((_, i) => answers[i].status === 404);
  }

  // Drawing.

  #draw() {
    const { alarms } = this.#table.state;
    const n = this.#missing.length;
    const drawn = JSON.stringify([alarms, n, this.#isElsewhere, this.#role.mayScore, this.#role.isDirector]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const rows = alarms.map((alarm, i) => this.#row(alarm, i === alarms.length - 1));
    const alone = n && !alarms.length ? [html("div.alarm", html("p", t("alarm.seen_here", { n })), ...this.#missingKeys())] : [];
    const held = [...this.#node.querySelectorAll("button")].indexOf(document.activeElement);
    this.#node.replaceChildren(...rows, ...alone, this.#said);
    this.#node.querySelectorAll("button")[held]?.focus({ preventScroll: true });
    this.#node.hidden = !rows.length && !alone.length;
    makeRoom();
  }

  #row({ id, text, message, lasts, director }, isLast) {
    const said = asSentence(translate(message, text));
    const keys = [...(isLast ? this.#missingKeys() : []), ...(lasts ? this.#memoryKey(message) : this.#dismissKey(id, director))];
    return html(`div.alarm${lasts ? ".lasts" : ""}`, html("p", { role: "alert", lang: languageOf(said) }, said), ...keys);
  }

  #key(text, act) {
    const key = html("button.key", { type: "button" }, text);
    key.addEventListener("click", act);
    return key;
  }

  #missingKeys() {
    const n = this.#missing.length;
    if (!n) return [];
    if (!this.#role.mayScore) return [html("small", t("alarm.known_here", { n }))];
    return [this.#key(t("alarm.put_back", { n }), () => this.#openMissing())];
  }

  #dismissKey(id, isDirectors) {
    const { mayScore, isDirector } = this.#role;
    return mayScore && (isDirector || !isDirectors) ? [this.#key(t("alarm.dismiss"), () => this.#dismiss(id))] : [];
  }

  #memoryKey(message) {
    return message?.key === FAULT && this.#role.isDirector ? [this.#key(t("alarm.memory"), () => this.#askMemory())] : [];
  }

  /** Use the state of a response, or say why there is none. */
  #take({ ok, body }, state = body) {
    if (ok) this.#table.takeAnswer(state);
    quote(this.#said, ok ? "" : asSentence(body.detail));
    return ok;
  }

  // Dismissing, and continuing in memory.

  #dismiss(id) {
    const n = this.#missing.length;
    const send = async () => this.#take(await postJson(`/api/v1/alarms/${encodeURIComponent(id)}/dismiss`, {}));
    if (!n) return send();
    const question = { ask: t("alarm.dismiss_ask"), then: t("alarm.dismiss_then", { n }), no: t("alarm.dismiss_no"), yes: t("alarm.dismiss_yes") };
    return askFirst(question, send);
  }

  #askMemory() {
    const question = { ask: t("alarm.memory_ask"), then: t("alarm.memory_then"), no: t("alarm.memory_no"), yes: t("alarm.memory_yes") };
    askFirst(question, async () => this.#take(await postJson("/api/v1/journal/memory", { memory: true })));
  }

  // Restoring.

  #openMissing() {
    const [shown, { state }] = [this.#missing, this.#table];
    const n = shown.length;
    const about = this.#isElsewhere ? t("alarm.of_another_game", { names: shown[0].game.names.join(", ") }) : t("alarm.about");
    const all = n > 1 && !this.#isElsewhere ? [wideKey("all", html("b", t("alarm.put_all")))] : [];
    const close = closeKey(t("common.close"));
    const lines = html("div.lost-lines", ...shown.map((one, i) => this.#lineKey(one, i)));
    const nodes = [html("p.since", about), ...all, lines, wideKey("leave", html("b", t("alarm.leave"))), close];
    openSheet(t("alarm.lost", { n }), nodes, close, (value) => {
      if (value === "leave") this.#leave();
      else if (value === "all") this.#putBack(state, shown);
      else if (value !== "close") this.#putBack(state, [shown[Number(value)]], true);
    });
  }

  /** "Bob +5, hand", "20 → 25" */
  #lineKey({ game, line }, i) {
    const seats = game.names.map((name, seat) => ({ name, lane: this.#table.state.seats[seat]?.lane ?? seat }));
    const what = html("b", entryText({ seats, lanes: this.#table.state.lanes }, line));
    const holes = html("span", Number.isInteger(line.from) ? `${line.from} → ${line.to}` : "");
    const sign = Number.isInteger(line.lane) ? laneSign(line.lane) : null;
    if (this.#isElsewhere || !CAN_BE_SENT.has(line.do)) {
      return html("p.lost-line", sign, what, this.#isElsewhere ? holes : html("span", t("alarm.by_hand")));
    }
    return wideKey(`${i}`, sign, what, holes);
  }

  #leave() {
    this.#forget();
    this.#draw();
  }

  /** Restore lines in their order, starting from the state that was seen, until one is refused; then list the rest
   * `again`. */
  async #putBack(seen, lines, again = false) {
    let state = seen;
    write(this.#said, "");
    for (const { game, line } of lines) {
      const command = putBackCommand(state, line);
      if (!command) continue;
      const { ok, body } = await sendAtLeastPoints(command, putBackId(game, line));
      if (body.state) this.#table.takeAnswer(body.state);
      if (!ok && body.code !== "id_reused") { // another device with the same knowledge has restored it
        quote(this.#said, asSentence(body.detail));
        again = false;
        break;
      }
      state = body.state ?? this.#table.state;
    }
    this.#looked = "";
    await this.#look();
    if (again && this.#missing.length) this.#openMissing();
  }
}
