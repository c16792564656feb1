"""The show: counts a hand or the crib, part by part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product

from pegboard.core.cards.pack import (
    FIFTEEN,
    JACK,
    KING,
    SHORTEST_RUN,
    SUITS,
    Card,
    Kind,
    Part,
    check_pack,
    pair,
    read_laid,
    read_ranks,
    run,
)
from pegboard.core.cards.spoken_count import name_of, names_in_one_breath, with_totals
from pegboard.errors import RuleError

HAND_CARDS = 4
HAND_OF_FIVE_CARDS = 3
"""Cards of a hand in the old game of five, in which two are laid away."""

ALL_FIVE = 5
"""Cards of one suit that a flush of the crib needs (all sheets); a house may count its four."""

PLACE = 8
"""Bits of a number that tells in how many ways a total can be made; five cards have 32 sets."""


@dataclass(frozen=True, slots=True)
class Show:
    """A hand or crib on the table; its score is worked out on demand.

    Attributes:
        hand: the four cards of the hand or crib; three of a hand in the game of five cards.
        starter: the card that was cut; None only for four cards counted alone, as in the last hand of solitaire.
        flush: points for cards of one suit: 0, as many as the hand has cards, or one more.
        nobs: whether the hand has the jack of the starter's suit.
    """

    hand: tuple[Card, ...]
    starter: Card | None
    flush: int
    nobs: bool

    @property
    def points(self) -> int:
        """0 to 29; never 19, 25, 26 or 27."""
        return rank_points(self._cards) + self.flush + self.nobs

    @property
    def parts(self) -> tuple[Part, ...]:
        """Everything that scores, in the order players count: fifteens, pairs, runs, flush, nobs."""
        return (*rank_parts(sorted(self._cards)), *self._suit_parts())

    @property
    def spoken(self) -> str:
        """The count as players say it: `fifteen two, fifteen four, and a pair is six`."""
        return self.say()

    def say(self, *, nineteen: bool = False) -> str:
        """The count as players say it; with `nineteen` no points are called by the score that cannot happen."""
        count = with_totals(names_in_one_breath(self.parts))
        if not count:
            return "nineteen" if nineteen else "zero"
        return ", ".join(count)

    @property
    def phrases(self) -> tuple[str, ...]:
        """Each part by itself with the running total; only `spoken` joins a double run with its pair."""
        return with_totals((name_of(part), part.points) for part in self.parts)

    @property
    def _cards(self) -> tuple[Card, ...]:
        return self.hand if self.starter is None else (*self.hand, self.starter)

    def _suit_parts(self) -> Iterator[Part]:
        if self.flush:
            cards = self.hand if self.flush == len(self.hand) else tuple(sorted(self._cards))
            yield Part(Kind.FLUSH, cards, self.flush)
        if self.nobs and self.starter is not None:
            yield Part(Kind.NOBS, (Card(JACK, self.starter.suit),), 1)


def count_show(hand: str, starter: str | None, *, crib: bool = False, crib_flush: int = ALL_FIVE) -> Show:
    """Count a hand or crib with the starter, each card written rank and suit; ranks are enough if no suit matters.

    Args:
        hand: four cards, such as `5H 5C 5S JD` or `7 7 8 9`, or three of a hand in the game of five cards.
        starter: one card; None counts four cards alone, as in the last hand of solitaire.
        crib: whether these are the crib's cards, where only five of a suit are a flush.
        crib_flush: 4 where the house counts a flush of the crib's own four.

    Raises:
        RuleError: a card cannot be read, is there twice, there are too many or too few, or a missing suit matters.
    """
    cards = read_laid(hand)
    cut = None if starter is None else _one(read_laid(starter))
    _check(cards, cut, crib=crib)
    if all(card.suit for card in (cards if cut is None else (*cards, cut))):
        return Show(cards, cut, flush_points(cards, cut, crib=crib, crib_flush=crib_flush), has_nobs(cards, cut))
    every = [(flush_points(*one, crib=crib, crib_flush=crib_flush), has_nobs(*one)) for one in _in_suits(cards, cut)]
    return Show(cards, cut, *_same_in_all_suits(every))


def count_ranks(ranks: str, starter: str | None, *, flush: int, nobs: bool) -> Show:
    """Count a hand or crib by its ranks, with the two questions about suits answered by the caller.

    Args:
        ranks: four ranks, such as `A 4 5 6`, or three of a hand in the game of five cards.
        starter: one rank; None counts four cards alone.
        flush: 0, 4 (the hand is of one suit) or 5 (the starter too), one less for three cards; a crib has no flush
            of 4, unless the house counts it.
        nobs: whether the hand has the jack of the starter's suit.

    Raises:
        RuleError: a rank cannot be read, there are too many or too few, or no cards of a pack fit the answers.
    """
    cards = read_ranks(ranks)
    cut = None if starter is None else _one(read_ranks(starter))
    _check(cards, cut)
    _check_flush(cards, cut, flush)
    _check_nobs(cards, cut, flush, nobs=nobs)
    return Show(cards, cut, flush, nobs)


def fifteens(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Every set of the cards whose values make fifteen."""
    sets = [chosen for size in range(2, len(cards) + 1) for chosen in combinations(cards, size)]
    return [chosen for chosen in sets if sum(card.value for card in chosen) == FIFTEEN]


def of_a_rank(cards: Sequence[Card]) -> list[list[Card]]:
    """The cards grouped by rank, lowest rank first."""
    return [list(group) for _, group in groupby(sorted(cards), key=lambda card: card.rank)]


def runs(groups: Sequence[list[Card]]) -> list[tuple[Card, ...]]:
    """Every distinct longest run of three or more, from the cards gathered by rank.

    Five cards have room for one stretch of neighbouring ranks only; equal cards in it make it double, triple ...
    """
    stretch: list[list[Card]] = []
    for group in groups:
        if stretch and group[0].rank != stretch[-1][0].rank + 1:
            if len(stretch) >= SHORTEST_RUN:
                break
            stretch = []
        stretch.append(group)
    return list(product(*stretch)) if len(stretch) >= SHORTEST_RUN else []


def rank_parts(cards: Sequence[Card]) -> Iterator[Part]:
    """What the ranks alone score: fifteens, pairs and runs."""
    groups = of_a_rank(cards)
    yield from (Part(Kind.FIFTEEN, chosen, 2) for chosen in fifteens(cards))
    yield from (pair(group) for group in groups if len(group) > 1)
    yield from (run(chosen) for chosen in runs(groups))


def rank_points(cards: Sequence[Card]) -> int:
    """Points of fifteens, pairs and runs, faster than by their parts."""
    many: dict[int, int] = {}
    pairs = 0
    for card in cards:
        before = many.get(card.rank, 0)
        pairs += before
        many[card.rank] = before + 1
    return 2 * (_ways_to_fifteen(cards) + pairs) + _run_points(many)


def _ways_to_fifteen(cards: Sequence[Card]) -> int:
    """How many sets of the cards make fifteen: every card can be added to all sets before it.

    One whole number holds the ways to make every total at once, `PLACE` bits each, so that adding a card is a shift.
    """
    ways = 1
    for card in cards:
        ways += ways << PLACE * card.value
    return (ways >> PLACE * FIFTEEN) % (1 << PLACE)


def _run_points(many: Mapping[int, int]) -> int:
    """Points of the runs in a hand that has so many cards of each rank; equal cards make a run double, triple ..."""
    length, times = 0, 1
    for rank in range(1, KING + 2):
        if rank in many:
            length, times = length + 1, times * many[rank]
        elif length >= SHORTEST_RUN:
            return length * times
        else:
            length, times = 0, 1
    return 0


def flush_points(hand: Sequence[Card], starter: Card | None, *, crib: bool = False, crib_flush: int = ALL_FIVE) -> int:
    """4 for a hand of one suit, 5 with the starter, and of three cards 3 and 4; in the crib all five or nothing.

    `crib_flush` is 4 where the house counts a flush of the crib's own four.
    """
    suits = {card.suit for card in hand}
    if len(suits) > 1:
        return 0
    if starter is not None and starter.suit in suits:
        return len(hand) + 1
    return 0 if crib and crib_flush > len(hand) else len(hand)


def has_nobs(hand: Sequence[Card], starter: Card | None) -> bool:
    """Whether the jack of the starter's suit is in the hand; the starter itself is never nobs."""
    return starter is not None and Card(JACK, starter.suit) in hand


def _in_suits(hand: Sequence[Card], starter: Card | None) -> Iterator[tuple[tuple[Card, ...], Card | None]]:
    """The hand and the starter with every suit that the cards without one can have; at most 4 ** 5 ways."""
    cards = hand if starter is None else (*hand, starter)
    for suits in product(*(card.suit or SUITS for card in cards)):
        suited = [Card(card.rank, suit) for card, suit in zip(cards, suits, strict=True)]
        if len(set(suited)) == len(suited):
            yield tuple(suited[: len(hand)]), None if starter is None else suited[-1]


def _same_in_all_suits(every: Sequence[tuple[int, bool]]) -> tuple[int, bool]:
    """Points of the flush, and whether there is nobs, if all suits give the same."""
    flushes, nobs = ({one[n] for one in every} for n in range(2))
    if len(flushes) > 1 and len(nobs) > 1:
        raise RuleError("count_suits_both")
    if len(flushes) > 1 or len(nobs) > 1:
        raise RuleError("count_suits_flush" if len(flushes) > 1 else "count_suits_nobs")
    return every[0]


def _one(cards: Sequence[Card]) -> Card:
    if len(cards) != 1:
        raise RuleError("card_one_starter", cards=len(cards))
    return cards[0]


def _check(hand: Sequence[Card], starter: Card | None, *, crib: bool = False) -> None:
    if len(hand) not in {HAND_CARDS, HAND_OF_FIVE_CARDS}:
        raise RuleError("card_hand_of_four", cards=len(hand))
    if crib and len(hand) != HAND_CARDS:
        raise RuleError("card_crib_of_four", cards=len(hand))
    if starter is None and len(hand) != HAND_CARDS:
        raise RuleError("card_three_alone", cards=len(hand))
    if crib and starter is None:
        raise RuleError("card_crib_starter")
    check_pack(hand if starter is None else (*hand, starter))


def _check_flush(hand: Sequence[Card], starter: Card | None, flush: int) -> None:
    four, five = len(hand), len(hand) + 1
    if flush not in (0, four, five):
        raise RuleError("card_flush_of", flush=flush, four=four, five=five)
    if flush == five and starter is None:
        raise RuleError("card_flush_starter", five=five, four=four)
    cards = (*hand, starter) if flush == five and starter is not None else hand
    if flush and len(set(cards)) < flush:
        raise RuleError("card_flush_pair", flush=flush, taken="0" if len(set(hand)) < four else f"0 or {four}")


def _check_nobs(hand: Sequence[Card], starter: Card | None, flush: int, *, nobs: bool) -> None:
    four, five = len(hand), len(hand) + 1
    can_be = starter is not None and starter.rank != JACK and has_nobs(hand, starter)
    if nobs and not can_be:
        raise RuleError("card_nobs_jack")
    if nobs and flush == four:
        raise RuleError("card_nobs_flush_four", four=four, five=five)
    if can_be and not nobs and flush == five:
        raise RuleError("card_nobs_flush_five", five=five, four=four)
    if can_be and not nobs and hand.count(Card(JACK, "")) == len(SUITS):
        raise RuleError("card_nobs_four")
