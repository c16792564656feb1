"""Rating points: the rows of the congress's sheets, and no other."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from pegboard import RuleError
from pegboard.tournament.night.season import RATING_ROWS, rating_row

PUBLISHED = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))["mrp"]


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: f"{case['event']}-{case['games']}")
def test_a_row_is_the_published_one(case):
    assert asdict(rating_row(case["event"], case["games"])) == {
        "event": case["event"],
        "games": case["games"],
        "least_points": case["min_game_points"],
    }


def test_there_are_just_the_published_rows():
    assert len(RATING_ROWS) == len(PUBLISHED)


@pytest.mark.parametrize(("event", "games"), [("main", 9), ("main", 7), ("consolation", 12), ("side", 12)])
def test_an_event_without_a_row_is_refused_in_a_sentence(event, games):
    with pytest.raises(
        RuleError, match=rf"^the rating sheets cover only main 12, .*, so a {event} of {games} has no rating points"
    ):
        rating_row(event, games)
