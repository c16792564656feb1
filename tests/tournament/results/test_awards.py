"""Awards without play, and what a judge decides freely."""

import json
from pathlib import Path

import pytest

from pegboard.errors import Already, RuleError
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import Claim, DecidedBy, GameRecord, Value, settle
from pegboard.tournament.results.rulings import AWARDS, award, decide_as_judge, say_award
from pegboard.tournament.results.scoring import ACC, POINT_TABLES
from tests.support.tournament_field import NAMES, is_reciprocal, open_record

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))
LATE, REFUSED = (
    next(row for row in CASES["awards_without_play"] if row["rule"].startswith(rule)) for rule in ("11.4", "refusing")
)


def test_who_is_late_after_lunch_loses_a_game_as_the_rule_values_it():
    late, opponent = LATE["late"], LATE["opponent"]
    game = award(open_record((None, None)), "late", "p2", ACC)
    expected = (Value(opponent["game_points"], opponent["spread"]), Value(late["game_points"], late["spread"]))
    assert game.values == expected
    assert (game.decided_by, game.rule, game.winner) == (DecidedBy.AWARD, "late", "p1")


def test_lateness_costs_one_game_at_most():
    assert LATE["at_most_once"]
    first = award(GameRecord(Pairing(5, ("p1", "p2"))), "late", "p2", ACC)
    second = GameRecord(Pairing(6, ("p2", "p3")))
    with pytest.raises(Already) as refusal:
        award(second, "late", "p2", ACC, earlier=[first], names=NAMES)
    assert str(refusal.value) == (
        "Bob has already lost round 5 for being late after lunch, which counts only once; use a forfeit instead"
    )
    assert award(second, "late", "p3", ACC, earlier=[first]).winner == "p2"
    assert award(second, "forfeit", "p2", ACC, earlier=[first]).winner == "p3"
    assert award(first, "late", "p2", ACC, earlier=[first]) == first
    other = award(GameRecord(Pairing(7, ("p1", "p3"))), "late", "p1", ACC, earlier=[first])
    assert other.winner == "p3"


def test_who_refuses_the_ruling_of_three_judges_loses_by_its_spread():
    game = award(open_record((None, None)), "refused_judges", "p1", ACC)
    assert REFUSED["opponent"]["result"] == "win"
    assert game.values == (Value(0, -REFUSED["opponent"]["spread"]), Value(2, REFUSED["opponent"]["spread"]))


def test_a_game_whose_player_has_left_goes_to_the_opponent_and_its_claim_stays():
    claim = Claim(True, 40)
    game = award(open_record((claim, None)), "forfeit", "p1", ACC)
    assert (game.winner, game.claims) == ("p2", (claim, None))
    assert is_reciprocal(game)


@pytest.mark.parametrize("table", POINT_TABLES.values(), ids=POINT_TABLES)
def test_an_award_is_worth_what_a_plain_win_is_worth_here(table):
    game = award(open_record((None, None)), "forfeit", "p1", table)
    assert [value.points for value in game.values] == [0, table.plain_points(1)]


def test_an_award_needs_its_name_and_a_player_of_the_game():
    with pytest.raises(RuleError, match="unknown award 'rain'; use late, refused_judges, forfeit"):
        award(open_record((None, None)), "rain", "p1", ACC)
    with pytest.raises(RuleError, match="Cy is not playing in r1:p1-p2"):
        award(open_record((None, None)), "late", "p3", ACC, names=NAMES)


@pytest.mark.parametrize("name", AWARDS)
def test_an_award_says_who_loses_and_why(name):
    for loser, player, other in (("p1", "Ann", "Bob"), ("p2", "Bob", "Ann")):
        said = say_award(award(open_record((None, None)), name, loser, ACC), NAMES)
        assert said.startswith(f"{player} ")
        assert said.endswith(f": {other} wins by 10")


def test_what_was_played_is_no_award():
    assert say_award(open_record((None, None))) is None
    assert say_award(settle(Pairing(1, ("p1", "p2")), (Claim(True, 4), Claim(False, 4)), ACC)) is None


def test_a_judge_decides_freely_also_against_both():
    record = open_record((Claim(True, 12), Claim(True, 12)))
    values = (Value(0, -7), Value(0, -12))
    game = decide_as_judge(record, values, ACC)
    assert (game.values, game.rule, game.claims, game.winner) == (values, "judge", record.claims, None)
    assert say_award(game) == "a judge has decided"
    assert decide_as_judge(record, (Value(3, 31), Value(0, -30)), ACC).winner == "p1"
    assert decide_as_judge(record, (Value(2, 1), Value(0, -121)), ACC).winner == "p1"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((Value(2, 31), Value(0, -31)), "a net of 31 is worth 3 game points in round 1, not 2"),
        ((Value(2, -5), Value(0, -5)), "a net of -5 is worth 0 game points in round 1, not 2"),
        ((Value(2, 5), Value(2, 6)), "a game can have only one winner, not two"),
        (
            (Value(0, 0), Value(0, -5)),
            "each player's net must be 1 to 121, plus or minus, not 0",
        ),
        (
            (Value(3, 122), Value(0, -5)),
            "each player's net must be 1 to 121, plus or minus, not 122",
        ),
    ],
)
def test_what_no_game_can_count_is_refused_to_a_judge_too(values, said):
    record = open_record((None, None))
    with pytest.raises(RuleError) as refusal:
        decide_as_judge(record, values, ACC)
    assert str(refusal.value) == said
