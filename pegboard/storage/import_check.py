"""Games brought from another table: each line of an export is read, judged to be possible, and folded."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, NoReturn

from pegboard.core import wire
from pegboard.core.board import Game, Mark
from pegboard.core.moves import Abandoned, Event, Renamed, Scored, Started
from pegboard.core.referee.decide import apply
from pegboard.core.referee.decisions import LONGEST_NOTE, is_legible
from pegboard.core.referee.redecide import judged_again
from pegboard.core.rules import VARIANTS, Rules
from pegboard.errors import BadImport, PegboardError, SayFirst
from pegboard.json_depth import is_too_deep
from pegboard.storage.journal import Arrival, Passed, Row, fold
from pegboard.storage.summary import summed

GAME = r"[A-Za-z0-9_-]{1,64}"
"""The id of a game."""

EPOCH = r"[A-Za-z0-9_-]{0,64}"
"""The mark of a journal."""

_IS_GAME, _IS_GAME_OR_EMPTY, _IS_EPOCH = (re.compile(form).fullmatch for form in (GAME, f"({GAME})?", EPOCH))

ESCAPED = b"\\u"
"""What half a pair of UTF-16 is written with, which no file can hold."""

FLAT = 8
"""Lists and objects of a line that no depth comes of; the start of a game has five."""

LONGEST_LINE = 65_536
"""Bytes of a line of the export; a start with four long names has two thousand."""

NOT_JSON = "it is not JSON; a line of an export is one JSON object"

LONGEST_SOURCE = 32
"""Letters of the name of a door."""

LATEST = 2**63
"""Nanoseconds since 1970 that no clock reaches."""

_TEXT, _WHOLE = r"[ !#-\[\]-~]", r"(?:0|[1-9][0-9]{0,17}|[1-8][0-9]{18})"
_VALUE = f'"[a-z_]+":(?:null|{_WHOLE}|"{_TEXT}*")'

_HEAD = (
    f'{{"id": {_WHOLE}, "epoch": "({EPOCH})", "game": "({GAME})", "seq": (?!0)({_WHOLE}), "at": ({_WHOLE}),'
    f' "source": "({_TEXT}{{0,{LONGEST_SOURCE}}})", "kind": "scored"'
)
HEAD = re.compile(_HEAD.encode())
"""What stands before the body of a line such as `PLAIN`."""

PLAIN = re.compile(f'{_HEAD}(?:, "v": ([1-{wire.VERSION}]))?, "body": ({{{_VALUE}(?:,{_VALUE})*}})}}\r?\n?'.encode())
"""A score as the export of a table tells it, in plain letters: most lines are one, and need no reading as JSON."""

NEEDED = ("game", "seq", "at", "source", "kind", "body")

MOST_LINES = 1_000
"""Events of one game; a real one has fewer than three hundred. Each correction has a game added up again."""


def ends(lines: Iterable[bytes]) -> dict[str, int]:
    """For each game in an export the number of its last line; counted from 1.

    Raises:
        BadImport: a line is none of an export.
    """
    last: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            plain = _plain(line)
            last[_values(number, line)["game"] if plain is None else plain[2].decode()] = number
    return last


def match_begun(number: int, line: bytes) -> tuple[str, tuple[str, str] | None]:
    """The game of a line, and where the line begins that game its match with the mark of its journal; else None.

    Of a score only its beginning is looked at: the rest is for who reads it.

    Raises:
        BadImport: it is none of an export.
    """
    score = HEAD.match(line)
    if score is not None:
        return score[2].decode(), None
    values = _values(number, line)
    match = values["body"].get("match") if values["kind"] == "started" else None
    return values["game"], (values.get("epoch", ""), match) if isinstance(match, str) else None


def arrivals(
    lines: Iterable[bytes], last: Mapping[str, int], kept: Callable[[str], Sequence[Row]], first: int = 1
) -> Iterator[Arrival | Passed]:
    """The events of an export that are new, in their order, each game summed up with its last one.

    `kept` gives the events of a game that are here already. A game of this table is passed over; one that was imported
    goes on where it ended, where its events are told as they are kept.
    `last` tells the number of each game's last line: only games that are still going on are kept in memory. The lines
    are counted from `first`.

    Raises:
        BadImport: a line is none of an export, or cannot follow those before; the sentence begins with its number.
    """
    games: dict[str, _Folded | None] = {}
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        values = _plain_values(line) or _values(number, line)
        name, told = values["game"], None
        if name not in last:
            _bad(number, "it names two games")
        folded = games[name] if name in games else _Folded(name, kept(name))
        if folded is not None:
            told = folded.add(number, values, last=last[name] == number)
        if folded is not None and isinstance(told, Arrival) and isinstance(told.event, Renamed):
            _tell_others(games.values(), folded, told.event, Mark(number, told.source, told.at))
        games[name] = None if isinstance(told, Passed) or last[name] == number else folded
        if told is not None:
            yield told


def _tell_others(games: Iterable["_Folded | None"], folded: "_Folded", event: Renamed, mark: Mark) -> None:
    """A name is corrected in every game of a match."""
    for other in games:
        if other is not None and other is not folded and other.match == folded.match:
            other.correct_name(event, mark)


class _Folded:
    """A game while its lines come, after those that are kept here.

    Attributes:
        match: the mark of its journal and the id of its match.
    """

    def __init__(self, name: str, kept: Sequence[Row]) -> None:
        self._kept, self._seq = [row for row in kept if row.game == name], 0
        self._corrections = [(row.event, row.mark) for row in kept if row.game != name]
        self._game, self._given_up = Game(), False
        self.match = ("", "")

    def correct_name(self, event: Renamed, mark: Mark) -> None:
        """A name was corrected in another game of its match."""
        self._corrections.append((event, mark))
        if self._seq > len(self._kept):
            self._game = apply(self._game, event, mark)

    def add(self, number: int, values: Mapping[str, Any], *, last: bool) -> Arrival | Passed | None:
        """A line more: an event that is new, or that this game is passed over, or nothing yet."""
        name, seq = values["game"], values["seq"]
        if self._kept and not self._kept[0].imported:
            return Passed(name)
        if seq > MOST_LINES:
            _bad(number, f"game {name} has more than {MOST_LINES} events, which no game has")
        if seq != self._seq + 1:
            _bad(number, f"event {self._seq + 1} of game {name} is due here, and this is number {seq}")
        (event, body), self._seq = _event(number, values), seq
        if isinstance(event, Started):
            self.match = (values.get("epoch", ""), event.match)
        if seq <= len(self._kept):
            return self._as_kept(self._kept[seq - 1], values, event, last=last)
        if self._kept and seq == len(self._kept) + 1:
            self._lay_out_what_is_kept()
        return self._further(number, values, event, body, last=last)

    def _lay_out_what_is_kept(self) -> None:
        self._game, self._given_up = fold(self._kept), isinstance(self._kept[-1].event, Abandoned)
        for event, mark in self._corrections:
            self._game = apply(self._game, event, mark)

    @staticmethod
    def _as_kept(row: Row, values: Mapping[str, Any], event: Event, *, last: bool) -> Passed | None:
        same = (row.event, row.at, row.source) == (event, values["at"], values["source"])
        return Passed(row.game, differs=not same) if last or not same else None

    def _further(self, number: int, values: Mapping[str, Any], event: Event, body: str, *, last: bool) -> Arrival:
        if self._given_up:
            _bad(number, f"game {values['game']} has been given up, and nothing follows that")
        try:
            event = _judged(event, self._game, values["v"], first=self._seq == 1)
            self._game = apply(self._game, event, Mark(number, values["source"], values["at"]))
        except BadImport as error:
            _bad(number, str(error))
        except PegboardError as error:
            _bad(number, f"a table refuses this, “{error}”")
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
            _bad(number, f"{values['kind']} cannot follow the lines before it")
        self._given_up = isinstance(event, Abandoned)
        sums = summed(self._game) if last else None
        told = (values["game"], self._seq, values["at"], event, values["source"], values.get("epoch", ""))
        return Arrival(*told, sums, body)


def _bad(number: int, fault: str) -> NoReturn:
    raise BadImport(f"line {number}: {fault}; nothing was imported")


# --- one line ---


def _plain(line: bytes) -> re.Match[bytes] | None:
    """The parts of a line that tells a score as every export does; None for all that is read as JSON."""
    return PLAIN.fullmatch(line) if len(line) <= LONGEST_LINE else None


def _plain_values(line: bytes) -> dict[str, Any] | None:
    """What `_values` reads out of such a line, but for its body, which stays text."""
    plain = _plain(line)
    if plain is None:
        return None
    epoch, game, seq, at, source, version, body = plain.groups()
    return {
        "epoch": epoch.decode(),
        "game": game.decode(),
        "seq": int(seq),
        "at": int(at),
        "source": source.decode(),
        "kind": "scored",
        "v": int(version or wire.GUESSING),
        "body": body,
    }


def _values(number: int, line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        _bad(number, f"it is longer than {LONGEST_LINE} bytes, which no line of an export is")
    if is_too_deep(line):
        _bad(number, NOT_JSON)
    try:
        values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if ESCAPED in line or line.count(b"[") + line.count(b"{") > FLAT:
            json.dumps(values, ensure_ascii=False).encode()
    except ValueError:
        _bad(number, NOT_JSON)
    if not isinstance(values, dict):
        _bad(number, "it is not a JSON object, as each line of an export is")
    for name in NEEDED:
        if name not in values:
            _bad(number, f"`{name}` is missing; a line of an export has {', '.join(NEEDED)}")
    for name, (takes, good) in TAKEN.items():
        if name in values and not good(values[name]):
            _bad(number, f"`{name}` is {takes}, not {_said(values[name])}")
    return {"v": wire.GUESSING} | values


def _said(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."  # noqa: PLR2004 - as much as is read at a glance


def _is_text(value: Any, matches: Callable[[str], object]) -> bool:
    return isinstance(value, str) and matches(value) is not None


def _is_whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _is_words(value: Any, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest and is_legible(value)


TAKEN: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "game": ("the id of a game, 1 to 64 of A-Z a-z 0-9 - _", lambda value: _is_text(value, _IS_GAME)),
    "epoch": ("the mark of a journal, up to 64 of A-Z a-z 0-9 - _", lambda value: _is_text(value, _IS_EPOCH)),
    "seq": ("a whole number from 1", lambda value: _is_whole(value, 1, LATEST - 1)),
    "at": ("whole nanoseconds since 1970", lambda value: _is_whole(value, 0, LATEST - 1)),
    "source": (f"the name of a door, up to {LONGEST_SOURCE} letters", lambda value: _is_words(value, LONGEST_SOURCE)),
    "kind": (f"one of {', '.join(wire.EVENTS)}", lambda value: isinstance(value, str) and value in wire.EVENTS),
    "v": (f"the version of the body, up to {wire.VERSION}", lambda value: _is_whole(value, 1, wire.VERSION)),
    "body": ("a JSON object", lambda value: isinstance(value, dict)),
}


@lru_cache(maxsize=4096)
def _scored(body: bytes, version: int) -> tuple[Event, str]:
    """A score out of a plain line, and its body as it is kept; a season tells a few hundred again and again.

    Its values are whole numbers, words and null, which are equal only if they are written in the same way.
    """
    event = wire.read_event("scored", json.loads(body), version)
    return event, Arrival("", 1, 0, event, "").body


def _event(number: int, values: Mapping[str, Any]) -> tuple[Event, str]:
    """What happened, and its body as it is kept, or "" where that is yet to be written."""
    try:
        if isinstance(values["body"], bytes):
            return _scored(values["body"], values["v"])
        return wire.read_event(values["kind"], values["body"], values["v"]), ""
    except (AttributeError, TypeError, ValueError):
        _bad(number, f"the body is none of the kind {values['kind']}")


# --- what can have happened ---


def _judged(event: Event, game: Game, version: int, *, first: bool) -> Event:
    """What a table would have made of it; the match, the game it replaces and the note of a start are as told.

    Raises:
        PegboardError: that cannot have happened.
    """
    if isinstance(event, Started) != first:
        raise BadImport("a game begins with `started`, once")
    judged = _judged_as_then(event, game) if version <= wire.GUESSING else judged_again(game, event)
    if isinstance(event, Started) and isinstance(judged, Started):
        _refuse_start(event)
        judged = replace(judged, match=event.match, replaces=event.replaces, note=event.note)
    if judged != event:
        names = (field.name for field in fields(judged))
        name, due, told = next((n, at, to) for n in names if (at := getattr(judged, n)) != (to := getattr(event, n)))
        raise BadImport(f"`{name}` would be {_said(due)} at the table, not {_said(told)}")
    return judged


def _judged_as_then(event: Event, game: Game) -> Event:
    """An event of an older version: heels and cribs were judged by the phase then, and not by what had been said."""
    try:
        return judged_again(game, event)
    except SayFirst:
        assert isinstance(event, Scored)
        judged = judged_again(game, replace(event, why=None))
        assert isinstance(judged, Scored)
        return replace(judged, why=event.why)


def _refuse_start(event: Started) -> None:
    """Refuse what no judge looks at: rules of another type, marks that are none.

    Raises:
        BadImport: there is such a thing.
    """
    for field in fields(Rules):
        value = getattr(event.rules, field.name)
        if not _alike(value, field.default):
            raise BadImport(f"the rule `{field.name}` cannot be {_said(value)}")
    if event.rules.variant not in VARIANTS:
        raise BadImport(f"no variant is called {_said(event.rules.variant)}")
    if not _is_text(event.match, _IS_GAME):
        raise BadImport("`match` is the id of a game")
    if not _is_text(event.replaces, _IS_GAME_OR_EMPTY):
        raise BadImport("`replaces` is the id of a game, or empty")
    if not _is_words(event.note, LONGEST_NOTE):
        raise BadImport("`note` is words")
    if type(event.dealer_said) is not bool:
        raise BadImport("`dealer_said` is true or false")


def _alike(value: Any, default: Any) -> bool:
    """Whether a rule is of its type: a number for a number, numbers for numbers."""
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(type(each) is int for each in value)
    return type(value) is type(default)
