"""The state of the table as it is published: what a sensor or an automation asks for, in one flat document."""

from pegboard.core.board import Game
from pegboard.core.position import Phase
from pegboard.core.sentences import marked_dealer, phase_sentence, skunk_name, to_count
from pegboard.core.view import View
from pegboard.core.view_as_json import to_save
from pegboard.core.wire import Json

NO_SKUNK = "none"
"""The skunk of a game that goes on, or that ended without one."""

LONGEST_STATE = 255
"""Characters that a state of Home Assistant may have (homeassistant/const.py, MAX_LENGTH_STATE_STATE)."""


def table_state(view: View, own_name: str) -> Json:
    """The state of the table; names are those that are on the table, and null is what is not known or not so now.

    `own_name` is the device of the broker itself, whose errors it cannot be told.
    """
    game, counts, dealer = view.game, to_count(view.game), marked_dealer(view)
    return {
        "says": _cut(phase_sentence(game, awaits_cut=view.awaits_cut)),
        "game": view.id,
        "variant": game.rules.variant,
        "deal": game.standing.deal,
        "phase": None if game.standing.phase == Phase.UNKNOWN else game.standing.phase,
        "dealer": None if dealer is None else game.players[dealer],
        "counts": None if counts is None else game.players[counts.seat],
        "counts_what": None if counts is None else counts.what,
        "over": game.outcome is not None,
        "winner": _winner(game),
        "skunk": _skunk(game),
        "match": view.match.format,
        "match_winner": None if view.match.winner is None else game.lane_name(view.match.winner),
        "lanes": [_lane_state(view, lane) for lane in range(game.rules.lanes)],
        "trouble": [device.name for device in view.devices if device.trouble and device.name != own_name],
    }


def _lane_state(view: View, lane: int) -> Json:
    game = view.game
    front = game.lanes[lane].front
    return {
        "name": game.lane_name(lane),
        "score": front,
        "rear_peg": game.lanes[lane].rear,
        "to_win": game.rules.game_hole - front,
        "to_save_skunk": to_save(game.rules, front)[0],
        "skunks": 0 if game.outcome is None else game.outcome.skunks[lane],
        "games_won": view.match.games_won[lane],
        "match_points": view.match.points[lane],
    }


def _winner(game: Game) -> str | None:
    """The lane that has won by its name; None while the game goes on, and of a solitaire that fell short."""
    if game.outcome is None or game.outcome.winner is None:
        return None
    return game.lane_name(game.outcome.winner)


def _skunk(game: Game) -> str:
    """The worst skunk of a game that is over."""
    missed = 0 if game.outcome is None else max(game.outcome.skunks)
    return skunk_name(game.rules, missed) if missed else NO_SKUNK


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_STATE else f"{text[: LONGEST_STATE - 1]}…"
