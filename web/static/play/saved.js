// The play of this deal as the page remembers it: the cards laid, and what each has pegged; it survives a reload.

import { recall, remember } from "../lib/storage.js";

const SHELF = "pegboard.play";

const NOTHING = { tap: null, entry: null };

export class Shelf {
  #game = "";
  #deal = 0;
  #dealer = 0;
  #acts = []; // ranks and "go"
  #show = null; // {tap, entry}: what has said that the play is over, and its line once that is stored
  #pegged = []; // for each act {tap, entry}: the tap that pegs it, and its line on the sheet once that is stored

  constructor({ game, dealer }) {
    const known = recall(SHELF);
    if (known?.game === game.id && known.deal === game.deal) {
      [this.#game, this.#deal, this.#dealer] = [known.game, known.deal, known.dealer];
      [this.#acts, this.#pegged, this.#show] = [known.acts, known.pegged, known.show ?? null];
    } else this.begin({ game, dealer });
  }

  /** A new play, of the deal that the table is at. */
  begin({ game, dealer }) {
    [this.#game, this.#deal, this.#dealer] = [game.id, game.deal, dealer ?? 0];
    this.#acts = [];
    this.#pegged = [];
    this.#show = null;
    this.#keep();
  }

  get show() {
    return this.#show;
  }

  /** This tap says that the play is over; null where it is not. */
  shows(tap) {
    this.#show = tap ? { tap, entry: null } : null;
    this.#keep();
  }

  /** A tap has become this line of the sheet. */
  showed(tap, entry) {
    if (this.#show?.tap !== tap) return;
    this.#show.entry = entry;
    this.#keep();
  }

  /** Whether the table has gone on to another deal, and not by a card of this play. */
  isPast({ game, dealer }) {
    if (game.id !== this.#game) return true;
    if (game.deal !== this.#deal && this.#pegged.some(({ tap, entry }) => tap && !entry)) {
      this.#deal = game.deal; // an empty crib is often not entered: this card has begun the deal
      this.#keep();
    }
    return game.deal !== this.#deal || (!this.#acts.length && (dealer ?? 0) !== this.#dealer);
  }

  get dealer() {
    return this.#dealer;
  }

  get acts() {
    return this.#acts;
  }

  pegged(place) {
    return this.#pegged[place] ?? NOTHING;
  }

  lay(act) {
    this.#acts.push(act);
    this.#pegged.push(NOTHING);
    this.#keep();
  }

  takeBack() {
    this.#acts.pop();
    this.#pegged.pop();
    this.#keep();
  }

  /** The newest act is pegged by this tap. */
  tapped(tap) {
    this.#pegged[this.#acts.length - 1] = { tap, entry: null };
    this.#keep();
  }

  /** A tap has become this line of the sheet; null where it will not be stored. */
  settled(tap, entry) {
    const place = this.#pegged.findIndex((one) => one.tap === tap);
    if (place < 0) return;
    this.#pegged[place] = entry ? { tap, entry } : NOTHING;
    this.#keep();
  }

  #keep() {
    const [game, deal, dealer] = [this.#game, this.#deal, this.#dealer];
    remember(SHELF, { game, deal, dealer, acts: this.#acts, pegged: this.#pegged, show: this.#show });
  }
}
