"""The state of the table as the hub's pages show it live: a flat document of what is on the board now."""

from typing import Any

from pegboard.core.board import Game
from pegboard.core.sentences import phase_sentence
from pegboard.core.view import View
from pegboard.core.wire import Json


def state_of(view: View, own_device: str) -> Json:
    """The board of a view; `own_device` is the link itself, whose errors do not reach the hub."""
    game = view.game
    return {
        "epoch": view.epoch,
        "newest": view.revision,
        "game": view.id,
        "match": view.match_id,
        "variant": game.rules.variant,
        "players": list(game.players),
        "scores": [lane.front for lane in game.lanes],
        "rear": [lane.rear for lane in game.lanes],
        "game_hole": game.rules.game_hole,
        "strict": game.rules.strict,
        "deal": game.standing.deal,
        "dealer": game.dealer,
        "phase": str(game.phase),
        "says": str(phase_sentence(game, awaits_cut=view.awaits_cut)),
        "confirmed": list(game.confirmed),
        "trouble": [device.name for device in view.devices if device.trouble and device.name != own_device],
        **_outcome(game),
    }


def _outcome(game: Game) -> dict[str, Any]:
    """How the game has ended: the lane that has won, and the worst skunk of the others."""
    outcome = game.outcome
    return {
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "skunks": 0 if outcome is None else max(outcome.skunks),
    }
