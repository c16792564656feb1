"""Shares of money in cents, by largest remainders: they and the rest add up to the sum that is divided.

The order in which the last cents go out is stated: the largest remainder first, then the better place. Two who are
equal in both get the same, so what cannot be divided between them stays over. The order of entry decides nothing.
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
    """Where the cents go that do not divide."""

    HOUSE = "house"
    CARRY = "carry"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Portion:
    """What somebody has a right to, before it is money.

    Attributes:
        player: whose it is.
        weight: its size beside the others', 0 and more.
        place: the player's place, from 1, shared where players tie; 0 where there is none.
    """

    player: PlayerId
    weight: int = 1
    place: int = 0


@dataclass(frozen=True, slots=True)
class Share:
    """Cents of a player."""

    player: PlayerId
    cents: Cents


@dataclass(frozen=True, slots=True)
class Division:
    """A sum as it is divided: the shares and the rest are the sum.

    Attributes:
        total: the sum.
        shares: of everybody with a portion.
        rest: what is nobody's.
        rule: where the cents go that do not divide.
        by_place: cents that went out by remainder and place, of those in the shares.
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
        portions: who has a right to how much; without any everything is rest.
        rule: what becomes of the cents that do not divide. By `PLACE` they go out one unit each, the others say only
            where the rest goes.
        unit: the smallest amount that is paid out, such as 25 or 100 cents.

    Raises:
        RuleError: the sum or a weight is negative, or the unit is no amount.
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
    """Who gets one of the spare units; equal ones get one each, or none of them does and it ends there."""

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
    """What became of the cents that did not divide, in one sentence; None where all did."""
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
    """Cents as people write them: "12.50"."""
    sign, amount = "-" if cents < 0 else "", abs(cents)
    return f"{sign}{amount // CENTS_OF_ONE}.{amount % CENTS_OF_ONE:02}"
