"""The table of commands: which lines they make, and which base they need."""

import pytest

from pegboard import Score, Start, TakeBack
from pegboard.core.moves import ROWS, Rename, row_of, row_of_event
from pegboard.core.rules import VARIANTS
from pegboard.core.wire import LINES, read_event

LINE_COMMANDS = {
    *("score", "penalty", "deal", "stage", "muggins", "over_peg", "false_claim", "peg_back", "set_pegs", "retract"),
    *("substitute", "head_start"),
}
"""The commands that docs/api.md tells to make a line."""


def test_these_commands_make_a_line():
    assert {do for do, row in ROWS.items() if row.makes_line} == LINE_COMMANDS
    assert set(LINES) == {"scored", "dealt", "staged", "muggins_called", "over_pegged", "falsely_claimed"} | {
        "pegged_back",
        "pegs_set",
        "retracted",
        "substituted",
        "head_start_given",
    }


@pytest.mark.parametrize(
    ("do", "line", "needed"),
    [
        ("score", None, True),
        ("undo", None, True),
        ("undo", 3, False),
        ("redo", 3, False),
        ("retract", None, True),
        ("amend", 3, False),
        ("confirm", None, False),
    ],
)
def test_a_base_is_needed_where_nothing_says_what_is_meant(do, line, needed):
    assert ROWS[do].needs_base(line) is needed


def test_a_start_with_a_format_begins_a_match():
    start = Start(VARIANTS["short"], ("Ann", "Bob"))
    assert row_of(start).do == "start"
    assert row_of(Start(start.rules, start.players, format="single")).do == "start_match"
    assert [row_of(command).do for command in (Score(2, 0), TakeBack(), Rename(0, "Ann", "Cy"))] == [
        "score",
        "undo",
        "rename",
    ]


def test_a_penalty_is_written_as_a_score():
    assert row_of_event(read_event("scored", {"lane": 0, "points": 2, "why": "penalty"})).do == "score"
