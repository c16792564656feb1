// The cards of a hand as they are tapped: four and the starter, or three in the old game of five cards; any can be put right, the starter stays for the deal.

import { PER_RANK } from "./card.js";

export const STARTER = 4;

export class Hand {
  #slots = [null, null, null, null, null];
  #typed = []; // the places in the order in which they were filled
  #changing = null;
  #alone = false;
  #size = STARTER;

  /** How many cards the hand has without the starter. */
  get size() {
    return this.#size;
  }

  set size(size) {
    this.#size = size;
    for (let place = size; place < STARTER; place += 1) this.#take(place);
  }

  /** Whether a card belongs at this place. */
  has(place) {
    return place < this.#size || (place === STARTER && !this.#alone);
  }

  /** Whether four cards are counted without a starter. */
  get alone() {
    return this.#alone;
  }

  set alone(alone) {
    this.#alone = alone;
    if (alone) this.#take(STARTER);
  }

  get slots() {
    return this.#slots;
  }

  /** The place whose card the next rank replaces, or null. */
  get changing() {
    return this.#changing;
  }

  /** The place that the next rank fills, or null. */
  get next() {
    if (this.#changing !== null) return this.#changing;
    const empty = this.#slots.findIndex((rank, place) => rank === null && this.has(place));
    return empty < 0 ? null : empty;
  }

  get complete() {
    return this.left === 0;
  }

  /** How many cards are still to come. */
  get left() {
    return this.#slots.filter((rank, place) => rank === null && this.has(place)).length;
  }

  /** Whether a card of the hand itself is there. */
  get begun() {
    return this.#slots.slice(0, STARTER).some(Boolean);
  }

  get ranks() {
    return this.#slots.slice(0, this.#size);
  }

  get starter() {
    return this.#slots[STARTER];
  }

  many(rank) {
    return this.#slots.filter((one) => one === rank).length;
  }

  /** Why a rank cannot be put now: "full", "all_four", or null. */
  closed(rank) {
    if (this.next === null) return "full";
    const others = this.#slots.filter((one, place) => one === rank && place !== this.#changing).length;
    return others === PER_RANK ? "all_four" : null;
  }

  put(rank) {
    const place = this.next;
    this.#slots[place] = rank;
    if (this.#changing === null) this.#typed.push(place);
    this.#changing = null;
  }

  /** The card of this place is to be put right, or after all not. */
  change(place) {
    this.#changing = this.#changing === place || this.#slots[place] === null ? null : place;
  }

  /** Take the newest card back, or the one that is to be changed. */
  back() {
    const place = this.#changing ?? this.#typed.at(-1);
    if (place !== undefined) this.#take(place);
  }

  clear({ keep = false } = {}) {
    const { starter } = this;
    this.#slots = [null, null, null, null, null];
    this.#typed = [];
    this.#changing = null;
    if (keep && starter) this.#fill(STARTER, starter);
  }

  #fill(place, rank) {
    this.#slots[place] = rank;
    this.#typed.push(place);
  }

  #take(place) {
    if (this.#slots[place] === null) return;
    this.#slots[place] = null;
    this.#typed = this.#typed.filter((one) => one !== place);
    this.#changing = null;
  }

  /** To be remembered, and what was. */
  get kept() {
    return { slots: this.#slots, typed: this.#typed };
  }

  set kept({ slots, typed }) {
    this.#slots = slots;
    this.#typed = typed;
  }
}
