"""Parallel check of a large import: worker processes check chunks of whole matches, whose results stay in order.

Games of different matches are independent, so the result is that of one process.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from multiprocessing.connection import Connection
from typing import IO, Any, TypeAlias

from pegboard.errors import BadImport
from pegboard.interpreter_tuning import pause_collection
from pegboard.storage.event_row import EventRow
from pegboard.storage.imports.import_check import check_import
from pegboard.storage.imports.import_parser import game_and_match
from pegboard.storage.imports.import_transaction import ImportedEvent, SkippedGame
from pegboard.storage.worker_process import command_of, share_out, start_workers

CHUNK = 1_000_000
"""Bytes of a chunk at least; small matches share one."""

COMMAND = command_of(__name__)

Checked: TypeAlias = list[ImportedEvent | SkippedGame]
_Reply: TypeAlias = list[tuple[Any, ...] | SkippedGame] | BadImport
"""What a worker sends: events as plain tuples, which are pickled much faster than named ones."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines of an export that can be checked without any others.

    Attributes:
        first: the number of the first line, counted from 1.
        start: the byte that it begins at.
        end: the byte after the last one.
        last: for each of its games the number of that game's last line.
    """

    first: int
    start: int
    end: int
    last: Mapping[str, int]


@dataclass(slots=True)
class _Span:
    """Where the lines of a game are; `match` is None while none of them has begun it."""

    first: int
    start: int
    last: int = 0
    match: tuple[str, str] | None = None


def split_into_chunks(lines: Iterable[bytes], least: int = CHUNK) -> list[Chunk]:
    """Split an export between matches, into chunks of `least` bytes or more; one chunk where that cannot be done.

    Raises:
        BadImport: a line is not one of an export.
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
    if any(span.match is None for span in spans.values()):  # a game that goes on may be of any match
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
    """The chunks with the games that begin in each, and where each ends."""
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
    """What `check_import` makes of the lines, in as many processes as the machine has processors.

    `advance` is called with the bytes of each chunk.

    Raises:
        BadImport: a line is not one of an export, or cannot follow those before.
    """
    if len(chunks) == 1:  # of any size, so it is checked line by line
        lines.seek(0)
        yield from check_import(lines, chunks[0].last, stored)
        advance(chunks[0].end)
        return
    with start_workers(COMMAND, len(chunks)) as workers:
        tasks = (_task(lines, chunk, stored) for chunk in chunks)
        for task, reply in share_out(tasks, workers, 1, lambda task: task):
            checked = task.check() if reply is None else _read_reply(reply)
            advance(len(task.lines))
            yield from checked


@dataclass(frozen=True, slots=True)
class _Task:
    """The lines of a chunk, and the events of its games that are stored already."""

    chunk: Chunk
    lines: bytes
    stored: Mapping[str, Sequence[EventRow]]

    def check(self) -> Checked:
        """Check them.

        Raises:
            BadImport: a line is not one of an export, or cannot follow those before.
        """
        chunk = self.chunk
        return list(check_import(BytesIO(self.lines), chunk.last, lambda game: self.stored.get(game, ()), chunk.first))


def _task(lines: IO[bytes], chunk: Chunk, stored: Callable[[str], Sequence[EventRow]]) -> _Task:
    lines.seek(chunk.start)
    rows_of_games = {game: rows for game in chunk.last if (rows := stored(game))}
    return _Task(chunk, lines.read(chunk.end - chunk.start), rows_of_games)


def _read_reply(reply: _Reply) -> Checked:
    """What a worker has made of a chunk.

    Raises:
        BadImport: a line is not one of an export, or cannot follow those before.
    """
    if isinstance(reply, BadImport):
        raise reply
    return [each if isinstance(each, SkippedGame) else ImportedEvent(*each) for each in reply]


def serve(connection: Connection) -> None:
    """Check what comes until the other end is closed."""
    with contextlib.suppress(EOFError, OSError), pause_collection():
        while True:
            task: _Task = connection.recv()
            try:
                reply: _Reply = [tuple(each) if isinstance(each, ImportedEvent) else each for each in task.check()]
            except BadImport as error:
                reply = error
            connection.send(reply)
