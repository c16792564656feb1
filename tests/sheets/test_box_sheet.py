"""Sheet D, from the box of a board for two to four, in its order: each rule a test or a row, then a dealt game."""

from dataclasses import replace

import pytest

import pegboard
from pegboard.core.presets import preset_rules
from tests.support.sheet_games import ANN, BOB, CY, DEE, at, fronts, play_dealt_game, scored, table, won, words_of_rule

BOX = "box-sheet"

# --- players and deal ---


@pytest.mark.parametrize(
    ("variant", "seats", "lanes"),
    [(BOX, 2, 2), ("three-handed", 3, 3), ("partners", 4, 2)],
    ids=["two", "three", "four"],
)
def test_two_to_four_play(variant: str, seats: int, lanes: int):
    rules = pegboard.Rules.named(variant)
    assert (rules.seats, rules.lanes) == (seats, lanes)


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        (BOX, "Each player is dealt six cards, one at a time, and discards two to the crib."),
        (
            "three-handed",
            "Each player is dealt five cards, one at a time, and one card from the deck goes to the crib.",
        ),
        ("partners", "Each player is dealt five cards, one at a time, and discards one to the crib"),
    ],
)
def test_the_crib_has_four_cards_and_is_the_dealers(variant: str, said: str):
    rules = preset_rules("Box sheet", variant)
    assert said in words_of_rule("the-deal", rules)
    assert "dealer" in words_of_rule("the-crib", rules)


def test_a_jack_turned_as_the_starter_is_two_for_the_dealer():
    assert "the dealer turns up" in words_of_rule("the-starter", preset_rules("Box sheet"))
    assert fronts(scored(table(variant=BOX), (ANN, 2, "heels"))) == [5, 0]


def test_the_dealer_starts_three_holes_ahead_in_every_deal():
    game = table(variant=BOX)
    assert fronts(game) == [3, 0]
    game = pegboard.play(scored(game, (BOB, 2, "play")), pegboard.Deal())
    assert fronts(game) == [3, 5]
    game = pegboard.play(scored(game, (ANN, 1, "play")), pegboard.Deal())
    assert fronts(game) == [7, 5]


def test_the_three_holes_win_no_game():
    game = scored(table(variant=BOX), *[(BOB, 24)] * 4, (BOB, 23))
    game = pegboard.play(game, pegboard.Deal(BOB, new=True))
    assert (fronts(game)[BOB], game.outcome) == (120, None)


@pytest.mark.parametrize(("variant", "ahead"), [("three-handed", [3, 0, 0]), ("partners", [3, 0])])
def test_with_three_or_four_the_dealer_starts_ahead_too(variant: str, ahead: list[int]):
    assert fronts(table("dealer start=on", variant=variant)) == ahead


def test_partners_share_their_pegs():
    assert fronts(scored(table(variant="partners"), (ANN, 2), (CY, 3), (BOB, 4), (DEE, 5))) == [5, 9]


# --- the play ---


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ("9 6", 2),
        ("10 10", 2),
        ("7 7 7", 6),
        ("7 7 7 7", 12),
        ("6 4 5", 5),
        ("2 3 4", 3),
        ("A 2 3 4 5 6", 6),
        ("A 2 3 4 5 6 7", 7),
        ("K Q A 10", 2),
    ],
    ids=["15", "pair", "three", "four", "run and 15", "run", "run of six", "run of seven, past its cap", "31"],
)
def test_the_last_card_laid_scores(laid: str, points: int):
    """The sheet's own 6 4 5 makes fifteen too, and a run of seven fits under 31."""
    assert pegboard.count_play(laid).points == points


def test_a_go_and_the_last_card_are_one_each():
    steps = pegboard.follow_play("9 K J go K 5 K go 4 10").steps
    assert [step.points for step in steps if step.points] == [1, 2, 1, 1]


# --- the show ---


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("7C 8D 9H KS", "2C", 5),
        ("9C 9D 9H KS", "4C", 6),
        ("2H 6H 8H KH", "10C", 4),
        ("JD 2C 4S 8H", "QD", 1),
        ("5H 5C 5S JD", "5D", 29),
    ],
)
def test_hands_and_crib_count_with_the_starter(hand: str, starter: str, points: int):
    assert pegboard.count_show(hand, starter).points == points


def test_the_dealer_counts_last_and_then_the_crib():
    game = pegboard.play(scored(table(variant=BOX), (BOB, 2, "play")), pegboard.Stage("show"))
    game = scored(game, (BOB, 4, "hand"), (ANN, 6, "hand"))
    assert game.phase == "crib"
    with pytest.raises(pegboard.RuleError, match="the crib is the dealer's"):
        scored(pegboard.play(game, pegboard.Deal(BOB, new=False)), (ANN, 4, "crib"))


# --- winning ---


def test_the_first_to_peg_out_wins_even_in_the_play():
    game = scored(at(table(variant=BOX), 100, 119), (BOB, 2, "play"))
    assert game.outcome.winner == BOB


@pytest.mark.parametrize(("loser", "lines"), [(91, 0), (90, 1), (60, 2)])
def test_a_loser_far_behind_is_skunked(loser: int, lines: int):
    assert won(loser, variant=BOX).outcome.skunks[BOB] == lines


# --- its preset ---


@pytest.mark.parametrize(
    ("variant", "house"), [(BOX, ()), ("three-handed", ("dealer start=on",)), ("partners", ("dealer start=on",))]
)
def test_the_preset_has_these_rules(variant: str, house: tuple[str, ...]):
    assert replace(preset_rules("Box sheet", variant), preset="") == table(*house, variant=variant).rules


# --- a whole game ---


@pytest.mark.parametrize("seed", range(2))
def test_a_dealt_game_is_scored_to_its_end(tmp_path, seed: int):
    ending = play_dealt_game(tmp_path, f"sheet D {seed}", variant=BOX, dealer_start=3)
    assert ending.winner == ending.home
    assert ending.holes[ending.winner] == 121
