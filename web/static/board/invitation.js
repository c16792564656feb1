// How to join, on the board: the QR code and the code to type, which the table renews; without leave, the address alone.

import { byId, html, say, set } from "../lib/dom.js";
import { fetched } from "../lib/http.js";
import { t } from "../lib/i18n.js";
import { tellUnreached } from "./unreached.js";

const EVERY = 5_000; // ms; a code counts once, so the next one is wanted soon after a phone has used this one

const OPEN = document.body.classList.contains("open-table");

function show(told) {
  const reached = told.qr !== null;
  set(byId("qr"), "hidden", !reached); // a part of an SVG has no property of that name
  byId("joining").hidden = !reached;
  byId("unreached").hidden = reached;
  if (reached) showQr(told);
  else tellUnreached(told);
}

function showQr({ code, url, host, qr: { size, path } }) {
  set(byId("qr"), "viewBox", `0 0 ${size} ${size}`);
  set(byId("qr"), "aria-label", t("board.qr", { url }));
  set(byId("qr").querySelector("path"), "d", path);
  say("how", t("board.join"));
  const [name, port] = host.split(/(?=:\d+$)/u);
  byId("host").replaceChildren(name, ...(port ? [html("wbr"), port] : [])); // a break only before the port
  say("code", code ?? "");
}

let timer = 0;

/** Ask for the code; a table out of reach changes nothing, one that keeps it from this screen is asked no more. */
async function ask() {
  clearTimeout(timer);
  timer = setTimeout(ask, EVERY);
  if (document.hidden) return;
  const { ok, status, body } = await fetched("/api/v1/pairing");
  if (ok) return show(body);
  if (status !== 403) return;
  clearTimeout(timer);
  byId("no-code").hidden = false;
  say("code", "");
}

/** Keep what the board shows as new as the table has it; an open table that phones reach needs no code. */
export function invite(table) {
  if (OPEN && byId("unreached").dataset.reach !== "offline") return;
  ask();
  table.on("link", (link) => link === "live" && ask());
}
