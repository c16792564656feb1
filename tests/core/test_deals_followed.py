"""Deals from one to the next: said late, left unsaid, and the last one, in which the game ends."""

import random

import pytest

from pegboard import Deal, Rules, Score, new_game, play
from pegboard.core import view_as_json
from pegboard.core.course_of_sheet import Where, other_than
from pegboard.core.game_statistics import figures
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import Penalize
from tests.core.test_course import ANN, BOB, DEAL, FOUR, game_of
from tests.support import dealing

BOX = Rules.named("box-sheet")
PARTNERS = Rules.named("partners")
NEXT = [(BOB - seat, points) for seat, points in DEAL]
"""The same deal with Bob as dealer."""


def fronts(game):
    return [lane.front for lane in game.lanes]


# --- a deal that is said late, where the dealer starts ahead (the box's sheet: three holes) ---


@pytest.mark.parametrize("entered", range(2, len(NEXT) - 1))
def test_a_deal_that_is_said_late_is_the_one_in_hand(entered):
    so_far = game_of(*DEAL[:-1], *NEXT[:entered], variant="box-sheet")  # the crib counted nothing
    assert view_as_json.asks_for_deal(so_far)
    before = so_far.standing
    said = play(so_far, Deal(before.dealer, new=True))
    assert said.standing[:5] == before[:5]
    assert fronts(said) == [fronts(so_far)[ANN], fronts(so_far)[BOB] + 3]
    assert not view_as_json.asks_for_deal(said)


def test_head_starts_of_deals_that_are_all_said_late_are_one_for_each():
    """Four deals; each is said after its first two entries, by whoever the board asks."""
    game, asked = new_game(BOX, ("Ann", "Bob"), ANN), 0
    for deal in range(4):
        for number, (seat, points) in enumerate(NEXT if deal % 2 else DEAL):
            game = play(game, Score(points, seat))
            if number and game.standing.begun and view_as_json.asks_for_deal(game):
                game, asked = play(game, Deal(game.standing.dealer, new=True)), asked + 1
    assert (game.position.deal, asked) == (4, 3)
    pegged = sum(points for _, points in DEAL)
    assert sum(fronts(game)) == 4 * pegged + 4 * 3


def test_a_key_that_names_no_dealer_is_asked_for_once():
    game = game_of(*DEAL[:-1], *NEXT[:4], variant="box-sheet")
    assert view_as_json.asks_for_deal(game)
    once = play(game, Deal())
    assert fronts(once) == [fronts(game)[ANN], fronts(game)[BOB] + 3]
    assert not view_as_json.asks_for_deal(once)


# --- what a line says of the dealer ---


def test_the_line_of_a_deal_names_the_dealer_whom_the_board_shows():
    game = game_of(*DEAL, *NEXT, *DEAL, Deal())
    assert view_as_json.entry_state(game, len(game.entries))["dealer"] == game.dealer == BOB


# --- the last deal ---


def test_a_game_that_ends_with_the_crib_ends_in_its_deal():
    rules = with_house_rules(Rules(), ["game hole=31"])
    game = new_game(rules, ("Ann", "Bob"), ANN)
    for seat, points, why in ((BOB, 2, "play"), (ANN, 1, "go"), (BOB, 8, "hand"), (ANN, 16, "hand"), (ANN, 20, "crib")):
        game = play(game, Score(points, seat, why=why))
    assert game.outcome.winner == ANN
    assert game.standing[:3] == (ANN, 1, "over")
    told = figures(game)
    assert [(deal.deal, deal.dealer, deal.whole) for deal in told.deals] == [(1, ANN, False)]
    assert (told.first_dealer, told.left_out.unfinished) == (ANN, 1)


def test_a_deal_after_whose_crib_a_penalty_ends_the_game_is_whole():
    rules = with_house_rules(Rules(), ["game hole=31"])
    game = new_game(rules, ("Ann", "Bob"), ANN)
    for seat, points, why in ((BOB, 2, "play"), (BOB, 8, "hand"), (ANN, 16, "hand"), (ANN, 4, "crib")):
        game = play(game, Score(points, seat, why=why))
    told = figures(play(game, Penalize(11, ANN)))
    assert (told.deals[0].deal, told.deals[0].whole) == (1, True)


def test_a_deal_of_which_nothing_is_on_the_sheet_lies_between_two_of_one_dealer():
    """Bob deals twice, as it is said: Ann's deal between is not on the sheet."""
    game = game_of((BOB, 8, "hand"), Deal(), (BOB, 1, "go"), Deal(BOB, new=True), (ANN, 2))
    assert [deal.dealer for deal in figures(game).deals] == [ANN, BOB, ANN, BOB]


# --- two ways ---


def test_what_is_offered_beside_the_likeliest_differs_in_what_can_be_said():
    first = Where(ANN, "crib", None, 0.55)
    other = Where(BOB, "play", None, 0.1)
    assert other_than(PARTNERS, first, [Where(ANN, "hand", 3, 0.27), other]) == other
    assert other_than(PARTNERS, first, [Where(ANN, "hand", 3, 0.27)]).phase == "play"


def test_every_two_ways_of_partners_games_can_be_told_apart():
    dice = random.Random(5)
    unsure = 0
    for _ in range(4):
        game = new_game(PARTNERS, FOUR, 0)
        table = dealing.table_of(PARTNERS)
        for truth in dealing.game(dice, table, 0, [dealing.CAREFUL] * 4):
            if game.outcome is not None or (not truth.points and dice.random() < 0.5):
                continue
            game = play(game, Score(truth.points, lane=truth.seat % 2))
            at = game.standing
            if at.other is not None:
                unsure += 1
                assert (at.other.dealer, at.other.phase == "play") != (at.dealer, at.phase in {"play", "cut"})
    assert unsure


# --- long sheets ---


def test_how_sure_the_oldest_lines_are_is_told_on_a_sheet_of_any_length():
    game = new_game(with_house_rules(Rules(), ["game hole=361"]), ("Ann", "Bob"), ANN)
    for _ in range(400):
        game = play(game, Score(0, ANN))
    assert min(each.why for each in game.followed.certainties(400).values()) > 0
