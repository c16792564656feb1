"""Counting for the command line: a hand, a crib or a play as lines of text and as JSON-ready values."""

from collections.abc import Iterator, Sequence
from typing import Any

from pegboard.core.cards.pack import Card, Part, read_laid
from pegboard.core.cards.play import PlayCount
from pegboard.core.cards.show import ALL_FIVE, HAND_CARDS, HAND_OF_FIVE_CARDS, Show, count_show
from pegboard.core.sentences import pluralize
from pegboard.errors import RuleError


def show_of_words(
    words: Sequence[str], *, crib: bool, alone: bool, five_card: bool = False, crib_flush: int = ALL_FIVE
) -> Show:
    """Count the cards of a command line, however they are parted: the hand, then its starter unless it is `alone`.

    A hand in the game of `five_card` has three cards. `crib_flush` is 4 where the house counts a crib's four of a suit.

    Raises:
        RuleError: a card cannot be read, there are too few or too many, or nobody can hold them.
    """
    cards = [card for word in words for card in read_laid(word)]
    if not cards:
        raise RuleError("count_no_cards")
    size = HAND_OF_FIVE_CARDS if five_card and not crib else HAND_CARDS
    _check_number(len(cards), size, alone=alone)
    hand, starter = cards[:size], cards[size:]
    written = " ".join(map(str, starter)) or None
    return count_show(" ".join(map(str, hand)), written, crib=crib, crib_flush=crib_flush)


def _check_number(cards: int, size: int, *, alone: bool) -> None:
    if alone and cards > HAND_CARDS:
        raise RuleError("count_alone")
    if not alone and cards == size:
        raise RuleError("count_no_starter")
    if not alone and cards != size + 1:
        raise RuleError("count_four" if size == HAND_CARDS else "count_three", cards=pluralize(cards, "card"))


def show_lines(show: Show, *, nineteen: bool = False) -> Iterator[str]:
    """The points, a line for each part with its cards, and the count as players say it."""
    yield "1 point" if show.points == 1 else f"{show.points} points"
    width = max((len(part.kind) for part in show.parts), default=0)
    yield from (f"{part.points:4}  {part.kind:{width}}  {_write_cards(part.cards)}" for part in show.parts)
    yield show.say(nineteen=nineteen)


def show_values(show: Show, *, nineteen: bool = False) -> dict[str, Any]:
    """The same, ready for JSON; without a starter that is null."""
    return {
        "hand": list(map(str, show.hand)),
        "starter": show.starter and str(show.starter),
        "points": show.points,
        "parts": _values(show.parts),
        "spoken": show.say(nineteen=nineteen),
    }


def play_lines(laid: Sequence[PlayCount]) -> Iterator[str]:
    """A line for each card in the order of play: the count it makes, its points, and what they are for."""
    yield "card  count  points"
    for each in laid:
        scored = ", ".join(f"{part.kind} {part.points} ({_write_cards(part.cards)})" for part in each.parts)
        yield f"{each.cards[-1]!s:>4}{each.count:7}{each.points:8}  {scored}".rstrip()


def play_values(laid: Sequence[PlayCount]) -> dict[str, Any]:
    """The same, ready for JSON; `points` are the last card's."""
    return {"points": laid[-1].points, "laid": [_laid_values(each) for each in laid]}


def _laid_values(laid: PlayCount) -> dict[str, Any]:
    return {
        "card": str(laid.cards[-1]),
        "count": laid.count,
        "points": laid.points,
        "parts": _values(laid.parts),
    }


def _values(parts: Sequence[Part]) -> list[dict[str, Any]]:
    return [{"kind": part.kind, "cards": list(map(str, part.cards)), "points": part.points} for part in parts]


def _write_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))
