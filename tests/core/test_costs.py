"""Costs in the text of the tables: digits of base 36, read as they are laid down, and mixed with what is miscounted."""

import math

import pytest

from pegboard.core.course_costs import MISCOUNTED, RARE, UNIT, costs_anywhere, play_entries, show_costs
from pegboard.core.learned_tables import TABLES


def base_36(number):
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[number // 36] + digits[number % 36]


def test_an_entry_of_the_play_is_lane_points_flags_and_two_digits_of_cost():
    assert list(play_entries("0131z" + "1c2rr" + "20300")) == [
        ((0, 1, 3), 1 * 36 + 35),
        ((1, 12, 2), 27 * 36 + 27),
        ((2, 0, 3), 0),
    ]
    assert list(play_entries("")) == []


@pytest.mark.parametrize("seen", [[0.2, 0.1, 0.3, 0.15, 0.05, 0.2], [0.9, 0, 0.1], [0, 0, 0, 0.5, 0, 0, 0, 0.5], [0.7]])
def test_a_hands_points_cost_what_they_are_seen_and_what_is_miscounted_by_two(seen):
    costs = [round(-UNIT * math.log(odd)) if odd else RARE for odd in seen]
    odds = [math.exp(-cost / UNIT) if cost < RARE else 0 for cost in costs]
    expected = []
    for points in range(len(seen)):
        wrong = sum(odds[other] for other in (points - 2, points + 2) if 0 <= other < len(odds))
        mixed = (1 - MISCOUNTED) * odds[points] + MISCOUNTED / 2 * wrong
        expected.append(round(-UNIT * math.log(mixed)) if mixed else RARE)
    assert show_costs("".join(map(base_36, costs))) == expected


def test_nothing_costs_more_than_what_is_rare():
    assert show_costs("rq")[0] == RARE, "998, and two in a hundred are counted wrong"


def test_anywhere_in_the_play_an_entry_is_as_likely_as_on_the_average_of_places():
    rows = {
        0: (((0, 2, 0), 100), ((0, 2, 1), 200), ((1, 2, 0), 50)),
        1: (((0, 2, 0), 300),),
        2: (),
        3: (((1, 1, 1), 10),),
    }
    found = costs_anywhere(rows.values())
    assert set(found) == {(0, 2), (1, 2), (1, 1)}
    for key, costs in {(0, 2): (100, 200, 300), (1, 2): (50,), (1, 1): (10,)}.items():
        expected = sum(math.exp(-cost / UNIT) for cost in costs) / len(rows)
        assert math.exp(-found[key] / UNIT) == pytest.approx(expected, rel=0.01)


def test_each_line_of_the_tables_is_read_whole_as_probabilities():
    for text in TABLES.values():
        for head, body in (line.split(" ") for line in text.splitlines()):
            if head == "show":
                assert len(show_costs(body)) * 2 == len(body)
                continue
            entries = list(play_entries(body))
            assert len(entries) * 5 == len(body)
            assert sum(math.exp(-cost / UNIT) for _, cost in entries) == pytest.approx(1, abs=0.03)
