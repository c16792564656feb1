// The key that opens the sheet for misspelt names; the sheet comes when it is first pressed.

import { html, refuse } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

/** `[[key, act]]` for the sheet behind More of a pad, whose ids begin with `side`. */
export function namesKey(table, role, strip, side = "") {
  const key = html("button.key", { value: "names" }, t("names.open"));
  refuse(key, role.mayScore ? null : words.notPaired);
  const act = () => import("./names_dialog.js").then((sheet) => sheet.openNames(table, side)).catch(() => strip.refused(words.unreadable));
  return [[key, act]];
}
