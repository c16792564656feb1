"""Commands, events and results to and from JSON-ready values: one format for journal, phones, hub and export."""

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
    row_of,
)
from pegboard.core.names import TextEnum
from pegboard.core.rules import FirstDeal, HeelsLimit, OverpegAward, Rules
from pegboard.errors import RuleError

Json: TypeAlias = dict[str, Any]

VERSION = 3
"""Of the event bodies; what a body lacks is what was played then.

1 knew fewer rules, no notes and no formats. Until 2 pages guessed most reasons, and a deal could pass twice.
"""

GUESSING = 2
"""The last version in whose bodies reasons were guessed."""

SAID_WITH_A_GUESS = (Reason.GO, Reason.HEELS, *FAULTS)
"""The reasons that pages of those versions did not guess."""


def _kind_of(event: type[Event]) -> str:
    """The word for an event: `MugginsCalled` is "muggins_called"."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event.__name__).lstrip("_")


EVENTS: dict[str, type[Event]] = {_kind_of(row.event): row.event for row in COMMANDS}
"""What can have happened, by the word for it."""

LINES = tuple(kind for kind, cls in EVENTS.items() if cls in get_args(Line))
"""The kinds that are lines of the sheet."""

_KINDS = {cls: kind for kind, cls in EVENTS.items()}
_TOLD_BY_THE_VERSION = ("guessed", "twice")
"""Fields that no body has: they follow from the version in which it was written."""

_KEYS = {
    cls: tuple(
        (field.name, "from" if field.name == "former" else field.name)
        for field in fields(cls)
        if field.name not in _TOLD_BY_THE_VERSION
    )
    for cls in EVENTS.values()
}
"""For each event its fields, and how its body calls them: `from` is a word of Python."""

_LEFT_OUT: dict[str, Any] = {"note": "", "dealer_said": False, "midway": False, "pairing": ""}
"""Values that no body tells, because they are what it lacks."""


# --- commands ---


def command(values: Mapping[str, Any]) -> Command:
    """The command in `values`, whose key "do" tells which; other keys are its fields.

    They have the shape that its row tells: whoever takes a request has checked that.
    """
    row = ROWS[values["do"]]
    takes = {key: row.own_fields[key] for key in values if key != "do"}
    return row.command(**{field.attribute or key: field.read(values[key]) for key, field in takes.items()})


def command_values(asked: Command) -> Json:
    """The JSON-ready values of a command, without those of its fields' defaults; `command` reads them back."""
    row = row_of(asked)
    values: Json = {"do": row.do}
    for key, field in _COMMAND_FIELDS[row.do].items():
        values[key] = field.write(getattr(asked, field.attribute or key))
    return without_defaults(values)


def without_defaults(values: Json) -> Json:
    """A command's values, or a request's, without fields that have their default.

    So a repeat equals what was stored before an update that has added a field, and before requests were stored so.
    """
    defaults = _DEFAULTS.get(values["do"], {})
    return {key: value for key, value in values.items() if key not in defaults or value != defaults[key]}


_COMMAND_FIELDS = {
    row.do: {key: field for key, field in row.own_fields.items() if key not in ENVELOPE} for row in COMMANDS
}
"""By the word for a command, the fields that the rules see."""

_OF_EVERY_REQUEST: Json = {"game": None, "replaces": None}


def _defaults(row: CommandRow) -> Json:
    """What the fields of a command are where nothing is said, and what its request names beside them."""
    keys = {field.attribute: key for key, field in row.own_fields.items() if field.attribute}
    told = {keys.get(field.name, field.name): field.default for field in fields(row.command)}
    return _OF_EVERY_REQUEST | {key: value for key, value in told.items() if value is not MISSING}


_DEFAULTS = {row.do: _defaults(row) for row in COMMANDS}
"""By the word for a command."""


# --- events ---


def event_values(happened: Event) -> tuple[str, Json]:
    """The kind of an event and its JSON-ready body, without what it does not say; `read_event` reads them back."""
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
    """The version in whose body an event is read back as it is."""
    return GUESSING if any(getattr(happened, name, False) for name in _TOLD_BY_THE_VERSION) else VERSION


def kind(happened: Event) -> str:
    """The word for an event."""
    return _KINDS[type(happened)]


def read_event(kind: str, body: Mapping[str, Any], version: int = VERSION) -> Event:
    """The event of that kind with that body of that version; what an older body lacks is as it was then, the default.

    Raises:
        RuleError: the kind is unknown, which only a newer pegboard can have written.
    """
    if kind not in EVENTS:
        raise RuleError("no_event", kind=repr(kind))
    cls = EVENTS[kind]
    values = {name: _read_value(name, body[key]) for name, key in _KEYS[cls] if key in body}
    if version <= GUESSING:
        values |= _of_an_older_version(cls, values)
    return cls(**values)


def unknown_field(kind: str, body: Mapping[str, Any]) -> str | None:
    """The first field of a body, or of the rules in it, that no body of that kind has; None if there is none."""
    known = {key for _, key in _KEYS[EVENTS[kind]]}
    rules = body.get("rules")
    of_rules = rules.keys() - {field.name for field in fields(Rules)} if isinstance(rules, Mapping) else ()
    return min(body.keys() - known, default=None) or min(of_rules, default=None)


def _of_an_older_version(cls: type[Event], values: Json) -> Json:
    """What follows from the version of a body: a reason was guessed, a deal could pass twice."""
    if cls is Scored and values.get("why") not in (None, *SAID_WITH_A_GUESS):
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
"""Fields of events and rules whose values are words out of a few; one that is none of them stays as it is."""


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
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return list(value) if isinstance(value, tuple) else value


# --- results ---


def result_values(won: Result) -> Json:
    """A result as JSON-ready values; `read_result` reads them back."""
    return dict(_plain(won))


def read_result(values: Mapping[str, Any]) -> Result:
    """The result in `values`."""
    return Result(**{name: _read_value(name, value) for name, value in values.items()})
