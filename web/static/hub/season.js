// Import an event of another hub as its signed package.

import { byId, fetchJson, html, t } from "../lib/browser.js";
import { showOutcome } from "./controls.js";
import { refusalOf } from "./decisions.js";
import { sentence } from "./night_words.js";

const PACKAGES = "/night/v1/packages";
const TIMEOUT = 60_000; // ms; an event of forty tables takes several seconds to verify

const form = byId("take-in");

/** The result of an import, line by line. */
const linesOf = ({ name, date, signer, fingerprint, new: isNew, finished, departures }) => [
  t(isNew ? "hub.received" : "hub.was_there", { name, date }),
  signer ? t("hub.signed_by", { hub: signer }) : t("hub.signed_by_unknown", { fingerprint }),
  ...(finished ? [] : [t("hub.unfinished")]),
  ...(departures.length ? departures.map(sentence) : [t("hub.rederived")]),
];

async function takeIn(event) {
  event.preventDefault();
  const [file] = byId("file").files;
  if (!file) return byId("file").focus();
  const button = form.querySelector("button");
  button.disabled = true;
  showOutcome(byId("received"), [t("hub.taking_in")], false);
  const answer = await fetchJson(PACKAGES, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file }, TIMEOUT);
  button.disabled = false;
  showOutcome(byId("received"), answer.ok ? linesOf(answer.body) : [refusalOf(answer).text], !answer.ok);
  if (answer.ok) byId("received").append(html("a.key", { href: location.href }, t("hub.show_season")));
}

form?.addEventListener("submit", takeIn);
