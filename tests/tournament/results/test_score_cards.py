"""Score cards: rows in order of rounds, totals of what the games count, and claims that never count by themselves."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from pegboard.tournament.night.views.game_view import claim_as_json
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import (
    Claim,
    Column,
    DecidedBy,
    GameRecord,
    SheetResult,
    Value,
    find_wrong_margin,
    settle,
)
from pegboard.tournament.results.rulings import adjudicate, award
from pegboard.tournament.results.score_cards import ScoreCardTotals, score_cards
from pegboard.tournament.results.scoring import ACC
from pegboard.values import STORED, read, write
from tests.support.tournament_field import NAMES, chance_records, open_record


def game(number, players, margin):
    """A game that the first of two players has won by so many holes."""
    return settle(Pairing(number, players), (Claim(True, margin), Claim(False, margin)), ACC)


def test_a_card_has_its_games_in_order_of_rounds_and_adds_them_up():
    records = [
        game(3, ("p1", "p4"), 40),
        game(1, ("p1", "p2"), 12),
        game(2, ("p3", "p1"), 31),
        GameRecord(Pairing(4, ("p5", "p1"))),
    ]
    card = score_cards(records, ACC)["p1"]
    assert [(row.round, row.opponent, row.value and row.value.net) for row in card.rows] == [
        *((1, "p2", 12), (2, "p3", -31), (3, "p4", 40), (4, "p5", None))
    ]
    assert card.totals == ScoreCardTotals(games=3, points=5, won=2, skunks=1, plus=52, minus=31)
    assert (card.totals.net, card.totals.losses) == (21, 1)


def test_a_player_without_a_game_has_an_empty_card():
    cards = score_cards([game(1, ("p1", "p2"), 12)], ACC, ["p1", "p2", "p3"])
    assert (cards["p3"].rows, cards["p3"].totals) == ((), ScoreCardTotals())
    assert list(cards) == ["p1", "p2", "p3"]


@given(st.integers(0, 10**6))
def test_cards_do_not_depend_on_the_order_in_which_games_came_in(seed):
    records = list(chance_records(8, 7))
    shuffled = random.Random(seed).sample(records, len(records))
    assert score_cards(shuffled, ACC) == score_cards(records, ACC)


def test_a_ruling_adjusts_both_totals_and_leaves_what_was_written():
    """ACC 12.2 (g)."""
    disputed = open_record((Claim(True, 21), Claim(False, 16)))
    before = score_cards([disputed], ACC)
    assert before["p1"].totals == ScoreCardTotals()
    after = score_cards([adjudicate(disputed, "a", {"p1"}, ACC)], ACC)
    assert (after["p1"].totals.net, after["p2"].totals.net) == (16, -16)
    assert (after["p1"].rows[0].claim, after["p1"].rows[0].rule) == (Claim(True, 21), "a")


def test_an_awarded_game_is_on_both_cards():
    cards = score_cards([award(open_record((None, None)), "late", "p1", ACC)], ACC)
    row = cards["p1"].rows[0]
    assert (row.value, row.decided_by, row.rule, row.claim) == (Value(0, -10), DecidedBy.AWARD, "late", None)
    assert cards["p2"].totals.points == 2


# --- settling ---


def test_two_claims_that_fit_settle_a_game_and_one_alone_does_not():
    pairing = Pairing(2, ("p2", "p1"))
    settled = settle(pairing, (Claim(False, 33), Claim(True, 33)), ACC)
    assert (settled.values, settled.decided_by) == ((Value(0, -33), Value(3, 33)), DecidedBy.CLAIMS)
    assert (settled.key, settled.winner, settled.value_of("p2").net) == ("r2:p1-p2", "p1", -33)
    half = settle(pairing, (Claim(False, 33), None), ACC)
    assert not half.settled
    assert half.claims[half.pairing.players.index("p2")] == Claim(False, 33)
    assert half.decided_by == DecidedBy.OPEN


def test_a_score_sheet_says_by_how_much_once_both_have_said_that_it_is_so():
    pairing, sheet = Pairing(1, ("p1", "p2")), SheetResult("p2", 61)
    settled = settle(pairing, (Claim(False, 61), Claim(True, 61)), ACC, sheet)
    assert (settled.values, settled.decided_by) == ((Value(0, -61), Value(3, 61)), DecidedBy.SHEET)
    for claims in ((None, None), (Claim(False, 61), None), (None, Claim(True, 61))):
        assert settle(pairing, claims, ACC, sheet).decided_by == DecidedBy.OPEN


def test_a_claim_that_does_not_fit_the_sheet_leaves_the_game_open_and_is_named():
    pairing, sheet = Pairing(1, ("p1", "p2")), SheetResult("p2", 21)
    margin = settle(pairing, (Claim(False, 12), Claim(True, 12)), ACC, sheet)
    assert not margin.settled
    assert find_wrong_margin(margin, NAMES).said == (
        "round 1, Ann against Bob: the cards say 12 holes, but the table's score sheet says 21"
    )
    for claims in ((Claim(True, 21), None), (None, Claim(False, 21)), (Claim(True, 21), Claim(False, 21))):
        winner = settle(pairing, claims, ACC, sheet)
        assert not winner.settled
        assert find_wrong_margin(winner, NAMES).said == (
            "round 1, Ann against Bob: the cards say Ann won, but the table's score sheet says Bob"
        )


def test_a_claim_reads_back_as_it_was_written():
    for claim in (Claim(True, 12), Claim(False, None), Claim(True, 12, Column.MINUS, 3), Claim(False, 1, points=0)):
        assert read(Claim, json.loads(json.dumps(write(claim))), STORED) == claim


def test_a_claim_says_to_programs_what_was_written():
    assert claim_as_json(Claim(True, 12)) == {"won": True, "margin": 12}
    assert claim_as_json(Claim(False, None)) == {"won": False, "margin": None}
    written = {"won": True, "margin": 12, "column": "minus", "points": 3}
    assert claim_as_json(Claim(True, 12, Column.MINUS, 3)) == written
