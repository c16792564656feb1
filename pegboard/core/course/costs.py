"""Costs of the course: logarithms of probabilities as whole numbers, and those of people who forget or miscount.

A cost is -100 times the natural logarithm of a probability, so that sums of costs are exact.
"""

import math
from functools import cache
from typing import TypeAlias

Cost: TypeAlias = int

UNIT = 100
RARE = 999
"""The cost of what has not been seen in dealt games; an entry of it costs nothing more elsewhere."""

ONE = 1 << 30
"""The weight of what is certain."""

LEAST = 3000
"""A cost from which on nothing weighs anything."""

SHARED = tuple(range(LEAST))
"""One object for each cost: tens of thousands of links refer to them."""


@cache
def weights() -> tuple[int, ...]:
    """The weight of each cost; made when the first of them is asked for."""
    return tuple([max(1, round(math.exp(-cost / UNIT) * ONE)) for cost in range(LEAST)])


def weight_of(cost: Cost) -> int:
    """The weight of a cost."""
    return weights()[min(cost, LEAST - 1)]


def cost_of(probability: float) -> Cost:
    """The cost of a probability."""
    return round(-UNIT * math.log(probability))


HEELS_TURNED = cost_of(0.7 / 13)
"""That a jack is turned, and that the two for it are entered like any others: most who turn one say so."""
NO_HEELS = cost_of(12 / 13)
ZERO_ENTERED, ZERO_LEFT_OUT = 0.4, 0.6
"""That a hand or crib without points is entered, and that it is not."""
FORGOTTEN = 0.008
"""That an entry is never made."""
UNPLAYED = cost_of(0.003)
"""That nothing of the play is entered."""
IN_PARTS = cost_of(0.005)
"""That more of a hand follows: 2, then 4, then one for nobs."""
AWARD_AS_SCORE = cost_of(0.001)
"""That an opponent pegs what was missed as a plain score."""
LATE = cost_of(0.001)
"""That somebody pegs a card or a go after the count of hands has begun."""
SAID_LATE = cost_of(0.1)
"""That it is said that hands are counted when one of them already was."""
DEAL_LATE = cost_of(0.02)
"""That it is said that a new deal has begun, and whose, when something of it has been pegged."""
BY_PARTNER = cost_of(0.05)
"""That a hand or crib is entered for the other seat of its lane."""
NO_THIRTY_ONE = cost_of(0.2)
"""That somebody says play of a thirty-one."""
MISCOUNTED = 0.02
"""That an amount is wrong by two."""
UNTOLD = cost_of(0.05)
"""That somebody who tells reasons tells none of heels."""
UNHEARD = 400
"""That an entry of the play comes where none like it was learned."""
UNHEARD_OF = 800
"""That it is one that was learned nowhere."""
LOST = cost_of(1e-5)
"""That the entry belongs anywhere: whatever was before tells nothing."""
GUESSED = cost_of(0.1)
"""That a reason which a page has guessed is wrong."""
UNLIKELY = 1100
"""Moves that cost more are left to what belongs anywhere."""
