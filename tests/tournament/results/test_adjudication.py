"""Rulings of ACC 12.2: the published examples, who bears a difference, and why a ruling is not to be had."""

import itertools
import json
from pathlib import Path

import pytest

from pegboard.errors import RuleError
from pegboard.tournament.results.claims import Claim, Column, DecidedBy, MismatchKind, SheetResult, Value, find_mismatch
from pegboard.tournament.results.rulings import adjudicate, qualifying_notice, ruling_choices
from pegboard.tournament.results.scoring import ACC
from tests.support.tournament_field import NAMES, is_reciprocal, open_record

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))

PLUS, MINUS = Column.PLUS, Column.MINUS
EVERY_CLAIM = [
    Claim(won, margin, column)
    for won in (True, False)
    for margin, column in ((None, None), *itertools.product((9, 16, 31), (PLUS, MINUS)))
]
WHO_QUALIFIES = [set(), {"p1"}, {"p2"}, {"p1", "p2"}]


def win(margin, column=None):
    return Claim(True, margin, column)


def loss(margin, column=None):
    return Claim(False, margin, column)


def choices(claims, qualifiers=(), sheet=None):
    """The choices by their letters."""
    found = ruling_choices(open_record(claims, sheet), set(qualifiers), ACC, NAMES)
    return {choice.letter: choice for choice in found}


def possible(claims, qualifiers=(), sheet=None):
    return {letter for letter, choice in choices(claims, qualifiers, sheet).items() if choice.possible}


def nets(claims, letter, qualifiers=(), sheet=None):
    """What the game counts for Ann and Bob after a ruling."""
    values = choices(claims, qualifiers, sheet)[letter].values
    return tuple(value.net for value in values)


# --- the published examples ---


def claim_of(card):
    """A claim as the case writes it: a spread stands in one of two columns, or in none."""
    margin = card["plus"] if card["plus"] is not None else card["minus"]
    column = None if margin is None else PLUS if card["plus"] is not None else MINUS
    return Claim(card["claims"] == "win", margin, column)


def value_of(card):
    return Value(card["game_points"], card["plus"] if card["result"] == "win" else -card["minus"])


@pytest.mark.parametrize("case", CASES["scorecard_adjudication"], ids=lambda case: case["rule"])
def test_the_rules_own_examples_are_ruled_as_they_say(case):
    claims = tuple(map(claim_of, case["in"]))
    qualifiers = {player for player, card in zip(("p1", "p2"), case["in"], strict=True) if card["apparent_qualifier"]}
    letter = case["rule"].removeprefix("12.2")
    assert possible(claims, qualifiers) == {letter}
    ruled = adjudicate(open_record(claims), letter, qualifiers, ACC)
    assert ruled.values == tuple(map(value_of, case["out"]))
    assert (ruled.claims, ruled.decided_by, ruled.rule) == (claims, DecidedBy.RULING, letter)


@pytest.mark.parametrize("case", CASES["scorecard_adjudication"], ids=lambda case: case["rule"])
def test_a_ruling_does_not_depend_on_whose_card_lies_first(case):
    claims = tuple(map(claim_of, reversed(case["in"])))
    qualifiers = {player for player, card in zip(("p2", "p1"), case["in"], strict=True) if card["apparent_qualifier"]}
    ruled = adjudicate(open_record(claims), case["rule"].removeprefix("12.2"), qualifiers, ACC)
    assert ruled.values == tuple(map(value_of, reversed(case["out"])))


def test_what_costs_the_apparent_qualifier_already_stays_as_it_is():
    """ACC 12.2 (h): a 15-point win against a 20-point loss."""
    claims = (win(15), loss(20))
    assert possible(claims, {"p1"}) == {"h"}
    assert nets(claims, "h", {"p1"}) == (15, -20)


# --- who bears a difference ---


@pytest.mark.parametrize(
    ("claims", "qualifiers", "letter", "expected"),
    [
        ((win(21), loss(16)), {"p1"}, "a", (16, -16)),
        ((win(21), loss(16)), {"p2"}, "a", (21, -21)),
        ((win(21), loss(16)), {"p1", "p2"}, "b", (16, -21)),
        ((win(21), loss(16)), set(), "stand", (21, -16)),
        ((win(16), loss(21)), {"p1"}, "h", (16, -21)),
        ((win(16), loss(21)), {"p2"}, "h", (16, -21)),
        ((win(16), loss(21)), {"p1", "p2"}, "h", (16, -21)),
        ((win(16), loss(21)), set(), "stand", (16, -21)),
    ],
)
def test_a_difference_goes_to_who_apparently_qualifies_and_one_ruling_alone_fits(claims, qualifiers, letter, expected):
    assert possible(claims, qualifiers) == {letter}
    assert nets(claims, letter, qualifiers) == expected


def test_a_ruling_that_takes_the_skunk_away_takes_its_game_point():
    ruled = adjudicate(open_record((win(31), loss(30))), "a", {"p1"}, ACC)
    assert ruled.values == (Value(2, 30), Value(0, -30))
    ruled = adjudicate(open_record((win(31), loss(30))), "a", {"p2"}, ACC)
    assert ruled.values == (Value(3, 31), Value(0, -31))


def test_a_win_in_the_same_column_as_the_loss_stands():
    for claims in ((win(12, PLUS), loss(12, PLUS)), (win(12, MINUS), loss(12, MINUS))):
        assert possible(claims) == {"f"}
        assert nets(claims, "f") == (12, -12)


def test_a_column_and_a_difference_are_ruled_together():
    claims = (win(17, PLUS), loss(16, PLUS))
    assert nets(claims, "f", set()) == (17, -16)
    assert nets(claims, "f", {"p1"}) == (16, -16)
    assert nets(claims, "f", {"p2"}) == (17, -17)
    claims = (win(17, PLUS), win(16, MINUS))
    assert nets(claims, "d", {"p1", "p2"}) == (16, -17)


def test_two_losses_in_one_column_stay_losses_and_leave_no_winner():
    ruled = adjudicate(open_record((loss(9), loss(12))), "e", set(), ACC)
    assert ruled.values == (Value(0, -9), Value(0, -12))
    assert ruled.winner is None
    assert not is_reciprocal(ruled)


def test_a_blank_spread_is_that_of_the_other_card_whoever_has_won():
    assert nets((win(None), loss(9)), "c") == (9, -9)
    assert nets((win(33), loss(None)), "c", {"p1"}) == (33, -33)
    assert nets((None, loss(9)), "c") == (9, -9)


def test_the_score_sheet_of_the_table_can_decide():
    claims, sheet = (win(21), loss(16)), SheetResult("p1", 19)
    assert possible(claims, {"p1"}, sheet) == {"a", "sheet"}
    assert nets(claims, "sheet", {"p1"}, sheet) == (19, -19)


def test_cards_that_fit_each_other_but_not_the_sheet_are_the_directors_choice():
    claims, sheet = (win(21), loss(21)), SheetResult("p2", 4)
    assert possible(claims, {"p1"}, sheet) == {"sheet", "stand"}
    assert nets(claims, "sheet", (), sheet) == (-4, 4)
    assert nets(claims, "stand", (), sheet) == (21, -21)


def test_a_game_can_be_ruled_anew_by_what_the_cards_say():
    record = adjudicate(open_record((win(21), loss(16))), "a", {"p1"}, ACC)
    assert [value.net for value in adjudicate(record, "a", {"p2"}, ACC).values] == [21, -21]


# --- every pair of cards ---


@pytest.mark.parametrize("qualifiers", WHO_QUALIFIES, ids=lambda players: "+".join(sorted(players)) or "nobody")
def test_no_ruling_gives_an_apparent_qualifier_more_than_his_own_card_claims(qualifiers):
    for claims in itertools.product(EVERY_CLAIM, repeat=2):
        for letter, choice in choices(claims, qualifiers).items():
            for player, claim, value in zip(("p1", "p2"), claims, choice.values or (), strict=bool(choice.values)):
                if player in qualifiers and claim.margin is not None:
                    own = claim.margin if claim.spread_column == PLUS or claim.won else -claim.margin
                    assert value.net <= own, (claims, letter)


@pytest.mark.parametrize("qualifiers", WHO_QUALIFIES, ids=lambda players: "+".join(sorted(players)) or "nobody")
def test_one_letter_at_most_fits_two_cards_and_says_what_it_does(qualifiers):
    for claims in itertools.product(EVERY_CLAIM, repeat=2):
        found = choices(claims, qualifiers)
        fitting = [letter for letter, choice in found.items() if choice.possible]
        assert len(fitting) <= 1, (claims, fitting)
        for choice in found.values():
            assert (choice.values is None) == (choice.said is None) == (choice.why_not is not None)
            for value in choice.values or ():
                assert value.points == (ACC.points(value.net) if value.net > 0 else 0)


@pytest.mark.parametrize("qualifiers", WHO_QUALIFIES, ids=lambda players: "+".join(sorted(players)) or "nobody")
def test_a_ruling_is_to_be_had_just_where_two_cards_do_not_fit(qualifiers):
    """But where 12.2 says nothing: results alike with a spread missing, both missing, each in the wrong column."""
    for one, other in itertools.product(EVERY_CLAIM, repeat=2):
        mismatch = find_mismatch(open_record((one, other)))
        blanks = [one.margin, other.margin].count(None)
        wrong = one.won != other.won and all(claim.spread_column != claim.own_column for claim in (one, other))
        silent = blanks == 2 or (blanks == 1 and one.won == other.won) or (blanks == 0 and wrong)
        assert bool(possible((one, other), qualifiers)) == (mismatch is not None and not silent), (one, other)


# --- what is refused, and why ---


@pytest.mark.parametrize(
    ("claims", "qualifiers", "letter", "why"),
    [
        ((None, None), (), "a", "neither card has been entered yet"),
        ((None, win(9)), (), "a", "Ann's card has not been entered yet"),
        ((win(9), loss(9)), (), "a", "the two cards agree"),
        ((win(9), win(9)), (), "a", "both cards claim the same result"),
        ((win(None), loss(9)), (), "b", "a card has no spread"),
        ((win(None), loss(None)), (), "h", "neither card has a spread"),
        ((win(9), loss(8)), (), "a", "apparently neither player qualifies"),
        ((win(9), loss(8)), ("p1", "p2"), "a", "both players apparently qualify: use (b) or (h)"),
        ((win(9), loss(8)), ("p2",), "b", "only one player apparently qualifies: use (a) or (h)"),
        ((win(8), loss(9)), ("p1",), "a", "the difference already costs the apparent qualifier: use (h)"),
        ((win(8), loss(9)), ("p1", "p2"), "b", "the difference already costs the apparent qualifier: use (h)"),
        ((win(9), loss(8)), ("p1",), "h", "the difference favors an apparent qualifier"),
        ((win(9), loss(8)), (), "h", "apparently neither player qualifies"),
        ((win(9), loss(8)), (), "c", "both cards have a spread"),
        ((win(None), loss(None)), (), "c", "neither card has a spread"),
        ((win(None), win(9)), (), "c", "both cards claim the same result"),
        ((win(9), loss(8)), (), "d", "one card claims a win and the other a loss"),
        ((win(9, PLUS), win(8, PLUS)), (), "d", "the spreads are in the same column"),
        ((win(9, PLUS), win(8, MINUS)), (), "e", "the spreads are in different columns"),
        ((win(9), loss(8)), (), "f", "the spreads are in different columns"),
        ((win(9, PLUS), loss(9, PLUS)), ("p1",), "a", "the spreads are in the same column"),
        (
            (win(9, MINUS), loss(8, PLUS)),
            ("p1",),
            "a",
            "both cards have the spread in the wrong column, which ACC 12.2 does not cover",
        ),
        ((win(9), loss(8)), (), "sheet", "no table has sent a score sheet for this game"),
        ((win(9), loss(8)), ("p2",), "stand", "the difference costs an apparent qualifier"),
    ],
)
def test_a_ruling_that_is_not_to_be_had_says_why_and_leaves_the_game_as_it_was(claims, qualifiers, letter, why):
    record = open_record(claims)
    assert choices(claims, qualifiers)[letter].why_not == why
    with pytest.raises(RuleError) as refusal:
        adjudicate(record, letter, qualifiers, ACC, NAMES)
    assert str(refusal.value) == why
    assert record == open_record(claims)


@pytest.mark.parametrize("letter", ["g", "i", "j", "", "A"])
def test_no_other_letter_is_a_ruling(letter):
    with pytest.raises(RuleError, match=r"unknown ruling .* use a, b, c, d, e, f, h, sheet, stand"):
        adjudicate(open_record((win(9), loss(8))), letter, {"p1"}, ACC)


# --- sentences ---


@pytest.mark.parametrize(
    ("claims", "qualifiers", "letter", "said"),
    [
        (
            (win(21), loss(16)),
            ("p1",),
            "a",
            "(a) Ann apparently qualifies: Ann's card becomes a win by 16, Bob's stays as it is",
        ),
        (
            (win(21), loss(16)),
            ("p2",),
            "a",
            "(a) Bob apparently qualifies: Bob's card becomes a loss by 21, Ann's stays as it is",
        ),
        (
            (loss(16), win(17)),
            ("p1", "p2"),
            "b",
            "(b) both apparently qualify: Bob's card becomes a win by 16, Ann's a loss by 17",
        ),
        ((win(None), loss(9)), (), "c", "(c) only Bob's card gives the spread: 9 goes on both cards"),
        (
            (win(12, MINUS), win(12, PLUS)),
            (),
            "d",
            "(d) Bob has the spread in the plus column and wins by 12; Ann loses by 12",
        ),
        (
            (win(9), win(12)),
            (),
            "e",
            "(e) both cards claim the same result in the same column: Ann loses by 9, Bob by 12",
        ),
        (
            (win(12, MINUS), loss(12, MINUS)),
            (),
            "f",
            "(f) Ann's win stands, by 12; the wrong card's spread changes column: Bob loses by 12",
        ),
        (
            (win(15), loss(20)),
            ("p1",),
            "h",
            "(h) the difference already costs the apparent qualifier: both cards stay as they are",
        ),
        ((win(15), loss(20)), (), "stand", "ACC 12.2 changes neither card: both stay as they are"),
    ],
)
def test_a_ruling_says_what_it_does_to_both_cards(claims, qualifiers, letter, said):
    assert choices(claims, qualifiers)[letter].said == said


@pytest.mark.parametrize(
    ("claims", "kind", "said"),
    [
        (
            (win(21), loss(16)),
            MismatchKind.MARGIN,
            "round 3, Ann against Bob: Ann's card says won by 21, but Bob's card says lost by 16",
        ),
        ((win(21), win(21)), MismatchKind.RESULT, "round 3, Ann against Bob: both cards claim a win"),
        ((loss(21), loss(21)), MismatchKind.RESULT, "round 3, Ann against Bob: both cards claim a loss"),
        (
            (win(21, MINUS), loss(21, MINUS)),
            MismatchKind.COLUMN,
            "round 3, Ann against Bob: both cards have the spread in the same column",
        ),
        (
            (win(21, MINUS), loss(21, PLUS)),
            MismatchKind.COLUMN,
            "round 3, Ann against Bob: both cards have the spread in the wrong column",
        ),
        ((win(21), loss(None)), MismatchKind.BLANK, "round 3, Ann against Bob: Bob's card has no spread"),
        ((win(None), loss(None)), MismatchKind.BLANK, "round 3, Ann against Bob: neither card has a spread"),
    ],
)
def test_two_cards_that_do_not_fit_are_named_with_round_and_players(claims, kind, said):
    mismatch = find_mismatch(open_record(claims, rounds=3), NAMES)
    assert (mismatch.game, mismatch.kind, mismatch.said) == ("r3:p1-p2", kind, said)


def test_the_director_is_told_where_a_ruling_changes_who_qualifies():
    assert qualifying_notice(["p1", "p2"], ["p2", "p1"], NAMES) is None
    assert qualifying_notice(["p1", "p2"], ["p1", "p3"], NAMES) == (
        "with this ruling, Cy would qualify, and Bob no longer would"
    )
    assert qualifying_notice([], ["p1"], NAMES) == "with this ruling, Ann would qualify"
    assert qualifying_notice(["p1"], [], NAMES) == "with this ruling, Ann would no longer qualify"
