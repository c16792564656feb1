// The page of the devices: how each is, asked at each change, and every few seconds for the figures.

import { Devices } from "./devices.js";
import { byId } from "./element.js";
import { follow } from "./follow.js";
import { firstState, Table } from "./table.js";
import * as words from "./words.js";

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

const show = ({ devices: told, service }) => devices.show([...told, words.serviceCard(service)]);

const ails = ({ devices: told }) => JSON.stringify(told);

follow(table, (state, { before }) => ails(state) !== ails(before) && ask());
table.on("link", (link) => link === "live" && ask());
