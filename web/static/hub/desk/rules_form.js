// Event rules form: games, points, fee, bracket matches; editable until the first draw.

import { byId, t } from "../../lib/browser.js";
import { numberField, openForm, readCents, selectField, textField } from "../controls.js";
import { decide, refusalOf } from "../decisions.js";

/** The choices from the hub: names of point tables, orders of tie-breaks, kinds of pots, lengths of matches. */
export const CHOICES = JSON.parse(byId("choices").textContent);

const NAMED = { "1/4": "quarter", "1/3": "third", "1/2": "half", "1/1": "all" };

/** The name of a cutoff among the choices: "quarter" for "1/4". */
const cutName = (cut) => NAMED[cut] ?? (/^\d+$/u.test(cut) ? `top ${cut}` : cut);

/** A cutoff in words: "a quarter", "the best 8", "2/5 of the entrants". */
function cutText(cut) {
  const [word, number] = cut.split(" ");
  if (word === "top") return t("hub.cut_top", { n: Number(number) });
  return cut.includes("/") ? t("hub.cut_share", { share: cut }) : t(`hub.cut_${cut}`);
}

/** The numbers of a typed list, "2, 2, 3"; null if it is invalid. */
const readNumbers = (text) => (/^[\s\d,;]*$/u.test(text) ? (text.match(/\d+/gu) ?? []).map(Number) : null);

export function openRules(view) {
  const { rules } = view.night;
  const tableGames = textField(t("hub.rules_table_games"), "table_games", { value: rules.table_games.join(", "), placeholder: "2, 2, 3", hint: t("hub.rules_table_games_hint") });
  const form = openForm({
    title: t("hub.rules"),
    about: t("hub.rules_about"),
    nodes: [
      numberField(t("hub.rules_games"), "games", { value: rules.games, maxlength: "3", autofocus: true }),
      selectField(t("hub.rules_points"), "points", CHOICES.points.map((name) => [name, t(`hub.points_${name.replaceAll("-", "_")}`)]), rules.points.name),
      selectField(t("hub.rules_order"), "order", CHOICES.orders.map((name) => [name, t(`hub.order_${name.replaceAll("-", "_")}`)]), rules.order.name),
      selectField(t("hub.rules_best_of"), "best_of", CHOICES.best_of.map((n) => [`${n}`, t("hub.best_of", { n })]), `${rules.best_of[0]}`),
      selectField(t("hub.rules_cut"), "cut", [...new Set([...CHOICES.cuts, cutName(rules.cut)])].map((cut) => [cut, cutText(cut)]), cutName(rules.cut)),
      selectField(t("hub.rules_format"), "format", ["singles", "pairs", "teams"].map((format) => [format, t(`hub.format_${format}`)]), rules.format),
      selectField(t("hub.rules_movement"), "movement", ["ring", "sides", "match"].map((movement) => [movement, t(`hub.movement_${movement}`)]), rules.movement),
      tableGames,
      selectField(t("hub.rules_odd"), "odd", ["one_more", "one_fewer"].map((odd) => [odd, t(`hub.odd_${odd}`)]), rules.odd),
      textField(t("hub.rules_fee", { currency: rules.currency }), "fee", { value: (rules.fee / 100).toFixed(2), inputmode: "decimal" }),
      textField(t("hub.rules_currency"), "currency", { value: rules.currency, maxlength: "3" }),
    ],
    yes: t("hub.save"),
    submit: async ({ games, points, order, best_of: length, format, movement, table_games: list, odd, fee, currency, cut }) => {
      const cents = readCents(fee);
      if (cents === null || cents < 0) return { text: t("hub.amount_wrong") };
      const tableGamesWanted = readNumbers(list);
      if (tableGamesWanted === null) return { text: t("hub.table_games_wrong") };
      const rulesWanted = { games: Number(games), points, order, best_of: Number(length) === rules.best_of[0] ? rules.best_of : [Number(length)], cut, format, movement, table_games: tableGamesWanted, odd, fee: cents, currency: currency.trim().toUpperCase() };
      const answer = await decide({ do: "set_rules", rules: rulesWanted }, view.revision);
      return answer.ok ? null : refusalOf(answer);
    },
  });
  const showTableGames = () => { tableGames.hidden = new FormData(form).get("movement") !== "match"; };
  form.addEventListener("change", showTableGames);
  showTableGames();
}
