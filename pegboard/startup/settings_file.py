"""Settings file: reading and validation of TOML, with a message for each invalid value; settings written as TOML."""

import datetime as dt
import difflib
import json
import math
import re
import tomllib
import types
import typing
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from pegboard.config import DEVICES, Settings, SettingsSource, sections
from pegboard.errors import SettingError
from pegboard.messages import Message

LONGEST_SHOWN = 60
"""Maximum characters of a refused value shown in a message."""

LONGEST = 1_000_000
"""Maximum characters of a settings file; a device file such as /dev/zero never ends."""

DEEPEST = 32
"""Maximum nesting of tables and lists; our settings use three levels."""

BITS = 64
"""Bits of the integers that TOML guarantees, sign included."""


class _UnfitError(Exception):
    """A name in the file is not accepted; `message` says what is wrong."""

    def __init__(self, name: str, message: Message) -> None:
        super().__init__(name)
        self.name, self.message = name, message


class _UnfitValueError(_UnfitError):
    """The name is known, but its value is not accepted."""


def read(path: Path, default: Settings | None = None, strangers: Collection[str] = ()) -> Settings:
    """The settings in a TOML file; settings missing from it are taken from `default`.

    Args:
        path: the path of the file.
        default: the settings for everything that the file does not set.
        strangers: the names of displays and inputs from other packages; each may have a section.

    Raises:
        SettingError: the file cannot be read, is not TOML, or has a name or value that is not accepted; values in a
            device's section that are not accepted are listed in `unfit` instead.
    """
    text = _read_text(path)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError("settings_toml", path=path, error=error) from error
    except RecursionError as error:
        raise SettingError("settings_depth", path=path) from error
    except ValueError as error:  # Python parses no integer of more than 4300 digits
        raise SettingError("settings_long_number", path=path) from error
    if _is_too_deep(tables):
        raise SettingError("settings_depth", path=path)
    origin = SettingsSource(str(path), _lines_of(text, tables))
    try:
        settings = _settings(default or Settings(), tables, strangers)
    except _UnfitError as error:
        raise SettingError(origin.message_at(error.name, error.message)) from None
    unfit = {name: origin.message_at(name, fault) for name, fault in settings.unfit.items()}
    return replace(settings, origin=origin, unfit=unfit)


def _read_text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as file:  # editors on Windows add a byte order mark
            text = file.read(LONGEST + 1)
    except OSError as error:
        raise SettingError("settings_unreadable", path=path, error=error.strerror) from error
    except UnicodeDecodeError as error:
        raise SettingError("settings_encoding", path=path) from error
    if len(text) > LONGEST:
        raise SettingError("settings_long", path=path, most=LONGEST)
    return text


def _is_too_deep(tables: dict[str, Any]) -> bool:
    """Whether tables and lists are nested more than `DEEPEST` levels deep; dotted keys nest without brackets."""
    level: list[Any] = [tables]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in (outer.values() if isinstance(outer, dict) else outer)]
        level = [value for value in level if isinstance(value, dict | list)]
    return bool(level)


def _settings(default: Settings, tables: dict[str, Any], strangers: Collection[str]) -> Settings:
    foreign = set(strangers) - set(sections(default))
    own = {name: table for name, table in tables.items() if name not in foreign}
    unfit: dict[str, Message] = {}
    settings: Settings = _section(default, own, "", unfit, sorted(foreign))
    more = {name: _foreign(name, table, unfit) for name, table in tables.items() if name in foreign}
    return replace(settings, more=types.MappingProxyType({**default.more, **more}), unfit=unfit)


def _foreign(name: str, table: Any, unfit: dict[str, Message]) -> Mapping[str, Any]:
    _require_section(name, table)
    if type(table.get("enabled", True)) is not bool:
        value = _shorten(table["enabled"])
        unfit[f"{name}.enabled"] = Message("setting_type", name=f"{name}.enabled", taken="true or false", value=value)
    huge = [key for key, value in table.items() if _has_huge(value)]
    unfit |= {f"{name}.{key}": Message("setting_huge", name=f"{name}.{key}") for key in huge}
    frozen: Mapping[str, Any] = _freeze({key: value for key, value in table.items() if key not in huge})
    return frozen


def _has_huge(value: Any) -> bool:
    """Whether a value is or contains an integer beyond TOML's guaranteed range, which Python may refuse to print."""
    match value:
        case int():
            return value.bit_length() >= BITS
        case dict():
            return any(map(_has_huge, value.values()))
        case list():
            return any(map(_has_huge, value))
    return False


def _shorten(value: Any) -> str:
    """A refused value as shown in a message, shortened if it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python prints no integer of more than 4300 digits
        return "..."
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def _freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return types.MappingProxyType({key: _freeze(item) for key, item in value.items()})
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def _require_section(name: str, value: Any) -> None:
    if not isinstance(value, dict):
        raise _UnfitError(name, Message("setting_section", name=name, value=_shorten(value)))


_HEADER = re.compile(r"""\s*\[\s*([\w.'"\s-]+?)\s*\]""")
_KEY = re.compile(r"""\s*([\w.'"-]+(?:\s*\.\s*[\w.'"-]+)*)\s*=""")


def _lines_of(text: str, tables: Mapping[str, Any]) -> dict[str, int]:
    """The line number of each section and setting in the TOML `text`, parsed as `tables`; tomllib reports no lines.

    A setting in an unusual form, such as a section written on one line, gets the line of its section.
    """
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            section = _bare(header[1]) + "."
            lines.setdefault(section[:-1], number)
        elif key := _KEY.match(line):
            lines.setdefault(section + _bare(key[1]), number)
    inside = {f"{name}.{key}": name for name, table in tables.items() if isinstance(table, dict) for key in table}
    return {name: lines.get(name, lines.get(section, 1)) for name, section in inside.items()} | lines


def _bare(name: str) -> str:
    return re.sub(r"""['"\s]""", "", name)


def _section(
    default: Any, table: dict[str, Any], prefix: str, unfit: dict[str, Message], foreign: Sequence[str] = ()
) -> Any:
    """The section `default` with the values of `table`; refused values of devices are added to `unfit` instead."""
    kinds = typing.get_type_hints(type(default))
    known = {f.name: f for f in fields(default) if f.metadata.get("section", True)}
    changes: dict[str, Any] = {}
    for name, value in table.items():
        if name not in known:
            raise _UnfitError(
                prefix + name, _unknown_name(prefix + name, [*(prefix + each for each in known), *foreign])
            )
        old = getattr(default, name)
        if is_dataclass(old):
            _require_section(name, value)
            changes[name] = _section(old, value, f"{name}.", unfit)
            continue
        try:
            changes[name] = _value(prefix + name, value, kinds[name], known[name])
        except _UnfitValueError as error:
            if prefix[:-1] not in DEVICES:
                raise
            unfit[error.name] = error.message
    return replace(default, **changes)


def _unknown_name(name: str, known: list[str]) -> Message:
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return Message("setting_meant", name=repr(name), meant=repr(near[0]))
    return Message("setting_unknown", name=repr(name), known=", ".join(known))


def _value(name: str, value: Any, kind: Any, setting: Field[Any]) -> Any:
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and isinstance(value, list):
        return tuple(_value(f"{name}[{place}]", item, inside[0], setting) for place, item in enumerate(value))
    if origin is dict and isinstance(value, dict):
        assert setting.default_factory is not MISSING
        given = {key: _value(f"{name}.{key}", item, inside[1], setting) for key, item in value.items()}
        return setting.default_factory() | given
    is_number = kind is float and type(value) is int
    least, most = setting.metadata.get("least"), setting.metadata.get("most")
    is_limited = least is not None
    if origin is not None or not (is_number or type(value) is kind) or (_has_huge(value) and not is_limited):
        taken, shown = _kind_in_words(kind), _shorten(value)
        raise _UnfitValueError(name, Message("setting_type", name=name, taken=taken, value=shown))
    if is_limited and not least <= value <= most:
        values = {"name": name, "taken": _kind_in_words(kind), "value": _shorten(value)}
        raise _UnfitValueError(name, Message("setting_range", least=least, most=most, **values))
    return float(value) if is_number else value


def _kind_in_words(kind: Any) -> str:
    if isinstance(kind, types.GenericAlias):
        inside = typing.get_args(kind)
        return f"a list of {_kind_in_words(inside[0]).removeprefix('a ')}s" if kind.__origin__ is tuple else "a table"
    return {int: "a whole number", float: "a number", bool: "true or false", str: "text"}[kind]


def as_toml(settings: Settings) -> str:
    """The settings as TOML for `read`, each below its description; settings of other packages have no descriptions."""
    own = [_section_as_toml(name, section) for name, section in sections(settings).items()]
    return "\n".join([*own, *(_foreign_as_toml(name, table) for name, table in settings.more.items())])


def _section_as_toml(name: str, section: Any) -> str:
    lines = [f"# {f.metadata['sentence']}\n{f.name} = {literal(getattr(section, f.name))}\n" for f in fields(section)]
    return f"[{name}]\n" + "".join(lines)


def _foreign_as_toml(name: str, table: Mapping[str, Any]) -> str:
    return f"[{_key(name)}]\n" + "".join(f"{_key(key)} = {literal(value)}\n" for key, value in table.items())


def literal(value: Any) -> str:
    """A setting's value in TOML syntax."""
    match value:
        case Mapping() if not value:
            return "{}"
        case Mapping():
            return "{ " + ", ".join(f"{_key(key)} = {literal(item)}" for key, item in value.items()) + " }"
        case list() | tuple():
            return f"[{', '.join(map(literal, value))}]"
        case dt.date() | dt.time():
            return value.isoformat()
        case float() if not math.isfinite(value):
            return str(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else literal(name)
