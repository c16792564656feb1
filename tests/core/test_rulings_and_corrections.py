"""Corrections and rulings: rows are worked adjudications, the congress's rules and the score sheet's law."""

import json
from pathlib import Path

import pytest

from pegboard import Deal, Lane, Restore, RuleError, Rules, Score, TakeBack, decide, new_game, play
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import result
from pegboard.core.moves import (
    Abandon,
    Amend,
    CallMuggins,
    ClaimFalsely,
    Confirm,
    OverPeg,
    PegBack,
    Penalize,
    Retract,
    SetPegs,
)
from pegboard.core.names import LONGEST_NOTE
from pegboard.core.referee import director_only
from pegboard.errors import Already, GameOver, Moved
from tests.support.player_names import SIX

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "data" / "tournament_cases.json").read_text("utf-8"))[
        "peg_adjudication"
    ]
}


def table(variant="standard", *house):
    rules = with_house_rules(Rules.named(variant), house)
    return new_game(rules, SIX[: rules.seats])


def done(game, *commands):
    for command in commands:
        game = play(game, command)
    return game


def scored(game, *scores):
    return done(game, *(Score(points, seat, why=why[0] if why else None) for seat, points, *why in scores))


def standing(game, *pegs):
    """Each lane's pegs where a table found them, (front, rear) in turn."""
    return done(game, *(SetPegs(lane, front, rear) for lane, (front, rear) in enumerate(pegs)))


def fronts(game):
    return [lane.front for lane in game.lanes]


def refused(game, command, error=RuleError):
    """The sentence of a refusal; the board is as it was."""
    before = (game, game.positions)
    with pytest.raises(error) as refusal:
        play(game, command)
    assert (game, game.positions) == before
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


# --- false claim of game (ACC 8.4) ---


@pytest.mark.parametrize(("case", "true"), [("false-claim-basic", 8), ("false-claim-gives-game-and-skunk", 6)])
def test_false_claims_as_the_congress_works_them_out(case, true):
    before = CASES[case]["before"]
    game = standing(table("acc"), *((before[who]["front"], before[who]["rear"]) for who in "AB"))
    claimed = 121 - before["A"]["front"]
    game = done(game, Score(claimed, 0), ClaimFalsely(3, true, claimed))
    assert fronts(game) == [CASES[case]["after_score"][who] for who in "AB"]


def test_a_false_claim_can_give_the_opponent_the_game_and_turn_it_into_a_skunk():
    game = standing(table("acc"), (97, 92), (105, 101))
    game = done(game, Score(24, 0), ClaimFalsely(3, 6, 24))
    expected = CASES["false-claim-gives-game-and-skunk"]["result"]
    assert (game.outcome.winner, game.outcome.skunks) == ("AB".index(expected["winner"]), (1, 0))
    assert result(game).points == expected["game_points"]
    assert result(game).spread == (-expected["margin"], expected["margin"])


def test_the_offender_who_did_not_end_the_game_rightly_goes_on_playing():
    game = done(standing(table(), (110, 104), (100, 95)), Score(11, 0, why="hand"), ClaimFalsely(3, 8, 11))
    assert (game.outcome, game.lanes) == (None, (Lane(103, 102), Lane(103, 100)))
    assert scored(game, (1, 2)).lanes[1] == Lane(105, 103)


def test_taking_a_false_claim_back_restores_everything():
    won = done(standing(table(), (110, 104), (100, 95)), Score(11, 0))
    ruled = done(won, ClaimFalsely(3, 8, 11))
    back = done(ruled, TakeBack(4))
    assert (back.position, back.entries[2].event) == (won.position, won.entries[2].event)
    assert done(back, Restore(4)).position == ruled.position


def test_only_a_line_that_ended_the_game_falsely_is_a_false_claim():
    game = standing(table(), (110, 104), (100, 95))
    assert "did not end the game" in refused(scored(game, (0, 5)), ClaimFalsely(3, 3, 5))
    won = scored(game, (0, 13))
    assert "the claim is not false" in refused(won, ClaimFalsely(3, 11, 13))
    assert "the claim is not false" in refused(won, ClaimFalsely(3, 12, 13))
    assert done(won, ClaimFalsely(3, 10, 13)).lanes[1].front == 101
    assert "neither a score" in refused(won, ClaimFalsely(1, 10, 13))
    assert "0 to 29" in refused(won, ClaimFalsely(3, -1, 13))


def test_with_three_lanes_the_opponent_is_named():
    game = standing(table("three-handed"), (110, 104), (100, 95), (90, 85))
    won = scored(game, (0, 11))
    assert "must name the opponent's seat" in refused(won, ClaimFalsely(4, 8, 11))
    assert "not an opponent" in refused(won, ClaimFalsely(4, 8, 11, opponent=0))
    assert "seats are 0 to 2" in refused(won, ClaimFalsely(4, 8, 11, opponent=3))
    assert fronts(done(won, ClaimFalsely(4, 8, 11, opponent=2))) == [103, 100, 93]


def test_alone_nobody_is_awarded():
    game = standing(table("solitaire"), (110, 104))
    game = done(game, Score(11, 0, why="play"), ClaimFalsely(2, 8, 11))
    assert (fronts(game), game.entries[-1].event.to, game.entries[-1].event.award) == ([103], None, 0)


# --- over- and under-pegging ---


def test_an_over_peg_is_corrected_and_the_opponent_gets_nothing():
    assert "corrected to 8" in CASES["overpeg"]["result"]
    game = done(scored(table(), (0, 6), (0, 10)), OverPeg(2, 8, 10))
    assert game.lanes == (Lane(14, 6), Lane(0, 0))


def test_by_the_old_law_the_opponent_scores_the_excess():
    assert "opponent +2" in CASES["overpeg-old-english"]["result"]
    game = done(scored(table("standard", "over-peg=excess"), (0, 6), (0, 10)), OverPeg(2, 8, 10))
    assert game.lanes == (Lane(14, 6), Lane(2, 0))


def test_the_old_law_awards_nobody_where_there_is_no_opponent():
    game = done(scored(table("solitaire", "over-peg=excess"), (0, 10)), OverPeg(1, 8, 10))
    assert fronts(game) == [8]


def test_true_points_of_an_over_peg_are_fewer_and_possible():
    game = scored(table(), (0, 10), (0, 12, "hand"))
    assert "must be fewer, not 10" in refused(game, OverPeg(1, 10, 10))
    assert "must be fewer, not 11" in refused(game, OverPeg(1, 11, 10))
    assert "0 to 29" in refused(game, OverPeg(1, -1, 10))
    assert fronts(done(game, OverPeg(1, 0, 10))) == [12, 0]


def test_a_line_that_came_after_the_end_was_not_pegged_too_far():
    game = scored(standing(table("standard", "over-peg=excess"), (100, 90), (100, 90)), (0, 20), (1, 5))
    over = done(game, Amend(3, 21, 20))
    assert "came after the game had ended" in refused(over, OverPeg(4, 3, 5))


def test_an_under_peg_stands_in_strict_mode_where_no_player_undoes():
    assert CASES["underpeg-not-muggins"]["result"] == "6 stands; no correction"
    game = scored(table("acc"), (0, 6))
    for command in (TakeBack(), Amend(1, 8, 6), OverPeg(1, 4, 6)):
        assert "director" in director_only(game, decide(game, command))
    friendly = scored(table(), (0, 6))
    for command in (TakeBack(), Amend(1, 8, 6), OverPeg(1, 4, 6)):
        assert director_only(friendly, decide(friendly, command)) is None


def test_a_hand_of_zero_is_logged_and_the_pegs_are_not_touched():
    assert "front and rear unchanged" in CASES["zero-hand"]["result"]
    before = scored(table(), (0, 6), (1, 4))
    after = scored(before, (1, 0, "hand"))
    assert (after.lanes, len(after.entries)) == (before.lanes, 3)


# --- muggins (ACC 10.4) ---


@pytest.mark.parametrize(
    ("case", "claimed", "missed"), [("muggins-lesser", 4, 2), ("muggins-lesser-2", 2, 4), ("muggins-wrong", 4, 0)]
)
def test_muggins_is_the_lesser_and_a_wrong_call_goes_to_the_opponent(case, claimed, missed):
    game = done(table("standard", "muggins=on"), CallMuggins(1, claimed, missed))
    expected = CASES[case]["result"]
    assert fronts(game) == [expected.get("opponent", 0), expected.get("caller", 0)]


def test_a_wrong_call_among_three_goes_to_the_opponent_who_is_named():
    game = table("three-handed", "muggins=on")
    assert "must name the opponent's seat" in refused(game, CallMuggins(1, 4, 0))
    assert fronts(done(game, CallMuggins(1, 4, 0, opponent=2))) == [0, 0, 4]
    assert fronts(done(game, CallMuggins(1, 4, 2, opponent=0))) == [0, 2, 0]
    assert "not an opponent" in refused(game, CallMuggins(1, 4, 2, opponent=1))


@pytest.mark.parametrize(("claimed", "missed", "award"), [(11, 11, 2), (1, 11, 1), (11, 1, 1), (2, 2, 2), (29, 3, 2)])
def test_muggins_awards_no_more_than_its_owner_could_still_have_pegged(claimed, missed, award):
    """Bob at 118 has a hand of 12 and pegs 1 of it: two holes were left to miss."""
    game = scored(standing(table("standard", "muggins=on"), (60, 50), (118, 100)), (1, 1, "hand"))
    assert fronts(done(game, CallMuggins(0, claimed, missed))) == [60 + award, 119]


def test_with_three_the_owner_of_missed_points_is_the_opponent_who_is_named():
    game = standing(table("three-handed", "muggins=on"), (60, 50), (119, 100), (100, 90))
    assert fronts(done(game, CallMuggins(0, 12, 12, opponent=1))) == [62, 119, 100]
    assert fronts(done(game, CallMuggins(0, 12, 12, opponent=2))) == [72, 119, 100]
    assert "must name the opponent's seat" in refused(game, CallMuggins(0, 12, 12)), "12, or 2"


@pytest.mark.parametrize(
    ("claimed", "missed", "sentence"),
    [(0, 2, "1 to 29"), (30, 2, "1 to 29"), (True, 2, "1 to 29"), (2, -1, "0 to 29"), (2, 30, "0 to 29")],
)
def test_muggins_claims_are_of_a_possible_size(claimed, missed, sentence):
    assert sentence in refused(table("standard", "muggins=on"), CallMuggins(0, claimed, missed))


def test_muggins_is_called_where_it_is_played_and_by_a_seat_of_the_table():
    assert "not played at this table" in refused(table(), CallMuggins(0, 2, 2))
    assert "not played at this table" in refused(table(), Score(2, 0, why="muggins"))
    assert "no opponent at this table" in refused(table("solitaire"), CallMuggins(0, 2, 2))
    assert "seats are 0 to 1" in refused(table("standard", "muggins=on"), CallMuggins(2, 2, 2))


def test_muggins_leaves_phase_and_dealer():
    game = scored(table("standard", "muggins=on"), (1, 8, "hand"))
    after = done(game, CallMuggins(0, 4, 2))
    assert (after.phase, after.position.to_count, after.dealer) == (game.phase, game.position.to_count, game.dealer)


# --- penalties ---


@pytest.mark.parametrize("points", [1, 2, 30, 121])
def test_a_penalty_is_of_any_size_up_to_the_game_hole(points):
    assert fronts(done(table(), Penalize(points, 1, "misdeal"))) == [0, points]


@pytest.mark.parametrize("points", [0, 122, -2, 2.0, "2", None])
def test_other_penalties_are_refused(points):
    assert "1 to 121" in refused(table(), Penalize(points, 1))


def test_a_penalty_wins_a_game_as_any_points_do():
    game = done(standing(table(), (10, 5), (120, 110)), Penalize(2, 1))
    assert (game.outcome.winner, game.outcome.skunks) == (1, (2, 0))


def test_a_penalty_goes_to_an_opponent_and_its_note_is_kept():
    assert "no opponent at this table" in refused(table("solitaire"), Penalize(2, 0))
    game = done(table(), Penalize(2, 1, "  Ann   misdealt "))
    assert game.entries[0].event.note == "Ann misdealt"


@pytest.mark.parametrize(
    "command", [Penalize(2, 0, "x" * 81), PegBack(0, 1, "x" * 81), SetPegs(0, 2, 1, "x" * 81), Retract(0, "x" * 81)]
)
def test_a_note_is_short(command):
    assert LONGEST_NOTE == 80
    assert "at most 80 characters; this one has 81" in refused(scored(table(), (0, 1)), command)


def test_a_note_is_legible():
    assert "must consist of visible characters only" in refused(table(), Penalize(2, 0, "bell \x07"))


# --- pegging back and setting pegs ---


@pytest.mark.parametrize(
    ("pegs", "holes", "after"),
    [
        ((10, 4), 3, Lane(7, 4)),
        ((10, 4), 6, Lane(4, 3)),
        ((10, 4), 8, Lane(2, 1)),
        ((10, 4), 10, Lane(0, 0)),
        ((10, 4), 121, Lane(0, 0)),
        ((10, 9), 9, Lane(1, 0)),
        ((118, 110), 15, Lane(103, 102)),
    ],
)
def test_the_front_peg_goes_back_and_the_rear_peg_gives_way(pegs, holes, after):
    assert done(standing(table(), pegs), PegBack(0, holes)).lanes[0] == after


@pytest.mark.parametrize("holes", [0, -1, 122, 1.5, None, True])
def test_a_peg_goes_back_by_one_hole_or_more(holes):
    assert "1 to 121" in refused(table(), PegBack(0, holes))


@pytest.mark.parametrize("pegs", [(5, 5), (4, 5), (122, 3), (0, 3), (-1, -2), (5, -1), (5.0, 3), (5, None), (True, 0)])
def test_pegs_stand_one_before_the_other_or_both_in_the_start(pegs):
    assert "the front peg must be ahead of the rear peg" in refused(table(), SetPegs(0, *pegs))


@pytest.mark.parametrize("pegs", [(0, 0), (1, 0), (121, 120), (121, 0)])
def test_pegs_are_set_where_pegs_can_stand(pegs):
    assert done(scored(table(), (0, 7), (0, 6)), SetPegs(0, *pegs)).lanes[0] == Lane(*pegs)


def test_set_pegs_pin_their_lane_against_earlier_changes():
    game = done(scored(table(), (0, 10), (1, 4)), SetPegs(0, 30, 20), Score(2, 0))
    changed = done(game, TakeBack(1))
    assert (changed.lanes[0], changed.pin_of(0, after=1)) == (Lane(32, 30), 3)
    assert changed.pin_of(1, after=1) is None
    assert done(changed, TakeBack(3)).lanes[0] == Lane(2, 0)
    assert done(changed, TakeBack(3)).pin_of(0) is None


@pytest.mark.parametrize("command", [PegBack(2, 1), SetPegs(2, 2, 1), Penalize(1, 2)])
def test_rulings_are_for_a_seat_of_the_table(command):
    assert "seats are 0 to 1" in refused(table(), command)


# --- the end is never latched ---


def test_a_correction_reopens_a_game_and_changes_its_winner():
    over = scored(standing(table(), (110, 100), (118, 110)), (0, 12))
    assert over.outcome.winner == 0
    open_again = done(over, Amend(3, 8, 12))
    assert (open_again.outcome, open_again.position.phase) == (None, "unknown")
    assert scored(open_again, (1, 3)).outcome.winner == 1


def test_a_correction_changes_the_skunk():
    over = scored(standing(table(), (110, 100), (90, 80)), (0, 12))
    assert over.outcome.skunks == (0, 1)
    assert done(over, SetPegs(1, 91, 80)).outcome.skunks == (0, 0)
    assert done(over, PegBack(1, 30)).outcome.skunks == (0, 2)


def test_of_two_in_the_game_hole_the_first_to_arrive_has_won():
    over = scored(standing(table(), (110, 100), (118, 110)), (0, 12))
    both = done(over, SetPegs(1, 121, 110))
    assert both.outcome.winner == 0
    second = done(both, PegBack(0, 1))
    assert (second.outcome.winner, fronts(second)) == (1, [120, 121])
    assert done(second, PegBack(1, 1)).outcome is None


def test_one_who_is_set_into_the_game_hole_beside_a_winner_has_not_won():
    over = scored(standing(table(), (118, 110), (110, 100)), (1, 12))
    assert done(over, SetPegs(0, 121, 118)).outcome.winner == 1, "though the lane of the other comes first"


def test_the_games_course_waits_for_the_reopening_and_dead_lines_stay_dead():
    game = scored(standing(table(), (100, 90), (100, 90)), (0, 20), (1, 5))
    over = done(game, Amend(3, 21, 20))
    assert (over.outcome.winner, over.counts(4)) == (0, False)
    for command in (Score(1, 1), Penalize(2, 1), Deal()):
        assert "only its lines can be changed" in refused(over, command, GameOver)
    again = done(over, PegBack(0, 5))
    assert (fronts(again), again.counts(4)) == ([116, 100], False), "no later line wakes it"
    assert fronts(scored(again, (1, 3))) == [116, 103]


def test_muggins_after_the_end_is_refused():
    over = standing(table("standard", "muggins=on"), (121, 100))
    assert "only its lines can be changed" in refused(over, CallMuggins(1, 2, 2), GameOver)


def test_a_solitaire_that_fell_short_stays_over_and_is_judged_anew():
    game = table("solitaire")
    for _ in range(6):
        game = done(game, Score(10, 0, why="hand"), Score(4, 0, why="crib"))
    short = scored(game, (0, 5, "hand"))
    assert (fronts(short), short.outcome.winner) == ([89], None)
    assert done(short, SetPegs(0, 91, 89)).outcome.winner == 0
    assert done(short, SetPegs(0, 90, 89)).outcome.winner is None
    again = done(short, SetPegs(0, 121, 89), PegBack(0, 3))
    assert (fronts(again), again.outcome.winner) == ([118], 0), "its last hand has been counted"


@pytest.mark.parametrize(("front", "hand"), [(109, 12), (110, 12), (106, 12), (100, 21)])
@pytest.mark.parametrize("why", ["hand", None])
def test_the_last_hand_ends_a_solitaire_wherever_a_ruling_puts_its_pegs(front, hand, why):
    """Sheet A: six deals, then a last hand; there is no second one, in the game hole or before it."""
    game = table("solitaire")
    for _ in range(6):
        game = done(game, Score(0, 0, why="hand"), Score(0, 0, why="crib"))
    over = scored(done(game, SetPegs(0, front, front - 1)), (0, hand, why))
    for ruling in (PegBack(0, 2), SetPegs(0, 119, 100), SetPegs(0, 95, 90), ClaimFalsely(len(over.entries), 2, hand)):
        if isinstance(ruling, ClaimFalsely) and over.lanes[0].front < 121:
            continue
        ruled = done(over, ruling)
        assert (ruled.phase, ruled.outcome.winner) == ("over", 0 if fronts(ruled)[0] >= 91 else None)
        assert "only its lines can be changed" in refused(ruled, Score(4, 0, why="hand"), GameOver)


def test_a_solitaire_that_came_home_before_its_last_hand_is_opened_again_by_a_ruling():
    game = done(scored(table("solitaire"), (0, 5, "hand")), SetPegs(0, 118, 100), Score(3, 0, why="crib"))
    assert game.outcome.winner == 0
    assert done(game, PegBack(0, 2)).outcome is None


# --- amending ---


def test_an_amended_line_keeps_its_place_and_its_history():
    game = done(scored(table(), (0, 6), (0, 4)), Amend(1, 8, 6))
    assert game.lanes[0] == Lane(12, 8)
    (change,) = game.entries[0].history
    assert (change.did, change.was) == ("amend", 6)
    assert done(game, Amend(1, 6, 8)).lanes[0] == Lane(10, 6)


@pytest.mark.parametrize(
    ("command", "error", "sentence"),
    [
        (Amend(1, 8, 7), Moved, "line 1 now says 6, not 7"),
        (Amend(1, 6, 6), Already, "already says 6"),
        (Amend(1, 30, 6), RuleError, "0 to 29"),
        (Amend(1, 19, 6), RuleError, "are impossible"),
        (Amend(2, 3, 0), RuleError, "neither a score nor a penalty"),
        (Amend(3, 0, 2), RuleError, "1 to 121"),
        (Amend(4, 3, 2), Already, "already undone"),
        (Amend(9, 3, 2), RuleError, "it has 4 lines"),
        (Amend(None, 3, 2), RuleError, "there is no line None"),
    ],
)
def test_amendments_that_are_refused(command, error, sentence):
    game = done(scored(table(), (1, 6, "hand")), Deal(), Penalize(2, 1), Score(2, 0), TakeBack(4))
    assert sentence in refused(game, command, error)


def test_a_penalty_is_amended_up_to_the_game_hole():
    assert fronts(done(table(), Penalize(2, 1), Amend(1, 121, 2))) == [0, 121]


def test_an_amendment_ends_what_a_redo_could_put_back():
    game = done(scored(table(), (0, 6), (1, 4)), TakeBack(2), Amend(1, 8, 6))
    assert "nothing to redo" in refused(game, Restore(), Already)


# --- going back to an earlier line ---


def test_a_renege_takes_back_the_points_of_the_play_and_two_are_awarded_for_each_card():
    game = scored(table(), (1, 2, "play"), (0, 3, "play"), (1, 1, "go"))
    game = done(game, Retract(0, "Bob kept a playable card"), Penalize(4, 0))
    assert (fronts(game), game.phase) == ([4, 0], "cut")
    assert [game.counts(line) for line in range(1, 6)] == [False, False, False, True, True]


def test_the_game_goes_on_from_the_line_that_is_named():
    game = scored(table(), (1, 8, "hand"), (0, 6, "hand"), (0, 4, "crib"), (1, 2, "heels"))
    back = done(game, Retract(2))
    assert back.position == game.positions[2]
    assert done(back, TakeBack(5)).position == game.position


def test_lines_gone_back_over_are_not_changed_until_the_ruling_is_taken_back():
    game = done(scored(table(), (0, 6), (1, 4), (0, 2)), TakeBack(3), Retract(1))
    for command in (TakeBack(2), Amend(2, 5, 4), OverPeg(2, 3, 4), Restore(3)):
        assert "covered by the ruling in line 4" in refused(game, command, Already)
    assert done(game, Amend(1, 7, 6)).lanes[0] == Lane(7, 0)
    assert "already rolled back" in refused(game, Retract(2), Already)


@pytest.mark.parametrize(
    ("to", "error", "sentence"),
    [
        (2, Already, "there is nothing after line 2"),
        (1, Already, "line 1 is already undone"),
        (3, RuleError, "there is no line 3"),
        (-1, RuleError, "there is no line -1"),
        (False, RuleError, "there is no line False"),
    ],
)
def test_retractions_that_are_refused(to, error, sentence):
    game = done(scored(table(), (0, 6), (1, 4)), TakeBack(1))
    assert sentence in refused(game, Retract(to), error)


def test_an_empty_sheet_has_nothing_to_go_back_over():
    assert "the score sheet is empty" in refused(table(), Retract(0), Already)


def test_a_ruling_is_not_torn_from_the_line_it_rules_on():
    game = done(scored(table(), (0, 6), (1, 4)), OverPeg(1, 5, 6))
    assert "line 3 is a ruling on line 1, which would not be rolled back" in refused(game, Retract(2))
    assert fronts(done(game, Retract(0))) == [0, 0]


def test_a_retraction_that_was_taken_back_cannot_cut_under_a_later_ruling():
    game = done(scored(table(), (0, 6), (1, 4)), Retract(1), TakeBack(3), OverPeg(2, 3, 4))
    assert "line 4 is a ruling on a line that would be rolled back" in refused(game, Restore(3), Already)
    assert fronts(done(game, TakeBack(4), Restore(3))) == [6, 0]


def test_a_retraction_cannot_go_back_to_a_line_that_another_has_withdrawn():
    game = scored(table(), (0, 6), (1, 4), (0, 2))
    game = done(game, Retract(1), TakeBack(4), Retract(2), TakeBack(5), Restore(4))
    assert "line 2 is already rolled back" in refused(game, Restore(5), Already)


# --- a line under a ruling ---


def test_a_line_under_a_ruling_is_left_alone_until_the_ruling_is_taken_back():
    game = done(scored(table(), (0, 10)), OverPeg(1, 8, 10))
    for command in (TakeBack(1), Amend(1, 9, 10), OverPeg(1, 7, 10)):
        assert "line 1 is covered by the ruling in line 2" in refused(game, command, Already)
    free = done(game, TakeBack(2))
    assert fronts(free) == [10, 0]
    gone = done(free, TakeBack(1))
    assert "line 1 is already undone" in refused(gone, Restore(2), Already)
    twice = done(free, OverPeg(1, 7, 10))
    assert "covered by the ruling in line 3" in refused(twice, Restore(2), Already)


def test_undo_takes_the_newest_ruling_back_first():
    game = done(scored(table(), (0, 10)), OverPeg(1, 8, 10), TakeBack())
    assert fronts(game) == [10, 0]
    assert fronts(done(game, Restore())) == [8, 0]


# --- whose it is to rule ---


@pytest.mark.parametrize("command", [PegBack(0, 2), SetPegs(0, 3, 2), Retract(1)])
def test_rulings_on_pegs_are_the_directors_and_so_is_undoing_them(command):
    game = scored(table(), (0, 10), (1, 5))
    assert "director" in director_only(game, decide(game, command))
    ruled = done(game, command)
    assert "director's ruling" in director_only(ruled, decide(ruled, TakeBack()))
    undone = done(ruled, TakeBack())
    assert "director's ruling" in director_only(undone, decide(undone, Restore()))


def test_what_ends_the_game_before_later_scores_is_the_directors():
    game = scored(standing(table(), (100, 90), (100, 90)), (0, 20), (1, 5))
    assert "put later scores after the end of the game" in director_only(game, decide(game, Amend(3, 21, 20)))
    assert director_only(game, decide(game, Amend(3, 19, 20))) is None
    assert director_only(game, decide(game, Amend(4, 21, 5))) is None, "nothing came later"
    undone = done(game, TakeBack(3), Score(1, 0), Score(2, 1))
    assert "put later scores after the end of the game" in director_only(undone, decide(undone, Restore(3)))
    only_deals = done(standing(table(), (100, 90), (100, 90)), Score(20, 0), Deal())
    assert director_only(only_deals, decide(only_deals, Amend(3, 21, 20))) is None


# --- confirming the result ---


def test_both_confirm_and_a_change_of_winner_or_pegs_voids_it():
    over = standing(table("acc"), (121, 110), (100, 95))
    assert over.lanes_to_confirm() == (0, 1)
    one = done(over, Confirm(0, 0, (121, 100)))
    assert (one.lanes_to_confirm(), one.confirmed) == ((1,), (0,))
    assert "already confirmed the result" in refused(one, Confirm(0, 0, (121, 100)), Already)
    both = done(one, Confirm(1, 0, (121, 100)))
    assert both.lanes_to_confirm() == ()
    assert done(both, PegBack(1, 3)).lanes_to_confirm() == (0, 1)
    assert done(both, PegBack(1, 3), TakeBack()).lanes_to_confirm() == (0, 1), "void is void"


def test_a_correction_that_leaves_winner_and_pegs_leaves_the_confirmations():
    over = done(scored(table("acc"), (0, 3)), SetPegs(0, 121, 110), SetPegs(1, 100, 95))
    both = done(over, Confirm(0, 0, (121, 100)), Confirm(1, 0, (121, 100)))
    assert done(both, Amend(1, 4, 3)).lanes_to_confirm() == ()


@pytest.mark.parametrize(("winner", "told"), [(1, (121, 100)), (0, (121, 99)), (None, (121, 100)), (0, (121,))])
def test_another_result_than_the_boards_is_not_confirmed(winner, told):
    over = standing(table("acc"), (121, 110), (100, 95))
    assert "121 and 100" in refused(over, Confirm(0, winner, told), Moved)


def test_there_is_nothing_to_confirm_before_the_end():
    assert "until the game is over" in refused(table("acc"), Confirm(0, 0, (0, 0)))
    assert "seats are 0 to 1" in refused(standing(table("acc"), (121, 1)), Confirm(2, 0, (121, 0)))


def test_one_partner_confirms_for_both():
    over = standing(table("partners", "confirm=on"), (121, 110), (100, 95))
    assert done(over, Confirm(2, 0, (121, 100)), Confirm(1, 0, (121, 100))).lanes_to_confirm() == ()


def test_nobody_has_to_confirm_in_a_friendly_game_or_before_the_end():
    assert standing(table(), (121, 110)).lanes_to_confirm() == ()
    assert table("acc").lanes_to_confirm() == ()


# --- head starts (docs/rules.md, Variants: box-sheet, five-card) ---


def test_each_dealer_of_the_box_sheet_starts_three_ahead_with_every_deal():
    game = table("box-sheet")
    assert game.lanes == (Lane(3, 0), Lane(0, 0))
    game = scored(game, (1, 8, "hand"), (0, 6, "hand"), (0, 4, "crib"))
    assert game.lanes == (Lane(13, 9), Lane(11, 8))


def test_the_first_head_start_moves_with_the_first_dealer():
    game = done(table("box-sheet"), Deal())
    assert (game.dealer, game.lanes) == (1, (Lane(0, 0), Lane(3, 0)))
    game = done(table("five-card"), Deal())
    assert (game.dealer, game.lanes) == (1, (Lane(3, 0), Lane(0, 0)))


def test_a_head_start_moves_with_a_dealer_put_right_and_points_since_stay():
    game = scored(table("box-sheet"), (1, 8, "hand"), (0, 6, "hand"), (0, 4, "crib"))
    game = done(game, Penalize(2, 1), Deal(0))
    assert game.lanes == (Lane(16, 13), Lane(10, 8))
    untouched = done(scored(table("box-sheet"), (1, 8, "hand")), Deal(), Deal(0))
    assert untouched.lanes == (Lane(6, 3), Lane(8, 0))


def test_a_head_start_stops_one_hole_short_and_comes_before_the_card_that_passes_the_deal():
    game = standing(table("box-sheet"), (50, 40), (119, 110))
    game = scored(game, (1, 0, "hand"), (0, 0, "hand"))
    assert scored(game, (0, 0, "crib")).lanes[1] == Lane(120, 119)
    assert scored(game, (1, 2, "heels")).outcome.winner == 1, "119, 3 ahead to 120, and 2 for heels"
    at_120 = done(standing(table("box-sheet"), (50, 40), (120, 110)), Deal(), Score(1, 0), Deal())
    assert at_120.lanes[1] == Lane(120, 110)


def test_no_head_start_is_given_after_the_end():
    game = done(standing(table("box-sheet"), (110, 100), (50, 40)), Score(5, 0, why="play"), Deal())
    assert game.lanes[1] == Lane(53, 50)
    over = done(game, Amend(3, 11, 5))
    assert over.lanes[1] == Lane(50, 40)


def test_a_head_start_moves_even_where_a_score_came_back_before_the_deal_was_put_right():
    game = done(scored(table("box-sheet"), (1, 2, "play")), TakeBack(1), Deal(), Restore(1))
    assert (game.dealer, game.lanes) == (1, (Lane(0, 0), Lane(5, 3)))


def test_a_head_start_moves_where_the_game_has_ended_and_been_opened_again_since():
    game = done(
        table("box-sheet"), Score(10, 1, why="play"), SetPegs(0, 118, 100), Score(3, 0, why="play"), PegBack(0, 1)
    )
    game = done(game, Deal(0), Deal(1), TakeBack(5))  # a new deal is undone: what followed puts the first right
    assert (game.position.deal, game.position.dealer, game.lanes) == (1, 1, (Lane(120, 118), Lane(13, 3)))


def test_pegs_that_a_judge_has_set_stay_when_the_dealer_is_put_right():
    game = done(table("box-sheet"), SetPegs(0, 10, 4), Deal())
    assert game.lanes == (Lane(10, 4), Lane(3, 0))


def test_a_penalty_before_or_after_the_dealer_is_put_right_is_the_same():
    before = done(table("box-sheet"), Penalize(2, 0), PegBack(0, 1), Deal())
    after = done(table("box-sheet"), Deal(), Penalize(2, 0), PegBack(0, 1))
    assert before.lanes == after.lanes == (Lane(1, 0), Lane(3, 0))


def test_a_head_start_that_moves_can_end_the_game():
    game = done(scored(table("box-sheet"), (1, 0, "hand"), (0, 0, "hand")), SetPegs(0, 118, 100), SetPegs(1, 110, 100))
    game = done(game, Score(0, 0, why="crib"), Penalize(2, 0))
    assert (fronts(game), game.dealer) == ([120, 113], 1)
    put_right = done(game, Deal(0))
    assert (put_right.outcome.winner, fronts(put_right)) == (0, [121, 110])


def test_a_score_names_what_it_touches_and_so_does_a_ruling():
    game = scored(standing(table(), (110, 104), (100, 95)), (0, 11))
    before = game.revisions
    ruled = done(game, ClaimFalsely(3, 8, 11))
    assert [new - old for new, old in zip(ruled.revisions, before, strict=True)] == [1, 1]
    back = done(scored(table(), (0, 3)), Retract(0))
    assert back.revisions == (2, 0)


# --- nothing was due at all ---


@pytest.mark.parametrize(("why", "points", "front"), [("go", 1, 120), ("heels", 2, 119), ("play", 2, 119)])
def test_a_game_claimed_with_points_that_were_not_due_is_a_false_claim(why, points, front):
    game = standing(table(), (front, front - 1), (100, 95))
    game = done(game, Score(points, 0, why=why), ClaimFalsely(3, 0, points))
    assert fronts(game) == [front - 15, 100 + 121 - front]


@pytest.mark.parametrize(("why", "points"), [("go", 1), ("heels", 2)])
def test_a_go_that_was_none_is_corrected_to_nothing(why, points):
    game = done(scored(table(), (0, points, why)), OverPeg(1, 0, points))
    assert fronts(game) == [0, 0]
    assert "a go is 1" in refused(scored(table(), (0, 1, "go")), Amend(1, 0, 1)), "an amendment names what it was"


def test_a_penalty_that_was_not_due_or_too_large_is_put_right():
    game = done(table(), Penalize(50, 1))
    assert fronts(done(game, OverPeg(1, 0, 50))) == [0, 0]
    assert fronts(done(game, OverPeg(1, 40, 50))) == [0, 40]


def test_a_ruling_is_not_put_back_onto_a_line_that_says_something_else_now():
    game = done(scored(table("standard", "over-peg=excess"), (0, 6)), OverPeg(1, 4, 6), TakeBack(2), Amend(1, 2, 6))
    assert "line 1 now says 2, not 6" in refused(game, Restore(2), Moved)
    assert fronts(done(game, Amend(1, 6, 2), Restore(2))) == [4, 2]


@pytest.mark.parametrize("was", [True, 6.0, "6", None])
def test_what_a_line_was_seen_to_say_is_a_whole_number(was):
    assert "a whole number" in refused(scored(table(), (0, 6)), Amend(1, 5, was))


@pytest.mark.parametrize(("winner", "told"), [(False, (121, 100)), (0, (121.0, 100)), (0, (121, True))])
def test_a_result_is_confirmed_in_whole_numbers(winner, told):
    over = standing(table("acc"), (121, 110), (100, 95))
    assert "whole numbers" in refused(over, Confirm(0, winner, told))


def test_a_wrong_call_between_two_tells_the_seat_it_goes_to():
    assert done(table("standard", "muggins=on"), CallMuggins(1, 4, 0)).entries[0].event.seat == 0
    assert done(table("partners", "muggins=on"), CallMuggins(1, 4, 0)).entries[0].event.seat is None
    assert done(table("partners", "muggins=on"), CallMuggins(1, 4, 0, opponent=2)).entries[0].event.seat == 2


def test_a_penalty_through_a_score_is_a_penalty():
    assert "1 to 121" in refused(table(), Score(0, 0, why="penalty"))
    assert "no opponent at this table" in refused(table("solitaire"), Score(2, 0, why="penalty"))


def test_the_shape_is_judged_before_the_end():
    over = standing(table(), (121, 110))
    for command in (Score(30, 1), Penalize(122, 1), Penalize(2, 1, "x" * 81)):
        with pytest.raises(RuleError) as refusal:
            play(over, command)
        assert not isinstance(refusal.value, GameOver)


@pytest.mark.parametrize("variant", ["acc", "standard"])
def test_a_game_is_given_up_by_the_director_where_players_are_held_strictly(variant):
    for front in (120, 121):
        given_up = standing(table(variant), (front, 110))
        assert (director_only(given_up, decide(given_up, Abandon())) is not None) == (variant == "acc")


def test_where_players_confirm_a_finished_game_is_given_up_by_the_director():
    begun = table("standard", "confirm=on")
    over, going = standing(begun, (121, 110)), standing(begun, (120, 110))
    assert director_only(over, decide(over, Abandon())) == "only the director can abandon a finished game at this table"
    assert director_only(going, decide(going, Abandon())) is None
