// Fingers of several people at once: browsers make no click of a touch that overlaps another, so each touch makes its own.

const ECHO = 700; // ms in which the browser's own click for a touch may follow

const STUTTER = 40; // ms in which no finger is lifted and down again: the glass has lost it and found it
const NEAR = 30; // px, where it finds it again; no key is narrower

const PRESSABLE = "button, a[href], summary, label, input, select";

const down = new Map(); // what each finger went down on
const acted = new Map(); // when each finger's button has acted
let lifts = []; // where and when fingers have just acted, on which key, and the keys around it
let last = -Infinity; // the same of the finger lifted last, for browsers that do not say whose click it is

const pressed = ({ target }) => target.closest?.(PRESSABLE) ?? null;

/** Whether the finger is still on what it went down on. */
const stillOn = (key, { clientX, clientY }) => key.contains(document.elementFromPoint(clientX, clientY));

/** The keys that a finger near this place may be on. */
const around = (x, y) => {
  const steps = [-NEAR, 0, NEAR];
  const there = steps.flatMap((right) => steps.map((below) => document.elementFromPoint(x + right, y + below)));
  return new Set(there.filter(Boolean).map((target) => pressed({ target })));
};

function touch({ pointerType, pointerId, target, clientX: x, clientY: y, timeStamp }) {
  if (pointerType !== "touch") return;
  lifts = lifts.filter(({ at }) => timeStamp - at < STUTTER);
  const key = pressed({ target });
  const found = (lift) => Math.hypot(lift.x - x, lift.y - y) < NEAR && (key === lift.key || !lift.keys.has(key));
  down.set(pointerId, { key, stutters: lifts.some(found) });
}

function lift(event) {
  const { pointerId, timeStamp, clientX: x, clientY: y } = event;
  const { key, stutters } = down.get(pointerId) ?? {};
  down.delete(pointerId);
  const acts = stutters || (key?.isConnected && key.matches("button") && stillOn(key, event));
  last = acts ? timeStamp : -Infinity;
  if (!acts) return;
  lifts.push({ x, y, at: timeStamp, key, keys: around(x, y) });
  for (const [finger, at] of acted) if (timeStamp - at > ECHO) acted.delete(finger);
  acted.set(pointerId, timeStamp);
  if (!stutters) key.click();
}

/** The echo of a touch that has acted already; it may even fall on a key that has only just come. */
function swallow(event) {
  const { isTrusted, detail, pointerType, pointerId, timeStamp } = event;
  if (!isTrusted || detail === 0 || pointerType === "mouse") return;
  const at = pointerId > 0 ? acted.get(pointerId) : last;
  if (!(timeStamp - at < ECHO)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Let every button of this page act when the finger on it is lifted, whatever other fingers do. */
export function hearEveryFinger() {
  addEventListener("pointerdown", touch);
  addEventListener("pointerup", lift);
  addEventListener("pointercancel", ({ pointerId }) => down.delete(pointerId));
  addEventListener("click", swallow, true);
}
