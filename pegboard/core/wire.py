"""Commands, events and results to and from JSON-ready values: one format for journal, phones, hub and export."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from typing import Any, TypeAlias, get_args

from pegboard.core.match import Result
from pegboard.core.moves import (
    FAULTS,
    UNCHANGED,
    Abandon,
    Abandoned,
    Amend,
    Amended,
    CallMuggins,
    ClaimFalsely,
    Command,
    Confirm,
    Confirmed,
    Deal,
    Dealt,
    Event,
    FalselyClaimed,
    Line,
    MugginsCalled,
    OverPeg,
    OverPegged,
    PegBack,
    PeggedBack,
    PegsSet,
    Penalize,
    Rename,
    Renamed,
    Restore,
    Restored,
    Retract,
    Retracted,
    Score,
    Scored,
    SetPegs,
    Stage,
    Staged,
    Start,
    Started,
    TakeBack,
    TakenBack,
)
from pegboard.core.rules import Rules
from pegboard.errors import RuleError

Json: TypeAlias = dict[str, Any]

VERSION = 3
"""Of the event bodies; what a body lacks is what was played then.

1 knew fewer rules, no notes and no formats. Until 2 pages guessed most reasons, and a deal could pass twice.
"""

GUESSING = 2
"""The last version in whose bodies reasons were guessed."""

SAID_WITH_A_GUESS = ("go", "heels", *FAULTS)
"""The reasons that pages of those versions did not guess."""

COMMANDS: dict[str, type[Command]] = {
    "start": Start,
    "score": Score,
    "deal": Deal,
    "stage": Stage,
    "undo": TakeBack,
    "redo": Restore,
    "amend": Amend,
    "penalty": Penalize,
    "muggins": CallMuggins,
    "over_peg": OverPeg,
    "peg_back": PegBack,
    "set_pegs": SetPegs,
    "false_claim": ClaimFalsely,
    "retract": Retract,
    "abandon": Abandon,
    "confirm": Confirm,
    "rename": Rename,
    "start_match": Start,
}
"""What can be asked, by the word for it."""

EVENTS: dict[str, type[Event]] = {
    "started": Started,
    "scored": Scored,
    "dealt": Dealt,
    "staged": Staged,
    "taken_back": TakenBack,
    "restored": Restored,
    "amended": Amended,
    "muggins_called": MugginsCalled,
    "over_pegged": OverPegged,
    "pegged_back": PeggedBack,
    "pegs_set": PegsSet,
    "falsely_claimed": FalselyClaimed,
    "retracted": Retracted,
    "abandoned": Abandoned,
    "confirmed": Confirmed,
    "renamed": Renamed,
}
"""What can have happened, by the word for it."""

LINES = tuple(kind for kind, cls in EVENTS.items() if cls in get_args(Line))
"""The kinds that are lines of the sheet."""

_DOES = {cls: do for do, cls in reversed(COMMANDS.items())}
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

_LEFT_OUT: dict[str, Any] = {"note": "", "dealer_said": False, "midway": False}
"""Values that no body tells, because they are what it lacks."""


LONGEST_LINE_ID = 9
"""Digits; no sheet comes near."""


def line_id(line: int) -> str:
    """The id of a line of the running game's sheet, as doors and windows write it."""
    return str(line)


# --- commands ---


def command(values: Mapping[str, Any]) -> Command:
    """The command in `values`, whose key "do" tells which; other keys are its fields.

    Raises:
        RuleError: "do" is unknown, or a field is missing, unknown or of the wrong shape.
    """
    do = values.get("do")
    if not isinstance(do, str) or do not in COMMANDS:
        raise RuleError("no_command", do=repr(do), commands=", ".join(COMMANDS))
    given = {key: value for key, value in values.items() if key != "do"}
    ours = [key for key in given if key in _WRITTEN]
    if ours:
        raise RuleError("field_meant", do=do, field=repr(ours[0]), meant=repr(_WRITTEN[ours[0]]))
    if (do == "start_match") != ("format" in given):
        raise RuleError("format_alone")
    try:
        read = {_FIELDS.get(key, key): _reader(do, key)(value) for key, value in given.items()}
        asked: Callable[..., Command] = COMMANDS[do]
        return asked(**read)
    except TypeError:
        raise RuleError("wrong_fields", do=do, fields=", ".join(given) or "(none)") from None


def command_values(asked: Command) -> Json:
    """The JSON-ready values of a command, without those of its fields' defaults; `command` reads them back."""
    values: Json = {"do": _DOES[type(asked)]}
    for field in fields(asked):
        values[_WRITTEN.get(field.name, field.name)] = _plain(getattr(asked, field.name))
    if isinstance(asked, Start):
        values["variant"] = asked.rules.variant
        values["do"] = "start" if asked.format is None else "start_match"
    for key in ("entry", "to"):
        if type(values.get(key)) is int:
            values[key] = line_id(values[key])
    return without_defaults(values)


def without_defaults(values: Json) -> Json:
    """A command's values, or a request's, without fields that have their default.

    So a repeat equals what was stored before an update that has added a field, and before requests were stored so.
    """
    defaults = _DEFAULTS.get(values["do"], {})
    return {key: value for key, value in values.items() if key not in defaults or value != defaults[key]}


def _read_variant(name: Any) -> Rules:
    if not isinstance(name, str):
        raise RuleError("variant_type", value=repr(name))
    return Rules.named(name)


def _read_players(names: Any) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise RuleError("players_type", value=repr(names))
    return tuple(names)


def _read_house(rules: Any) -> tuple[str, ...] | None:
    if rules is None:
        return None
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise RuleError("house_list", rules=repr(rules))
    return tuple(rules)


def _read_line(entry: Any) -> int | None:
    if entry is None:
        return None
    if not isinstance(entry, str) or not entry.isascii() or not entry.isdigit() or len(entry) > LONGEST_LINE_ID:
        raise RuleError("line_type", value=repr(entry))
    return int(entry)


def _read_text(words: Any) -> str:
    if not isinstance(words, str):
        raise RuleError("text_type", value=repr(words))
    return words


def _read_name(name: Any) -> str:
    if not isinstance(name, str):
        raise RuleError("name_type", value=repr(name))
    return name


def _read_fronts(fronts: Any) -> tuple[int, ...]:
    if not isinstance(fronts, list):
        raise RuleError("fronts_type", value=repr(fronts))
    return tuple(fronts)


def _as_it_is(value: Any) -> Any:
    return value


def _reader(do: str, key: str) -> Callable[[Any], Any]:
    """What reads a field of a command; `to` is a line, but for a corrected name."""
    return _read_name if (do, key) == ("rename", "to") else _READERS.get(key, _as_it_is)


_FIELDS = {"variant": "rules", "entry": "line", "from": "former"}
_WRITTEN = {ours: theirs for theirs, ours in _FIELDS.items()}
_OF_EVERY_REQUEST: Json = {"game": None, "replaces": None}
_READERS: dict[str, Callable[[Any], Any]] = {
    "variant": _read_variant,
    "players": _read_players,
    "house": _read_house,
    "entry": _read_line,
    "to": _read_line,
    "note": _read_text,
    "format": _read_text,
    "fronts": _read_fronts,
    "from": _read_name,
}


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


def _of_an_older_version(cls: type[Event], values: Json) -> Json:
    """What follows from the version of a body: a reason was guessed, a deal could pass twice."""
    if cls is Scored and values.get("why") not in (None, *SAID_WITH_A_GUESS):
        return {"guessed": True}
    return {"twice": True} if cls is Dealt and values.get("new", True) else {}


def _read_value(name: str, value: Any) -> Any:
    if name == "rules":
        return _read_rules(value)
    return tuple(value) if isinstance(value, list) else value


def _rules_values(rules: Rules) -> Json:
    return {f.name: _plain(getattr(rules, f.name)) for f in fields(rules)}


def _read_rules(values: Mapping[str, Any]) -> Rules:
    defaults = {field.name: field.default for field in fields(Rules)}
    known = {name: _read_value(name, value) for name, value in values.items() if name in defaults}
    return Rules(**{name: _read_choice(value, defaults[name]) for name, value in known.items()})


def _read_choice(value: Any, default: Any) -> Any:
    """One of the choices of which a rule's default is one; a word that is none of them stays as it is."""
    return next((each for each in type(default) if each == value), value) if isinstance(default, StrEnum) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Rules):
        return _rules_values(value)
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _defaults(asked: type[Command]) -> Json:
    told = {_WRITTEN.get(field.name, field.name): field.default for field in fields(asked)}
    return _OF_EVERY_REQUEST | {key: _plain(value) for key, value in told.items() if value is not MISSING}


_DEFAULTS = {do: _defaults(asked) for do, asked in COMMANDS.items()}
"""By the word for a command, what its fields are where nothing is said, and what its request names beside them."""


# --- results ---


def result_values(won: Result) -> Json:
    """A result as JSON-ready values; `read_result` reads them back."""
    return {field.name: _plain(getattr(won, field.name)) for field in fields(won)}


def read_result(values: Mapping[str, Any]) -> Result:
    """The result in `values`."""
    return Result(**{name: _read_value(name, value) for name, value in values.items()})
