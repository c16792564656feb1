"""Judges a large import in several processes: chunks of whole matches, kept in the order of their lines.

What one process would make of all lines is what comes out: games of different matches know nothing of each other.
"""

import contextlib
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import cycle
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import IO, Any, TypeAlias

from pegboard.errors import BadImport
from pegboard.startup.interpreter import uncollected
from pegboard.storage.import_check import arrivals, match_begun
from pegboard.storage.journal import Arrival, Passed, Row

CHUNK = 1_000_000
"""Bytes of a chunk at least; a match of fewer has others with it."""

MOST_WORKERS = 3
"""Processes beside the one that keeps the games; each takes some 40 MB."""

Judged: TypeAlias = list[Arrival | Passed]
_Told: TypeAlias = list[tuple[Any, ...] | Passed] | BadImport


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines of an export that can be judged without any others.

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
    """Where the lines of a game stand; `match` is None while none of them has begun it."""

    first: int
    start: int
    last: int = 0
    match: tuple[str, str] | None = None


def chunks_of(lines: Iterable[bytes], least: int = CHUNK) -> list[Chunk]:
    """Part an export between matches, into chunks of so many bytes at least; one chunk where that cannot be done.

    Raises:
        BadImport: a line is none of an export.
    """
    spans: dict[str, _Span] = {}
    number = at = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            game, match = match_begun(number, line)
            if game not in spans:
                spans[game] = _Span(number, at)
            spans[game].last = number
            spans[game].match = match or spans[game].match
        at += len(line)
    return _parted(spans, at, least)


def _parted(spans: Mapping[str, _Span], size: int, least: int) -> list[Chunk]:
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
    chunks = [Chunk(first, start, size, {}) for first, start in starts]
    return list(_with_games(chunks, spans, size))


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


def judged(
    lines: IO[bytes],
    chunks: Sequence[Chunk],
    kept: Callable[[str], Sequence[Row]],
    advance: Callable[[int], None] = lambda _: None,
) -> Iterator[Arrival | Passed]:
    """What `brought.arrivals` makes of the lines, judged by as many processes as the machine has processors for.

    `advance` is told the bytes of each chunk.

    Raises:
        BadImport: a line is none of an export, or cannot follow those before.
    """
    if len(chunks) == 1:  # of any size, so it is judged line by line
        lines.seek(0)
        yield from arrivals(lines, chunks[0].last, kept)
        advance(chunks[0].end)
        return
    processors = len(os.sched_getaffinity(0))
    with contextlib.ExitStack() as cleanup:
        workers = min(MOST_WORKERS, processors, len(chunks)) if processors > 1 else 0
        connections = [cleanup.enter_context(_worker()) for _ in range(workers)]
        for task, told in _in_turn((_task(lines, chunk, kept) for chunk in chunks), connections):
            advance(len(task.lines))
            yield from told


@dataclass(frozen=True, slots=True)
class _Task:
    """The lines of a chunk, and what is here already of its games."""

    chunk: Chunk
    lines: bytes
    kept: Mapping[str, Sequence[Row]]

    def judge(self) -> Judged:
        """Judge them.

        Raises:
            BadImport: a line is none of an export, or cannot follow those before.
        """
        chunk = self.chunk
        return list(arrivals(BytesIO(self.lines), chunk.last, lambda game: self.kept.get(game, ()), chunk.first))


def _task(lines: IO[bytes], chunk: Chunk, kept: Callable[[str], Sequence[Row]]) -> _Task:
    lines.seek(chunk.start)
    here = {game: rows for game in chunk.last if (rows := kept(game))}
    return _Task(chunk, lines.read(chunk.end - chunk.start), here)


def _in_turn(tasks: Iterator[_Task], workers: Sequence[Connection]) -> Iterator[tuple[_Task, Judged]]:
    """Each task with what it comes to, in their order; every worker has the next one before its last is kept."""
    if not workers:
        yield from ((task, task.judge()) for task in tasks)
        return
    at_work: deque[tuple[_Task, Connection]] = deque()
    for task, worker in zip(tasks, cycle(workers), strict=False):
        done = at_work.popleft() if len(at_work) == len(workers) else None
        told = None if done is None else _answer(*done)
        with contextlib.suppress(OSError):  # a worker that has died is noticed when it is to answer
            worker.send(task)
        at_work.append((task, worker))
        if done is not None and told is not None:
            yield done[0], told
    for task, worker in at_work:
        yield task, _answer(task, worker)


def _answer(task: _Task, worker: Connection) -> Judged:
    """What a worker has made of its task; of one that has died, what is made of it here."""
    try:
        told: _Told = worker.recv()
    except (EOFError, OSError):
        return task.judge()
    if isinstance(told, BadImport):
        raise told
    return [each if isinstance(each, Passed) else Arrival(*each) for each in told]


@contextlib.contextmanager
def _worker() -> Iterator[Connection]:
    """A process that judges what it is sent, and ends with the connection or with this process.

    It begins anew instead of being split off, so that it holds nothing of the journal open. Ctrl-C is for this process.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    resource_tracker.ensure_running()  # which unblocks Ctrl-C when it begins
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.terminate()
        process.join()


def _serve(connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError), uncollected():
        while True:
            task: _Task = connection.recv()
            try:
                told: _Told = [each.parts if isinstance(each, Arrival) else each for each in task.judge()]
            except BadImport as error:
                told = error
            connection.send(told)
