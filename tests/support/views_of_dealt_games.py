"""Dealt games, entry by entry: what the keys tell of every card that pegs."""

import random

import pegboard
from pegboard.core.match import Match
from pegboard.core.view import View
from tests.support.dealing import GREEDY, game, table_of


def views_of(game_number, variant="standard", players=("Ann", "Bob")):
    """Every view of one game, from the empty board to its end; of a hand without points too, which is entered as 0."""
    dice, rules = random.Random(game_number), pegboard.Rules.named(variant)
    sheet = pegboard.new_game(rules, players=players, dealer=dice.randrange(rules.seats))
    views = [beheld(sheet)]
    for truth in game(dice, table_of(rules), sheet.dealer, [GREEDY] * rules.seats):
        sheet = pegboard.play(sheet, pegboard.Score(truth.points, lane=rules.lane_of(truth.seat)))
        views.append(beheld(sheet))
    return views


def beheld(sheet):
    """A view of a game that is its match's first."""
    nothing = (0,) * len(sheet.lanes)
    return View(sheet, Match("open", nothing, nothing, nothing, nothing), nothing)
