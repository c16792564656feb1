"""Play-offs of two: when they are won, and the games that are lost by not coming."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.tournament.playoffs.seeding import ACC_NO_SHOW, PlayOff, check_best_of

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))


def after(best_of, *winners):
    play_off = PlayOff(("a", "b"), best_of)
    for winner in winners:
        play_off = play_off.plus(winner)
    return play_off


@pytest.mark.parametrize(
    ("best_of", "winners", "winner", "won"),
    [
        (1, "a", "a", (1, 0)),
        (3, "aba", "a", (2, 1)),
        (3, "ab", None, (1, 1)),
        (3, "bb", "b", (0, 2)),
        (5, "aabb", None, (2, 2)),
        (5, "aabbb", "b", (2, 3)),
    ],
)
def test_more_than_half_of_the_games_win_it(best_of, winners, winner, won):
    play_off = after(best_of, *winners)
    assert (play_off.winner, play_off.won) == (winner, won)


def test_games_after_the_end_and_of_others_do_not_count():
    assert after(3, "a", "a", "b", "b").won == (2, 0)
    assert after(3, "c", "a").won == (1, 0)


@given(st.sampled_from([1, 3, 5, 7]), st.lists(st.sampled_from("ab"), max_size=9))
def test_one_wins_and_never_more_games_than_are_needed(best_of, winners):
    play_off = after(best_of, *winners)
    assert max(play_off.won) <= play_off.games_needed
    assert (play_off.winner is None) == (max(play_off.won) < play_off.games_needed)


@pytest.mark.parametrize("best_of", [0, 2, 4, 9, -1])
def test_other_lengths_are_refused(best_of):
    with pytest.raises(RuleError, match=rf"^a playoff must be best of 1, 3, 5, 7 games, not {best_of}$"):
        check_best_of(best_of)
    assert check_best_of(3) == 3


def test_who_does_not_come_loses_games_as_the_congress_has_published():
    published = next(row for row in CASES["awards_without_play"] if "no-show" in row["rule"])
    first, then = published["first_game_forfeit_after_min"], published["then_one_game_every_min"]
    assert ACC_NO_SHOW.minutes(3) == (first, first + then, first + 2 * then) == (5, 20, 35)
    assert ACC_NO_SHOW.minutes(1) == (5,)
