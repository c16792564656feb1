"""Parser of the lines of an import: each is one event as JSON, in the form in which a table exports it."""

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from pegboard.core import wire
from pegboard.core.command_fields import GAME_ID
from pegboard.core.moves import Event
from pegboard.core.names import is_legible, original_journal
from pegboard.errors import BadImport
from pegboard.json_parser import NamedTwice, parse_json
from pegboard.messages import Message
from pegboard.storage.event_row import canonical_json

# --- nesting depth of JSON, found in its text: Python's own limit differs from version to version ---


DEEPEST = 32
"""Levels of nested lists and objects that are accepted; ours have five."""


_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)


_BRACKET = re.compile(rb"[][{}]")


def is_too_deep(text: bytes) -> bool:
    """Whether lists and objects are nested more than `DEEPEST` levels deep; the text need not be valid JSON."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    level = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", text)):
        level += 1 if bracket in b"[{" else -1
        if level > DEEPEST:
            return True
    return False


EPOCH = r"[A-Za-z0-9_-]{0,64}"
"""Pattern of the id of a journal."""


SURROGATE_ESCAPE = b"\\u"
"""How JSON can write half of a UTF-16 surrogate pair, which UTF-8 cannot encode."""


FLAT = 8
"""Lists and objects of a line that cannot be nested too deeply to be written again; the start of a game has five."""


LONGEST_LINE = 65_536
"""Bytes of a line of an export; a start with four long names has two thousand."""


LONGEST_SOURCE = 32
"""Letters of the name of an input."""


LATEST = 2**63
"""Nanoseconds since 1970 that no clock reaches."""


_TEXT, _WHOLE = r"[ !#-\[\]-~]", r"(?:0|[1-9][0-9]{0,17}|[1-8][0-9]{18})"


_VALUE = f'"[a-z_]+":(?:null|{_WHOLE}|"{_TEXT}*")'


_HEAD = (
    f'{{"id": {_WHOLE}, "epoch": "({EPOCH})", "game": "({GAME_ID})", "seq": (?!0)({_WHOLE}), "at": ({_WHOLE}),'
    f' "source": "({_TEXT}{{0,{LONGEST_SOURCE}}})", "kind": "scored"'
)


SCORE_HEAD = re.compile(_HEAD.encode())
"""What stands before the version and body of a `SCORE`."""


SCORE = re.compile(f'{_HEAD}(?:, "v": ([1-{wire.VERSION}]))?, "body": ({{{_VALUE}(?:,{_VALUE})*}})}}\r?\n?'.encode())
"""A score as a table exports it, in plain ASCII. Most lines are one, and this is faster than parsing JSON."""


REQUIRED = ("game", "seq", "at", "source", "kind", "body")


KNOWN = {"id", "epoch", "v", *REQUIRED}
"""Every field of a line; `id` is its number in the journal that it comes from."""


class ImportLine(NamedTuple):
    """The values of a line; its body stays JSON text where the line is a plain score."""

    game: str
    seq: int
    at: int
    source: str
    kind: str
    version: int
    body: bytes | dict[str, Any]
    epoch: str = ""


def last_lines(lines: Iterable[bytes]) -> dict[str, int]:
    """For each game in an export the number of its last line, counted from 1.

    Raises:
        BadImport: a line is not one of an export.
    """
    last: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            score = _match_score(line)
            last[score[2].decode() if score else _parse_json(number, line).game] = number
    return last


def game_and_match(number: int, line: bytes) -> tuple[str, tuple[str, str] | None]:
    """The game of a line; and of one that begins a game the id of its journal and of its match, else None.

    Only the beginning of a score is parsed: `parse_line` parses the rest later.

    Raises:
        BadImport: it is not a line of an export.
    """
    score = SCORE_HEAD.match(line)
    if score is not None:
        return score[2].decode(), None
    parsed = _parse_json(number, line)
    match = parsed.body.get("match") if parsed.kind == "started" and isinstance(parsed.body, dict) else None
    return parsed.game, (original_journal(parsed.epoch), match) if isinstance(match, str) else None


def parse_line(number: int, line: bytes) -> ImportLine:
    """The values of the line with that number.

    Raises:
        BadImport: it is not a line of an export.
    """
    return _parse_score(line) or _parse_json(number, line)


def refuse_line(number: int, key: str | Message, /, **values: object) -> NoReturn:
    """Refuse an import for one of its lines, by a message or its key and values.

    Raises:
        BadImport: always.
    """
    fault = key if isinstance(key, Message) else Message(key, **values)
    raise BadImport("nothing_imported", line=number, fault=fault)


def _match_score(line: bytes) -> re.Match[bytes] | None:
    return SCORE.fullmatch(line) if len(line) <= LONGEST_LINE else None


def _parse_score(line: bytes) -> ImportLine | None:
    """What `_parse_json` finds in a plain score, but for its body; None for every other line."""
    score = _match_score(line)
    if score is None:
        return None
    epoch, game, seq, at, source, version, body = score.groups()
    head = (game.decode(), int(seq), int(at), source.decode())
    return ImportLine(*head, "scored", int(version or wire.GUESSING), body, epoch.decode())


def _parse_json(number: int, line: bytes) -> ImportLine:
    values = _parse_object(number, line)
    for name in REQUIRED:
        if name not in values:
            refuse_line(number, "import_missing", name=name, names=", ".join(REQUIRED))
    if unknown := values.keys() - KNOWN:
        refuse_line(number, "import_unknown", name=shorten(min(unknown)))
    for name, (is_valid, limits) in FIELDS.items():
        if name in values and not is_valid(values[name]):
            refuse_line(number, f"import_{name}", value=shorten(values[name]), **limits)
    return ImportLine(
        **{name: values[name] for name in REQUIRED},
        version=values.get("v", wire.GUESSING),
        epoch=values.get("epoch", ""),
    )


def _parse_object(number: int, line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        refuse_line(number, "import_long", most=LONGEST_LINE)
    if is_too_deep(line):
        refuse_line(number, "import_json")
    try:
        values = parse_json(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if SURROGATE_ESCAPE in line or line.count(b"[") + line.count(b"{") > FLAT:
            json.dumps(values, ensure_ascii=False).encode()
    except NamedTwice as error:
        refuse_line(number, "import_twice", name=shorten(error.name))
    except ValueError:
        refuse_line(number, "import_json")
    if not isinstance(values, dict):
        refuse_line(number, "import_object")
    return values


def shorten(value: Any) -> str:
    """A value as JSON text for a sentence."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."  # noqa: PLR2004 - as much as is read at a glance


def is_text(value: Any, pattern: str) -> bool:
    """Whether a value is text of that pattern."""
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_words(value: Any, longest: int) -> bool:
    """Whether a value is legible text of so many letters at most."""
    return isinstance(value, str) and len(value) <= longest and is_legible(value)


def _is_integer(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


FIELDS: dict[str, tuple[Callable[[Any], bool], dict[str, object]]] = {
    "game": (lambda value: is_text(value, GAME_ID), {}),
    "epoch": (lambda value: is_text(value, EPOCH), {}),
    "seq": (lambda value: _is_integer(value, 1, LATEST - 1), {}),
    "at": (lambda value: _is_integer(value, 0, LATEST - 1), {}),
    "source": (lambda value: is_words(value, LONGEST_SOURCE), {"most": LONGEST_SOURCE}),
    "kind": (lambda value: isinstance(value, str) and value in wire.EVENTS, {"kinds": ", ".join(wire.EVENTS)}),
    "v": (lambda value: _is_integer(value, 1, wire.VERSION), {"most": wire.VERSION}),
    "body": (lambda value: isinstance(value, dict), {}),
}
"""Each field of a line: whether a value is one, and the limits that its refusal (`import_` and its name) tells."""


def read_event(number: int, line: ImportLine) -> tuple[Event, str]:
    """The event of a line, and its body as it is stored; "" where that is still to be made.

    Raises:
        BadImport: the body is not of its kind.
    """
    try:
        if isinstance(line.body, bytes):
            return _read_score(line.body, line.version)
        _refuse_unknown(line.kind, line.body)
        return wire.read_event(line.kind, line.body, line.version), ""
    except NamedTwice as error:
        refuse_line(number, "import_twice", name=shorten(error.name))
    except BadImport as error:
        refuse_line(number, error.message)
    except (AttributeError, TypeError, ValueError):
        refuse_line(number, "import_body_kind", kind=line.kind)


def _refuse_unknown(kind: str, body: dict[str, Any]) -> None:
    if (unknown := wire.unknown_field(kind, body)) is not None:
        raise BadImport("import_unknown", name=shorten(unknown))


@lru_cache(maxsize=4096)
def _read_score(body: bytes, version: int) -> tuple[Event, str]:
    """The event of a plain score, and its body as it is stored; a season repeats a few hundred different ones.

    Its values are whole numbers, words and null, of which two are equal only if they are written alike.
    """
    values = parse_json(body)
    _refuse_unknown("scored", values)
    event = wire.read_event("scored", values, version)
    return event, canonical_json(wire.event_values(event)[1])
