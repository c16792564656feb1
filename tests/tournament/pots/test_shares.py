"""Shares of money: they add up to the cent, by largest remainders, and never by the order of entry."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.tournament.pots.money import Portion, RestRule, Share, divide, money, say_rest

portions = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6)), min_size=1, max_size=12).map(
    lambda rows: [Portion(f"p{n}", weight, place) for n, (weight, place) in enumerate(rows)]
)
totals, rules, units = st.integers(0, 100_000), st.sampled_from(RestRule), st.sampled_from([1, 5, 25, 100])


def cents_of(division):
    return {share.player: share.cents for share in division.shares}


def test_seats_go_by_largest_remainders_as_in_the_published_example():
    """Ten seats for 100,000 votes by Hare's quota (the textbook example of the largest-remainder method)."""
    votes = {"Yellow": 47_000, "White": 16_000, "Red": 15_900, "Green": 12_000, "Blue": 6_000, "Pink": 3_100}
    parties = [Portion(party, count, place) for place, (party, count) in enumerate(votes.items(), 1)]
    seats = cents_of(divide(10, parties, RestRule.PLACE))
    assert seats == {"Yellow": 5, "White": 2, "Red": 1, "Green": 1, "Blue": 1, "Pink": 0}


@given(totals, portions, rules, units)
def test_shares_and_rest_are_the_sum(total, rows, rule, unit):
    division = divide(total, rows, rule, unit)
    assert sum(share.cents for share in division.shares) + division.rest == total
    assert division.rest >= 0
    assert [share.player for share in division.shares] == [row.player for row in rows]
    assert all(share.cents >= 0 and share.cents % unit == 0 for share in division.shares)


@given(totals, portions, rules, units)
def test_nobody_is_a_unit_away_from_the_exact_part(total, rows, rule, unit):
    weights = sum(row.weight for row in rows)
    division = divide(total, rows, rule, unit)
    for row, share in zip(rows, division.shares, strict=True):
        exact = Fraction(total * row.weight, weights) if weights else 0
        assert abs(share.cents - exact) < unit
        if rule is not RestRule.PLACE:
            assert share.cents <= exact


@given(totals, portions, rules, units, st.randoms(use_true_random=False))
def test_the_order_of_entry_decides_nothing(total, rows, rule, unit, chance):
    division = divide(total, rows, rule, unit)
    shuffled = chance.sample(rows, len(rows))
    again = divide(total, shuffled, rule, unit)
    assert cents_of(again) == cents_of(division)
    assert (again.rest, again.by_place) == (division.rest, division.by_place)


@given(totals, portions, rules, units)
def test_equals_get_the_same_and_a_better_place_not_less(total, rows, rule, unit):
    shares = cents_of(divide(total, rows, rule, unit))
    for one in rows:
        for other in rows:
            if one.weight == other.weight and one.place == other.place:
                assert shares[one.player] == shares[other.player]
            if one.weight == other.weight and 0 < one.place < other.place:
                assert shares[one.player] >= shares[other.player]
            if one.weight > other.weight:
                assert shares[one.player] >= shares[other.player]


@given(st.integers(0, 100_000), st.integers(1, 12), units)
def test_by_place_nothing_is_over_where_all_places_differ(total, count, unit):
    division = divide(total, [Portion(f"p{n}", 1, n) for n in range(1, count + 1)], RestRule.PLACE, unit)
    assert division.rest < unit


@pytest.mark.parametrize(
    ("total", "rows", "rule", "shares", "rest", "sentence"),
    [
        (900, "123", RestRule.HOUSE, [300, 300, 300], 0, None),
        (1000, "123", RestRule.HOUSE, [333, 333, 333], 1, "10.00 does not divide evenly: 0.01 goes to the house"),
        (
            1000,
            "123",
            RestRule.CARRY,
            [333, 333, 333],
            1,
            "10.00 does not divide evenly: 0.01 carries over to the next event",
        ),
        (
            1001,
            "312",
            RestRule.PLACE,
            [333, 334, 334],
            0,
            "10.01 does not divide evenly: the extra 0.02 went to the largest remainders, then to the better places",
        ),
        (
            1001,
            "122",
            RestRule.PLACE,
            [334, 333, 333],
            1,
            "10.01 does not divide evenly: the extra 0.01 went by remainder and place, and 0.01 to the house",
        ),
        (1000, "111", RestRule.PLACE, [333, 333, 333], 1, "10.00 does not divide evenly: 0.01 goes to the house"),
        (1000, "010", RestRule.PLACE, [333, 334, 333], 0, None),
    ],
)
def test_money_that_does_not_divide_is_said_in_one_sentence(*, total, rows, rule, shares, rest, sentence):
    division = divide(total, [Portion(f"p{n}", 1, int(place)) for n, place in enumerate(rows)], rule)
    assert [share.cents for share in division.shares] == shares
    assert division.rest == rest
    if sentence is not None or not division.by_place:
        assert say_rest(division) == sentence


def test_money_is_paid_in_coins():
    division = divide(1000, [Portion("a", 2, 1), Portion("b", 1, 2)], RestRule.PLACE, unit=25)
    assert cents_of(division) == {"a": 675, "b": 325}
    assert divide(1010, [Portion("a"), Portion("b")], RestRule.PLACE, unit=100).rest == 10


def test_of_nobody_everything_is_rest():
    assert divide(500, []).rest == 500
    assert divide(500, [Portion("a", 0)]).shares == (Share("a", 0),)


@pytest.mark.parametrize(("total", "weight", "unit"), [(-1, 1, 1), (1, -1, 1), (1, 1, 0)])
def test_what_is_no_amount_is_refused(total, weight, unit):
    with pytest.raises(RuleError, match=r"^amounts and shares must be 0 or more"):
        divide(total, [Portion("a", weight)], unit=unit)


@pytest.mark.parametrize(
    ("cents", "text"),
    [(0, "0.00"), (5, "0.05"), (1250, "12.50"), (-5, "-0.05"), (-1250, "-12.50"), (100_000, "1000.00")],
)
def test_money_is_written_with_two_digits_of_cents(cents, text):
    assert money(cents) == text
