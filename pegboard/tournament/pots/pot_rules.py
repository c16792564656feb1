"""Pot rules as data: winning hits, sharing, unwon money, half shares; prize scales, and prizes by place."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import lcm
from typing import Any

from pegboard.errors import RuleError
from pegboard.tournament.playoffs.qualifying import Ranking, spans
from pegboard.tournament.pots.money import Cents, Division, Portion, RestRule, divide

# --- prizes by place: a pool divided by a scale such as 50-30-20; tied players share the prizes of their places ---


PRIZE_SCALES: Mapping[str, tuple[int, ...]] = {
    "winner": (100,),
    "60-40": (60, 40),
    "50-30-20": (50, 30, 20),
    "40-30-20-10": (40, 30, 20, 10),
    "40-25-15-10-10": (40, 25, 15, 10, 10),
}
"""Parts of a pool by place, in percent, by the name of the scale."""

ALL = 100
"""Percent of a pool."""


def prize_scale(name: str) -> tuple[int, ...]:
    """The parts of a scale by place; a custom scale is written as its parts, such as "45-30-15-10".

    Raises:
        RuleError: the text is not a scale.
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
    """The prizes of a pool; parts of places nobody reached are split among the players present, by the same scale.

    Args:
        pool: the pool, in cents.
        scale: parts by place, the first place first.
        ranking: players by place, tied players together; it must reach at least as far as the prizes.
        rule: where indivisible cents go.
        unit: the smallest amount that is paid out, in cents.
    """
    covered = [(first, group, sum(scale[first - 1 : first - 1 + len(group)])) for first, group in spans(ranking)]
    winning = [row for row in covered if row[2]]
    common = lcm(*(len(group) for _, group, _ in winning))
    portions = [
        Portion(player, part * common // len(group), first) for first, group, part in winning for player in group
    ]
    return divide(pool, portions, rule, unit)


class HitKind(StrEnum):
    """The kinds of hits."""

    QUALIFIED = "qualified"
    HIGH_NON_QUALIFIER = "high_non_qualifier"
    HAND_24 = "hand_24"
    HAND_28 = "hand_28"
    HAND_29 = "hand_29"
    FOUR_OF_A_KIND = "four_of_a_kind"
    SKUNK = "skunk"


class SharedBy(StrEnum):
    """How players with hits share: once each, once per hit, or only the player with the most hits."""

    PLAYER = "player"
    HIT = "hit"
    MOST = "most"


class Unwon(StrEnum):
    """What happens to money nobody won: carried to the next event, kept by the house, or refunded."""

    CARRY = "carry"
    HOUSE = "house"
    REFUND = "refund"


class HalfRule(StrEnum):
    """The rule for half shares of a pot.

    RATIO: a half share gets half as much as a full share; if only half shares win, they get the whole pot.
    STRICT: a half share gets half of what it would get as a full share; nobody wins the other half.
    """

    RATIO = "ratio"
    STRICT = "strict"


class FeeFor(StrEnum):
    """The reason for paying into a pot: entering it, each game lost by a skunk, or none beyond the entry fee."""

    ENTRY = "entry"
    SKUNKED = "skunked"
    NIGHT = "night"


@dataclass(frozen=True, slots=True)
class Tier:
    """Hits that win a part of the pot; only the first tier with a hit wins.

    Attributes:
        kinds: the kinds of hits that win.
        numerator: the numerator of the fraction of the pot that is won.
        denominator: the denominator of that fraction.
    """

    kinds: tuple[HitKind, ...]
    numerator: int = 1
    denominator: int = 1


@dataclass(frozen=True, slots=True)
class PotRule:
    """The rules of a pot.

    Attributes:
        name: the name of the row in `POT_RULES`.
        tiers: the tiers, greater hits first.
        version: the version of the row; an event keeps the row it was played by.
        shared_by: how players with hits share.
        unwon: what happens to money nobody wins.
        rest: where indivisible cents go.
        halves: the rule for half shares.
        fee_for: the reason for paying into the pot.
        house_percent: the house's percentage of what was paid at this event, 0 to 100.
        unit: the smallest amount that is paid out, in cents.
        scale: percent of the pot by place, the first place first; if set, places win instead of hits.
    """

    name: str
    tiers: tuple[Tier, ...]
    version: int = 1
    shared_by: SharedBy = SharedBy.HIT
    unwon: Unwon = Unwon.CARRY
    rest: RestRule = RestRule.CARRY
    halves: HalfRule = HalfRule.STRICT
    fee_for: FeeFor = FeeFor.ENTRY
    house_percent: int = 0
    unit: Cents = 1
    scale: tuple[int, ...] = ()


_ROWS = (
    PotRule(
        "q_pool",
        (Tier((HitKind.QUALIFIED,)),),
        shared_by=SharedBy.PLAYER,
        unwon=Unwon.REFUND,
        rest=RestRule.PLACE,
        halves=HalfRule.RATIO,
    ),
    PotRule("hand_24", (Tier((HitKind.HAND_24,)),)),
    PotRule("hand_28_29", (Tier((HitKind.HAND_29,)), Tier((HitKind.HAND_28,), 1, 2))),
    PotRule("four_of_a_kind", (Tier((HitKind.FOUR_OF_A_KIND,)),)),
    PotRule("skunk_bank", (Tier((HitKind.SKUNK,)),), shared_by=SharedBy.MOST, fee_for=FeeFor.SKUNKED),
    PotRule(
        "high_non_qualifier",
        (Tier((HitKind.HIGH_NON_QUALIFIER,)),),
        shared_by=SharedBy.PLAYER,
        unwon=Unwon.REFUND,
        rest=RestRule.HOUSE,
    ),
    PotRule("prizes", (), rest=RestRule.PLACE, fee_for=FeeFor.NIGHT, scale=PRIZE_SCALES["50-30-20"]),
)

POT_RULES: Mapping[str, PotRule] = {row.name: row for row in _ROWS}
"""Pots by name; to vary a row for a house, use `dataclasses.replace`."""


def pot_rule(name: str) -> PotRule:
    """The row of a pot.

    Raises:
        RuleError: there is no such pot.
    """
    if name not in POT_RULES:
        raise RuleError("pots_unknown", pot=repr(name), known=", ".join(POT_RULES))
    return POT_RULES[name]


def pot_rule_as_json(rule: PotRule) -> dict[str, Any]:
    """The row as stored with an event."""
    return {
        "name": rule.name,
        "version": rule.version,
        "tiers": [
            {"kinds": [str(kind) for kind in tier.kinds], "part": [tier.numerator, tier.denominator]}
            for tier in rule.tiers
        ],
        "shared_by": str(rule.shared_by),
        "unwon": str(rule.unwon),
        "rest": str(rule.rest),
        "halves": str(rule.halves),
        "fee_for": str(rule.fee_for),
        "house_percent": rule.house_percent,
        "unit": rule.unit,
        "scale": list(rule.scale),
    }


def pot_rule_from_json(values: Mapping[str, Any]) -> PotRule:
    """Parse a stored row.

    Raises:
        ValueError: the values are not a valid row; also TypeError or KeyError.
    """
    return PotRule(
        values["name"],
        tuple(Tier(tuple(HitKind(kind) for kind in row["kinds"]), *row["part"]) for row in values["tiers"]),
        values["version"],
        SharedBy(values["shared_by"]),
        Unwon(values["unwon"]),
        RestRule(values["rest"]),
        HalfRule(values["halves"]),
        FeeFor(values["fee_for"]),
        values["house_percent"],
        values["unit"],
        tuple(values.get("scale", ())),
    )
