"""A view with its pegs where a test says they are."""

from pegboard.core.board import Game, Lane, Outcome, Position
from pegboard.core.match import Match
from pegboard.core.rules import Rules
from pegboard.core.view import View


def table(*pegs, variant="standard", dealer=0, dialled=(), won=(), skunks=(), winner=None, notice=None):
    """A view with the pegs (front, rear) of each lane."""
    rules, nothing = Rules.named(variant), (0,) * len(pegs)
    outcome = None if winner is None else Outcome(winner, skunks or nothing)
    position = Position(tuple(Lane(*lane) for lane in pegs), dealer, outcome=outcome)
    game = Game(
        rules, ("Ann", "Bob", "Cy", "Dee")[: rules.seats], dealer, touches=((),) * len(pegs), positions=(position,)
    )
    return View(game, Match(games_won=won or nothing, points=won or nothing), dialled or nothing, notice)
