"""Named faults: the usual award for each, until when it can be claimed, and whether the pone may let the deal stand."""

from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.core.names import TextEnum


class FaultName(TextEnum):
    """Faults by name; those of the deal are named after what went wrong with the cards."""

    NOT_CUT = "not-cut"
    WRONG_CARD = "wrong-card"
    FACED_CARD = "faced-card"
    DEALER_NUMBER = "dealer-number"
    PONE_NUMBER = "pone-number"
    OUT_OF_TURN = "out-of-turn"
    FACED_IN_PACK = "faced-in-pack"
    WRONG_PACK = "wrong-pack"
    CUT_PACK = "cut-pack"
    RENEGE = "renege"


WRONG_NUMBERS = frozenset({FaultName.DEALER_NUMBER, FaultName.PONE_NUMBER})
"""Faults for which every player but the dealer counts as pone."""


class Until(TextEnum):
    """Deadlines for claiming a fault of the deal."""

    LOOKED = "looked"
    SHOWN = "shown"
    TAKEN_UP = "taken-up"
    ALWAYS = "always"
    TURNED = "turned"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True)
class FaultRule:
    """What is usual for a fault (official rules of 1922, and of the ACC where they differ).

    Attributes:
        points: the award to each opposing side, for a renege by each card; None if the house rule `misdeal` sets it.
        until: when it is too late to claim a fault of the deal: once the pone looks at the cards, at the show, once the
            pone takes up the cards, or never; None if the fault leaves the deal as it is.
        by_acc: the deadline by the ACC's rules, if they differ: once the starter is turned up, after which a judge
            decides, or none that they state; None if they do not differ.
    """

    points: int | None
    until: Until | None = None
    by_acc: Until | None = None

    @property
    def is_misdeal(self) -> bool:
        """Whether the dealer is at fault, so that the opponent is awarded points and the pone may have a choice."""
        return self.until in (Until.LOOKED, Until.SHOWN)


FAULT_RULES: Mapping[FaultName, FaultRule] = {
    FaultName.NOT_CUT: FaultRule(None, Until.LOOKED, Until.UNSTATED),
    FaultName.WRONG_CARD: FaultRule(None, Until.LOOKED, Until.UNSTATED),
    FaultName.FACED_CARD: FaultRule(None, Until.LOOKED, Until.UNSTATED),
    FaultName.DEALER_NUMBER: FaultRule(None, Until.SHOWN, Until.TURNED),
    FaultName.PONE_NUMBER: FaultRule(None, Until.LOOKED, Until.TURNED),
    FaultName.OUT_OF_TURN: FaultRule(2, Until.TAKEN_UP),
    FaultName.FACED_IN_PACK: FaultRule(0, Until.ALWAYS),
    FaultName.WRONG_PACK: FaultRule(0, Until.ALWAYS),
    FaultName.CUT_PACK: FaultRule(2),
    FaultName.RENEGE: FaultRule(2),
}
"""What is usual for each fault, in the order in which pages offer them.

For the first five, the dealer's opponents get the points of the house rule `misdeal`. Two points are due for a deal out
of turn until the cards are taken up, to the opponents of a player other than the pone who cuts the deck that was
offered to the pone, and for each card of a renege. A card face up in the deck and a wrong or incomplete deck are
nobody's fault: the same dealer redeals, and no points are awarded.
"""
