"""A view with its pegs where a test says they are."""

from pegboard import Score, new_game, play
from pegboard.core.board import Game
from pegboard.core.match import Match
from pegboard.core.position import Lane, Outcome, Position
from pegboard.core.rules import Rules
from pegboard.core.view import View
from tests.support.player_names import SIX


def table(*pegs, variant="standard", dealer=0, dialled=(), won=(), skunks=(), winner=None, notice=None, rules=None):
    """A view with the pegs (front, rear) of each lane, by the rules of a variant or by others."""
    rules, nothing = rules or Rules.named(variant), (0,) * len(pegs)
    outcome = None if winner is None else Outcome(winner, skunks or nothing)
    position = Position(tuple(Lane(*lane) for lane in pegs), dealer, outcome=outcome)
    players, touches = SIX[: rules.seats], ((),) * len(pegs)
    game = Game(rules, players, dealer, touches=touches, dealer_said=True, positions=(position,))
    match = Match("open", won or nothing, won or nothing, won or nothing, nothing)
    return View(game, match, dialled or nothing, notice)


def dealt(*scores, dealer=0, variant="standard", won=()):
    """A view of a game in which these scores, seat and points with what was said, were pegged in turn."""
    rules = Rules.named(variant)
    game = new_game(rules, SIX[: rules.seats], dealer)
    for seat, points, *why in scores:
        game = play(game, Score(points, seat, why=why[0] if why else None))
    nothing = (0,) * rules.lanes
    return View(game, Match("open", won or nothing, won or nothing, won or nothing, nothing), nothing)
