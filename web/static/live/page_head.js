// Page head: alarms, and the event that the table plays in, loaded when needed.

import { noteChange, recallGames } from "./seen_lines.js";

/** Reduce the height of non-scrolling pages by that of alarms and event at their top. */
export function makeRoom() {
  const { style } = document.documentElement;
  const heads = [...document.querySelectorAll(".alarms, .event-strip")];
  const height = heads.reduce((sum, head) => sum + head.getBoundingClientRect().height, 0);
  if (height) style.setProperty("--whole", `calc(${CSS.supports("height", "100dvh") ? "100dvh" : "100vh"} - ${Math.ceil(height)}px)`);
  else style.removeProperty("--whole");
}

let events = null; // the event strip, loaded with the first state that has an event, or with a key notice about one

/** Show the event; a table without one never loads this. */
function showEvent(table) {
  const { event, notice_message: notice } = table.state;
  if (!event && !notice?.key.startsWith("event_")) return;
  events ??= import("../event/strip.js").then(({ EventStrip }) => new EventStrip(table), () => {
    events = null; // retry with the next state
  });
}

let watched = null; // the table watched for an event

function watchEvent(table) {
  if (watched === table) return;
  watched = table;
  table.on("state", () => showEvent(table));
  showEvent(table);
}

let alarms = null; // loaded with the first one

/** Note what a table shows after its state `before`, and show its alarms and its losses. */
export function note(table, before) {
  noteChange(before, table.state);
  watchEvent(table);
  const due = table.state.alarms.length || recallGames().some(({ epoch }) => epoch !== table.state.epoch);
  if (due) alarms ??= import("./alarms.js").then(({ AlarmStrip }) => new AlarmStrip(table));
  alarms?.then((strip) => strip.show()).catch(() => {
    alarms = null; // retry with the next state
  });
}
