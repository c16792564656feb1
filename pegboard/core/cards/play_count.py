"""The count of the play: points of the card just laid on the way to thirty-one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pegboard.core.cards.pack import FIFTEEN, SHORTEST_RUN, VALUES, Card, Kind, Part, check_pack, pair, read_laid, run
from pegboard.errors import RuleError
from pegboard.messages import Message

THIRTY_ONE = 31
MOST_LAID = 16
"""Cards laid at most: four hands of four."""


@dataclass(frozen=True, slots=True)
class PlayCount:
    """The cards laid since the count last began anew; the last of them is the one that scores.

    Attributes:
        cards: in the order in which they were laid; none before the first.
        count: the sum of their values, at most 31.
    """

    cards: tuple[Card, ...] = ()
    count: int = 0

    @property
    def points(self) -> int:
        """Points of the last card, without go and last card."""
        total = 2 if self.count in (FIFTEEN, THIRTY_ONE) else 0
        alike = _alike_at_end(self.cards)
        return total + alike * (alike - 1) + _run_at_end(self.cards)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the last card scores for: fifteen or thirty-one, cards of a rank, a run."""
        return tuple(self._scoring())

    def _scoring(self) -> Iterator[Part]:
        if self.count == FIFTEEN:
            yield Part(Kind.FIFTEEN, self.cards, 2)
        if self.count == THIRTY_ONE:
            yield Part(Kind.THIRTY_ONE, self.cards, 2)
        alike = _alike_at_end(self.cards)
        if alike > 1:
            yield pair(self.cards[-alike:])
        length = _run_at_end(self.cards)
        if length:
            yield run(self.cards[-length:])


def count_play(laid: str) -> PlayCount:
    """Count the last of the cards laid in turn; after thirty-one the next card begins the count anew.

    After a go the count begins anew too, which the cards do not tell: give only those laid since.

    Args:
        laid: ranks or cards in the order of play, such as `4 5 3 3 3`; suits score nothing.

    Raises:
        RuleError: nothing was laid, a card cannot be read, would pass 31, or no pack or deal has such cards.
    """
    return _since_anew(_read(laid))


def count_each(laid: str) -> list[PlayCount]:
    """Count every card laid in turn as `count_play` counts the last.

    Raises:
        RuleError: as in `count_play`.
    """
    cards = _read(laid)
    return [_since_anew(cards[:end]) for end in range(1, len(cards) + 1)]


def _read(laid: str) -> tuple[Card, ...]:
    cards = read_laid(laid)
    if not 1 <= len(cards) <= MOST_LAID:
        raise RuleError("play_many", cards=len(cards), most=MOST_LAID)
    check_pack(cards)
    return cards


def _since_anew(cards: tuple[Card, ...]) -> PlayCount:
    first = count = 0
    for place, card in enumerate(cards):
        if count == THIRTY_ONE:
            first, count = place, 0
        count += VALUES[card.rank]
        if count > THIRTY_ONE:
            raise RuleError("play_passed_go", card=card, count=count, most=THIRTY_ONE)
    return PlayCount(cards[first:], count)


def message_past_thirty_one(card: Card, count: int) -> Message:
    """The message that a card would pass thirty-one."""
    return Message("play_passed", card=card, count=count, most=THIRTY_ONE)


def _alike_at_end(cards: Sequence[Card]) -> int:
    """How many cards of the last card's rank lie together at the end."""
    return len(list(takewhile(lambda card: card.rank == cards[-1].rank, reversed(cards))))


def _run_at_end(cards: Sequence[Card]) -> int:
    """Length of the longest run, in any order, that ends with the last card; 0 where there is none.

    Each rank is a bit of one whole number: neighbouring ranks are ones side by side, whose lowest divides them to
    2 ** length - 1.
    """
    length = ranks = 0
    for many, card in enumerate(reversed(cards), 1):
        bit = 1 << card.rank
        if ranks & bit:
            break
        ranks |= bit
        if ranks // (ranks & -ranks) + 1 == 1 << many:
            length = many
    return length if length >= SHORTEST_RUN else 0
