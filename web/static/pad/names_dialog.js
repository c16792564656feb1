// The pad's sheet for misspelt names, on the tablet one in each half; it comes when it is first opened.

import { byId, html, say } from "../lib/dom.js";
import { NameForm } from "./name_form.js";
import { rise } from "../lib/dialog.js";
import { learn, t } from "../lib/i18n.js";

const sheets = new Map(); // {sheet, form} by side

function make(table, side) {
  const close = html("button.key", { value: "close" }, t("common.close"));
  const form = new NameForm(table, (sentence) => {
    sheet.close("close");
    say("said", sentence);
  }, close);
  const title = html("h2", { id: `${side}names-title` }, t("names.open"));
  const sheet = html("dialog.sheet.penalty.names", { "aria-labelledby": title.id }, title, html("p.since", t("names.about")), form.node);
  byId(`${side}leaf`).after(sheet);
  table.on("state", () => sheet.open && form.show());
  return { sheet, form };
}

/** Open it with the names as they are; one sheet, however often it is asked for while its words are on their way. */
export async function openNames(table, side = "") {
  if (!sheets.size) await learn("names");
  if (!sheets.has(side)) sheets.set(side, make(table, side));
  const { sheet, form } = sheets.get(side);
  if (sheet.open) return;
  form.show({ anew: true });
  rise(sheet, "close", () => {});
  form.input.focus();
  form.input.select();
}
