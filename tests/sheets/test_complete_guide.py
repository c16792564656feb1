"""Sheet A, the complete guide, in its order: each rule a test or a row, then a whole dealt game.

Its hands and plays are in `test_example_hands_and_plays.py`, its strategy in `tests/web/table/test_strategy.py`.
"""

from dataclasses import replace

import pytest

import pegboard
from pegboard.core.match import Match, next_dealer, result
from pegboard.core.presets import preset_rules
from tests.support.sheet_games import ANN, BOB, CY, at, fronts, play_dealt_game, scored, table, won, words_of_rule
from tests.support.web_server_and_clients import opened
from web.kit.i18n import translate
from web.table import rules_texts
from web.table.glossary import GLOSSARY, glossary_text

HOUSE = ("muggins=on", "skunks=triple wins match")
"""The house rules of the guide."""

# --- players, cards and board ---


@pytest.mark.parametrize(
    ("variant", "seats", "lanes"),
    [("standard", 2, 2), ("three-handed", 3, 3), ("partners", 4, 2), ("solitaire", 1, 1)],
)
def test_one_to_four_players_sit_at_the_board(variant: str, seats: int, lanes: int):
    rules = pegboard.Rules.named(variant)
    assert (rules.seats, rules.lanes, rules.game_hole) == (seats, lanes, 121)


def test_partners_sit_opposite_and_share_their_pegs():
    assert fronts(scored(table(variant="partners"), (ANN, 4), (CY, 6), (BOB, 1))) == [10, 1]


@pytest.mark.parametrize(
    ("cards", "count"), [("K", 10), ("Q", 10), ("J", 10), ("A", 1), ("7", 7)], ids=["king", "queen", "jack", "ace", "7"]
)
def test_court_cards_count_ten_and_the_ace_one(cards: str, count: int):
    assert pegboard.count_play(cards).count == count


def test_the_ace_is_low_in_a_run():
    assert pegboard.count_play("Q K A").points == 0
    assert pegboard.count_play("A 2 3").points == 3


def test_the_rear_peg_stands_where_the_score_was_before():
    assert scored(table(), (ANN, 7), (ANN, 5)).lanes[ANN] == pegboard.Lane(12, 7)


def test_a_match_counts_the_games_won():
    match = Match.empty(2, "best of 5").plus(result(won(100, *HOUSE)))
    assert match.games_won == (1, 0)


# --- cut, deal and starter ---


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("standard", "Each player is dealt six cards, one at a time, and discards two to the crib."),
        ("three-handed", "The dealer is dealt six cards and each other player five, one at a time."),
        ("partners", "Each player is dealt five cards, one at a time, and discards one to the crib"),
    ],
)
def test_two_are_dealt_six_and_three_or_four_five_but_the_dealer_of_three_six(variant: str, said: str):
    assert said in words_of_rule("the-deal", preset_rules("Complete guide", variant))


def test_the_low_card_deals_and_ties_cut_again():
    assert "low card deals, and ties cut again" in words_of_rule("first-deal", preset_rules("Complete guide"))


def test_the_crib_is_the_dealers_and_not_played():
    assert "not played" in words_of_rule("the-crib", preset_rules("Complete guide"))


def test_the_deal_goes_round_to_the_left():
    game, dealers = table(variant="three-handed"), []
    for _ in range(4):
        dealers.append(game.dealer)
        game = pegboard.play(scored(game, (ANN, 2)), pegboard.Deal())
    assert dealers == [ANN, BOB, CY, ANN]


def test_nibs_or_heels_are_two_for_the_dealer_once():
    game = scored(table(dealer=BOB), (BOB, 2, "heels"))
    assert fronts(game) == [0, 2]
    with pytest.raises(pegboard.RuleError, match="heels"):
        scored(game, (BOB, 2, "heels"))


# --- the play ---


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ("9 6", 2),
        ("10 J A 10", 2),
        ("4 4", 2),
        ("4 4 4", 6),
        ("4 4 4 4", 12),
        ("2 J 5", 0),
        ("4 3 2", 3),
        ("4 2 3 5", 4),
        ("A 2 3 4 5 6 7", 7),
        ("J 10", 0),
        ("4 6 5", 5),
    ],
)
def test_the_last_card_laid_scores(laid: str, points: int):
    assert pegboard.count_play(laid).points == points


def test_only_who_cannot_play_says_go():
    play = pegboard.begin_play(("Ann", "Bob"), [4, 4], dealer=BOB)
    with pytest.raises(pegboard.RuleError, match="cannot say go"):
        play.go(ANN)


def test_a_go_is_one_and_31_two():
    steps = pegboard.follow_play("K 9 Q go 2").steps
    assert [step.points for step in steps] == [0, 0, 0, 0, 2]
    steps = pegboard.follow_play("K 9 Q go go").steps
    assert [step.points for step in steps] == [0, 0, 0, 0, 1]


# --- the show ---


def test_a_hand_is_counted_fifteens_first_then_pairs_runs_flush_and_nobs():
    kinds = [part.kind for part in pegboard.count_show("4H 5H 6H JH", "6C").parts]
    assert kinds == sorted(kinds, key=["fifteen", "pair", "run", "flush", "nobs"].index)
    assert list(dict.fromkeys(kinds)) == ["fifteen", "pair", "run", "flush"]


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "points"),
    [
        ("2H 6H 8H KH", "10C", False, 4),
        ("2H 6H 8H KH", "10H", False, 5),
        ("2H 6H 8H KC", "10H", False, 0),
        ("2H 6H 8H KH", "10C", True, 0),
        ("2H 6H 8H KH", "10H", True, 5),
    ],
    ids=["four", "five", "with the starter only", "crib of four", "crib of five"],
)
def test_a_flush_needs_the_whole_hand_and_in_the_crib_the_starter_too(hand, starter, crib, points):
    assert pegboard.count_show(hand, starter, crib=crib).flush == points


def test_nobs_is_the_jack_of_the_starters_suit():
    assert pegboard.count_show("JH 2C 4S 8D", "QH").nobs
    assert not pegboard.count_show("JC 2C 4S 8D", "QH").nobs


def test_the_best_hand_is_29_and_four_jacks_cannot_make_it():
    assert pegboard.count_show("5H 5C 5S JD", "5D").points == 29
    assert pegboard.count_show("5H 5C 5S JC", "5D").points == 28


@pytest.mark.parametrize("points", [28, 29])
def test_a_perfect_hand_is_framed_and_signed(tmp_path, points: int):
    with opened(tmp_path) as site:
        line = site.score(BOB, points, why="hand").json["entry"]
        page = site.get(f"/print/{points}?game={site.game}&line={line}").body.decode()
    assert "<bdi>Bob</bdi>" in page
    assert "Witness" in page


# --- muggins ---


def test_missed_points_go_to_the_opponent_who_calls_them():
    game = scored(table(*HOUSE), (ANN, 6, "hand"))
    assert fronts(pegboard.play(game, pegboard.CallMuggins(BOB, claimed=2, missed=2))) == [6, 2]


def test_without_muggins_missed_points_are_lost():
    with pytest.raises(pegboard.RuleError):
        pegboard.play(scored(table(), (ANN, 6, "hand")), pegboard.CallMuggins(BOB, claimed=2, missed=2))


# --- winning ---


@pytest.mark.parametrize(("loser", "lines"), [(91, 0), (90, 1), (61, 1), (60, 2), (31, 2), (30, 3)])
def test_a_loser_behind_the_lines_is_skunked_once_twice_or_three_times(loser: int, lines: int):
    assert won(loser, *HOUSE).outcome.skunks[BOB] == lines


@pytest.mark.parametrize(("loser", "games"), [(100, 1), (90, 2), (60, 3)])
def test_a_skunk_is_two_games_of_a_match_and_a_double_skunk_three(loser: int, games: int):
    assert Match.empty(2, "best of 7").plus(result(won(loser, *HOUSE))).games_won == (1, 0)
    assert result(won(loser, *HOUSE)).games == games


def test_a_triple_skunk_wins_the_whole_match():
    assert Match.empty(2, "best of 7").plus(result(won(30, *HOUSE))).winner == ANN
    assert Match.empty(2, "best of 7").plus(result(won(31, *HOUSE))).winner is None


@pytest.mark.parametrize("first", [ANN, BOB])
def test_the_loser_deals_first_in_the_next_game(first: int):
    assert next_dealer(scored(at(table(*HOUSE, dealer=first), 120, 100), (ANN, 2))) == BOB
    assert next_dealer(scored(at(table(*HOUSE, dealer=first), 100, 120), (BOB, 2))) == ANN


# --- alone ---


@pytest.mark.parametrize(("hole", "wins"), [(90, False), (91, True), (120, True)])
def test_alone_hole_91_wins_after_six_deals_and_a_last_hand(hole: int, wins: bool):
    game = table(variant="solitaire")
    left = hole
    for deal in range(7):
        hand = min(left, 20 if deal < 6 else 0)
        game, left = scored(game, (ANN, hand, "hand")), left - hand
        if deal < 6 and game.outcome is None:
            game = scored(game, (ANN, 0, "crib"))
    assert game.outcome is not None
    assert (game.outcome.winner == ANN) == wins


# --- strategy and words ---


def test_five_rules_of_discarding_seven_of_pegging_and_three_of_position():
    parts = {section.anchor: len(section.rules) for section in rules_texts.SECTIONS}
    assert [parts[name] for name in ("strategy", "strategy-play", "position")] == [5, 7, 3]


@pytest.mark.parametrize(
    "word",
    [
        *("crib", "dealer", "pone", "starter", "cut", "discard", "deal", "hand", "counting", "fifteen", "pair", "run"),
        *("royal-pair", "double-pair-royal", "double-run", "flush", "crib-flush", "go", "thirty-one", "last-card"),
        *("nibs", "heels", "nobs", "muggins", "peg", "leapfrog", "street", "game-hole", "peg-out", "position"),
        *("skunk", "double-skunk", "triple-skunk"),
    ],
)
def test_each_word_of_its_vocabulary_is_in_the_glossary(word: str):
    rules = preset_rules("Complete guide")
    explained = {one.anchor for section in rules_texts.sections(rules) for one in (section, *section.rules)}
    assert GLOSSARY[word] in explained
    name, said = f"rules.term_{word}", glossary_text(word, rules)
    assert len(translate("en", said)) > len(translate("en", name)), "a sentence of its own"


# --- its preset ---


@pytest.mark.parametrize(
    ("variant", "house"),
    [("standard", HOUSE), ("three-handed", (*HOUSE, "dealer six=on")), ("partners", HOUSE), ("solitaire", ())],
)
def test_the_preset_has_these_rules(variant: str, house: tuple[str, ...]):
    assert replace(preset_rules("Complete guide", variant), preset="") == table(*house, variant=variant).rules


# --- a whole game ---


@pytest.mark.parametrize(
    ("seed", "variant", "house"),
    [
        (0, "standard", HOUSE),
        (1, "standard", HOUSE),
        (2, "three-handed", (*HOUSE, "dealer six=on")),
        (3, "partners", HOUSE),
    ],
)
def test_a_dealt_game_is_scored_to_its_end(tmp_path, seed: int, variant: str, house: tuple[str, ...]):
    ending = play_dealt_game(tmp_path, f"sheet A {seed}", variant=variant, house=house)
    assert ending.winner == ending.home
    for lane, hole in enumerate(ending.holes):
        assert (ending.skunks[lane] or 0) == (hole <= 90) + (hole <= 60) + (hole <= 30), lane
