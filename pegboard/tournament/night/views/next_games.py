"""Where each player goes next, and who waits for what."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.facts import ScheduledGame, TableId
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night, Presence


@dataclass(frozen=True, slots=True)
class NextGames:
    """What is played next.

    Attributes:
        of_player: the first open game of each player who is here.
        of_table: the first open game of each table.
        waiting: who is here and cannot play now, and why.
    """

    of_player: Mapping[PlayerId, ScheduledGame]
    of_table: Mapping[TableId, ScheduledGame]
    waiting: Mapping[PlayerId, Message]


@lru_cache(maxsize=8)
def find_next_games(night: Night) -> NextGames:
    """What is played next on a night; of the same night it is found once."""
    of_player: dict[PlayerId, ScheduledGame] = {}
    of_table: dict[TableId, ScheduledGame] = {}
    for key in report(night).open_games:
        game = night.schedule.get(key)
        if game is not None:
            for player in game.players:
                of_player.setdefault(player, game)
            if game.table:
                of_table.setdefault(game.table, game)
    here = {player: game for player, game in of_player.items() if night.is_here(player)}
    found = NextGames(here, of_table, {})
    return NextGames(here, of_table, _find_waiting(night, found, of_player))


def _find_waiting(
    night: Night, found: NextGames, of_player: Mapping[PlayerId, ScheduledGame]
) -> dict[PlayerId, Message]:
    waiting = {}
    for player in night.present:
        why = _why_waiting(night, player, found, of_player)
        if why is not None:
            waiting[player] = why
    return waiting


def _why_waiting(
    night: Night, player: PlayerId, found: NextGames, of_player: Mapping[PlayerId, ScheduledGame]
) -> Message | None:
    """Why a player cannot play now; None for one who can, or has nothing left to play."""
    game = of_player.get(player)
    if game is None:
        return None
    name = night.name(player)
    other = next(one for one in game.players if one != player)
    if night.players[other].presence is Presence.ENTERED:
        return Message("night_waits_missing", name=name, other=night.name(other))
    busy = of_player.get(other)
    if busy is not None and busy.key != game.key and busy.round <= night.begun_round:
        return Message("night_waits_busy", name=name, other=night.name(other), round=busy.round)
    at_table = found.of_table.get(game.table)
    if at_table is not None and at_table.key != game.key and at_table.round <= night.begun_round:
        return Message("night_waits_table", name=name, label=night.label(game.table))
    if player in night.sit_outs.get(game.round - 1, ()) and game.round not in night.started:
        return Message("night_waits_rests", name=name, round=game.round - 1)
    return None
