"""Downgrades: a journal of a newer pegboard is used in place, or its older copy is brought up to date, or refused.

A newer program records the oldest version that can read its journal (`schema.MIN_READER`). If this version can, the
events are unchanged and only the summary is rebuilt. If not, the copy made before the migration is restored, and the
newer events are added to it. Events of kinds unknown to this version are reported, and never dropped.
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
    """Close and refuse a journal written by a newer pegboard.

    Raises:
        JournalError: the journal is newer.
        sqlite3.Error: the journal cannot be read.
    """
    version = _version(db)
    if version > SCHEMA_VERSION:
        db.close()
        raise _too_new(path, version)


def prepare_downgrade(folder: Path, busy: Callable[[], None]) -> None:
    """Convert a journal written by a newer pegboard for `migrate`; other journals are unchanged.

    Call it with the folder locked. A power cut leaves either the newer journal or the older one, complete.
    `busy` is called repeatedly during long work.

    Raises:
        JournalError: this version cannot read the journal, and has no copy to restore; the journal is unchanged.
        sqlite3.Error: the journal cannot be read or written, and is unchanged.
        OSError: the journal cannot be copied.
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
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # no log of the newer journal may stay beside the older one
    part.replace(path)
    sync_folder(folder)


def _bring_up_to_date(restored: Path, newer: Path, version: int, busy: Callable[[], None]) -> Path:
    """A complete copy of `restored` on disk, with the later events of the newer journal added."""
    part = newer.with_suffix(".part")
    shutil.copyfile(restored, part)
    try:
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as db:
            db.execute("ATTACH ? AS newer", (str(newer),))
            last = _require_same_beginning(db, newer, version)
            _require_known_kinds(db, newer, "newer.event", last)
            with transaction(db):
                db.execute(
                    f"INSERT INTO event ({TABLE_COLUMNS}) SELECT {TABLE_COLUMNS} FROM newer.event WHERE id > ?"  # noqa: S608 - no user input
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
    """Check that the newer journal continues the copy, with the same columns; return the copy's last number.

    Raises:
        JournalError: the newer journal does not continue the copy.
    """
    columns = {column[1] for column in db.execute("PRAGMA newer.table_info(event)")}
    if not columns.issuperset(TABLE_COLUMNS.split(", ")):
        raise _too_new(newer, version)
    last, chain = find_end(db)
    if last and db.execute("SELECT chain FROM newer.event WHERE id = ?", (last,)).fetchone() != (chain,):
        raise _too_new(newer, version)
    return last


def _require_known_kinds(db: sqlite3.Connection, path: Path, table: str, after: int) -> None:
    """Check that this version can read every event after number `after`.

    Raises:
        JournalError: an event is of a kind or version unknown to this version; the message names the kinds.
    """
    marks = ", ".join("?" * len(wire.EVENTS))
    found = db.execute(
        f"SELECT kind, count(*) FROM {table} WHERE id > ? AND (kind NOT IN ({marks}) OR v > ?)"  # noqa: S608 - no user input
        " GROUP BY kind ORDER BY kind",
        (after, *wire.EVENTS, wire.VERSION),
    ).fetchall()
    if found:
        kinds, many = ", ".join(kind for kind, _ in found), sum(count for _, count in found)
        raise JournalError("journal_newer_events", path=path, many=many, kinds=kinds)


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _min_reader(db: sqlite3.Connection) -> int:
    """The oldest version that can read the journal; the journal's own version if that is not recorded."""
    try:
        return int(db.execute("SELECT min_reader FROM about").fetchone()[0])
    except (sqlite3.OperationalError, TypeError):
        return _version(db)


def _too_new(path: Path, version: int) -> JournalError:
    return JournalError("journal_newer", path=path, version=version, most=SCHEMA_VERSION)
