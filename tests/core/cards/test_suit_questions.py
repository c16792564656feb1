"""The questions about suits: asked when open, and an answer is closed just where no cards of a pack have it."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.core.cards.pack import Card, read_ranks
from pegboard.core.cards.show import flush_question, nobs_question

RANKS = st.lists(st.integers(1, 13), min_size=5, max_size=5).filter(lambda ranks: max(map(ranks.count, ranks)) < 5)


def asked(ranks, starter, flush=0):
    hand, cut = read_ranks(ranks), read_ranks(starter)[0] if starter else None
    return flush_question(hand, cut), nobs_question(hand, cut, flush=flush)


def closed(question):
    return {one.answer: one.code for one in question.closed}


def suits_of(ranks):
    """Every way in which one pack can deal suits to these ranks, the hand's four and then the starter's."""
    for suits in product("CDHS", repeat=5):
        if len(set(zip(ranks, suits, strict=True))) == 5:
            yield suits


@given(RANKS)
def test_an_answer_is_closed_just_where_no_cards_of_a_pack_have_it(ranks):
    hand, starter = [Card(rank, "") for rank in ranks[:4]], Card(ranks[4], "")
    had = set()
    for suits in suits_of(ranks):
        flush = (5 if suits[4] == suits[0] else 4) if len(set(suits[:4])) == 1 else 0
        had.add((flush, int((11, suits[4]) in list(zip(ranks[:4], suits[:4], strict=True)))))
    question = flush_question(hand, starter)
    assert set(question.answers) - set(closed(question)) == {flush for flush, _ in had}
    assert question.is_open == (len(set(ranks[:4])) == 4)
    for flush in {flush for flush, _ in had}:
        question = nobs_question(hand, starter, flush=flush)
        assert set(question.answers) - set(closed(question)) == {nobs for told, nobs in had if told == flush}
        assert question.is_open == (11 in ranks[:4])
        assert question.first == min(nobs for told, nobs in had if told == flush)


def test_each_closed_answer_says_why():
    why = "two cards of the same rank cannot share a suit"
    assert flush_question(read_ranks("2 7 8 8"), Card(13, "")).closed == ((4, "alike", why), (5, "alike", why))
    (one,) = asked("2 7 8 Q", "8")[0].closed
    assert one == (5, "starter_alike", "the hand has an eight like the starter, so not all cards share a suit")
    assert asked("A 7 8 Q", "A")[0].closed[0].why.startswith("the hand has an ace like")
    assert asked("2 7 8 Q", "2")[0].closed[0].why.startswith("the hand has a two like")
    assert asked("2 7 8 J", "K", 4)[1].closed == ((1, "flush_of_four", "the king is a different suit"),)
    assert asked("2 7 8 J", "K", 5)[1].closed == ((0, "flush_of_five", "all five share a suit, including the jack"),)
    assert asked("J J J J", "5")[1].closed == ((0, "four_jacks", "one of the four jacks has the five's suit"),)
    assert asked("2 7 8 J", "J")[1].closed == ((1, "jack_turned", "the jack of that suit is the starter"),)
    assert asked("2 7 8 Q", "K")[1].closed == ((1, "no_jack", "there is no jack in the hand"),)


def test_without_a_starter_there_is_neither_a_flush_of_five_nor_nobs():
    flush, nobs = asked("2 7 8 J", None)
    why = "there is no starter"
    assert (flush.is_open, flush.closed) == (True, ((5, "no_starter", why),))
    assert (nobs.is_open, nobs.closed) == (False, ((1, "no_starter", why),))


@pytest.mark.parametrize("flush", [0, 4, 5])
def test_there_is_always_an_answer(flush):
    for ranks in combinations_with_replacement((1, 10, 11, 13), 4):
        for starter in (1, 11):
            hand = [Card(rank, "") for rank in ranks]
            assert nobs_question(hand, Card(starter, ""), flush=flush).first in (0, 1)
            assert flush_question(hand, Card(starter, "")).first == 0
