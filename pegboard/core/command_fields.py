"""Fields of a command's request: what each takes, in words and in bounds, and how JSON becomes a command's value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.core.names import LONGEST_NOTE, TextEnum
from pegboard.core.rules import GAME_HOLES, VARIANTS, Rules

LAST_HOLE = GAME_HOLES[-1]
"""The hole of the longest board."""

GAME_ID = r"[A-Za-z0-9_-]{1,64}"
"""The id of a game."""

PAIRING = r"[a-z0-9_-]{1,32}/[A-Za-z0-9_.:-]{1,64}"
"""What an event calls a game: the id of the event, a slash, and the id of the pairing in it."""

LINE_ID = r"[0-9]{1,9}"
"""The id of a line of the sheet, its number; no sheet comes near nine digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a request.

    Attributes:
        takes: what it takes, in words; a refusal says them, and so does the OpenAPI document.
        required: whether it must be there.
        nullable: whether null is taken.
        attribute: the name of the command's attribute, where that is another.
    """

    takes: str
    required: bool = False
    nullable: bool = False
    attribute: str = ""

    def read(self, value: Any) -> Any:
        """The command's value of a JSON value, whose shape has been checked."""
        return value

    def write(self, value: Any) -> Any:
        """The JSON value of a command's."""
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeNumber(Field):
    """A whole number from `least` to `most`."""

    least: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(Field):
    """True or false."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf(Field):
    """One of some words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberOf(Field):
    """A word of an enum, whose member the command has."""

    enum: type[TextEnum]

    def read(self, value: str | None) -> TextEnum | None:
        """The member."""
        return None if value is None else self.enum(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantName(OneOf):
    """The name of a variant, whose rules the command has."""

    def read(self, value: str) -> Rules:
        """The rules of that name."""
        return VARIANTS[value]

    def write(self, value: Rules) -> str:
        """The name of such rules."""
        return value.variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Field):
    """A text that `pattern` covers whole; without one, a text of `least` to `most` letters, None for no such bound."""

    pattern: str | None = None
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineId(Text):
    """The id of a line, which the command has as its number, from 1; 0 is the empty sheet."""

    pattern: str | None = LINE_ID

    def read(self, value: str | None) -> int | None:
        """The number of the line."""
        return None if value is None else int(value)

    def write(self, value: int | None) -> str | None:
        """The id of a line."""
        return None if value is None else line_id(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerName(Field):
    """A player's name, by the rules of names of the referee."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Field):
    """A reason in words, of at most `LONGEST_NOTE` letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Several(Field):
    """A list of `least` to `most` values that `item` takes each; the command has a tuple."""

    item: Field
    least: int
    most: int

    def read(self, value: list[Any] | None) -> tuple[Any, ...] | None:
        """The values as a tuple."""
        return None if value is None else tuple(map(self.item.read, value))

    def write(self, value: tuple[Any, ...] | None) -> list[Any] | None:
        """The values as a list."""
        return None if value is None else list(map(self.item.write, value))


Fields: TypeAlias = Mapping[str, Field]


def line_id(line: int) -> str:
    """The id of a line of a game's sheet, as the API and the displays write it."""
    return str(line)


def seat(description: str) -> WholeNumber:
    """A seat that must be named."""
    return WholeNumber(takes=f"{description}, a whole number from 0 to 3", least=0, most=3, required=True)


def seat_or_null(description: str, null: str) -> WholeNumber:
    """A seat, or null, which means what `null` says."""
    takes = f"{description}, a whole number from 0 to 3, or null {null}"
    return WholeNumber(takes=takes, least=0, most=3, nullable=True)


def opponent() -> WholeNumber:
    """The opponent who is awarded."""
    return seat_or_null("the seat of the opponent who gets the award", "if there is only one opponent")


def points(least: int, most: int, what: str = "") -> WholeNumber:
    """Points or a hole that must be told; `what` begins its description."""
    return WholeNumber(takes=f"{what}a whole number from {least} to {most}", least=least, most=most, required=True)


def points_seen() -> WholeNumber:
    """The points that the line was seen to have."""
    return points(0, LAST_HOLE, "the points you saw on the line, ")


def line() -> LineId:
    """The line that the command is about."""
    return LineId(takes="the id of a line, from the state", required=True, attribute="line")


def line_or(newest: str) -> LineId:
    """The line that the command is about, or null for the one that `newest` tells."""
    takes = f"the id of a line, from the state, or null for the newest line {newest}"
    return LineId(takes=takes, nullable=True, attribute="line")


def member_of(enum: type[TextEnum]) -> MemberOf:
    """A word that must be told."""
    return MemberOf(takes=f"one of {', '.join(enum)}", enum=enum, required=True)


def member_or_null(enum: type[TextEnum], null: str = "") -> MemberOf:
    """A word, or null, which means what `null` says."""
    return MemberOf(takes=f"one of {', '.join(enum)}, or null{null}", enum=enum, nullable=True)


def note(*, required: bool = False) -> Note:
    """Why it is done."""
    return Note(takes=f"a note of up to {LONGEST_NOTE} letters", required=required)
