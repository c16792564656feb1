"""The play counts what the rule sheets and a plain second counter say, card by card."""

import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pegboard.core.cards.play import PlayCount, count_each, count_play
from pegboard.errors import RuleError
from tests.oracles.play_counters import play_points

SHEET = json.loads((Path(__file__).parents[2] / "data" / "rule_sheet_examples.json").read_text())["examples"]
PLAYS = [row for row in SHEET if row["kind"] == "play"]
FRAGMENTS = [row for row in SHEET if row["kind"] == "play-fragment"]

NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def points_card_by_card(laid: str) -> list[int]:
    cards = laid.split()
    each = [count_play(" ".join(cards[:end])) for end in range(1, len(cards) + 1)]
    assert each == count_each(laid)
    assert [sum(part.points for part in laid.parts) for laid in each] == [laid.points for laid in each]
    return [laid.points for laid in each]


def is_legal(ranks: tuple[int, ...]) -> bool:
    return sum(min(rank, 10) for rank in ranks) <= 31 and max(map(ranks.count, ranks)) <= 4


def written(ranks: tuple[int, ...]) -> str:
    return " ".join(NAMES[rank - 1] for rank in ranks)


def test_every_sequence_of_up_to_four_cards_counts_as_a_second_counter_counts_it():
    for length in range(1, 5):
        for ranks in filter(is_legal, product(range(1, 14), repeat=length)):
            assert count_play(written(ranks)).points == play_points(ranks), ranks


def test_parts_of_the_play_add_up_to_its_points():
    for ranks in filter(is_legal, product(range(1, 8), repeat=5)):
        laid = count_play(written(ranks))
        assert sum(part.points for part in laid.parts) == laid.points, ranks


def test_long_sequences_of_low_cards_count_as_a_second_counter_counts_them():
    dice = Random(31)
    drawn = {tuple(dice.randint(1, 7) for _ in range(dice.randint(5, 9))) for _ in range(20_000)}
    legal = list(filter(is_legal, drawn))
    assert len(legal) > 10_000
    for ranks in legal:
        assert count_play(written(ranks)).points == play_points(ranks), ranks


def test_all_31_sheet_examples_are_tested_here_or_in_the_show():
    assert len(SHEET) == 31
    assert len(PLAYS) + len(FRAGMENTS) + sum(row["kind"] == "show" for row in SHEET) == 31


@pytest.mark.parametrize("row", PLAYS, ids=lambda row: row["id"])
def test_whole_plays_of_the_rule_sheets(row: dict[str, Any]):
    laid: list[str] = []
    before = 0
    for step in row["computed"]["steps"]:
        if step["card"] == "go point":
            continue
        if step["count"] <= before:  # the count began anew
            laid = []
        before = step["count"]
        laid.append(step["card"])
        scored = count_play(" ".join(laid))
        last_card = 1 if "last card" in step["why"] else 0
        assert (scored.count, scored.points + last_card) == (step["count"], step["points"]), step


@pytest.mark.parametrize("row", FRAGMENTS, ids=lambda row: row["id"])
def test_fragments_of_plays_of_the_rule_sheets(row: dict[str, Any]):
    assert points_card_by_card(" ".join(row["cards"])) == row["computed_points_per_card"]


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ("4 5 3 3 3 7 6", [0, 0, 3, 4, 6, 0, 2]),  # the worked adjudication
        ("4 6 5", [0, 0, 5]),  # a run of three and fifteen two
        ("7 8 7", [0, 2, 0]),  # equal cards that are not neighbours make no pair
        ("7 2 2 2 2", [0, 0, 2, 6, 14]),  # 12 and fifteen: the most for one card, but for last card
        ("J Q 10", [0, 0, 3]),
        ("J 10", [0, 0]),  # both count ten, and are no pair
        ("Q K A", [0, 0, 0]),  # the ace is low
        ("A 2 3 4 5 6 7", [0, 0, 3, 4, 7, 6, 7]),  # a run of seven is possible
        ("3 2 A 2 3", [0, 0, 3, 0, 3]),  # a run may be made again with newer cards
        ("4 5 5 6", [0, 0, 2, 0]),  # a duplicate breaks a run
        ("5 J 5", [0, 2, 0]),
    ],
)
def test_known_traps_card_by_card(laid: str, points: list[int]):
    assert points_card_by_card(laid) == points


def test_after_thirty_one_the_count_begins_anew():
    assert points_card_by_card("K K J A A 2 3") == [0, 2, 0, 2, 0, 0, 3]
    after = count_play("K K J A A")
    assert (after.count, [str(card) for card in after.cards]) == (1, ["A"])


def test_a_pair_does_not_reach_back_over_thirty_one():
    assert points_card_by_card("10 10 10 A A A") == [0, 2, 6, 2, 0, 2]


def test_parts_name_their_cards():
    parts = count_play("4H 5S 3C 3D").parts
    assert [(part.kind, " ".join(map(str, part.cards)), part.points) for part in parts] == [
        ("fifteen", "4H 5S 3C 3D", 2),
        ("pair", "3C 3D", 2),
    ]
    parts = count_play("K 10 2 3 A 5").parts
    assert [(part.kind, part.points) for part in parts] == [("thirty-one", 2)]


def test_a_card_that_would_pass_thirty_one_is_refused_with_the_count_it_would_make():
    assert points_card_by_card("K K K") == [0, 2, 6]
    with pytest.raises(RuleError, match=r"^K cannot be played: the count would be 40, and the limit is 31; after a go"):
        count_play("K K K K")
    with pytest.raises(RuleError, match=r"^7 cannot be played: the count would be 37"):
        count_play("10 10 10 7 A")


@pytest.mark.parametrize(
    ("laid", "sentence"),
    [
        ("", "^0 cards cannot have been played; 1 to 24 are possible$"),
        ("A " * 25, "^25 cards cannot have been played"),
        ("A A A A A", "^A appears 5 times"),
        ("4H 5H 4H", "^4H appears 2 times"),
        ("4 5 GO", "^'GO' is not a card"),
    ],
)
def test_cards_that_nobody_can_have_laid_are_refused(laid: str, sentence: str):
    with pytest.raises(RuleError, match=sentence):
        count_play(laid)


def test_nothing_laid_scores_nothing():
    assert (PlayCount().points, PlayCount().parts, PlayCount().count) == (0, (), 0)


def test_sixteen_cards_are_the_most():
    laid = count_play("A 2 3 4 " * 3 + "A K 2 3")  # the fourth ace makes 31
    assert (laid.count, laid.points) == (15, 2)
