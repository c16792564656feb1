"""House rules: what a table plays otherwise than its variant, in words such as `muggins=on`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pegboard.core.rules import (
    FIRST_DEALS,
    GAME_HOLES,
    HEAD_START,
    HEELS_LIMITS,
    OVERPEG_AWARDS,
    WORTH,
    Hole,
    Rules,
    skunk_lines,
)
from pegboard.errors import RuleError

Changes: TypeAlias = dict[str, Any]
"""Attributes of `Rules`, anew."""

MOST_FOR_A_MISDEAL = 29
"""Points that a misdeal is awarded with at most."""


def _one_of(attribute: str, taken: Mapping[str, Any]) -> tuple[str, Callable[[str], Changes]]:
    return ", ".join(taken), lambda value: {attribute: taken[value]}


def _whole(attribute: str, least: int, most: int) -> tuple[str, Callable[[str], Changes]]:
    return f"{least} to {most}", lambda value: {attribute: _between(value, least, most)}


def _between(value: str, least: int, most: int) -> int:
    if not (value.isascii() and value.isdigit() and least <= int(value) <= most):
        raise KeyError(value)
    return int(value)


OFF_ON = {"off": False, "on": True}

HOUSE_RULES: dict[str, tuple[str, Callable[[str], Changes]]] = {
    "game hole": _whole("game_hole", GAME_HOLES[0], GAME_HOLES[-1]),
    "skunks": _one_of("skunk_lines", {"on": "on", "off": "off", "triple": "triple"}),
    "worth": _one_of("worth", WORTH),
    "triple wins match": _one_of("triple_wins_match", OFF_ON),
    "first deal": _one_of("first_deal", {name: name for name in FIRST_DEALS}),
    "dealer start": _one_of("dealer_start", {"off": 0, "on": HEAD_START}),
    "three for last": _one_of("pone_start", {"off": 0, "on": HEAD_START}),
    "heels limit": _one_of("heels_limit", {name: name for name in HEELS_LIMITS}),
    "muggins": _one_of("muggins", OFF_ON),
    "misdeal": _whole("misdeal", 0, MOST_FOR_A_MISDEAL),
    "over-peg": _one_of("overpeg_award", {name: name for name in OVERPEG_AWARDS}),
    "strict": _one_of("strict", OFF_ON),
    "peg out": _one_of("peg_out", OFF_ON),
    "confirm": _one_of("confirm", OFF_ON),
}
"""By its words, what each house rule takes and what it changes (RULES, what differs)."""


def with_house_rules(rules: Rules, words: Iterable[str]) -> Rules:
    """The rules as the house plays them; `words` such as `muggins=on` or `worth=games 1-2-4`.

    Raises:
        RuleError: there is no such house rule, it does not take that, or the rules together cannot be played.
    """
    changes: Changes = {}
    for word in words:
        name, _, value = (part.strip() for part in word.partition("="))
        if name not in HOUSE_RULES:
            raise RuleError(f"there is no house rule {name!r}; these are: {', '.join(HOUSE_RULES)}")
        taken, changed = HOUSE_RULES[name]
        try:
            changes |= changed(value)
        except KeyError:
            raise RuleError(f"the house rule {name} takes {taken}, not {value!r}") from None
    lines = changes.get("skunk_lines", "on" if rules.skunk_lines and "game_hole" in changes else None)
    if lines is not None:
        changes["skunk_lines"] = _lines(lines, changes.get("game_hole", rules.game_hole))
    return replace(rules, **changes)


def _lines(skunks: str, game_hole: Hole) -> tuple[Hole, ...]:
    return () if skunks == "off" else skunk_lines(game_hole, triple=skunks == "triple")
