"""Reads the rows of a damaged journal by SQLite, in their order, past what it cannot read."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from pegboard.storage.chain_check import find_end
from pegboard.storage.event_row import NUMBER, TABLE_COLUMNS, Row
from pegboard.storage.recovery.page_scan import MOST_ROWS
from pegboard.storage.recovery.verified_file import read_in_place, read_only

ROWS_FROM = f"SELECT {TABLE_COLUMNS} FROM event WHERE id >= ? ORDER BY id"  # noqa: S608 - ours

STEPS = 100_000
"""Instructions of SQLite between two calls of `busy`."""

MOST_AGAIN = 10_000
"""Rows that come once more in a damaged tree before it is given up there."""


def read_rows(database: Path, after: int, busy: Callable[[], None]) -> Iterator[Row]:
    """The rows after number `after` that SQLite reads, each number once; nothing where it reads none."""
    start: int | None = after + 1
    while start is not None:
        last = start - 1
        try:
            with read_only(database) as db:
                db.set_progress_handler(busy, STEPS)
                for row in _ascending(db.execute(ROWS_FROM, (start,)), last):
                    last = row[NUMBER]
                    yield row
        except sqlite3.Error:
            start = _next_readable(database, last + 1)
        else:
            return


def find_last(database: Path) -> int | None:
    """The number of the last row, 0 where there is none; None where SQLite does not find it."""
    try:
        with read_only(database) as db:
            return find_end(db)[0]
    except sqlite3.Error:
        return None


def find_epoch(database: Path) -> str | None:
    """The epoch of the journal; None where SQLite does not find it."""
    try:
        with read_in_place(database) as db:
            found = db.execute("SELECT epoch FROM about").fetchone()
    except sqlite3.Error:
        return None
    return found and str(found[0])


def _ascending(rows: Iterator[Row], last: int) -> Iterator[Row]:
    """The rows whose number is greater than all before.

    Raises:
        sqlite3.Error: too many are not.
    """
    again = 0
    for row in rows:
        if row[NUMBER] > last:
            last = row[NUMBER]
            yield row
        else:
            again += 1
            if again > MOST_AGAIN:
                raise sqlite3.DatabaseError


def _next_readable(database: Path, broken: int) -> int | None:
    """The number after `broken` from which SQLite reads on, or None; found by steps that double, then halve."""
    step = 1
    while not _is_readable(database, broken + step):
        step *= 2
        if step > MOST_ROWS:
            return None
    low, high = broken + step // 2, broken + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_readable(database, middle) else (middle, high)
    return high


def _is_readable(database: Path, start: int) -> bool:
    """Whether SQLite reads a row from that number on, or finds that there is none."""
    try:
        with read_only(database) as db:
            db.execute(ROWS_FROM, (start,)).fetchone()
    except sqlite3.Error:
        return False
    return True
