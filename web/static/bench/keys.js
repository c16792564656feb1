// Keys of the bench: down while held, up when let go, by touch, mouse, letter or screen reader.

import { html, write } from "../lib/dom.js";
import { mark } from "../board/pegs.js";
import { known, t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const CLICK = 60; // ms that a key is held for a screen reader's press

const onKeypad = ({ key }) => /^(\d|enter |keypad )/u.test(key);

/** "+5", "Undo", "7"; of the keypad's "enter b" and "keypad undo", "Enter" and "Undo". */
function word({ key, points }) {
  if (points) return `+${points}`;
  const name = key.replace(/^keypad | .$/gu, "");
  return known(`bench.key_${name}`, name[0].toUpperCase() + name.slice(1));
}

export class Keyboard {
  #node;
  #send;
  #keys = new Map(); // key -> {button, letter}
  #held = new Set();
  #built = "";

  /** `send(key, level)` moves the pin. */
  constructor(node, send) {
    this.#node = node;
    this.#send = send;
    addEventListener("keydown", (event) => this.#letter(event, true));
    addEventListener("keyup", (event) => this.#letter(event, false));
    addEventListener("blur", () => this.#letAllGo());
    document.addEventListener("visibilitychange", () => document.hidden && this.#letAllGo());
  }

  show(keys, state) {
    const built = JSON.stringify([keys.map(({ key, lane, points, letter }) => [key, lane, points, letter]), state.seats]);
    if (built !== this.#built) this.#build(keys, state);
    this.#built = built;
    for (const { key, down } of keys) this.#keys.get(key).button.classList.toggle("down", down === true);
  }

  #build(keys, state) {
    this.#letAllGo();
    const name = (lane) => (lane === null ? "" : words.laneName(state, lane));
    const card = (lane, title, some) =>
      some.length ? [this.#card(lane, title, some.map((key) => this.#key(key, key.lane, name(key.lane))))] : [];
    const buttons = keys.filter((key) => !onKeypad(key));
    const ofLane = (lane) => card(lane, name(lane), buttons.filter((key) => key.lane === lane));
    const all = card(null, t(state.lanes.length > 1 ? "bench.all" : "bench.table"), buttons.filter((key) => key.lane === null));
    const others = state.lanes.slice(1).flatMap((_, i) => ofLane(i + 1));
    this.#node.replaceChildren(...ofLane(0), ...all, ...others, ...card(null, t("bench.keypad"), keys.filter(onKeypad)));
  }

  #card(lane, name, keys) {
    const title = html("h2", lane === null ? null : mark(lane), html("span", { dir: "auto" }, name));
    return html("section.card", title, html("div.round", ...keys));
  }

  #key(one, lane, name) {
    const letter = one.letter ?? "";
    const button = html("button", { type: "button", class: `pin ${lane === null ? "" : `l${lane}`}`, "data-key": one.key },
      html(one.points ? "b" : "b.word", word(one)), html("kbd", letter === one.key ? "" : letter), html("span.unseen", ` ${name}`));
    const level = (down) => () => this.#press(one.key, down);
    button.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      button.setPointerCapture(event.pointerId);
      level(true)();
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, level(false));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", (event) => event.detail === 0 && this.#click(one.key));
    this.#keys.set(one.key, { button, letter: letter.toLowerCase() });
    return button;
  }

  #press(key, down) {
    if (this.#held.has(key) === down) return;
    if (down) this.#held.add(key);
    else this.#held.delete(key);
    this.#keys.get(key)?.button.classList.toggle("down", down);
    this.#send(key, down ? "down" : "up");
  }

  /** A press without pointer or letter: a screen reader's, or Enter on a focused key. */
  #click(key) {
    this.#press(key, true);
    setTimeout(() => this.#press(key, false), CLICK);
  }

  #letter(event, down) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = [...this.#keys].find(([, { letter }]) => letter && letter === event.key.toLowerCase());
    if (found) this.#press(found[0], down);
  }

  #letAllGo() {
    for (const key of [...this.#held]) this.#press(key, false);
  }
}
