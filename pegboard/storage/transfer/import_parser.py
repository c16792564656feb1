"""Import parser: export lines (one event as JSON each) to values and events; limits on length, nesting and fields."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, NoReturn, NotRequired

from pegboard.core import wire
from pegboard.core.moves import Event
from pegboard.core.names import GAME_ID, JOURNAL_ID, is_printable, original_journal
from pegboard.errors import BadImport
from pegboard.json_parser import DuplicateKey, canonical_json, is_too_deep, parse_json
from pegboard.messages import Message
from pegboard.values import MESSAGE, Misfit, Takes, fields_from, object_reader, read

EPOCH = f"(?:{JOURNAL_ID})?"
"""Pattern of the id of a journal, or nothing."""

SURROGATE_ESCAPE = b"\\u"
"""JSON escape that can write a lone UTF-16 surrogate, which UTF-8 cannot encode."""

FLAT = 8
"""A line with at most this many lists and objects is never too deep to be re-encoded; a game's start has five."""

LONGEST_LINE = 65_536
"""Maximum bytes of an export line; a start with four long names has two thousand."""

LONGEST_SOURCE = 32
"""Maximum characters of the name of an input device or page."""

LATEST = 2**63
"""A time in nanoseconds since 1970, later than any clock shows."""

_TEXT, _WHOLE = r"[ !#-\[\]-~]", r"(?:0|[1-9][0-9]{0,17}|[1-8][0-9]{18})"

_VALUE = f'"[a-z_]+":(?:null|{_WHOLE}|"{_TEXT}*")'

_HEAD = (
    f'{{"id": {_WHOLE}, "epoch": "({EPOCH})", "game": "({GAME_ID})", "seq": (?!0)({_WHOLE}), "at": ({_WHOLE}),'
    f' "source": "({_TEXT}{{0,{LONGEST_SOURCE}}})", "kind": "scored"'
)

SCORE_HEAD = re.compile(_HEAD.encode())
"""The part of a `SCORE` before its version and body."""

SCORE = re.compile(f'{_HEAD}(?:, "v": ([1-{wire.VERSION}]))?, "body": ({{{_VALUE}(?:,{_VALUE})*}})}}\r?\n?'.encode())
"""A score line as a table exports it, in plain ASCII. Most lines are scores, and this is faster than parsing JSON."""

REQUIRED = ("game", "seq", "at", "source", "kind", "body")

KNOWN = {"id", "epoch", "v", *REQUIRED}
"""All fields of a line; `id` is the event's number in the original journal."""


class ImportLine(NamedTuple):
    """The values of a line; the body of a plain score stays JSON text."""

    game: str
    seq: int
    at: int
    source: str
    kind: str
    version: int
    body: bytes | dict[str, Any]
    epoch: str = ""


def last_lines(lines: Iterable[bytes]) -> dict[str, int]:
    """For each game in an export, the number of its last line, counted from 1.

    Raises:
        BadImport: a line is not an export line.
    """
    last: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            score = _match_score(line)
            last[score[2].decode() if score else _parse_json(number, line).game] = number
    return last


def game_and_match(number: int, line: bytes) -> tuple[str, tuple[str, str] | None]:
    """The game of a line; and, if it starts a game, the ids of its journal and its match, else None.

    Only the head of a score is parsed: `parse_line` parses the rest later.

    Raises:
        BadImport: the line is not an export line.
    """
    score = SCORE_HEAD.match(line)
    if score is not None:
        return score[2].decode(), None
    parsed = _parse_json(number, line)
    match = parsed.body.get("match") if parsed.kind == "started" and isinstance(parsed.body, dict) else None
    return parsed.game, (original_journal(parsed.epoch), match) if isinstance(match, str) else None


def parse_line(number: int, line: bytes) -> ImportLine:
    """Parse the line with that number.

    Raises:
        BadImport: the line is not an export line.
    """
    return _parse_score(line) or _parse_json(number, line)


def refuse_line(number: int, key: str | Message, /, **values: object) -> NoReturn:
    """Refuse an import because of one line, with a message or its key and values.

    Raises:
        BadImport: always.
    """
    fault = key if isinstance(key, Message) else Message(key, **values)
    raise BadImport("nothing_imported", line=number, fault=fault)


def _match_score(line: bytes) -> re.Match[bytes] | None:
    return SCORE.fullmatch(line) if len(line) <= LONGEST_LINE else None


def _parse_score(line: bytes) -> ImportLine | None:
    """Like `_parse_json`, for a plain score, but with the body as text; None for any other line."""
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
    try:
        found = _read_fields(values)
    except Misfit as error:
        name = error.field
        refuse_line(number, f"import_{name}", value=shorten(values[name]), **LIMITS.get(name, {}))
    return ImportLine(version=found.pop("v", wire.GUESSING), **found)


def _parse_object(number: int, line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        refuse_line(number, "import_long", most=LONGEST_LINE)
    if is_too_deep(line):
        refuse_line(number, "import_json")
    try:
        values = parse_json(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if SURROGATE_ESCAPE in line or line.count(b"[") + line.count(b"{") > FLAT:
            json.dumps(values, ensure_ascii=False).encode()
        return read(dict[str, Any], values)
    except DuplicateKey as error:
        refuse_line(number, "import_twice", name=shorten(error.name))
    except Misfit:
        refuse_line(number, "import_object")
    except ValueError:
        refuse_line(number, "import_json")


def shorten(value: Any) -> str:
    """A value as short JSON text for a message."""
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."  # noqa: PLR2004 - readable at a glance


FIELDS: dict[str, Any] = {
    "game": Annotated[str, Takes(pattern=GAME_ID)],
    "epoch": NotRequired[Annotated[str, Takes(pattern=EPOCH)]],
    "seq": Annotated[int, Takes(least=1, most=LATEST - 1)],
    "at": Annotated[int, Takes(least=0, most=LATEST - 1)],
    "source": Annotated[str, Takes(most=LONGEST_SOURCE, test=is_printable)],
    "kind": Annotated[str, Takes(one_of=tuple(wire.EVENTS))],
    "v": NotRequired[Annotated[int, Takes(least=1, most=wire.VERSION)]],
    "body": dict[str, Any],
}
"""The type of each field of a line; the key of its error message is `import_` and the field."""

LIMITS: dict[str, dict[str, object]] = {
    "source": {"most": LONGEST_SOURCE},
    "kind": {"kinds": ", ".join(wire.EVENTS)},
    "v": {"most": wire.VERSION},
}
"""The values in the error messages of fields."""

_read_fields = object_reader(fields_from(FIELDS), dict, MESSAGE)


def read_event(number: int, line: ImportLine) -> tuple[Event, str]:
    """The event of a line, and its body as stored text; "" if that text is not made yet.

    Raises:
        BadImport: the body does not fit the kind of event.
    """
    try:
        if isinstance(line.body, bytes):
            return _read_score(line.body, line.version)
        _refuse_unknown(line.kind, line.body)
        return wire.read_event(line.kind, line.body, line.version), ""
    except DuplicateKey as error:
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
    """The event of a plain score, and its body as stored text; cached, as a season repeats a few hundred scores.

    The text is also valid for the event that the referee decides again: the values are integers, words and null,
    which are equal only if written alike.
    """
    values = parse_json(body)
    _refuse_unknown("scored", values)
    event = wire.read_event("scored", values, version)
    return event, canonical_json(wire.event_values(event)[1])
