"""Check that a game can be played by its rules: seats, game hole, skunk lines, worth, head starts, policies."""

from collections.abc import Iterator

from pegboard.core.rules import (
    CRIB_FLUSHES,
    GAME_HOLES,
    LAST_DEALS,
    MISDEALS,
    TRIPLE,
    WORTHS,
    FirstDeal,
    HeelsLimit,
    OverpegAward,
    Rules,
    lurch_line,
)
from pegboard.errors import RuleError
from pegboard.messages import Message


def check(rules: Rules) -> Rules:
    """The rules, if a game can be played by them.

    Rules read from the journal are not checked again: that game was played by them.

    Raises:
        RuleError: they do not fit together; the sentence names what does not.
    """
    for fault in _faults(rules):
        raise RuleError("rules_cannot_be_played", variant=rules.variant, fault=fault)
    return rules


def _faults(rules: Rules) -> Iterator[Message]:
    """Why no game can be played by these rules."""
    yield from _out_of_reach(rules)
    if not (1 <= rules.lanes <= 3 and rules.seats in (rules.lanes, 2 * rules.lanes) and 1 <= rules.seats <= 4):  # noqa: PLR2004 - a track has three rows of holes, a table four sides
        yield Message("rules_seats", seats=rules.seats, lanes=rules.lanes)
    beyond = [line for line in rules.skunk_lines if not 0 < line < rules.game_hole]
    if beyond:
        yield Message("rules_skunk_line", hole=rules.game_hole, line=beyond[0])
    if list(rules.skunk_lines) != sorted(set(rules.skunk_lines), reverse=True):
        yield Message("rules_skunk_order")
    if not rules.worth or list(rules.worth) != sorted(rules.worth) or rules.worth[0] < 1:
        yield Message("rules_worth")
    yield from _unknown_choices(rules)
    yield from _false_starts(rules)
    if rules.lurch and rules.skunk_lines != lurch_line(rules.game_hole):
        yield Message("rules_lurch", line=lurch_line(rules.game_hole)[0], hole=rules.game_hole)
    if rules.triple_wins_match and len(rules.skunk_lines) < TRIPLE:
        yield Message("rules_triple")
    if rules.enough > rules.game_hole:
        yield Message("rules_enough", enough=rules.enough, hole=rules.game_hole)


def _out_of_reach(rules: Rules) -> Iterator[Message]:
    numbers = (
        ("the game hole", rules.game_hole, GAME_HOLES),
        ("the worth of a game", max(rules.worth, default=1), WORTHS),
        ("the award for a misdeal", rules.misdeal, MISDEALS),
        ("the last deal", rules.last_deal, LAST_DEALS),
        ("the hole that is enough", rules.enough, range(max(rules.game_hole, rules.enough) + 1)),
    )
    for name, value, taken in numbers:
        if value not in taken:
            yield Message("rules_game_hole", name=name, least=taken[0], most=taken[-1], hole=value)


def _false_starts(rules: Rules) -> Iterator[Message]:
    if any(not 0 <= ahead < rules.game_hole for ahead in (rules.dealer_start, rules.pone_start)):
        yield Message("rules_head_start")
    if rules.dealer_start and rules.pone_start not in (0, rules.dealer_start):
        yield Message("rules_head_starts")
    if rules.seats == 1 and (rules.dealer_start or rules.pone_start):
        yield Message("rules_head_alone")


def _unknown_choices(rules: Rules) -> Iterator[Message]:
    choices: tuple[tuple[str, object, tuple[object, ...]], ...] = (
        ("first deal", rules.first_deal, tuple(FirstDeal)),
        ("the heels limit", rules.heels_limit, tuple(HeelsLimit)),
        ("the flush of the crib", rules.crib_flush, tuple(CRIB_FLUSHES.values())),
        ("the over-peg award", rules.overpeg_award, tuple(OverpegAward)),
    )
    for name, value, taken in choices:
        if value not in taken:
            yield Message("rules_choice", name=name, taken=", ".join(map(str, taken)), value=repr(value))
