"""The command `count`: points of a hand, a crib or the play."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from pegboard.cli import parameters
from pegboard.cli.command_groups import Documented
from pegboard.core.cards.pack import Card, Part, read_laid
from pegboard.core.cards.play import PlayCount, count_each
from pegboard.core.cards.show import ALL_FIVE, HAND_CARDS, HAND_OF_FIVE_CARDS, Show, count_show
from pegboard.core.rules import CRIB_FLUSHES
from pegboard.core.sentences import pluralize
from pegboard.errors import RuleError

# --- counts as lines of text and as JSON-ready values ---


def show_of_words(
    words: Sequence[str], *, crib: bool, alone: bool, five_card: bool = False, crib_flush: int = ALL_FIVE
) -> Show:
    """Count the cards of a command line, however they are separated: the hand, then its starter unless `alone`.

    With `five_card`, a hand has three cards. `crib_flush` is 4 if the house rules allow a four-card flush in the crib.

    Raises:
        RuleError: a card cannot be read, there are too few or too many, or the hand is impossible.
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
    """The points, one line per scoring combination with its cards, and the count as players say it."""
    yield "1 point" if show.points == 1 else f"{show.points} points"
    width = max((len(part.kind) for part in show.parts), default=0)
    yield from (f"{part.points:4}  {part.kind:{width}}  {_write_cards(part.cards)}" for part in show.parts)
    yield show.say(nineteen=nineteen)


def show_values(show: Show, *, nineteen: bool = False) -> dict[str, Any]:
    """The count of a hand or crib, JSON-ready; the starter is null for a hand without one."""
    return {
        "hand": list(map(str, show.hand)),
        "starter": show.starter and str(show.starter),
        "points": show.points,
        "parts": _values(show.parts),
        "spoken": show.say(nineteen=nineteen),
    }


def play_lines(laid: Sequence[PlayCount]) -> Iterator[str]:
    """One line per card in the order played: the running count, its points, and what they are for."""
    yield "card  count  points"
    for each in laid:
        scored = ", ".join(f"{part.kind} {part.points} ({_write_cards(part.cards)})" for part in each.parts)
        yield f"{each.cards[-1]!s:>4}{each.count:7}{each.points:8}  {scored}".rstrip()


def play_values(laid: Sequence[PlayCount]) -> dict[str, Any]:
    """The count of the play, JSON-ready; `points` are the last card's."""
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


@click.command(
    cls=Documented,
    short_help="Count a hand, a crib or the play.",
    examples=(
        "count 5H 5C 5S JD 5D",
        "count 5h5c5sjd 5d --crib",
        "count --five-card 5H 5C JD 5D",
        "count --alone 4H 5H 6H JH",
        "count --play 4 5 3 3 3",
    ),
)
@click.argument("cards", nargs=-1, type=parameters.TYPED)
@click.option("--crib", is_flag=True, help="Count the cards as a crib.")
@click.option(
    "--crib-flush",
    type=click.Choice(tuple(CRIB_FLUSHES), case_sensitive=False),
    default="five",
    show_default=True,
    help="Number of cards of one suit needed for a flush in the crib; four is a house rule.",
)
@click.option("--five-card", is_flag=True, help="Count three cards and the starter, as in five-card cribbage.")
@click.option("--alone", is_flag=True, help="Count four cards without a starter: the last hand of solitaire.")
@click.option("--nineteen", is_flag=True, help='Call a zero hand "nineteen".')
@click.option("--play", is_flag=True, help="Count the play instead; give the cards in the order played.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def count(  # noqa: PLR0917 - click passes them by name
    cards: tuple[str, ...],
    crib: bool,
    crib_flush: str,
    five_card: bool,
    alone: bool,
    nineteen: bool,
    play: bool,
    as_json: bool,
) -> None:
    """Count a hand with its starter (given last), or the play, and show where the points come from.

    A card is a rank (A 2 3 ... 10 J Q K) and a suit (C D H S or the symbols). Spaces between cards are optional.
    Ranks are enough if no suit matters.
    """
    if play:
        if crib or five_card or alone or nineteen:
            raise click.UsageError("--play can only be combined with --json")
        laid = count_each(" ".join(cards))
        lines, values = play_lines(laid), play_values(laid)
    else:
        if alone and five_card:
            raise click.UsageError("--alone counts four cards, and a hand of --five-card has three: leave one out")
        show = show_of_words(cards, crib=crib, alone=alone, five_card=five_card, crib_flush=CRIB_FLUSHES[crib_flush])
        lines = show_lines(show, nineteen=nineteen)
        values = show_values(show, nineteen=nineteen) | {"crib": crib}
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else "\n".join(lines))
