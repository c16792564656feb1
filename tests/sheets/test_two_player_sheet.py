"""Sheet B, a board maker's sheet for two players, in its order: each rule a test or a row, then a whole dealt game."""

from dataclasses import replace

import pytest

import pegboard
from pegboard.core.presets import preset_rules
from tests.support.sheet_games import ANN, BOB, fronts, play_dealt_game, scored, table, won

# --- players, deck and board ---


def test_two_players_have_a_lane_and_two_pegs_each():
    game = table()
    assert (len(game.players), game.rules.lanes) == (2, 2)
    assert game.lanes == (pegboard.Lane(0, 0), pegboard.Lane(0, 0)), "all pegs begin in the start holes"


def test_the_first_into_hole_121_wins():
    assert won(91).outcome.winner == ANN
    assert table().rules.game_hole == 121


def test_points_beyond_the_game_hole_do_no_harm():
    game = scored(table(), *[(ANN, 24)] * 5, (ANN, 12))
    assert (fronts(game), game.outcome.winner) == ([121, 0], ANN)


def test_each_score_leapfrogs_the_rear_peg_over_the_front_peg():
    game = scored(table(), (ANN, 4), (ANN, 5))
    assert (game.lanes[ANN].front, game.lanes[ANN].rear) == (9, 4)


# --- deal, crib and starter ---


def test_the_deal_passes_to_the_other_player_after_each_deal():
    game, dealers = table(dealer=BOB), []
    for _ in range(4):
        dealers.append(game.dealer)
        game = pegboard.play(scored(game, (ANN, 2)), pegboard.Deal())
    assert dealers == [BOB, ANN, BOB, ANN]


def test_a_jack_turned_scores_two_for_the_dealer():
    assert fronts(scored(table(dealer=BOB), (BOB, 2, "heels"))) == [0, 2]


def test_heels_are_not_the_pones():
    game = pegboard.play(table(dealer=ANN), pegboard.Deal(BOB))
    with pytest.raises(pegboard.RuleError, match="heels are the dealer's, and the dealer is Bob"):
        scored(game, (ANN, 2, "heels"))


# --- the play ---


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ("7 8", [0, 2]),
        ("K J A 10", [0, 0, 0, 2]),
        ("4 4", [0, 2]),
        ("4 4 4", [0, 2, 6]),
        ("4 4 4 4", [0, 2, 6, 12]),
        ("J Q", [0, 0]),
        ("4 3 5 6", [0, 0, 3, 4]),
        ("2 3 4", [0, 0, 3]),
        ("4 9 4", [0, 0, 0]),
        ("5 6 6 7", [0, 0, 2, 0]),
    ],
    ids=["fifteen", "thirty-one", "pair", "three", "four", "ten-cards", "run of four", "run", "apart", "doubled"],
)
def test_a_card_scores_what_it_makes_with_those_before_it(laid: str, points: list[int]):
    cards = laid.split()
    assert [pegboard.count_play(" ".join(cards[:end])).points for end in range(1, len(cards) + 1)] == points


def test_the_pone_leads_and_nobody_passes_31():
    play = pegboard.begin_play(("Ann", "Bob"), [4, 4], dealer=ANN)
    assert play.turn == BOB
    with pytest.raises(pegboard.RuleError, match="K cannot be played: the count would be 40"):
        pegboard.follow_play("K K K K")


def test_a_go_is_one_point_and_the_count_restarts():
    steps = pegboard.follow_play("K 9 Q go go 5").steps
    assert [(step.count, step.points) for step in steps[-3:]] == [(29, 0), (29, 1), (5, 0)]


def test_the_last_card_is_one_point():
    play = pegboard.follow_play("9 K J go K 5 K go 4 10")
    assert play.state.over
    assert [step.points for step in play.steps][-1] == 1


# --- the show ---


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("2 2 3 4", "7", 10),
        ("5H 10C JD 3S", "2C", 8),
        ("9C 9D 9H KS", "4C", 6),
        ("2H 6H 8H KH", "10C", 4),
        ("2H 6H 8H KH", "10H", 5),
        ("JD 2C 4S 8H", "QD", 1),
        ("5H 5C 5S JD", "5D", 29),
        ("2C 4D 6H 8S", "KC", 0),
    ],
)
def test_a_hand_counts_fifteens_pairs_runs_flush_and_nobs(hand: str, starter: str, points: int):
    assert pegboard.count_show(hand, starter).points == points


def test_the_pone_counts_first_then_the_dealer_then_the_crib():
    game = scored(table(dealer=ANN), (BOB, 2, "play"), (ANN, 1, "go"))
    game = pegboard.play(game, pegboard.Stage("show"))
    assert game.standing.to_count == BOB
    game = scored(game, (BOB, 6, "hand"))
    assert game.standing.to_count == ANN
    assert scored(game, (ANN, 8, "hand")).phase == "crib"


# --- the end ---


@pytest.mark.parametrize(("loser", "lines"), [(91, 0), (90, 1), (61, 1), (60, 2)])
def test_a_loser_who_is_far_behind_is_skunked(loser: int, lines: int):
    assert won(loser).outcome.skunks[BOB] == lines


def test_a_win_ends_the_game_in_the_middle_of_the_show():
    game = scored(table(dealer=ANN), *[(BOB, 29)] * 4, (ANN, 12), (BOB, 8, "hand"))
    assert game.outcome.winner == BOB
    with pytest.raises(pegboard.RuleError):
        scored(game, (ANN, 12, "hand"))


# --- its preset ---


@pytest.mark.parametrize(("variant", "house"), [("standard", ())])
def test_the_preset_has_these_rules(variant: str, house: tuple[str, ...]):
    assert replace(preset_rules("Two-player sheet", variant), preset="") == table(*house, variant=variant).rules


# --- a whole game ---


@pytest.mark.parametrize("seed", range(2))
def test_a_dealt_game_is_scored_to_its_end(tmp_path, seed: int):
    ending = play_dealt_game(tmp_path, f"sheet B {seed}")
    assert ending.winner == ending.home
    loser = ending.holes[1 - ending.winner]
    assert ending.skunks[1 - ending.winner] == (loser <= 90) + (loser <= 60)
