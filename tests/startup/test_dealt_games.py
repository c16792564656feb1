"""The games that the demo's tables play are games of cribbage: held against what any dealt game must come to."""

import random
from collections import Counter
from itertools import islice

from pegboard.core.moves import Reason
from pegboard.startup.demo_tables import play_deal, play_deals

IMPOSSIBLE = {19, 25, 26, 27}
"""Points that no hand has."""


def deals(number):
    dice = random.Random(7)
    return [list(play_deal(dice, dealer=number % 2)) for number in range(number)]


def test_each_deal_shows_two_hands_and_a_crib_in_turn():
    for number, deal in enumerate(deals(60)):
        dealer = number % 2
        shown = [(one.seat, one.why) for one in deal if one.why in (Reason.HAND, Reason.CRIB)]
        assert shown == [(1 - dealer, Reason.HAND), (dealer, Reason.HAND), (dealer, Reason.CRIB)]
        assert [one.why for one in deal][-3:] == [Reason.HAND, Reason.HAND, Reason.CRIB]


def test_no_hand_has_points_that_cannot_be():
    shown = {one.points for deal in deals(300) for one in deal if one.why in (Reason.HAND, Reason.CRIB)}
    assert shown <= set(range(30)) - IMPOSSIBLE
    assert max(shown) >= 16


def test_each_play_ends_in_one_point_for_the_last_card_or_thirty_one():
    for deal in deals(200):
        play = [one for one in deal if one.why in (Reason.PLAY, Reason.GO, Reason.THIRTY_ONE)]
        assert play[-1].why in (Reason.GO, Reason.THIRTY_ONE)
        assert all(one.points == 1 for one in play if one.why == Reason.GO)
        assert 1 <= sum(one.why in (Reason.GO, Reason.THIRTY_ONE) for one in play) <= 8


def test_heels_come_once_in_thirteen_deals_and_to_the_dealer():
    """Four jacks in 52 cards: 77 of 1000 deals on the average, with a standard deviation of 8.4."""
    found = [
        (number % 2, one.seat) for number, deal in enumerate(deals(1000)) for one in deal if one.why == Reason.HEELS
    ]
    assert 50 < len(found) < 110
    assert all(dealer == seat for dealer, seat in found)


def test_the_dealer_of_a_deal_pegs_more_than_the_other():
    """The crib is worth more than the first card: in published averages the dealer has some six points more."""
    total = Counter()
    for number, deal in enumerate(deals(400)):
        for one in deal:
            total[one.seat == number % 2] += one.points
    assert total[True] > total[False]


def test_the_deal_passes():
    cribs = [one.seat for one in islice(play_deals(random.Random(3), 1), 400) if one.why == Reason.CRIB]
    assert cribs == [1, 0] * (len(cribs) // 2) + [1] * (len(cribs) % 2)
