"""A count on paper: the points of a hand, a crib or a play, as lines for people and as values for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from pegboard.core.cards import Card, Part
from pegboard.core.play import Laid
from pegboard.core.show import Show


def show_lines(show: Show, *, nineteen: bool = False) -> Iterator[str]:
    """The points, a line for each part with its cards, and the count as players say it."""
    yield "1 point" if show.points == 1 else f"{show.points} points"
    width = max((len(part.kind) for part in show.parts), default=0)
    for part in show.parts:
        yield f"{part.points:4}  {part.kind:{width}}  {_written(part.cards)}"
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


def play_lines(laid: Sequence[Laid]) -> Iterator[str]:
    """A line for each card in the order of play: the count it makes, its points, and what they are for."""
    yield "card  count  points"
    for each in laid:
        scored = ", ".join(f"{part.kind} {part.points} ({_written(part.cards)})" for part in each.parts)
        yield f"{each.cards[-1]!s:>4}{each.count:7}{each.points:8}  {scored}".rstrip()


def play_values(laid: Sequence[Laid]) -> dict[str, Any]:
    """The same, ready for JSON; `points` are the last card's."""
    return {"points": laid[-1].points, "laid": [_laid_values(each) for each in laid]}


def _laid_values(laid: Laid) -> dict[str, Any]:
    return {
        "card": str(laid.cards[-1]),
        "count": laid.count,
        "points": laid.points,
        "parts": _values(laid.parts),
    }


def _values(parts: Sequence[Part]) -> list[dict[str, Any]]:
    return [{"kind": part.kind, "cards": list(map(str, part.cards)), "points": part.points} for part in parts]


def _written(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))
