"""Division of money by largest remainder, in cents: shares plus the rest always add up to the sum.

The last cents go out in a fixed order: largest remainder first, then better place. Players equal in both get the same,
so cents that cannot be divided among them are left over. The order of entry decides nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import TypeAlias

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId

Cents: TypeAlias = int
"""Money in the smallest coin of its currency."""

CENTS_OF_ONE = 100


class RestRule(StrEnum):
    """Where indivisible cents go: to the house, to the next event, or to players by place."""

    HOUSE = "house"
    CARRY = "carry"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Portion:
    """A claim to part of a sum, before it becomes money.

    Attributes:
        player: the owner of the claim.
        weight: the relative size of the claim, 0 or more.
        place: the player's place, from 1, shared if players tie; 0 if the player has no place.
    """

    player: PlayerId
    weight: int = 1
    place: int = 0


@dataclass(frozen=True, slots=True)
class Share:
    """The cents that a player gets."""

    player: PlayerId
    cents: Cents


@dataclass(frozen=True, slots=True)
class Division:
    """A divided sum: shares and rest add up to it.

    Attributes:
        total: the sum.
        shares: one share per portion.
        rest: cents that belong to nobody.
        rule: where indivisible cents go.
        by_place: how much of the shares was handed out by remainder and place.
    """

    total: Cents
    shares: tuple[Share, ...]
    rest: Cents
    rule: RestRule
    by_place: Cents = 0


def divide(total: Cents, portions: Sequence[Portion], rule: RestRule = RestRule.HOUSE, unit: Cents = 1) -> Division:
    """Divide a sum.

    Args:
        total: the sum, in cents.
        portions: the claims to the sum; without any, the whole sum is rest.
        rule: where indivisible cents go. `PLACE` hands them out one unit each; the other rules only say where the
            rest goes.
        unit: the smallest amount that is paid out, such as 25 or 100 cents.

    Raises:
        RuleError: the sum or a weight is negative, or the unit is less than 1.
    """
    if total < 0 or unit < 1 or any(portion.weight < 0 for portion in portions):
        raise RuleError("pots_money_no_amount")
    units_by_weight = unit * sum(portion.weight for portion in portions)
    if not units_by_weight:
        return Division(total, tuple(Share(portion.player, 0) for portion in portions), total, rule)
    parts = [divmod(total * portion.weight, units_by_weight) for portion in portions]
    units = [quotient for quotient, _ in parts]
    spare = total - unit * sum(units)
    given = 0
    if rule is RestRule.PLACE:
        for at in _by_remainder(portions, [remainder for _, remainder in parts], spare // unit):
            units[at] += 1
            given += unit
    shares = tuple(Share(portion.player, unit * count) for portion, count in zip(portions, units, strict=True))
    return Division(total, shares, spare - given, rule, given)


def _by_remainder(portions: Sequence[Portion], remainders: Sequence[int], units: int) -> Iterator[int]:
    """Indexes of portions that get a spare unit; equal portions each get one, or none of them if there are too few."""

    def rank(at: int) -> tuple[int, bool, int]:
        place = portions[at].place
        return -remainders[at], place == 0, place

    those_with_rest = [at for at in range(len(portions)) if remainders[at]]
    for _, equals in groupby(sorted(those_with_rest, key=rank), rank):
        group = list(equals)
        if len(group) > units:
            return
        units -= len(group)
        yield from group


def say_rest(division: Division) -> Message | None:
    """A sentence on what happened to indivisible cents; None if there were none."""
    total, rest, by_place = money(division.total), money(division.rest), money(division.by_place)
    if division.by_place and division.rest:
        return Message("pots_money_by_place_and_house", total=total, by_place=by_place, rest=rest)
    if division.by_place:
        return Message("pots_money_by_place", total=total, by_place=by_place)
    if not division.rest:
        return None
    key = "pots_money_carried" if division.rule is RestRule.CARRY else "pots_money_to_the_house"
    return Message(key, total=total, rest=rest)


def money(cents: Cents) -> str:
    """Cents in the usual notation: "12.50"."""
    sign, amount = "-" if cents < 0 else "", abs(cents)
    return f"{sign}{amount // CENTS_OF_ONE}.{amount % CENTS_OF_ONE:02}"
