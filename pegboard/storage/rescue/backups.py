"""Backups: verified copies of the journal in the state folder, with rotation; removal of copies made before migrations.

The ten newest are kept, and the last one of each of the fourteen newest days with backups. Backups are ordered by
number, because the clock of a Raspberry Pi may be wrong; the time in a name is the clock's. The rest of the name is the
start of the file's SHA-256: a backup that matches its name is unchanged since it was verified.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pegboard.errors import JournalError, JournalFailed
from pegboard.storage.event_row import find_end, find_link
from pegboard.storage.reader import journal_exists
from pegboard.storage.schema import BACKUPS, FILE, MIN_READER, SCHEMA_VERSION
from pegboard.storage.state_files import FOLDER_MODE, open_private, sync_folder
from pegboard.storage.verified_copies import (
    PART,
    STEPS,
    Contents,
    Pause,
    copy_journal,
    read_contents,
    read_only,
    verify,
)

# --- removing copies made before migrations, once the migrated journal is verified ---
#
# An older program needs such a copy only if it cannot read the newer journal in place (`schema.MIN_READER`); then it
# restores the copy of its own version (`newer_journal`). A table cannot know which versions someone may still install,
# so the newest copy for such a version is kept, for one downgrade, until the next migration makes another.


SCHEMA_COPY_NAME = re.compile(r"journal-v(\d+)\.db")


def remove_schema_copies(folder: Path, verified: Path) -> list[Path]:
    """Remove unneeded copies whose events are all in `verified`, a verified backup; return the removed files.

    Copies that cannot be read or have other events are kept.

    Raises:
        OSError: a copy cannot be removed.
    """
    removed = []
    for path in select_needless(folder):
        with contextlib.suppress(sqlite3.Error):
            if _is_beginning(path, verified):
                path.unlink()
                removed.append(path)
    return removed


def select_needless(folder: Path) -> list[Path]:
    """The copies of older versions, except the newest one that a downgrade needs."""
    older = {}
    for path in folder.glob("journal-v*.db"):
        name = SCHEMA_COPY_NAME.fullmatch(path.name)
        if name and int(name[1]) < SCHEMA_VERSION and path.is_file():
            older[int(name[1])] = path
    needed = max((version for version in older if version < MIN_READER), default=None)
    return [path for version, path in sorted(older.items()) if version != needed]


def _is_beginning(path: Path, verified: Path) -> bool:
    """Whether the verified journal starts with all events of a copy: its links cover all earlier events."""
    with read_only(path, alone=True) as db:
        (count,) = db.execute("SELECT count(*) FROM event").fetchone()
        number, link = find_end(db)
    with read_only(verified, alone=True) as db:
        return bool(count == number and find_link(db, number) == link)


NEWEST, DAYS = 10, 14
"""Number of newest backups that are kept, and number of days whose last backup is kept."""

ROOM_LEFT = 32_000_000
"""Bytes that a backup must leave free on the disk: a full disk cannot store scores."""

NAME = re.compile(r"(\d{6,})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{16})\.db")

TIME = "%Y%m%dT%H%M%S"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup.

    Attributes:
        number: the backup's number; higher is newer.
        made: when it was made, by the clock at that time.
        digest: the start of the file's SHA-256, in hexadecimal digits.
        path: the file.
    """

    number: int
    made: datetime
    digest: str
    path: Path

    def is_intact(self) -> bool:
        """Whether the file is unchanged since it was verified; False if it cannot be read."""
        try:
            return digest_of(self.path) == self.digest
        except OSError:
            return False


def list_backups(folder: Path) -> list[Backup]:
    """The finished backups in a state folder, newest first."""
    found = []
    for path in (folder / BACKUPS).glob("*.db"):
        name = NAME.fullmatch(path.name)
        if name and path.is_file() and not path.is_symlink():
            with contextlib.suppress(ValueError):
                number, year, month, day, hour, minute, second = map(int, name.groups()[:-1])
                made = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
                found.append(Backup(number, made, name[8], path))
    return sorted(found, key=lambda backup: backup.number, reverse=True)


def select_outdated(backups: Sequence[Backup]) -> list[Backup]:
    """The backups to delete: neither among the newest nor the last of a recent day; `backups` is newest first."""
    last_of_day: dict[object, Backup] = {}
    for backup in backups:
        last_of_day.setdefault(backup.made.date(), backup)
    staying = {backup.number for backup in [*backups[:NEWEST], *list(last_of_day.values())[:DAYS]]}
    return [backup for backup in backups if backup.number not in staying]


def back_up(folder: Path, now_s: float, pause: Pause = lambda: None) -> tuple[Backup, Contents]:
    """Make a backup of the journal in `folder`, which may be in use, at `now_s` seconds since 1970.

    The file gets its name once it is on disk and verified; only then are older backups removed. `pause` is called
    repeatedly; a true result cancels the backup.

    Raises:
        JournalFailed: there is not enough space, or another process is making a backup.
        JournalError: there is no journal, or it is damaged.
        OSError: the backup cannot be written; a failure leaves no files behind.
    """
    require_journal(folder)
    with _lock(folder):
        require_room(folder)
        place, made = folder / BACKUPS, datetime.fromtimestamp(now_s, UTC)
        number = 1 + max((backup.number for backup in list_backups(folder)), default=0)
        stem = f"{number:06}-{made.strftime(TIME)}Z"

        def name(part: Path) -> Path:
            return place / f"{stem}-{digest_of(part)}.db"

        contents = copy_verified(folder, place / f"{stem}.db", name, pause)
        for backup in select_outdated(list_backups(folder)):
            backup.path.unlink(missing_ok=True)
        sync_folder(place)
    return next(backup for backup in list_backups(folder) if backup.number == number), contents


def is_backup_due(folder: Path) -> bool:
    """Whether finished games have changed since the newest backup, or whether that backup is from another journal.

    Raises:
        JournalError: the journal cannot be read.
    """
    if not journal_exists(folder):
        return False
    with _readable_journal(folder) as db:
        (changed,) = db.execute("SELECT coalesce(max(changed), 0) FROM game WHERE over").fetchone()
        (epoch,) = db.execute("SELECT epoch FROM about").fetchone()
    newest = next(iter(list_backups(folder)), None)
    if newest is None or not changed:
        return bool(changed)
    with contextlib.suppress(sqlite3.Error), read_only(newest.path, alone=True) as db:
        backed_up = read_contents(db)
        return bool(backed_up.epoch != epoch or backed_up.events < changed)
    return True


def copy_verified(folder: Path, path: Path, name: Callable[[Path], Path], pause: Pause) -> Contents:
    """Copy the journal in `folder` to the path that `name` gives the verified file; return its contents.

    Raises:
        JournalError: the journal cannot be read, or is damaged.
        OSError: the copy cannot be written.
    """
    found: list[Contents] = []

    def approve(part: Path) -> Path:
        found.append(verify(part, pause))
        return name(part)

    with _readable_journal(folder) as db:
        db.set_progress_handler(pause, STEPS)
        copy_journal(db, path, anew=True, verify=approve)
    return found[0]


@contextlib.contextmanager
def _readable_journal(folder: Path) -> Iterator[sqlite3.Connection]:
    try:
        with read_only(folder / FILE) as db:
            yield db
    except sqlite3.Error as error:
        raise JournalFailed("backup_failed", error=error) from error


def digest_of(path: Path) -> str:
    """The first 16 hexadecimal digits of a file's SHA-256.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def require_journal(folder: Path) -> None:
    """Check that there is a journal.

    Raises:
        JournalError: there is no journal, or the folder cannot be read.
    """
    if not journal_exists(folder):
        raise JournalError("journal_missing", folder=folder)


def require_room(folder: Path) -> None:
    """Check that a copy of the journal leaves enough free space on the disk.

    Raises:
        JournalFailed: the copy would leave too little free space.
        OSError: the sizes cannot be read.
    """
    size = sum(path.stat().st_size for name in (FILE, f"{FILE}-wal") if (path := folder / name).exists())
    free = shutil.disk_usage(folder).free
    if free < size + ROOM_LEFT:
        needed = -(-(size + ROOM_LEFT) // 1_000_000)
        raise JournalFailed("backup_no_room", folder=folder, free=free // 1_000_000, needed=needed)


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Lock backups against other processes, and remove leftovers of an interrupted backup."""
    place = folder / BACKUPS
    place.mkdir(mode=FOLDER_MODE, exist_ok=True)
    if place.is_symlink():
        raise NotADirectoryError(f"{place} is a link")
    lock = open_private(place / "lock")
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JournalFailed("backup_under_way", folder=folder) from error
        for path in place.glob(f"*{PART}*"):
            path.unlink(missing_ok=True)
        yield
    finally:
        os.close(lock)
