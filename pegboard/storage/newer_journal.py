"""Journals that a newer pegboard wrote: an older one goes on with them, or says what it cannot take back.

A newer program notes which version still reads what it writes (`schema.MIN_READER`). Where that is this one, all events
stay as they are and only the summary is built again. Where it is not, the copy that was made before the migration is
taken up again, and what was played since is added to it. Events of kinds that this version does not know are named,
and never dropped.
"""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from pegboard.core import wire
from pegboard.errors import JournalError
from pegboard.storage.event_row import TABLE_COLUMNS, find_end
from pegboard.storage.schema import COPY, FILE, SCHEMA_VERSION, rebuild_summary, transaction
from pegboard.storage.state_files import sync_folder
from pegboard.storage.verified_copies import copy_journal, require_files, sync_file


def refuse_newer(db: sqlite3.Connection, path: Path) -> None:
    """Close a journal that a newer pegboard wrote.

    Raises:
        JournalError: it is one.
        sqlite3.Error: it cannot be read.
    """
    version = _version(db)
    if version > SCHEMA_VERSION:
        db.close()
        raise _too_new(path, version)


def take_up(folder: Path, busy: Callable[[], None]) -> None:
    """Make a journal that a newer pegboard wrote one that `migrate` takes; any other stays as it is.

    Call it with the folder locked. A power cut at any moment leaves the newer journal or the older one, each whole.
    `busy` is called again and again while it takes long.

    Raises:
        JournalError: this version cannot read it, or has no copy to go back to; it is as it was.
        sqlite3.Error: it cannot be read or written; it is as it was.
        OSError: it cannot be copied.
    """
    path = folder / FILE
    if not path.exists():
        return
    require_files(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        version = _version(db)
        if version <= SCHEMA_VERSION:
            return
        if _min_reader(db) <= SCHEMA_VERSION:
            _require_known_kinds(db, path, "event", 0)
            return
        restored = folder / COPY.format(SCHEMA_VERSION)
        if not restored.exists():
            raise _too_new(path, version)
        copy_journal(db, folder / COPY.format(version), anew=True)
        part = _bring_up_to_date(restored, path, version, busy)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # nothing of the newer one may stay beside the older
    part.replace(path)
    sync_folder(folder)


def _bring_up_to_date(restored: Path, newer: Path, version: int, busy: Callable[[], None]) -> Path:
    """A copy of `restored` with the events that the newer journal has beyond it, whole and on disk."""
    part = newer.with_suffix(".part")
    shutil.copyfile(restored, part)
    try:
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as db:
            db.execute("ATTACH ? AS newer", (str(newer),))
            last = _require_same_beginning(db, newer, version)
            _require_known_kinds(db, newer, "newer.event", last)
            with transaction(db):
                db.execute(
                    f"INSERT INTO event ({TABLE_COLUMNS}) SELECT {TABLE_COLUMNS} FROM newer.event WHERE id > ?"  # noqa: S608 - ours
                    " ORDER BY id",
                    (last,),
                )
                rebuild_summary(db, busy)
        sync_file(part)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return part


def _require_same_beginning(db: sqlite3.Connection, newer: Path, version: int) -> int:
    """See that the newer journal goes on where the copy ends, in rows of the same columns; the copy's last number.

    Raises:
        JournalError: it does not.
    """
    columns = {column[1] for column in db.execute("PRAGMA newer.table_info(event)")}
    if not columns.issuperset(TABLE_COLUMNS.split(", ")):
        raise _too_new(newer, version)
    last, chain = find_end(db)
    if last and db.execute("SELECT chain FROM newer.event WHERE id = ?", (last,)).fetchone() != (chain,):
        raise _too_new(newer, version)
    return last


def _require_known_kinds(db: sqlite3.Connection, path: Path, table: str, after: int) -> None:
    """See that this version reads every event after number `after`.

    Raises:
        JournalError: there are others; it names their kinds.
    """
    marks = ", ".join("?" * len(wire.EVENTS))
    found = db.execute(
        f"SELECT kind, count(*) FROM {table} WHERE id > ? AND (kind NOT IN ({marks}) OR v > ?)"  # noqa: S608 - ours
        " GROUP BY kind ORDER BY kind",
        (after, *wire.EVENTS, wire.VERSION),
    ).fetchall()
    if found:
        kinds, many = ", ".join(kind for kind, _ in found), sum(count for _, count in found)
        raise JournalError("journal_newer_events", path=path, many=many, kinds=kinds)


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _min_reader(db: sqlite3.Connection) -> int:
    """The oldest version that reads the journal; its own where it does not say."""
    try:
        return int(db.execute("SELECT min_reader FROM about").fetchone()[0])
    except (sqlite3.OperationalError, TypeError):
        return _version(db)


def _too_new(path: Path, version: int) -> JournalError:
    return JournalError("journal_newer", path=path, version=version, most=SCHEMA_VERSION)
