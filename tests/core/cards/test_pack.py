"""Cards are read as players write them, and what is not a card is refused with a sentence."""

import pytest

from pegboard.core.cards.pack import RANKS, SUITS, Card, Kind, check_pack, pair, read_cards, read_laid, read_ranks, run
from pegboard.errors import RuleError


def test_the_pack_has_52_different_cards_that_read_back_as_they_are_written():
    words = [rank + suit for rank in RANKS for suit in SUITS]
    cards = read_cards(" ".join(words))
    assert len(set(cards)) == 52
    assert [str(card) for card in cards] == words


@pytest.mark.parametrize("written", ["10H", "TH", "10h", "th", " tH ", ",TH,", "0H", "H10", "h0", "🂺", "♥10"])
def test_a_ten_is_written_10_t_or_0_in_either_case(written: str):
    assert read_cards(written) == (Card(10, "H"),)


@pytest.mark.parametrize(
    "written", ["5H 5C JD", "5H,5C,JD", "5h, 5c,  jd", "5H\t5C\nJD", "5H;5C;JD", "5H-5C\u2013JD", "5H\u20145C -JD;"]
)
def test_cards_are_separated_by_blanks_commas_semicolons_or_dashes(written: str):
    assert read_cards(written) == (Card(5, "H"), Card(5, "C"), Card(11, "D"))


@pytest.mark.parametrize(
    "written",
    [
        "5H5CJD10S",
        "5h5cjd10s",
        "5H5C JDTS",
        "5♥ 5♣ J♦ 10♠",
        "5♥5♣J♦10♠",
        "5♥️ 5♣️ J♦️ 10♠️",
        "5❤️,5♧,j♢,t♤",
        "5\ufe0eH 5C JD 10S",
        "H5 C5 DJ S10",
        "h5c5djst",
        "♥5 ♣5 ♦J ♠0",
        "🂵🃕🃋🂪",
        "5h 🃕, Jd-S10",
    ],
)
def test_cards_are_written_without_blanks_and_with_the_signs_of_their_suits_too(written: str):
    assert read_cards(written) == (Card(5, "H"), Card(5, "C"), Card(11, "D"), Card(10, "S"))


@pytest.mark.parametrize("written", ["4 5 3 10 K", "45310K", "4,5 310k", "45 3tK"])
def test_ranks_are_written_without_blanks_too(written: str):
    assert read_ranks(written) == read_laid(written) == read_ranks("4 5 3 T K")


def test_unicode_has_every_card_of_the_deck():
    """U+1F0A1 is the ace of spades; hearts, diamonds and clubs follow, each suit with a knight before its queen."""
    rows = {"S": 0x1F0A0, "H": 0x1F0B0, "D": 0x1F0C0, "C": 0x1F0D0}
    numbers = {"A": 1, "J": 11, "Q": 13, "K": 14} | {str(pips): pips for pips in range(2, 11)}
    for suit, row in rows.items():
        for rank, number in numbers.items():
            assert str(read_cards(chr(row + number))[0]) == rank + suit


def test_in_the_play_cards_and_ranks_are_written_without_blanks_too():
    assert read_laid("4♥5D3") == (Card(4, "H"), Card(5, "D"), Card(3, ""))


def test_what_cannot_be_read_in_a_long_word_is_named_from_where_it_begins():
    with pytest.raises(RuleError, match=r"^'X6H' is not a card"):
        read_cards("5H5Cx6h")


def test_ace_counts_one_and_court_cards_ten():
    assert [card.value for card in read_ranks("A 2 9 10 T J Q K")] == [1, 2, 9, 10, 10, 10, 10, 10]


def test_a_rank_has_no_suit_and_is_written_without_one():
    assert [str(card) for card in read_ranks("a t k")] == ["A", "10", "K"]


def test_in_the_play_suits_may_be_written_or_not():
    assert read_laid("5H 5") == (Card(5, "H"), Card(5, ""))


@pytest.mark.parametrize("word", ["1H", "11H", "5X", "10", "5", "X", "5H5", "JOKER", "H", "H5C", "🃏", "🂬"])
def test_what_is_no_card_with_its_suit_is_refused(word: str):
    with pytest.raises(RuleError, match=word.upper()):
        read_cards(f"5H {word}")


def test_a_missing_suit_is_asked_for_with_the_cards_that_would_be_taken():
    with pytest.raises(RuleError, match=r"^J has no suit; add one of JC, JD, JH, JS$"):
        read_cards("5H j")


def test_a_suit_where_ranks_are_counted_is_refused_with_the_rank_that_would_be_taken():
    with pytest.raises(RuleError, match=r"^10H has a suit, but only ranks are expected here; use 10$"):
        read_ranks("10h")


def test_an_unknown_card_is_refused_with_the_ranks_and_suits_that_are_taken():
    with pytest.raises(
        RuleError,
        match=r"^'1H' is not a card; use a rank \(A 2 3 4 5 6 7 8 9 10 J Q K\) and a suit "
        r"\(C D H S\), such as 10H, with spaces or commas between cards$",
    ):
        read_cards("1h")


def test_a_message_repeats_no_more_than_a_few_letters_of_a_long_word():
    with pytest.raises(RuleError) as refusal:
        read_cards("X" * 5000)
    assert len(str(refusal.value)) < 200


def test_a_refusal_is_a_value_error_too():
    assert issubclass(RuleError, ValueError)


def test_one_pack_has_each_card_once():
    with pytest.raises(RuleError, match=r"^5H appears 3 times; a deck has each card once$"):
        check_pack(read_cards("5H 6H 5h 5H"))


def test_one_pack_has_four_cards_of_a_rank():
    check_pack(read_ranks("5 5 5 5"))
    with pytest.raises(RuleError, match=r"^5 appears 5 times; a deck has four cards of each rank$"):
        check_pack(read_laid("5H 5 5 5 5"))


@pytest.mark.parametrize(
    ("ranks", "kind", "points"),
    [("4 4", Kind.PAIR, 2), ("4 4 4", Kind.PAIR_ROYAL, 6), ("4 4 4 4", Kind.DOUBLE_PAIR_ROYAL, 12)],
)
def test_cards_of_a_rank_score_two_for_every_two_of_them(ranks: str, kind: Kind, points: int):
    assert pair(read_ranks(ranks))[::2] == (kind, points)


def test_a_run_scores_a_point_a_card_and_is_told_in_order():
    scored = run(read_ranks("6 4 5"))
    assert (scored.points, [str(card) for card in scored.cards]) == (3, ["4", "5", "6"])
