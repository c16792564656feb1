"""Import check: the referee replays each game and judges its events; worker processes check large imports."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from io import BytesIO
from multiprocessing.connection import Connection
from typing import IO, Annotated, Any, TypeAlias

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.moves import Abandoned, Event, Renamed, Scored, Started
from pegboard.core.names import GAME_ID, LONGEST_NOTE, PAIRING, is_printable, original_journal
from pegboard.core.presets import PRESETS
from pegboard.core.referee import MOST_CHANGES, MOST_LINES, apply, redecide
from pegboard.core.rules import VARIANTS, Rules
from pegboard.errors import BadImport, PegboardError, SayFirst
from pegboard.interpreter_tuning import pause_collection
from pegboard.json_parser import canonical_json
from pegboard.storage.event_row import EventRow, replay_rows
from pegboard.storage.summary import summarize
from pegboard.storage.transfer.import_parser import (
    ImportLine,
    game_and_match,
    parse_line,
    read_event,
    refuse_line,
    shorten,
)
from pegboard.storage.transfer.import_transaction import ImportedEvent, SkippedGame
from pegboard.storage.worker_process import command_of, distribute, start_workers
from pegboard.values import Misfit, Takes, fields_from, object_reader

# --- parallel check of a large import: worker processes check chunks of whole matches, results stay in order ---
#
# Games of different matches are independent, so the result is the same as with one process.


CHUNK = 1_000_000
"""Minimum size of a chunk in bytes; small matches share one."""

COMMAND = command_of(__name__)

Checked: TypeAlias = list[ImportedEvent | SkippedGame]

_Reply: TypeAlias = list[tuple[Any, ...] | SkippedGame] | BadImport
"""A worker's reply: events as plain tuples, which pickle much faster than named tuples."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines of an export that can be checked independently of other lines.

    Attributes:
        first: the number of the first line, counted from 1.
        start: the byte offset of the first line.
        end: the byte offset after the last line.
        last: for each game in the chunk, the number of that game's last line.
    """

    first: int
    start: int
    end: int
    last: Mapping[str, int]


@dataclass(slots=True)
class _Span:
    """The range of a game's lines; `match` is None until its start event is found."""

    first: int
    start: int
    last: int = 0
    match: tuple[str, str] | None = None


def split_into_chunks(lines: Iterable[bytes], least: int = CHUNK) -> list[Chunk]:
    """Split an export between matches into chunks of at least `least` bytes; a single chunk if that is not possible.

    Raises:
        BadImport: a line is not an export line.
    """
    spans: dict[str, _Span] = {}
    at = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            game, match = game_and_match(number, line)
            if game not in spans:
                spans[game] = _Span(number, at)
            spans[game].last = number
            spans[game].match = match or spans[game].match
        at += len(line)
    return _split(spans, at, least)


def _split(spans: Mapping[str, _Span], size: int, least: int) -> list[Chunk]:
    if any(span.match is None for span in spans.values()):  # a continued game may belong to any match
        return [Chunk(1, 0, size, {game: span.last for game, span in spans.items()})]
    ends: dict[tuple[str, str] | None, int] = {}
    for span in spans.values():
        ends[span.match] = max(span.last, ends.get(span.match, 0))
    starts, done = [(1, 0)], 0
    for span in spans.values():
        if span.first > done and span.start - starts[-1][1] >= least:
            starts.append((span.first, span.start))
        done = max(done, ends[span.match])
    return list(_with_games([Chunk(first, start, size, {}) for first, start in starts], spans, size))


def _with_games(chunks: Sequence[Chunk], spans: Mapping[str, _Span], size: int) -> Iterator[Chunk]:
    """The chunks, completed with their end and the games that start in each."""
    games = iter(spans.items())
    waiting = next(games, None)
    for chunk, after in zip(chunks, [*chunks[1:], None], strict=True):
        last: dict[str, int] = {}
        while waiting and (after is None or waiting[1].first < after.first):
            last[waiting[0]] = waiting[1].last
            waiting = next(games, None)
        yield Chunk(chunk.first, chunk.start, size if after is None else after.start, last)


def check_in_parallel(
    lines: IO[bytes],
    chunks: Sequence[Chunk],
    stored: Callable[[str], Sequence[EventRow]],
    advance: Callable[[int], None] = lambda _: None,
) -> Iterator[ImportedEvent | SkippedGame]:
    """The result of `check_import` for the lines, computed in parallel by worker processes.

    `advance` is called with the size of each chunk in bytes.

    Raises:
        BadImport: a line is not an export line, or cannot follow the lines before it.
    """
    if len(chunks) == 1:  # a single chunk may have any size, so it is checked line by line
        lines.seek(0)
        yield from check_import(lines, chunks[0].last, stored)
        advance(chunks[0].end)
        return
    with start_workers(COMMAND, len(chunks)) as workers:
        tasks = (_task(lines, chunk, stored) for chunk in chunks)
        for task, reply in distribute(tasks, workers, 1, lambda task: task):
            checked = task.check() if reply is None else _read_reply(reply)
            advance(len(task.lines))
            yield from checked


@dataclass(frozen=True, slots=True)
class _Task:
    """The lines of a chunk, and the events of its games that are already stored."""

    chunk: Chunk
    lines: bytes
    stored: Mapping[str, Sequence[EventRow]]

    def check(self) -> Checked:
        """Check the lines.

        Raises:
            BadImport: a line is not an export line, or cannot follow the lines before it.
        """
        chunk = self.chunk
        return list(check_import(BytesIO(self.lines), chunk.last, lambda game: self.stored.get(game, ()), chunk.first))


def _task(lines: IO[bytes], chunk: Chunk, stored: Callable[[str], Sequence[EventRow]]) -> _Task:
    lines.seek(chunk.start)
    rows_of_games = {game: rows for game in chunk.last if (rows := stored(game))}
    return _Task(chunk, lines.read(chunk.end - chunk.start), rows_of_games)


def _read_reply(reply: _Reply) -> Checked:
    """The checked events in a worker's reply.

    Raises:
        BadImport: a line is not an export line, or cannot follow the lines before it.
    """
    if isinstance(reply, BadImport):
        raise reply
    return [each if isinstance(each, SkippedGame) else ImportedEvent(*each) for each in reply]


def serve(connection: Connection) -> None:
    """Check received tasks until the other end is closed."""
    with contextlib.suppress(EOFError, OSError), pause_collection():
        while True:
            task: _Task = connection.recv()
            try:
                reply: _Reply = [tuple(each) if isinstance(each, ImportedEvent) else each for each in task.check()]
            except BadImport as error:
                reply = error
            connection.send(reply)


MOST_EVENTS = MOST_LINES + MOST_CHANGES + 100
"""Maximum events of a game: lines, their changes, and a few others, such as its start and name corrections."""


def check_import(
    lines: Iterable[bytes], last: Mapping[str, int], stored: Callable[[str], Sequence[EventRow]], first: int = 1
) -> Iterator[ImportedEvent | SkippedGame]:
    """The new events of an export in order; a game's last event has the summary of the game.

    `stored` returns the events of a game already in the journal. Games of this table are skipped; a game imported
    before is continued, if the export has the same events up to that point.
    `last` is the number of each game's last line, so that only unfinished games are held in memory. Lines are counted
    from `first`.

    Raises:
        BadImport: a line is not an export line, or cannot follow the lines before it; the message names the line.
    """
    games: dict[str, _GameCheck | None] = {}
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        parsed = parse_line(number, line)
        name, found = parsed.game, None
        if name not in last:
            refuse_line(number, "import_two")
        game = games[name] if name in games else _GameCheck(stored(name), name)
        if game is not None:
            found = game.add(number, parsed, last=last[name] == number)
            if isinstance(found, ImportedEvent) and isinstance(found.event, Renamed):
                _correct_others(games.values(), game, found.event, Origin(number, found.source, found.at))
        games[name] = None if isinstance(found, SkippedGame) or last[name] == number else game
        if found is not None:
            yield found


def _correct_others(games: Iterable["_GameCheck | None"], game: "_GameCheck", event: Renamed, origin: Origin) -> None:
    """Apply a name correction to the other games of a match."""
    for other in games:
        if other is not None and other is not game and other.match == game.match:
            other.correct_name(event, origin)


class _GameCheck:
    """The check of one game's lines, which may continue events already stored.

    Attributes:
        match: the id of the game's journal, and the id of its match.
    """

    def __init__(self, stored: Sequence[EventRow], name: str) -> None:
        self._stored, self._seq = [row for row in stored if row.game == name], 0
        self._corrections = [(row.event, row.origin) for row in stored if row.game != name]
        self._game, self._abandoned = Game(), False
        self.match = ("", "")

    def correct_name(self, event: Renamed, origin: Origin) -> None:
        """Apply a name correction made in another game of the match."""
        self._corrections.append((event, origin))
        if self._seq > len(self._stored):
            self._game = apply(self._game, event, origin)

    def add(self, number: int, line: ImportLine, *, last: bool) -> ImportedEvent | SkippedGame | None:
        """Check the next line; return a new event, a skipped game, or None if the event is already stored."""
        if self._stored and not self._stored[0].is_imported:
            return SkippedGame(line.game)
        if line.seq > MOST_EVENTS:
            refuse_line(number, "import_many", game=line.game, most=MOST_EVENTS)
        if line.seq != self._seq + 1:
            refuse_line(number, "import_due", due=self._seq + 1, game=line.game, seq=line.seq)
        (event, body), self._seq = read_event(number, line), line.seq
        if isinstance(event, Started):
            self.match = (original_journal(line.epoch), event.match)
        if line.seq <= len(self._stored):
            return self._compare(self._stored[line.seq - 1], line, event, last=last)
        if self._stored and line.seq == len(self._stored) + 1:
            self._replay_stored()
        return self._check_new(number, line, event, body, last=last)

    def _replay_stored(self) -> None:
        self._game, self._abandoned = replay_rows(self._stored), isinstance(self._stored[-1].event, Abandoned)
        for event, origin in self._corrections:
            self._game = apply(self._game, event, origin)

    @staticmethod
    def _compare(row: EventRow, line: ImportLine, event: Event, *, last: bool) -> SkippedGame | None:
        same = (row.event, row.at, row.source) == (event, line.at, line.source)
        return SkippedGame(row.game, differs=not same) if last or not same else None

    def _check_new(self, number: int, line: ImportLine, event: Event, body: str, *, last: bool) -> ImportedEvent:
        if self._abandoned:
            refuse_line(number, "import_after_end", game=line.game)
        try:
            event = _decide_again(event, self._game, line.version, first=self._seq == 1)
            self._game = apply(self._game, event, Origin(number, line.source, line.at))
        except BadImport as error:
            refuse_line(number, error.message)
        except PegboardError as error:
            refuse_line(number, "import_refused", fault=error.message)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
            refuse_line(number, "import_follow", kind=line.kind)
        self._abandoned = isinstance(event, Abandoned)
        summary = summarize(self._game) if last else None
        stored_body = body or canonical_json(wire.event_values(event)[1])
        return ImportedEvent(line.game, line.seq, line.at, event, stored_body, line.source, line.epoch, summary)


def _decide_again(event: Event, game: Game, version: int, *, first: bool) -> Event:
    """The event that a table would have stored; match, replaced game and note of a start are taken as given.

    Raises:
        PegboardError: the event cannot have happened.
    """
    if isinstance(event, Started) != first:
        raise BadImport("import_begins")
    due = _decide_by_phase(event, game) if version <= wire.GUESSING else redecide(game, event)
    if isinstance(event, Started) and isinstance(due, Started):
        _check_start(event)
        due = replace(due, match=event.match, replaces=event.replaces, note=event.note)
    if due != event:
        names = (field.name for field in fields(due))
        name, right, wrong = next((n, at, to) for n in names if (at := getattr(due, n)) != (to := getattr(event, n)))
        raise BadImport("import_would_be", name=name, due=shorten(right), told=shorten(wrong))
    return due


def _decide_by_phase(event: Event, game: Game) -> Event:
    """Like `redecide`, for the oldest version, which took scores for heels or crib by phase, whatever the reason."""
    try:
        return redecide(game, event)
    except SayFirst:
        assert isinstance(event, Scored)
        due = redecide(game, replace(event, why=None))
        assert isinstance(due, Scored)
        return replace(due, why=event.why)


def _check_start(event: Started) -> None:
    """Check the parts of a start event that the referee does not check: the types of the rules, and the ids.

    Raises:
        BadImport: a value has the wrong type or format.
    """
    for field in fields(Rules):
        value = getattr(event.rules, field.name)
        if not _is_alike(value, field.default):
            raise BadImport("import_rule", name=field.name, value=shorten(value))
    if event.rules.variant not in VARIANTS:
        raise BadImport("import_variant", variant=shorten(event.rules.variant))
    if event.rules.preset and event.rules.preset not in PRESETS:
        raise BadImport("import_preset", preset=shorten(event.rules.preset))
    try:
        _read_start({name: getattr(event, name) for name in START})
    except Misfit as error:
        raise BadImport(WRONG_START[error.field]) from None


START: dict[str, Any] = {
    "match": Annotated[str, Takes(pattern=GAME_ID)],
    "replaces": Annotated[str, Takes(pattern=f"({GAME_ID})?")],
    "note": Annotated[str, Takes(most=LONGEST_NOTE, test=is_printable)],
    "dealer_said": bool,
    "pairing": Annotated[str, Takes(pattern=f"({PAIRING})?")],
}
"""Fields of a start event that the referee does not check."""

WRONG_START = {
    "match": "import_match",
    "replaces": "import_replaces",
    "note": "import_note",
    "dealer_said": "import_dealer_said",
    "pairing": "import_pairing",
}
"""The key of the message for a wrong value of each."""

_read_start = object_reader(fields_from(START), dict)


def _is_alike(value: Any, default: Any) -> bool:
    """Whether a rule has the type of its default; tuples must hold integers."""
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(type(each) is int for each in value)
    return type(value) is type(default)
