"""Games of six in three lanes, and of four each alone: dealt to the end, and compared with plain addition."""

import random
from collections import Counter

import pytest

from pegboard import CallMuggins, OverPeg, RuleError, Rules, Score, new_game, play
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Match, next_dealer, result
from pegboard.core.moves import SetPegs
from pegboard.core.sentences import lane_without_keys, phase_sentence
from tests.support import dealing
from tests.support.long_runs import some_in
from tests.support.player_names import SIX

LARGE = ["cut-throat-four", "six-partners"]
ANN, BOB, CY, DEE, FIFTH, SIXTH = range(6)


def table(variant, *house, dealer=ANN):
    rules = with_house_rules(Rules.named(variant), house)
    return new_game(rules, SIX[: rules.seats], dealer)


def standing(game, *fronts):
    """The front pegs in these holes, lane by lane; the first lane gets there last."""
    for lane in reversed(range(len(fronts))):
        game = play(game, SetPegs(lane, fronts[lane], 0))
    return game


# --- dealt games ---


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize("seed", some_in(range(12)))
@pytest.mark.parametrize("variant", LARGE)
def test_a_dealt_game_adds_up_and_shows_each_dealer(variant, seed):
    dice = random.Random(seed)
    game = table(variant, dealer=seed % 4)
    kinds = [dice.choice(dealing.MIX) for _ in range(game.rules.seats)]
    sums, lanes = Counter(), game.rules.lanes
    for truth in dealing.game(dice, dealing.table_of(game.rules), game.dealer, kinds):
        game = play(game, Score(truth.points, truth.seat, why=truth.why))
        sums[truth.seat % lanes] += truth.points
        assert [lane.front for lane in game.lanes] == [min(121, sums[lane]) for lane in range(lanes)]
        if game.outcome is None and truth.why != "crib":
            assert game.standing.dealer == truth.dealer
    winner = truth.seat % lanes
    skunks = tuple(0 if lane == winner else (sums[lane] <= 90) + (sums[lane] <= 60) for lane in range(lanes))
    assert (game.outcome.winner, game.outcome.skunks) == (winner, skunks)


def test_the_deal_goes_round_the_table_and_comes_back_after_six():
    game, dealers = table("six-partners"), []
    for dealer in (*range(6), ANN):
        dealers.append(game.standing.dealer)
        for seat in (*range(dealer + 1, dealer + 6), dealer):
            game = play(game, Score(2, seat % 6, why="hand"))
        game = play(game, Score(2, dealer, why="crib"))
    assert dealers == [*range(6), ANN]


def test_the_show_starts_left_of_the_dealer_and_the_crib_comes_last():
    game, said = table("six-partners", dealer=DEE), []
    for seat in (FIFTH, SIXTH, ANN, BOB, CY, DEE):
        game = play(game, Score(4, seat, why="hand"))
        said.append(phase_sentence(game).removeprefix("Show: now count "))
    assert said == ["Player 6's hand", "Ann's hand", "Bob's hand", "Cy's hand", "Dee's hand", "Dee's crib"]


def test_heels_and_the_crib_are_pegged_by_the_dealers_side():
    game = table("six-partners", dealer=SIXTH)
    assert [lane.front for lane in play(game, Score(2, SIXTH, why="heels")).lanes] == [0, 0, 2]
    with pytest.raises(RuleError, match="heels"):
        play(play(game, Score(2, SIXTH, why="heels")), Score(2, FIFTH, why="heels"))


# --- several losers ---


def test_each_of_three_losers_is_judged_alone_and_the_last_decides_the_worth():
    over = standing(table("cut-throat-four"), 121, 91, 90, 60)
    assert over.outcome.skunks == (0, 0, 1, 2)
    won = result(over)
    assert (won.points, won.games, won.spread) == (3, 3, (122, -30, -31, -61))
    assert phase_sentence(over) == "Ann has won, skunk against Cy, double skunk against Dee"


def test_partners_lose_together():
    over = standing(table("six-partners"), 121, 100, 60)
    assert over.outcome.skunks == (0, 0, 2)
    assert phase_sentence(over) == "Ann and Dee have won, double skunk against Cy and Player 6"


@pytest.mark.parametrize(
    ("variant", "fronts", "dealer", "next_one"),
    [
        ("cut-throat-four", (121, 100, 90, 95), ANN, CY),
        ("cut-throat-four", (121, 90, 90, 95), BOB, CY),
        ("six-partners", (121, 100, 90), ANN, CY),
        ("six-partners", (121, 100, 90), DEE, SIXTH),
        ("six-partners", (121, 90, 100), CY, FIFTH),
    ],
)
def test_the_last_of_the_losers_deals_next_and_of_two_partners_the_one_reached_first(variant, fronts, dealer, next_one):
    assert next_dealer(standing(table(variant, dealer=dealer), *fronts)) == next_one


def test_a_match_counts_games_by_lane():
    match = Match.empty(4, "best of 3")
    for fronts in ((100, 121, 95, 99), (121, 100, 95, 99), (100, 121, 95, 99)):
        order = sorted(range(4), key=lambda lane: fronts[lane])
        game = table("cut-throat-four")
        for lane in order:
            game = play(game, SetPegs(lane, fronts[lane], 0))
        match = match.plus(result(game))
    assert (match.games_won, match.winner, sum(match.spread)) == ((1, 2, 0, 0), 1, 0)


# --- awards name one of several opponents ---


def test_an_opponent_must_be_named_and_no_partner_is_one():
    game = play(table("six-partners", "muggins=on", "over-peg=excess"), Score(8, BOB, why="hand"))
    with pytest.raises(RuleError, match="with 3 lanes, `opponent` must name the opponent's seat"):
        play(game, OverPeg(1, 4, 8))
    with pytest.raises(RuleError, match="Player 5 is not an opponent of Bob and Player 5"):
        play(game, OverPeg(1, 4, 8, opponent=FIFTH))
    assert [lane.front for lane in play(game, OverPeg(1, 4, 8, opponent=SIXTH)).lanes] == [0, 4, 4]
    called = play(game, CallMuggins(DEE, 2, 2, opponent=BOB))
    assert [lane.front for lane in called.lanes] == [2, 8, 0]


@pytest.mark.parametrize(("variant", "seat"), [("cut-throat-four", 4), ("six-partners", 6)])
def test_a_seat_that_the_table_does_not_have_is_refused(variant, seat):
    with pytest.raises(RuleError, match=f"there is no seat {seat} at this table; the seats are 0 to {seat - 1}"):
        play(table(variant), Score(2, seat))


# --- three keys for four lanes ---


def test_only_a_fourth_lane_has_no_keys():
    assert lane_without_keys(table("cut-throat-four")) == "No key pegs for Dee; use a phone or tablet"
    assert [lane_without_keys(table(variant)) for variant in ("six-partners", "three-handed", "standard")] == [None] * 3
