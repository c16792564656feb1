"""Point tables: what a win is worth, which margins are skunks, and the margin of two holes."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import RuleError
from pegboard.tournament.results.scoring import (
    ACC,
    POINT_TABLES,
    PointTable,
    check_margin,
    margin_of_holes,
    point_table,
)
from pegboard.values import STORED, read, write

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))
TABLE_OF = {"ACC": "acc", "lurch-half-only": "lurch", "no-skunk": "flat"}
"""Our names of the published tables, where they differ."""


WINS = ("win", "skunk", "double skunk", "triple skunk")


def win_name(margin, table):
    skunks = table.skunks(margin)
    return "lurch" if table.lurch and skunks else WINS[skunks]


def table_of(row):
    return point_table(TABLE_OF.get(row["name"], row["name"]))


@pytest.mark.parametrize("case", CASES["game_scoring"], ids=lambda case: f"{case['winner']}-{case['loser']}")
def test_games_of_the_congress_are_valued_by_the_losers_hole(case):
    assert margin_of_holes((case["winner"], case["loser"])) == (0, case["margin"])
    assert margin_of_holes((case["loser"], case["winner"])) == (1, case["margin"])
    assert ACC.points(case["margin"]) == case["winner_game_points"]
    assert win_name(case["margin"], ACC) == case["acc_label"]


@pytest.mark.parametrize("row", CASES["house_skunk_tables"], ids=lambda row: row["name"])
def test_houses_value_skunks_as_their_tables_say(row):
    table, win = table_of(row), row["win"]
    if "lurch" in row:
        for hole, line in ((121, row["lurch_if_loser_at_most_121"]), (61, row["lurch_if_loser_at_most_61"])):
            lurch = table if hole == 121 else point_table("lurch-61")
            assert [lurch.points(hole - loser) for loser in (line + 1, line, 0)] == [win, row["lurch"], row["lurch"]]
            assert win_name(hole - line, lurch) == "lurch"
            assert win_name(hole - line - 1, lurch) == "win"
        return
    skunk, double = row.get("skunk_if_loser_at_most", 90), row.get("double_if_loser_at_most", 60)
    worth = [row.get(kind, win) for kind in ("win", "skunk", "skunk", "double_skunk")]
    assert [table.points(121 - loser) for loser in (skunk + 1, skunk, double + 1, double)] == worth
    assert table.points(121 - 30) == row.get("triple_skunk", row.get("double_skunk", win))


def test_a_double_skunk_is_named_but_worth_no_more_to_the_congress():
    assert [win_name(margin, ACC) for margin in (30, 31, 60, 61, 90, 91, 121)] == [
        *("win", "skunk", "skunk", "double skunk", "double skunk", "triple skunk", "triple skunk")
    ]
    assert {ACC.points(margin) for margin in range(31, 122)} == {3}


@pytest.mark.parametrize(
    "case",
    [case for case in CASES["peg_adjudication"] if "margin" in case.get("result", "")],
    ids=lambda case: case["id"],
)
def test_a_penalty_at_the_end_is_in_the_margin_and_can_make_a_skunk(case):
    """ACC 8.4: the offender goes back although the award has ended the game."""
    names = list(case["after_score"])
    place, margin = margin_of_holes(tuple(case["after_score"].values()))
    won = case["result"]
    assert (names[place], margin, ACC.points(margin)) == (won["winner"], won["margin"], won["game_points"])


def test_a_win_can_be_worth_more_in_later_rounds():
    bar = next(row for row in CASES["team_formats"] if "points_for_round" in row)
    table = point_table("rounds-6-to-10")
    points = [table.points(10, number) for number in range(1, bar["rounds"] + 1)]
    assert points == bar["points_for_round"]
    assert sum(points) == bar["perfect"]
    assert table.points(61, 2) == table.points(1, 2)


def test_rounds_and_skunks_of_a_house_add_up():
    table = PointTable("house", worth=(1, 2, 4), lines=(90, 60), by_round=(5, 7))
    assert [table.points(margin, 1) for margin in (30, 31, 61)] == [5, 6, 8]
    assert [table.points(margin, 9) for margin in (30, 31, 61)] == [7, 8, 10]


@pytest.mark.parametrize("table", POINT_TABLES.values(), ids=POINT_TABLES)
def test_every_table_that_is_offered_values_games_and_reads_back(table):
    assert list(table.worth) == sorted(table.worth)
    assert list(table.lines) == sorted(table.lines, reverse=True)
    assert all(0 < line < table.game_hole for line in table.lines)
    assert read(PointTable, json.loads(json.dumps(write(table))), STORED) == table


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(RuleError, match=r"unknown point table 'ACC 2-3'; use acc, games-1-2-3"):
        point_table("ACC 2-3")


@pytest.mark.parametrize("holes", [(121, 121), (120, 119), (122, 90), (121, -1), (0, 0)])
def test_a_margin_needs_one_player_in_the_game_hole(holes):
    with pytest.raises(RuleError, match="one player must be in the game hole, 121, and the other not"):
        margin_of_holes(holes)


@pytest.mark.parametrize("margin", [0, -1, 122])
def test_a_margin_is_1_to_121(margin):
    assert [check_margin(right, ACC) for right in (1, 121)] == [1, 121]
    with pytest.raises(RuleError, match=f"a game's margin must be 1 to 121, not {margin}"):
        check_margin(margin, ACC)


@given(st.sampled_from(list(POINT_TABLES.values())), st.integers(1, 120), st.integers(1, 12))
def test_a_wider_win_is_never_worth_less(table, margin, number):
    assert 1 <= table.points(margin, number) <= table.points(margin + 1, number)
