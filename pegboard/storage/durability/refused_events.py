"""Makes events void that were refused and stand in the journal all the same: after a failed sync, frames stay valid.

They were never answered as stored. Their rows move into the table `voided`, in one transaction.
"""

import json
import sqlite3
import time
from collections.abc import Callable

from pegboard.core.match import result
from pegboard.storage.event_row import (
    EVENTS_OF_GAME,
    GAME,
    KIND,
    TABLE_COLUMNS,
    Row,
    canonical_json,
    replay_rows,
    select_rows,
)
from pegboard.storage.schema import KEEP_EVENTS, rebuild_summary, transaction
from pegboard.storage.summary.summary_tables import update_result

_VOIDED = """
CREATE TABLE IF NOT EXISTS voided (at INTEGER NOT NULL, after INTEGER NOT NULL, row TEXT)
"""
"""When it was made void, in nanoseconds since 1970; the event that it came after; its row as JSON, null for none."""

_WHOLE_SUMMARY = {"started", "abandoned", "renamed"}
"""Kinds of events that change the summary of more games than their own."""


def void_events_after(db: sqlite3.Connection, number: int, busy: Callable[[], None] = lambda: None) -> int:
    """Make the events after event `number` void, and return how many there were.

    Where there is none, that is noted as well: the note is written over frames of a refused commit which may stand in
    the log, so that they cannot become valid later.

    Raises:
        sqlite3.Error: it cannot be done now; nothing is changed.
    """
    columns = f"SELECT {TABLE_COLUMNS} FROM event WHERE id > ? ORDER BY id"  # noqa: S608 - ours
    with transaction(db):
        rows = db.execute(columns, (number,)).fetchall()
        db.execute(_VOIDED)
        notes: list[str | None] = [canonical_json(row) for row in rows] or [None]
        db.executemany("INSERT INTO voided VALUES (?, ?, ?)", [(time.time_ns(), number, note) for note in notes])
        if rows:
            _delete_after(db, number)
            _undo_summary(db, rows, number, busy)
    return len(rows)


def _delete_after(db: sqlite3.Connection, number: int) -> None:
    """Delete rows; the trigger that forbids it is away meanwhile, in the same transaction."""
    db.execute("DROP TRIGGER event_is_kept")
    db.execute("DELETE FROM event WHERE id > ?", (number,))
    db.execute(KEEP_EVENTS)


def _undo_summary(db: sqlite3.Connection, rows: list[Row], number: int, busy: Callable[[], None]) -> None:
    if len(rows) > 1 or rows[0][KIND] in _WHOLE_SUMMARY:
        rebuild_summary(db, busy)
        return
    game = rows[0][GAME]
    sheet = replay_rows(select_rows(db, EVENTS_OF_GAME, game))
    update_result(db, game, number, result(sheet), sheet)


def voided_rows(db: sqlite3.Connection) -> list[list[object]]:
    """The rows that were made void, oldest first, each in the order of `TABLE_COLUMNS`."""
    if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'voided'").fetchone()[0]:
        return []
    return [json.loads(row) for (row,) in db.execute("SELECT row FROM voided WHERE row IS NOT NULL ORDER BY rowid")]
