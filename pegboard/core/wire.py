"""JSON serialization of commands, events and results: one format for journal, phones, hub and export."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeAlias, get_args

from pegboard.core.match import Result
from pegboard.core.moves import (
    COMMANDS,
    ENVELOPE,
    FAULTS,
    ROWS,
    UNCHANGED,
    Amended,
    Command,
    CommandRow,
    DealStage,
    Dealt,
    Event,
    Line,
    Reason,
    Scored,
    Started,
    row_of,
)
from pegboard.core.names import TextEnum
from pegboard.core.rules import FirstDeal, HeelsLimit, OverpegAward, Rules
from pegboard.errors import RuleError
from pegboard.values import object_reader, write_field

Json: TypeAlias = dict[str, Any]

VERSION = 4
"""Newest version of the event bodies; a field missing from an older body has the default of that version.

Version 1 had fewer rules, no notes and no formats. Up to version 2, pages guessed most reasons, and a deal could pass
twice. Version 4 is the start of a game with more players or lanes than programs up to 0.2.0 know, so that these refuse
the journal by name instead of failing on it; all other events are written as `USUAL`.
"""

USUAL = 3
"""The version that programs up to 0.2.0 write and read."""

USUAL_SEATS, USUAL_LANES = 4, 3
"""Most players and lanes that those programs know."""

GUESSING = 2
"""The last version with guessed reasons."""

NEVER_GUESSED = (Reason.GO, Reason.HEELS, *FAULTS)
"""The reasons that pages never guessed, even in these versions."""


def _kind_of(event: type[Event]) -> str:
    """The kind of an event class: "muggins_called" for `MugginsCalled`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event.__name__).lstrip("_")


EVENTS: dict[str, type[Event]] = {_kind_of(row.event): row.event for row in COMMANDS}
"""Event classes by kind."""

LINES = tuple(kind for kind, cls in EVENTS.items() if cls in get_args(Line))
"""The kinds that are lines of the sheet."""

_KINDS = {cls: kind for kind, cls in EVENTS.items()}
_IMPLIED_BY_VERSION = ("guessed", "twice")
"""Fields that are never stored in a body: they follow from its version."""

_KEYS = {
    cls: tuple(
        (field.name, "from" if field.name == "former" else field.name)
        for field in fields(cls)
        if field.name not in _IMPLIED_BY_VERSION
    )
    for cls in EVENTS.values()
}
"""Each event's fields and their keys in its body: `from` is a Python keyword."""

_LEFT_OUT: dict[str, Any] = {"note": "", "dealer_said": False, "midway": False, "pairing": ""}
"""Default values that are omitted from bodies."""


# --- commands ---


def read_request(values: Mapping[str, Any]) -> tuple[Json, Command]:
    """Parse a command's request: its envelope (`ENVELOPE`), and the command that "do" names.

    Raises:
        Misfit: a field is unknown, missing or wrong.
    """
    row = ROWS[values["do"]]
    loaded = _REQUEST_READERS[row.do](values)
    envelope = {name: loaded.pop(name, None) for name in ENVELOPE}
    del loaded["do"]
    return envelope, row.command(**loaded)


_REQUEST_READERS = {row.do: object_reader(tuple(row.fields.values()), dict) for row in COMMANDS}


def command_values(asked: Command) -> Json:
    """A command as JSON-ready values, omitting defaults."""
    row = row_of(asked)
    values: Json = {"do": row.do}
    for one in _COMMAND_FIELDS[row.do]:
        value = getattr(asked, one.name)
        if one.key not in _DEFAULTS[row.do] or value != _DEFAULTS[row.do][one.key]:
            values[one.key] = write_field(one, value)
    return values


def without_defaults(values: Json) -> Json:
    """The values of a command or request, omitting fields that have their default.

    A retry then equals a request that was stored before an update added a field, or before defaults were omitted.
    """
    defaults = _DEFAULTS.get(values["do"], {})
    return {key: value for key, value in values.items() if key not in defaults or value != defaults[key]}


_COMMAND_FIELDS = {
    row.do: tuple(one for one in row.fields.values() if one.name not in (*ENVELOPE, "do")) for row in COMMANDS
}
"""Fields that the rules see, by command name."""

_OF_EVERY_REQUEST: Json = {"game": None, "replaces": None}


def _defaults(row: CommandRow) -> Json:
    """The default values of a command's fields, and of the fields that every request has."""
    keys = {one.name: one.key for one in row.fields.values()}
    told = {keys.get(field.name, field.name): field.default for field in fields(row.command)}
    return _OF_EVERY_REQUEST | {key: value for key, value in told.items() if value is not MISSING}


_DEFAULTS = {row.do: _defaults(row) for row in COMMANDS}
"""Default values by command name."""


# --- events ---


def event_values(happened: Event) -> tuple[str, Json]:
    """The kind of an event and its JSON-ready body, omitting defaults; `read_event` reads them back."""
    body = {key: _plain(getattr(happened, name)) for name, key in _KEYS[type(happened)]}
    for name, nothing in _LEFT_OUT.items():
        if body.get(name) == nothing:
            del body[name]
    if isinstance(happened, Amended):
        body = {
            key: value for key, value in body.items() if value is not UNCHANGED and (value is not None or key == "why")
        }
    return _KINDS[type(happened)], body


def version(happened: Event) -> int:
    """The body version that preserves an event when it is read back."""
    if any(getattr(happened, name, False) for name in _IMPLIED_BY_VERSION):
        return GUESSING
    rules = happened.rules if isinstance(happened, Started) else None
    return VERSION if rules and (rules.seats > USUAL_SEATS or rules.lanes > USUAL_LANES) else USUAL


def kind(happened: Event) -> str:
    """The kind of an event."""
    return _KINDS[type(happened)]


def read_event(kind: str, body: Mapping[str, Any], version: int = VERSION) -> Event:
    """Parse an event of this kind, body and version; fields missing from an older body get their defaults.

    Raises:
        RuleError: the kind is unknown, so a newer pegboard wrote it.
    """
    if kind not in EVENTS:
        raise RuleError("no_event", kind=repr(kind))
    cls = EVENTS[kind]
    values = {name: _read_value(name, body[key]) for name, key in _KEYS[cls] if key in body}
    if version <= GUESSING:
        values |= _of_an_older_version(cls, values)
    return cls(**values)


def unknown_field(kind: str, body: Mapping[str, Any]) -> str | None:
    """The first unknown field of a body of this kind, or of the rules in it; None if all are known."""
    known = {key for _, key in _KEYS[EVENTS[kind]]}
    rules = body.get("rules")
    of_rules = rules.keys() - {field.name for field in fields(Rules)} if isinstance(rules, Mapping) else ()
    return min(body.keys() - known, default=None) or min(of_rules, default=None)


def _of_an_older_version(cls: type[Event], values: Json) -> Json:
    """Values implied by an old version of a body: a reason was guessed, a deal could pass twice."""
    if cls is Scored and values.get("why") not in (None, *NEVER_GUESSED):
        return {"guessed": True}
    return {"twice": True} if cls is Dealt and values.get("new", True) else {}


_WORDS: dict[str, dict[str, TextEnum]] = {
    name: {word.value: word for word in words}
    for name, words in {
        "why": Reason,
        "stage": DealStage,
        "first_deal": FirstDeal,
        "heels_limit": HeelsLimit,
        "overpeg_award": OverpegAward,
    }.items()
}
"""Fields of events and rules that are enums; unknown words are kept."""


def _read_value(name: str, value: Any) -> Any:
    if name in _WORDS:
        return _WORDS[name].get(value, value) if isinstance(value, str) else value
    if name == "rules":
        return _read_rules(value)
    return tuple(value) if isinstance(value, list) else value


def _read_rules(values: Mapping[str, Any]) -> Rules:
    known = {field.name for field in fields(Rules)}
    return Rules(**{name: _read_value(name, value) for name, value in values.items() if name in known})


def _plain(value: Any) -> Any:
    if isinstance(value, Rules | Result):
        plain = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        if not plain.get("preset", True):  # rules without a preset are stored as 0.2.0 stored them, and imports there
            del plain["preset"]
        return plain
    return list(value) if isinstance(value, tuple) else value


# --- results ---


def result_values(won: Result) -> Json:
    """A result as JSON-ready values; `read_result` reads them back."""
    return dict(_plain(won))


def read_result(values: Mapping[str, Any]) -> Result:
    """Parse a result."""
    return Result(**{name: _read_value(name, value) for name, value in values.items()})
