"""Watches that the journal's files are still those that are open, and that nobody else has written there meanwhile."""

import contextlib
import sqlite3
from os import stat
from os.path import samestat
from pathlib import Path

from pegboard.messages import Message
from pegboard.storage.durability.disk_faults import DiskFault, FaultKind


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
