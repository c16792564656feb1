"""Parts of sentences: who has won, names in a row, numbers of players and things, seats from the first to the last."""

import pytest

from pegboard import Rules, new_game
from pegboard.core.sentences import how_it_ended, join_names, number_of_players, pluralize, span


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
    assert how_it_ended(new_game(Rules(), ("Ann", "Bob"))) == "the goal was not reached"


@pytest.mark.parametrize(("number", "text"), [(0, "0 lines"), (1, "1 line"), (2, "2 lines")])
def test_a_number_of_things_in_english(number, text):
    assert pluralize(number, "line") == text
