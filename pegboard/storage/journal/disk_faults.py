"""Disk faults of the journal: classification, background integrity check, replaced or foreign-written files."""

import contextlib
import re
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from os import stat
from os.path import samestat
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from pegboard.errors import JournalError, NotStored, PegboardError
from pegboard.messages import Message
from pegboard.storage.event_row import broken_rows
from pegboard.storage.folder_lock import NOT_WRITABLE_NOW
from pegboard.storage.journal.running_match import DamagedJournal
from pegboard.storage.schema import FILE
from pegboard.storage.verified_copies import read_only

UNREADABLE = (
    *(DamagedJournal, sqlite3.Error, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError),
    *(ValueError, RecursionError),
)
"""Exceptions from reading a damaged journal, whose event bodies may hold anything."""

DISK_ERRORS = (*UNREADABLE, OSError, JournalError, NotStored)
"""Exceptions from opening a journal."""

_WRITING_FAILS = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL),
}

_READING_FAILS = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
"""Error codes of reads in which the disk cannot read part of the file."""


class FaultKind(Enum):
    """Kinds of faults, by the possible remedy."""

    NO_WRITES = auto()
    """The disk is not writable now, so nothing can be moved or rescued; the files are unchanged."""

    DAMAGE = auto()
    """The content of the files is not what was written; the files can be moved aside, and scores rescued from them."""

    UNLINKED = auto()
    """The files were removed or replaced; an open connection can still read all events."""

    REFUSAL = auto()
    """The files are intact but not usable by this program or user: too new, of another program, or no permission."""


@dataclass(frozen=True, slots=True)
class DiskFault:
    """A fault of the journal: its kind, and a message that describes it."""

    kind: FaultKind
    message: Message


def classify(error: BaseException) -> DiskFault:
    """Classify an error. An event that only a newer pegboard knows is not damage if its row is intact."""
    kind = _kind_of(error)
    if isinstance(error, PegboardError):
        return DiskFault(kind, error.message)
    text = error.strerror or str(error) if isinstance(error, OSError) else error
    if kind is FaultKind.NO_WRITES:
        return DiskFault(kind, Message("verbatim", text=text))
    return DiskFault(kind, Message("journal_found_damaged", fault=text))


def has_met_damage(error: BaseException) -> bool:
    """Whether a commit failed because of a damaged page, or a trigger that is no longer valid SQL."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


def _kind_of(error: BaseException) -> FaultKind:
    if _takes_no_writes(error):
        return FaultKind.NO_WRITES
    is_damage = isinstance(error, UNREADABLE) and not isinstance(error, PegboardError)
    return FaultKind.DAMAGE if is_damage or isinstance(error, DamagedJournal) else FaultKind.REFUSAL


def _takes_no_writes(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in NOT_WRITABLE_NOW
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _WRITING_FAILS and code not in _READING_FAILS


# --- background integrity check of an opened journal ---
#
# A thread checks the indexes, then the hash chain, a few rows at a time.


ROWS = 200
"""Rows checked in one batch, which takes a few milliseconds; meanwhile a key press may wait for the interpreter."""

PAUSE_S = 0.05
"""Seconds between batches, so that the check takes about 5% of one processor."""

INDEX_DAMAGE = re.compile(
    r"(row \d+ (missing|values differ) from|rowid not at end-of-record for row \d+ of|"
    r"(wrong # of entries|non-unique entry) in) index .+"
)
"""SQLite's messages (3.40 to 3.46) about wrong index entries, which can be rebuilt from an intact table.

SQLite's messages about damaged pages (even of an index) and damaged table values are different. An index with damaged
pages cannot be rebuilt: emptying it first fails, or empties pages of the table too.
"""


class Damaged(Enum):
    """The damaged part, by how it can be repaired."""

    ROW = auto()
    """A row is not what was written: its game can only be restored from another file, if at all."""

    INDEX = auto()
    """Index entries: the index can be rebuilt from the table."""

    FILE = auto()
    """Pages or table values, so that SQLite may read anything from them: the journal must be rescued."""

    UNKNOWN = auto()
    """The check could not continue."""


class CheckFinding(NamedTuple):
    """A finding of the background check.

    Attributes:
        fault: the fault, with a message.
        damaged: the damaged part.
        game: the id of the game of a damaged row; None for other damage.
    """

    fault: DiskFault
    damaged: Damaged
    game: str | None = None


class BackgroundCheck:
    """Integrity check of the events up to a given number, in a background thread."""

    def __init__(self, folder: Path, up_to: int, *, is_reindexed: bool = False) -> None:
        """Start to check the journal in `folder` up to event `up_to`.

        If its indexes were just rebuilt (`is_reindexed`), damage to them counts as damage to the file.
        """
        self._folder, self._up_to = folder, up_to
        self._of_index = Damaged.FILE if is_reindexed else Damaged.INDEX
        self._found: SimpleQueue[CheckFinding] = SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal check", daemon=True)
        self._thread.start()

    def take_findings(self) -> Iterator[CheckFinding]:
        """The findings since the last call."""
        with contextlib.suppress(Empty):
            while True:
                yield self._found.get_nowait()

    def stop(self) -> None:
        """Stop the check, and wait until it has closed the journal."""
        self._stopping.set()
        self._thread.join()

    def wait(self) -> None:
        """Wait until the check is done."""
        self._thread.join()

    def _run(self) -> None:
        try:
            with read_only(self._folder / FILE) as db:
                db.text_factory = partial(str, encoding="utf-8", errors="replace")  # invalid text breaks the row's hash
                self._check(db)
        except UNREADABLE as error:
            self._found.put(CheckFinding(classify(error), Damaged.FILE if has_met_damage(error) else Damaged.UNKNOWN))

    def _check(self, db: sqlite3.Connection) -> None:
        """Report what SQLite finds wrong, and the first broken row of each game."""
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
        """The worst damage in these messages of SQLite."""
        worse = [line for line in verdicts if not INDEX_DAMAGE.fullmatch(line)]
        message = Message("journal_found_damaged", fault=(worse or verdicts)[0])
        return CheckFinding(DiskFault(FaultKind.DAMAGE, message), Damaged.FILE if worse else self._of_index)


# --- detecting replaced, truncated or foreign-written files ---


class FilesInPlace:
    """The files of a journal as they were at opening; while it is open, their sizes can only grow."""

    def __init__(self, database: Path, db: sqlite3.Connection) -> None:
        """Record the files of `database`; `db` has already read from it, so its log exists.

        Raises:
            OSError: a file is missing.
        """
        self._db = db
        self._version = self._data_version()
        self._paths = (str(database), f"{database}-wal")
        self._found = [stat(path, follow_symlinks=False) for path in self._paths]  # noqa: PTH116 - as below

    def fault(self) -> DiskFault | None:
        """The fault of the files; None if all are in place. A removed folder counts as missing files."""
        return self._fault_of(0) or self.fault_of_log()

    def fault_of_log(self) -> DiskFault | None:
        """The fault of the log, or None; check it before a commit, which could fill the gap of a truncated log."""
        return self._fault_of(1)

    def foreign_write_fault(self) -> DiskFault | None:
        """A fault if a connection other than `db` has changed the database since it was opened; else None."""
        version = self._data_version()
        if version is None or self._version in {None, version}:
            return None
        return DiskFault(FaultKind.DAMAGE, Message("journal_changed_by_others", path=self._paths[0]))

    def _data_version(self) -> int | None:
        """SQLite's data version, which changes when another connection commits; None if it cannot be read."""
        with contextlib.suppress(sqlite3.Error):
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])
        return None

    def _fault_of(self, which: int) -> DiskFault | None:
        try:
            now = stat(self._paths[which], follow_symlinks=False)  # noqa: PTH116 - before each answer: a Path costs more
        except OSError:
            return DiskFault(FaultKind.UNLINKED, Message("journal_file_gone", path=self._paths[which]))
        before = self._found[which]
        if not samestat(now, before):
            return DiskFault(FaultKind.UNLINKED, Message("journal_file_replaced", path=self._paths[which]))
        if now.st_size < before.st_size:
            return DiskFault(FaultKind.DAMAGE, Message("journal_file_cut", path=self._paths[which]))
        self._found[which] = now
        return None
