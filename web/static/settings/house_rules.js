// The house rules of the next game: a field for each thing that a house can settle, in words.

import { byId, html } from "../lib/dom.js";
import { capital, known, t } from "../lib/i18n.js";

const keyOf = (name) => name.replaceAll(/[ -]/gu, "_");
const valueOf = (value) => value.replaceAll(" ", "_");

/** What one house rule says, as said at the table: "triple skunks". */
export const houseRule = (name, value) => {
  const key = keyOf(name);
  return known(`settings.house_${key}_${valueOf(value)}`, known(`settings.house_${key}`, `${name}=${value}`, { value }));
};

const called = (name) => known(`settings.rule_${keyOf(name)}`, name);

function choices({ name, values }, own, chosen) {
  const options = values.map((value) => {
    const said = houseRule(name, value);
    return html("option", { value, selected: value === chosen }, value === own ? t("settings.house_own", { said }) : capital(said));
  });
  return html("label.field", called(name), html("select", { "data-rule": name }, ...options));
}

function number({ name, least, most }, own, chosen) {
  const field = html("input", { type: "number", inputmode: "numeric", min: least, max: most, "data-rule": name });
  field.value = chosen;
  return html("label.field", t("settings.house_number", { rule: called(name), least, most, own }), field);
}

export class HouseRules {
  #rules = [];
  #usual = {};

  /** Lay the fields out; `house` are the rules that are chosen, such as "muggins=on", `usual` what the variant says. */
  show(rules, usual, house) {
    this.#rules = rules;
    this.#usual = usual;
    const chosen = Object.fromEntries(house.map((word) => word.split("=")));
    byId("house-rules").replaceChildren(...rules.map((rule) => {
      const own = usual[rule.name];
      return (rule.values ? choices : number)(rule, own, chosen[rule.name] ?? own);
    }));
  }

  #field(name) {
    return byId("house-rules").querySelector(`[data-rule="${name}"]`);
  }

  /** What is chosen otherwise than the variant says, each `[name, value]`. */
  get chosen() {
    const all = this.#rules.map(({ name }) => [name, this.#field(name).value.trim()]);
    return all.filter(([name, value]) => value !== this.#usual[name]);
  }

  /** The same in the words that the table takes. */
  get words() {
    return this.chosen.map(([name, value]) => `${name}=${value}`);
  }

  /** The first number that is none of those that are taken, and what is wrong with it; null where all are. */
  get fault() {
    const wrong = this.#rules.find(({ name, values, least, most }) => {
      const value = Number(this.#field(name).value || NaN);
      return !values && !(Number.isInteger(value) && value >= least && value <= most);
    });
    if (!wrong) return null;
    const { name, least, most } = wrong;
    return [this.#field(name), t("settings.house_number_wrong", { rule: called(name), least, most })];
  }
}
