"""Request validation and JSON deserialization: field schemas, and values parsed by their declared types."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from pegboard.core.names import cite, is_printable
from pegboard.errors import RuleError

MOST_LETTERS = 64
"""Maximum letters of a player's name, a number or a label."""


MOST_PLAYERS = 2000
"""Maximum players of an event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A request field.

    Attributes:
        takes: description of accepted values, used in refusals.
        required: whether it must be present.
        nullable: whether null is accepted.
    """

    takes: str
    required: bool = True
    nullable: bool = False

    def fits(self, value: Any) -> bool:
        """Whether a JSON value has this shape."""
        raise NotImplementedError

    def check(self, name: str, value: Any) -> Any:
        """Validate and return the value.

        Raises:
            RuleError: it has the wrong shape; the message says what is accepted.
        """
        if (value is None and self.nullable) or (value is not None and self.fits(value)):
            return value
        raise RuleError("night_field", field=name, takes=self.takes)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedText(Wanted):
    """A text of `least` to `most` letters."""

    least: int = 0
    most: int = MOST_LETTERS

    def fits(self, value: Any) -> bool:
        """Whether it is a printable text of accepted length."""
        return self._is_as_long(value) and is_printable(value)

    def check(self, name: str, value: Any) -> Any:
        """Validate and return the text.

        Raises:
            RuleError: it is not a text, is too short or too long, or has invisible letters.
        """
        if self._is_as_long(value) and not is_printable(value):
            raise RuleError("night_text_unseen", text=cite(value))
        return Wanted.check(self, name, value)  # super() fails in a class with slots=True

    def _is_as_long(self, value: Any) -> bool:
        return isinstance(value, str) and self.least <= len(value) <= self.most


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedNumber(Wanted):
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def fits(self, value: Any) -> bool:
        """Whether it is a whole number within the bounds."""
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedFlag(Wanted):
    """True or false."""

    def fits(self, value: Any) -> bool:
        """Whether it is true or false."""
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedWord(Wanted):
    """One of a list of words."""

    words: tuple[str, ...]

    def fits(self, value: Any) -> bool:
        """Whether it is one of them."""
        return isinstance(value, str) and value in self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedList(Wanted):
    """A list of `least` to `most` values, each of the shape `item`."""

    item: Wanted
    least: int = 0
    most: int = MOST_PLAYERS

    def fits(self, value: Any) -> bool:
        """Whether it is such a list."""
        return (
            isinstance(value, list) and self.least <= len(value) <= self.most and all(self.item.fits(v) for v in value)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedObject(Wanted):
    """An object with its own fields; unknown fields are refused."""

    own: "WantedFields"

    def fits(self, value: Any) -> bool:
        """Whether it is an object with valid fields."""
        return isinstance(value, dict) and not self.fault(value)

    def check(self, name: str, value: Any) -> Any:
        """Validate and return the object.

        Raises:
            RuleError: it is not an object, or one of its fields (named in the message) is invalid.
        """
        if not isinstance(value, dict):
            return Wanted.check(self, name, value)  # super() fails in a class with slots=True
        check_fields(self.own, value)
        return value

    def fault(self, value: Mapping[str, Any]) -> bool:
        """Whether a field is missing, unknown or invalid."""
        try:
            check_fields(self.own, value)
        except RuleError:
            return True
        return False


WantedFields: TypeAlias = Mapping[str, Wanted]


def check_fields(wanted: WantedFields, values: Mapping[str, Any]) -> None:
    """Validate the fields of an object.

    Raises:
        RuleError: a field is missing, unknown or invalid.
    """
    unknown = [name for name in values if name not in wanted]
    if unknown:
        raise RuleError("night_field_unknown", field=str(unknown[0])[:MOST_LETTERS], known=", ".join(wanted))
    for name, field in wanted.items():
        if name in values:
            field.check(name, values[name])
        elif field.required:
            raise RuleError("night_field", field=name, takes=field.takes)


UNREADABLE = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError, OverflowError)
"""Exceptions that parsing a malformed body can raise."""


def read_value(kind: Any, value: Any) -> Any:
    """Parse a JSON value (as written by `plain`) into a type.

    Raises: one of `UNREADABLE` if it is malformed.
    """
    return _reader(kind)(value)


def plain(value: Any) -> Any:
    """Convert a fact, or a value in it, to JSON-ready values."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(one) for one in value]
    return value


# --- parsing by declared types ---


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """The parser for a type, cached.

    Raises (when called): one of `UNREADABLE`.
    """
    if is_dataclass(kind):
        return _read_object(kind)
    origin, of = get_origin(kind), get_args(kind)
    if origin in (UnionType, Union):
        inner = _reader(next(one for one in of if one is not NoneType))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _read_tuple(of)
    if kind in (str, int, bool):
        return lambda value: _exactly(kind, value)
    return _read_open(kind, origin)


def _read_open(kind: Any, origin: Any) -> Callable[[Any], Any]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return lambda value: {str(name): one for name, one in value.items()}
    return lambda value: value


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(kind.__name__)
    return value


def _read_tuple(of: tuple[Any, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(of) == 2 and of[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...]
        one = _reader(of[0])
        return lambda values: tuple(map(one, _exactly(list, values)))
    readers = tuple(map(_reader, of))
    return lambda values: tuple(read(value) for read, value in zip(readers, _exactly(list, values), strict=True))


def _read_object(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind) if field.init}
    needed = {f.name for f in fields(kind) if f.init and f.default is MISSING and f.default_factory is MISSING}

    def read(values: Any) -> Any:
        values = _exactly(dict, values)
        if not needed <= values.keys():
            raise KeyError(*sorted(needed - values.keys()))
        return kind(**{name: reader(values[name]) for name, reader in readers.items() if name in values})

    return read
