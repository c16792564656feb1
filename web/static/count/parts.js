// The count in spoken lines with a running total; the one that is lit lifts its cards.

import { chip } from "./card.js";
import { byId, html, set } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const MOST = 5; // parts that have a line each; more are told by their kind

const NUMBERS = t("count.numbers").split(" ");

const numbered = (number) => NUMBERS[number];

const key = (kind) => `count.say_${kind.replaceAll(/[ -]/gu, "_")}`;

/** "fifteen two", "a run of three is seven" */
function phrase(part, alone) {
  if (part.kind === "nobs" && alone) return t("count.say_nobs_only");
  return t(key(part.kind), { total: numbered(part.total), cards: numbered(part.cards.length) });
}

const alike = (one, other) => one.kind === other.kind && (one.kind === "fifteen" || one.cards.length === other.cards.length);

/** The places of the parts that share a line: one each, or all of a kind where there are too many. */
function gathered(parts) {
  if (parts.length <= MOST) return parts.map((_, i) => [i]);
  const groups = [];
  for (const [i, part] of parts.entries()) {
    if (groups.length && alike(parts[groups.at(-1)[0]], part)) groups.at(-1).push(i);
    else groups.push([i]);
  }
  return groups;
}

/** What comes last after others, and is no fifteen, begins with "and". */
const closing = (said, part, isLast, others) => (isLast && others && part.kind !== "fifteen" ? t("count.and", { said }) : said);

/** Every part as it is said by itself, for the voice; `zero` where nothing scores. */
export function aloud(parts, zero) {
  const last = parts.length - 1;
  const said = parts.map((part, i) => closing(phrase(part, !last), part, i === last, last > 0));
  return said.length ? said : [zero];
}

export class Lines {
  #node = byId("lines");
  #chosen;
  #groups = [];
  #parts = [];
  #built = "";

  /** `chosen(part)` is told the place of the part whose line was touched, null where it was lit already. */
  constructor(chosen) {
    this.#chosen = chosen;
    this.#node.addEventListener("click", (event) => {
      const line = event.target.closest("button");
      if (line) this.#touched(Number(line.dataset.group));
    });
    this.#node.addEventListener("keydown", (event) => this.#arrow(event));
  }

  /** Draw the parts of a hand of these ranks; `lit` is the part that is lit, or null. */
  show(parts, ranks, lit) {
    const built = JSON.stringify([parts, ranks]);
    if (built !== this.#built) this.#build(parts, ranks);
    this.#built = built;
    for (const [g, line] of [...this.#node.querySelectorAll("button")].entries()) {
      const on = this.#groups[g].includes(lit);
      set(line, "aria-pressed", on ? "true" : "false");
      if (on) line.scrollIntoView({ block: "nearest" });
      for (const word of line.querySelectorAll("[data-part]")) word.classList.toggle("lit", Number(word.dataset.part) === lit);
      if (on) this.#chips(line, parts[lit], ranks);
    }
  }

  #build(parts, ranks) {
    this.#parts = parts;
    this.#groups = gathered(parts);
    this.#node.replaceChildren(...this.#groups.map((group, g) => html("li", this.#line(group, g, ranks))));
  }

  /** "fifteen two, four, six": the first part as it is said, then the totals of the others. */
  #line(group, g, ranks) {
    const first = this.#parts[group[0]];
    const opening = closing(phrase(first, this.#parts.length === 1), first, g === this.#groups.length - 1, g > 0);
    const words = group.map((i, at) => html("span", { "data-part": i }, at ? numbered(this.#parts[i].total) : opening));
    const said = html("span.said.sentence", ...words.flatMap((word, at) => (at ? [", ", word] : [word])));
    const total = html("b.total", `${this.#parts[group.at(-1)].total}`);
    const line = html("button.line", { type: "button", "data-group": g, "aria-pressed": "false" }, said, html("span.chips"), total);
    this.#chips(line, first, ranks);
    return line;
  }

  #chips(line, part, ranks) {
    line.querySelector(".chips").replaceChildren(...part.cards.map((place) => chip(ranks[place])));
  }

  /** A line of several parts shows one after the other, then none. */
  #touched(g) {
    const group = this.#groups[g];
    const lit = group.findIndex((i) => this.#node.querySelector(`[data-part="${i}"]`).classList.contains("lit"));
    this.#chosen(lit + 1 < group.length ? group[lit + 1] : null);
  }

  #arrow(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const lines = [...this.#node.querySelectorAll("button")];
    const to = lines[lines.indexOf(event.target.closest("button")) + step];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }
}
