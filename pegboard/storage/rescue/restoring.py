"""Restore of a journal backup (the old journal is quarantined); rebuild of the summary tables."""

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path

from pegboard.errors import JournalError, JournalFailed
from pegboard.messages import Message
from pegboard.storage.newer_journal import refuse_newer
from pegboard.storage.rescue.backups import back_up, list_backups, require_journal
from pegboard.storage.rescue.quarantine import note_outcome, quarantine
from pegboard.storage.schema import (
    BACKUPS,
    FILE,
    lock_folder,
    migrate,
    new_epoch,
    open_database,
    rebuild_summary,
    transaction,
)
from pegboard.storage.state_files import create_private, sync_folder
from pegboard.storage.verified_copies import PART, Contents, read_only, sync_file, verify

RESTORING = f"restored{PART}"
"""The copy of a backup that will replace the journal."""


def find_newest_good(folder: Path) -> Path:
    """The newest backup that is unchanged since it was verified.

    Raises:
        JournalError: there is no unchanged backup.
    """
    for backup in list_backups(folder):
        if backup.is_intact():
            return backup.path
    raise JournalError("restore_none", folder=folder / BACKUPS)


@contextlib.contextmanager
def prepare_restore(
    folder: Path, source: BufferedReader, name: Path, log: BufferedReader | None = None
) -> Iterator["PreparedRestore"]:
    """Lock `folder`, copy the backup `source`, called `name`, into it, and verify the copy; changes nothing else yet.

    `log` is the write-ahead log of a journal that was not closed, with its newest events.

    Raises:
        JournalInUse: a running table uses the folder.
        JournalError: the backup is damaged, not a journal, or of a newer version.
        OSError: a file cannot be read or written.
    """
    lock, part = lock_folder(folder), folder / RESTORING
    try:
        _copy(source, part)
        if log is not None:
            _copy(log, part.with_name(f"{part.name}-wal"))
            with _open_part(part) as db:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sync_file(part)
        yield PreparedRestore(folder, part, name, _verify_as(name, part))
    finally:
        for path in folder.glob(f"{part.name}*"):
            path.unlink(missing_ok=True)
        lock.close()


def _copy(source: BufferedReader, path: Path) -> None:
    """Copy an open file to `path`, and sync it."""
    path.unlink(missing_ok=True)
    create_private(path)
    with path.open("wb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())


class PreparedRestore:
    """A verified copy of a backup beside the journal.

    Attributes:
        contents: the contents of the copy.
        present: the contents of the current journal; None if there is none, or it cannot be read.
    """

    def __init__(self, folder: Path, part: Path, name: Path, contents: Contents) -> None:
        self._folder, self._part, self._name, self.contents = folder, part, name, contents
        self.present: Contents | None = None
        with contextlib.suppress(JournalError):
            require_journal(folder)
            self.present = verify(folder / FILE, alone=False)

    def put_back(self) -> Path | None:
        """Replace the journal with the copy, under a new epoch, so that open pages notice.

        The restored journal is verified and backed up, so that the newest backup is from this journal again. A power
        cut leaves either the old journal, in place or complete in quarantine, or the restored journal.

        Returns:
            The quarantine folder of the old journal; None if there was none.

        Raises:
            JournalError: the restored journal is damaged; the old one is in quarantine.
            OSError: the journal cannot be written.
        """
        with _open_part(self._part) as db:
            db.execute("UPDATE about SET epoch = ?", (new_epoch(),))
        sync_file(self._part)
        path = self._folder / FILE
        room = quarantine(self._folder) if path.exists() else None
        self._part.replace(path)
        sync_folder(self._folder)
        if room is not None:
            note_outcome(room, {"what": "restored", "backup": self._name.name})
        contents = verify(path)
        if contents.events != self.contents.events:
            raise JournalError("backup_damaged", path=path, fault=Message("verbatim", text="it has different events"))
        with contextlib.suppress(JournalFailed, OSError):  # a running table makes one later
            back_up(self._folder, time.time())
        return room


def _verify_as(name: Path, part: Path) -> Contents:
    """Verify a copy of a file; error messages name the original."""
    try:
        contents = verify(part)
        with read_only(part, alone=True) as db:
            refuse_newer(db, name)
    except JournalError as error:
        key, values = error.message.key, dict(error.message.values)
        raise JournalError(key, **values | {"path": name}) from error
    return contents


@contextlib.contextmanager
def _open_part(part: Path) -> Iterator[sqlite3.Connection]:
    try:
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as db:
            yield db
    except sqlite3.Error as error:
        raise JournalFailed("backup_failed", error=error) from error


def rebuild(folder: Path, busy: Callable[[], None]) -> int:
    """Rebuild the summary tables of the journal from its events, and return the number of games.

    `busy` is called before each game. A power cut leaves either the old tables or the new ones.

    Raises:
        JournalInUse: a running table uses the folder.
        JournalError: there is no journal, or the journal is of a newer version, or cannot be read or written.
    """
    require_journal(folder)
    lock = lock_folder(folder)
    try:
        with contextlib.closing(open_database(folder / FILE)) as db:
            refuse_newer(db, folder / FILE)
            migrate(db, folder / FILE, busy)
            with transaction(db):
                rebuild_summary(db, busy)
            return int(db.execute("SELECT count(*) FROM game").fetchone()[0])
    except sqlite3.Error as error:
        raise JournalFailed("rebuild_failed", folder=folder, error=error) from error
    finally:
        lock.close()
