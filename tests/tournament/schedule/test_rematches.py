"""Rematches after any games before: only as many as every schedule has, proved by trying all for small fields."""

import itertools
from collections import Counter
from unittest import mock

from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.tournament.schedule import rest_of_rounds
from pegboard.tournament.schedule.rest_of_rounds import PairingInput, least_cost, pair_rest
from pegboard.tournament.schedule.round_search import COSTS, Meetings
from pegboard.tournament.schedule.sit_outs import RoundsToShare, games_to_plan, share_all
from tests.oracles.schedules import best_of_all, meetings_by_number, padded


@st.composite
def small_nights(draw):
    """Fields of up to six, with any games before and some to come."""
    players = draw(st.integers(2, 6))
    pairs = list(itertools.combinations(range(players), 2))
    played = draw(st.lists(st.sampled_from(pairs), max_size=9))
    games = draw(st.integers(1, 4))
    owed = [games + draw(st.integers(0, 1)) for _ in range(players)]
    plan = games_to_plan(RoundsToShare(owed, [0] * players), owed, "one_more")
    return list(plan.owed), played


@given(small_nights())
@example(([4, 4, 5, 5, 4], [(0, 1), (0, 1), (0, 4), (0, 4), (1, 4)]))
@example(([5, 4, 4, 4, 5], [(0, 4), (0, 4)]))
def test_no_schedule_of_a_small_field_has_fewer_or_earlier_rematches(night):
    owed, played = night
    paired = pair_rest(PairingInput(RoundsToShare(owed, [0] * len(owed)), played))
    games = Counter(player for pairs in paired.rounds for pair in pairs for player in pair)
    assert [games[player] for player in range(len(owed))] == owed
    best = best_of_all(owed, len(paired.rounds), played)
    assert padded(meetings_by_number(paired.rounds, played)) == best


@given(small_nights())
def test_no_schedule_of_a_small_field_has_fewer_rounds(night):
    owed, played = night
    rounds = len(pair_rest(PairingInput(RoundsToShare(owed, [0] * len(owed)), played)).rounds)
    assert best_of_all(owed, rounds - 1, played) is None


@given(small_nights())
def test_no_schedule_of_a_small_field_is_below_the_bound(night):
    owed, played = night
    rounds = len(pair_rest(PairingInput(RoundsToShare(owed, [0] * len(owed)), played)).rounds)
    best = best_of_all(owed, rounds, played)
    cost = sum(COSTS[number] * games for number, games in zip(range(21, 1, -1), best, strict=True))
    assert least_cost(Meetings(len(owed), played), owed) <= cost


def test_two_triangles_that_are_left_need_a_rematch():
    """Six have played all games between two threes: whoever was not met sits in one's own three, which is odd."""
    played = [(one, other) for one in range(3) for other in range(3, 6)]
    paired = pair_rest(PairingInput(RoundsToShare([1] * 6, [0] * 6), played))
    assert sum(meetings_by_number(paired.rounds, played)) == 1


def test_a_field_whose_last_round_is_forced_gets_it():
    """Eight rounds of ten players leave one opponent for each."""
    ring = [[(9, number), *(((number + step) % 9, (number - step) % 9) for step in range(1, 5))] for number in range(9)]
    played = [pair for pairs in ring[:8] for pair in pairs]
    paired = pair_rest(PairingInput(RoundsToShare([1] * 10, [0] * 10), played))
    assert {frozenset(pair) for pair in paired.rounds[0]} == {frozenset(pair) for pair in ring[8]}


def test_rematches_come_in_the_last_rounds():
    played = [(one, other) for one, other in itertools.combinations(range(5), 2) if one + other != 4]
    paired = pair_rest(PairingInput(RoundsToShare([4] * 6, [0] * 6), played))
    met, rematches = Counter(frozenset(pair) for pair in played), []
    for pairs in paired.rounds:
        rematches.append(sum(met[frozenset(pair)] > 0 for pair in pairs))
        met.update(frozenset(pair) for pair in pairs)
    assert rematches == sorted(rematches)
    assert rematches[-1] > 0


def test_who_is_free_alone_has_no_game_in_any_way_to_share_out_rounds():
    """Two play a game that stands in the first round, and one is left: nobody can be his opponent then."""
    ways = share_all(RoundsToShare([2, 2, 2], [0] * 3, busy=[{0, 1}]))
    assert ways
    assert all(len(playing) % 2 == 0 for lineup in ways for playing in lineup)


@st.composite
def narrow_nights(draw):
    """Fields of up to eight with as many games to come as one likes, and few pairs left that have not met."""
    players = draw(st.integers(4, 8))
    owed = draw(st.lists(st.integers(1, 4), min_size=players, max_size=players).filter(lambda owed: sum(owed) % 2 == 0))
    pairs = list(itertools.combinations(range(players), 2))
    return owed, draw(st.lists(st.sampled_from(pairs), max_size=14, unique=True))


@given(narrow_nights())
@example(([3, 1, 1, 3], [(0, 1), (0, 2)]))
def test_more_sit_out_at_once_only_where_that_saves_a_rematch(night):
    owed, played = night
    rest = PairingInput(RoundsToShare(owed, [0] * len(owed)), played)
    with mock.patch.object(rest_of_rounds, "share_narrowly", return_value=None):
        plain = pair_rest(rest).rounds
    rounds = pair_rest(rest).rounds
    again, before = (padded(meetings_by_number(each, played)) for each in (rounds, plain))
    assert again < before or list(map(len, rounds)) == list(map(len, plain))
