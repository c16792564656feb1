"""The tables of what scores in docs/counting.md: each row with hands that prove its points."""

import re
from pathlib import Path

import pytest

from pegboard.core.cards.pack import read_laid
from pegboard.core.cards.play import begin_play, count_play
from pegboard.core.cards.show import count_show

COUNTING = (Path(__file__).parents[3] / "docs/counting.md").read_text("utf-8")

SHOW = {
    "| each combination of cards that adds up to fifteen | 2 |": [
        ("7H 8C QD KS", "2S", False, 2),
        ("5H QC KD 2S", "9S", False, 4),
    ],
    "| a pair, pair royal, double pair royal | 2, 6, 12 |": [
        ("9H 9C QD KS", "2S", False, 2),
        ("9H 9C 9D KS", "2S", False, 6),
        ("9H 9C 9D 9S", "2S", False, 12),
    ],
    "| each run of three, four or five | 1 per card |": [
        ("9H 10C JD KS", "AS", False, 3),
        ("9H 10C JD QS", "AS", False, 4),
        ("9H 10C JD QS", "KH", False, 5),
        ("9H 9C 10D JS", "KH", False, 3 + 3 + 2),
    ],
    "| a flush of four in the hand, or of five with the starter (in the crib, only of five) | 4, 5 |": [
        ("2C 4C 6C 8C", "KD", False, 4),
        ("2C 4C 6C 8C", "KC", False, 5),
        ("2C 4C 6C 8C", "KC", True, 5),
        ("2C 4C 6C 8C", "KD", True, 0),
    ],
    "| nobs: the jack of the starter's suit in the hand | 1 |": [
        ("2H 4C 6D JS", "8S", False, 1),
        ("2H 4C 6D 8S", "JS", False, 0),
    ],
}
PLAY = {
    "| fifteen, thirty-one | 2 |": [("7 8", 2), ("K Q A J", 2)],
    "| two, three or four of a rank in a row | 2, 6, 12 |": [
        ("4 4", 2),
        ("4 4 4", 6),
        ("4 4 4 4", 12),
        ("9 4 9", 0),
    ],
    "| a run of three to seven in any order | 1 per card |": [("J 9 10", 3), ("A 7 3 5 2 6 4", 7)],
}
LAST_OF_ALL = "| go, and the last card unless it makes 31 | 1 |"


@pytest.mark.parametrize(
    ("row", "hand", "starter", "crib", "points"), [(row, *example) for row in SHOW for example in SHOW[row]]
)
def test_a_row_of_the_show_is_as_the_counters_count(row, hand, starter, crib, points):
    assert row in COUNTING
    assert count_show(hand, starter, crib=crib).points == points


@pytest.mark.parametrize(("row", "laid", "points"), [(row, *example) for row in PLAY for example in PLAY[row]])
def test_a_row_of_the_play_is_as_the_counters_count(row, laid, points):
    assert row in COUNTING
    assert count_play(laid).points == points


def test_a_go_and_the_last_card_are_one_point_each():
    assert LAST_OF_ALL in COUNTING
    play = begin_play(("Ann", "Bob"), [read_laid("K 8 2"), read_laid("Q 9 5")], dealer=1)
    for seat, card in [(0, "K"), (1, "Q"), (0, "8"), (1, "go"), (0, "2"), (1, "9"), (1, "5")]:
        play = play.go(seat) if card == "go" else play.lay(seat, *read_laid(card))
    assert play.points == (1, 1)


def test_no_row_of_the_tables_is_without_proof():
    tables = re.findall(r"^\| in the (?:show|play) \| points \|\n\|[-|]+\n((?:\|.*\n)+)", COUNTING, re.MULTILINE)
    assert [row for table in tables for row in table.splitlines()] == [*SHOW, *PLAY, LAST_OF_ALL]
