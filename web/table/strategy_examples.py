"""Worked examples for the strategy on the rules page: discards, the order of the last show, and par after each deal.

All figures are computed when the page is rendered; only the cards are chosen, so that each example shows its rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

from pegboard.core.cards.pack import RANKS, SUITS, Card, read_cards
from pegboard.core.cards.show import flush_points, has_nobs, rank_points
from pegboard.core.game_statistics import pars
from pegboard.core.moves import Reason, Score, SetPegs
from pegboard.core.referee import new_game, play
from pegboard.core.rules import HEAD_START, Rules
from web.table.rules_texts import HAND_CARDS, HAND_CARDS_OF_FIVE, dealer_takes_six, feeds_own_crib
from web.table.worked_examples import PLAYERS, CardFace, CountedHand, HandExample, card_face, count_hand

DECK = tuple(Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in SUITS)

WITH_STARTER = 5
"""Cards of a crib with the starter."""

DEALT_BY_TWO = 2
"""Cards that each player discards if two play."""


class DiscardExample(NamedTuple):
    """Cards dealt, the better discard, a worse one, and whether the crib is the player's own."""

    dealt: str
    better: str
    worse: str
    own: bool


DISCARDS: Mapping[str, DiscardExample] = {
    "keep-most": DiscardExample("5H 6C 6D 7S JC KH", "JC KH", "6D 7S", own=True),
    "own-crib": DiscardExample("2D 3S 4H 7D 8S 10S", "7D 8S", "7D 10S", own=True),
    "their-crib": DiscardExample("2D 3S 4H 7D 8S 10S", "7D 10S", "7D 8S", own=False),
    "many-starters": DiscardExample("2H 6D 9H 10D 10H 10S", "2H 6D", "2H 9H", own=True),
}
"""The example of each rule of discarding two cards of six, by its anchor."""

DISCARDS_OF_ONE: Mapping[str, DiscardExample] = {
    "keep-most": DiscardExample("5H 6C 6D 7S KH", "KH", "6D", own=True),
    "own-crib": DiscardExample("2H 3D 5H JD KC", "5H", "KC", own=True),
    "their-crib": DiscardExample("2H 3D 5H JD KC", "KC", "5H", own=False),
    "many-starters": DiscardExample("AS 4D 4H 4S 9H", "9H", "AS", own=True),
}
"""The same for players who discard one card of five."""

DISCARDS_OF_FIVE: Mapping[str, DiscardExample] = {
    "keep-most": DiscardExample("7H 7C 8D JC KH", "JC KH", "7C 8D", own=True),
    "own-crib": DiscardExample("4D 5D 5S 10D 10H", "4D 5S", "4D 10H", own=True),
    "their-crib": DiscardExample("4D 5D 5S 10D 10H", "4D 10H", "4D 5S", own=False),
    "many-starters": DiscardExample("AS 4H 10C 10D JC", "AS 4H", "4H JC", own=True),
}
"""The same for five-card cribbage, in which a hand has three cards."""

LAST_NEEDS = (6, 9)
"""The holes that the dealer Ann and the pone Bob need in the last show."""

LAST_HANDS = (HandExample("5H 5D JC QS", "10H"), HandExample("6H 7C 8D KS", "7D"))
"""Ann's and Bob's hands in the last show."""


class Choice(NamedTuple):
    """A way to split the cards dealt, with averages over all cards that the player cannot see.

    Attributes:
        held, thrown: the cards of the hand, and the discard.
        now: points of the hand before the starter.
        hand: average points of the hand with the starter.
        crib: average points of fifteens, pairs and runs in the crib, if the others discard at random.
        net: what the split is worth: hand and own crib together, or the hand less an opponent's crib.
    """

    held: tuple[CardFace, ...]
    thrown: tuple[CardFace, ...]
    now: int
    hand: float
    crib: float
    net: float


class SplitExample(NamedTuple):
    """The better and the worse choice, and whether the crib is the player's own."""

    choices: tuple[Choice, Choice]
    own: bool


class ExpectedHoles(NamedTuple):
    """The holes that par brings the first dealer and the first pone to by the end of a deal."""

    deal: int
    dealer: int
    pone: int


class LastShow(NamedTuple):
    """A show that the pone ends: the holes that Ann (dealer) and Bob need, both hands, and the winner."""

    needs: tuple[int, int]
    hands: tuple[CountedHand, CountedHand]
    winner: str


def split(anchor: str, rules: Rules) -> SplitExample | None:
    """The example discard of a rule, with as many cards as the rules of the game deal; None if it has none."""
    examples = DISCARDS_OF_ONE if rules.seats > DEALT_BY_TWO else DISCARDS_OF_FIVE if rules.pegging_only else DISCARDS
    if dealer_takes_six(rules) and anchor in DISCARDS and DISCARDS[anchor].own:
        examples = DISCARDS
    if anchor not in examples or (anchor == "own-crib" and not feeds_own_crib(rules)):
        return None
    dealt, better, worse, own = examples[anchor]
    own = feeds_own_crib(rules) and (own or rules.seats == 1)
    return SplitExample((_choose(dealt, better, own=own), _choose(dealt, worse, own=own)), own)


@cache
def _choose(dealt: str, thrown: str, *, own: bool) -> Choice:
    cards, away = read_cards(dealt), read_cards(thrown)
    held = tuple(card for card in cards if card not in away)
    hand, crib = average_hand(held, cards), average_crib(away, cards)
    now = rank_points(held) + flush_points(held, None)
    faces = tuple(map(card_face, held)), tuple(map(card_face, away))
    return Choice(*faces, now, hand, crib, hand + crib if own else hand - crib)


def average_hand(held: Sequence[Card], dealt: Sequence[Card]) -> float:
    """Average points of a hand over all starters that were not dealt to the player."""
    starters = [card for card in DECK if card not in dealt]
    counted = (rank_points((*held, cut)) + flush_points(held, cut) + has_nobs(held, cut) for cut in starters)
    return sum(counted) / len(starters)


def average_crib(thrown: Sequence[Card], dealt: Sequence[Card]) -> float:
    """Average points of fifteens, pairs and runs in a crib whose other cards and starter are any the player cannot see.

    Suits are left out, because a flush in the crib and its nobs are worth a small fraction of a point.
    """
    left = {rank: len(SUITS) - sum(card.rank == rank for card in dealt) for rank in range(1, len(RANKS) + 1)}
    total = ways = 0
    for ranks in combinations_with_replacement(left, WITH_STARTER - len(thrown)):
        many = prod(comb(left[rank], ranks.count(rank)) for rank in set(ranks))
        ways += many
        total += many and many * rank_points((*thrown, *(Card(rank, "") for rank in ranks)))
    return total / ways


def expected_holes(rules: Rules) -> list[ExpectedHoles]:
    """Where par puts the first dealer and the first pone after each deal; empty for games without a known par.

    A deal in which both would reach the game hole is left out, because par does not say who is first.
    """
    dealing, waiting = pars(rules)
    if dealing is None or waiting is None:
        return []
    holes, found = [0.0, float(rules.pone_start)], list[ExpectedHoles]()
    while max(holes) < rules.game_hole:
        dealer = len(found) % 2
        holes[dealer] += dealing + rules.dealer_start
        holes[1 - dealer] += waiting
        if min(map(round, holes)) >= rules.game_hole:
            break
        found.append(ExpectedHoles(len(found) + 1, *(min(round(hole), rules.game_hole) for hole in holes)))
    return found


def last_show(rules: Rules) -> LastShow | None:
    """A last show in which the pone pegs out before the dealer counts, played by the core; None without an opponent."""
    if rules.lanes == 1:
        return None
    two = replace(rules, seats=2, lanes=2, dealer_start=0, pone_start=0)
    game = new_game(two, PLAYERS, dealer=0)
    for seat, holes in enumerate(LAST_NEEDS):
        front = rules.game_hole - holes
        game = play(game, SetPegs(seat, front, front - HEAD_START))
    size = HAND_CARDS_OF_FIVE if rules.pegging_only else HAND_CARDS
    ann, bob = (count_hand(_first_cards(hand, size), rules.crib_flush) for hand in LAST_HANDS)
    game = play(game, Score(bob.points, 1, why=Reason.HAND))
    winner = "" if game.outcome is None or game.outcome.winner is None else PLAYERS[game.outcome.winner]
    return LastShow(LAST_NEEDS, (ann, bob), winner)


def _first_cards(hand: HandExample, size: int) -> HandExample:
    return hand._replace(cards=" ".join(hand.cards.split()[:size]))
