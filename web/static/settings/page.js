// The page of the settings: a director changes them, everybody else reads them and why they are closed.

import { byId, html, say, set } from "../lib/dom.js";
import { fetched } from "../lib/http.js";
import { follow } from "../live/page.js";
import { Role } from "../live/role.js";
import { listed, NextGame } from "./next_game.js";
import { Lights } from "./brightness.js";
import { Names } from "./names.js";
import { Pairing } from "./pairing.js";
import { rise } from "../lib/dialog.js";
import { firstState, Table } from "../live/table_stream.js";
import { asSentence, language, quote, t } from "../lib/i18n.js";
import { group } from "../words/words.js";

const PLACE = "/api/v1/settings";

const table = new Table(firstState());
const role = new Role();
let silent = false; // what is told is that the table was not to be asked

/** Say what became of it, in the one place that is read aloud. */
function tell(sentence, good = false) {
  quote(byId("told"), sentence);
  silent = false;
  byId("told").classList.toggle("good", good);
}

/** Why the table has not done it, in its own words. */
const refused = ({ detail }) => tell(asSentence(detail));

/** Ask before something that cannot be taken back; resolves to whether to do it. */
function sure({ title, then, no, yes }) {
  say("confirm-title", title);
  say("confirm-then", then);
  say("confirm-no", no);
  say("confirm-yes", yes);
  return new Promise((answer) => rise(byId("confirm"), "no", (value) => answer(value === "yes")));
}

const around = { table, role, tell, refused, sure };
const parts = [new Names(around), new NextGame(around), new Lights(around, PLACE), new Pairing(around)];

const fact = ([word, said]) => html("div", html("dt", word), html("dd", said));

function facts({ version, journal }) {
  const began = new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(journal.began * 1000);
  const names = listed(table.state.seats.map(({ name }) => name));
  byId("facts").replaceChildren(...[
    [t("settings.running"), names],
    [t("settings.version"), version],
    [t("settings.journal"), began],
    [t("settings.events"), group(journal.events)],
  ].map(fact));
}

/** What is closed to this device stays to be read, and says why. */
function close() {
  byId("closed").hidden = role.directs;
  say("closed-why", t(role.mayScore ? "settings.closed_scorer" : "settings.closed"));
  for (const control of document.querySelectorAll("main .card :is(input, select, button)")) {
    if (!control.closest(".hearing, .names")) set(control, "disabled", !role.directs);
  }
}

async function ask() {
  const { ok, body } = await fetched(PLACE);
  if (!ok) {
    refused(body);
    silent = true;
    return;
  }
  if (silent) tell("");
  for (const part of parts) part.show(body);
  facts(body);
  close();
}

const about = ({ game, match, seats }) => JSON.stringify([game.id, match.format, seats.map(({ name }) => name)]);

role.follow(ask);
follow(table, (state, { before }) => about(state) !== about(before) && ask());
table.on("link", (link) => link === "live" && ask());
