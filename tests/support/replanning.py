"""A schedule drawn again after late arrivals, departures and forfeits, as a night does it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import GameKey, Pairing
from pegboard.tournament.schedule.schedule import Schedule, draw


def replan(
    drawn: Iterable[Pairing],
    begun: Collection[GameKey],
    players: Iterable[PlayerId],
    games: int | Mapping[PlayerId, int],
    **more: Any,
) -> Schedule:
    """Draw the games again that have not begun.

    Args:
        drawn: all games of the night as they were drawn.
        begun: those of them that have begun, were played or awarded; a game that counts for nothing is not among them.
        players: who plays on, in the order of the first draw, latecomers after that in an order drawn for them.
        games: how many each is to have in the whole night.
        more: as for `schedule.draw`; `first_round`, where it is not given, is the first one with a game not begun.

    Raises:
        RuleError: as `schedule.draw`.
    """
    every = sorted(drawn, key=lambda one: one.round)
    played = [one for one in every if one.key in begun]
    planned = [one for one in every if one.key not in begun]
    first = min((one.round for one in planned), default=max((one.round for one in played), default=0) + 1)
    return draw(tuple(players), games, **{"played": played, "planned": planned, "first_round": first, **more})


def rounds_before(arrived: Mapping[PlayerId, int]) -> dict[PlayerId, range]:
    """The rounds that latecomers have missed, of the first round in which each was there."""
    return {player: range(1, first) for player, first in arrived.items()}
