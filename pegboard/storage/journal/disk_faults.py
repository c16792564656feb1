"""Classifies what goes wrong with a journal: a disk that takes no writes now, damage, lost files, or a refusal."""

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
"""What reading a damaged journal can raise: its bodies may be anything."""


DISK_ERRORS = (*UNREADABLE, OSError, JournalError, NotStored)
"""What opening a journal can raise."""


_WRITING_FAILS = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL),
}


_READING_FAILS = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
"""The disk does not give back a part of the file."""


class FaultKind(Enum):
    """What is wrong, by what can be done about it."""

    NO_WRITES = auto()
    """The disk takes no writes now, so that nothing can be moved or rescued either; the files are as they were."""

    DAMAGE = auto()
    """The files hold something else than what was written; they can be moved aside and rescued."""

    UNLINKED = auto()
    """The files are not in their place any more; a connection that is open reads all of them still."""

    REFUSAL = auto()
    """The files are whole, and not for this program or user: too new, another program's, not to be opened."""


@dataclass(frozen=True, slots=True)
class DiskFault:
    """What is wrong with a journal, and in a sentence."""

    kind: FaultKind
    message: Message


def classify(error: BaseException) -> DiskFault:
    """What went wrong. An event that only a newer pegboard knows is no damage, if its row is as written."""
    kind = _kind_of(error)
    if isinstance(error, PegboardError):
        return DiskFault(kind, error.message)
    text = error.strerror or str(error) if isinstance(error, OSError) else error
    if kind is FaultKind.NO_WRITES:
        return DiskFault(kind, Message("verbatim", text=text))
    return DiskFault(kind, Message("journal_found_damaged", fault=text))


def has_met_damage(error: BaseException) -> bool:
    """Whether a commit has failed on a damaged page, or on a trigger that is no SQL any more."""
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


# --- checks the whole journal after the start, in a thread: indexes, then the hash chain, a few rows at a time ---


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


# --- watches that the journal's files are still those that are open, and that nobody else has written there meanwhile
# ---


class FilesInPlace:
    """The files of a journal as they were when it was opened; their sizes only grow while it is open."""

    def __init__(self, database: Path, db: sqlite3.Connection) -> None:
        """Note the files of the database at `database`, which has been read from by `db`, so that its log is there.

        Raises:
            OSError: one is not there.
        """
        self._db = db
        self._version = self._data_version()
        self._paths = (str(database), f"{database}-wal")
        self._found = [stat(path, follow_symlinks=False) for path in self._paths]  # noqa: PTH116 - as below

    def fault(self) -> DiskFault | None:
        """What has happened to one of them; None while all are in place. A removed folder has neither of them."""
        return self._fault_of(0) or self.fault_of_log()

    def fault_of_log(self) -> DiskFault | None:
        """The same of the log alone: a commit could fill the gap where it was cut off."""
        return self._fault_of(1)

    def fault_of_others(self) -> DiskFault | None:
        """That another connection has changed the database since it was opened: nobody but `db` may."""
        version = self._data_version()
        if version is None or self._version in {None, version}:
            return None
        return DiskFault(FaultKind.DAMAGE, Message("journal_changed_by_others", path=self._paths[0]))

    def _data_version(self) -> int | None:
        """What SQLite counts up when another connection has committed a change; None while it cannot be read."""
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
