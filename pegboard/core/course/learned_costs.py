"""Costs that were learned from dealt games, read from the text of `learned.TABLES`."""

import math
from collections.abc import Iterator, Mapping

from pegboard.core.course.costs import MISCOUNTED, RARE, UNIT, Cost, cost_of
from pegboard.core.course.links import Place

BASE = 36
"""Of the digits in the table."""


def play_entries(body: str) -> Iterator[tuple[tuple[int, int, int], Cost]]:
    """The entries of a line of the table: lane, points, flags, and their cost."""
    for at in range(0, len(body), 5):
        lane, points, flags = body[at], body[at + 1], body[at + 2]
        yield (int(lane), int(points, BASE), int(flags)), int(body[at + 3 : at + 5], BASE)


def show_costs(body: str) -> list[Cost]:
    """The costs of a hand's points, with those that are wrong by two."""
    told = [int(body[at : at + 2], BASE) for at in range(0, len(body), 2)]
    odds = [math.exp(-cost / UNIT) if cost < RARE else 0.0 for cost in told]
    return [_cost_with_miscounts(odds, points) for points in range(len(odds))]


def _cost_with_miscounts(odds: list[float], points: int) -> Cost:
    near = [odds[other] for other in (points - 2, points + 2) if 0 <= other < len(odds)]
    mixed = (1 - MISCOUNTED) * odds[points] + MISCOUNTED / 2 * sum(near)
    return min(RARE, cost_of(mixed)) if mixed else RARE


def costs_anywhere(rows: Mapping[Place, tuple[tuple[tuple[int, int, int], Cost], ...]]) -> dict[tuple[int, int], Cost]:
    """The costs of lanes and points anywhere in the play."""
    odds: dict[tuple[int, int], float] = {}
    for row in rows.values():
        for (lane, points, _), cost in row:
            odds[lane, points] = odds.get((lane, points), 0) + math.exp(-cost / UNIT) / len(rows)
    return {key: cost_of(odd) for key, odd in odds.items()}
