"""Simulated games, entry by entry: amounts as often as in 20 million simulated deals."""

import json
import random
from functools import cache
from pathlib import Path

import pegboard
from pegboard.core.view import View

KINDS = json.loads((Path(__file__).parent.parent / "data/peg_entry_distribution.json").read_text("utf-8"))["by_kind"]

ENTRIES_OF_PLAY = 5
"""Entries of the play of a deal, about."""


def views_of(game_number, variant="standard", players=("Ann", "Bob")):
    """Every view of one game, from the empty board to its end."""
    dice = random.Random(game_number)
    game = pegboard.new_game(pegboard.Rules.named(variant), players=players, dealer=dice.randrange(2))
    views = [View(game)]
    while game.outcome is None:
        for command in deal(game, dice):
            if game.outcome is None:
                game = pegboard.play(game, command)
                views.append(View(game))
    return views


def deal(game, dice):
    """What the keys say of a deal: the play, the hands, the crib, and DEAL."""
    dealer, pone = game.dealer, game.rules.after(game.dealer)
    for _ in range(ENTRIES_OF_PLAY):
        yield pegboard.Score(amount("play", dice), dice.choice((dealer, pone)))
    for kind, seat in (("pone_hand", pone), ("dealer_hand", dealer), ("crib", dealer)):
        yield pegboard.Score(amount(kind, dice), seat)
    yield pegboard.Deal()


def amount(kind, dice):
    points, weights = weighed(kind)
    return dice.choices(points, weights)[0]


@cache
def weighed(kind):
    return [int(points) for points in KINDS[kind]], list(KINDS[kind].values())
