"""The command `count`: points of a hand, a crib or the play."""

import json

import click

from pegboard.commandline import count_texts, parameters
from pegboard.commandline.help_layout import Documented
from pegboard.core.cards.play import count_each
from pegboard.core.rules import CRIB_FLUSHES


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
        lines, values = count_texts.play_lines(laid), count_texts.play_values(laid)
    else:
        if alone and five_card:
            raise click.UsageError("--alone counts four cards, and a hand of --five-card has three: leave one out")
        show = count_texts.show_of_words(
            cards, crib=crib, alone=alone, five_card=five_card, crib_flush=CRIB_FLUSHES[crib_flush]
        )
        lines = count_texts.show_lines(show, nineteen=nineteen)
        values = count_texts.show_values(show, nineteen=nineteen) | {"crib": crib}
    click.echo(json.dumps(values, ensure_ascii=False) if as_json else "\n".join(lines))
