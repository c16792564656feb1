"""Costs of the course: logarithms of probabilities as whole numbers, and those of people who forget or miscount.

A cost is -100 times the natural logarithm of a probability, so that sums of costs are exact.
"""

import math
from functools import cache
from typing import TypeAlias

Cost: TypeAlias = int

UNIT = 100
RARE = 999
"""The cost of what was never seen in dealt games."""

ONE = 1 << 30
"""The weight of what is certain."""

LEAST = 3000
"""A cost from which on weights are as good as nothing."""

SHARED = tuple(range(LEAST))
"""One object for each cost: tens of thousands of links refer to them."""


@cache
def weights() -> tuple[int, ...]:
    """The weight of each cost; computed once, on first use."""
    return tuple([max(1, round(math.exp(-cost / UNIT) * ONE)) for cost in range(LEAST)])


def weight_of(cost: Cost) -> int:
    """The weight of a cost."""
    return weights()[min(cost, LEAST - 1)]


def cost_of(probability: float) -> Cost:
    """The cost of a probability."""
    return round(-UNIT * math.log(probability))


HEELS_TURNED = cost_of(0.7 / 13)
"""A jack is turned, and the two for it are entered without a reason: most players say it."""
NO_HEELS = cost_of(12 / 13)
ZERO_ENTERED, ZERO_LEFT_OUT = 0.4, 0.6
"""Probabilities that a hand or crib without points is entered, and that it is not."""
FORGOTTEN = 0.008
"""Probability that an entry is never made."""
UNPLAYED = cost_of(0.003)
"""Nothing of the play is entered."""
IN_PARTS = cost_of(0.005)
"""A hand is entered in parts: 2, then 4, then one for nobs."""
AWARD_AS_SCORE = cost_of(0.001)
"""An opponent pegs missed points as a plain score."""
LATE = cost_of(0.001)
"""A card or a go is pegged after the count of hands has begun."""
SAID_LATE = cost_of(0.1)
"""Somebody says that hands are counted when one of them already was."""
DEAL_LATE = cost_of(0.02)
"""Somebody says that a new deal has begun when something of it has been pegged."""
BY_PARTNER = cost_of(0.05)
"""A hand or crib is entered for the other seat of its lane."""
NO_THIRTY_ONE = cost_of(0.2)
"""A thirty-one is entered as play."""
MISCOUNTED = 0.02
"""Probability that an amount is wrong by two."""
UNTOLD = cost_of(0.05)
"""A player who gives reasons gives none for heels."""
UNHEARD = 400
"""An entry of the play comes at a place where none like it was learned."""
UNHEARD_OF = 800
"""An entry of the play is like none that was learned anywhere."""
LOST = cost_of(1e-5)
"""The entry fits nothing before it, and the deal can stand anywhere."""
GUESSED = cost_of(0.1)
"""A reason that a page has guessed is wrong."""
UNLIKELY = 1100
"""Moves that cost more are dropped."""
