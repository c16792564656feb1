"""The cut: how many qualify, who they are, and which ties are open at it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.tournament.playoffs.qualifying import CUT_RULES, QUARTER, Cut, CutRule, Tie, TieKind, cut, read_cut_rule
from pegboard.tournament.playoffs.seeding import bracket_size, count_byes

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES["playoff_sizes"], ids=lambda case: str(case["entrants"]))
def test_play_offs_have_the_sizes_that_the_congress_publishes(case):
    qualifiers = QUARTER.count_qualifiers(case["entrants"])
    assert qualifiers == case["qualifiers"]
    if "bracket" in case:
        assert bracket_size(qualifiers) == case["bracket"]
        assert count_byes(qualifiers) == case["byes"]
        assert qualifiers - count_byes(qualifiers) == case["first_round_players"]


def ranked(rows):
    """The ranking of rows of game points, games won, spread and plus points; who are equal in all of them tie."""
    levels = sorted(set(map(tuple, rows)), reverse=True)
    return tuple(tuple(f"p{n}" for n, row in enumerate(rows, 1) if tuple(row) == level) for level in levels)


@pytest.mark.parametrize("case", CASES["qualification"], ids=lambda case: str(case["entrants"]))
def test_the_published_standings_are_cut_as_published(case):
    found = cut(ranked(case["rows_gp_won_net_plus"]))
    if isinstance(case["qualifiers"], list):
        assert found.order_seeds() == tuple(f"p{place}" for place in case["qualifiers"])
        assert found.high_non_qualifiers == (f"p{case['high_non_qualifier']}",)
        assert found.tie is None
    else:
        assert found.tie == Tie(TieKind.CUT, ("p1", "p2"), first=1, places=1)
        assert found.high_non_qualifiers == ()
        assert found.qualifiers == frozenset()


@pytest.mark.parametrize(
    ("entrants", "qualifiers"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (11, 3), (12, 3), (13, 4)]
)
def test_a_quarter_is_rounded_up_and_to_no_full_bracket(entrants, qualifiers):
    assert QUARTER.count_qualifiers(entrants) == qualifiers


def one_by_one(entrants):
    return tuple((f"p{n}",) for n in range(1, entrants + 1))


@given(st.integers(1, 300), st.sampled_from(sorted(CUT_RULES)))
def test_at_least_one_qualifies_and_at_most_everybody(entrants, name):
    qualifiers = CUT_RULES[name].count_qualifiers(entrants)
    assert 1 <= qualifiers <= entrants
    assert len(cut(one_by_one(entrants), CUT_RULES[name]).order_seeds()) == qualifiers


@pytest.mark.parametrize(
    ("text", "rule", "written"),
    [
        ("quarter", CutRule(1, 4), "1/4"),
        (" Third ", CutRule(1, 3), "1/3"),
        ("2/5", CutRule(2, 5), "2/5"),
        ("2 / 5", CutRule(2, 5), "2/5"),
        ("6", CutRule(fixed=6), "6"),
        ("top 8", CutRule(fixed=8), "8"),
    ],
)
def test_a_cut_is_a_name_a_part_or_a_number(text, rule, written):
    assert read_cut_rule(text) == rule
    assert rule.text == written
    assert read_cut_rule(rule.text) == rule


@pytest.mark.parametrize("text", ["", "0", "0/4", "1/0", "5/4", "-8", "1/2/3", "1.5", "quart", "99999", "²", "1/"])
def test_what_is_no_size_of_a_cut_is_refused_with_what_would_be_one(text):
    with pytest.raises(RuleError, match="use a fraction such as 1/4, a number such as 8, or quarter"):
        read_cut_rule(text)


def test_nobody_qualifies_where_nobody_has_entered():
    with pytest.raises(RuleError, match=r"^nobody has entered, so nobody can qualify$"):
        cut(())


# --- ties ---


@pytest.mark.parametrize(
    ("ranking", "places", "tie"),
    [
        ((("a",), ("b", "c"), ("d",)), 2, (("b", "c"), 2, 1)),
        ((("a",), ("b", "c", "d")), 3, (("b", "c", "d"), 2, 2)),
        ((("a", "b", "c", "d"),), 1, (("a", "b", "c", "d"), 1, 1)),
        ((("a", "b"), ("c", "d")), 2, None),
        ((("a",), ("b", "c", "d")), 1, None),
        ((("a",), ("b", "c")), 3, None),
    ],
)
def test_a_tie_is_at_the_cut_where_some_of_it_qualify_and_others_do_not(ranking, places, tie):
    assert Cut(ranking, places).tie == (tie and Tie(TieKind.CUT, *tie))


def test_a_tie_above_the_cut_is_one_for_seeds():
    found = Cut((("a", "b"), ("c",), ("d", "e", "f")), 3)
    assert (found.tie, found.seed_ties) == (None, (Tie(TieKind.SEED, ("a", "b"), 1),))
    assert found.qualifiers == {"a", "b", "c"}
    assert found.tie_below == Tie(TieKind.HIGH_NON_QUALIFIER, ("d", "e", "f"), 4)


def test_nobody_is_seeded_by_the_order_of_entry():
    with pytest.raises(RuleError, match=r"^places 1 to 2 are tied, and the order of entry never decides seeds"):
        Cut((("a", "b"), ("c",)), 3).order_seeds()
    with pytest.raises(RuleError, match=r"^there is a tie at the cutoff after place 1; break the tie first"):
        Cut((("a", "b"), ("c",)), 1).order_seeds()


def test_where_everybody_qualifies_nobody_is_the_highest_who_has_not():
    found = Cut((("a",), ("b",)), 2)
    assert (found.high_non_qualifiers, found.tie_below) == ((), None)


rankings = st.lists(st.integers(1, 4), min_size=1, max_size=12).map(
    lambda sizes: tuple(tuple(f"p{n}.{m}" for m in range(size)) for n, size in enumerate(sizes))
)


@given(rankings, st.data())
def test_a_forced_tie_is_named_until_it_is_decided_and_then_just_as_many_qualify(ranking, data):
    entrants = [player for group in ranking for player in group]
    places = data.draw(st.integers(1, len(entrants)))
    found = Cut(ranking, places)
    if found.tie is None:
        assert len(found.qualifiers) == places
        return
    assert len(found.qualifiers) + found.tie.places == places
    assert found.tie.places < len(found.tie.players)
    winners = data.draw(st.permutations(found.tie.players))[: found.tie.places]
    losers = tuple(player for player in found.tie.players if player not in winners)
    at = next(n for n, group in enumerate(ranking) if set(group) == set(found.tie.players))
    after = Cut((*ranking[:at], tuple(winners), losers, *ranking[at + 1 :]), places)
    assert after.tie is None
    assert after.qualifiers == found.qualifiers | set(winners)
    assert after.high_non_qualifiers == losers
