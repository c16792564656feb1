// Playing cards by their rank: how one is written, said, typed and drawn on a page.

import { html } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

export const PER_RANK = 4; // cards of a rank in a pack

const listed = (key, between) => t(key).split(between);

const FACES = listed("count.faces", " ");
const NAMES = listed("count.ranks", "|");
const WITH_ARTICLE = listed("count.the_ranks", "|");

const place = (rank) => RANKS.indexOf(rank);

/** What stands on the card: "K", where the pack is French "R". */
export const face = (rank) => FACES[place(rank)];

/** "king" */
export const called = (rank) => NAMES[place(rank)];

/** "the king" */
export const theCard = (rank) => WITH_ARTICLE[place(rank)];

const TYPED = new Map([
  ...RANKS.map((rank) => [rank.toLowerCase(), rank]),
  ...RANKS.map((rank, i) => [FACES[i].toLowerCase(), rank]),
  ["1", "A"], ["t", "10"], ["0", "10"],
]);

/** The rank of a typed letter or number; ten is T or 0. Undefined where it is none. */
export const rankOf = ({ key, ctrlKey, metaKey, altKey }) =>
  ctrlKey || metaKey || altKey ? undefined : TYPED.get(key.toLowerCase());

/** A small card among words. */
export const chip = (rank) => html("span.card-chip", face(rank));

/** A key for every rank, `data-rank` on each, with room for how many are there. */
export const rankKeys = () =>
  RANKS.map((rank) => html("button.key", { type: "button", "data-rank": rank, "aria-label": called(rank) },
    html("b", face(rank)), html("small")));

/** Whether a letter is meant for the page: not while something is written or chosen, or a sheet is open. */
export const isTyped = ({ target, defaultPrevented }) =>
  !defaultPrevented && !target.closest?.("input, select, textarea, dialog") && !document.querySelector("dialog[open]");
