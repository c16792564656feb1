"""The rows of tournament_cases.json about fields that are odd or small."""

import json
from pathlib import Path

import pytest

from pegboard.tournament.schedule.ring import measure_field
from pegboard.tournament.schedule.schedule import draw

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))


def ids(number, letter="p"):
    return [f"{letter}{player}" for player in range(1, number + 1)]


@pytest.mark.parametrize("row", CASES["parity"], ids=lambda row: f"{row['players']} players")
def test_a_field_is_as_even_as_the_row_says(row):
    measure = measure_field(row["players"], row["games_each"])
    assert measure.possible == row["possible"]
    assert measure.distinct_rounds == row["distinct_rounds_available"]
    assert measure.rounds == row["rounds_for_9"]
    assert measure.needs_rematches == row["needs_rematches"]


@pytest.mark.parametrize("row", CASES["parity"], ids=lambda row: f"{row['players']} players")
def test_a_schedule_has_as_many_rounds_as_the_row_says_and_says_what_cannot_be_had(row):
    schedule = draw(ids(row["players"]), row["games_each"])
    keys = [remark.key for remark in schedule.remarks]
    assert len(schedule.rounds) == row["rounds_for_9"]
    assert ("movement_one_more" in keys) != row["possible"]
    assert ("movement_rematches" in keys) == row["needs_rematches"]
