"""Checks that several limits share: a player of the roster, a game of the schedule, a cut that is open."""

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.night.facts import ScheduledGame
from pegboard.tournament.night.night_state import Night, Participant
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import say_game


def say_game_of(night: Night, pairing: Pairing) -> Message:
    """A game in words: "round 3, Ann against Bob"."""
    return say_game(pairing, night.names)


def require_player(night: Night, player: str) -> Participant:
    """The player of the roster.

    Raises:
        RuleError: there is none of that id.
    """
    known = night.players.get(player)
    if known is None:
        raise RuleError("night_no_player", player=player)
    return known


def require_round(night: Night, number: int) -> None:
    """See that a round has been drawn.

    Raises:
        RuleError: it has not.
    """
    if not any(game.round == number for game in night.schedule.values()):
        raise RuleError("night_no_round", round=number, last=night.last_round)


def require_game(night: Night, key: str, player: str | None = None) -> ScheduledGame:
    """The game of the schedule, in which `player` plays where one is named.

    Raises:
        RuleError: there is no such game, or that player plays in another one.
    """
    game = night.find_game(key)
    if game is None:
        raise RuleError("night_no_game", game=key)
    if player is not None and player not in game.players:
        raise RuleError("night_not_in_game", name=night.name(player), game=say_game_of(night, game.pairing))
    return game


def require_open_cut(night: Night) -> None:
    """See that results can still change.

    Raises:
        RuleError: the cut is closed.
    """
    if night.cut is not None:
        raise RuleError("night_cut_closed")
