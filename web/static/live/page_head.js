// What a page shows at its head once there is something to show: alarms, and the event that the table plays in.

import { noteChange, recallGames } from "./seen_lines.js";

/** Pages that do not scroll are so much less high as alarms and the event take at their head. */
export function makeRoom() {
  const { style } = document.documentElement;
  const heads = [...document.querySelectorAll(".alarms, .event-strip")];
  const height = heads.reduce((sum, head) => sum + head.getBoundingClientRect().height, 0);
  if (height) style.setProperty("--whole", `calc(${CSS.supports("height", "100dvh") ? "100dvh" : "100vh"} - ${Math.ceil(height)}px)`);
  else style.removeProperty("--whole");
}

let events = null; // the strip of the event, loaded with the first state that has one, or a word of the keys about one

/** Show what an event says; a table without one never loads that. */
function showEvent(table) {
  const { event, notice_message: notice } = table.state;
  if (!event && !notice?.key.startsWith("event_")) return;
  events ??= import("../event/strip.js").then(({ EventStrip }) => new EventStrip(table), () => {
    events = null; // and tried again with the next state
  });
}

let watched = null; // the table whose event is looked for

function watchEvent(table) {
  if (watched === table) return;
  watched = table;
  table.on("state", () => showEvent(table));
  showEvent(table);
}

let alarms = null; // loaded with the first one

/** Note what a table shows, after the state that it showed `before`, and show its alarms and what it has lost. */
export function note(table, before) {
  noteChange(before, table.state);
  watchEvent(table);
  const due = table.state.alarms.length || recallGames().some(({ epoch }) => epoch !== table.state.epoch);
  if (due) alarms ??= import("./alarms.js").then(({ AlarmStrip }) => new AlarmStrip(table));
  alarms?.then((strip) => strip.show()).catch(() => {
    alarms = null; // and tried again with the next state
  });
}
