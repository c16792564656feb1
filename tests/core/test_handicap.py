"""A handicap: one player starts ahead in this game, as a line of the sheet."""

import pytest

from pegboard import Amend, Deal, Restore, RuleError, Rules, Score, TakeBack, new_game, play
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import GiveHeadStart, Penalize, Stage, Substitute
from pegboard.core.position import Lane
from pegboard.errors import Already, GameOver

MISDEAL = with_house_rules(Rules(), ["misdeal=2"])


def table(*commands, rules=None, players=("Ann", "Bob")):
    game = new_game(rules or Rules(), players)
    for command in commands:
        game = play(game, command)
    return game


def fronts(game):
    return [lane.front for lane in game.lanes]


def test_bob_starts_twenty_ahead():
    game = table(GiveHeadStart(1, 20))
    assert game.lanes == (Lane(), Lane(20))
    assert not game.position.scored
    assert fronts(play(game, Score(8, 1))) == [0, 28]


def test_undone_everyone_starts_in_the_start_holes():
    game = table(GiveHeadStart(1, 20), Score(6, 0), Score(8, 1))
    assert fronts(play(game, TakeBack(1))) == [6, 8]
    assert fronts(play(play(game, TakeBack(1)), Restore(1))) == [6, 28]


def test_it_never_wins():
    game = table(GiveHeadStart(1, 120))
    assert (game.outcome, fronts(game)) == (None, [0, 120])
    late = table(GiveHeadStart(1, 120), TakeBack(1), Score(29, 1), Restore(1))
    assert (late.outcome is not None, fronts(late)) == (True, [0, 121]), "the hand was counted after it"


@pytest.mark.parametrize(
    ("variant", "holes", "most"),
    [("standard", 121, 120), ("standard", 122, 120), ("standard", 0, 120), ("short", 61, 60), ("standard", True, 120)],
)
def test_a_handicap_at_or_beyond_the_game_hole_is_refused(variant, holes, most):
    game = table(rules=Rules.named(variant))
    with pytest.raises(RuleError) as refusal:
        play(game, GiveHeadStart(1, holes))
    assert str(refusal.value) == (
        f"a head start must end before the game hole {most + 1}: use 1 to {most} holes, not {holes}"
    )
    assert game == table(rules=Rules.named(variant))


@pytest.mark.parametrize("house", ["three for last=on", "dealer start=on"])
def test_it_comes_on_top_of_the_head_start_of_the_rules_and_stays_if_another_player_dealt(house):
    rules = with_house_rules(Rules(), [house])
    ahead = 1 if house.startswith("three") else 0  # Ann deals first
    game = table(GiveHeadStart(1, 20), rules=rules)
    assert fronts(game) == [3 * (ahead == 0), 20 + 3 * (ahead == 1)]
    corrected = play(game, Deal(1, new=False))
    assert fronts(corrected) == [3 * (ahead == 1), 20 + 3 * (ahead == 0)]
    with pytest.raises(RuleError, match="use 1 to 117 holes"):
        play(table(rules=rules), GiveHeadStart(ahead, 118))


@pytest.mark.parametrize("before", [Score(2, 0), Score(0, 1), Penalize(2, 0)])
def test_once_something_is_pegged_it_is_too_late(before):
    game = table(Deal(0, new=False), before)
    with pytest.raises(Already, match="line 2 has already been pegged; a head start is given before the first points"):
        play(game, GiveHeadStart(1, 20))
    assert fronts(play(play(game, TakeBack(2)), GiveHeadStart(1, 20))) == [0, 20]


def test_who_deals_and_who_plays_does_not_matter():
    game = table(
        Deal(0, new=False), Stage("play"), Substitute(0, "Ann", "Cy"), GiveHeadStart(1, 20), GiveHeadStart(0, 5)
    )
    assert fronts(game) == [5, 20]


def test_a_second_one_for_the_same_player_names_the_first():
    game = table(GiveHeadStart(1, 20))
    with pytest.raises(Already, match="there already is a head start of 20 for Bob; undo line 1 first"):
        play(game, GiveHeadStart(1, 10))


def test_partners_start_ahead_together():
    game = table(GiveHeadStart(2, 20), rules=Rules.named("partners"), players=("Ann", "Bob", "Cy", "Dee"))
    assert fronts(game) == [20, 0]
    with pytest.raises(Already, match="a head start of 20 for Ann and Cy"):
        play(game, GiveHeadStart(0, 10))


def test_alone_there_is_nobody_to_start_ahead_of():
    with pytest.raises(RuleError, match="there is no opponent at this table to start ahead of"):
        play(table(rules=Rules.named("solitaire"), players=("Ann",)), GiveHeadStart(0, 5))


def test_after_the_end_and_for_no_seat_it_is_refused():
    for commands, error in (([Score(29, 0)] * 5, GameOver), ([], RuleError)):
        with pytest.raises(error):
            play(table(*commands), GiveHeadStart(1 if commands else 2, 20))


def test_a_skunk_counts_the_holes_of_the_head_start():
    game = table(GiveHeadStart(1, 91), *[Score(29, 0)] * 5)
    assert game.outcome is not None
    assert game.outcome.skunks == (0, 0)


@pytest.mark.parametrize(
    "settled",
    [
        Penalize(0, 1, fault="not-cut", redeal=0),
        Penalize(0, 1, fault="not-cut", accepted=True),
        Penalize(0, 1, fault="out-of-turn", accepted=True),
    ],
    ids=repr,
)
def test_a_fault_of_the_first_deal_that_pegged_nothing_allows_a_head_start(settled):
    game = table(settled, rules=with_house_rules(Rules(), ["pone chooses=on"]))
    assert fronts(play(game, GiveHeadStart(1, 20))) == [0, 20]


def test_a_fault_of_the_first_deal_that_pegged_points_is_too_late_for_one():
    game = table(Penalize(2, 1, fault="out-of-turn", redeal=1))
    with pytest.raises(Already, match="line 1 has already been pegged"):
        play(game, GiveHeadStart(1, 20))


def test_an_undone_head_start_is_not_redone_beside_another():
    game = table(GiveHeadStart(1, 10), TakeBack(1), GiveHeadStart(1, 20))
    with pytest.raises(Already, match="there already is a head start of 20 for Bob; undo line 2 first"):
        play(game, Restore(1))
    assert fronts(play(play(game, TakeBack(2)), Restore(1))) == [0, 10]


def test_a_head_start_that_was_undone_by_mistake_is_redone_after_the_first_points():
    assert fronts(play(table(GiveHeadStart(1, 10), Score(2, 0), TakeBack(1)), Restore(1))) == [2, 10]


def test_nothing_is_pegged_before_a_head_start_by_a_redo_or_a_correction():
    game = table(Score(5, 1), TakeBack(1), GiveHeadStart(1, 118))
    with pytest.raises(Already) as refusal:
        play(game, Restore(1))
    assert str(refusal.value) == "line 2 is a head start, which comes before the first points; undo line 2 first"
    assert fronts(play(play(game, TakeBack(2)), Restore(1))) == [0, 5]
    assert fronts(play(table(GiveHeadStart(1, 118), Score(1, 1), TakeBack(2)), Restore(2))) == [0, 119]
    waived = table(Penalize(0, 1, fault="not-cut", redeal=0), GiveHeadStart(1, 118), rules=MISDEAL)
    with pytest.raises(Already, match=r"^line 2 is a head start"):
        play(waived, Amend(1, 2, 0))
    undone = play(waived, TakeBack(1))
    assert play(undone, Restore(1)).counts(1), "it pegs nothing"
