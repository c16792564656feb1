// Screen dialog: full screen, and a wake lock that keeps the screen on.

import { byId, openDialog, set, t, write } from "./browser.js";

let awake = null; // the wake lock

const CLOSED = {
  full: () => (document.fullscreenEnabled ? null : t("board.no_full")),
  awake: () => (navigator.wakeLock ? null : t("board.no_awake")),
};

const on = { full: () => document.fullscreenElement !== null, awake: () => awake !== null };

const turn = {
  full: () => (on.full() ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  awake: () => (on.awake() ? letSleep() : keepAwake()),
};

/** Browsers release the lock when the page is hidden; it is requested again when the page is back. */
let wanted = false;

async function keepAwake() {
  wanted = true;
  awake = await navigator.wakeLock.request("screen");
  awake.addEventListener("release", () => {
    awake = null;
    show();
  });
}

async function letSleep() {
  wanted = false;
  await awake.release();
}

function show() {
  for (const kind of ["full", "awake"]) {
    const closed = CLOSED[kind]();
    set(byId(kind), "aria-checked", `${on[kind]()}`);
    set(byId(kind), "aria-disabled", closed ? "true" : null);
    write(byId(`${kind}-why`), closed ?? "");
  }
}

async function press(kind) {
  if (CLOSED[kind]() !== null) return;
  try {
    await turn[kind]();
    show();
  } catch {
    write(byId(`${kind}-why`), t(kind === "full" ? "board.no_full" : "board.no_awake"));
  }
}

for (const kind of ["full", "awake"]) byId(kind).addEventListener("click", () => press(kind));
document.addEventListener("fullscreenchange", show);
document.addEventListener("visibilitychange", () => wanted && !document.hidden && !awake && press("awake"));
byId("screen").addEventListener("click", () => {
  show();
  openDialog(byId("screen-dialog"), "close", () => {});
});
