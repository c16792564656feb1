// A few figures of one game: averages a deal against par, best hand, how often the lead changed.

import { html } from "../lib/dom.js";
import { asState, figure, howSure } from "../words/games.js";
import { mark } from "../board/pegs.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const cell = (title, value, under) => html("div", html("dt", ...title), html("dd", html("b", value), ...(under ? [html("small", under)] : [])));

const against = ({ deals, par }) => [par === null ? "" : t("history.par", { par: figure(par) }), t("history.deals", { n: deals })].filter(Boolean).join(", ");

function ofLane(state, { dealer, pone }, lane) {
  const name = words.laneCalled(state, lane);
  return [["dealing", dealer], ["ponede", pone]].filter(([, part]) => part.deals).map(([kind, part]) =>
    cell([mark(lane), " ", html("span", t(kind === "dealing" ? "history.dealing" : "history.as_pone", { name }))], figure(part.average), against(part)));
}

function best(state, { best_hands: [hand] }) {
  if (!hand) return [];
  const what = t(hand.why === "crib" ? "history.best_crib" : "history.best_hand");
  const whose = t("history.whose_deal", { name: words.laneCalled(state, hand.lane), deal: hand.deal });
  return [cell([what], `${hand.points}`, [whose, ...howSure(hand.sure)].join(", "))];
}

const lead = (state, { lead_changes: changes, greatest_lead: most }) => {
  if (state.lanes.length < 2) return [];
  const ahead = Math.max(...most);
  const holder = most.indexOf(ahead);
  return [
    cell([t("history.lead_changed")], t("history.times", { n: changes })),
    ...(ahead ? [cell([t("history.greatest_lead")], `${ahead}`, words.laneCalled(state, holder))] : []),
  ];
};

/** Fill the list of figures. */
export function fillFigures(list, game) {
  const state = asState(game);
  const { lanes } = game.figures;
  list.replaceChildren(...lanes.flatMap((one, lane) => ofLane(state, one, lane)), ...best(state, game.figures), ...lead(state, game.figures));
}

/** How much the averages leave out, in words. */
export function leftOut({ unfinished, unknown, points }) {
  return [
    unfinished ? t("history.left_unfinished", { n: unfinished }) : "",
    unknown ? t("history.left_unknown", { n: unknown }) : "",
    points ? t("history.left_points", { n: points }) : "",
  ].filter(Boolean).join(" ");
}
