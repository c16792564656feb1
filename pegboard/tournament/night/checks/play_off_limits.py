"""What is refused of the cut and of brackets: one that is closed or drawn already, matches that wait, other players."""

from collections.abc import Callable, Mapping
from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.shared_limits import require_open_cut, require_player
from pegboard.tournament.night.night_state import Night, NightBracket

MAIN = "main"
"""The bracket of the qualifiers; all others are consolations."""


def require_bracket(night: Night, name: str) -> NightBracket:
    """The bracket of that name.

    Raises:
        RuleError: it is not drawn.
    """
    state = night.brackets.get(name)
    if state is None:
        raise RuleError("night_no_bracket", bracket=name)
    return state


def _check_tie(night: Night, fact: facts.TieBroken) -> None:
    require_open_cut(night)
    for player in sorted(fact.decision.players):
        require_player(night, player)


def _check_closing(night: Night, fact: facts.CutClosed) -> None:
    if night.cut is not None:
        raise Already("night_cut_closed_already")
    for player in (*fact.qualifiers, *fact.high_non_qualifiers):
        require_player(night, player)


def _check_opening(night: Night, _: facts.CutOpened) -> None:
    if night.cut is None:
        raise Already("night_cut_open_already")


def _check_drawing(night: Night, fact: facts.BracketDrawn) -> None:
    if night.cut is None:
        raise RuleError("night_cut_first")
    for place in fact.placements:
        if place.player is not None:
            require_player(night, place.player)
    state = night.brackets.get(fact.bracket)
    if state is not None and state.bracket.games:
        raise RuleError("night_bracket_begun", bracket=fact.bracket, number=state.numbers[-1])


def _check_place(night: Night, fact: facts.BracketPlaced) -> None:
    require_bracket(night, fact.bracket)
    for place in fact.placements:
        if place.player is not None:
            require_player(night, place.player)


def _check_game(night: Night, fact: facts.BracketGamePlayed) -> None:
    game = fact.game
    bracket = require_bracket(night, game.match.split(":")[0]).bracket
    bracket.with_game(game.match, game.winner, game.how, game.margin, game.games)


PLAY_OFF_LIMITS: Mapping[type, Callable[[Night, Any], None]] = {
    facts.TieBroken: _check_tie,
    facts.CutClosed: _check_closing,
    facts.CutOpened: _check_opening,
    facts.BracketDrawn: _check_drawing,
    facts.BracketPlaced: _check_place,
    facts.BracketGamePlayed: _check_game,
}
"""By the class of a fact."""
