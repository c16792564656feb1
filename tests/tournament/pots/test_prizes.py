"""Prizes by place: scales, ties that share, and sums to the cent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.tournament.pots.money import RestRule
from pegboard.tournament.pots.pot_rules import PRIZE_SCALES, divide_prizes, prize_scale


def prizes(pool, scale, ranking, **otherwise):
    division = divide_prizes(pool, prize_scale(scale), ranking, **otherwise)
    return {share.player: share.cents for share in division.shares}


def test_a_pool_is_divided_by_its_scale():
    assert prizes(10_000, "50-30-20", (("a",), ("b",), ("c",), ("d",))) == {"a": 5000, "b": 3000, "c": 2000}


def test_who_tie_share_the_prizes_of_the_places_that_they_cover():
    assert prizes(10_000, "50-30-20", (("a",), ("b", "c"))) == {"a": 5000, "b": 2500, "c": 2500}
    assert prizes(10_000, "50-30-20", (("a",), ("b",), ("c", "d"))) == {"a": 5000, "b": 3000, "c": 1000, "d": 1000}
    assert prizes(10_000, "60-40", (("a", "b", "c"),), rule=RestRule.HOUSE) == dict.fromkeys("abc", 3333)


def test_parts_of_places_that_nobody_reached_go_to_those_who_are_there():
    assert prizes(8_000, "50-30-20", (("a",), ("b",))) == {"a": 5000, "b": 3000}


def test_the_last_cents_go_to_the_better_place():
    assert prizes(1_001, "50-30-20", (("a",), ("b",), ("c",))) == {"a": 501, "b": 300, "c": 200}


@given(
    st.integers(0, 500_000),
    st.sampled_from(sorted(PRIZE_SCALES)),
    st.lists(st.integers(1, 4), max_size=5),
    st.sampled_from(RestRule),
)
def test_prizes_add_up_and_a_better_place_has_not_less(pool, scale, sizes, rule):
    ranking = tuple(tuple(f"p{n}.{m}" for m in range(size)) for n, size in enumerate(sizes))
    division = divide_prizes(pool, prize_scale(scale), ranking, rule)
    assert sum(share.cents for share in division.shares) + division.rest == pool
    shares = {share.player: share.cents for share in division.shares}
    falling = [shares.get(group[0], 0) for group in ranking]
    assert falling == sorted(falling, reverse=True)
    assert all(shares.get(player, 0) == shares.get(group[0], 0) for group in ranking for player in group)


def test_a_house_writes_its_own_scale():
    assert prize_scale("45-30-15-10") == (45, 30, 15, 10)
    assert prize_scale("100") == (100,)


@pytest.mark.parametrize("scale", ["", "50-50-50", "30-70", "50-30", "50-x-50", "50--50", "-100", "100-0", "050-50"])
def test_what_is_no_scale_is_refused_with_what_would_be_one(scale):
    with pytest.raises(RuleError, match="is not a prize scale; use percentages such as 50-30-20, the largest first"):
        prize_scale(scale)
