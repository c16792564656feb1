"""Prizes by place: a pool divided by a scale such as 50-30-20; who tie share the prizes of the places they cover."""

from collections.abc import Mapping
from itertools import pairwise
from math import lcm

from pegboard.errors import RuleError
from pegboard.tournament.playoffs.ties import Ranking, spans
from pegboard.tournament.pots.shares import Cents, Division, Portion, RestRule, divide

PRIZE_SCALES: Mapping[str, tuple[int, ...]] = {
    "winner": (100,),
    "60-40": (60, 40),
    "50-30-20": (50, 30, 20),
    "40-30-20-10": (40, 30, 20, 10),
    "40-25-15-10-10": (40, 25, 15, 10, 10),
}
"""Parts of a pool by place, by the name of the scale."""

ALL = 100
"""Per cent of a pool."""


def prize_scale(name: str) -> tuple[int, ...]:
    """The parts of a scale by place; a house's own is written as its parts, such as "45-30-15-10".

    Raises:
        RuleError: it is no scale.
    """
    if name in PRIZE_SCALES:
        return PRIZE_SCALES[name]
    numbers = tuple(int(part) for part in name.split("-") if _is_part(part))
    falls = all(one >= other for one, other in pairwise(numbers))
    if "-".join(map(str, numbers)) != name or sum(numbers) != ALL or not falls:
        raise RuleError("pots_prize_scale_unknown", scale=repr(name), known=", ".join(PRIZE_SCALES))
    return numbers


def _is_part(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(ALL)) and int(text) > 0


def divide_prizes(
    pool: Cents,
    scale: tuple[int, ...],
    ranking: Ranking,
    rule: RestRule = RestRule.PLACE,
    unit: Cents = 1,
) -> Division:
    """The prizes of a pool; parts of places that nobody has reached go to those who are there, by the same scale.

    Args:
        pool: cents.
        scale: parts by place, the first place first.
        ranking: players by place, those who tie together, as far as prizes go or further.
        rule: what becomes of cents that do not divide.
        unit: the smallest amount that is paid out, in cents.
    """
    covered = [(first, group, sum(scale[first - 1 : first - 1 + len(group)])) for first, group in spans(ranking)]
    winning = [row for row in covered if row[2]]
    common = lcm(*(len(group) for _, group, _ in winning))
    portions = [
        Portion(player, part * common // len(group), first) for first, group, part in winning for player in group
    ]
    return divide(pool, portions, rule, unit)
