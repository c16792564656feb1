"""Request fields of decisions: their types, bounds and wording; and the row type of the decision table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pegboard.messages import Message
from pegboard.tournament.night import facts
from pegboard.tournament.night.night_state import DIRECTOR, Night, Role
from pegboard.tournament.night.request_shapes import (
    MOST_LETTERS,
    WantedFields,
    WantedFlag,
    WantedNumber,
    WantedText,
    WantedWord,
)
from pegboard.tournament.pairings import join_names
from pegboard.tournament.results.scoring import GAME_HOLE

ENVELOPE = ("id", "night", "base")
"""Envelope fields of a request, which the rules do not see."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A row of the decision table.

    Attributes:
        do: the word for the decision.
        decision: its fact class.
        who: the roles that may make it; players only for themselves.
        own_fields: the fields of its request, in order.
        example: example values of these fields.
        needs_base: whether to refuse it if its subject has changed since the director looked.
        about: the request field that names its subject; a page shows its button there.
    """

    do: str
    decision: type[facts.Decision]
    who: frozenset[Role] = DIRECTOR
    own_fields: WantedFields = field(default_factory=dict)
    example: Mapping[str, Any] = field(default_factory=dict)
    needs_base: bool = False
    about: str = ""


def _of_player(key: str) -> Callable[[Night, Any], Message]:
    return lambda night, fact: Message(key, name=night.name(fact.player))


def _plain(key: str) -> Callable[[Night, Any], Message]:
    return lambda _night, _fact: Message(key)


def _say_names(key: str, players: Callable[[Any], Iterable[str]]) -> Callable[[Night, Any], Message]:
    return lambda night, fact: Message(key, names=join_names(players(fact), night.names))


MAX_TEXT_LENGTH = 280
"""Maximum characters of an announcement or a note."""


MAX_CENTS = 100_000_000
"""A million in most currencies; more must be a typo."""


MAX_ROUNDS = 200
"""Maximum rounds of an event; 22 are already a lot."""


def player(what: str = "the player", *, required: bool = True) -> WantedText:
    """A player's id."""
    return WantedText(takes=f"the id of {what}, such as p3", least=2, most=8, required=required)


def game() -> WantedText:
    """The id of a game."""
    return WantedText(takes="the id of a game, such as r3:p1-p7", least=6, most=24)


def table(*, required: bool = True) -> WantedText:
    """A table's id."""
    return WantedText(
        takes="the id of a table, 1 to 32 characters from a-z 0-9 _ -", least=1, most=32, required=required
    )


def margin(*, nullable: bool = False) -> WantedNumber:
    """Holes between winner and loser."""
    blank = ", or null if the card has none" if nullable else ""
    takes = f"a whole number of holes from 1 to {GAME_HOLE}{blank}"
    return WantedNumber(takes=takes, least=1, most=GAME_HOLE, nullable=nullable)


def cents(what: str, *, least: int = 0, required: bool = True) -> WantedNumber:
    """An amount of money."""
    takes = f"{what} in cents, a whole number from {least} to {MAX_CENTS}"
    return WantedNumber(takes=takes, least=least, most=MAX_CENTS, required=required)


def flag(what: str) -> WantedFlag:
    """True or false; false if left out."""
    return WantedFlag(takes=f"true if {what}, otherwise false", required=False)


def text(what: str, *, least: int = 0, most: int = MOST_LETTERS, required: bool = True) -> WantedText:
    """A text."""
    return WantedText(
        takes=f"{what}, a text of {least} to {most} characters", least=least, most=most, required=required
    )


def number(what: str, least: int, most: int, *, required: bool = True) -> WantedNumber:
    """A whole number."""
    return WantedNumber(
        takes=f"{what}, a whole number from {least} to {most}", least=least, most=most, required=required
    )


def word(what: str, words: tuple[str, ...], *, required: bool = True) -> WantedWord:
    """One of the given words."""
    return WantedWord(takes=f"{what}: one of {', '.join(words)}", words=words, required=required)
