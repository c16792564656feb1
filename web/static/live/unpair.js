// The key that gives up what this device may do; nobody is paired at an open table.

import { html } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** `[[key, act]]` for the sheet behind More, or nothing. */
export function unpairKey(role, strip) {
  if (role.open || !role.mayScore) return [];
  const act = async () => {
    if (!(await role.unpair())) strip.explain(t("pad.not_unpaired"));
  };
  return [[html("button.key", { value: "unpair" }, t("pad.unpair")), act]];
}
