// The usual faults by the rules of the table, each with what the opponent is awarded for it.

import { capital, t } from "../lib/i18n.js";

/** "deal out of turn" */
export const faultCalled = (fault) => t(`faults.${fault}`);

/** "Deal out of turn: 2" */
export const faultAwards = ({ fault, points }) => capital(t("faults.awards", { fault: faultCalled(fault), points }));
