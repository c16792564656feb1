// Health page: the devices, and faulty translations.

import { asSentence, byId, fetchJson, html, t, translate, writeById } from "../lib/browser.js";
import { firstState, followTable, TableStream } from "../live/table_stream.js";
import { laneShortName } from "../words/state.js";
import { DeviceCards, serviceCard } from "./device_card.js";

const EVERY = 5_000; // ms

const deviceCards = new DeviceCards(byId("devices"));
const table = new TableStream(firstState());
let timer = 0;

async function load() {
  clearTimeout(timer);
  timer = setTimeout(load, EVERY);
  if (document.hidden) return;
  const { ok, body } = await fetchJson("/api/v1/health");
  if (ok) show(body);
}

function show({ devices, service, languages }) {
  deviceCards.show([...devices, serviceCard(service)]);
  const faulty = languages.filter(({ faults }) => faults);
  byId("catalogs").replaceChildren(...faulty.map(catalogCard));
}

/** A language file that is skipped in whole or in part: what is wrong in which line. */
function catalogCard({ file, language, faults, first_faults: first }) {
  const state = t(language === null ? "health.catalog_left_out" : "health.catalog_partly");
  const more = faults - first.length;
  return html("section.card.device", html("header", html("h2", file), html("p.state.ill", state)), html("p.about", t("health.catalog")),
    html("ul", ...first.map(fault), more ? html("li", t("health.catalog_more", { n: more })) : null));
}

function fault({ line, reason, ...message }) {
  const text = translate(message, reason);
  return html("li", line === null ? asSentence(text) : t("health.catalog_line", { line, reason: text }));
}

/** In a game of four lanes, where the one is scored that no panel, strip or key has. */
function showFourthLane(state) {
  const isFour = state.lanes.length > 3;
  byId("fourth-lane").hidden = !isFour;
  if (isFour) writeById("fourth-lane", t("health.fourth_lane", { name: laneShortName(state, 3) }));
}

const troubleKey = ({ devices }) => JSON.stringify(devices);

followTable(table, (state, { before }) => {
  showFourthLane(state);
  if (troubleKey(state) !== troubleKey(before)) load();
});
table.on("link", (link) => link === "live" && load());
showFourthLane(table.state);
