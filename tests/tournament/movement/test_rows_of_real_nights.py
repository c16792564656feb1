"""The rows of tournament_cases.json about fields that are odd or small, and about teams and pairs."""

import json
from pathlib import Path

import pytest

from pegboard.errors import RuleError
from pegboard.tournament.movement.odd_fields import measure_field
from pegboard.tournament.movement.schedule import draw
from pegboard.tournament.movement.team_formats import MATCH_FORMATS, PAIRS_NIGHT_FORMATS
from pegboard.tournament.movement.teams import one_side_stays, seat_match

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))
TEAMS = {row["name"].split(" ")[0] + row["name"].split(" ")[1]: row for row in CASES["team_formats"]}


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


def test_a_night_of_pairs_has_as_many_rounds_as_its_row_says():
    red_carpet, ballantrae = PAIRS_NIGHT_FORMATS["Red Carpet"], PAIRS_NIGHT_FORMATS["Ballantrae"]
    assert red_carpet.games == TEAMS["RedCarpet"]["rounds"]
    assert ballantrae.games == TEAMS["Ballantraepairs"]["games"]
    assert TEAMS["Ballantraepairs"]["moving_and_stationary_pairs"]
    for night in (red_carpet, ballantrae):
        schedule = one_side_stays(ids(8, "s"), ids(8, "m"), night.games)
        assert len(schedule.rounds) == night.games
        assert len(set(schedule.pairings)) == 8 * night.games
        assert schedule.remarks == ()


def test_a_league_match_has_the_legs_of_its_row():
    row, league = TEAMS["LedburyUK"], MATCH_FORMATS["Ledbury league"]
    tables = seat_match(league, ids(6, "h"), ids(6, "a"))
    assert len(tables) == row["tables"]
    assert {len(table.legs) for table in tables} == {row["legs_each"]}
    assert {len(table.home) for table in tables} == {2}
    assert sum(len(table.legs) for table in tables) == league.legs == row["total_legs"]


def test_a_shield_match_has_the_legs_of_its_row():
    shield = MATCH_FORMATS["Ledbury Shield"]
    assert TEAMS["LedburyShield"]["from"] == "3 pairs tables x5 + 5 singles tables x3"
    tables = seat_match(shield, ids(6, "h"), ids(6, "a"))
    legs = [(len(table.home), len(table.legs)) for table in tables]
    assert legs == [(2, 5)] * 3 + [(1, 3)] * 5
    assert shield.legs == TEAMS["LedburyShield"]["legs"]


def test_a_match_of_six_has_games_of_two_two_and_three_legs():
    row, match_format = TEAMS["shgddclUK"], MATCH_FORMATS["shgddcl"]
    assert match_format.players == row["team"]
    assert row["games"] == "two of 2 legs, one of 3 legs"
    assert sorted(match_format.pairs_legs) == [2, 2, 3]


def test_first_deals_of_a_match_go_to_and_fro_between_the_teams():
    tables = seat_match(MATCH_FORMATS["Ledbury league"], ids(6, "h"), ids(6, "a"))
    dealers = [leg.dealer for table in tables for leg in table.legs]
    assert [dealer[0] for dealer in dealers] == ["h", "a"] * 7 + ["h"]
    assert dealers[:5] == ["h1", "a1", "h2", "a2", "h1"]


def test_partners_sit_opposite_each_other_and_share_a_lane():
    table = seat_match(MATCH_FORMATS["Ledbury league"], ids(6, "h"), ids(6, "a"))[1]
    assert table.seats == ("h3", "a3", "h4", "a4")


def test_a_team_of_another_size_is_refused():
    with pytest.raises(RuleError) as refusal:
        seat_match(MATCH_FORMATS["shgddcl"], ids(6, "h"), ids(5, "a"))
    assert str(refusal.value) == "a team has 6 players in this match, not 5"
