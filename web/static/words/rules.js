// Rules in words: house rules, and presets with what players changed in them.

import { t, textOr } from "../lib/browser.js";

const keyOf = (name) => name.toLowerCase().replaceAll(/[ -]/gu, "_");
const valueOf = (value) => value.replaceAll(" ", "_");

/** A house rule as said at the table: "triple skunks". */
export const houseRuleText = (name, value) => {
  const key = keyOf(name);
  return textOr(`settings.house_${key}_${valueOf(value)}`, textOr(`settings.house_${key}`, `${name}=${value}`, { value }));
};

export const ruleName = (name) => textOr(`settings.rule_${keyOf(name)}`, name);

/** "1922 laws" */
export const presetName = (name) => textOr(`presets.name_${keyOf(name)}`, name);

/** What is special about a preset. */
export const presetAbout = (name) => textOr(`presets.about_${keyOf(name)}`, "");

/** "1922 laws with game hole 61, changed: no skunks"; `chosen` and `changed` are house rules such as "muggins=on". */
export function presetTitle({ name, chosen, changed }) {
  const say = (words) => words.map((word) => houseRuleText(...word.split("="))).reduce((first, next) => t("presets.two", { first, next }));
  const own = chosen.length ? t("presets.with", { name: presetName(name), rules: say(chosen) }) : presetName(name);
  return changed.length ? t("presets.changed", { name: own, rules: say(changed) }) : own;
}

/** The preset or variant of a game, or "" for the standard game. */
export function rulesText({ preset, variant }) {
  if (preset) return presetTitle(preset);
  return variant === "standard" ? "" : t(`history.variant_${variant.replaceAll("-", "_")}`);
}
