"""Field types of decision requests: texts, ids, numbers, money, words and lists, with bounds and descriptions."""

from typing import Annotated, TypeAlias

from pegboard.core.names import is_printable
from pegboard.tournament.playoffs.seeding import BEST_OF
from pegboard.tournament.results.scoring import GAME_HOLE
from pegboard.values import Takes

MOST_LETTERS = 64
"""Maximum characters of a player's name, a number or a label."""

MOST_PLAYERS = 2000
"""Maximum players of an event."""

MAX_TEXT_LENGTH = 280
"""Maximum characters of an announcement or a note."""

MAX_CENTS = 100_000_000
"""A million in most currencies; more must be a typo."""

MAX_ROUNDS = 200
"""Maximum rounds of an event; 22 are already a lot."""

UNSEEN = "unseen"
"""`Misfit.why` of a text with invisible characters."""


def text_of(takes: str, least: int, most: int) -> Takes:
    """A printable text of `least` to `most` characters."""
    return Takes(words=takes, least=least, most=most, test=is_printable, why=UNSEEN)


def text(what: str, *, least: int = 0, most: int = MOST_LETTERS) -> Takes:
    """A printable text, with its lengths in its description."""
    return text_of(f"{what}, a text of {least} to {most} characters", least, most)


def player(what: str) -> Takes:
    """A player's id."""
    return text_of(f"the id of {what}, such as p3", 2, 8)


def number(what: str, least: int, most: int) -> Takes:
    """A whole number, with its bounds in its description."""
    return Takes(words=f"{what}, a whole number from {least} to {most}", least=least, most=most)


def cents(what: str, *, least: int = 0) -> Takes:
    """An amount of money."""
    return number(f"{what} in cents", least, MAX_CENTS)


def word(what: str, words: tuple[str, ...]) -> Takes:
    """One of the given words."""
    return Takes(words=f"{what}: one of {', '.join(words)}", one_of=words)


def flag(what: str) -> Takes:
    """True or false; false if left out."""
    return Takes(words=f"true if {what}, otherwise false")


def several(takes: str, *, least: int = 0, most: int = MOST_PLAYERS) -> Takes:
    """A list of `least` to `most` values."""
    return Takes(words=takes, least=least, most=most)


PlayerRef: TypeAlias = Annotated[str, player("the player")]

GameRef: TypeAlias = Annotated[str, text_of("the id of a game, such as r3:p1-p7", 6, 24)]

TableRef: TypeAlias = Annotated[str, text_of("the id of a table, 1 to 32 characters from a-z 0-9 _ -", 1, 32)]

HOLES = f"a whole number of holes from 1 to {GAME_HOLE}"

Margin: TypeAlias = Annotated[int, Takes(words=HOLES, least=1, most=GAME_HOLE)]
"""Holes between winner and loser."""

MarginOrNull: TypeAlias = Annotated[
    int | None, Takes(words=f"{HOLES}, or null if the card has none", least=1, most=GAME_HOLE)
]
"""Holes between winner and loser on a card, or null."""

Note: TypeAlias = Annotated[str, text("a note", most=MAX_TEXT_LENGTH)]

BestOf: TypeAlias = Annotated[
    tuple[Annotated[int, number("games", BEST_OF[0], BEST_OF[-1])], ...],
    several("maximum games of a match by bracket round: 1, 3, 5 or 7", least=1, most=12),
]
