"""Log-probability costs of the game model as integers: learned from simulated games, or set for people's mistakes.

A cost is -100 times the natural logarithm of a probability. Integers keep sums of costs exact.
"""

import math
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import TypeAlias

Cost: TypeAlias = int

UNIT = 100
RARE = 999
"""The cost of anything never seen in simulated games."""

ONE = 1 << 30
"""The weight of certainty."""

LEAST = 3000
"""Weights of costs from here up are negligible."""

SHARED = tuple(range(LEAST))
"""One shared int object for each cost: tens of thousands of links refer to them."""


@cache
def weights() -> tuple[int, ...]:
    """The weight of each cost; computed once, on first use."""
    return tuple([max(1, round(math.exp(-cost / UNIT) * ONE)) for cost in range(LEAST)])


@cache
def shares() -> tuple[float, ...]:
    """The weight of each cost as a fraction of certainty; computed once, on first use."""
    return tuple([weight / ONE for weight in weights()])


def weight_of(cost: Cost) -> int:
    """The weight of a cost."""
    return weights()[min(cost, LEAST - 1)]


def cost_of(probability: float) -> Cost:
    """The cost of a probability."""
    return round(-UNIT * math.log(probability))


# --- mistakes and habits of people: the cost of each, or its probability if that is a float ---

HEELS_TURNED = cost_of(0.7 / 13)
"""A jack is turned, and its two points are entered without a reason; most players give the reason."""
NO_HEELS = cost_of(12 / 13)
"""The starter is not a jack."""
ZERO_ENTERED, ZERO_LEFT_OUT = 0.4, 0.6
"""Probabilities that a hand or crib without points is entered, and that it is left out."""
FORGOTTEN, GO_FORGOTTEN = 0.008, 0.02
"""Probabilities that an entry, and that a go, is never made."""
UNPLAYED = cost_of(0.003)
"""No entry is made in the whole play."""
IN_PARTS = cost_of(0.005)
"""A hand is entered in parts, such as 2, then 4, then 1 for nobs."""
AWARD_AS_SCORE = cost_of(0.0003)
"""An opponent pegs missed points as a plain score at a table without muggins."""
MUGGINS = cost_of(0.05)
"""An opponent pegs points missed in a hand or crib as a plain score at a table with muggins."""
AWARD_POINTS = {points: cost_of(odds) for points, odds in enumerate((0.12, 0.7, 0.06, 0.07, 0.02, 0.02), 1)}
"""The number of points that an opponent missed."""
CRIB_FIRST = {False: cost_of(0.02), True: cost_of(0.2)}
"""A dealer counts the crib before the hand; True if the entry is stated to be the crib."""
HAND_FIRST = cost_of(0.05)
"""A dealer who was said to count the crib first in an earlier deal counts the hand first."""
LUMPED = cost_of(0.03)
"""Two scores of one player are entered as their sum."""
LATE = cost_of(0.001)
"""A card or a go is pegged after the count of hands has begun."""
SAID_LATE = cost_of(0.1)
"""Someone announces the show after a hand has already been counted."""
DEAL_LATE = cost_of(0.02)
"""Someone announces a new deal after something has been pegged in it."""
BY_PARTNER = cost_of(0.05)
"""A hand or crib is entered for the other seat of its lane."""
NO_THIRTY_ONE = cost_of(0.2)
"""A thirty-one is entered as play."""
MISCOUNTED = 0.02
"""Probability that an amount is wrong by two."""
UNTOLD = cost_of(0.05)
"""A player who usually gives reasons gives none for heels."""
UNHEARD = 450
"""The learned data has no such entry at this place in the play."""
UNSEEN_ANYWHERE = 755
"""The learned data has no such entry anywhere in the play."""
LOST = cost_of(1e-5)
"""The entry fits nothing before it; the deal can stand anywhere."""
GUESSED = cost_of(0.1)
"""A reason that a page guessed is wrong."""
UNLIKELY = 1100
"""Moves that cost more are dropped."""


# --- parsing `learned_tables.TABLES`, costs learned from simulated games ---

BASE = 36
"""Numeric base of the digits in the table."""


def play_entries(body: str) -> Iterator[tuple[tuple[int, int, int], Cost]]:
    """Parse the play entries of a table line: lane, points and flags, with their cost."""
    for at in range(0, len(body), 5):
        yield (int(body[at]), int(body[at + 1], BASE), int(body[at + 2])), int(body[at + 3 : at + 5], BASE)


def show_costs(body: str) -> list[Cost]:
    """Parse the cost of each number of points of a hand, allowing for miscounts by two."""
    told = [int(body[at : at + 2], BASE) for at in range(0, len(body), 2)]
    odds = [math.exp(-cost / UNIT) if cost < RARE else 0.0 for cost in told]
    return [_cost_with_miscounts(odds, points) for points in range(len(odds))]


def _cost_with_miscounts(odds: list[float], points: int) -> Cost:
    near = [odds[other] for other in (points - 2, points + 2) if 0 <= other < len(odds)]
    mixed = (1 - MISCOUNTED) * odds[points] + MISCOUNTED / 2 * sum(near)
    return min(RARE, cost_of(mixed)) if mixed else RARE


def costs_anywhere(rows: Collection[Iterable[tuple[tuple[int, int, int], Cost]]]) -> dict[tuple[int, int], Cost]:
    """The cost of each lane with each number of points, by the average probability over the whole play."""
    odds: dict[tuple[int, int], float] = {}
    for row in rows:
        for (lane, points, _), cost in row:
            odds[lane, points] = odds.get((lane, points), 0) + math.exp(-cost / UNIT) / len(rows)
    return {key: cost_of(odd) for key, odd in odds.items()}
