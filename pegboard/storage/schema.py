"""SQLite schema of the journal: tables and triggers; lock, opening, transactions, migration, copy of all scores."""

import contextlib
import fcntl
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path

from pegboard.errors import JournalError
from pegboard.messages import Message
from pegboard.storage.folder_lock import FolderLock, hold_lock
from pegboard.storage.state_files import FOLDER_MODE, create_private, make_private, open_owned
from pegboard.storage.summary import summarize_journal
from pegboard.storage.summary_checksum import SUMMARY_NAMES, create_checksum, register_row_hash, trigger_names
from pegboard.storage.verified_copies import copy_journal, limit_cache, read_only, require_files

FILE = "journal.db"

BACKUPS, QUARANTINE = "backups", "quarantine"
"""Folders beside the journal: its verified copies, and damaged journals."""

COPY = "journal-v{}.db"
"""Name of the copy made before a migration, by schema version."""

SCHEMA_VERSION = 8
"""Increase it when the tables or the content of the summary change; a migration then rebuilds the summary.

Also increase it if events get a kind or version that older programs do not know: only in a newer journal do these look
for such events (`newer_journal`).
"""

MIN_READER = 5
"""The oldest schema version whose program can read this one: migrations only add tables and columns with defaults, and
leave the event columns unchanged. Increase it if that is not possible, or if events change meaning; `newer_journal`
downgrades.
"""

KEEP_EVENTS = """
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END
"""

EVENT_TABLES = (
    f"CREATE TABLE about (epoch TEXT NOT NULL, min_reader INTEGER NOT NULL DEFAULT {MIN_READER})",
    """
CREATE TABLE event (
    id         INTEGER PRIMARY KEY,
    epoch      TEXT NOT NULL,
    game       TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    body       TEXT NOT NULL,
    source     TEXT NOT NULL,
    command_id TEXT UNIQUE,
    request    TEXT,
    v          INTEGER NOT NULL,
    chain      TEXT NOT NULL,
    UNIQUE (game, seq)
)
""",
    "CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END",
    KEEP_EVENTS,
)
"""`about` holds the journal's id (epoch) and oldest reader; `event` has one row per event, never changed."""

SUMMARY_TABLES = (
    """
CREATE TABLE game (
    id        TEXT PRIMARY KEY,
    match     TEXT NOT NULL,
    format    TEXT NOT NULL,
    started   INTEGER NOT NULL UNIQUE,
    abandoned INTEGER NOT NULL DEFAULT 0,
    result    TEXT,
    imported  INTEGER NOT NULL DEFAULT 0,
    place     INTEGER NOT NULL,
    variant   TEXT NOT NULL,
    over      INTEGER NOT NULL DEFAULT 0,
    lines     INTEGER NOT NULL DEFAULT 0,
    changed   INTEGER NOT NULL DEFAULT 0,
    card      TEXT
)
""",
    "CREATE INDEX game_place ON game (place, started)",
    "CREATE INDEX game_of_here ON game (imported, place)",
    "CREATE INDEX game_begun_here ON game (imported, started)",
    "CREATE INDEX game_changed ON game (changed)",
    "CREATE INDEX game_match ON game (match)",
    "CREATE INDEX game_left_out ON game (variant) WHERE abandoned OR (imported AND NOT over)",
    """
CREATE TABLE seat (
    name TEXT, game TEXT, lane INTEGER, part INTEGER DEFAULT 0, PRIMARY KEY (name, game, lane, part)
) WITHOUT ROWID
""",
    """
CREATE TABLE side (
    game TEXT NOT NULL, lane INTEGER NOT NULL, part INTEGER NOT NULL,
    place INTEGER NOT NULL, began INTEGER NOT NULL, variant TEXT NOT NULL,
    names TEXT NOT NULL, alone INTEGER NOT NULL, won INTEGER NOT NULL, dealt_first INTEGER NOT NULL,
    taken INTEGER NOT NULL, given1 INTEGER NOT NULL, given2 INTEGER NOT NULL, given3 INTEGER NOT NULL,
    points INTEGER NOT NULL, spread INTEGER NOT NULL, front INTEGER NOT NULL, greater INTEGER NOT NULL,
    dealer_deals INTEGER NOT NULL, dealer_points INTEGER NOT NULL,
    pone_deals INTEGER NOT NULL, pone_points INTEGER NOT NULL,
    play INTEGER NOT NULL, hand INTEGER NOT NULL, crib INTEGER NOT NULL, of_par INTEGER NOT NULL,
    unfinished INTEGER NOT NULL, unknown INTEGER NOT NULL, unknown_points INTEGER NOT NULL,
    best INTEGER NOT NULL, hands TEXT NOT NULL, n24 INTEGER NOT NULL, n28 INTEGER NOT NULL, n29 INTEGER NOT NULL,
    matched INTEGER,
    PRIMARY KEY (game, lane, part)
) WITHOUT ROWID
""",
    "CREATE INDEX side_runs ON side (names, place, game, won, alone, part, began, variant)",
    "CREATE INDEX side_met ON side (game, lane, part, names, won, front, began, variant)",
    "CREATE INDEX side_alone ON side (names) WHERE alone",
    "CREATE INDEX side_best ON side (names, best, place)",
)
"""`game` holds for each game its match, the number of its first event, its result, its place in the order of play, and
its list item as JSON (`card`); `seat` holds its players; `side` the figures of each lane of a finished game. If others
took over a lane, it has a row for each part that the same players played: part 0 is that of those who began, and has
the result."""

INCOMPLETE = "incomplete"
"""Table of a salvaged journal: games that lack or may lack events, and how many events of each are left."""

CORRECTIONS_INDEX = "CREATE INDEX IF NOT EXISTS event_renamed ON event (game) WHERE kind = 'renamed'"
"""Finds the few name corrections among all events. Not part of the format: a journal without it is only slower."""


def lock_folder(folder: Path, former: FolderLock | None = None) -> FolderLock:
    """Create the folder if missing, and lock it for this process until the returned file is closed.

    `former` is a lock that this process already holds on the folder; its file may be gone.

    If the folder is new or has a journal, its permissions are restricted to this user.

    Raises:
        JournalError: the folder cannot be written, or is on a file system without locks.
        JournalInUse: another process holds the lock.
    """
    try:
        is_ours = not folder.exists() or (folder / FILE).exists()
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if is_ours:
            make_private(folder, (BACKUPS, QUARANTINE))  # first: the owner may lack permission for the lock file too
        return hold_lock(folder, former)
    except OSError as error:
        raise JournalError("journal_folder_read_only", folder=folder, error=error.strerror or error) from error


def is_locked(folder: Path) -> bool:
    """Whether another process holds the lock of a folder; changes nothing, and False if unknown."""
    try:
        with FileIO(open_owned(folder / "lock", os.O_RDONLY), "r") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def open_database(path: Path) -> sqlite3.Connection:
    """A connection with durable commits: write-ahead log and synchronous FULL, both read back.

    Raises:
        JournalError: the folder does not support a write-ahead log.
        sqlite3.Error: the database cannot be opened.
    """
    create_private(path)  # SQLite gives the files beside it the same permissions
    require_files(path)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    register_row_hash(db)
    mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    db.execute("PRAGMA synchronous = FULL")
    limit_cache(db)
    level = db.execute("PRAGMA synchronous").fetchone()[0]
    if (mode, level) != ("wal", 2):
        db.close()
        raise JournalError("journal_not_durable", folder=path.parent, mode=mode, level=level)
    return db


def checkpoint(path: Path) -> None:
    """Checkpoint the write-ahead log of a journal into its database, while others may write.

    Raises:
        sqlite3.Error: the journal cannot be read or written.
    """
    # Only through SQLite: opening and closing the file in any other way would drop this process's locks on it.
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")


def remedy(error: BaseException) -> str:
    """Advice for an SQLite error, as the end of a sentence, or ""."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary result code
    if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return Message("journal_keeps_proven", file=FILE)
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return Message("journal_ask_as_user")
    return ""


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit the writes of the block, or roll all of them back on failure.

    Raises:
        sqlite3.Error: the writes could not be committed.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def migrate(db: sqlite3.Connection, path: Path, busy: Callable[[], None]) -> None:
    """Create the tables of a new journal; back up a journal of another version, then rebuild its summary.

    A journal of a newer version must be readable (`newer_journal`). `busy` is called repeatedly during long work.

    Raises:
        JournalError: the file is another program's database.
        sqlite3.Error: the journal cannot be written, and is unchanged.
        OSError: the journal cannot be copied.
    """
    register_row_hash(db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == SCHEMA_VERSION:
        with contextlib.suppress(sqlite3.Error):  # a journal on a full disk must open too
            db.execute(CORRECTIONS_INDEX)
        return
    if version:
        busy()
        copy_journal(db, path.with_name(COPY.format(version)), anew=version > SCHEMA_VERSION)
    elif db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise JournalError("journal_foreign", path=path)
    with transaction(db):
        if not version:
            create_tables(db, new_epoch())
        record_min_reader(db)
        rebuild_summary(db, busy)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def new_epoch() -> str:
    """A new random journal id."""
    return secrets.token_hex(8)


def create_tables(db: sqlite3.Connection, epoch: str) -> None:
    """Create the event tables of a journal with this epoch, in the current transaction."""
    for statement in EVENT_TABLES:
        db.execute(statement)
    db.execute("INSERT INTO about (epoch) VALUES (?)", (epoch,))


def rebuild_summary(db: sqlite3.Connection, busy: Callable[[], None]) -> None:
    """Recreate the summary tables and fill them from the events, in the current transaction."""
    _recreate_summary_tables(db)
    db.execute(CORRECTIONS_INDEX)
    summarize_journal(db, busy)
    create_checksum(db)


def record_min_reader(db: sqlite3.Connection) -> None:
    """Record `MIN_READER` in the journal, unless it already requires a newer version."""
    if "min_reader" not in {column[1] for column in db.execute("PRAGMA table_info(about)")}:
        db.execute(f"ALTER TABLE about ADD COLUMN min_reader INTEGER NOT NULL DEFAULT {MIN_READER}")
    db.execute("UPDATE about SET min_reader = max(min_reader, ?)", (MIN_READER,))


def _recreate_summary_tables(db: sqlite3.Connection) -> None:
    for table in SUMMARY_NAMES:
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in SUMMARY_TABLES:
        db.execute(statement)


def copy_scores(folder: Path, target: Path) -> None:
    """Copy a journal, which may be in use, and the small files beside it into another folder.

    Raises:
        sqlite3.Error: the journal cannot be read or written.
        OSError: a file cannot be read or written.
    """
    for path in folder.glob("*.json"):
        if path.is_file() and not path.is_symlink():
            shutil.copyfile(path, target / path.name)
    if (folder / FILE).exists():
        with read_only(folder / FILE) as db:
            db.execute("VACUUM INTO ?", (str(target / FILE),))
    with contextlib.suppress(FileNotFoundError):  # a journal of a newer version may need it for a downgrade
        shutil.copyfile(folder / COPY.format(SCHEMA_VERSION), target / COPY.format(SCHEMA_VERSION))


# --- triggers ---
#
# The journal's own triggers protect events and the checksum. A foreign trigger could change or refuse stored rows.


_KEEP_EVENTS = {
    statement.split()[2]: statement.strip() for statement in EVENT_TABLES if statement.split()[1] == "TRIGGER"
}


def restore_triggers(db: sqlite3.Connection) -> list[str]:
    """Remove foreign triggers and views, and return their names; recreate changed triggers of the event table.

    Raises:
        sqlite3.Error: the journal cannot be read or written.
    """
    query = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"
    found = {name: (kind, sql) for kind, name, sql in db.execute(query)}
    own = {*_KEEP_EVENTS, *trigger_names()}
    foreign = [name for name in found if name not in own]
    changed = [name for name, sql in _KEEP_EVENTS.items() if found.get(name, ("", ""))[1] != sql]
    if not foreign and not changed:
        return []
    with transaction(db):
        for name in (*foreign, *(name for name in changed if name in found)):
            quoted = name.replace('"', '""')
            db.execute(f'DROP {found[name][0]} "{quoted}"')
        for name in changed:
            db.execute(_KEEP_EVENTS[name])
    return foreign
