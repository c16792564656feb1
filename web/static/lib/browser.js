// Browser helpers shared by all pages: elements, localStorage, texts in the reader's language (i18n), JSON fetch,
// dialogs, multitouch.

document.documentElement.dataset.runs = ""; // every script of the page has loaded: its keys are active (pegboard.css)

// --- elements ---

/** Set an attribute; true means without a value, false and null remove it. */
export function set(node, name, value) {
  if (value === false || value === null) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

/** An element such as "b" or "b.kind.other", its attributes, if any, and its content. */
const maker = (namespace) => (tag, ...inside) => {
  const [name, ...kinds] = tag.split(".");
  const node = document.createElementNS(namespace, name);
  if (kinds.length) node.setAttribute("class", kinds.join(" "));
  const attributes = inside[0]?.constructor === Object ? inside.shift() : {};
  for (const [key, value] of Object.entries(attributes)) set(node, key, value);
  node.append(...inside.filter((child) => child !== null));
  return node;
};

export const html = maker("http://www.w3.org/1999/xhtml");

export const svg = maker("http://www.w3.org/2000/svg");

export const byId = (id) => document.getElementById(id);

/** Write text only if it changed, to leave screen reader and layout alone. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const writeById = (id, text) => write(byId(id), text);

/** The same for nodes. */
export function fill(node, ...inside) {
  const made = html("div", ...inside);
  if (node.innerHTML !== made.innerHTML) node.replaceChildren(...made.childNodes);
}

/** Disable a key with a reason, or enable it with null; it can still be focused and pressed. */
export function disable(key, reason) {
  set(key, "aria-disabled", reason ? "true" : null);
  set(key, "title", reason);
  if (reason) key.dataset.reason = reason;
  else delete key.dataset.reason;
}

// --- localStorage; if it is full or blocked, nothing is stored ---

function tryOr(act, otherwise = null) {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

export const readStorage = (key) => tryOr(() => JSON.parse(localStorage.getItem(key)));

export const writeStorage = (key, value) => tryOr(() => localStorage.setItem(key, JSON.stringify(value)));

export const removeStorage = (key) => tryOr(() => localStorage.removeItem(key));

/** Every key that begins with `prefix`. */
export const storageKeys = (prefix) => tryOr(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix)), []);

// --- texts in the reader's language ---

const { documentElement: root } = document;
const { default: texts } = await import(root.dataset.words);
const plurals = {}; // by language

/** Whether this table draws a classic board instead of streets. */
export const isClassic = root.dataset.board === "classic";

/** The language of this page: "en", "fr". */
export const language = root.lang;

/** The plural form of a text for the number `n`, or else for the first numeric placeholder. */
function pluralForm(forms, values) {
  const rule = (plurals[forms.language ?? language] ??= new Intl.PluralRules(forms.language ?? language));
  const named = [...forms.other.matchAll(/\{(\w+)\}/gu)].map(([, name]) => values[name]);
  const number = [values.n, ...named].find((value) => typeof value === "number");
  return forms[rule.select(number)] ?? forms.other;
}

/** The text under "section.key" with its values, in the right plural form. */
export function t(key, values = {}) {
  const found = texts[key];
  if (found === undefined) console.error(`no text ${key}`);
  return fillIn(found?.other === undefined ? (found ?? key) : pluralForm(found, values), values);
}

const fillIn = (text, values) => text.replace(/\{(\w+)\}/gu, (whole, name) => values[name] ?? whole);

/** The text under a key if there is one, else `otherwise`. */
export const textOr = (key, otherwise, values) => (key in texts ? t(key, values) : otherwise);

// Messages of the server, which have a key with values, and a sentence in English.

const untranslated = new Set();

const loadedParts = new Set(); // parts already loaded

/** Load, once, the texts of a part of the page that is itself loaded later. */
export async function loadTexts(part) {
  const more = await import(`/words/${language}/${part}-later.js`);
  if (loadedParts.has(part)) return;
  loadedParts.add(part);
  Object.assign(texts, more.default);
}

/** A message in the reader's language; if any part is not translated, its sentence in English. */
export function translate(message, english) {
  const text = message?.key ? messageText(message) : null;
  if (text !== null) return capitalizeLike(text, english);
  if (language !== "en") untranslated.add(english);
  return english;
}

function messageText({ key, values }) {
  const text = texts[`refusals.${key}`];
  const own = Object.entries(values).map(([name, value]) => [name, valueText(name, value)]);
  return text === undefined || own.some(([, value]) => value === null) ? null : fillIn(text, Object.fromEntries(own));
}

const valueText = (name, value) => (value?.key ? messageText(value) : textOr(`words.${name}_${value}`, value));

/** With a capital first letter. */
export const capitalize = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language));

/** With a capital first letter if `like` has one. */
const capitalizeLike = (text, like) => (/^\p{Lu}/u.test(like) ? capitalize(text) : text);

/** A translated text as a sentence of its own: with a capital first letter. */
export function asSentence(translated) {
  const sentence = capitalize(translated);
  if (untranslated.has(translated)) untranslated.add(sentence);
  return sentence;
}

/** The `lang` of a text: "en" for a table's sentence that stayed in English, else null. */
export const languageOf = (text) => (untranslated.has(text) ? "en" : null);

/** Write a text, with its language if that is not the page's. */
export function quote(node, said) {
  write(node, said);
  set(node, "lang", languageOf(said));
}

// --- fetch ---

const FETCH_TIMEOUT = 8_000; // ms

/**
 * Fetch JSON: {ok, status, body, wait}; `wait` is Retry-After in ms; without a response status 0, and `body` null.
 *
 * The `detail` of a refusal is in the reader's language.
 */
export async function request(path, options, timeout = FETCH_TIMEOUT) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  try {
    const answer = await fetch(path, { ...options, signal: abort.signal });
    const body = await answer.json().catch(() => null);
    if (!answer.ok && body?.detail) {
      if (language !== "en" && !(`refusals.${body.key}` in texts)) await loadTexts("notice_words").catch(() => {});
      body.detail = translate(body, body.detail);
    }
    return { ok: answer.ok, status: answer.status, body, wait: 1_000 * Number(answer.headers.get("Retry-After") ?? 0) };
  } catch {
    return { ok: false, status: 0, body: null, wait: 0 };
  } finally {
    clearTimeout(timer);
  }
}

/** The same; if there was no readable response, `body.detail` says so. */
export async function fetchJson(path, options = {}, timeout = FETCH_TIMEOUT) {
  const answer = await request(path, options, timeout);
  if (answer.body !== null) return answer;
  return { ...answer, ok: false, body: { detail: t(answer.status ? "history.unreadable" : "history.no_answer") } };
}

/** The options of a POST of values as JSON. */
export const asPost = (values) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });

export const postJson = (path, values, timeout) => fetchJson(path, asPost(values), timeout);

/** A path with the non-empty values as its query. */
export function withQuery(path, values) {
  const query = `${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;
  return query ? `${path}?${query}` : path;
}

/** The sentence of a refusal, with a link to its rule, if there is one. */
export function refusalNodes({ detail, rule }) {
  const said = detail ? asSentence(detail) : t("history.unreadable");
  return [html("span", { lang: languageOf(said) }, said), ...(rule ? [" ", html("a", { href: rule }, t("history.rule"))] : [])];
}

// --- dialogs; the harmless answer comes first, has the focus, and is chosen by Escape ---

const isWithin = (node, { clientX: x, clientY: y }) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return left <= x && x <= right && top <= y && y <= bottom;
};

/** On the tablet a dialog belongs to a half: it opens there, turned like its player; the other half stays usable. */
const halfOf = (dialog) => dialog.closest(".half");

/** Show it, and make what it covers inert; returns a function that undoes that. */
function showAbove(dialog) {
  const half = halfOf(dialog);
  if (!half) {
    dialog.showModal();
    return () => {};
  }
  const covered = [...half.children].filter((child) => child !== dialog && !child.inert);
  for (const child of covered) child.inert = true;
  dialog.show();
  return () => covered.forEach((child) => {
    child.inert = false;
  });
}

export const GHOST_TAP = 400; // ms in which a press may still be meant for what was there before

/** Have a part of the page ignore presses at first, as it appears under a finger; then call `then`. */
export function ignoreAtFirst(node, then = () => {}) {
  node.inert = true;
  setTimeout(() => {
    node.inert = false;
    then();
  }, GHOST_TAP);
}

const unanswered = new WeakMap(); // open dialogs with their answer functions: close events arrive late

/**
 * Open a dialog; `answer(value, button)` after it closes. Escape and a click outside mean `escape`. With `calm`, no
 * key works at first, and then `calm` is called.
 */
export function openDialog(dialog, escape, answer, calm = null) {
  unanswered.get(dialog)?.();
  let pressed = null;
  const ground = halfOf(dialog) ?? dialog;
  const press = (event) => {
    pressed = event.target.closest("button[value]") ?? pressed;
  };
  const form = dialog.querySelector("form");
  if (calm) ignoreAtFirst(form, () => dialog.open && calm()); // before it opens, so that no key in it takes the focus
  const hears = () => !form.inert;
  const beside = (event) => event.target === ground && hears() && !isWithin(dialog, event) && dialog.close(escape);
  const key = (event) => {
    if (event.key !== "Escape") return;
    if (!hears()) event.preventDefault();
    else if (ground !== dialog) dialog.close(escape);
  };
  dialog.returnValue = escape;
  const uncover = showAbove(dialog);
  dialog.addEventListener("click", press);
  ground.addEventListener("click", beside);
  dialog.addEventListener("keydown", key);
  const end = () => {
    if (dialog.open) return; // it closed, and was reopened
    unanswered.delete(dialog);
    dialog.removeEventListener("close", end);
    dialog.removeEventListener("click", press);
    ground.removeEventListener("click", beside);
    dialog.removeEventListener("keydown", key);
    uncover();
    answer(dialog.returnValue || escape, pressed);
  };
  unanswered.set(dialog, end);
  dialog.addEventListener("close", end);
}

const writeTwo = (button, [what, then]) => {
  write(button.querySelector("b"), what);
  write(button.querySelector("span"), then);
};

/** Ask a yes/no question, with a `sign` before it; `answer(true)` on yes. `here` finds the parts of the dialog. */
export function askYesNo({ sign = null, title, since, ask: question, no, yes }, answer, here = byId) {
  here("question-mark").replaceChildren(...(sign ? [sign] : []));
  write(here("question-title"), title);
  write(here("question-since"), since);
  write(here("question-ask"), question);
  writeTwo(here("question-no"), no);
  writeTwo(here("question-yes"), yes);
  openDialog(here("question"), "no", (value) => answer(value === "yes"), () => here("question-no").focus());
}

// --- a list of choices, rebuilt each time ---

export const choiceKey = (value, ...inside) => html("button.key.wide", { value }, ...inside);

/** Open it with a title and nodes; `answer(value, key)` after it closes, "close" if nothing was chosen. */
export function openChoices(here, kind, title, nodes, answer) {
  const dialog = here("choices");
  dialog.className = `modal ${kind}`;
  write(here("choices-title"), title);
  const close = html("button.solid", { value: "close" }, t("common.close"));
  here("choices-body").replaceChildren(...nodes, close);
  openDialog(dialog, "close", answer);
  close.focus({ preventScroll: true });
}

/** Close it if its subject is gone. */
export function closeChoices(here) {
  if (here("choices").open) here("choices").close("close");
}

// --- multitouch: browsers send no click for a touch that overlaps another one, so each touch sends its own ---

const ECHO = 700; // ms in which the browser's own click for a touch may follow

const STUTTER = 40; // ms within which a lift and a new touch are one press: the screen briefly lost the finger
const NEAR = 30; // px, how near the new touch must be; no key is narrower

const PRESSABLE = "button, a[href], summary, label, input, select";

const fingers = new Map(); // what each finger went down on
const acted = new Map(); // when each finger's button has acted
let lifts = []; // where and when fingers have just acted, on which key, and the keys around it
let lastLift = -Infinity; // the same for the last lifted finger, for browsers that do not say whose click it is

const pressedKey = ({ target }) => target.closest?.(PRESSABLE) ?? null;

/** Whether the finger is still on what it pressed. */
const isStillOn = (key, { clientX, clientY }) => key.contains(document.elementFromPoint(clientX, clientY));

/** The keys that a finger near this place may be on. */
const around = (x, y) => {
  const steps = [-NEAR, 0, NEAR];
  const there = steps.flatMap((right) => steps.map((below) => document.elementFromPoint(x + right, y + below)));
  return new Set(there.filter(Boolean).map((target) => pressedKey({ target })));
};

let guardEnd = -Infinity; // of the newest press

/** For a moment after a press, keys that appear near it ignore the pointer: a second tap was meant for what was there. */
function guardAgainstGhostTap(x, y, there) {
  const end = performance.now() + GHOST_TAP;
  guardEnd = end;
  const guard = () => {
    const left = end - performance.now();
    if (left <= 0) return;
    for (const key of around(x, y)) {
      if (!key || there.has(key)) continue;
      key.style.pointerEvents = "none";
      setTimeout(() => key.style.removeProperty("pointer-events"), left);
    }
    requestAnimationFrame(guard);
  };
  guard();
}

function handleTouch({ pointerType, pointerId, target, clientX: x, clientY: y, timeStamp }) {
  if (pointerType !== "touch") return;
  lifts = lifts.filter(({ at }) => timeStamp - at < STUTTER);
  const key = pressedKey({ target });
  const isNear = (lift) => Math.hypot(lift.x - x, lift.y - y) < NEAR && (key === lift.key || !lift.keys.has(key));
  fingers.set(pointerId, { key, stutters: lifts.some(isNear) });
}

function handleLift(event) {
  const { pointerId, timeStamp, clientX: x, clientY: y } = event;
  const { key, stutters } = fingers.get(pointerId) ?? {};
  fingers.delete(pointerId);
  const acts = stutters || (key?.isConnected && key.matches("button") && isStillOn(key, event));
  lastLift = acts ? timeStamp : -Infinity;
  if (!acts) return;
  const keys = around(x, y);
  lifts.push({ x, y, at: timeStamp, key, keys });
  for (const [finger, at] of acted) if (timeStamp - at > ECHO) acted.delete(finger);
  acted.set(pointerId, timeStamp);
  if (!stutters) key.click();
  guardAgainstGhostTap(x, y, keys);
}

/** Swallow the browser's click for a touch that has already acted; it may even hit a key that has just appeared. */
function handleClick(event) {
  const { isTrusted, detail, pointerType, pointerId, timeStamp, clientX: x, clientY: y } = event;
  if (!isTrusted || detail === 0) return;
  if (pointerType === "mouse") return guardAgainstGhostTap(x, y, around(x, y));
  const at = pointerId > 0 ? acted.get(pointerId) : lastLift;
  if (!(timeStamp - at < ECHO)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Make every button of this page act when its finger is lifted, whatever other fingers do. */
export function handleMultitouch() {
  addEventListener("pointerdown", handleTouch);
  addEventListener("pointerup", handleLift);
  addEventListener("pointercancel", ({ pointerId }) => fingers.delete(pointerId));
  addEventListener("click", handleClick, true);
  addEventListener("mousedown", (event) => performance.now() < guardEnd && !pressedKey(event) && event.preventDefault()); // the focus stays
}
