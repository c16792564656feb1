"""Seeds and byes: the order of the congress's brackets."""

import json
from pathlib import Path

import pytest

from pegboard import RuleError
from pegboard.tournament.playoffs.seeding import (
    bracket_order,
    bracket_size,
    count_byes,
    place_seeds,
)

ORDER = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))["bracket_order"]


@pytest.mark.parametrize("size", [8, 16])
def test_the_order_is_the_published_one(size):
    assert list(bracket_order(size)) == ORDER[str(size)]


def test_neighbours_in_the_bracket_of_64_are_the_published_ones():
    order = bracket_order(64)
    pairs = [sorted(order[at : at + 2]) for at in range(0, 64, 2)]
    for one, other in ORDER["64_adjacent_pairs_published"]:
        assert abs(pairs.index(sorted(one)) - pairs.index(sorted(other))) == 1


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16, 32, 64, 128])
def test_where_the_better_seed_always_wins_the_best_are_left_in_each_round(size):
    left = list(bracket_order(size))
    while len(left) > 1:
        assert sorted(left) == list(range(1, len(left) + 1))
        assert all(one + other == len(left) + 1 for one, other in zip(left[::2], left[1::2], strict=True))
        left = [min(pair) for pair in zip(left[::2], left[1::2], strict=True)]


@pytest.mark.parametrize("qualifiers", range(1, 65))
def test_the_highest_have_the_byes_and_the_second_round_is_full(qualifiers):
    players = [f"q{n}" for n in range(1, qualifiers + 1)]
    rows = place_seeds(players)
    assert [row.place for row in rows] == list(range(1, bracket_size(qualifiers) + 1))
    assert sorted(row.player for row in rows if row.player) == sorted(players)
    assert all(row.player == f"q{row.seed}" for row in rows if row.player)
    pairs = list(zip(rows[::2], rows[1::2], strict=False))
    resting = [row.seed for pair in pairs for row in pair if row.player and None in (pair[0].player, pair[1].player)]
    assert sorted(resting) == list(range(1, count_byes(qualifiers) + 1))
    assert all(pair[0].player or pair[1].player for pair in pairs)
    assert len(rows) // 2 < qualifiers <= len(rows)


def test_a_bracket_of_nobody_is_refused():
    with pytest.raises(RuleError, match=r"^a bracket needs at least one player"):
        place_seeds([])


def test_nobody_is_twice_in_a_bracket():
    with pytest.raises(RuleError, match=r"^a player appears twice in this bracket"):
        place_seeds(["a", "b", "a"])
