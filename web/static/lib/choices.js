// A pad's loose leaf: one sheet for whatever is chosen now and then, written anew each time.

import { html, write } from "./dom.js";
import { rise } from "./dialog.js";
import { t } from "./i18n.js";

export const leafKey = (value, ...inside) => html("button.key.wide", { value }, ...inside);

/** Open it with a title and what stands on it; `answer(value, key)` once it closes, "close" where nothing was chosen. */
export function openLeaf(here, kind, title, nodes, answer) {
  const leaf = here("leaf");
  leaf.className = `sheet ${kind}`;
  write(here("leaf-title"), title);
  const close = html("button.solid", { value: "close" }, t("common.close"));
  here("leaf-body").replaceChildren(...nodes, close);
  rise(leaf, "close", answer);
  close.focus({ preventScroll: true });
}

/** Shut it where what it was about is gone. */
export function closeLeaf(here) {
  if (here("leaf").open) here("leaf").close("close");
}
