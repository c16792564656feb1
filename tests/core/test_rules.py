"""The game by the rules: pegs, ends, skunks, phases, dealers; rows are from the rule sheets."""

import json
from pathlib import Path

import pytest

from pegboard import Deal, Lane, Restore, RuleError, Rules, Score, Start, TakeBack, decide, new_game, play
from pegboard.core.board import Game
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import next_dealer, result
from pegboard.core.moves import Started
from pegboard.core.referee import apply
from pegboard.core.rules import VARIANTS
from pegboard.errors import Already, GameOver
from tests.support.player_names import SIX

CASES = json.loads((Path(__file__).parent.parent / "data" / "tournament_cases.json").read_text("utf-8"))
FOUR = ("Ann", "Bob", "Cy", "Dee")


def table(variant="standard", dealer=0, *, house=()):
    rules = with_house_rules(Rules.named(variant), house)
    return new_game(rules, SIX[: rules.seats], dealer)


def scored(game, *scores):
    """(seat, points) or (seat, points, why), one after the other."""
    for seat, points, *why in scores:
        game = play(game, Score(points, seat, why=why[0] if why else None))
    return game


def climbed(game, seat, hole):
    """The seat's front peg on `hole`, by steps that no rule asks about."""
    while (left := hole - game.lanes[game.rules.lane_of(seat)].front) > 0:
        game = scored(game, (seat, min(left, 29)))
    return game


def refused(game, command, error=RuleError):
    """The sentence of a refusal; the board is as it was."""
    before = (game, game.positions)
    with pytest.raises(error) as refusal:
        play(game, command)
    assert (game, game.positions) == before
    return str(refusal.value)


# --- pegs ---


def test_rear_peg_leapfrogs_the_front_peg():
    game = scored(table(), (0, 6), (0, 12))
    assert game.lanes == (Lane(18, 6), Lane(0, 0))


def test_zero_is_a_line_and_moves_no_peg():
    game = scored(table(), (0, 6), (0, 0, "crib"))
    assert game.lanes[0] == Lane(6, 0)
    assert len(game.entries) == 2


def test_empty_board_is_two_lanes_in_the_start_holes():
    assert Game().lanes == (Lane(0, 0), Lane(0, 0))


def test_partners_share_a_lane():
    game = scored(table("partners"), (0, 5), (2, 7), (3, 1))
    assert [lane.front for lane in game.lanes] == [12, 1]


@pytest.mark.parametrize("points", [-1, 30, 1.5, "6", True, None])
def test_impossible_amounts_are_refused(points):
    assert "0 to 29" in refused(table(), Score(points, 0))


@pytest.mark.parametrize("seat", [-1, 2, 7, "0", True])
def test_unknown_seats_are_refused(seat):
    assert "seats are 0 to 1" in refused(table(), Score(1, seat))


def test_a_score_needs_seat_or_lane():
    assert "seat or lane" in refused(table(), Score(1))


def test_seat_and_lane_must_agree():
    assert "pegs in lane 0" in refused(table(), Score(1, seat=0, lane=1))


def test_unknown_lane_is_refused():
    assert "lanes are 0 to 1" in refused(table(), Score(1, lane=2))


@pytest.mark.parametrize(
    ("why", "points"),
    [(why, points) for why in ("hand", "crib") for points in (19, 25, 26, 27)]
    + [("play", 16), ("heels", 1), ("heels", 3), ("go", 2), ("go", 0), ("luck", 3)],
)
def test_points_that_no_cards_make_are_refused(why, points):
    refused(table(), Score(points, 0, why=why))


def test_a_hand_of_three_cards_counts_to_15_or_20_and_a_crib_as_any_crib():
    def counts(why):
        return {points for points in range(30) if is_taken(table(variant="five-card"), Score(points, 0, why=why))}

    assert counts("hand") == {*range(16), 20}
    assert counts("crib") == {*range(30)} - {19, 25, 26, 27}


def is_taken(game, asked):
    try:
        play(game, asked)
    except RuleError:
        return False
    return True


# --- the end ---


@pytest.mark.parametrize(
    ("front", "points", "over"), [(119, 1, False), (119, 2, True), (120, 1, True), (110, 29, True)]
)
def test_first_into_the_game_hole_wins_at_once_and_needs_no_exact_count(front, points, over):
    game = scored(climbed(table(), 0, front), (0, points))
    assert (game.outcome is not None) == over
    assert game.lanes[0].front == min(front + points, 121)


@pytest.mark.parametrize(
    ("loser", "skunks"), [(120, 0), (91, 0), (90, 1), (89, 1), (61, 1), (60, 2), (59, 2), (31, 2), (0, 2)]
)
def test_skunk_lines_are_90_and_60(loser, skunks):
    game = climbed(climbed(table(), 1, loser), 0, 121)
    assert game.outcome.winner == 0
    assert game.outcome.skunks == (0, skunks)


@pytest.mark.parametrize("case", CASES["game_scoring"], ids=lambda case: f"{case['winner']}-{case['loser']}")
def test_skunks_as_the_congress_labels_them(case):
    game = climbed(climbed(table(), 1, case["loser"]), 0, case["winner"])
    assert game.outcome.skunks[1] == {"win": 0, "skunk": 1, "double skunk": 2}[case["acc_label"]]


@pytest.mark.parametrize(("loser", "worth"), [(91, 1), (90, 2), (60, 3)])
def test_match_points_of_the_standard_game_are_1_2_3(loser, worth):
    game = climbed(climbed(table(), 1, loser), 0, 121)
    assert result(game).points == worth


def test_short_game_ends_at_61_with_a_skunk_at_30():
    game = climbed(climbed(table("short"), 1, 30), 0, 61)
    assert game.outcome.skunks == (0, 1)


def test_each_loser_of_three_is_judged_alone():
    game = climbed(climbed(climbed(table("three-handed"), 1, 60), 2, 91), 0, 121)
    assert game.outcome.skunks == (0, 2, 0)
    assert result(game).points == 3


def test_nothing_scores_after_the_end():
    game = climbed(table(), 0, 121)
    assert "Ann has won" in refused(game, Score(1, 1), GameOver)
    assert "Ann has won" in refused(game, Deal(), GameOver)


def test_a_win_on_heels_is_a_win():
    game = climbed(table(), 1, 120)
    game = play(game, Deal(dealer=1))
    assert scored(game, (1, 2, "heels")).outcome.winner == 1


def test_taking_back_the_winning_line_opens_the_game_again():
    game = play(climbed(table(), 0, 121), TakeBack())
    assert game.outcome is None
    assert play(game, Score(1, 1)).lanes[1].front == 1


def test_lines_after_the_end_move_nothing_and_do_not_count():
    game = scored(climbed(climbed(table(), 0, 110), 1, 100), (0, 5))
    line = len(game.entries)
    game = scored(play(game, TakeBack(line)), (0, 10), (1, 4))
    game = play(game, Restore(line))
    assert game.outcome.winner == 0
    assert not game.counts(len(game.entries))
    assert [lane.front for lane in game.lanes] == [121, 100]


def test_a_line_that_came_before_can_end_the_game_and_silence_the_other_winner():
    game = climbed(climbed(table(), 0, 115), 1, 115)
    game = scored(game, (0, 10))
    assert game.outcome.winner == 0
    line = len(game.entries)
    game = scored(play(game, TakeBack(line)), (1, 10))
    assert game.outcome.winner == 1
    before = game.revisions
    game = play(game, Restore(line))
    assert game.outcome.winner == 0, "the first to have arrived has won"
    assert game.lanes[1].front == 115
    assert game.revisions == (before[0] + 1, before[1] + 1), "the other lane's pegs were moved too"


# --- undo and redo ---


def test_undo_and_redo_give_the_same_board():
    game = scored(table(), (0, 5), (1, 7))
    assert play(play(game, TakeBack()), Restore()).lanes == game.lanes


def test_undo_of_an_old_line_keeps_the_later_ones():
    game = play(scored(table(), (0, 5), (1, 7), (0, 3)), TakeBack(1))
    assert game.lanes == (Lane(3, 0), Lane(7, 0))


def test_undo_twice_and_redo_twice_walk_the_same_way():
    game = scored(table(), (0, 5), (0, 7))
    back = play(play(game, TakeBack()), TakeBack())
    assert back.lanes[0] == Lane(0, 0)
    assert play(back, Restore()).lanes[0] == Lane(5, 0)
    assert play(play(back, Restore()), Restore()).lanes == game.lanes


def test_unnamed_redo_ends_with_the_next_line_and_a_named_one_does_not():
    game = scored(play(scored(table(), (0, 5)), TakeBack()), (1, 1))
    refused(game, Restore(), Already)
    assert play(game, Restore(1)).lanes[0] == Lane(5, 0)


def test_nothing_to_undo_or_redo_is_said():
    assert "nothing to undo" in refused(table(), TakeBack(), Already)
    assert "nothing to redo" in refused(table(), Restore(), Already)
    game = scored(table(), (0, 5))
    assert "is not undone" in refused(game, Restore(1), Already)
    assert "already undone" in refused(play(game, TakeBack()), TakeBack(1), Already)
    assert "no line 9" in refused(game, TakeBack(9))
    assert "no line '1'" in refused(game, TakeBack("1"))
    assert "no line True" in refused(game, TakeBack(True))


def test_revisions_count_the_events_that_touch_a_lane():
    game = scored(table(), (0, 5), (0, 0), (1, 3))
    assert game.revisions == (2, 1)
    game = play(play(game, TakeBack(1)), Deal())
    assert game.revisions == (3, 1)


# --- dealer and phase ---


def test_a_deal_runs_from_the_cut_to_the_next_deal():
    game = table()
    assert (game.position.phase, game.position.deal, game.position.dealer) == ("cut", 1, 0)
    for seat, points, why, phase, to_count in [
        (0, 2, "heels", "play", None),
        (1, 2, "play", "play", None),
        (0, 1, "go", "play", None),
        (1, 8, "hand", "hand", 0),
        (0, 6, "hand", "crib", None),
        (0, 4, "crib", "play", None),
    ]:
        game = scored(game, (seat, points, why))
        assert (game.position.phase, game.position.to_count) == (phase, to_count)
    assert (game.position.deal, game.position.dealer) == (2, 1)


def test_in_the_crib_a_card_of_the_play_passes_the_deal():
    game = scored(table(), (1, 8, "hand"), (0, 6, "hand"), (1, 2, "play"))
    assert (game.position.phase, game.position.deal, game.position.dealer) == ("play", 2, 1)


def test_heels_after_an_empty_crib_are_the_next_dealers():
    game = scored(table(), (1, 8, "hand"), (0, 6, "hand"))
    game = scored(game, (1, 2, "heels"))
    assert (game.position.phase, game.position.deal, game.position.dealer) == ("play", 2, 1)


def test_a_later_hand_implies_zeros_for_those_skipped():
    game = scored(table("three-handed"), (2, 5, "hand"))
    assert (game.position.phase, game.position.to_count) == ("hand", 0)
    game = scored(game, (1, 5, "hand"))
    assert (game.position.phase, game.position.to_count) == ("hand", 0), "a hand already counted leaves the phase"


def test_play_during_the_show_leaves_the_phase():
    game = scored(table(), (1, 5, "hand"), (0, 2, "play"))
    assert (game.position.phase, game.position.to_count) == ("hand", 0)


@pytest.mark.parametrize("why", ["muggins", "penalty"])
def test_muggins_and_penalties_never_move_the_phase(why):
    assert scored(table(house=["muggins=on"]), (0, 2, why)).phase == "cut"


def test_a_score_without_a_reason_makes_the_phase_unknown_until_the_next_deal():
    game = scored(table(), (0, 2), (1, 5, "play"), (1, 6, "hand"))
    assert game.position.phase == "unknown"
    assert play(game, Deal()).position.phase == "play"


def test_in_the_unknown_heels_and_crib_are_believed():
    game = scored(table(), (0, 2))
    heels = scored(game, (1, 2, "heels"))
    assert (heels.position.phase, heels.position.dealer) == ("play", 1)
    crib = scored(game, (1, 4, "crib"))
    assert (crib.position.phase, crib.position.dealer) == ("play", 0)


def test_heels_are_the_dealers_once_and_before_he_plays():
    assert "the dealer is Ann" in refused(table(), Score(2, 1, why="heels"))
    assert "one starter" in refused(scored(table(), (0, 2, "heels")), Score(2, 0, why="heels"))
    assert "before the play" in refused(scored(table(), (0, 2, "play")), Score(2, 0, why="heels"))


def test_the_crib_is_the_dealers():
    assert "the dealer is Ann" in refused(table(), Score(4, 1, why="crib"))


def test_partners_heels_and_crib_are_judged_by_lane():
    game = play(table("partners"), Score(2, lane=0, why="heels"))
    game = play(game, Score(4, seat=2, why="crib"))
    assert game.position.dealer == 1


def test_a_hand_without_a_seat_is_the_next_ones_if_its_lane_agrees():
    game = play(table("partners"), Score(4, lane=1, why="hand"))
    assert (game.position.phase, game.position.to_count) == ("hand", 2)
    assert play(game, Score(4, lane=1, why="hand")).position.phase == "unknown"
    assert play(game, Score(4, lane=0, why="hand")).position.to_count == 3


def test_a_hand_in_the_crib_leaves_the_phase():
    game = scored(table(), (1, 8, "hand"), (0, 6, "hand"), (1, 2, "hand"))
    assert (game.position.phase, game.position.deal) == ("crib", 1)


def test_in_the_unknown_a_crib_without_a_seat_is_the_dealers_or_the_next_ones():
    game = play(table("partners"), Score(1, seat=0))
    assert play(game, Score(4, lane=0, why="crib")).position.dealer == 1
    assert play(game, Score(4, lane=1, why="crib")).position.dealer == 2


def test_in_the_unknown_heels_of_another_seat_leave_the_number_of_the_deal():
    assert scored(table(), (0, 2), (1, 2, "heels")).position.deal == 1


def test_heels_are_no_card_of_the_play():
    game = scored(table(), (0, 2, "heels"))
    assert (game.position.scored, game.position.carded) == (True, False)


def test_a_dealer_put_right_has_dealt():
    assert play(table(), Deal()).phase == "play"


def test_a_penalty_is_nothing_of_the_deal_so_deal_still_moves_the_first_dealer():
    game = play(scored(table(), (0, 2, "penalty")), Deal())
    assert (game.dealer, game.position.deal) == (1, 1)


def test_deal_in_the_first_deal_moves_the_first_dealer():
    game = play(table(), Deal())
    assert (game.dealer, game.position.deal) == (1, 1)
    assert play(game, TakeBack()).dealer == 0


def test_deal_twice_is_one_deal():
    game = play(scored(table(), (0, 2)), Deal())
    assert (game.dealer, game.position.deal) == (1, 2)
    assert "Bob already has the deal" in refused(game, Deal(), Already)
    assert play(game, Deal(dealer=0)).dealer == 0
    assert play(game, Deal(dealer=0)).position.deal == 2


def test_a_deal_stays_a_deal_when_what_it_followed_is_taken_back():
    game = scored(play(scored(table(), (0, 2)), Deal()), (0, 5))
    assert play(game, TakeBack(1)).position.deal == 2


def test_solitaire_is_won_from_91_after_the_seventh_hand():
    def played(points):
        game = table("solitaire")
        for _ in range(6):
            game = scored(game, (0, points, "hand"), (0, 0, "crib"))
        assert game.position.deal == 7
        return scored(game, (0, points, "hand"))

    assert played(12).outcome.winner is None
    assert played(13).outcome.winner == 0
    assert played(13).lanes[0].front == 91
    assert result(played(12)) is None


def test_solitaire_ends_at_once_in_the_game_hole():
    assert climbed(table("solitaire"), 0, 121).outcome.winner == 0


def test_deal_ends_the_seventh_deal_of_a_solitaire_even_where_it_scored_nothing():
    game = table("solitaire")
    for _ in range(6):
        game = scored(game, (0, 15, "hand"), (0, 1, "crib"))
    assert play(game, Deal()).outcome.winner == 0


def test_the_first_deal_of_a_solitaire_has_nobody_to_pass_to():
    assert "Ann already has the deal" in refused(table("solitaire"), Deal(), Already)


def test_solitaire_ends_with_deal_or_a_plain_score_in_the_seventh_deal():
    game = table("solitaire")
    for _ in range(6):
        game = play(scored(game, (0, 1)), Deal())
    assert scored(game, (0, 1)).outcome.winner is None
    game = scored(game, (0, 1, "play"))
    assert play(game, Deal()).phase == "over"


# --- starting ---


def test_each_variant_starts_with_its_seats_and_lanes():
    for name, rules in VARIANTS.items():
        game = table(name)
        assert len(game.lanes) == rules.lanes
        assert game.players == SIX[: rules.seats]


def test_a_wrong_number_of_players_is_refused():
    with pytest.raises(RuleError, match="standard is for 2 players, not 3"):
        new_game(Rules(), ("Ann", "Bob", "Cy"))


def test_names_that_nobody_can_see_are_refused():
    for name in ("\x07", "\udcff", "\u202e"):
        with pytest.raises(RuleError, match="must consist of visible characters only"):
            new_game(Rules(), ("Ann", name))


@pytest.mark.parametrize("name", ["👨\u200d👩\u200d👧 Dee", "نی\u200cلوفر", "क्\u200dष", "ボブ"])
def test_names_of_any_script_sit_down(name):
    assert new_game(Rules(), ("Ann", name)).players[1] == name


@pytest.mark.parametrize("name", ["", "   ", "x" * 65])
def test_empty_and_endless_names_are_refused(name):
    with pytest.raises(RuleError, match="1 to 64 characters"):
        new_game(Rules(), ("Ann", name))


def test_players_have_names_of_their_own():
    for names in (("Ann", "Bob", "Ann"), ("Ann", "Bob", " ann "), ("Cy", "BOB", "Bob")):
        with pytest.raises(RuleError, match=r"two players are called (Ann|BOB); give each a different name"):
            new_game(Rules.named("three-handed"), names)
    with pytest.raises(RuleError, match="two players are called \u00c5sa"):
        new_game(Rules(), ("\u00c5sa", "A\u030asa"))  # which look alike


def test_players_of_one_name_who_sit_at_the_table_already_play_on():
    names = ("Ann", "Ann")
    played = apply(Game(), Started(Rules(), names))
    assert decide(played, Start(Rules(), names, 1)).players == names
    with pytest.raises(RuleError, match="two players are called Bob"):
        decide(played, Start(Rules(), ("Bob", "Bob"), 1))


def test_an_endless_name_is_said_back_by_its_beginning():
    with pytest.raises(RuleError, match=r"'x{24}'\.\.\. has 65"):
        new_game(Rules(), ("Ann", "x" * 65))


def test_an_unknown_variant_is_refused_with_those_known():
    with pytest.raises(ValueError, match="standard, acc, short"):
        Rules.named("poker")


def test_a_dealer_who_is_not_there_is_refused():
    with pytest.raises(RuleError, match="seats are 0 to 1"):
        decide(Game(), Start(Rules(), ("Ann", "Bob"), 2))


@pytest.mark.parametrize(("winner", "first", "dealer"), [(0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 0)])
def test_loser_deals_the_next_game(winner, first, dealer):
    assert next_dealer(climbed(table(dealer=first), winner, 121)) == dealer


def test_the_first_dealer_put_right_by_deal_counts_for_the_next_game():
    assert next_dealer(play(table(), Deal())) == 1


def test_an_unfinished_game_leaves_the_first_deal_where_it_was():
    assert next_dealer(scored(table(dealer=1), (0, 5), (1, 9))) == 1


@pytest.mark.parametrize(("first", "dealer"), [(0, 1), (1, 3), (2, 3), (3, 1)])
def test_of_losing_partners_the_next_to_the_left_of_the_last_first_dealer_deals(first, dealer):
    assert next_dealer(climbed(table("partners", first), 0, 121)) == dealer


def test_the_hindmost_of_three_deals_the_next_game():
    game = climbed(climbed(climbed(table("three-handed"), 1, 80), 2, 70), 0, 121)
    assert next_dealer(game) == 2
