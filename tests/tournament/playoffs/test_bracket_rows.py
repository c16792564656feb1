"""Rows of brackets and ties as JSON: what is stored is read back, and what is no row is refused."""

import json

import pytest

from pegboard.tournament.playoffs.bracket import draw
from pegboard.tournament.playoffs.bracket_games import Ending
from pegboard.tournament.playoffs.bracket_rows import (
    UNREADABLE,
    bracket_as_json,
    bracket_from_json,
    game_from_json,
    tie_decision_as_json,
    tie_decision_from_json,
    tie_play_off_as_json,
    tie_play_off_from_json,
)
from pegboard.tournament.playoffs.tie_play_off import begin_tie_play_off


def through_text(values):
    return json.loads(json.dumps(values))


def test_a_bracket_is_read_back_as_it_was():
    bracket = draw("plate", ["p1", "p2", "p3"], best_of=(1, 5)).with_game("plate:1:2", "p3", margin=12)
    bracket = bracket.with_game("plate:2:1", "p1", Ending.NO_SHOW, games=2).with_departure("p3")
    stored = through_text(bracket_as_json(bracket))
    assert bracket_from_json(stored) == bracket
    assert stored["games"][1] == {
        "match": "plate:2:1",
        "players": ["p1", "p3"],
        "winner": "p1",
        "how": "no_show",
        "margin": None,
        "games": 2,
    }


def test_a_tie_and_its_games_are_read_back_as_they_were():
    tie = begin_tie_play_off(["p2", "p1", "p3"], 1).with_game("p2", "p1").with_game("p3", "p2")
    assert tie_play_off_from_json(through_text(tie_play_off_as_json(tie))) == tie
    assert tie_decision_from_json(through_text(tie_decision_as_json(tie.decision))) == tie.decision


@pytest.mark.parametrize(
    "change",
    [{"how": "sung"}, {"players": ["p1"]}, {"players": None}, {"winner": ...}],
)
def test_what_is_no_row_is_known_by_its_error(change):
    row = {"match": "main:1:1", "players": ["p1", "p2"], "winner": "p1", "how": "played", "margin": 3, "games": 1}
    row = {key: value for key, value in (row | change).items() if value is not ...}
    with pytest.raises(UNREADABLE):
        game_from_json(row)
