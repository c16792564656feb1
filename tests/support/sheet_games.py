"""Games by the printed rule sheets: short sheets of a few lines, and whole dealt games scored over HTTP."""

import itertools
import random
from typing import NamedTuple

import pegboard
from pegboard.core.house_rules import with_house_rules
from tests.support import dealing
from tests.support.web_server_and_clients import opened
from web.kit.i18n import translate
from web.table import rules_texts

NAMES = ("Ann", "Bob", "Cy", "Dee")
ANN, BOB, CY, DEE = range(4)


def table(*house, variant="standard", dealer=ANN):
    """An empty board by a variant and house rules."""
    rules = with_house_rules(pegboard.Rules.named(variant), house)
    return pegboard.new_game(rules, NAMES[: rules.seats], dealer)


def scored(game, *lines):
    """Lines of a seat, its points and, if known, what for."""
    for seat, points, *why in lines:
        game = pegboard.play(game, pegboard.Score(points, seat, why=why[0] if why else None))
    return game


def at(game, *fronts):
    """The front pegs in these holes; nobody says how they came there."""
    for lane, hole in enumerate(fronts):
        if hole:
            game = pegboard.play(game, pegboard.SetPegs(lane, hole, hole - 1))
    return game


def fronts(game):
    """The hole of each front peg."""
    return [lane.front for lane in game.lanes]


def won(loser, *house, variant="standard"):
    """A game that Ann wins while the other pegs stand at `loser`."""
    game = table(*house, variant=variant)
    hole = game.rules.game_hole
    return scored(at(game, hole - 1, *[loser] * (game.rules.lanes - 1)), (ANN, 2))


def words_of_rule(anchor, rules):
    """What the rules page says of a rule, in English."""
    rule = next(rule for section in rules_texts.SECTIONS for rule in section.rules if rule.anchor == anchor)
    return " ".join(translate("en", key, **rules_texts.values(rules)) for key in rule.texts(rules))


class Ending(NamedTuple):
    """The lane that reached the game hole, the winner, all front pegs, and the skunk lines that each lane missed."""

    home: int
    winner: int
    holes: list[int]
    skunks: list[int | None]


def play_dealt_game(folder, seed, variant="standard", house=(), *, dealer_start=0):
    """Deal a whole game, score every entry of it over HTTP, and return how it ended.

    The pegs are added up here, and compared with the answer to each entry.
    """
    dice = random.Random(seed)
    with opened(folder, variant=variant, house=house) as site:
        rules = site.scoreboard.view.game.rules
        holes = [0] * rules.lanes
        holes[ANN] = dealer_start
        for number in itertools.count(1):
            dealer = (number - 1) % rules.seats
            assert site.on_board("deal", dealer=dealer).status == 201
            for truth in dealing.deal(dice, dealing.table_of(rules), dealer, [dealing.GREEDY] * rules.seats, number):
                lane = rules.lane_of(truth.seat)
                holes[lane] = min(holes[lane] + truth.points, rules.game_hole)
                won = holes[lane] == rules.game_hole
                if truth.why == "crib" and not won:  # it passes the deal
                    after = rules.lane_of(rules.after(dealer))
                    holes[after] = min(holes[after] + dealer_start, rules.game_hole - 1)
                answer = site.score(truth.seat, truth.points, why=truth.why)
                assert answer.status == 201, answer.json
                assert site.fronts == holes, (number, truth)
                if won:
                    state = answer.json["state"]
                    assert site.score(truth.seat, 1).refusal == (409, "over"), "nothing counts after the end"
                    return Ending(lane, state["game"]["winner"], holes, [each["skunks"] for each in state["lanes"]])
    raise AssertionError("a game has an end")
