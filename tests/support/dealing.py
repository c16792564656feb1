"""Dealt games: cards, discards, the play and the show of players of several kinds, with every entry they would peg.

What the course's table is learned from, and what it is tried on. The counting is the project's own; who discards and
lays what is told here. One entry is what is pegged at one time: the points of a card, a go called after it, a hand, a
crib. Zeros are entries of 0 points.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, combinations
from typing import NamedTuple

from pegboard.core.cards.pack import RANKS, SUITS, Card
from pegboard.core.cards.play import THIRTY_ONE, PlayCount
from pegboard.core.cards.show import flush_points, has_nobs, rank_points
from pegboard.core.rules import Rules

JACK = 11
FIVE = 5
PACK = tuple(Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in SUITS)
VALUE = tuple(min(rank, 10) for rank in range(len(RANKS) + 1))


class Truth(NamedTuple):
    """One entry as it truly was.

    Attributes:
        deal: the number of its deal, from 1.
        dealer: the seat that deals.
        seat: who pegs.
        points: how many.
        why: "heels", "play", "go", "thirty-one", "hand" or "crib"; "muggins" for what an opponent has missed.
        ends: whether it ends a count of the play.
        last: whether it is the last of the play.
        told: whether it is told what it is for, whatever else is.
    """

    deal: int
    dealer: int
    seat: int
    points: int
    why: str
    ends: bool = False
    last: bool = False
    told: bool = False


class Table(NamedTuple):
    """How many play, and with how many cards.

    Attributes:
        seats: players.
        lanes: rows of holes.
        held: cards in a hand that is played.
        thrown: cards that each player throws into the crib, in the order of seats from the dealer.
        game_hole: the hole that wins.
    """

    seats: int
    lanes: int
    held: int
    thrown: tuple[int, ...]
    game_hole: int


THROWN = {2: (2, 2), 3: (1, 1, 1), 4: (1, 1, 1, 1), 6: (0, 1, 1, 0, 1, 1)}
"""By number of players: of six, the dealer and the partner opposite are dealt four cards and keep them."""

THROWN_OF_SIX = (2, 1, 1)
"""Of three players, if the dealer takes six cards."""


def table_of(rules: Rules) -> Table:
    """How a variant is dealt."""
    if rules.pegging_only or rules.variant == "five-card":
        return Table(2, 2, 3, (2, 2), rules.game_hole)
    takes_six = rules.dealer_six and rules.seats == len(THROWN_OF_SIX)
    return Table(rules.seats, rules.lanes, 4, THROWN_OF_SIX if takes_six else THROWN[rules.seats], rules.game_hole)


class Kind(NamedTuple):
    """A kind of player: how it discards and how it lays a card.

    Attributes:
        keep: from the cards dealt, how many to keep and whether the crib is its own, what it keeps.
        lay: from the cards that fit, the pile of ranks, the count and all it holds, the card that it lays.
    """

    keep: Callable[[random.Random, Sequence[Card], int, bool], tuple[Card, ...]]
    lay: Callable[[random.Random, Sequence[Card], PlayCount, Sequence[Card]], Card]


# --- counting, quickly ---


@cache
def points_of_ranks(ranks: tuple[int, ...]) -> int:
    """Points of fifteens, pairs and runs of ranks that are sorted."""
    return rank_points([Card(rank, "") for rank in ranks])


def show_points(cards: Sequence[Card], starter: Card, *, crib: bool) -> int:
    """Points of a hand or crib with the starter."""
    ranks = tuple(sorted([card.rank for card in cards] + [starter.rank]))
    return points_of_ranks(ranks) + flush_points(cards, starter, crib=crib) + has_nobs(cards, starter)


@cache
def hoped_for(ranks: tuple[int, ...]) -> float:
    """Points of a hand on the average over all starters."""
    starters = [(rank, 4 - ranks.count(rank)) for rank in range(1, 14)]
    total = sum(many * points_of_ranks(tuple(sorted((*ranks, rank)))) for rank, many in starters)
    return total / sum(many for _, many in starters)


@cache
def crib_value(thrown: tuple[int, ...]) -> float:
    """Points of a crib on the average, of which these ranks are known; its other cards are taken at random."""
    dice = random.Random(repr(thrown))
    rest = [rank for rank in range(1, 14) for _ in range(4 - thrown.count(rank))]
    drawn = [dice.sample(rest, 5 - len(thrown)) for _ in range(400)]
    return sum(points_of_ranks(tuple(sorted((*thrown, *more)))) for more in drawn) / len(drawn)


@cache
def card_points(pile: tuple[int, ...]) -> int:
    """Points of the last of these ranks in the play."""
    return PlayCount(tuple([Card(rank, "") for rank in pile]), sum(VALUE[rank] for rank in pile)).points


# --- kinds of players ---


def _splits(cards: Sequence[Card], held: int) -> Iterator[tuple[tuple[Card, ...], tuple[int, ...]]]:
    for kept in combinations(cards, held):
        yield kept, tuple(sorted(card.rank for card in cards if card not in kept))


def _ranks(cards: Sequence[Card]) -> tuple[int, ...]:
    return tuple(sorted(card.rank for card in cards))


def keep_well(_dice: random.Random, cards: Sequence[Card], held: int, own: bool) -> tuple[Card, ...]:
    """Keep what counts most on the average, with the crib for or against."""

    def worth(split: tuple[tuple[Card, ...], tuple[int, ...]]) -> float:
        kept, thrown = split
        return hoped_for(_ranks(kept)) + flush_points(kept, None, crib=False) + (1 if own else -1) * crib_value(thrown)

    return max(_splits(cards, held), key=worth)[0]


def keep_at_sight(_dice: random.Random, cards: Sequence[Card], held: int, _own: bool) -> tuple[Card, ...]:
    """Keep what counts most as it lies, whoever has the crib."""
    return max(_splits(cards, held), key=lambda split: points_of_ranks(_ranks(split[0])))[0]


def keep_by_chance(dice: random.Random, cards: Sequence[Card], held: int, own: bool) -> tuple[Card, ...]:
    """Keep well every other time, else anything."""
    return tuple(dice.sample(list(cards), held)) if dice.random() < 0.5 else keep_well(dice, cards, held, own)


def keep_anything(dice: random.Random, cards: Sequence[Card], held: int, _own: bool) -> tuple[Card, ...]:
    """Keep what comes to hand."""
    return tuple(dice.sample(list(cards), held))


def lay_well(dice: random.Random, fitting: Sequence[Card], laid: PlayCount, held: Sequence[Card]) -> Card:
    """Lay what scores, and leave little to the next."""
    return max(fitting, key=lambda card: (_worth(laid, card, held), dice.random()))


def _worth(laid: PlayCount, card: Card, held: Sequence[Card]) -> float:
    pile, count = _pile(laid, card)
    worth = float(card_points(pile))
    if not laid.cards:
        ranks = [other.rank for other in held]
        worth += 0.6 * (ranks.count(card.rank) > 1) + 0.4 * (VALUE[card.rank] < FIVE) - 2 * (VALUE[card.rank] == FIVE)
    worth -= _left(pile, count)
    return worth - 0.02 * (JACK - VALUE[card.rank]) if count < THIRTY_ONE else worth


def _left(pile: tuple[int, ...], count: int) -> float:
    """What the next may well score, over all ranks."""
    fits = [rank for rank in range(1, 14) if count + VALUE[rank] <= THIRTY_ONE]
    return 0.6 * sum(card_points((*pile, rank)) for rank in fits) / 13


def _pile(laid: PlayCount, card: Card) -> tuple[tuple[int, ...], int]:
    return (*[other.rank for other in laid.cards], card.rank), laid.count + VALUE[card.rank]


def lay_greedily(dice: random.Random, fitting: Sequence[Card], laid: PlayCount, _held: Sequence[Card]) -> Card:
    """Lay what scores most, else the highest card."""
    return max(fitting, key=lambda card: (card_points(_pile(laid, card)[0]), VALUE[card.rank], dice.random()))


def lay_low(dice: random.Random, fitting: Sequence[Card], _laid: PlayCount, _held: Sequence[Card]) -> Card:
    """Lay the lowest card, whatever it scores."""
    return min(fitting, key=lambda card: (VALUE[card.rank], dice.random()))


def lay_by_chance(dice: random.Random, fitting: Sequence[Card], laid: PlayCount, held: Sequence[Card]) -> Card:
    """Lay well every other time, else anything."""
    return dice.choice(list(fitting)) if dice.random() < 0.5 else lay_well(dice, fitting, laid, held)


def lay_anything(dice: random.Random, fitting: Sequence[Card], _laid: PlayCount, _held: Sequence[Card]) -> Card:
    """Lay what comes to hand."""
    return dice.choice(list(fitting))


CAREFUL = Kind(keep_well, lay_well)
GREEDY = Kind(keep_well, lay_greedily)
PLAIN = Kind(keep_at_sight, lay_greedily)
THRIFTY = Kind(keep_at_sight, lay_well)
CHANCE = Kind(keep_by_chance, lay_by_chance)
LUCKY = Kind(keep_by_chance, lay_well)
BOLD = Kind(keep_by_chance, lay_greedily)

NAIVE = Kind(keep_at_sight, lay_low)

DREAMY = Kind(keep_anything, lay_greedily)
HASTY = Kind(keep_at_sight, lay_anything)
LOOSE = Kind(keep_anything, lay_well)

MIX = (CAREFUL, CAREFUL, CAREFUL, GREEDY, GREEDY, THRIFTY, THRIFTY, PLAIN, NAIVE)
"""Sensible players."""

TAUGHT = (*MIX, *(DREAMY, HASTY) * 4, LOOSE)
"""The players that the table is learned from: half of them sensible."""

OTHERS = (LUCKY, CHANCE)
"""Players of whom it has learned nothing: half of what they discard, or lay too, is taken at random."""

CARELESS = (BOLD,)
"""Players who discard so, and lay whatever scores most at once."""


# --- a deal ---


def deal(
    dice: random.Random, table: Table, dealer: int, kinds: Sequence[Kind], number: int = 1, *, at_once: float = 0.0
) -> Iterator[Truth]:
    """The entries of one deal, zeros included.

    `at_once` is how often the last card's one is pegged together with what that card scores: "fifteen for two, and one
    for last is three".
    """
    sizes = [table.held + table.thrown[(seat - dealer) % table.seats] for seat in range(table.seats)]
    drawn = dice.sample(PACK, sum(sizes) + 2)
    starter, extra = drawn[-1], drawn[-2]
    dealt = [drawn[end - size : end] for size, end in zip(sizes, accumulate(sizes), strict=True)]
    hands = [
        kinds[seat].keep(dice, dealt[seat], table.held, seat % table.lanes == dealer % table.lanes)
        for seat in range(table.seats)
    ]
    crib = [card for seat in range(table.seats) for card in dealt[seat] if card not in hands[seat]]
    crib = [*crib, extra][:4]
    if starter.rank == JACK:
        yield Truth(number, dealer, dealer, 2, "heels")
    for seat, points, why, ends, last in _play(dice, hands, dealer, kinds, at_once):
        yield Truth(number, dealer, seat, points, why, ends, last)
    for turn in range(1, table.seats + 1):
        seat = (dealer + turn) % table.seats
        yield Truth(number, dealer, seat, show_points(hands[seat], starter, crib=False), "hand")
    yield Truth(number, dealer, dealer, show_points(crib, starter, crib=True), "crib")


Pegged = tuple[int, int, str, bool, bool]


def _play(
    dice: random.Random, hands: Sequence[Sequence[Card]], dealer: int, kinds: Sequence[Kind], at_once: float
) -> Iterator[Pegged]:
    """Seat, points, why, whether it ends a count, whether it is the last; one entry for each time that pegs."""
    seats = len(hands)
    left = [list(hand) for hand in hands]
    seat, laid, gone, last = (dealer + 1) % seats, PlayCount(), set[int](), -1
    while any(left):
        fitting = [card for card in left[seat] if laid.count + VALUE[card.rank] <= THIRTY_ONE]
        if not fitting:
            gone.add(seat)
            if len(gone) == seats:
                yield last, 1, "go", True, False
                laid, gone, seat = PlayCount(), set(), last
            seat = (seat + 1) % seats
            continue
        card = kinds[seat].lay(dice, fitting, laid, left[seat])
        left[seat].remove(card)
        laid, last = PlayCount((*laid.cards, card), laid.count + VALUE[card.rank]), seat
        points, over = card_points(tuple(card.rank for card in laid.cards)), not any(left)
        yield from _scored(seat, points, laid.count, over, at_once=dice.random() < at_once)
        if laid.count == THIRTY_ONE:
            laid, gone = PlayCount(), set()
        seat = (seat + 1) % seats


def _scored(seat: int, points: int, count: int, over: bool, *, at_once: bool) -> Iterator[Pegged]:
    if count == THIRTY_ONE:
        yield seat, points, "thirty-one", True, over
    elif over and points and at_once:
        yield seat, points + 1, "play", True, True
    else:
        if points:
            yield seat, points, "play", False, False
        if over:
            yield seat, 1, "go", True, True


# --- a game ---


def game(dice: random.Random, table: Table, first: int, kinds: Sequence[Kind], *, at_once: float = 0.0) -> list[Truth]:
    """The entries of a game, up to the one that ends it."""
    fronts, entries = [0] * table.lanes, list[Truth]()
    number, dealer = 1, first
    while True:
        for entry in deal(dice, table, dealer, kinds, number, at_once=at_once):
            entries.append(entry)
            fronts[entry.seat % table.lanes] += entry.points
            if fronts[entry.seat % table.lanes] >= table.game_hole:
                return entries
        number, dealer = number + 1, (dealer + 1) % table.seats
