"""Verified copies of the journal, such as backups: atomic copies, read-only connections, integrity and hash checks."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

from pegboard.errors import JournalError
from pegboard.messages import Message
from pegboard.storage.event_row import broken_rows
from pegboard.storage.state_files import create_private, sync_folder

# --- atomic copies: a file gets its name only when it is complete, on disk and verified ---


PART = ".part"
"""Suffix of an unfinished file."""


@dataclass(slots=True)
class UnfinishedFile:
    """A file that is being written.

    Attributes:
        part: the temporary name.
        path: the final name.
    """

    part: Path
    path: Path


def copy_journal(
    db: sqlite3.Connection, path: Path, *, anew: bool = False, verify: Callable[[Path], Path] | None = None
) -> None:
    """Write a complete copy of the journal to `path`; replace an existing file only if `anew`.

    `verify` gets the unfinished file and returns its final path; it raises if the copy is bad.

    Raises:
        sqlite3.Error: the journal cannot be read, or the copy cannot be written.
        OSError: the copy cannot be synced to disk.
    """
    if path.exists() and not anew:
        return
    with unfinished_file(path) as file:
        create_private(file.part)
        db.execute("VACUUM INTO ?", (str(file.part),))
        sync_file(file.part)
        if verify is not None:
            file.path = verify(file.part)


@contextlib.contextmanager
def unfinished_file(path: Path) -> Iterator[UnfinishedFile]:
    """Write a file under a temporary name within the block, then rename it to `path`.

    A failure leaves no files behind.

    Raises:
        OSError: the file cannot be written to disk.
    """
    file = UnfinishedFile(path.with_suffix(PART), path)
    file.part.unlink(missing_ok=True)
    try:
        yield file
        file.part.replace(file.path)
    except BaseException:
        for each in (file.part, file.part.with_name(f"{file.part.name}-journal")):
            each.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Sync a file to disk.

    Raises:
        OSError: the file cannot be synced.
    """
    with path.open("rb") as file:
        os.fsync(file.fileno())


Pause: TypeAlias = Callable[[], int | None]
"""Called repeatedly during long work; a truthy result cancels the work."""

STEPS = 1_000
"""SQLite instructions between two calls of `pause`: about thirty rows."""

CACHE_KIB = 400
"""Size of the page cache, enough for a game and its lists.

With SQLite's default of 2,000, a backup fills two caches as the journal grows, and leaves fragmented memory behind.
"""


@dataclass(frozen=True, slots=True)
class Contents:
    """The counts, id and version of a journal file.

    Attributes:
        events: the number of events; games: the number of games.
        epoch: the id of the journal.
        version: the version of its tables.
        newest_at: wall time of the newest event in nanoseconds since 1970, 0 before the first.
    """

    events: int
    games: int
    epoch: str
    version: int
    newest_at: int


@contextlib.contextmanager
def read_only(path: Path, *, alone: bool = False) -> Iterator[sqlite3.Connection]:
    """A read-only connection; `alone` promises that nobody writes to the file, and ignores its log.

    Raises:
        sqlite3.Error: the file is not a database, or damaged.
    """
    try:
        with contextlib.closing(_connect(path, alone=alone)) as db:
            limit_cache(db)
            yield db
    except UnicodeDecodeError as error:  # SQLite's message quotes damaged text
        raise sqlite3.DatabaseError(str(error)) from error


@contextlib.contextmanager
def read_closed_journal(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to a journal that nobody else has open; creates no log, as a new one would seem truncated.

    Raises:
        sqlite3.Error: the file is not a database, or damaged.
    """
    with read_only(path, alone=not path.with_name(f"{path.name}-wal").exists()) as db:
        yield db


BESIDE = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database."""


def require_files(path: Path, ends: Sequence[str] = ("", *BESIDE)) -> None:
    """Check that a database and the files SQLite keeps beside it are regular files, if they exist.

    On a pipe, SQLite would block until someone opens the other end, and ignore Ctrl-C meanwhile.

    Raises:
        sqlite3.OperationalError: one of the files is a link, a pipe or a device, or cannot be inspected.
    """
    for end in ends:
        one = path.with_name(f"{path.name}{end}")
        try:
            is_file = stat.S_IFMT(one.lstat().st_mode) in {stat.S_IFREG, stat.S_IFDIR}  # SQLite refuses folders itself
        except FileNotFoundError:
            continue
        except OSError as error:
            raise sqlite3.OperationalError(f"{one.name} cannot be opened: {error.strerror}") from error
        if not is_file:
            raise sqlite3.OperationalError(f"{one.name} is not a regular file")


def is_log_orphaned(path: Path) -> bool:
    """Whether a log exists without its database; even when only reading, SQLite deletes a log beside an empty file."""
    log = path.with_name(f"{path.name}-wal")
    with contextlib.suppress(OSError):
        return log.lstat().st_size > 0 and not (path.exists() and path.lstat().st_size)
    return False


def _connect(path: Path, *, alone: bool) -> sqlite3.Connection:
    """A connection to a file; immutable on a read-only disk without a log, where SQLite cannot create one."""
    require_files(path, ("",) if alone else ("", *BESIDE))
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    if alone:
        return sqlite3.connect(f"{address}&immutable=1", uri=True)
    if is_log_orphaned(path):
        raise sqlite3.DatabaseError(f"{path.name} is empty, but its log is not")
    db = sqlite3.connect(address, uri=True)
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        db.close()
        if not _lacks_log_on_read_only_disk(path, error):
            raise
        return sqlite3.connect(f"{address}&immutable=1", uri=True)
    except BaseException:
        db.close()
        raise
    return db


def _lacks_log_on_read_only_disk(path: Path, error: sqlite3.OperationalError) -> bool:
    is_closed = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
    return is_closed and not path.with_name(f"{path.name}-wal").exists() and not os.access(path, os.W_OK)


def limit_cache(db: sqlite3.Connection, kib: int = CACHE_KIB) -> None:
    """Limit the page cache of a connection, and of the copies made with it.

    Raises:
        sqlite3.Error: the file is not a database, or damaged.
    """
    db.execute(f"PRAGMA cache_size = -{kib}")


def verify(path: Path, pause: Pause = lambda: None, *, alone: bool = True) -> Contents:
    """Verify a file and return its contents; `alone` promises that nobody writes to it, and ignores its log.

    Raises:
        JournalError: the file cannot be read, is damaged, or is not a journal.
    """
    try:
        with read_only(path, alone=alone) as db:
            db.set_progress_handler(pause, STEPS)
            (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise JournalError("backup_damaged", path=path, fault=verdict)
            if not db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'event'").fetchone():
                raise JournalError("journal_foreign", path=path)
            for broken in broken_rows(db):
                raise JournalError("backup_damaged", path=path, fault=Message("backup_event", event=broken.number))
            contents = read_contents(db)
            if not contents.version:
                raise JournalError("backup_damaged", path=path, fault=Message("journal_head_damaged"))
            return contents
    except sqlite3.Error as error:
        raise JournalError("backup_unreadable", path=path, error=error) from error


def read_contents(db: sqlite3.Connection) -> Contents:
    """The contents of a journal, unverified.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    events, games, newest_at = db.execute(
        "SELECT count(*), count(DISTINCT game), (SELECT at FROM event ORDER BY id DESC LIMIT 1) FROM event"
    ).fetchone()
    (epoch,) = db.execute("SELECT epoch FROM about").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return Contents(events, games, epoch, version, newest_at or 0)
