// Where the deal stands, at the hint: play or show, who deals, and where that is not sure both ways, each one tap.

import { html, refuse, set } from "../lib/dom.js";
import { leafKey, openLeaf } from "../lib/choices.js";
import { mark } from "../board/pegs.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const TWO = 2;

const inPlay = ({ phase }) => phase === "play" || phase === "cut";

const stageOf = (where) => (inPlay(where) ? "play" : "show");

/** What says that the deal stands in one way and not in the other: commands without their game. */
export function saying(now, one, other) {
  const begins = inPlay(one) && !inPlay(now) && one.dealer !== now.dealer;
  if (begins) return [{ do: "deal", new: true, dealer: one.dealer }];
  const dealer = one.dealer === other.dealer ? [] : [{ do: "deal", new: false, dealer: one.dealer }];
  const stage = stageOf(one) === stageOf(other) ? [] : [{ do: "stage", stage: stageOf(one) }];
  return [...dealer, ...stage];
}

/** The keys of a pad's page in `node`; `send(body)` sends a command for the whole board, `here` finds the pad's leaf. */
export class Course {
  #node;
  #table;
  #role;
  #send;
  #here;
  #built = "";

  constructor(node, { table, role, send, here }) {
    [this.#node, this.#table, this.#role, this.#send, this.#here] = [node, table, role, send, here];
    node.addEventListener("click", ({ target }) => {
      const key = target.closest("button");
      if (key) this.#pressed(key.dataset);
    });
  }

  show() {
    const { state } = this.#table;
    const { kind, keys } = this.#keys(state);
    this.#node.hidden = !keys.length;
    const built = JSON.stringify([kind, keys.map((key) => key.outerHTML)]);
    if (built === this.#built) return;
    const held = [...this.#node.children].indexOf(document.activeElement);
    this.#built = built;
    this.#node.className = `course ${kind}`;
    this.#node.replaceChildren(...keys);
    this.#node.children[held]?.focus({ preventScroll: true });
  }

  #keys(state) {
    if (!this.#role.mayScore || state.game.over || state.seats.length === 1) return { kind: "none", keys: [] };
    if (words.asksFirst(state)) return { kind: "first", keys: state.seats.map((_, seat) => dealerKey(state, seat)) };
    if (state.game.ask_deal) return { kind: "ask-deal", keys: [nextKey(state)] };
    if (state.game.otherwise) return { kind: "either", keys: [...wayKeys(state), changeKey(state)] };
    return { kind: "sure", keys: [stageKey(state, "play"), stageKey(state, "show"), changeKey(state)] };
  }

  #pressed({ stage, dealer, way, next, change }) {
    const { state } = this.#table;
    const tell = (body) => this.#send({ game: state.game.id, ...body }, state);
    if (stage) tell({ do: "stage", stage });
    else if (dealer) tell({ do: "deal", new: false, dealer: Number(dealer) });
    else if (next) tell({ do: "deal", new: true, dealer: state.dealer });
    else if (way) this.#say(state, Number(way), tell);
    else if (change) this.#change(state, tell);
  }

  /** The second command takes its base from the answer to the first. */
  #say(state, way, tell) {
    const both = words.both(state);
    for (const body of saying(both[0], both[way], both[1 - way])) tell(body);
  }

  /** Two change places; of more it is asked who deals. */
  #change(state, tell) {
    const says = (dealer) => tell({ do: "deal", new: false, dealer });
    if (state.seats.length === TWO) return says(1 - state.dealer);
    const keys = state.seats.map(({ name, lane }, seat) => leafKey(`${seat}`, mark(lane), html("b", { dir: "auto" }, name)));
    refuse(keys[state.dealer], words.alreadyDeals(state, state.dealer));
    openLeaf(this.#here, "first", t("words.who_deals_now"), [html("p.reason", { role: "status" }), ...keys], (value) => {
      if (value !== "close") says(Number(value));
    });
  }
}

function dealerKey(state, seat) {
  const { name, lane } = state.seats[seat];
  return html("button.key", { type: "button", "data-dealer": seat, title: words.deals(state, seat) }, mark(lane), html("span.short", { dir: "auto" }, name));
}

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

const wayKeys = (state) => words.ways(state).map((said, way) => html("button.key", { type: "button", "data-way": way }, capital(said)));

function stageKey(state, stage) {
  const key = html("button.key", { type: "button", "data-stage": stage, title: t(`words.stage_${stage}`) }, t(`words.to_${stage}`));
  set(key, "aria-pressed", `${stageOf(state.game) === stage}`);
  return key;
}

function changeKey(state) {
  const said = t("words.change_dealer", { name: words.called(state, state.dealer) });
  return html("button.key", { type: "button", "data-change": "1", "aria-label": said, title: said },
    html("b.d", "D"), html("span.short", { dir: "auto" }, words.called(state, state.dealer)));
}

const nextKey = (state) => html("button.key", { type: "button", "data-next": "1" }, html("b", t("words.deal")), html("span", words.deals(state, state.dealer)));
