// Why no phone reaches the table, and what is typed to let phones in: as the table tells it, under "reach" and "command".

import { byId, html, say } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const WHY = { machine: "join.unreached_machine", offline: "join.unreached_offline" };

/** Say it in the parts of the page that are there for it; nothing where phones reach the table. */
export function tellUnreached({ reach, command }) {
  if (reach === "network") return;
  say("unreached-why", t(WHY[reach]));
  byId("let-in").hidden = command === null;
  byId("command").replaceChildren(...(command ?? "").split(" ").flatMap((word) => [html("span", word), " "]));
}
