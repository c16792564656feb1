"""One-game play-offs for a tie: each puts one out, who meets whom is drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.errors import Already
from pegboard.tournament.playoffs.tie_play_off import begin_tie_play_off
from pegboard.tournament.playoffs.ties import Decider, TieDecision


def test_two_play_one_game():
    tie = begin_tie_play_off(["b", "a"], 1)
    assert (tie.pairs, tie.decision) == ((("b", "a"),), None)
    assert tie.with_game("a", "b").decision == TieDecision((("a",), ("b",)), Decider.GAME)


def test_of_three_for_one_place_who_rested_meets_the_winner():
    tie = begin_tie_play_off(["a", "b", "c"], 1)
    assert tie.pairs == (("a", "b"),)
    tie = tie.with_game("b", "a")
    assert tie.pairs == (("c", "b"),)
    assert tie.with_game("c", "b").decision == TieDecision((("c",), ("a", "b")), Decider.GAME)


def test_of_three_for_two_places_one_game_puts_one_out():
    tie = begin_tie_play_off(["a", "b", "c"], 2).with_game("b", "a")
    assert tie.decision == TieDecision((("c", "b"), ("a",)), Decider.GAME)


@given(st.integers(2, 9), st.data())
def test_just_as_many_are_left_as_there_are_places_and_each_game_puts_one_out(count, data):
    places = data.draw(st.integers(1, count - 1))
    drawn = data.draw(st.permutations([f"p{n}" for n in range(count)]))
    tie, games = begin_tie_play_off(drawn, places), 0
    while tie.decision is None:
        meeting = [one for pair in tie.pairs for one in pair]
        assert len(meeting) == len(set(meeting))
        pair = data.draw(st.sampled_from(tie.pairs))
        winner, loser = data.draw(st.permutations(pair))
        tie, games = tie.with_game(winner, loser), games + 1
        assert loser not in tie.remaining
    assert games == count - places
    through, out = tie.decision.groups
    assert len(through) == places
    assert sorted(through + out) == sorted(drawn)
    assert {game.loser for game in tie.games} == set(out)


@given(st.integers(2, 9), st.data())
def test_a_game_that_is_undone_goes_with_those_that_hung_on_it(count, data):
    places = data.draw(st.integers(1, count - 1))
    tie = begin_tie_play_off([f"p{n}" for n in range(count)], places)
    while tie.decision is None:
        winner, loser = data.draw(st.permutations(data.draw(st.sampled_from(tie.pairs))))
        tie = tie.with_game(winner, loser)
    undone = data.draw(st.sampled_from(tie.games))
    fewer = tie.without_game(undone.winner, undone.loser)
    assert undone not in fewer.games
    assert set(fewer.games) <= set(tie.games)
    assert any({undone.winner, undone.loser} == set(pair) for pair in fewer.pairs)
    again = fewer
    while again.decision is None:
        again = again.with_game(*again.pairs[0])
    assert len(again.games) == count - places


def test_two_who_do_not_meet_now_are_refused():
    tie = begin_tie_play_off(["a", "b", "c"], 1)
    with pytest.raises(RuleError, match=r"^these two do not meet in this tie now$"):
        tie.with_game("a", "c")
    with pytest.raises(Already, match=r"^there is no such game of this tie$"):
        tie.without_game("a", "b")


@pytest.mark.parametrize(("players", "places"), [("ab", 2), ("ab", 0), ("a", 1), ("aab", 1)])
def test_what_is_no_tie_is_refused(players, places):
    with pytest.raises(RuleError, match=r"^a tie has more players than places"):
        begin_tie_play_off(players, places)
