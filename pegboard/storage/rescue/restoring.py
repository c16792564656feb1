"""Puts a backup back in the place of the journal, which goes into quarantine, and builds the summary tables anew."""

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
"""The copy of a backup that is about to take the place of the journal."""


def find_newest_good(folder: Path) -> Path:
    """The newest backup that is as it was when it was verified.

    Raises:
        JournalError: there is none.
    """
    for backup in list_backups(folder):
        if backup.is_intact():
            return backup.path
    raise JournalError("restore_none", folder=folder / BACKUPS)


@contextlib.contextmanager
def prepare_restore(
    folder: Path, source: BufferedReader, name: Path, log: BufferedReader | None = None
) -> Iterator["PreparedRestore"]:
    """Lock `folder`, copy a backup called `name` into it, and verify it; nothing else is changed yet.

    A journal that was not closed has its newest events in a `log` beside it.

    Raises:
        JournalInUse: a table runs on the folder.
        JournalError: the backup is damaged, no journal, or of a newer version.
        OSError: it cannot be read or written.
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
    """Copy a file that is open to disk."""
    path.unlink(missing_ok=True)
    create_private(path)
    with path.open("wb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())


class PreparedRestore:
    """A verified copy of a backup beside the journal.

    Attributes:
        contents: what it holds.
        present: what the journal in place holds; None where there is none, or it cannot be read.
    """

    def __init__(self, folder: Path, part: Path, name: Path, contents: Contents) -> None:
        self._folder, self._part, self._name, self.contents = folder, part, name, contents
        self.present: Contents | None = None
        with contextlib.suppress(JournalError):
            require_journal(folder)
            self.present = verify(folder / FILE, alone=False)

    def put_back(self) -> Path | None:
        """Let the copy take the place of the journal, under a new epoch, so that pages that are open notice.

        It is verified there, and backed up: the newest backup is of this journal again. A power cut leaves the journal
        as it was, or in quarantine whole, or the restored one.

        Returns:
            Where the journal lies in quarantine; None where there was none.

        Raises:
            JournalError: what was put there is damaged; the journal is in quarantine.
            OSError: it cannot be written.
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
        with contextlib.suppress(JournalFailed, OSError):  # a table makes it later
            back_up(self._folder, time.time())
        return room


def _verify_as(name: Path, part: Path) -> Contents:
    """Verify a copy of a file, which the sentence of a fault names."""
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
    """Build the summary tables of the journal anew from its events; how many games they hold.

    `busy` is called before each game. A power cut leaves the old ones or the new ones.

    Raises:
        JournalInUse: a table runs on the folder.
        JournalError: there is no journal, it is of a newer version, or it cannot be read or written.
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
