"""The command `count`: points of a hand, a crib or the play."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import click

from pegboard.cli import parameters
from pegboard.cli.command_groups import Documented
from pegboard.core.cards.pack import Card, Kind, Part, read_laid
from pegboard.core.cards.play import FEWEST_PLAYERS, HAND_SIZES
from pegboard.core.cards.show import ALL_FIVE, HAND_CARDS, HAND_OF_FIVE_CARDS, Show, count_show
from pegboard.core.cards.written_deal import HEELS, PlayerPoints, WrittenDeal, count_deal
from pegboard.core.cards.written_play import GO, PLAYERS, WrittenPlay, WrittenStep, follow_play
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


def play_lines(play: WrittenPlay) -> Iterator[str]:
    """One line per card and go: the player, the running count, the points and what they are for; then the totals."""
    width = max(map(len, play.players))
    yield f"{'player':{width}}  card  count  points"
    for step in play.steps:
        scored = ", ".join(f"{part.kind} {part.points}{_cards_in_brackets(part)}" for part in step.parts)
        yield f"{step.player:{width}}{_act(step) or '':>6}{step.count:7}{step.points:8}  {scored}".rstrip()
    totals = ", ".join(f"{name} {points}" for name, points in _totals(play).items())
    turn = _turn(play)
    yield totals if turn is None else f"{totals} so far; {turn} plays next"


def play_values(play: WrittenPlay) -> dict[str, Any]:
    """The play, JSON-ready; `points` are the last step's, and a go that is scored has no `card`."""
    return {
        "points": play.steps[-1].points,
        "laid": [_step_values(step) for step in play.steps],
        "totals": _totals(play),
        "turn": _turn(play),
    }


def _step_values(step: WrittenStep) -> dict[str, Any]:
    return {
        "player": step.player,
        "card": _act(step),
        "count": step.count,
        "points": step.points,
        "parts": _values(step.parts),
    }


def _act(step: WrittenStep) -> str | None:
    """What a player lays or says; None for a go that is scored."""
    if step.card is not None:
        return str(step.card)
    return None if step.parts else GO


def _totals(play: WrittenPlay) -> dict[str, int]:
    return dict(zip(play.players, play.state.points, strict=True))


def _turn(play: WrittenPlay) -> str | None:
    return None if play.state.turn is None else play.players[play.state.turn]


def _cards_in_brackets(part: Part) -> str:
    return "" if part.kind in (Kind.GO, Kind.LAST_CARD) else f" ({_write_cards(part.cards)})"


def deal_lines(deal: WrittenDeal, *, nineteen: bool = False) -> Iterator[str]:
    """Heels, the play and the show in order, each under its heading, and a table of the points of each player."""
    if deal.starter is not None:
        heels = f": heels, {HEELS} for the dealer" if deal.points[-1].heels else ""
        yield from (f"starter {deal.starter}{heels}", "")
    if deal.play is not None:
        yield from ("the play", *play_lines(deal.play), "")
    for heading, show in _shows(deal):
        yield from (f"{heading}: {_write_cards(show.hand)}", *show_lines(show, nineteen=nineteen), "")
    yield from _points_lines(deal.points)
    missing = ", ".join(_missing_parts(deal))
    if missing:
        yield f"not counted ({'no starter' if deal.starter is None else 'not given'}): {missing}"


def _shows(deal: WrittenDeal) -> Iterator[tuple[str, Show]]:
    """The hands and the crib that can be counted, in the order of the show, with their headings."""
    headings = [f"{one.player}'s hand" for one in deal.points]
    pairs = zip((*headings, "the crib"), (*deal.hands, deal.crib), strict=True)
    return ((heading, show) for heading, show in pairs if show is not None)


def _points_lines(points: Sequence[PlayerPoints]) -> Iterator[str]:
    width = max(len(one.player) for one in points)
    yield f"{'points':{width}}  heels  play  hand  crib  total"
    for one in points:
        shown = ["-" if number is None else str(number) for number in (one.heels, one.play, one.hand, one.crib)]
        yield f"{one.player:{width}}{shown[0]:>7}{shown[1]:>6}{shown[2]:>6}{shown[3]:>6}{one.total:7}"


def _missing_parts(deal: WrittenDeal) -> Iterator[str]:
    if deal.starter is None:
        yield "heels"
    if deal.play is None:
        yield "the play"
    yield from (f"{one.player}'s hand" for one, show in zip(deal.points, deal.hands, strict=True) if show is None)
    if deal.crib is None:
        yield "the crib"


def deal_values(deal: WrittenDeal, *, nineteen: bool = False) -> dict[str, Any]:
    """The deal, JSON-ready; null for what is not given."""
    hands = dict(zip([one.player for one in deal.points], deal.hands, strict=True))
    shown = {name: show and show_values(show, nineteen=nineteen) for name, show in hands.items()}
    return {
        "starter": deal.starter and str(deal.starter),
        "play": deal.play and play_values(deal.play),
        "hands": shown,
        "crib": deal.crib and show_values(deal.crib, nineteen=nineteen),
        "points": {one.player: _points_values(one) for one in deal.points},
    }


def _points_values(points: PlayerPoints) -> dict[str, int | None]:
    return {
        "heels": points.heels,
        "play": points.play,
        "hand": points.hand,
        "crib": points.crib,
        "total": points.total,
    }


def _values(parts: Sequence[Part]) -> list[dict[str, Any]]:
    return [{"kind": part.kind, "cards": list(map(str, part.cards)), "points": part.points} for part in parts]


def _write_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


PARTS = {
    "pone: and dealer:": "their hands: the four cards kept, or all cards dealt if the crib or the play shows the four",
    "player 2: to player 5:": "between pone and the dealer, if three to six play",
    "crib:": "its four cards; can be left out if all cards dealt are given with the play",
    "starter:": "one card; without it, only the play is counted",
    "play:": "cards and go in order, as for --play",
}
"""The parts of a deal, for the help text; a part that is left out is not counted."""


@click.command(
    cls=Documented,
    short_help="Count a crib, the play or a whole deal.",
    examples=(
        "count 5H 5C 5S JD 5D",
        "count 5h5c5sjd 5d --crib",
        "count 7 7 8 9 8",
        "count --five-card 5H 5C JD 5D",
        "count --alone 4H 5H 6H JH",
        "count --play 4 5 3 3 3 7 go 6 9",
        "count --deal 'pone: 4H 3C 3D 9S | dealer: 5H 3S 7D 6C | starter: JC | play: 4 5 3 3 3 7 go 6 9'",
    ),
    sections=(("Parts of a deal", lambda: PARTS),),
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
@click.option("--five-card", is_flag=True, help="Hands have three cards, as in five-card cribbage.")
@click.option("--alone", is_flag=True, help="Count four cards without a starter: the last hand of solitaire.")
@click.option("--nineteen", is_flag=True, help='Call a zero hand "nineteen".')
@click.option(
    "--play",
    is_flag=True,
    help="Count the play instead: cards in the order played, from pone's first, and go where a player says it.",
)
@click.option(
    "--players", type=click.Choice(list(map(str, PLAYERS))), help="Number of players in the play (default: 2)."
)
@click.option("--deal", type=parameters.TYPED, help="Count a whole deal; put all its parts in one pair of quotes.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON.")
def count(  # noqa: PLR0917 - click passes them by name
    cards: tuple[str, ...],
    crib: bool,
    crib_flush: str,
    five_card: bool,
    alone: bool,
    nineteen: bool,
    play: bool,
    players: str | None,
    deal: str | None,
    as_json: bool,
) -> None:
    """Count a hand with its starter (given last), the play or a whole deal, and show where the points come from.

    A card is a rank (A 2 3 ... 10 J Q K) and a suit (C D H S or the symbols). Spaces between cards are optional.
    Ranks are enough if no suit matters; they always are in the play. In the play, a / may separate the counts.
    """
    flush = CRIB_FLUSHES[crib_flush]
    if players and not play:
        raise click.UsageError("--players can only be combined with --play; the parts of --deal show how many play")
    if deal is not None:
        if cards:
            raise RuleError("count_deal_quotes")
        if crib or alone or play:
            raise click.UsageError("--deal can only be combined with --five-card, --crib-flush, --nineteen and --json")
        counted = count_deal(deal, five_card=five_card, crib_flush=flush)
        lines, values = deal_lines(counted, nineteen=nineteen), deal_values(counted, nineteen=nineteen)
    elif play:
        if crib or alone or nineteen:
            raise click.UsageError("--play can only be combined with --players, --five-card and --json")
        held = HAND_SIZES[five_card]
        played = follow_play(" ".join(cards), players=int(players or FEWEST_PLAYERS), held=held)
        lines, values = play_lines(played), play_values(played)
    else:
        if alone and five_card:
            raise click.UsageError("--alone counts four cards, and a hand of --five-card has three: leave one out")
        show = show_of_words(cards, crib=crib, alone=alone, five_card=five_card, crib_flush=flush)
        lines = show_lines(show, nineteen=nineteen)
        values = show_values(show, nineteen=nineteen) | {"crib": crib}
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else "\n".join(lines))
