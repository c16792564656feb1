"""Simulated games, entry by entry: amounts as often as in 20 million simulated deals."""

import json
import random
from functools import cache
from pathlib import Path

import pegboard
from pegboard.core.match import Match
from pegboard.core.view import View

KINDS = json.loads((Path(__file__).parent.parent / "data/peg_entry_distribution.json").read_text("utf-8"))["by_kind"]

ENTRIES_OF_PLAY = 5
"""Entries of the play of a deal, about."""


def views_of(game_number, variant="standard", players=("Ann", "Bob")):
    """Every view of one game, from the empty board to its end."""
    dice = random.Random(game_number)
    game = pegboard.new_game(pegboard.Rules.named(variant), players=players, dealer=dice.randrange(2))
    views = [beheld(game)]
    while game.outcome is None:
        for command in deal(game, dice):
            if game.outcome is None:
                game = pegboard.play(game, command)
                views.append(beheld(game))
    return views


def beheld(game):
    """A view of a game that is its match's first."""
    nothing = (0,) * len(game.lanes)
    return View(game, Match("open", nothing, nothing, nothing, nothing), nothing)


def deal(game, dice):
    """What the keys say of a deal: the play, the hands, the crib, and DEAL."""
    seats = [(game.dealer + place) % game.rules.seats for place in range(game.rules.seats)]
    for _ in range(ENTRIES_OF_PLAY):
        yield pegboard.Score(amount("play", dice), dice.choice(seats))
    dealer, *others = seats
    hands = [("pone_hand", seat) for seat in others]
    for kind, seat in (*hands, ("dealer_hand", dealer), ("crib", dealer)):
        yield pegboard.Score(amount(kind, dice), seat)
    yield pegboard.Deal()


def amount(kind, dice):
    points, weights = weighed(kind)
    return dice.choices(points, weights)[0]


@cache
def weighed(kind):
    return [int(points) for points in KINDS[kind]], list(KINDS[kind].values())
