"""Sheet C, the laws of 1922 with readers' notes, in its order: each rule a test or a row, then whole dealt games."""

from dataclasses import replace

import pytest

import pegboard
from pegboard.core.match import result
from pegboard.core.moves import Substitute
from pegboard.core.presets import PRESETS, preset_rules
from pegboard.core.referee import decide, director_only
from tests.support.sheet_games import ANN, BOB, at, fronts, play_dealt_game, scored, table, won, words_of_rule

HOUSE = ("skunks=lurch", "misdeal=2", "pone chooses=on")
"""The house rules of the laws."""

# --- board and pegs ---


@pytest.mark.parametrize("hole", [61, 121])
def test_the_game_is_once_or_twice_around(hole: int):
    game = scored(at(table(*HOUSE, f"game hole={hole}"), hole - 1), (ANN, 1, "go"))
    assert game.outcome.winner == ANN


def test_each_player_has_two_pegs_and_moves_the_last_past_the_first():
    assert scored(table(*HOUSE), (BOB, 2), (BOB, 3)).lanes[BOB] == pegboard.Lane(5, 2)


# --- the deal and its faults ---


def test_each_player_is_dealt_six_and_discards_two_to_the_dealers_crib():
    rules = preset_rules("1922 laws")
    assert "Each player is dealt six cards, one at a time, and discards two to the crib." in words_of_rule(
        "the-deal", rules
    )
    assert "The crib belongs to the dealer alone." in words_of_rule("the-crib", rules)


def test_the_pone_cuts_and_a_jack_turned_is_two_for_the_dealer():
    assert "cuts the deck and the dealer turns up" in words_of_rule("the-starter", preset_rules("1922 laws"))
    assert fronts(scored(table(*HOUSE, dealer=BOB), (BOB, 2, "heels"))) == [0, 2]


def penalties(*house):
    return {each["fault"]: each["points"] for each in table(*house).rules.penalties}


def test_a_card_faced_in_the_deck_or_a_wrong_deck_costs_nothing():
    usual = penalties(*HOUSE)
    assert [usual.get(fault, 0) for fault in ("faced-in-pack", "wrong-pack")] == [0, 0]


MISDEALS = ["not-cut", "wrong-card", "faced-card", "dealer-number", "pone-number"]


@pytest.mark.parametrize("fault", [*MISDEALS, "out-of-turn", "cut-pack"])
def test_other_faults_of_the_deal_cost_two(fault: str):
    assert penalties(*HOUSE)[fault] == 2
    redeal = {"cut-pack": None, "out-of-turn": BOB}.get(fault, ANN)  # Ann dealt in Bob's turn
    assert fronts(pegboard.play(table(*HOUSE), pegboard.Penalize(2, BOB, fault=fault, redeal=redeal))) == [0, 2]


def test_the_opponent_pegs_the_points_for_a_misdeal():
    assert fronts(pegboard.play(table(*HOUSE), pegboard.Penalize(2, BOB, "misdeal"))) == [0, 2]


@pytest.mark.parametrize("fault", MISDEALS)
def test_the_pone_may_let_a_misdeal_stand_or_have_it_redealt(fault: str):
    stands = pegboard.play(table(*HOUSE), pegboard.Penalize(2, BOB, fault=fault, accepted=True))
    again = pegboard.play(table(*HOUSE), pegboard.Penalize(2, BOB, fault=fault, redeal=ANN))
    assert fronts(stands) == fronts(again) == [0, 2]
    with pytest.raises(pegboard.RuleError, match="go to the dealer's opponents"):
        pegboard.play(table(*HOUSE), pegboard.Penalize(2, ANN, fault=fault, accepted=True))


@pytest.mark.parametrize("fault", MISDEALS)
def test_the_pone_decides_before_looking_but_on_the_dealers_wrong_number_even_after(fault: str):
    asked = pegboard.Penalize(2, BOB, fault=fault, accepted=True)
    looked = scored(table(*HOUSE), (BOB, 2, "play"))
    if fault == "dealer-number":
        assert fronts(pegboard.play(looked, asked)) == [0, 4]
    else:
        with pytest.raises(pegboard.RuleError, match="the pone has looked at the cards"):
            pegboard.play(looked, asked)
    with pytest.raises(pegboard.RuleError, match="the show has begun"):
        pegboard.play(scored(looked, (BOB, 8, "hand")), asked)


@pytest.mark.parametrize(
    "remedy",
    [
        "If the dealer has too many, the pone draws the extra cards and puts them on the deck",
        "and can look at them if the dealer has seen them.",
        "If the dealer has too few, the dealer takes cards from the top of the deck.",
        "If the pone has too many, the pone puts the extra cards back on the deck.",
        "If the pone has too few, the pone asks the dealer for the missing cards.",
    ],
)
def test_a_wrong_number_of_cards_is_corrected_if_the_deal_stands(remedy: str):
    assert remedy in words_of_rule("misdeal", preset_rules("1922 laws"))


def test_a_deal_out_of_turn_costs_two_until_the_pone_takes_up_the_cards():
    """Bob dealt, but it is Ann's deal."""
    redeal = pegboard.Penalize(2, ANN, fault="out-of-turn", redeal=ANN)
    assert fronts(pegboard.play(table(*HOUSE), redeal)) == [2, 0]
    taken_up = scored(table(*HOUSE), (BOB, 2, "play"))
    with pytest.raises(pegboard.RuleError, match="the deal stands without a penalty"):
        pegboard.play(taken_up, redeal)
    assert fronts(pegboard.play(taken_up, pegboard.Penalize(0, BOB, fault="out-of-turn", accepted=True))) == [0, 2]


# --- the play ---


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ("6 9", 2),
        ("6 6", 2),
        ("6 6 6", 6),
        ("7 7 7 7", 12),
        ("6 8 7", 3),
        ("5 4 3 3", 4),
        ("Q Q Q", 6),
        ("6 7 8 9", 4),
        ("3 3 A 3", 0),
        ("10 10 A 10", 2),
    ],
)
def test_the_last_card_laid_scores(laid: str, points: int):
    assert pegboard.count_play(laid).points == points


def test_go_is_one_and_thirty_one_two_without_a_last_card_on_top():
    assert [step.points for step in pegboard.follow_play("K 9 Q go go").steps] == [0, 0, 0, 0, 1]
    assert [step.points for step in pegboard.follow_play("8 7 6 J 9 9 9 go 10").steps][3] == 2


def test_whoever_can_play_must_play():
    with pytest.raises(pegboard.RuleError, match="cannot say go"):
        pegboard.begin_play(("Ann", "Bob"), [4, 4], dealer=BOB).go(ANN)


def test_a_renege_is_taken_back_and_costs_two_for_each_card():
    assert penalties(*HOUSE)["renege"] == 2
    game = scored(table(*HOUSE, dealer=BOB), (ANN, 3, "play"), (BOB, 5, "play"))
    game = pegboard.play(game, pegboard.Retract(1, "renege"))
    assert fronts(pegboard.play(game, pegboard.Penalize(2, ANN, "renege"))) == [5, 0]


# --- the show ---


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "points"),
    [
        ("8C 7D 6H AS", "AC", False, 13),
        ("8C 7D 6H 2S", "2C", False, 11),
        ("9C 9D 10H JS", "K", False, 8),
        ("2C 4C 6C 8C", "KH", True, 0),
        ("2C 4C 6C 8C", "KC", True, 5),
    ],
    ids=["Raggedy Ann", "Raggedy Andy", "9 9 10 J", "crib of four", "crib of five"],
)
def test_a_hand_counts(hand: str, starter: str, crib: bool, points: int):
    assert count(hand, starter, crib=crib) == points


def count(hand: str, starter: str, *, crib: bool) -> int:
    cut = starter if starter[-1] in "CDHS" else f"{starter}H"
    return pegboard.count_show(hand, cut, crib=crib).points


def test_nobody_counts_19_25_26_or_27():
    game = table(*HOUSE)
    for points in (19, 25, 26, 27):
        with pytest.raises(pegboard.RuleError, match="impossible"):
            scored(game, (BOB, points, "hand"))


def test_a_hand_of_nothing_called_nineteen_moves_no_peg():
    game = scored(table(*HOUSE), (BOB, 6), (BOB, 0, "hand"))
    assert game.lanes[BOB] == pegboard.Lane(6, 0)


def test_the_pone_counts_first_and_may_win_before_the_dealer_counts():
    game = scored(at(table(*HOUSE), 115, 112), (BOB, 10, "hand"))
    assert game.outcome.winner == BOB


# --- pegging faults ---


def test_too_many_points_are_pegged_back_and_the_opponent_scores_the_excess_where_the_old_law_holds():
    for award, opponent in (("none", 0), ("excess", 4)):
        game = scored(table(*HOUSE, f"over-peg={award}"), (ANN, 12, "hand"))
        assert fronts(pegboard.play(game, pegboard.OverPeg(1, 8, 12))) == [8, opponent]


@pytest.mark.parametrize(("strict", "reserved"), [("off", None), ("on", "reserved_corrections")])
def test_too_few_points_stand_in_a_strict_game_unless_a_director_corrects_them(strict: str, reserved: str | None):
    game = scored(table(*HOUSE, f"strict={strict}"), (ANN, 4, "hand"))
    message = director_only(game, decide(game, pegboard.Amend(1, 6, 4)))
    assert (message and message.key) == reserved


# --- lurch ---


@pytest.mark.parametrize(("hole", "safe"), [(121, 61), (61, 31)])
def test_a_loser_who_has_not_turned_the_corner_is_in_the_lurch_and_loses_two(hole: int, safe: int):
    house = (*HOUSE, f"game hole={hole}")
    assert [won(loser, *house).outcome.skunks[BOB] for loser in (safe, safe - 1)] == [0, 1]
    assert [result(won(loser, *house)).games for loser in (safe, safe - 1)] == [1, 2]


# --- the readers' notes, of which some are house rules ---


@pytest.mark.parametrize(("loser", "worth"), [(100, 1), (90, 2), (60, 4)])
def test_a_reader_counts_a_skunk_two_and_a_double_skunk_four(loser: int, worth: int):
    assert result(won(loser, "worth=games 1-2-4")).games == worth


@pytest.mark.parametrize(("front", "scores"), [(115, True), (116, False), (120, False)])
def test_a_reader_scores_no_heels_within_five_of_the_end(front: int, scores: bool):
    game = at(table(*HOUSE, "heels limit=last five"), front)
    if scores:
        assert fronts(scored(game, (ANN, 2, "heels")))[ANN] == front + 2
    else:
        with pytest.raises(pegboard.RuleError, match="heels"):
            scored(game, (ANN, 2, "heels"))


def test_a_reader_claims_missed_points():
    game = scored(table(*HOUSE, "muggins=on"), (ANN, 6, "hand"))
    assert fronts(pegboard.play(game, pegboard.CallMuggins(BOB, claimed=2, missed=2))) == [6, 2]


def test_a_reader_gives_the_last_three_holes_to_the_first_pone():
    assert fronts(table("three for last=on")) == [0, 3]


def test_a_reader_lets_someone_take_over_in_mid_game():
    game = pegboard.play(scored(table(*HOUSE), (ANN, 9)), Substitute(ANN, "Ann", "Cy"))
    game = scored(game, (ANN, 6, "hand"))
    assert fronts(game) == [15, 0]
    assert game.entries[1].event.name == "Cy"


@pytest.mark.parametrize(("variant", "seats", "lanes"), [("six-partners", 6, 3), ("cut-throat-four", 4, 4)])
def test_a_reader_plays_with_six_or_with_four_alone(variant: str, seats: int, lanes: int):
    names = ("Ann", "Bob", "Cy", "Dee", "Player 5", "Player 6")[:seats]
    game = pegboard.new_game(pegboard.Rules.named(variant), names, ANN)
    game = scored(game, *[(seat, seat + 1) for seat in range(seats)])
    assert len(game.lanes) == lanes
    assert fronts(game) == [sum(seat + 1 for seat in range(lane, seats, lanes)) for lane in range(lanes)]


# --- its preset ---


@pytest.mark.parametrize(("variant", "house"), [("standard", HOUSE)])
def test_the_preset_has_these_rules(variant: str, house: tuple[str, ...]):
    assert replace(preset_rules("1922 laws", variant), preset="") == table(*house, variant=variant).rules


def test_the_old_law_and_the_readers_rules_are_options():
    options = PRESETS["1922 laws"].options
    assert {"over-peg=excess", "muggins=on", "three for last=on", "heels limit=last five"} <= set(options)
    assert preset_rules("1922 laws").overpeg_award == "none"


# --- a whole game ---


@pytest.mark.parametrize("hole", [61, 121])
def test_a_dealt_game_is_scored_to_its_end(tmp_path, hole: int):
    ending = play_dealt_game(tmp_path, f"sheet C {hole}", house=(*HOUSE, f"game hole={hole}"))
    assert ending.winner == ending.home
    assert ending.holes[ending.winner] == hole
    assert ending.skunks[1 - ending.winner] == (ending.holes[1 - ending.winner] <= hole // 2)
