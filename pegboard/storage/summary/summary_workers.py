"""Summaries of many games at once: worker processes replay their events, and the results stay in order.

What a game has given to lists and statistics follows from its own events, so the result is that of one process.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from multiprocessing.connection import Connection
from typing import NamedTuple, TypeAlias

from pegboard.core.board import Game
from pegboard.core.referee import apply_all
from pegboard.interpreter_tuning import pause_collection
from pegboard.storage.event_row import EventRow, Row, read_event
from pegboard.storage.summary.game_summary import GameSummary, summarize
from pegboard.storage.worker_process import command_of, share_out, start_workers

FEWEST = 300
"""Games for which processes are started: each takes a third of a second until it has loaded the rules."""

BATCH = 20
"""Games that a worker is sent at once: some 40 ms of work."""

COMMAND = command_of(__name__)

_Task: TypeAlias = list[list[Row]]
_Reply: TypeAlias = list[GameSummary] | None
"""What a worker sends: None where the events of a game cannot be replayed."""


class SummarizedGame(NamedTuple):
    """A game with its rows (`event_row.COLUMNS`), and its summary after the last of them."""

    game: str
    rows: list[Row]
    summary: GameSummary


class _Batch(NamedTuple):
    """Games that are summarized together, and their rows."""

    games: Sequence[str]
    rows: _Task

    def with_summaries(self, summaries: Iterable[GameSummary]) -> Iterator[SummarizedGame]:
        return map(SummarizedGame, self.games, self.rows, summaries)


def summarize_games(games: Sequence[str], rows_of: Callable[[str], list[Row]]) -> Iterator[SummarizedGame]:
    """Each game with its summary, in order; many of them in as many processes as the machine has processors.

    What a worker cannot do, because it dies or cannot be started, or a game cannot be replayed, is done here.

    Raises:
        Exception: whatever the replay raises of rows that no program can have written.
    """
    with start_workers(COMMAND, len(games) if len(games) >= FEWEST else 0) as workers:
        left = iter(games)
        batches = (_Batch(few, [rows_of(game) for game in few]) for few in iter(lambda: [*islice(left, BATCH)], []))
        for batch, reply in share_out(batches, workers, 2, lambda batch: batch.rows):
            yield from batch.with_summaries(_summarize_here(batch.rows) if reply is None else reply)


_read_event = lru_cache(maxsize=500)(read_event)
"""Reads an event, which never changes; a season repeats a few hundred different scores."""


def _summarize_here(games: _Task) -> Iterator[GameSummary]:
    for game in games:
        rows = [EventRow(*row) for row in game]
        yield summarize(apply_all(Game(), ((_read_event(row.kind, row.body, row.version), row.origin) for row in rows)))


def serve(connection: Connection) -> None:
    """Summarize what comes until the other end is closed."""
    with contextlib.suppress(EOFError, OSError), pause_collection():
        while True:
            task: _Task = connection.recv()
            reply: _Reply = None
            with contextlib.suppress(Exception):  # it is raised where the batch came from
                reply = list(_summarize_here(task))
            connection.send(reply)
