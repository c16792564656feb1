"""Field types of command requests: JSON type, bounds and description, and conversion to the command's values."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NotRequired, TypeAlias

from pegboard.core.names import LONGEST_NAME, LONGEST_NOTE, TextEnum, clean_name, is_printable
from pegboard.core.presets import PRESETS, preset_named
from pegboard.core.rules import GAME_HOLES, MOST_SEATS, VARIANTS
from pegboard.errors import RuleError
from pegboard.values import Takes

LAST_HOLE = GAME_HOLES[-1]
"""The last hole of the longest board."""

LINE_ID = r"[0-9]{1,9}"
"""Pattern of a line id: its number on the sheet; no sheet comes near nine digits."""

Fields: TypeAlias = Mapping[str, Any]
"""Field types by attribute of the command; `NotRequired` if a request can leave the field out."""


def line_id(line: int) -> str:
    """The id of a line of the sheet, as used by the API and displays."""
    return str(line)


# --- texts ---


def text(
    takes: str, pattern: str | None = None, *, least: int | None = None, most: int | None = None, key: str = ""
) -> Any:
    """A text that fully matches `pattern` (if any), of `least` to `most` characters; None for no limit."""
    return Annotated[str, Takes(words=takes, pattern=pattern, least=least, most=most, key=key)]


def text_or_null(takes: str, pattern: str) -> Any:
    """A text that fully matches `pattern`, or null."""
    return NotRequired[Annotated[str | None, Takes(words=takes, pattern=pattern)]]


def player_name(takes: str) -> Any:
    """A player's name."""
    letters = {"minLength": 1, "maxLength": LONGEST_NAME}
    return Annotated[str, Takes(words=takes, test=_is_name, schema=letters)]


def _is_name(value: str) -> bool:
    """Check a player's name, raising an error that quotes it; line breaks in it are refused, not removed."""
    clean_name(value)
    if not is_printable(value):
        raise RuleError("name_unseen", name=repr(value))
    return True


def note(*, required: bool = False) -> Any:
    """A note with the reason for the command."""
    takes, letters = f"a note of up to {LONGEST_NOTE} visible characters", {"maxLength": LONGEST_NOTE}
    if required:
        return Annotated[str, Takes(words=takes, test=_is_reason, schema=letters | {"minLength": 1})]
    return NotRequired[Annotated[str, Takes(words=takes, test=_is_note, schema=letters)]]


def _is_note(value: str) -> bool:
    return len(value) <= LONGEST_NOTE and is_printable(" ".join(value.split()))


def _is_reason(value: str) -> bool:
    return bool(value.strip()) and _is_note(value)


# --- lines of the sheet: their ids in a request, their numbers (from 1) in the command ---


def line(takes: str = "the id of a line, from the state", key: str = "entry") -> Any:
    """The line that the command is about; 0 is the empty sheet."""
    return Annotated[str, Takes(words=takes, pattern=LINE_ID, read=int, write=line_id, key=key)]


def line_or(newest: str) -> Any:
    """The line that the command is about, or null for the newest line described by `newest`."""
    takes = f"the id of a line, from the state, or null for the newest line {newest}"
    return NotRequired[Annotated[str | None, Takes(words=takes, pattern=LINE_ID, read=int, write=line_id, key="entry")]]


# --- numbers ---


def whole_number(takes: str, least: int, most: int) -> Any:
    """A whole number from `least` to `most`."""
    return Annotated[int, Takes(words=takes, least=least, most=most)]


def number_or_null(takes: str, least: int, most: int) -> Any:
    """A whole number from `least` to `most`, or null."""
    return NotRequired[Annotated[int | None, Takes(words=takes, least=least, most=most)]]


def seat(description: str) -> Any:
    """A seat."""
    return whole_number(f"{description}, a whole number from 0 to {MOST_SEATS - 1}", 0, MOST_SEATS - 1)


def seat_or_null(description: str, null: str) -> Any:
    """A seat, or null; `null` describes the meaning of null."""
    most = MOST_SEATS - 1
    return number_or_null(f"{description}, a whole number from 0 to {most}, or null {null}", 0, most)


def opponent() -> Any:
    """The opponent who gets the award."""
    return seat_or_null("the seat of the opponent who gets the award", "if there is only one opponent")


def points(least: int, most: int, what: str = "") -> Any:
    """Points or a hole; `what` begins the description."""
    return whole_number(f"{what}a whole number from {least} to {most}", least, most)


def points_seen() -> Any:
    """The points that the client saw on the line."""
    return points(0, LAST_HOLE, "the points you saw on the line, ")


# --- words and lists ---


def member_of(enum: type[TextEnum]) -> Any:
    """A word of an enum."""
    return Annotated[enum, Takes(words=f"one of {', '.join(enum)}")]


def member_or_null(enum: type[TextEnum], null: str = "") -> Any:
    """A word of an enum, or null; `null` describes the meaning of null."""
    return NotRequired[Annotated[enum | None, Takes(words=f"one of {', '.join(enum)}, or null{null}")]]


def variant_name() -> Any:
    """The name of a variant; the command has its rules."""
    words = f"the name of a variant: {', '.join(VARIANTS)}"
    read: Callable[[str], Any] = VARIANTS.__getitem__
    takes = Takes(words=words, one_of=tuple(VARIANTS), read=read, write=lambda rules: rules.variant, key="variant")
    return Annotated[str, takes]


def preset_or_null() -> Any:
    """The name of a preset, ignoring case, spaces and dashes, or null."""
    words = "the name of a printed rule sheet that describes `variant`, or null"
    return NotRequired[Annotated[str | None, Takes(words=words, read=preset_named, schema={"enum": [*PRESETS, None]})]]


_LIST: Any = tuple


def several(takes: str, item: Any, least: int, most: int) -> Any:
    """A list of `least` to `most` values of the field type `item`; the command has a tuple."""
    return Annotated[_LIST[item, ...], Takes(words=takes, least=least, most=most)]


def several_or_null(takes: str, item: Any, least: int, most: int) -> Any:
    """A list of `least` to `most` values of the field type `item`, or null."""
    return NotRequired[Annotated[_LIST[item, ...] | None, Takes(words=takes, least=least, most=most)]]
