// Money of an event: unpaid fees, pots with their entrants, winners and payouts.

import { byId, fetchJson, html, t } from "../../lib/browser.js";
import { choiceField, doKey, numberField, openDecision, openForm, openKey, openNotice, selectField, showRows, readCents, textField } from "../controls.js";
import { decide, refusalOf } from "../decisions.js";
import { NIGHT } from "../night_stream.js";
import { byName, listText, money, sentence, whyNot } from "../night_words.js";
import { CHOICES } from "./rules_form.js";

const PRIZES = "prizes"; // the kind of pot that goes by place

const LEFT = "pots_carried"; // what is carried over to the next event is already shown with its sum

const sums = (view) => (cents) => money(cents, view.night.rules.currency);

/** Show fees and pots. */
export function showMoney(view) {
  const sum = sums(view);
  const { due, paid, in_hand: inHand, pots, open, credit } = view.money;
  const rows = [["hub.money_due", due], ["hub.money_paid", paid], ["hub.money_pots", pots], ["hub.money_in_hand", inHand]];
  showRows(byId("money"), rows.map(([key, cents]) => html("div", { "data-key": key }, html("dt", t(key)), html("dd", sum(cents)))));
  byId("all-paid").hidden = open.length + credit.length > 0;
  const byNames = (one, other) => byName(view.names[one.player], view.names[other.player]);
  const people = [...[...open].sort(byNames).map(({ player, cents }) => owingRow(view, player, cents)), ...[...credit].sort(byNames).map(({ player, cents }) => creditRow(view, player, cents))];
  showRows(byId("owing"), people);
  showRows(byId("pots"), view.pots.map((pot) => potCard(view, pot)));
  showRows(byId("open-pot"), [html("div.acts", { "data-key": "one" }, openKey(t("hub.open_pot"), "new_pot", "", { why: whyNot(view.actions.open_pot) }))]);
}

function owingRow(view, player, cents) {
  const sum = money(cents, view.night.rules.currency);
  const key = doKey(t("hub.pay", { sum }), { do: "fee_paid", player, cents }, { possible: true }, { name: `${t("hub.pay", { sum })}: ${view.names[player]}` });
  return html("li.owing", { "data-key": player }, html("span.name", { dir: "auto" }, view.names[player]), html("div.acts", key));
}

/** Refund a player who has paid too much. */
function creditRow(view, player, cents) {
  const sum = money(cents, view.night.rules.currency);
  const key = doKey(t("hub.pay_back", { sum }), { do: "fee_paid", player, cents: -cents }, { possible: true }, { name: `${t("hub.pay_back", { sum })}: ${view.names[player]}` });
  return html("li.owing", { "data-key": player }, html("span.name", { dir: "auto" }, view.names[player]), html("span.ill", t("hub.paid_too_much", { sum })), html("div.acts", key));
}

// --- pots ---

const shareLine = (view) => ({ player, cents }) =>
  html("li", html("span.name", { dir: "auto" }, view.names[player]), html("b.number", money(cents, view.night.rules.currency)));

const hitText = ({ kind, count }) => t("hub.hit", { what: t(`hub.hit_${kind}`), count, n: count });

/** Whether everyone plays for it, by the event fee. */
const isForAll = (pot) => pot.fee_for === "night";

/** "3 full shares, 2 halves". */
function sharesText({ entries }) {
  const halves = entries.filter(({ half }) => half).length;
  const full = t("hub.pot_entries", { n: entries.length - halves });
  return halves ? `${full}, ${t("hub.pot_halves", { n: halves })}` : full;
}

/** Players in a pot who still owe money; "" if nobody does. */
function owingText(view, pot) {
  const inside = new Set(pot.entries.map(({ player }) => player));
  const names = view.money.open.filter(({ player }) => isForAll(pot) || inside.has(player)).map(({ player }) => view.names[player]).sort(byName);
  return names.length ? t("hub.pot_unpaid", { names: listText(names) }) : "";
}

function potCard(view, pot) {
  const sum = sums(view);
  const keys = [
    ...(isForAll(pot) ? [] : [openKey(t("hub.pot_who"), "pot_entries", pot.pot, { why: whyNot(pot.actions.enter_pot) })]),
    ...(pot.kinds.length ? [openKey(t("hub.pot_hit"), "pot_hit", pot.pot, { why: whyNot(pot.actions.pot_hit) })] : []),
    doKey(t("hub.pot_pay"), { do: "pay_pot", pot: pot.pot }, pot.actions.pay_pot, { kind: "button.key.strong", asks: { title: t("hub.pot_pay_ask", { name: pot.name }), about: [owingText(view, pot), t("hub.pot_pay_about")].filter(Boolean).join(" "), yes: t("hub.pot_pay") } }),
  ];
  const hits = pot.hits.map((hit) => html("li", html("span.name", { dir: "auto" }, view.names[hit.player]), html("span.quiet", hitText(hit))));
  const shares = pot.shares.map(shareLine(view));
  const rests = [["hub.pot_refunds", pot.refunds.reduce((all, { cents }) => all + cents, 0)], ["hub.pot_house", pot.house], ["hub.pot_carried", pot.left]].filter(([, cents]) => cents);
  return html("li.card.pot", { "data-key": pot.pot },
    html("header", html("h3", pot.name), html("b.number", sum(pot.sum))),
    html("p.quiet", sentence(pot.rule)),
    ...(isForAll(pot) ? [] : [html("p", sharesText(pot))]),
    ...(pot.house_percent ? [html("p", t("hub.pot_house_part", { percent: pot.house_percent }))] : []),
    ...(hits.length ? [html("ul.shares", ...hits)] : []),
    ...(shares.length ? [html("h4", t(pot.paid ? "hub.pot_paid" : "hub.pot_would_pay")), html("ul.shares", ...shares)] : []),
    ...rests.map(([key, cents]) => html("p.quiet", t(key, { sum: sum(cents) }))),
    ...pot.said.filter(({ key }) => key !== LEFT).map((said) => html(pot.differs ? "p.ill" : "p.quiet", sentence(said))),
    html("div.acts", ...keys));
}

export const findPot = (view, id) => view.pots.find(({ pot }) => pot === id);

/** Add a pot; it includes what an earlier event carried over for its kind. */
export async function openNewPot(view) {
  const { ok, body } = await fetchJson(`/night/v1/${NIGHT}/carried`);
  const left = ok ? body.carried : {};
  const cost = textField(t("hub.pot_fee", { currency: view.night.rules.currency }), "fee", { inputmode: "decimal", value: "5" });
  const scale = textField(t("hub.pot_scale"), "scale", { value: "50-30-20", hint: t("hub.pot_scale_hint") });
  const carried = textField(t("hub.pot_from_before", { currency: view.night.rules.currency }), "carried", { inputmode: "decimal", value: "0", hint: t("hub.pot_from_before_hint") });
  const form = openForm({
    title: t("hub.open_pot"),
    nodes: [
      choiceField(t("hub.pot_kind"), "kind", CHOICES.pots.map((kind) => [kind, t(`hub.pot_${kind}`), t(`hub.pot_${kind}_about`)]), { chosen: CHOICES.pots[0] }),
      cost,
      scale,
      carried,
      numberField(t("hub.pot_house_percent"), "house_percent", { value: "0", maxlength: "6" }),
      textField(t("hub.pot_name"), "name", { maxlength: "40", hint: t("hub.pot_name_hint") }),
    ],
    yes: t("hub.open_pot"),
    kind: "broad",
    submit: async ({ kind, fee, carried: before, name, house_percent: percent, scale: parts }) => {
      const [cents, centsBefore] = [readCents(fee), readCents(before)];
      if (cents === null || cents < 0 || centsBefore === null || centsBefore < 0) return { text: t("hub.amount_wrong") };
      if (!/^\s*(\d{1,2}|100)?\s*$/u.test(percent)) return { text: t("hub.percent_wrong") };
      const price = kind === PRIZES ? { scale: parts } : { fee: cents };
      const answer = await decide({ do: "open_pot", kind, ...price, carried: centsBefore, house_percent: Number(percent || 0), name: name.trim() || nameOfKind(view, kind) });
      return answer.ok ? null : refusalOf(answer);
    },
  });
  const showFields = ({ target } = {}) => {
    const kind = new FormData(form).get("kind");
    [cost.hidden, scale.hidden] = [kind === PRIZES, kind !== PRIZES];
    if (!target || target.name === "kind") form.elements.carried.value = ((left[kind] ?? 0) / 100).toFixed(2);
  };
  form.addEventListener("change", showFields);
  showFields();
}

/** The name of a pot of a kind; a second one has its number. */
function nameOfKind(view, kind) {
  const others = view.pots.filter((pot) => pot.kind === kind).length;
  return others ? `${t(`hub.pot_${kind}`)} ${others + 1}` : t(`hub.pot_${kind}`);
}

/** The entrants of a pot: tap a name to add or remove it. */
export function openPotEntries(view, id) {
  const list = html("ul.plain", { "data-pot": id });
  showRows(list, entryRows(view, id));
  openNotice(t("hub.pot_who_of", { name: findPot(view, id).name }), [list], "broad");
}

/** Update the open list of a pot. */
export function refreshPotEntries(view) {
  const list = byId("sheet").querySelector("[data-pot]");
  if (list && byId("sheet").open) showRows(list, entryRows(view, list.dataset.pot));
}

function entryRows(view, id) {
  const pot = findPot(view, id);
  const people = view.players.filter(({ state }) => state !== "left").sort((one, other) => byName(view.names[one.player], view.names[other.player]));
  const entries = new Map(pot.entries.map((entry) => [entry.player, entry]));
  return people.map(({ player }) => {
    const entry = entries.get(player);
    const request = { pot: id, player };
    const keys = entry
      ? [doKey(t("hub.pot_out"), { do: "leave_pot", ...request }, pot.actions.leave_pot)]
      : [doKey(t("hub.pot_in"), { do: "enter_pot", ...request }, pot.actions.enter_pot), doKey(t("hub.pot_half"), { do: "enter_pot", ...request, half: true }, pot.actions.enter_half)];
    const said = entry ? money(entry.cents, view.night.rules.currency) : "";
    return html("li.owing", { "data-key": player }, html("span.name", { dir: "auto" }, view.names[player]), html("span.quiet", said), html("div.acts", ...keys));
  });
}

/** A hand that wins a pot, such as a 29. */
export function openPotHit(view, id) {
  const pot = findPot(view, id);
  openDecision({
    title: t("hub.pot_hit_of", { name: pot.name }),
    nodes: [
      selectField(t("hub.player"), "player", pot.entries.map(({ player }) => [player, view.names[player]])),
      selectField(t("hub.pot_hit_kind"), "kind", pot.kinds.map((kind) => [kind, t(`hub.hit_${kind}`)])),
      numberField(t("hub.pot_hit_count"), "count", { value: "1", maxlength: "3" }),
    ],
    yes: t("hub.pot_hit"),
    request: ({ player = "", kind, count }) => ({ do: "pot_hit", pot: id, player, ...(kind && { kind }), count: Number(count) }),
  });
}
