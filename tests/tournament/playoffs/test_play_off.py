"""Play-offs of two: when they are won, and the games that are lost by not coming."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.tournament.playoffs.play_off import (
    ACC_NO_SHOW,
    NO_SHOW_RULES,
    PlayOff,
    check_best_of,
    games_lost,
    next_loss_ms,
)

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))
MINUTE = 60_000
CALLED = 1_795_720_000_000


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
    with pytest.raises(RuleError, match=rf"^a play-off is the best of 1, 3, 5, 7 games, not of {best_of}$"):
        check_best_of(best_of)
    assert check_best_of(3) == 3


def test_the_rule_of_the_congress_is_the_published_one():
    published = next(row for row in CASES["awards_without_play"] if "no-show" in row["rule"])
    assert ACC_NO_SHOW.first_ms == published["first_game_forfeit_after_min"] * MINUTE
    assert ACC_NO_SHOW.then_ms == published["then_one_game_every_min"] * MINUTE


@pytest.mark.parametrize(
    ("minutes", "best_of", "lost"),
    [
        (0, 3, 0),
        (4, 3, 0),
        (5, 3, 1),
        (19, 3, 1),
        (20, 3, 2),
        (90, 3, 2),
        (34, 5, 2),
        (35, 5, 3),
        (5, 1, 1),
        (-60, 3, 0),
    ],
)
def test_who_does_not_come_loses_the_first_game_after_five_minutes_and_one_more_every_fifteen(minutes, best_of, lost):
    assert games_lost(CALLED, CALLED + minutes * MINUTE, best_of) == lost


@given(st.sampled_from(sorted(NO_SHOW_RULES)), st.sampled_from([1, 3, 5, 7]), st.integers(0, 200 * MINUTE))
def test_a_game_is_lost_at_the_very_moment_that_was_announced(name, best_of, waited):
    rule, now = NO_SHOW_RULES[name], CALLED + waited
    lost = games_lost(CALLED, now, best_of, rule)
    due = next_loss_ms(CALLED, lost, best_of, rule)
    if due is None:
        assert lost == PlayOff(("a", "b"), best_of).games_needed
    else:
        assert now < due
        assert games_lost(CALLED, due - 1, best_of, rule) == lost
        assert games_lost(CALLED, due, best_of, rule) == lost + 1
