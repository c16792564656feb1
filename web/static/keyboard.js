// Keys of the bench as fingers know them: down while held, up when let go, by touch, mouse, letter or screen reader.

import { html, write } from "./element.js";
import { mark } from "./pegs.js";
import * as words from "./words.js";

const CLICK = 60; // ms that a key is held for a screen reader's press

const word = ({ key, points }) => (points ? `+${points}` : key[0].toUpperCase() + key.slice(1));

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
    const ofLane = (lane) => keys.filter((key) => key.lane === lane);
    const shared = keys.filter((key) => !Number.isInteger(key.lane));
    const lanes = state.lanes.map((_, lane) => this.#card(lane, words.laneName(state, lane), ofLane(lane)));
    const both = this.#card(null, state.lanes.length > 1 ? "All" : "Table", shared);
    this.#node.replaceChildren(...lanes.slice(0, 1), both, ...lanes.slice(1));
    this.#node.className = `switchboard of${state.lanes.length}`;
  }

  #card(lane, name, keys) {
    const title = html("h2", {}, ...(lane === null ? [] : [mark(lane)]), html("span", { dir: "auto" }, name));
    const row = html("div", { class: "round" }, ...keys.map((key) => this.#key(key, lane, name)));
    return html("section", { class: "card" }, title, row);
  }

  #key(one, lane, name) {
    const letter = one.letter ?? (one.key === "undo" ? "U" : one.key === "deal" ? "G" : "");
    const button = html("button", { type: "button", class: `pin ${lane === null ? "" : `l${lane}`}`, "data-key": one.key },
      html("b", {}, word(one)), html("kbd", {}, letter), html("span", { class: "unseen" }, lane === null ? "" : ` ${name}`));
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
