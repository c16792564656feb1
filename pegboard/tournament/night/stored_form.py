"""Decisions to and from JSON-ready values: one form for the ledger, packages and other hubs.

A value is read by the type that its field declares. What a body lacks has its default and what it has beside that is
passed over; a decision that cannot be read becomes an `UnknownDecision`, so that no old night is ever unreadable.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from pegboard.tournament.night.decisions import ROWS, Role, row_of_decision
from pegboard.tournament.night.facts import Decision, UnknownDecision

Json: TypeAlias = dict[str, Any]

VERSION = 1
"""Of the bodies."""

UNREADABLE = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError, OverflowError)
"""What reading a body ends in that is none."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who has decided: a director by name, a player or a table by id."""

    role: Role
    name: str = ""


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """A decision as it is stored.

    Attributes:
        number: from 1, without gaps.
        at: milliseconds since 1970 by the hub's clock; 0 where it is not known. Nothing is ordered by it.
        by: who has decided.
        decision: the fact.
    """

    number: int
    at: int
    by: Author
    decision: Decision


def word_of(decision: Decision) -> str:
    """The word for a decision."""
    if isinstance(decision, UnknownDecision):
        return decision.do
    row = row_of_decision(decision)
    assert row is not None
    return row.do


def as_row(stored: StoredDecision) -> Json:
    """JSON-ready values of a stored decision; `from_row` reads them back."""
    decision = stored.decision
    body = dict(decision.body) if isinstance(decision, UnknownDecision) else plain(decision)
    return {
        "number": stored.number,
        "at": stored.at,
        "by": {"role": str(stored.by.role), "name": stored.by.name},
        "do": word_of(stored.decision),
        "version": VERSION,
        "body": body,
    }


def from_row(row: Mapping[str, Any]) -> StoredDecision:
    """The stored decision in a row of the ledger or of a package; what cannot be read is an `UnknownDecision`."""
    by = row.get("by") or {}
    role = Role(by["role"]) if by.get("role") in set(Role) else Role.DIRECTOR
    decision = read_decision(str(row.get("do")), row.get("body") or {})
    return StoredDecision(int(row["number"]), int(row.get("at") or 0), Author(role, str(by.get("name", ""))), decision)


def read_decision(do: str, body: Any) -> Decision:
    """The fact of that word with that body."""
    try:
        kind: Any = ROWS[do].decision
        decision: Decision = read_value(kind, body)
    except UNREADABLE:
        return UnknownDecision(do, dict(body) if isinstance(body, Mapping) else {})
    return decision


def read_value(kind: Any, value: Any) -> Any:
    """A value of that type, which `plain` has made JSON-ready.

    Raises: one of `UNREADABLE` where it is none.
    """
    return _reader(kind)(value)


def plain(value: Any) -> Any:
    """A fact, or a value in it, as JSON has it."""
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(one) for one in value]
    return value


# --- reading, by declared types ---


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What reads a value of that type.

    Raises (when it reads): one of `UNREADABLE`.
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
