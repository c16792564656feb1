// The phone's sheet for misspelt names; it comes when it is first opened.

import { byId, html, say } from "./element.js";
import { NameForm } from "./nameform.js";
import { rise } from "./sheets.js";
import { learn, t } from "./text.js";

let sheet = null;
let form = null;

function make(table) {
  const close = html("button.key", { value: "close" }, t("common.close"));
  form = new NameForm(table, (sentence) => {
    sheet.close("close");
    say("said", sentence);
  }, close);
  const title = html("h2", { id: "names-title" }, t("names.open"));
  sheet = html("dialog.sheet.penalty.names", { "aria-labelledby": "names-title" }, title, html("p.since", t("names.about")), form.node);
  byId("said").before(sheet);
  table.on("state", () => sheet.open && form.show());
}

/** Open it with the names as they are. */
export async function openNames(table) {
  if (!sheet) {
    await learn("names");
    make(table);
  }
  form.show({ anew: true });
  rise(sheet, "close", () => {});
  form.input.focus();
  form.input.select();
}
