// Links to the lines of the rules that a count comes from.

import { html } from "../lib/dom.js";
import { ruleFor } from "./rule_links.js";
import { t } from "../lib/i18n.js";

/** Fill `node` with a link for each kind of part, once each; `{ play: true }` means parts of the play. */
export function linkRules(node, kinds, where = {}) {
  const linked = [...new Set(kinds)].filter((kind) => ruleFor(kind, where));
  const built = linked.join();
  if (node.dataset.built === built) return;
  node.dataset.built = built;
  node.hidden = !linked.length;
  const links = linked.map((kind) => html("a", { href: ruleFor(kind, where) }, t(`rules.see_${kind.replaceAll(/[ -]/gu, "_")}`)));
  node.replaceChildren(html("span", t("rules.see")), ...links);
}
