"""Field definitions of command requests: description, bounds, and conversion between JSON and command values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.core.names import LONGEST_NOTE, TextEnum
from pegboard.core.rules import GAME_HOLES, VARIANTS, Rules

LAST_HOLE = GAME_HOLES[-1]
"""The last hole of the longest board."""

GAME_ID = r"[A-Za-z0-9_-]{1,64}"
"""Pattern of a game id."""

PAIRING = r"[a-z0-9_-]{1,32}/[A-Za-z0-9_.:-]{1,64}"
"""Pattern of a game's id at an event: the event's id, a slash, and the id of the pairing in it."""

LINE_ID = r"[0-9]{1,9}"
"""Pattern of a line id: its number on the sheet; no sheet comes near nine digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a request.

    Attributes:
        takes: description of accepted values, used in refusals and in the OpenAPI document.
        required: whether it must be present.
        nullable: whether null is accepted.
        attribute: the name of the command's attribute, if different.
    """

    takes: str
    required: bool = False
    nullable: bool = False
    attribute: str = ""

    def read(self, value: Any) -> Any:
        """Convert a validated JSON value to the command's value."""
        return value

    def write(self, value: Any) -> Any:
        """Convert the command's value to a JSON value."""
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
    """One of a list of words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberOf(Field):
    """A word of an enum; the command has the enum member."""

    enum: type[TextEnum]

    def read(self, value: str | None) -> TextEnum | None:
        """The enum member."""
        return None if value is None else self.enum(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantName(OneOf):
    """The name of a variant; the command has its rules."""

    def read(self, value: str) -> Rules:
        """The rules of that name."""
        return VARIANTS[value]

    def write(self, value: Rules) -> str:
        """The name of the rules' variant."""
        return value.variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Field):
    """A text that fully matches `pattern` (if any), of `least` to `most` letters; None for no limit."""

    pattern: str | None = None
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineId(Text):
    """The id of a line; the command has its number, from 1; 0 is the empty sheet."""

    pattern: str | None = LINE_ID

    def read(self, value: str | None) -> int | None:
        """The number of the line."""
        return None if value is None else int(value)

    def write(self, value: int | None) -> str | None:
        """The id of a line."""
        return None if value is None else line_id(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerName(Field):
    """A player's name, validated by the referee."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Field):
    """A free-text reason of at most `LONGEST_NOTE` letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Several(Field):
    """A list of `least` to `most` values of the field type `item`; the command has a tuple."""

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
    """The id of a line of the sheet, as used by the API and displays."""
    return str(line)


def seat(description: str) -> WholeNumber:
    """A required seat."""
    return WholeNumber(takes=f"{description}, a whole number from 0 to 3", least=0, most=3, required=True)


def seat_or_null(description: str, null: str) -> WholeNumber:
    """A seat, or null; `null` describes the meaning of null."""
    takes = f"{description}, a whole number from 0 to 3, or null {null}"
    return WholeNumber(takes=takes, least=0, most=3, nullable=True)


def opponent() -> WholeNumber:
    """The opponent who gets the award."""
    return seat_or_null("the seat of the opponent who gets the award", "if there is only one opponent")


def points(least: int, most: int, what: str = "") -> WholeNumber:
    """Required points or hole; `what` begins the description."""
    return WholeNumber(takes=f"{what}a whole number from {least} to {most}", least=least, most=most, required=True)


def points_seen() -> WholeNumber:
    """The points that the client saw on the line."""
    return points(0, LAST_HOLE, "the points you saw on the line, ")


def line() -> LineId:
    """The line that the command is about."""
    return LineId(takes="the id of a line, from the state", required=True, attribute="line")


def line_or(newest: str) -> LineId:
    """The line that the command is about, or null for the newest line described by `newest`."""
    takes = f"the id of a line, from the state, or null for the newest line {newest}"
    return LineId(takes=takes, nullable=True, attribute="line")


def member_of(enum: type[TextEnum]) -> MemberOf:
    """A required word of an enum."""
    return MemberOf(takes=f"one of {', '.join(enum)}", enum=enum, required=True)


def member_or_null(enum: type[TextEnum], null: str = "") -> MemberOf:
    """A word of an enum, or null; `null` describes the meaning of null."""
    return MemberOf(takes=f"one of {', '.join(enum)}, or null{null}", enum=enum, nullable=True)


def note(*, required: bool = False) -> Note:
    """The reason for the command."""
    return Note(takes=f"a note of up to {LONGEST_NOTE} letters", required=required)
