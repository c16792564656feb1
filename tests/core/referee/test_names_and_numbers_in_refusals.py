"""Sentences of the referee: names in a row, numbers of players, and whom a refusal names."""

import pytest

from pegboard import Rules, Score, new_game
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import CallMuggins
from pegboard.core.referee.decide import decide
from pegboard.core.referee.decisions import how_it_ended, join_names, number_of_players, span
from pegboard.errors import RuleError


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["Ann"], "Ann"),
        (["Ann", "Bob"], "Ann and Bob"),
        (["Ann", "Bob", "Cy"], "Ann, Bob and Cy"),
        (["Ann", "Bob", "Cy", "Dee"], "Ann, Bob, Cy and Dee"),
    ],
)
def test_names_in_a_row(names, text):
    assert join_names(names) == text


@pytest.mark.parametrize(("number", "text"), [(1, "1 player"), (2, "2 players"), (4, "4 players")])
def test_a_number_of_players(number, text):
    assert number_of_players(number) == text


@pytest.mark.parametrize(("number", "text"), [(1, "only 0"), (2, "0 to 1"), (4, "0 to 3")])
def test_a_span_of_seats(number, text):
    assert span(number) == text


def test_nobody_has_won_an_unfinished_game():
    assert how_it_ended(new_game(Rules(), ("Ann", "Bob"))) == "it fell short"


def test_of_several_opponents_one_has_to_be_named():
    three = new_game(with_house_rules(Rules.named("three-handed"), ["muggins=on"]), ("Ann", "Bob", "Cy"))
    with pytest.raises(RuleError) as refusal:
        decide(three, CallMuggins(0, 2, 2))
    assert refusal.value.message.values == {"lanes": 3}


def test_a_seat_that_is_not_of_the_lane_is_named_with_both():
    with pytest.raises(RuleError) as refusal:
        decide(new_game(Rules(), ("Ann", "Bob")), Score(2, seat=0, lane=1))
    assert refusal.value.message.values == {"seat": 0, "lane": 0, "other": 1}
