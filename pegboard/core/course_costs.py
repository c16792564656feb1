"""Costs of the course: logarithms of probabilities as whole numbers, learned from dealt games, or of people's mistakes.

A cost is -100 times the natural logarithm of a probability, so that sums of costs are exact.
"""

import math
from collections.abc import Collection, Iterable, Iterator
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
FORGOTTEN, GO_FORGOTTEN = 0.008, 0.02
"""Probability that an entry is never made, and that a go is not."""
UNPLAYED = cost_of(0.003)
"""Nothing of the play is entered."""
IN_PARTS = cost_of(0.005)
"""A hand is entered in parts: 2, then 4, then one for nobs."""
AWARD_AS_SCORE = cost_of(0.0003)
"""An opponent pegs missed points as a plain score, though muggins is not played."""
MUGGINS = cost_of(0.05)
"""An opponent pegs points missed in a hand or crib as a plain score, where muggins is played."""
AWARD_POINTS = {points: cost_of(odds) for points, odds in enumerate((0.12, 0.7, 0.06, 0.07, 0.02, 0.02), 1)}
"""How many points are missed."""
CRIB_FIRST = {False: cost_of(0.02), True: cost_of(0.2)}
"""A dealer counts the crib before the hand, by whether it is said to be the crib."""
HAND_FIRST = cost_of(0.05)
"""A dealer who has counted the crib first before, as was said, counts the hand first."""
LUMPED = cost_of(0.03)
"""Two scores of a player are entered as their sum."""
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
UNHEARD = 450
"""An entry of the play comes at a place where none like it was learned."""
UNHEARD_OF = 755
"""An entry of the play is like none that was learned anywhere."""
LOST = cost_of(1e-5)
"""The entry fits nothing before it, and the deal can stand anywhere."""
GUESSED = cost_of(0.1)
"""A reason that a page has guessed is wrong."""
UNLIKELY = 1100
"""Moves that cost more are dropped."""


# --- what was learned from dealt games, as the text of `learned_tables.TABLES` ---

BASE = 36
"""Of the digits in the table."""


def play_entries(body: str) -> Iterator[tuple[tuple[int, int, int], Cost]]:
    """The entries of a line of the table: lane, points, flags, and their cost."""
    for at in range(0, len(body), 5):
        yield (int(body[at]), int(body[at + 1], BASE), int(body[at + 2])), int(body[at + 3 : at + 5], BASE)


def show_costs(body: str) -> list[Cost]:
    """The costs of a hand's points, with those that are wrong by two."""
    told = [int(body[at : at + 2], BASE) for at in range(0, len(body), 2)]
    odds = [math.exp(-cost / UNIT) if cost < RARE else 0.0 for cost in told]
    return [_cost_with_miscounts(odds, points) for points in range(len(odds))]


def _cost_with_miscounts(odds: list[float], points: int) -> Cost:
    near = [odds[other] for other in (points - 2, points + 2) if 0 <= other < len(odds)]
    mixed = (1 - MISCOUNTED) * odds[points] + MISCOUNTED / 2 * sum(near)
    return min(RARE, cost_of(mixed)) if mixed else RARE


def costs_anywhere(rows: Collection[Iterable[tuple[tuple[int, int, int], Cost]]]) -> dict[tuple[int, int], Cost]:
    """The costs of lanes and points anywhere in the play."""
    odds: dict[tuple[int, int], float] = {}
    for row in rows:
        for (lane, points, _), cost in row:
            odds[lane, points] = odds.get((lane, points), 0) + math.exp(-cost / UNIT) / len(rows)
    return {key: cost_of(odd) for key, odd in odds.items()}
