// Form with a field for each seat: corrects a name, or lets somebody else play on from here.

import { html, refusalNodes, set, t } from "../lib/browser.js";
import { LONGEST_NAME, sendCommand, trimName } from "../live/command_queue.js";
import { isolateNames } from "../words/state.js";

/** A name as the server compares it, as closely as a page can. */
const comparableName = (name) => trimName(name).normalize("NFKC").toLowerCase();

/** A temporary "Player 1" for a player whose own name is not free yet, or a variant that is unique. */
const passingName = (seat, names) => {
  let name = t("names.of", { n: seat + 1 });
  while (names.map(comparableName).includes(comparableName(name))) name += "*";
  return name;
};

/**
 * The corrections, as `{field, to}`, in an order in which each name is free when its turn comes. If players swap names,
 * one of them gets a temporary name. No name may be wanted twice, else there is no such order.
 */
function orderRenames(changed, names) {
  const left = [...changed];
  const steps = [];
  const waits = (field) => left.some((other) => other !== field && comparableName(names[other.seat]) === comparableName(field.input.value));
  while (left.length) {
    const free = left.findIndex((field) => !waits(field));
    const [field] = free < 0 ? left : left.splice(free, 1);
    const to = free < 0 ? passingName(field.seat, [...names, ...changed.map(({ input }) => input.value)]) : field.input.value;
    steps.push({ field, to });
    names[field.seat] = to;
  }
  return steps;
}

let formCount = 0;

export class NameForm {
  #table;
  #page;
  #fields = []; // {seat, former, input}: `former` is the name initially in the field
  #drawn = "";
  #rows = html("div.awards");
  #wrong;
  #busy = false;

  /**
   * `page` has `done(sentence)` for a corrected name, `ask(changes)`, which resolves to whether the same person plays
   * under another name, and `others(names)` for when someone else does, with what to say then; `more` are extra keys.
   */
  constructor(table, page, ...more) {
    this.#table = table;
    this.#page = page;
    this.#wrong = html("p.reason", { role: "alert", id: `names-wrong-${formCount += 1}` });
    this.submit = html("button.solid", { type: "submit", value: "correct" }, t("names.correct"));
    this.playsOn = html("button.key", { type: "submit", value: "substitute" }, t("names.plays_on"));
    this.node = html("form", { method: "dialog", novalidate: true }, this.#rows, this.#wrong, this.submit, this.playsOn, ...more);
    this.node.addEventListener("submit", (event) => {
      if (event.submitter && event.submitter.value === "close") return;
      event.preventDefault();
      if (!this.#busy) this.#sendChanged(event.submitter === this.playsOn);
    });
  }

  get input() {
    return this.#fields[0]?.input;
  }

  /** Show the current names; typed text stays, unless `anew`. */
  show({ anew = false } = {}) {
    const { game, seats } = this.#table.state;
    const drawn = `${game.id} ${seats.length}`;
    if (anew || drawn !== this.#drawn) this.#draw(seats);
    this.#drawn = drawn;
    for (const field of this.#fields) {
      if (field.input.value === field.former) this.#fill(field, seats[field.seat].name);
    }
  }

  /** Disable the form with a reason, or enable it with null. */
  close(reason) {
    for (const control of [...this.#fields.map(({ input }) => input), this.submit, this.playsOn]) set(control, "disabled", reason !== null);
    if (reason) this.#say(null, reason);
  }

  #draw(seats) {
    this.#fields = seats.map(({ name }, seat) => {
      const input = html("input", { type: "text", maxlength: LONGEST_NAME, dir: "auto", autocomplete: "off", autocapitalize: "words", enterkeyhint: "done", "data-seat": seat });
      input.addEventListener("input", () => this.#say(null));
      return { seat, former: name, input };
    });
    for (const field of this.#fields) this.#fill(field, field.former);
    this.#rows.replaceChildren(...this.#fields.map(({ seat, input }) =>
      html("label.field", t("names.of", { n: seat + 1 }), input)));
    this.#say(null);
  }

  #fill(field, name) {
    field.former = name;
    if (field.input.value !== name) field.input.value = name;
  }

  /** Say what is wrong, and with which field. */
  #say(field, ...sentence) {
    for (const { input } of this.#fields) {
      set(input, "aria-invalid", input === field?.input ? "true" : null);
      set(input, "aria-describedby", input === field?.input ? this.#wrong.id : null);
    }
    if (sentence.length || this.#wrong.textContent) this.#wrong.replaceChildren(...sentence);
  }

  /** A field with a name that another player would also get. */
  #duplicate(changed) {
    const wanted = this.#fields.map(({ input }) => comparableName(input.value));
    return changed.find(({ input }) => wanted.filter((name) => name === comparableName(input.value)).length > 1);
  }

  /** Correct each changed name, or let those people play on; stop at the first refusal. */
  async #sendChanged(arePeople) {
    const changed = this.#fields.filter(({ former, input }) => trimName(input.value) !== former);
    if (!changed.length) {
      this.#say(this.#fields[0], t("names.unchanged"));
      return this.#fields[0].input.focus();
    }
    const nameless = changed.find(({ input }) => !trimName(input.value));
    if (nameless) {
      this.#say(nameless, t("names.missing", { n: nameless.seat + 1 }));
      return nameless.input.focus();
    }
    const twice = this.#duplicate(changed);
    if (twice) {
      this.#say(twice, t("names.twice", { name: trimName(twice.input.value) }));
      return twice.input.focus();
    }
    this.#busy = true;
    if (!arePeople && !(await this.#isSamePerson(changed))) {
      this.#busy = false;
      return;
    }
    const formers = changed.map(({ former }) => former);
    for (const { field, to } of this.#steps(changed, arePeople)) {
      const { ok, body } = await this.#send(field, to, arePeople);
      if (!ok) {
        this.#busy = false;
        return this.#showRefusal(field, body ?? {});
      }
      const { name } = body.state.seats[field.seat];
      if (field.input.value === to) this.#fill(field, name);
      else field.former = name; // the typed name is not sent yet
      this.#table.takeAnswer(body.state);
    }
    this.#busy = false;
    this.#say(null);
    const sentence = (values) => (arePeople ? `${t("words.plays_for", values)}.` : t("words.renamed", values));
    this.#page.done(changed.map(({ former }, i) => sentence({ former: isolateNames(formers[i]), name: isolateNames(former) })).join(" "));
  }

  #steps(changed, arePeople) {
    if (arePeople) return changed.map((field) => ({ field, to: field.input.value }));
    return orderRenames(changed, this.#table.state.seats.map(({ name }) => name));
  }

  /** After a finished game of the match, another name may be another person, whom its score sheets must not name. */
  async #isSamePerson(changed) {
    const { game, lanes } = this.#table.state;
    if (!game.over && lanes.every(({ games_won: won }) => won === 0)) return true;
    const changes = changed.map(({ former, input }) => `${isolateNames(former)} → ${isolateNames(trimName(input.value))}`).join(", ");
    if (await this.#page.ask(changes)) return true;
    const names = Object.fromEntries(changed.map(({ seat, input }) => [seat, trimName(input.value)]));
    for (const field of changed) this.#fill(field, field.former);
    this.#say(null, this.#page.others(names) ?? "");
    return false;
  }

  #showRefusal(field, problem) {
    this.#say(field, ...refusalNodes({ detail: problem.detail }));
    field.input.focus();
    if (!problem.state) return;
    field.former = problem.state.seats[field.seat]?.name ?? field.former; // the next try is based on it
    this.#table.takeAnswer(problem.state);
  }

  async #send({ seat, former }, to, arePeople) {
    if (arePeople) return sendCommand({ do: "substitute", game: this.#table.state.game.id, seat, former, name: to });
    return sendCommand({ do: "rename", game: this.#table.state.game.id, seat, from: former, to });
  }
}
