// Next game form: preset, variant, players, house rules, first dealer, and what happens to the running game.

import { byId, capitalize, html, language, readStorage, set, t, textOr, writeById, writeStorage } from "../lib/browser.js";
import { HOLDER, LONGEST_NAME, PAD, sendCommand, trimName } from "../live/command_queue.js";
import { houseRuleText, presetAbout, presetName, presetTitle, ruleName } from "../words/rules.js";
import { formatName, isolateNames } from "../words/state.js";

/** A choice; the preset's or variant's value is added if the house rule does not list it. */
function choices({ name, values }, own, chosen) {
  const options = (values.includes(own) ? values : [own, ...values]).map((value) => {
    const said = values.includes(value) ? houseRuleText(name, value) : t("settings.house_own_value");
    return html("option", { value, selected: value === chosen }, value === own ? t("settings.house_own", { said }) : capitalize(said));
  });
  return html("label.field", ruleName(name), html("select", { "data-rule": name }, ...options));
}

function number({ name, least, most }, own, chosen) {
  const field = html("input", { type: "number", inputmode: "numeric", min: least, max: most, "data-rule": name });
  field.value = chosen;
  return html("label.field", t("settings.house_number", { rule: ruleName(name), least, most, own }), field);
}

class HouseRules {
  #rules = [];
  #usual = {};

  /** Lay out the fields; `house` are the chosen rules, such as "muggins=on", `usual` those of the preset or variant. */
  show(rules, usual, house) {
    this.#rules = rules;
    this.#usual = usual;
    const chosen = Object.fromEntries(house.map((word) => word.split("=")));
    byId("house-rules").replaceChildren(...rules.map((rule) => {
      const own = usual[rule.name];
      return (rule.values ? choices : number)(rule, own, chosen[rule.name] ?? own);
    }));
  }

  #field(name) {
    return byId("house-rules").querySelector(`[data-rule="${name}"]`);
  }

  /** The choices that differ from the preset or variant, each `[name, value]`. */
  get changes() {
    const all = this.#rules.map(({ name }) => [name, this.#field(name).value.trim()]);
    return all.filter(([name, value]) => value !== this.#usual[name]);
  }

  /** Those that can matter for this number of players. */
  changesFor(seats) {
    return this.changes.filter(([name]) => this.#rules.find((rule) => rule.name === name).seats.includes(seats));
  }

  /** The same as all changes, in the server's format. */
  get words() {
    return this.changes.map(([name, value]) => `${name}=${value}`);
  }

  /** The first number that is not allowed, and what is wrong with it; null if all are allowed. */
  get fault() {
    const wrong = this.#rules.find(({ name, values, least, most }) => {
      const value = Number(this.#field(name).value || NaN);
      return !values && !(Number.isInteger(value) && value >= least && value <= most);
    });
    if (!wrong) return null;
    const { name, least, most } = wrong;
    return [this.#field(name), t("settings.house_number_wrong", { rule: ruleName(name), least, most })];
  }
}

// --- the form ---

const FIRST_TO = "first to ";

const listFormat = new Intl.ListFormat(language);
const option = (value, text, chosen = false) => html("option", { value, selected: chosen }, text);

/** "Ann, Bob and Cy" */
export const listNames = (names) => listFormat.format(names.map(isolateNames));

export class NextGame {
  #page;
  #settings = null;
  #drawn = "";
  #names = [];
  #toSeat = {}; // names by seat for a form that is not shown yet
  #seated = [];
  #house = new HouseRules();
  #preset = null; // the name of the chosen preset

  constructor(page) {
    this.#page = page;
    const form = byId("next");
    form.addEventListener("input", ({ target }) => this.#update(target));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
  }

  /** Show the form, and again after each other game; typed text stays. */
  show(settings) {
    const { state } = this.#page.table;
    this.#settings = settings;
    const drawn = JSON.stringify([state.game.id, state.match.format, settings.variants]);
    const seated = state.seats.map(({ name }) => name);
    const formerly = this.#seated;
    this.#seated = seated;
    if (drawn === this.#drawn) return this.#followNames(formerly);
    this.#drawn = drawn;
    this.#names = seated.map((name, seat) => this.#toSeat[seat] ?? name);
    this.#toSeat = {};
    byId("variant").replaceChildren(...settings.variants.map((one) => this.#variantOption(one)));
    byId("match").replaceChildren(...this.#matches(settings.formats));
    byId("presets").replaceChildren(...settings.presets.map((one) => this.#presetKey(one)));
    this.#seats();
    this.#preset = state.game.preset?.name ?? null;
    this.#house.show(settings.house_rules, this.#usual, settings.house);
    this.#update(null);
  }

  /** Other people will play: put their names by seat into the form of the next game. */
  seat(names) {
    if (!this.#drawn) return Object.assign(this.#toSeat, names);
    for (const input of this.#inputs()) input.value = names[input.dataset.seat] ?? input.value;
    this.#update(null);
    byId("start").focus();
  }

  /** A name corrected in the running game changes here too, unless it has been edited. */
  #followNames(formerly) {
    for (const input of this.#inputs()) {
      const { seat } = input.dataset;
      if (seat in formerly && input.value === formerly[seat]) input.value = this.#seated[seat];
    }
    this.#update(null);
  }

  /** A key for a preset: one tap sets its variant and rules, another returns to the variant's own rules. */
  #presetKey({ name, rows }) {
    const key = html("button.key", { type: "button", "data-preset": name }, presetName(name));
    key.addEventListener("click", () => {
      const isChosen = this.#preset === name;
      this.#preset = isChosen ? null : name;
      const { seats } = this.#variant;
      const row = rows.find(({ variant }) => this.#settings.variants.find((one) => one.name === variant)?.seats === seats) ?? rows[0];
      if (!isChosen) byId("variant").value = row.variant;
      this.#seats();
      this.#house.show(this.#settings.house_rules, this.#usual, []);
      this.#update(null);
    });
    return key;
  }

  /** The chosen preset, if its sheet describes the chosen variant. */
  get #sheet() {
    const sheet = this.#settings.presets.find(({ name }) => name === this.#preset);
    return sheet?.rows.some(({ variant }) => variant === this.#variant.name) ? sheet : null;
  }

  /** The value of each house rule in the chosen preset, or else in the variant. */
  get #usual() {
    const { name, usual } = this.#variant;
    return this.#sheet?.rows.find(({ variant }) => variant === name).usual ?? usual;
  }

  /** For another variant: the same preset if its sheet describes it, or else the rules of this table. */
  #changeVariant() {
    const { preset, house } = this.#variant;
    const stays = this.#sheet !== null;
    if (!stays) this.#preset = preset;
    this.#house.show(this.#settings.house_rules, this.#usual, stays ? [] : house);
  }

  get #variant() {
    return this.#settings.variants.find(({ name }) => name === byId("variant").value) ?? this.#settings.variants[0];
  }

  #variantOption({ name }) {
    const running = this.#page.table.state.game.variant;
    return option(name, textOr(`history.variant_${name.replaceAll("-", "_")}`, name), name === running);
  }

  #matches(formats) {
    const { match } = this.#page.table.state;
    const goesOn = match.winner === null;
    return [
      ...(goesOn ? [option("", t("settings.match_goes_on", { format: formatName(match.format) }))] : []),
      ...formats.map((format) => option(format, t("settings.match_new", { format: formatName(format) }))),
      option(FIRST_TO, t("settings.format_first_new")),
    ];
  }

  /** A field for each seat; a typed name is kept when the variant changes. */
  #seats() {
    const { seats, lanes } = this.#variant;
    byId("players").replaceChildren(...Array.from({ length: seats }, (_, seat) => {
      const word = seat < lanes ? t("settings.player", { n: seat + 1 }) : t("settings.partner", { n: seat + 1, other: seat - lanes + 1 });
      const input = html("input", { type: "text", maxlength: LONGEST_NAME, dir: "auto", autocomplete: "off", autocapitalize: "words", "data-seat": seat });
      input.value = this.#names[seat] ?? "";
      return html("label.field", word, input);
    }));
  }

  #inputs() {
    return [...byId("players").querySelectorAll("input")];
  }

  #update(target) {
    if (target?.id === "variant") {
      this.#seats();
      this.#changeVariant();
    }
    for (const input of this.#inputs()) this.#names[input.dataset.seat] = input.value;
    this.#dealers();
    byId("fourth-lane").hidden = this.#variant.lanes < 4;
    byId("games-field").hidden = byId("match").value !== FIRST_TO;
    for (const key of byId("presets").children) set(key, "aria-pressed", `${key.dataset.preset === this.#preset}`);
    writeById("preset-about", this.#preset === null ? "" : presetAbout(this.#preset));
    writeById("house", this.#houseText());
    writeById("start", t(this.#format === null ? "settings.start_game" : "settings.start_match"));
    writeById("wrong", "");
    for (const input of byId("next").querySelectorAll("input")) set(input, "aria-invalid", null);
  }

  /** The chosen house rules, or which of them are invalid. */
  #houseText() {
    const { fault } = this.#house;
    if (fault) return fault[1];
    const changes = this.#house.changesFor(this.#variant.seats);
    const noSkunks = changes.some(([name, value]) => name === "skunks" && value === "off");
    const inForce = changes.filter(([name, value]) => !(noSkunks && name === "worth" && value.startsWith("games")));
    if (this.#sheet) return this.#presetTitle(inForce);
    const rules = inForce.map(([name, value]) => houseRuleText(name, value));
    return rules.length ? t("settings.house", { rules: listNames(rules) }) : t("settings.house_none");
  }

  #presetTitle(changes) {
    const { name, options } = this.#sheet;
    const words = changes.map(([rule, value]) => `${rule}=${value}`);
    return presetTitle({ name, chosen: words.filter((word) => options.includes(word)), changed: words.filter((word) => !options.includes(word)) });
  }

  #dealers() {
    const select = byId("dealer");
    const chosen = select.value;
    const names = this.#inputs().map((input, seat) => trimName(input.value) || t("settings.player", { n: seat + 1 }));
    select.replaceChildren(option("", t("settings.dealer_custom")), ...names.map((name, seat) => option(`${seat}`, name)));
    select.value = Number(chosen) < names.length ? chosen : "";
  }

  /** The chosen match format, or null if this match continues. */
  get #format() {
    const format = byId("match").value;
    if (format !== FIRST_TO) return format || null;
    return `${FIRST_TO}${Number(byId("games").value)}`;
  }

  /** What is wrong, and with which field. */
  #fault() {
    const inputs = this.#inputs();
    const names = inputs.map(({ value }) => trimName(value));
    const empty = names.indexOf("");
    if (empty >= 0) return [inputs[empty], t("names.missing", { n: empty + 1 })];
    const folded = names.map((name) => name.toLowerCase());
    const twice = folded.findIndex((name, i) => folded.indexOf(name) < i);
    if (twice >= 0) return [inputs[twice], t("names.twice", { name: names[twice] })];
    const games = Number(byId("games").value);
    if (!byId("games-field").hidden && !(Number.isInteger(games) && games >= 1 && games <= Number(byId("games").max))) return [byId("games"), t("settings.games_wrong")];
    return this.#house.fault;
  }

  async #start() {
    this.#page.showMessage("");
    const fault = this.#fault();
    if (fault) {
      const [field, sentence] = fault;
      const folded = field.closest("details");
      if (folded) folded.open = true;
      set(field, "aria-invalid", "true");
      set(field, "aria-describedby", "wrong");
      writeById("wrong", sentence);
      field.focus();
      return;
    }
    const { state } = this.#page.table;
    const players = this.#inputs().map(({ value }) => trimName(value));
    const format = this.#format;
    const question = { title: t(format === null ? "settings.ask_game" : "settings.ask_match", { names: listNames(state.event?.here?.length ? state.event.here : players) }), ...this.#consequences(state, format) };
    if (await this.#page.confirm(question)) await this.#send(state, players, format);
  }

  /** What happens to the running game. */
  #consequences(state, format) {
    const { over } = state.game;
    const pegs = listNames(state.lanes.map(({ front }, lane) => `${state.seats[lane].name} ${front}`));
    const game = over ? t("settings.is_over") : state.entries.length ? t("settings.given_up", { pegs }) : t("settings.nothing_lost");
    const then = format !== null && state.match.winner === null ? `${game} ${t("settings.match_ends")}` : game;
    return { then, no: t(over ? "settings.keep_over" : "settings.keep"), yes: t("settings.start") };
  }

  /** A phone that scores for everyone does so for the new players. */
  #keepSharing(players) {
    const holder = readStorage(HOLDER);
    if (holder?.seat === null) writeStorage(HOLDER, { ...holder, players });
  }

  /** Send it based on the state in which the question was asked: any later change leads to a refusal. */
  async #send(state, players, format) {
    const seat = byId("dealer").value;
    const command = {
      do: format === null ? "start" : "start_match", game: state.game.id, base: state.revision,
      variant: byId("variant").value, players, house: this.#house.words,
      ...(this.#sheet ? { preset: this.#preset } : {}),
      ...(format === null ? {} : { format }), ...(seat === "" ? {} : { dealer: Number(seat) }),
      ...(state.game.over ? {} : { replaces: state.game.id }),
    };
    const answer = await sendCommand(command);
    if (answer.body?.state) this.#page.table.takeAnswer(answer.body.state, { live: false });
    if (!answer.ok) return this.#page.showRefusal(answer.body);
    this.#keepSharing(players);
    location.assign(readStorage(PAD) ?? "/");
  }
}
