// What every page needs of the browser: elements, localStorage, texts in the language of the reader (i18n), fetch of
// JSON, dialogs, multitouch.

document.documentElement.dataset.runs = ""; // every script of the page could be read: its keys are active (pegboard.css)

// --- elements ---

/** Set an attribute; true stands for the bare attribute, false and null take it away. */
export function set(node, name, value) {
  if (value === false || value === null) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

/** An element such as "b" or "b.kind.other", its attributes, where it has any, and what stands in it. */
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

/** Write text only where it changed: screen reader and layout are left in peace. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const writeById = (id, text) => write(byId(id), text);

/** The same for nodes. */
export function fill(node, ...inside) {
  const made = html("div", ...inside);
  if (node.innerHTML !== made.innerHTML) node.replaceChildren(...made.childNodes);
}

/** Take a key out of use with its reason, or back with null; it can still be focused and pressed. */
export function disable(key, reason) {
  set(key, "aria-disabled", reason ? "true" : null);
  set(key, "title", reason);
  if (reason) key.dataset.reason = reason;
  else delete key.dataset.reason;
}

// --- localStorage; where it is full or forbidden, nothing is stored ---

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

// --- texts in the language of the reader ---

const { documentElement: root } = document;
const { default: texts } = await import(root.dataset.words);
const plurals = {}; // by language

/** The language that is read here: "en", "fr". */
export const language = root.lang;

/** The form of a text for the number `n`, or else for the first placeholder that is a number. */
function pluralForm(forms, values) {
  const rule = (plurals[forms.language ?? language] ??= new Intl.PluralRules(forms.language ?? language));
  const named = [...forms.other.matchAll(/\{(\w+)\}/gu)].map(([, name]) => values[name]);
  const number = [values.n, ...named].find((value) => typeof value === "number");
  return forms[rule.select(number)] ?? forms.other;
}

/** The text under "section.key" with its values, in its plural form where it has several. */
export function t(key, values = {}) {
  const found = texts[key];
  if (found === undefined) console.error(`no text ${key}`);
  return fillIn(found?.other === undefined ? (found ?? key) : pluralForm(found, values), values);
}

const fillIn = (text, values) => text.replace(/\{(\w+)\}/gu, (whole, name) => values[name] ?? whole);

/** The text under a key where there is one, else what is said `otherwise`. */
export const textOr = (key, otherwise, values) => (key in texts ? t(key, values) : otherwise);

// Messages of the server, which come by their key with values, and as a sentence in English.

const untranslated = new Set();

const loadedParts = new Set(); // that have been loaded

/** Load, once, the texts of a part of the page that is loaded later itself. */
export async function loadTexts(part) {
  const more = await import(`/words/${language}/${part}-later.js`);
  if (loadedParts.has(part)) return;
  loadedParts.add(part);
  Object.assign(texts, more.default);
}

/** A message in the reader's language; where it has no translation, whole or in part, its sentence in English. */
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

/** With a capital where it begins with a letter. */
export const capitalize = (text) => text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language));

/** With a capital where the sentence had one. */
const capitalizeLike = (text, like) => (/^\p{Lu}/u.test(like) ? capitalize(text) : text);

/** A translated sentence that stands by itself: begun with a capital. */
export function asSentence(translated) {
  const sentence = capitalize(translated);
  if (untranslated.has(translated)) untranslated.add(sentence);
  return sentence;
}

/** The `lang` of what is shown: "en" for a sentence of the table that stayed English, else null. */
export const languageOf = (text) => (untranslated.has(text) ? "en" : null);

/** Write what is said, and in which language where that is not the page's. */
export function quote(node, said) {
  write(node, said);
  set(node, "lang", languageOf(said));
}

// --- fetch ---

const FETCH_TIMEOUT = 8_000; // ms

/** Fetch JSON: {ok, status, body, wait}; `wait` are the ms of Retry-After; without an answer status 0, and `body` null.
 *
 * The `detail` of a refusal is in the reader's language. */
export async function request(path, options, timeout = FETCH_TIMEOUT) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  try {
    const answer = await fetch(path, { ...options, signal: abort.signal });
    const body = await answer.json().catch(() => null);
    if (!answer.ok && body?.detail) body.detail = translate(body, body.detail);
    return { ok: answer.ok, status: answer.status, body, wait: 1_000 * Number(answer.headers.get("Retry-After") ?? 0) };
  } catch {
    return { ok: false, status: 0, body: null, wait: 0 };
  } finally {
    clearTimeout(timer);
  }
}

/** The same; where nothing came, or nothing that can be read, `body.detail` says so. */
export async function fetchJson(path, options = {}, timeout = FETCH_TIMEOUT) {
  const answer = await request(path, options, timeout);
  if (answer.body !== null) return answer;
  return { ...answer, ok: false, body: { detail: t(answer.status ? "history.unreadable" : "history.no_answer") } };
}

/** The options of a POST of values as JSON. */
export const asPost = (values) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });

export const postJson = (path, values, timeout) => fetchJson(path, asPost(values), timeout);

/** A path with the values that are not empty. */
export function withQuery(path, values) {
  const query = `${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;
  return query ? `${path}?${query}` : path;
}

/** The sentence of a refusal, and a link to the rule that it comes from, where there is one. */
export function refusalNodes({ detail, rule }) {
  const said = detail ? asSentence(detail) : t("history.unreadable");
  return [html("span", { lang: languageOf(said) }, said), ...(rule ? [" ", html("a", { href: rule }, t("history.rule"))] : [])];
}

// --- dialogs; the harmless answer comes first, has the focus, and is what Escape means ---

const isWithin = (node, { clientX: x, clientY: y }) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return left <= x && x <= right && top <= y && y <= bottom;
};

/** On the tablet a dialog belongs to a half: it opens there, turned as its player sits, and the other half goes on. */
const halfOf = (dialog) => dialog.closest(".half");

/** Show it, and make inert what it covers; returns a function that undoes that. */
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

export const GHOST_TAP = 400; // ms in which a finger or a key may still be meant for what stood where something else is now

/** Let nothing in a dialog be pressed at first; returns a function that says whether that is over. */
function makeInert(dialog, calm) {
  const form = dialog.querySelector("form");
  form.inert = true;
  setTimeout(() => {
    form.inert = false;
    if (dialog.open) calm();
  }, GHOST_TAP);
  return () => !form.inert;
}

const unanswered = new WeakMap(); // dialogs, with what answers them: a closed one hears of it only after other events

/**
 * Open a dialog; `answer(value, button)` once it closes. Escape and the ground beside it mean `escape`. With `calm`, no
 * key works at first, and then that is called.
 */
export function openDialog(dialog, escape, answer, calm = null) {
  unanswered.get(dialog)?.();
  let pressed = null;
  const ground = halfOf(dialog) ?? dialog;
  const press = (event) => {
    pressed = event.target.closest("button[value]") ?? pressed;
  };
  const hears = calm ? makeInert(dialog, calm) : () => true;
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
    if (dialog.open) return; // it closed, and was opened again
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

/** Ask a question of two answers, with a `sign` before it; `answer(true)` on yes. `here` finds the parts of the dialog. */
export function askYesNo({ sign = null, title, since, ask: question, no, yes }, answer, here = byId) {
  here("question-mark").replaceChildren(...(sign ? [sign] : []));
  write(here("question-title"), title);
  write(here("question-since"), since);
  write(here("question-ask"), question);
  writeTwo(here("question-no"), no);
  writeTwo(here("question-yes"), yes);
  openDialog(here("question"), "no", (value) => answer(value === "yes"), () => here("question-no").focus());
}

// --- a list of choices, written anew each time ---

export const choiceKey = (value, ...inside) => html("button.key.wide", { value }, ...inside);

/** Open it with a title and what stands on it; `answer(value, key)` once it closes, "close" where nothing was chosen. */
export function openChoices(here, kind, title, nodes, answer) {
  const dialog = here("choices");
  dialog.className = `modal ${kind}`;
  write(here("choices-title"), title);
  const close = html("button.solid", { value: "close" }, t("common.close"));
  here("choices-body").replaceChildren(...nodes, close);
  openDialog(dialog, "close", answer);
  close.focus({ preventScroll: true });
}

/** Shut it where what it was about is gone. */
export function closeChoices(here) {
  if (here("choices").open) here("choices").close("close");
}

// --- multitouch: browsers make no click of a touch that overlaps another one, so each touch makes its own ---

const ECHO = 700; // ms in which the browser's own click for a touch may follow

const STUTTER = 40; // ms in which no finger is lifted and down again: the glass has lost it and found it
const NEAR = 30; // px, where it finds it again; no key is narrower

const PRESSABLE = "button, a[href], summary, label, input, select";

const fingers = new Map(); // what each finger went down on
const acted = new Map(); // when each finger's button has acted
let lifts = []; // where and when fingers have just acted, on which key, and the keys around it
let lastLift = -Infinity; // the same of the finger lifted last, for browsers that do not say whose click it is

const pressedKey = ({ target }) => target.closest?.(PRESSABLE) ?? null;

/** Whether the finger is still on what it went down on. */
const isStillOn = (key, { clientX, clientY }) => key.contains(document.elementFromPoint(clientX, clientY));

/** The keys that a finger near this place may be on. */
const around = (x, y) => {
  const steps = [-NEAR, 0, NEAR];
  const there = steps.flatMap((right) => steps.map((below) => document.elementFromPoint(x + right, y + below)));
  return new Set(there.filter(Boolean).map((target) => pressedKey({ target })));
};

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
  lifts.push({ x, y, at: timeStamp, key, keys: around(x, y) });
  for (const [finger, at] of acted) if (timeStamp - at > ECHO) acted.delete(finger);
  acted.set(pointerId, timeStamp);
  if (!stutters) key.click();
}

/** The echo of a touch that has acted already; it may even fall on a key that has only just come. */
function swallowClick(event) {
  const { isTrusted, detail, pointerType, pointerId, timeStamp } = event;
  if (!isTrusted || detail === 0 || pointerType === "mouse") return;
  const at = pointerId > 0 ? acted.get(pointerId) : lastLift;
  if (!(timeStamp - at < ECHO)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Let every button of this page act when the finger on it is lifted, whatever other fingers do. */
export function handleMultitouch() {
  addEventListener("pointerdown", handleTouch);
  addEventListener("pointerup", handleLift);
  addEventListener("pointercancel", ({ pointerId }) => fingers.delete(pointerId));
  addEventListener("click", swallowClick, true);
}
