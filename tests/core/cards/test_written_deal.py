"""A whole deal is counted in order, as far as it is given; what does not fit together is refused with its part."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.core.cards.written_deal import count_deal
from pegboard.errors import RuleError

PLAY = "4 5 3 3 3 7 go 6 9"
WHOLE = f"pone: 4H 3C 3D 9S | dealer: 5H 3S 7D 6C | crib: AS KD KH 2H | starter: JC | play: {PLAY}"


def told(deal):
    return [(one.player, one.heels, one.play, one.hand, one.crib, one.total) for one in deal.points]


def test_heels_play_hands_and_crib_are_counted_for_each_player():
    deal = count_deal(WHOLE)
    assert told(deal) == [("pone", 0, 10, 4, 0, 14), ("dealer", 2, 6, 7, 2, 17)]
    assert [show.points for show in (*deal.hands, deal.crib)] == [4, 7, 2]


@pytest.mark.parametrize(
    "text",
    [
        WHOLE.upper().replace("GO", "go"),
        WHOLE.replace(" | ", "\n"),
        f"|{WHOLE}|\n",
        "|".join(reversed(WHOLE.split("|"))),
        WHOLE.replace("|", "|\r\n"),
        WHOLE.replace("pone:", "PONE :"),
    ],
)
def test_parts_come_in_any_order_and_on_lines_of_their_own(text):
    assert told(count_deal(text)) == told(count_deal(WHOLE))


@pytest.mark.parametrize(
    ("text", "points"),
    [
        (f"play: {PLAY}", [("pone", None, 10, None, 0, 10), ("dealer", None, 6, None, None, 6)]),
        ("starter: 5S | pone: 5H 5C 5D JS", [("pone", 0, None, 29, 0, 29), ("dealer", 0, None, None, None, 0)]),
        ("starter: JS | crib: 5H 5C 5D 5S", [("pone", 0, None, None, 0, 0), ("dealer", 2, None, None, 28, 30)]),
        (
            f"pone: 4 3 3 9 | dealer: 5 3 7 6 | play: {PLAY}",
            [("pone", None, 10, None, 0, 10), ("dealer", None, 6, None, None, 6)],
        ),
    ],
)
def test_what_is_not_given_is_not_counted(text, points):
    assert told(count_deal(text)) == points


SIX_EACH = f"pone: 4H 3C 3D 9S AS KD | dealer: 5H 3S 7D 6C KH 2H | starter: JC | play: {PLAY}"


def test_of_six_cards_dealt_those_are_kept_that_were_played_and_the_others_are_the_crib():
    assert told(count_deal(SIX_EACH)) == told(count_deal(WHOLE))


def test_of_six_cards_dealt_those_are_kept_that_are_not_in_the_crib():
    without_play = SIX_EACH.replace(f"play: {PLAY}", "crib: AS KD KH 2H")
    assert [one[3:5] for one in told(count_deal(without_play))] == [(4, 0), (7, 2)]
    assert told(count_deal(f"{SIX_EACH}|crib: AS KD KH 2H")) == told(count_deal(WHOLE))


def test_one_player_may_give_all_cards_and_the_other_the_hand():
    deal = count_deal(SIX_EACH.replace("5H 3S 7D 6C KH 2H", "5H 3S 7D 6C"))
    assert told(deal) == [("pone", 0, 10, 4, 0, 14), ("dealer", 2, 6, 7, None, 15)]


def test_equal_cards_of_six_leave_one_choice_of_ranks():
    deal = count_deal("pone: 4 4 4 5 6 6 | crib: 4 6 K Q | starter: 4")
    assert " ".join(map(str, deal.hands[0].hand)) == "4 4 5 6"
    assert deal.points[0].hand == 3 * 2 + 6 + 3 * 3


def test_three_and_four_players_have_parts_of_their_own():
    deal = count_deal("pone: 5H 5C 5D JS | player 2: 7 7 8 9 | dealer: 2 2 2 3 | starter: 5S")
    assert [one.player for one in deal.points] == ["pone", "player 2", "dealer"]
    assert told(count_deal("player 3: 7 7 8 9 | starter: 8"))[2] == ("player 3", 0, None, 24, 0, 24)
    assert [one.play for one in count_deal("player 2: A 2 3 4 | play: K A K 8 2").points] == [0, 2, 0]


def test_five_card_hands_have_three_cards_and_the_crib_four():
    deal = count_deal("pone: 5H 5C JD | dealer: 2H 6H KH | crib: 7 7 8 9 | starter: 5D", five_card=True)
    assert told(deal) == [("pone", 0, None, 15, 0, 15), ("dealer", 0, None, 2 + 3, 4 + 2 + 6, 17)]


def test_the_house_says_how_many_of_a_suit_are_a_flush_in_the_crib():
    text = "crib: 2H 6H 8H KH | starter: 10C"
    assert [count_deal(text, crib_flush=flush).points[1].crib for flush in (5, 4)] == [0, 4]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "nothing to count: a deal needs a play, or a starter and a hand or crib; put all of it in quotes"),
        ("pone: 5 5 5 J", "nothing to count: a deal needs a play, or a starter and a hand or crib; put all of it"),
        ("starter: 5", "nothing to count"),
        ("pome: 5", "'pome' is not a part of a deal; use pone, player 2, player 3, player 4, player 5, dealer, crib,"),
        ("4 5 6 J | starter: 5", "'4 5 6 J' does not say which part of the deal it is; use pone,"),
        ("pone: | starter: 5", "pone: has no cards; add them, or leave the part out"),
        ("pone: 4 | Pone: 5", "pone: is given 2 times; give it once"),
        ("pone: 4 5 6 🃏 | starter: 5", "pone: '🃏' is not a card"),
        ("pone: 4 5 6 J | starter: 5", "pone: flush? nobs? both depend on the suits"),
        ("crib: 5H 5C 5D J | starter: 5S", "crib: nobs? that depends on the suits"),
        ("pone: 4 5 6 6 | starter: 5 6", "starter: the starter is one card, not 2"),
        ("crib: 4 5 6 | starter: 5", "crib: a crib has four cards, not 3"),
        ("crib: 4 5 6 7 8 | play: 5", "crib: a crib has four cards, not 5"),
        ("pone: 4 5 6 | starter: 5", "pone has 3 cards; give the 4 of the hand, or all that were dealt (at most 6)"),
        ("pone: 4 5 6 7 8 9 10 | starter: 5", "pone has 7 cards; give the 4 of the hand"),
        ("pone: 4 5 6 7 8 9 | starter: 5", "which of pone's 6 cards went to the crib is not clear; give only the 4"),
        (
            "pone: 4 5 6 7 8 9 | crib: 4 K K Q | starter: 5",
            "pone's 6 cards do not fit the crib and the play; check them, or give only the 4 of the hand",
        ),
        ("pone: 4H 5H 6H 6C | crib: 4H 2C 3C 8C | starter: 5C", "4H appears 2 times; a deck has each card once"),
        ("pone: 4H 5H 6H 6C | starter: 4H", "4H appears 2 times"),
        ("starter: 4H | crib: 2 3 5 5 | play: 4H", "4H appears 2 times"),
        ("pone: 4 3 3 9 | play: 4 5 3 3 3 go", "play: dealer cannot say go: any card can be played on a count of 18"),
        ("dealer: 5 3 7 6 | play: 4 8", "play: dealer does not hold 8; choose from 5, 3, 7, 6"),
    ],
)
def test_a_deal_that_cannot_be_is_refused_in_one_sentence(text, sentence):
    with pytest.raises(RuleError) as refused:
        count_deal(text)
    assert str(refused.value).startswith(sentence)


WORDS = (
    "pone:",
    "dealer:",
    "player 3:",
    "crib:",
    "starter:",
    "play:",
    "|",
    "/",
    "go",
    "4 5 6 J",
    "5H",
    "10",
    "♥",
    "🂡",
    "X",
    "\n",
)


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=3)).map(" ".join))
def test_any_text_is_counted_or_refused_in_a_sentence(text):
    with contextlib.suppress(RuleError):
        assert all(one.total >= 0 for one in count_deal(text).points)
