// What may be done to a line of the sheet, and what that would do to the pegs.

import { isRuling, isScore } from "../words/entries.js";
import { t } from "../lib/i18n.js";
import * as words from "../words/words.js";

const DIRECTORS = new Set(["peg_back", "set_pegs", "false_claim", "retract"]);

/** Why this device may not change a line, or null. */
export function closedLine(state, entry, role) {
  if (!role.mayScore) return words.notPaired;
  if (role.directs) return null;
  if (state.game.rules.strict) return t("pad.strict");
  return DIRECTORS.has(entry?.do) ? t("pad.ruling_directors") : null;
}

/** The pegs before and after a line goes or comes back; "" where the sheet must be replayed to know. */
export function pegsAfter(state, entry, stands) {
  if (!entry || !isScore(entry) || isRuling(entry)) return "";
  const { front, pinned_by: pin } = state.lanes[entry.lane];
  if (pin !== null && Number(entry.id) < Number(pin)) return t("pad.stays");
  if (!entry.counts && !stands) return t("pad.stays");
  const to = stands ? Math.min(front + entry.points, state.game.game_hole) : front - (entry.to - entry.from);
  return to === front ? t("pad.stays") : t("pad.from_to", { from: front, to });
}
