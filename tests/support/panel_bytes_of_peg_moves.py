"""Moves of pegs in dealt games of any variant, and how many bytes each layout may take for one."""

import functools
import itertools
import random

import pegboard
from hardware.oled.drawing.draw import LAYOUTS, SIZES, Style
from pegboard.core.rules import Rules
from tests.support.dealing import GREEDY, game, table_of
from tests.support.player_names import SIX
from tests.support.views_of_dealt_games import beheld

BYTES = {"streets": (80, 130), "classic": (80, 130), "far": (125, 205)}
"""The median and the 95th percentile at most: pegs and points, and now and then the D and who counts next; large digits
alone take half of what the far layout may."""

ALONE = {"streets": (105, 135), "classic": (105, 135), "far": (140, 205)}
"""The same of a solitaire, where every score is a hand or a crib and so changes what is counted next."""

VARIANTS = ("standard", "three-handed", "short", "solitaire")
"""Every number of lanes, and the track with the tallest pegs."""

EVERY = [(Style(size, layout), variant) for layout in LAYOUTS for size in SIZES.values() for variant in VARIANTS]
"""Every layout on every panel with every kind of track."""


def called(look, variant):
    return f"{look.layout} {look.size[0]}x{look.size[1]} {variant}"


def budget(look, variant):
    """The median and the 95th percentile of a peg move's bytes at most."""
    return (ALONE if variant == "solitaire" else BYTES)[look.layout]


def peg_moves(variant, games):
    """The view before and the view after each move of a peg."""
    for number in games:
        yield from itertools.pairwise(game_views(variant, number))


@functools.cache
def game_views(variant, number):
    """Every view of one game in which each score moves a peg."""
    return tuple(views(Rules.named(variant), random.Random(number)))


def views(rules, dice):
    """The same, as they come about."""
    sheet = pegboard.new_game(rules, players=SIX[: rules.seats], dealer=0)
    yield beheld(sheet)
    for seat, points, why in scores(rules, dice):
        if points:
            sheet = pegboard.play(sheet, pegboard.Score(points, lane=rules.lane_of(seat), why=why))
            yield beheld(sheet)
        if sheet.outcome is not None:
            return


def scores(rules, dice):
    """Seat, points and what is said of each score of a dealt game; alone, of the hands and cribs of one of two."""
    if rules.seats > 1:
        return [(each.seat, each.points, None) for each in game(dice, table_of(rules), 0, [GREEDY] * rules.seats)]
    shows = game(dice, table_of(Rules.named("standard")), 0, [GREEDY] * 2)
    return [(0, each.points, each.why) for each in shows if each.seat == each.dealer and each.why in ("hand", "crib")]
