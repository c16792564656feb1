"""Parser of the lines of an import: each is one event as JSON, in the form in which a table exports it."""

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from pegboard.core import wire
from pegboard.core.moves import Event
from pegboard.core.referee.decisions import is_legible
from pegboard.errors import BadImport
from pegboard.json_depth import is_too_deep
from pegboard.storage.event_row import canonical_json

GAME_ID = r"[A-Za-z0-9_-]{1,64}"
"""Pattern of the id of a game."""

EPOCH = r"[A-Za-z0-9_-]{0,64}"
"""Pattern of the id of a journal."""

SURROGATE_ESCAPE = b"\\u"
"""How JSON can write half of a UTF-16 surrogate pair, which UTF-8 cannot encode."""

FLAT = 8
"""Lists and objects of a line that cannot be nested too deeply to be written again; the start of a game has five."""

LONGEST_LINE = 65_536
"""Bytes of a line of an export; a start with four long names has two thousand."""

NOT_JSON = "it is not JSON; a line of an export is one JSON object"

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
            last[parse_line(number, line).game] = number
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
    return parsed.game, (parsed.epoch, match) if isinstance(match, str) else None


def parse_line(number: int, line: bytes) -> ImportLine:
    """The values of the line with that number.

    Raises:
        BadImport: it is not a line of an export.
    """
    return _parse_score(line) or _parse_json(number, line)


def refuse_line(number: int, fault: str) -> NoReturn:
    """Refuse an import for one of its lines.

    Raises:
        BadImport: always.
    """
    raise BadImport(f"line {number}: {fault}; nothing was imported")


def _parse_score(line: bytes) -> ImportLine | None:
    """What `_parse_json` finds in a plain score, but for its body; None for every other line."""
    score = SCORE.fullmatch(line) if len(line) <= LONGEST_LINE else None
    if score is None:
        return None
    epoch, game, seq, at, source, version, body = score.groups()
    head = (game.decode(), int(seq), int(at), source.decode())
    return ImportLine(*head, "scored", int(version or wire.GUESSING), body, epoch.decode())


def _parse_json(number: int, line: bytes) -> ImportLine:
    if len(line) > LONGEST_LINE:
        refuse_line(number, f"it is longer than {LONGEST_LINE} bytes, which no line of an export is")
    if is_too_deep(line):
        refuse_line(number, NOT_JSON)
    try:
        values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if SURROGATE_ESCAPE in line or line.count(b"[") + line.count(b"{") > FLAT:
            json.dumps(values, ensure_ascii=False).encode()
    except ValueError:
        refuse_line(number, NOT_JSON)
    if not isinstance(values, dict):
        refuse_line(number, "it is not a JSON object, as each line of an export is")
    for name in REQUIRED:
        if name not in values:
            refuse_line(number, f"`{name}` is missing; a line of an export has {', '.join(REQUIRED)}")
    for name, (expected, is_valid) in FIELDS.items():
        if name in values and not is_valid(values[name]):
            refuse_line(number, f"`{name}` is {expected}, not {shorten(values[name])}")
    optional = {"version": values.get("v", wire.GUESSING), "epoch": values.get("epoch", "")}
    return ImportLine(**{name: values[name] for name in REQUIRED}, **optional)


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


FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "game": ("the id of a game, 1 to 64 of A-Z a-z 0-9 - _", lambda value: is_text(value, GAME_ID)),
    "epoch": ("the mark of a journal, up to 64 of A-Z a-z 0-9 - _", lambda value: is_text(value, EPOCH)),
    "seq": ("a whole number from 1", lambda value: _is_integer(value, 1, LATEST - 1)),
    "at": ("whole nanoseconds since 1970", lambda value: _is_integer(value, 0, LATEST - 1)),
    "source": (f"the name of a door, up to {LONGEST_SOURCE} letters", lambda value: is_words(value, LONGEST_SOURCE)),
    "kind": (f"one of {', '.join(wire.EVENTS)}", lambda value: isinstance(value, str) and value in wire.EVENTS),
    "v": (f"the version of the body, up to {wire.VERSION}", lambda value: _is_integer(value, 1, wire.VERSION)),
    "body": ("a JSON object", lambda value: isinstance(value, dict)),
}
"""Each field of a line: what it takes, in words for a refusal, and whether a value is that."""


def read_event(number: int, line: ImportLine) -> tuple[Event, str]:
    """The event of a line, and its body as it is stored; "" where that is still to be made.

    Raises:
        BadImport: the body is not of its kind.
    """
    try:
        if isinstance(line.body, bytes):
            return _read_score(line.body, line.version)
        return wire.read_event(line.kind, line.body, line.version), ""
    except (AttributeError, TypeError, ValueError):
        refuse_line(number, f"the body is none of the kind {line.kind}")


@lru_cache(maxsize=4096)
def _read_score(body: bytes, version: int) -> tuple[Event, str]:
    """The event of a plain score, and its body as it is stored; a season repeats a few hundred different ones.

    Its values are whole numbers, words and null, of which two are equal only if they are written alike.
    """
    event = wire.read_event("scored", json.loads(body), version)
    return event, canonical_json(wire.event_values(event)[1])
