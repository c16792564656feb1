// Presets: the names of printed rule sheets, and what players changed in them.

import { language, t, textOr } from "../lib/browser.js";

const keyOf = (name) => name.toLowerCase().replaceAll(/[ -]/gu, "_");

const listFormat = new Intl.ListFormat(language);

/** "1922 laws" */
export const presetName = (name) => textOr(`presets.name_${keyOf(name)}`, name);

/** What is special about a sheet. */
export const presetAbout = (name) => textOr(`presets.about_${keyOf(name)}`, "");

/** "1922 laws with game hole 61, changed: muggins"; `chosen` and `changed` are house rules in words. */
export function presetTitle(name, chosen, changed) {
  const own = presetName(name);
  const title = chosen.length ? t("presets.with", { name: own, rules: listFormat.format(chosen) }) : own;
  return changed.length ? t("presets.changed", { name: title, rules: listFormat.format(changed) }) : title;
}
