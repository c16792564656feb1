"""The show counts what the rule sheets, the published table and a plain second counter say."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, islice, pairwise
from math import comb, prod
from pathlib import Path
from typing import Any

import pytest

from pegboard.core.cards.pack import Card, Kind, Part, read_laid, read_ranks
from pegboard.core.cards.show import count_ranks, count_show, possible_points, rank_parts, rank_points
from pegboard.errors import RuleError
from tests.support.long_runs import is_long

DATA = Path(__file__).parents[2] / "data"
PUBLISHED = json.loads((DATA / "hand_frequency.json").read_text())
SHEET_SHOWS = [
    row for row in json.loads((DATA / "rule_sheet_examples.json").read_text())["examples"] if row["kind"] == "show"
]

NAMES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
PACK = [name + suit for name in NAMES for suit in "CDHS"]
JACK = 10
"""Places of NAMES stand for ranks in the second counter: 0 is the ace, 10 the jack."""


# The second counter: written from the rules, with nothing of the first.


@cache
def naive_ranks(ranks: tuple[int, ...]) -> int:
    sets = [chosen for size in range(2, 6) for chosen in combinations(ranks, size)]
    fifteens = sum(2 for chosen in sets if sum(min(rank + 1, 10) for rank in chosen) == 15)
    pairs = sum(2 for chosen in sets if len(chosen) == 2 and chosen[0] == chosen[1])
    for length in (5, 4, 3):
        runs = [chosen for chosen in sets if len(chosen) == length and all(b == a + 1 for a, b in pairwise(chosen))]
        if runs:
            return fifteens + pairs + length * len(runs)
    return fifteens + pairs


def naive_points(hand: tuple[int, ...], starter: int, *, crib: bool) -> int:
    """Count cards numbered 4 * rank + suit."""
    points = naive_ranks(tuple(sorted(card // 4 for card in (*hand, starter))))
    suits = {card % 4 for card in hand}
    if suits == {starter % 4}:
        points += 5
    elif len(suits) == 1 and not crib:
        points += 4
    return points + (4 * JACK + starter % 4 in hand)


def counted(hand: tuple[int, ...], starter: int, *, crib: bool) -> int:
    return count_show(" ".join([PACK[card] for card in hand]), PACK[starter], crib=crib).points


def deals(step: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every so-manyth of all hands with all their starters."""
    for place, hand in enumerate(combinations(range(52), 4)):
        starters = [card for card in range(52) if card not in hand]
        for starter in islice(starters, -48 * place % step, None, step):
            yield hand, starter


def flush_deals(suit: int) -> Iterator[tuple[tuple[int, ...], int]]:
    for hand in combinations(range(suit, 52, 4), 4):
        yield from ((hand, starter) for starter in range(52) if starter not in hand)


def test_hands_and_cribs_all_through_the_pack_count_as_a_second_counter_counts_them():
    compared = 0
    for hand, starter in [*deals(step=191 if is_long() else 953), *flush_deals(suit=3)]:
        for crib in (False, True):
            assert counted(hand, starter, crib=crib) == naive_points(hand, starter, crib=crib), (hand, starter, crib)
            compared += 1
    assert compared >= (200_000 if is_long() else 90_000)


def test_parts_of_every_hand_of_ranks_add_up_to_its_points():
    hands = [
        hand for size in (4, 5) for hand in combinations_with_replacement(range(13), size) if most_alike(hand) <= 4
    ]
    assert len(hands) == 1820 + 6175
    for hand in hands:
        cards = [Card(rank + 1, "") for rank in hand]
        assert sum(part.points for part in rank_parts(cards)) == rank_points(cards) == naive_ranks(hand), hand


def most_alike(hand: tuple[int, ...]) -> int:
    return max(map(hand.count, hand))


# The published table, from every set of ranks and the number of ways in which suits can be dealt to it.


def ways(groups: Counter[int]) -> int:
    return prod(comb(4, many) for many in groups.values())


def suit_answers(hand: tuple[int, ...], starter: int) -> Iterator[tuple[int, bool, int]]:
    """Yield (flush, nobs, number of deals) for every pair of answers about the suits of these ranks."""
    groups = Counter(hand)
    total = ways(groups) * (4 - groups[starter])
    # The starter's suit can be chosen four ways; cards of the starter's rank then lack it, and the jack has it.
    others = {rank: many for rank, many in groups.items() if rank not in (starter, JACK)}
    jack_of_suit = comb(3, groups[JACK] - 1) if groups[JACK] and starter != JACK else 0
    nobs = 4 * jack_of_suit * comb(3, groups[starter]) * ways(Counter(others))
    flush_of_5 = flush_of_4 = 0
    if len(groups) == 4:
        flush_of_5 = 0 if starter in groups else 4
        flush_of_4 = 4 * 3
    five_has_nobs = starter != JACK and JACK in groups
    yield 5, five_has_nobs, flush_of_5
    yield 4, False, flush_of_4
    yield 0, True, nobs - flush_of_5 * five_has_nobs
    yield 0, False, total - nobs - flush_of_4 - flush_of_5 * (not five_has_nobs)


def tally_of_all_deals(*, crib: bool) -> Counter[int]:
    tally: Counter[int] = Counter()
    for hand in combinations_with_replacement(range(13), 4):
        text = " ".join(NAMES[rank] for rank in hand)
        for starter in range(13):
            for flush, nobs, number in suit_answers(hand, starter):
                if number:
                    told = 0 if crib and flush == 4 else flush
                    tally[count_ranks(text, NAMES[starter], flush=told, nobs=nobs).points] += number
    return tally


@pytest.mark.parametrize("name", ["hand", "crib"])
def test_all_12994800_deals_score_as_often_as_the_published_table_says(name: str):
    tally = tally_of_all_deals(crib=name == "crib")
    assert tally.total() == PUBLISHED["total"] == 12_994_800
    assert {str(points): tally[points] for points in range(30)} == PUBLISHED[name]["frequency"]
    assert not {19, 25, 26, 27} & tally.keys()


# The rule sheets.

PART_OF_SHEET = {
    Kind.FIFTEEN: "fifteens",
    Kind.PAIR: "pairs",
    Kind.PAIR_ROYAL: "pairs",
    Kind.DOUBLE_PAIR_ROYAL: "pairs",
    Kind.RUN: "runs",
    Kind.FLUSH: "flush",
    Kind.NOBS: "nobs",
}


def breakdown(parts: tuple[Part, ...]) -> dict[str, int]:
    sums = dict.fromkeys(("fifteens", "pairs", "runs", "flush", "nobs"), 0)
    for part in parts:
        sums[PART_OF_SHEET[part.kind]] += part.points
    return sums


@pytest.mark.parametrize("row", SHEET_SHOWS, ids=lambda row: row["id"])
def test_worked_examples_of_the_rule_sheets(row: dict[str, Any]):
    hand = " ".join(row["hand"])
    if len(row["hand"]) < 4:
        parts = tuple(rank_parts(read_ranks(hand)))
    elif row["hand"][0][-1] in "CDHS":
        parts = count_show(hand, starter=row["starter"], crib=row["crib"]).parts
    else:
        parts = count_ranks(hand, starter=row["starter"], flush=0, nobs=False).parts
    assert breakdown(parts) == row["breakdown"]
    assert sum(part.points for part in parts) == row["computed"]


# Traps and cadence.


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "points"),
    [
        ("2C 4C 6C 8D", "KC", False, 0),  # four of a suit with the starter's help are no flush
        ("2C 4C 6C 8C", "KD", False, 4),
        ("2C 4C 6C 8C", "KD", True, 0),  # the crib needs all five
        ("2C 4C 6C 8C", "KC", True, 5),
        ("2H 4C 6D 8S", "JS", False, 0),  # the starter is never nobs
        ("2H 4C 6D JS", "8S", False, 1),
        ("2H 4C 6D JH", "8S", False, 0),
        ("JH JC JD JS", "5S", False, 21),  # four jacks: one of them is nobs
        ("QC QD QH KS", "JC", False, 15),  # runs go through ten, jack, queen and king, and not round to the ace
        ("QC KD AH 2S", "7C", False, 0),
        ("3C 3D 4C 4D", "5H", False, 20),
        ("3C 3D 3H 4D", "5H", False, 21),
        ("AC AD 2H 3S", "4H", False, 10),
        ("5H 5C 5S JD", "5D", False, 29),
        ("5H 5C 5S JD", "5D", True, 29),
    ],
)
def test_known_traps(hand: str, starter: str | None, crib: bool, points: int):
    assert count_show(hand, starter=starter, crib=crib).points == points


def test_the_last_hand_of_solitaire_is_four_cards_counted_alone():
    assert count_show("4H 5H 6H JH", starter=None).points == 2 + 2 + 3 + 4
    assert count_ranks("4 5 6 J", starter=None, flush=4, nobs=False).points == 2 + 2 + 3 + 4


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("2H 6H KH", "10C", 3),
        ("2H 6H KH", "10H", 4),
        ("2H 6H KD", "10H", 0),
        ("5H 5C JD", "5D", 6 + 2 + 6 + 1),
        ("5H 5C 5D", "JS", 6 + 6 + 2),
        ("4H 5H 6H", "6S", 3 + 6 + 2 + 4),
        ("JH 2C 9D", "KH", 1),
        ("JH QC KD", "10S", 4),
    ],
)
def test_hands_of_five_card_have_three_cards_and_the_starter(hand: str, starter: str, points: int):
    """The old law: three of a suit in the hand are 3, with the starter 4."""
    assert count_show(hand, starter=starter).points == points


@pytest.mark.parametrize(("crib", "starter", "points"), [("2H 6H 8H KH", "10C", 0), ("2H 6H 8H KH", "10H", 5)])
def test_the_crib_of_five_card_has_four_cards_and_needs_all_five_of_a_suit(crib: str, starter: str, points: int):
    assert count_show(crib, starter=starter, crib=True).flush == points


def test_three_cards_by_ranks_have_a_flush_of_three_or_four():
    assert count_ranks("2 6 K", starter="10", flush=3, nobs=False).points == 3
    assert count_ranks("2 6 J", starter="10", flush=4, nobs=True).points == 5
    with pytest.raises(RuleError, match="there is no flush of 5; use 0, 3 or 4"):
        count_ranks("2 6 K", starter="10", flush=5, nobs=False)


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "sentence"),
    [
        ("2H 6H", "10C", False, "cannot count 2 cards; a hand or crib has four"),
        ("2H 6H KH", None, False, "a hand of 3 cards needs the starter"),
        ("2H 6H KH", "10C", True, "a crib has four cards, not 3"),
    ],
)
def test_cards_that_make_no_hand_are_refused(hand: str, starter: str | None, crib: bool, sentence: str):
    with pytest.raises(RuleError, match=sentence):
        count_show(hand, starter=starter, crib=crib)


@pytest.mark.parametrize(("crib_flush", "starter", "points"), [(5, "10C", 0), (4, "10C", 4), (4, "10H", 5)])
def test_four_of_a_suit_in_the_crib_count_where_the_house_says_so(crib_flush: int, starter: str, points: int):
    """All sheets: in the crib only all five; a house may count its four."""
    assert count_show("2H 6H 8H KH", starter=starter, crib=True, crib_flush=crib_flush).flush == points


def test_parts_name_their_cards():
    parts = count_show("4H 5H 6H JS", starter="10S").parts
    assert [(part.kind, " ".join(map(str, part.cards)), part.points) for part in parts] == [
        ("fifteen", "5H 10S", 2),
        ("fifteen", "5H JS", 2),
        ("fifteen", "4H 5H 6H", 2),
        ("run", "4H 5H 6H", 3),
        ("nobs", "JS", 1),
    ]


@pytest.mark.parametrize(("starter", "cards"), [("KD", "2C 4C 6C 8C"), ("KC", "2C 4C 6C 8C KC")])
def test_the_starter_is_part_of_a_flush_of_five_only(starter: str | None, cards: str):
    (flush,) = count_show("2C 4C 6C 8C", starter=starter).parts
    assert " ".join(map(str, flush.cards)) == cards


@pytest.mark.parametrize(
    ("hand", "starter", "spoken"),
    [
        (
            "5H 5C 5S JD",
            "5D",
            (
                "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, fifteen fourteen, "
                "fifteen sixteen, a double pair royal is twenty-eight, and one for his nobs is twenty-nine"
            ),
        ),
        ("8D 5S 7C JS", "9S", "fifteen two, fifteen four, a run of three is seven, and one for his nobs is eight"),
        ("7C 8D QH KS", "2C", "fifteen two"),
        ("5C QD KH 2S", "9C", "fifteen two, fifteen four"),
        ("2C 2D 9H QS", "9S", "a pair is two, and a pair is four"),
        ("9C 9D 9H QS", "2S", "a pair royal is six"),
        ("9C 9D 10H JS", "KH", "a double run of three is eight"),
        ("4H 4C 5S 6D", "7S", "fifteen two, fifteen four, fifteen six, and a double run of four is sixteen"),
        ("JH JC JS QD", "KS", "a triple run of three is fifteen, and one for his nobs is sixteen"),
        ("9H 9C 10S 10D", "JS", "a quadruple run of three is sixteen"),
        ("2C 4C 6C 8C", "KC", "a flush of five is five"),
        ("2C 4C 6C JC", "10D", "a flush of four is four"),
        ("2H 4C 6D JS", "8S", "one for his nobs"),
        ("2C 4C 6C JC", "8C", "a flush of five is five, and one for his nobs is six"),
        (
            "8H 7C 6D AS",
            "AH",
            "fifteen two, fifteen four, fifteen six, fifteen eight, a pair is ten, and a run of three is thirteen",
        ),
        ("6H 9C 2D KS", "2H", "fifteen two, and a pair is four"),
        ("6H 9C 9D KS", "2H", "fifteen two, fifteen four, and a pair is six"),
        (
            "5H 5C 5D 5S",
            "2H",
            "fifteen two, fifteen four, fifteen six, fifteen eight, and a double pair royal is twenty",
        ),
        ("9H 10C JD QS", "KH", "a run of five is five"),
        ("9C 9D 9H QS", "QC", "a pair royal is six, and a pair is eight"),
    ],
)
def test_a_count_is_said_as_players_say_it(hand: str, starter: str | None, spoken: str):
    assert count_show(hand, starter=starter).spoken == spoken


def test_no_points_are_said_plainly_and_called_nineteen_only_when_asked():
    nothing = count_show("2H 4C 8S 10D", starter="QS")
    assert nothing.spoken == "zero"
    assert nothing.say(nineteen=True) == "nineteen"
    assert count_show("7C 8D QH KS", "2C").say(nineteen=True) == "fifteen two"


# Refusals.


@pytest.mark.parametrize(
    ("hand", "starter", "sentence"),
    [
        (
            "5H 5C",
            "5D",
            (
                r"^cannot count 2 cards; a hand or crib has four \(three in five-card\), "
                "and the starter is given separately$"
            ),
        ),
        ("5H 5C 5S 5D JD QD", "KD", "^cannot count 6 cards"),
        ("", "KD", "^cannot count 0 cards"),
        ("5H 5C 5S JD", "5D 6D", "^the starter is one card, not 2$"),
        ("5H 5C 5S JD", "", "^the starter is one card, not 0$"),
        ("5H 5C 5S JD", "5H", "^5H appears 2 times"),
        ("5H 5C 5H JD", None, "^5H appears 2 times"),
        ("5H 5C 5S J", "5D", "^nobs[?] that depends on the suits of the jack and the starter"),
        ("2H 4H 6H J", "8", "^flush[?] nobs[?] both depend on the suits"),
        ("2H 4H 6 8", "9", "^flush[?] that depends on the suits"),
        ("1H 5C 5S JD", "5D", "^'1H' is not a card"),
    ],
)
def test_a_hand_that_cannot_be_counted_is_refused_with_the_reason(hand: str, starter: str | None, sentence: str):
    with pytest.raises(RuleError, match=sentence):
        count_show(hand, starter=starter)


def test_ranks_are_enough_where_no_suits_change_the_count():
    shown = count_show("7 7 8 9", starter="6")
    assert (shown.points, shown.flush, shown.nobs) == (16, 0, False)


def test_a_crib_without_a_starter_is_refused():
    with pytest.raises(RuleError, match=r"^a crib is counted with the starter"):
        count_show("2C 4C 6C 8C", starter=None, crib=True)


@pytest.mark.parametrize(
    ("ranks", "starter", "flush", "nobs", "sentence"),
    [
        ("5 5 5 5", "5", 0, False, "^5 appears 5 times"),
        ("5H 6 7 8", "5", 0, False, "^5H has a suit"),
        ("A 4", "6", 0, False, "^cannot count 2 cards"),
        ("A 4 5 6", "6", 3, False, "^there is no flush of 3; use 0, 4 or 5$"),
        ("A 4 5 6", None, 5, False, "^a flush of 5 needs the starter"),
        ("A 4 4 6", "7", 4, False, "^a flush of 4 cannot have two cards of the same rank; with these ranks, use 0"),
        (
            "A 4 5 6",
            "6",
            5,
            False,
            "^a flush of 5 cannot have two cards of the same rank; with these ranks, use 0 or 4",
        ),
        ("A 4 5 6", "6", 0, True, "^nobs needs a jack in hand and a starter that is not a jack; use nobs=False$"),
        ("A 4 5 J", None, 0, True, "^nobs needs .* a starter"),
        ("A 4 5 J", "J", 0, True, "^nobs needs .* a starter that is not a jack"),
        (
            "A 4 5 J",
            "7",
            4,
            True,
            "^a flush of 4 has no card of the starter's suit; use nobs=False or a flush of 5$",
        ),
        (
            "A 4 5 J",
            "7",
            5,
            False,
            "^a flush of 5 with a jack in hand always has nobs; use nobs=True or a flush of 4$",
        ),
        ("J J J J", "7", 0, False, "^a hand of four jacks always has nobs, whatever the starter; use nobs=True$"),
    ],
)
def test_answers_about_suits_that_no_cards_fit_are_refused(
    ranks: str, starter: str | None, flush: int, nobs: bool, sentence: str
):
    with pytest.raises(RuleError, match=sentence):
        count_ranks(ranks, starter, flush=flush, nobs=nobs)


def test_a_flush_of_four_may_have_a_starter_that_pairs():
    assert count_ranks("A 4 5 6", starter="6", flush=4, nobs=False).points == 2 + 2 + 2 + 8 + 4 - 2


@pytest.mark.parametrize(
    ("ranks", "starter", "said"),
    [
        ("A 4 5 6", "6", ["fifteen two", "fifteen four", "a pair is six", "a run of three is nine"]),
        ("7 8 J Q", "K", ["fifteen two", "and a run of three is five"]),
        ("7 8 2 Q", "8", ["fifteen two", "fifteen four", "and a pair is six"]),
        ("7 8 2 4", "K", ["fifteen two"]),
        ("9 9 2 4", "K", ["fifteen two", "fifteen four", "and a pair is six"]),
        ("Q Q 2 7", "A", ["a pair is two"]),
        ("2 4 6 8", "K", []),
    ],
)
def test_each_part_is_said_by_itself_with_the_running_total(ranks: str, starter: str, said: list[str]):
    show = count_ranks(ranks, starter, flush=0, nobs=False)
    assert list(show.phrases[: len(said)]) == said
    assert len(show.phrases) == len(show.parts)


def test_a_double_run_is_said_in_parts_where_each_part_is_said_by_itself():
    show = count_ranks("A 4 5 6", "6", flush=0, nobs=False)
    assert show.phrases[-1] == "and a run of three is twelve"
    assert show.spoken == "fifteen two, fifteen four, and a double run of three is twelve"


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("5 5 5 J", "5", {28, 29}),
        ("5H 5C 5S JD", "5", {29}),
        ("5H 5C 5S JC", "5D", {28}),
        ("A 4 6 9", "K", {4, 8, 9}),
    ],
)
def test_suits_that_are_not_stated_leave_several_scores(hand: str, starter: str, points: set[int]):
    assert possible_points(read_laid(hand), *read_laid(starter)) == points
