"""Checks the whole journal after the start, in a thread: indexes, then the hash chain, a few rows at a time."""

import contextlib
import re
import sqlite3
import threading
from collections.abc import Iterator
from enum import Enum, auto
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from pegboard.messages import Message
from pegboard.storage.chain_check import broken_rows
from pegboard.storage.durability.disk_faults import (
    UNREADABLE,
    DiskFault,
    FaultKind,
    classify,
    has_met_damage,
)
from pegboard.storage.recovery.verified_file import read_only
from pegboard.storage.schema import FILE

ROWS = 200
"""Rows that are checked at once: some milliseconds, in which a press may have to wait for the interpreter."""

PAUSE_S = 0.05
"""Seconds between two such lots, so that the check takes about a twentieth of one processor."""


OF_INDEX = re.compile(
    r"(row \d+ (missing|values differ) from|rowid not at end-of-record for row \d+ of|"
    r"(wrong # of entries|non-unique entry) in) index .+"
)
"""What SQLite (3.40 to 3.46) says of entries of an index, which can be made anew from a table that is whole.

Of pages, also those of an index, and of values in the table it says something else: an index whose pages are damaged
cannot be emptied first, or with it pages of the table.
"""


class Damaged(Enum):
    """What is damaged, by what mends it."""

    ROW = auto()
    """A row is not what was written: its game can be rescued from elsewhere, if at all."""

    INDEX = auto()
    """Entries of an index are: it can be made anew from the table."""

    FILE = auto()
    """Pages or values of the table are, so that SQLite may find anything there: it has to be rescued."""

    UNKNOWN = auto()
    """The check could not go on."""


class CheckFinding(NamedTuple):
    """What the check has found.

    Attributes:
        fault: what is wrong.
        damaged: of what.
        game: the id of the game that has the row; None where it is no row.
    """

    fault: DiskFault
    damaged: Damaged
    game: str | None = None


class BackgroundCheck:
    """A check of the events up to a number, which runs beside the table."""

    def __init__(self, folder: Path, up_to: int, *, is_reindexed: bool = False) -> None:
        """Begin to check the journal in `folder` up to event `up_to`.

        Where its indexes have just been made anew (`is_reindexed`), doing so again would not help.
        """
        self._folder, self._up_to = folder, up_to
        self._of_index = Damaged.FILE if is_reindexed else Damaged.INDEX
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
                db.text_factory = partial(str, encoding="utf-8", errors="replace")  # such a row fits no link
                self._check(db)
        except UNREADABLE as error:
            self._found.put(CheckFinding(classify(error), Damaged.FILE if has_met_damage(error) else Damaged.UNKNOWN))

    def _check(self, db: sqlite3.Connection) -> None:
        """Name what SQLite finds wrong, the first row that does not fit, and the first one of each other game."""
        verdicts = [line for (verdict,) in db.execute("PRAGMA integrity_check(event)") for line in verdict.splitlines()]
        if verdicts != ["ok"]:
            self._found.put(self._judge([line for line in verdicts if not line.startswith("***")]))
        games = set[str]()
        for first in range(1, self._up_to + 1, ROWS):
            last = min(first + ROWS - 1, self._up_to)
            for number, game in broken_rows(db, between=(first, last)):
                if game not in games:
                    games.add(game)
                    message = Message("journal_row_broken_in", event=number, game=game)
                    self._found.put(CheckFinding(DiskFault(FaultKind.DAMAGE, message), Damaged.ROW, game))
            if self._stopping.wait(PAUSE_S):
                return

    def _judge(self, verdicts: list[str]) -> CheckFinding:
        """What is damaged where SQLite says this, the worst of it."""
        worse = [line for line in verdicts if not OF_INDEX.fullmatch(line)]
        message = Message("journal_found_damaged", fault=(worse or verdicts)[0])
        return CheckFinding(DiskFault(FaultKind.DAMAGE, message), Damaged.FILE if worse else self._of_index)
