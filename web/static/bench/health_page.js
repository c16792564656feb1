// The page of the devices: how each is, asked at each change, and every few seconds for the figures; and which
// translations of the pages are faulty.

import { Devices } from "./device_card.js";
import { byId, html } from "../lib/dom.js";
import { follow } from "../live/page.js";
import { firstState, Table } from "../live/table_stream.js";
import { t, translated } from "../lib/i18n.js";
import * as words from "../words/words.js";

const EVERY = 5_000; // ms

const devices = new Devices(byId("devices"));
const table = new Table(firstState());
let timer = 0;

async function ask() {
  clearTimeout(timer);
  timer = setTimeout(ask, EVERY);
  if (document.hidden) return;
  const answer = await fetch("/api/v1/health").catch(() => null);
  if (answer?.ok) show(await answer.json());
}

function show({ devices: told, service, languages }) {
  devices.show([...told, words.serviceCard(service)]);
  const faulty = languages.filter(({ faults }) => faults);
  byId("catalogs").replaceChildren(...faulty.map(catalogCard));
}

/** A file of the languages that is left out, or some of whose texts are: what is wrong in which line. */
function catalogCard({ file, language, faults, first_faults: first }) {
  const state = t(language === null ? "health.catalog_left_out" : "health.catalog_partly");
  const more = faults - first.length;
  return html("section.card.device", html("header", html("h2", file), html("p.state.ill", state)), html("p.about", t("health.catalog")),
    html("ul", ...first.map(fault), more ? html("li", t("health.catalog_more", { n: more })) : null));
}

function fault({ line, reason }) {
  const said = translated(reason);
  return html("li", line === null ? said[0].toUpperCase() + said.slice(1) : t("health.catalog_line", { line, reason: said }));
}

const ails = ({ devices: told }) => JSON.stringify(told);

follow(table, (state, { before }) => ails(state) !== ails(before) && ask());
table.on("link", (link) => link === "live" && ask());
