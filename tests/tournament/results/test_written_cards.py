"""Paper cards: what one card shows by itself, and what all cards show together, in sentences."""

from dataclasses import replace

import pytest

from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import Claim, Column
from pegboard.tournament.results.scoring import ACC
from pegboard.tournament.results.written_cards import (
    WrittenScoreCard,
    WrittenTotals,
    add_up_claims,
    check_field_sums,
    check_written_card,
)
from tests.support.tournament_field import NAMES

CLAIMS = {
    Pairing(1, ("p1", "p2")): Claim(True, 12, points=2),
    Pairing(2, ("p1", "p3")): Claim(True, 40, points=3),
    Pairing(3, ("p1", "p4")): Claim(False, 20, points=0),
}
TOTALS = WrittenTotals(points=5, won=2, plus=52, minus=20, net=32)
CARD = WrittenScoreCard("p1", CLAIMS, TOTALS)


def with_claim(number, claim):
    """Ann's card with another claim in one round, and no totals."""
    pairing = next(pairing for pairing in CLAIMS if pairing.round == number)
    return WrittenScoreCard("p1", {**CLAIMS, pairing: claim})


def test_a_card_is_added_up_as_its_player_does_it():
    assert add_up_claims(CARD, ACC) == TOTALS
    assert check_written_card(CARD, ACC) == ()


def test_game_points_that_nobody_wrote_are_those_of_the_spread():
    unwritten = {pairing: replace(claim, points=None) for pairing, claim in CLAIMS.items()}
    card = WrittenScoreCard("p1", unwritten, TOTALS)
    assert add_up_claims(card, ACC) == TOTALS
    assert check_written_card(card, ACC) == ()


def test_a_card_that_nobody_has_added_up_is_checked_row_by_row():
    assert check_written_card(replace(CARD, totals=None), ACC) == ()
    assert check_written_card(with_claim(1, Claim(True, None, points=2)), ACC) == ()


@pytest.mark.parametrize(
    ("number", "claim", "said"),
    [
        (1, Claim(True, 12, Column.MINUS, 2), "Ann, round 1: the spread is in the wrong column"),
        (2, Claim(True, 40, points=2), "Ann, round 2: 2 game points for 40 holes, where 3 are right"),
        (3, Claim(False, 20, points=2), "Ann, round 3: 2 game points for 20 holes, where 0 are right"),
    ],
)
def test_a_row_that_does_not_fit_itself_is_named(number, claim, said):
    assert check_written_card(with_claim(number, claim), ACC, NAMES) == (said,)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("points", "Ann: the game points add up to 5, not 6"),
        ("won", "Ann: the games won add up to 2, not 3"),
        ("net", "Ann: plus less minus is 32, not 33"),
    ],
)
def test_a_wrong_total_is_named_with_the_right_one(name, said):
    totals = replace(TOTALS, **{name: getattr(TOTALS, name) + 1})
    assert check_written_card(replace(CARD, totals=totals), ACC, NAMES) == (said,)


def test_a_column_that_is_added_up_wrongly_is_named():
    plus = replace(TOTALS, plus=53, net=33)
    assert check_written_card(replace(CARD, totals=plus), ACC, NAMES) == ("Ann: the plus column adds up to 52, not 53",)
    minus = replace(TOTALS, minus=21, net=31)
    assert check_written_card(replace(CARD, totals=minus), ACC, NAMES) == (
        "Ann: the minus column adds up to 20, not 21",
    )


def test_the_field_says_which_sums_do_not_fit():
    pairing = Pairing(1, ("p1", "p2"))
    winner = WrittenScoreCard("p1", {pairing: Claim(True, 31, points=3)})
    loser = WrittenScoreCard("p2", {pairing: Claim(False, 31, points=0)})
    assert check_field_sums([winner, loser], ACC) == ()
    misread = replace(loser, claims={pairing: Claim(False, 13, points=0)})
    assert check_field_sums([winner, misread], ACC) == (
        "all plus columns add up to 31, all minus columns to 13",
        "all nets add up to 18, not 0",
    )
    both_won = replace(loser, claims={pairing: Claim(True, 31, Column.MINUS, 3)})
    assert check_field_sums([winner, both_won], ACC) == ("wins on the cards: 2, games: 1",)
    too_few = replace(winner, claims={pairing: Claim(True, 31, points=2)})
    assert check_field_sums([too_few, loser], ACC) == ("game points on the cards: 2, by their spreads: 3",)
