"""Checks the whole journal after the start, in a thread: indexes, then the hash chain, a few rows at a time."""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from pegboard.messages import Message
from pegboard.storage.chain_check import broken_rows
from pegboard.storage.durability.disk_faults import UNREADABLE, DiskFault, FaultKind, classify
from pegboard.storage.recovery.verified_file import read_only
from pegboard.storage.schema import FILE

ROWS = 200
"""Rows that are checked at once: some milliseconds, in which a press may have to wait for the interpreter."""

PAUSE_S = 0.05
"""Seconds between two such lots, so that the check takes about a twentieth of one processor."""


class CheckFinding(NamedTuple):
    """What the check has found.

    Attributes:
        fault: what is wrong; of an index, what is said once it is made anew.
        game: the id of the game that has the row; None where it is no row, or the check could not go on.
        is_of_index: whether the events are found in another order, or not at all, by what is derived from them.
    """

    fault: DiskFault
    game: str | None
    is_of_index: bool = False


class BackgroundCheck:
    """A check of the events up to a number, which runs beside the table."""

    def __init__(self, folder: Path, up_to: int) -> None:
        """Begin to check the journal in `folder` up to event `up_to`."""
        self._folder, self._up_to = folder, up_to
        self._found: SimpleQueue[CheckFinding] = SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal check", daemon=True)
        self._thread.start()

    def take_findings(self) -> Iterator[CheckFinding]:
        """What was found since the last call."""
        with contextlib.suppress(Empty):
            while True:
                yield self._found.get_nowait()

    def stop(self) -> None:
        """Stop it, and wait until it has closed the journal."""
        self._stopping.set()
        self._thread.join()

    def wait(self) -> None:
        """Wait until it is done."""
        self._thread.join()

    def _run(self) -> None:
        try:
            with read_only(self._folder / FILE) as db:
                self._check(db)
        except UNREADABLE as error:
            self._found.put(CheckFinding(classify(error), None))

    def _check(self, db: sqlite3.Connection) -> None:
        """Name indexes that do not fit, the first row that does not, and the first one of each other game."""
        if db.execute("PRAGMA integrity_check(event)").fetchone() != ("ok",):
            self._found.put(CheckFinding(DiskFault(FaultKind.DAMAGE, Message("journal_index_rebuilt")), None, True))
        games = set[str]()
        for first in range(1, self._up_to + 1, ROWS):
            last = min(first + ROWS - 1, self._up_to)
            for number, game in broken_rows(db, between=(first, last)):
                if game not in games:
                    games.add(game)
                    message = Message("journal_row_broken_in", event=number, game=game)
                    self._found.put(CheckFinding(DiskFault(FaultKind.DAMAGE, message), game))
            if self._stopping.wait(PAUSE_S):
                return
