// Player's page: the next game, both cards, standings, and calls for a judge.

import { byId, html, quote, t, write } from "../lib/browser.js";
import { bracketName, bracketPicture, choiceField, closeSheet, confirm, doKey, listenToKeys, numberField, openForm, openKey, roundName, showOne, showRows, watchRevision } from "./controls.js";
import { decide, refusalOf, send } from "./decisions.js";
import { NIGHT, NightStream, showLink } from "./night_stream.js";
import { callText, claimText, clockText, linkWords, money, sentence, skunkText, withSign, stateWord, valueText, whyNot } from "./night_words.js";

const ME = document.body.dataset.player;
const PLAYED = ["played", "cut", "bracket"]; // phases in which latecomers are no longer drawn

const MOST_HOLES = 121; // maximum margin of a win

const stream = new NightStream("player", ME);
const read = () => stream.view;

const asPlayer = (request) => ({ ...request, player: ME, as: "player" });

// --- the next game ---

const against = (view, game) => game.players.find((player) => player !== ME);

function nextCard(view) {
  const { next, me, night } = view;
  if (night.ended || night.phase === "ended") return [html("p.big", t("hub.night_over"))];
  if (me.state === "left") return [html("p.big", t("hub.you_left")), html("p.quiet", t("hub.you_left_about"))];
  const match = myMatch(view);
  if (!next && match) return match;
  if (!next && view.ahead) return [html("p.big", sentence(view.ahead)), ...(night.cut_closed ? [] : [html("p.quiet", t("hub.ahead_about"))])];
  const isOver = view.card.length > 0 || PLAYED.includes(night.phase);
  if (!next) return [html("p.big", t(isOver ? "hub.no_more_games" : "hub.wait_for_draw")), html("p.quiet", t(isOver ? "hub.no_more_about" : "hub.next_here"))];
  if (view.sits_out && next.round > view.sits_out) {
    const then = { round: next.round, table: next.label || "–", name: view.names[next.against] };
    return [html("p.quiet", t("hub.round_of", { round: view.sits_out, rounds: night.rounds })), html("p.big", t("hub.you_sit_out")), html("p", t("hub.then_at", then))];
  }
  return [
    html("p.quiet", t("hub.round_of", { round: next.round, rounds: night.rounds })),
    html("p.table-number", html("small", t("hub.table_word")), html("b.hero", next.label || "–")),
    html("p.big", t("hub.against", { name: view.names[next.against] })),
    html("p", t(next.deals_first && !me.partner ? "hub.you_deal" : "hub.they_deal", { name: next.dealer })),
  ];
}

/** My match in a bracket, if one is ready to play. */
function myMatch(view) {
  const found = view.brackets.flatMap(({ matches, rounds }) => matches.map((match) => [match, rounds])).find(([match]) => !match.winner && !match.bye && match.players.includes(ME) && match.players.every(Boolean));
  if (!found) return null;
  const [match, rounds] = found;
  const other = match.players.find((player) => player !== ME);
  const won = match.players.map((player, side) => `${view.names[player]} ${match.won[side]}`).join(" – ");
  return [html("p.quiet", t("hub.my_match", { round: roundName(match.round, rounds), n: (match.best_of + 1) / 2 })), html("p.big", t("hub.against", { name: view.names[other] })), html("p", won)];
}

// --- the result of the current game ---

function resultKeys(view, game) {
  const seat = game.players.indexOf(ME);
  const [mine, theirs] = [game.claims[seat], game.claims[1 - seat]];
  const name = view.names[against(view, game)];
  if (game.values[seat]) return [html("p.ok", t("hub.result_stands", { value: valueText(game.values[seat]) }))];
  if (game.mismatch) return [html("p.ill", sentence(game.mismatch)), html("p", t("hub.mismatch_do")), claimKey(view, "hub.change_claim", "button.key.wide"), callKey(view, "judge")];
  if (!mine && theirs) return theirsFirst(view, game, theirs, name);
  if (mine && !theirs) return [html("p", t("hub.waits_for", { name, claim: claimText(mine) })), claimKey(view, "hub.change_claim", "button.key.wide")];
  if (game.report && !game.confirmed[seat]) return reportLine(view, game, name);
  return [claimKey(view, "hub.enter_my_result", "button.solid")];
}

const claimKey = (view, label, kind) => openKey(t(label), "claim", "", { kind, why: whyNot(view.actions.claim) });

/** The opponent's card is there: one tap confirms it, another disputes it. */
function theirsFirst(view, game, claim, name) {
  const agree = doKey(t("hub.that_is_so"), asPlayer({ do: "confirm", game: game.game }), view.actions.confirm, { kind: "button.solid" });
  const says = t(claim.won ? "hub.they_won" : "hub.you_won", { name, margin: claim.margin ?? "–" });
  return [html("p", t("hub.other_says", { name })), html("p.big", says), agree, claimKey(view, "hub.say_otherwise", "button.key.wide")];
}

/** The table has sent the result: the score sheet has the margin. */
function reportLine(view, game, name) {
  const agree = doKey(t("hub.that_is_so"), asPlayer({ do: "confirm", game: game.game }), view.actions.confirm, { kind: "button.solid" });
  const says = t(game.report.winner === ME ? "hub.you_won" : "hub.they_won", { name, margin: game.report.margin });
  return [html("p", t("hub.table_says")), html("p.big", says), agree, claimKey(view, "hub.say_otherwise", "button.key.wide")];
}

/** Enter my card: won or lost, and by how many holes. */
function openClaim() {
  const view = read();
  const game = view.now;
  const name = view.names[against(view, game)];
  const form = openForm({
    title: t("hub.enter_my_result"),
    about: t("hub.claim_about"),
    nodes: [
      choiceField(t("hub.who_won"), "won", [["yes", t("hub.i_won")], ["no", t("hub.name_won", { name })]]),
      numberField(t("hub.margin"), "margin", { hint: t("hub.margin_hint"), maxlength: "3" }),
      html("p.quiet.skunk", { "aria-live": "polite" }, " "),
    ],
    yes: t("hub.send_result"),
    submit: async ({ won, margin }) => {
      if (won === undefined) return { text: t("hub.say_who_won") };
      const number = /^\d{1,3}$/u.test(margin.trim()) ? Number(margin) : 0;
      if (number < 1 || number > MOST_HOLES) return { text: t("hub.say_margin") };
      const answer = await decide(asPlayer({ do: "claim", game: game.game, won: won === "yes", margin: number }));
      return answer.ok ? null : refusalOf(answer);
    },
  });
  form.addEventListener("input", () => {
    const margin = Number(new FormData(form).get("margin"));
    write(form.querySelector(".skunk"), (margin <= MOST_HOLES && skunkText(view, margin)) || " ");
  });
}

// --- calls ---

const callKey = (view, whom) => openKey(t(`hub.call_a_${whom}`), "call", whom, { kind: "button.key", why: whyNot(view.actions.call) });

async function call(whom, key) {
  const yes = await confirm({ title: t(`hub.call_a_${whom}`), about: t("hub.call_about"), yes: t("hub.call_yes") });
  if (!yes) return;
  const view = read();
  const answer = await send("/night/v1/calls", { night: NIGHT, do: "call", for: whom, table: tableOf(view), as: "player" });
  if (!answer.ok) quote(byId("called"), refusalOf(answer).text);
  else write(byId("called"), t("hub.called"));
  key.focus();
}

const tableOf = (view) => (view.now ?? view.next)?.table ?? "";

/** Calls that this player can answer: from others, for a judge. */
const openCalls = (view) => view.calls.filter(({ table, name, for: whom, accepted }) => {
  const isOwn = name ? name === view.names[ME] : table === tableOf(view);
  return whom === "judge" && !isOwn && !accepted.includes(view.names[ME]);
});

function callRow(one) {
  const { call: id, accepted, needed } = one;
  const stands = accepted.length ? t("hub.call_accepted", { names: accepted.join(", "), needed }) : t("hub.call_open");
  const key = openKey(t("hub.call_come"), "come", id, { kind: "button.key" });
  return html("li.needs", { "data-key": id }, html("p.stacked", html("b", callText(one)), html("span.quiet", stands)), html("div.acts", key));
}

async function come(id, key) {
  const answer = await send("/night/v1/calls", { night: NIGHT, do: "accept_call", call: id, as: "player" });
  if (!answer.ok) quote(byId("called"), refusalOf(answer).text);
  else key.remove();
}

// --- card and standings ---

function cardRow(view, row) {
  const value = row.value ? [html("td.number", `${row.value.points}`), html("td.number", withSign(row.value.net))] : [html("td", { colspan: "2" }, html("small.quiet", row.state === "drawn" ? "" : stateWord(row.state)))];
  return html("tr", { "data-key": row.game, class: row.mismatch ? "ill" : null },
    html("td.number", `${row.round}`), html("th", { scope: "row" }, html("span.name", { dir: "auto" }, view.names[row.against]), row.claim && !row.value ? html("small.quiet", claimText(row.claim)) : null), ...value);
}

function showCard(view) {
  byId("card-empty").hidden = view.card.length > 0;
  byId("card").hidden = view.card.length === 0;
  showRows(byId("card-rows"), view.card.map((row) => cardRow(view, row)));
  const { points, won, net } = view.totals;
  write(byId("card-total"), t("hub.card_total", { points, won, net: withSign(net), n: points }));
}

const standingRow = (view, one) => html("tr", { "data-key": one.player, class: one.player === ME ? "me" : null },
  html("td.number", `${one.place}`), html("th", { scope: "row" }, html("span.name", { dir: "auto" }, view.names[one.player])),
  html("td.number", `${one.points}`), html("td.number", `${one.won}`), html("td.number", withSign(one.net)));

function showStandings(view) {
  byId("standings-card").hidden = !view.standings.some(({ games }) => games > 0);
  write(byId("my-place"), view.standing ? sentence(view.standing.said) : "");
  showRows(byId("standings"), view.standings.map((one) => standingRow(view, one)));
}

function liveText(view) {
  const live = stream.tables.get((view.now ?? view.next)?.table);
  const { scores, players } = live?.state ?? {};
  return scores && players && view.now?.state === "running" ? players.map((name, seat) => `${name} ${scores[seat] ?? 0}`).join(" – ") : "";
}

function show(view, changed) {
  if (["head", "names", "brackets", "card"].some((part) => changed.has(part))) {
    showOne(byId("next"), ...nextCard(view));
    byId("result-card").hidden = !view.now;
    if (view.now) showOne(byId("result"), ...resultKeys(view, view.now));
    write(byId("live-score"), liveText(view));
    showOne(byId("call-keys"), callKey(view, "judge"), callKey(view, "director"));
    write(byId("money"), moneyText(view));
    showCard(view);
  }
  if (changed.has("calls") || changed.has("head")) {
    byId("calls-card").hidden = !openCalls(view).length;
    showRows(byId("calls"), openCalls(view).map(callRow));
  }
  if (["card", "totals", "names"].some((part) => changed.has(part))) showCard(view);
  if (["standings", "head", "names"].some((part) => changed.has(part))) showStandings(view);
  if (changed.has("brackets") || changed.has("names")) {
    byId("brackets").hidden = !view.brackets.length;
    showRows(byId("brackets"), view.brackets.map((one) => html("section.card", { "data-key": one.bracket }, html("h2", bracketName(one)), bracketPicture(view, one))));
  }
  if (changed.has("announcements")) {
    byId("announcements").hidden = !view.announcements.length;
    showRows(byId("announcements"), view.announcements.map(({ number, at, text }) => html("li", { "data-key": `${number}` }, html("b", { dir: "auto" }, text), html("small.quiet", clockText(at)))));
  }
}

function moneyText({ me, night }) {
  const owes = me.fee.due - me.fee.paid;
  return owes > 0 ? t("hub.you_owe", { sum: money(owes, night.rules.currency) }) : "";
}

stream.on("view", show);
stream.on("tables", () => stream.view && write(byId("live-score"), liveText(stream.view)));
showLink(stream, linkWords);
watchRevision(() => null);
listenToKeys({ claim: openClaim, call, come });
addEventListener("keydown", ({ key }) => key === "Escape" && closeSheet());
stream.open();
