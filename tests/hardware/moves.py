"""Moves of pegs in simulated games of any variant, and how many bytes each layout may take for one."""

import itertools
import random

import pegboard
from hardware.drawing.picture import PLANS, SIZES, Look
from pegboard.core.match import Match
from pegboard.core.rules import Rules
from pegboard.core.view import View
from tests.hardware.games import amount

BYTES = {"streets": (70, 110), "far": (100, 170)}
"""The median and the 95th percentile at most; large digits alone take half of what the far layout may."""

VARIANTS = ("standard", "three-handed", "short", "solitaire")
"""Every number of lanes, and the track with the tallest pegs."""

PLAYS = 6
"""Scores of the play of a deal."""

EVERY = [(Look(size, layout), variant) for layout in PLANS for size in SIZES.values() for variant in VARIANTS]
"""Every layout on every panel with every kind of track."""


def called(look, variant):
    return f"{look.layout} {look.size[0]}x{look.size[1]} {variant}"


def peg_moves(variant, games):
    """The view before and the view after each move of a peg."""
    for number in games:
        yield from itertools.pairwise(views(Rules.named(variant), random.Random(number)))


def views(rules, dice):
    """Every view of one game in which each score moves a peg."""
    game = pegboard.new_game(rules, players=("Ann", "Bob", "Cy", "Dee")[: rules.seats], dealer=0)
    yield seen(game)
    hands = ("pone_hand",) * (rules.lanes - 1)
    for kind in itertools.cycle(("play",) * PLAYS + hands + ("dealer_hand", "crib")):
        points = amount(kind, dice)
        if points:
            game = pegboard.play(game, pegboard.Score(points, lane=dice.randrange(rules.lanes)))
            yield seen(game)
        if game.outcome is not None:
            return


def seen(game):
    lanes = game.rules.lanes
    return View(game, Match.empty(lanes), (0,) * lanes)
