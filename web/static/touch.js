// Fingers of several people at once: browsers make no click of a touch that overlaps another, so each touch makes its own.

const ECHO = 700; // ms in which the browser's own click for a touch may follow

const PRESSABLE = "button, a[href], summary, label, input, select";

const down = new Map(); // what each finger went down on
const acted = new Map(); // when each finger's button has acted
let last = -Infinity; // the same of the finger lifted last, for browsers that do not say whose click it is

const pressed = ({ target }) => target.closest?.(PRESSABLE) ?? null;

/** Whether the finger is still on what it went down on. */
const stillOn = (key, { clientX, clientY }) => key.contains(document.elementFromPoint(clientX, clientY));

function lift(event) {
  const key = down.get(event.pointerId);
  down.delete(event.pointerId);
  const acts = key?.isConnected && key.matches("button") && stillOn(key, event);
  last = acts ? event.timeStamp : -Infinity;
  if (!acts) return;
  for (const [finger, at] of acted) if (event.timeStamp - at > ECHO) acted.delete(finger);
  acted.set(event.pointerId, event.timeStamp);
  key.click();
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
  addEventListener("pointerdown", (event) => event.pointerType === "touch" && down.set(event.pointerId, pressed(event)));
  addEventListener("pointerup", lift);
  addEventListener("pointercancel", ({ pointerId }) => down.delete(pointerId));
  addEventListener("click", swallow, true);
}
