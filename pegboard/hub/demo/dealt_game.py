"""A game of cribbage dealt by chance: who pegs how much for what, card by card; both play simply."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from pegboard.core.cards.pack import JACK, RANKS, SUITS, Card
from pegboard.core.cards.play import THIRTY_ONE, PlayCount
from pegboard.core.cards.show import flush_points, has_nobs, rank_points
from pegboard.core.moves import Reason

PACK = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, len(RANKS) + 1))

DEALT, HELD = 6, 4
"""Cards that each of two players is dealt, and keeps."""

SEATS = 2

HEELS, GO = 2, 1
"""Points for a jack that is cut, and for a go or the last card."""


class Pegged(NamedTuple):
    """Points that are pegged at one time.

    Attributes:
        seat: whose they are.
        points: how many; a hand or crib without points is pegged as 0.
        why: what for.
    """

    seat: int
    points: int
    why: Reason


def play_deals(dice: random.Random, dealer: int) -> Iterator[Pegged]:
    """What is pegged in one deal after another, without an end; `dealer` deals first, and then each in turn."""
    while True:
        yield from play_deal(dice, dealer)
        dealer = 1 - dealer


def play_deal(dice: random.Random, dealer: int) -> Iterator[Pegged]:
    """What is pegged in one deal, in order: heels, the play, the other hand, the dealer's hand, the crib."""
    cards = dice.sample(PACK, SEATS * DEALT + 1)
    starter, dealt = cards[-1], (cards[:DEALT], cards[DEALT : 2 * DEALT])
    hands = [max(combinations(own, HELD), key=rank_points) for own in dealt]
    crib = [card for own, hand in zip(dealt, hands, strict=True) for card in own if card not in hand]
    if starter.rank == JACK:
        yield Pegged(dealer, HEELS, Reason.HEELS)
    yield from _play_hands(hands, 1 - dealer)
    for seat in (1 - dealer, dealer):
        yield Pegged(seat, _count(hands[seat], starter, is_crib=False), Reason.HAND)
    yield Pegged(dealer, _count(crib, starter, is_crib=True), Reason.CRIB)


def _count(cards: Sequence[Card], starter: Card, *, is_crib: bool) -> int:
    suits = flush_points(cards, starter, crib=is_crib) + has_nobs(cards, starter)
    return rank_points([*cards, starter]) + suits


def _play_hands(hands: Sequence[Sequence[Card]], seat: int) -> Iterator[Pegged]:
    """What the cards score as they are laid, `seat` first."""
    left = [list(hand) for hand in hands]
    laid, last = PlayCount(), seat
    while any(left):
        fits = [card for card in left[seat] if laid.count + card.value <= THIRTY_ONE]
        if fits:
            card = max(fits, key=lambda one: (_lay(laid, one).points, one.value))
            left[seat].remove(card)
            laid, last = _lay(laid, card), seat
            yield from _score(laid, seat)
        elif not any(laid.count + card.value <= THIRTY_ONE for card in left[1 - seat]):
            if 0 < laid.count < THIRTY_ONE:
                yield Pegged(last, GO, Reason.GO)
            laid, seat = PlayCount(), last
        seat = 1 - seat
    if laid.count < THIRTY_ONE:
        yield Pegged(last, GO, Reason.GO)


def _lay(laid: PlayCount, card: Card) -> PlayCount:
    return PlayCount((*laid.cards, card), laid.count + card.value)


def _score(laid: PlayCount, seat: int) -> Iterator[Pegged]:
    if laid.points:
        yield Pegged(seat, laid.points, Reason.THIRTY_ONE if laid.count == THIRTY_ONE else Reason.PLAY)
