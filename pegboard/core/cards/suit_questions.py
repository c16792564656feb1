"""The two questions about suits that ranks leave open: which answers can be, and why the others cannot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pegboard.core.cards.pack import JACK, SUITS, Card

CALLED = (*("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"),)
"""Names of the ranks, the ace first."""

_COUNTED = {4: "four", 5: "five"}

NOBS = (0, 1)
"""Whether the hand has the jack of the starter's suit."""


class ImpossibleAnswer(NamedTuple):
    """An answer that these ranks cannot have.

    Attributes:
        answer: the answer.
        code: a stable word for the reason.
        why: the reason in words.
    """

    answer: int
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question about suits.

    Attributes:
        is_open: whether more than one answer is possible.
        answers: every answer, possible or not.
        closed: the impossible answers.
    """

    is_open: bool
    answers: tuple[int, ...]
    closed: tuple[ImpossibleAnswer, ...]

    @property
    def first(self) -> int:
        """The plainest answer that can be: no, unless these cards leave no choice."""
        impossible = {one.answer for one in self.closed}
        return next(answer for answer in self.answers if answer not in impossible)


def flush_question(hand: Sequence[Card], starter: Card | None) -> Question:
    """How many cards the flush has: none, the hand, or the starter too; open if the ranks of the hand differ."""
    return Question(not _alike(hand), (0, len(hand), len(hand) + 1), tuple(_no_flush(hand, starter)))


def nobs_question(hand: Sequence[Card], starter: Card | None, *, flush: int) -> Question:
    """Whether there is nobs; open if the hand has a jack.

    Args:
        hand: the ranks of the hand.
        starter: the rank of the starter; None where four cards are counted alone.
        flush: how many cards the flush has; in the crib too, where one of four scores nothing.
    """
    closed = next(_no_nobs(hand, starter, flush), None)
    return Question(starter is not None and _jacks(hand) > 0, NOBS, () if closed is None else (closed,))


def _no_flush(hand: Sequence[Card], starter: Card | None) -> Iterator[ImpossibleAnswer]:
    if _alike(hand):
        why = "two cards of the same rank cannot share a suit"
        yield from (ImpossibleAnswer(flush, "alike", why) for flush in (len(hand), len(hand) + 1))
    elif starter is None:
        yield ImpossibleAnswer(len(hand) + 1, "no_starter", "there is no starter")
    elif starter.rank in [card.rank for card in hand]:
        why = f"the hand has {_a(rank_word(starter))} like the starter, so not all cards share a suit"
        yield ImpossibleAnswer(len(hand) + 1, "starter_alike", why)


def _no_nobs(hand: Sequence[Card], starter: Card | None, flush: int) -> Iterator[ImpossibleAnswer]:
    if starter is None:
        yield ImpossibleAnswer(1, "no_starter", "there is no starter")
    elif not _jacks(hand):
        yield ImpossibleAnswer(1, "no_jack", "there is no jack in the hand")
    elif starter.rank == JACK:
        yield ImpossibleAnswer(1, "jack_turned", "the jack of that suit is the starter")
    elif flush == len(hand):
        yield ImpossibleAnswer(1, "flush_of_four", f"the {rank_word(starter)} is a different suit")
    elif flush == len(hand) + 1:
        yield ImpossibleAnswer(0, "flush_of_five", f"all {_COUNTED[flush]} share a suit, including the jack")
    elif _jacks(hand) == len(SUITS):
        yield ImpossibleAnswer(0, "four_jacks", f"one of the four jacks has the {rank_word(starter)}'s suit")


def rank_word(card: Card) -> str:
    """The rank of a card in words: "king"."""
    return CALLED[card.rank - 1]


def _a(name: str) -> str:
    return f"an {name}" if name[0] in "ae" else f"a {name}"


def _alike(hand: Sequence[Card]) -> bool:
    """Whether two cards have the same rank."""
    return len({card.rank for card in hand}) < len(hand)


def _jacks(hand: Sequence[Card]) -> int:
    return sum(card.rank == JACK for card in hand)
