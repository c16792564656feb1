"""Invariants of a night's totals: they hold for every night, and each break is named with its games."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import Claim, GameRecord, Value, settle
from pegboard.tournament.results.rulings import adjudicate, award, decide_as_judge, ruling_choices
from pegboard.tournament.results.score_cards import CheckState, Invariant, score_cards, totals_panel
from pegboard.tournament.results.scoring import ACC, POINT_TABLES
from tests.support.tournament_field import NAMES, chance_records, open_record, ring

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))

PUBLISHED = {
    "sum(net)==0": lambda panel, _cards: panel.net == 0,
    "sum(plus)==sum(minus)": lambda panel, _cards: panel.plus == panel.minus,
    "sum(won)==number of games": lambda panel, _cards: panel.wins == panel.games,
    "sum(game_points)==2*games+skunks (2/3/0 scale)": lambda panel, _cards: (
        panel.points == 2 * panel.games + panel.skunks
    ),
    "for each card: 2*won <= game_points <= 3*won and game_points-2*won == skunk wins": lambda _panel, cards: all(
        2 * card.won <= card.points <= 3 * card.won and card.points - 2 * card.won == card.skunks for card in cards
    ),
    "net==plus-minus": lambda panel, cards: all(card.net == card.plus - card.minus for card in (panel, *cards)),
}
"""The published invariants, written out here once more."""

EXPLAINING = "after an ACC 12.2(a)/(b)/(e) adjudication the first three may legitimately fail"


@st.composite
def nights(draw, table=ACC):
    """The records of a field of 2 to 12 players with any results: who has won each game, and by how much."""
    pairings = list(ring(2 * draw(st.integers(1, 6)), draw(st.integers(1, 5))))
    many, results = len(pairings), st.tuples(st.booleans(), st.integers(1, 121))
    drawn = draw(st.lists(results, min_size=many, max_size=many))
    return [
        settle(pairing, (Claim(won, margin), Claim(not won, margin)), table)
        for pairing, (won, margin) in zip(pairings, drawn, strict=True)
    ]


def with_first_net(record, by):
    """The record with another net for its first player, which no ruling has given."""
    one, other = record.values
    return replace(record, values=(replace(one, net=one.net + by), other))


def is_sound(panel):
    """Whether nothing is broken that a ruling or an award does not explain."""
    return all(check.state != CheckState.BROKEN for check in panel.checks)


def states(records, table=ACC):
    return {check.check: check.state for check in totals_panel(records, table).checks}


@given(nights())
def test_the_published_invariants_hold_for_every_night_without_a_ruling(records):
    panel = totals_panel(records, ACC)
    cards = [card.totals for card in score_cards(records, ACC).values()]
    assert {name for name, holds in PUBLISHED.items() if not holds(panel, cards)} == set()
    assert set(PUBLISHED) == {name for name in CASES["standings_invariants"] if not name.startswith("after")}
    assert {check.state for check in panel.checks} == {CheckState.HOLDS}
    assert (panel.plus, panel.points) == (sum(card.plus for card in cards), sum(card.points for card in cards))


@pytest.mark.parametrize("table", POINT_TABLES.values(), ids=POINT_TABLES)
def test_the_invariants_hold_by_every_point_table(table):
    records = [
        settle(record.pairing, tuple(replace(claim, points=None) for claim in record.claims), table)
        for record in chance_records(8, 6)
    ]
    panel = totals_panel(records, table)
    assert is_sound(panel)
    points = next(check for check in panel.checks if check.check == Invariant.POINTS_FIT_WINS)
    plain = sum(table.plain_points(record.pairing.round) for record in records)
    assert points.said == f"game points {panel.points} = {plain} for wins + {panel.points - plain} for skunks"


CLAIMS = st.builds(Claim, st.booleans(), st.integers(1, 121))


@given(nights(), st.lists(st.tuples(CLAIMS, CLAIMS), max_size=4), st.sets(st.sampled_from(["p1", "p2", "p3", "p4"])))
def test_what_rulings_break_they_explain_and_nothing_else(records, disputes, qualifiers):
    ruled = []
    for number, claims in enumerate(disputes):
        record = GameRecord(Pairing(50 + number, ("p1", "p2")), claims)
        letters = [choice.letter for choice in ruling_choices(record, qualifiers, ACC) if choice.possible]
        ruled += [adjudicate(record, letter, qualifiers, ACC) for letter in letters]
    panel = totals_panel([*records, *ruled], ACC)
    assert is_sound(panel)
    apart = {record.key for record in ruled if sum(value.net for value in record.values)}
    losses = {record.key for record in ruled if record.winner is None}
    found = {check.check: (set(check.games), set(check.explained)) for check in panel.checks}
    assert found[Invariant.PLUS_IS_MINUS] == found[Invariant.NET_IS_ZERO] == (apart, apart)
    assert found[Invariant.WINS_ARE_GAMES] == found[Invariant.POINTS_FIT_WINS] == (losses, losses)
    assert found[Invariant.CARDS_FIT] == (set(), set())


def test_the_rulings_that_may_break_a_sum_are_the_published_ones():
    assert CASES["standings_invariants"][-1].startswith(EXPLAINING)
    differ, alike = (Claim(True, 17), Claim(False, 16)), (Claim(True, 12), Claim(True, 12))
    b = adjudicate(open_record(differ), "b", {"p1", "p2"}, ACC)
    e = adjudicate(open_record(alike), "e", set(), ACC)
    explained, holds = CheckState.EXPLAINED, CheckState.HOLDS
    assert list(states([b]).values()) == [explained, explained, holds, holds, holds]
    assert list(states([e]).values()) == [explained, explained, explained, explained, holds]


def test_a_broken_sum_says_by_how_much_and_names_its_games():
    records = list(chance_records(6, 5))
    e = adjudicate(open_record((Claim(True, 12), Claim(True, 12)), rounds=9), "e", set(), ACC)
    panel = totals_panel([*records, e], ACC, NAMES)
    plus, net, wins, points, cards = panel.checks
    assert (plus.games, plus.explained, plus.difference) == (("r9:p1-p2",), ("r9:p1-p2",), -24)
    assert plus.said == f"plus {panel.plus}, minus {panel.minus}: off by 24"
    assert net.said == "sum of nets: -24 instead of 0"
    assert wins.said == "wins 15, games 16"
    assert points.said == (f"game points are {panel.points}, but should be 32 for wins + {panel.skunks} for skunks")
    assert cards.said == "each card: game points = points for wins + points for skunks"


def test_a_value_that_nobody_ruled_is_broken_and_not_explained():
    records = list(chance_records(6, 5))
    damaged = with_first_net(records[7], 1)
    panel = totals_panel([*records[:7], damaged, *records[8:]], ACC)
    assert not is_sound(panel)
    for check in panel.checks[:2]:
        assert (check.state, check.games, check.explained) == (CheckState.BROKEN, (damaged.key,), ())


def test_two_breaks_that_hide_each_other_in_the_sum_are_both_named():
    records = list(chance_records(6, 5))
    wrong = [with_first_net(records[at], by) for at, by in ((2, 1), (9, -1))]
    rest = [record for at, record in enumerate(records) if at not in (2, 9)]
    check = totals_panel([*wrong, *rest], ACC).checks[0]
    assert (check.difference, check.state) == (0, CheckState.BROKEN)
    assert check.games == tuple(record.key for record in wrong)


def test_a_card_whose_points_do_not_fit_its_wins_is_named():
    records = list(chance_records(4, 3))
    one, other = records[0].values
    winner = 0 if one.won else 1
    values = tuple(replace(value, points=value.points + 1) if value.won else value for value in (one, other))
    panel = totals_panel([replace(records[0], values=values), *records[1:]], ACC, NAMES)
    check = panel.checks[-1]
    assert (check.check, check.state, check.games) == (Invariant.CARDS_FIT, CheckState.BROKEN, (records[0].key,))
    name = NAMES[records[0].pairing.players[winner]]
    assert check.said == f"game points do not match wins and skunks on the card of {name}"


def test_awards_keep_every_sum_and_a_judge_against_both_is_explained():
    late = award(open_record((None, None)), "late", "p1", ACC)
    assert set(states([late]).values()) == {CheckState.HOLDS}
    both = decide_as_judge(open_record((None, None)), (Value(0, -5), Value(0, -5)), ACC)
    assert states([both])[Invariant.WINS_ARE_GAMES] == CheckState.EXPLAINED


def test_games_that_are_not_settled_add_nothing():
    panel = totals_panel([open_record((Claim(True, 9), Claim(False, 8))), *chance_records(4, 3)], ACC)
    assert (panel.games, is_sound(panel)) == (6, True)
    empty = totals_panel([], ACC)
    assert (empty.games, empty.points, is_sound(empty)) == (0, 0, True)


def test_the_rehearsed_night_of_eight_adds_up_as_it_says():
    night = next(row for row in CASES["standings"] if row["id"] == "acc-desk-walkthrough-8")
    rows, expected = night["rows"], night["expect"]
    assert sum(row["game_points"] for row in rows) == expected["sum_game_points"] == 2 * night["total_games"]
    assert sum(row["won"] for row in rows) == expected["sum_won"] == night["total_games"]
    assert sum(row["net"] for row in rows) == expected["sum_net"]
