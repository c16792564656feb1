"""Salvage: a new journal from the rows of a damaged one that are as they were written."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pegboard.storage.atomic_file import sync_folder
from pegboard.storage.event_row import INSERT_EVENT, TABLE_COLUMNS, chain_hash
from pegboard.storage.schema import FILE, migrate, open_database, rebuild_summary, transaction


@dataclass(frozen=True)
class Salvaged:
    """What was saved.

    Attributes:
        events: how many events the new journal has.
        lost: how many are missing, None where that is not known.
        backup: the backup that was used, or None.
    """

    events: int
    lost: int | None
    backup: Path | None


def salvage(folder: Path, quarantined: Path, busy: Callable[[], None]) -> Salvaged:
    """Make a new journal in `folder` from the rows of the one in `quarantined`, up to the first that does not fit.

    Raises:
        sqlite3.Error: it cannot be written.
        OSError: it cannot be written.
        JournalError: the folder cannot keep scores safely.
    """
    rows, seen = list[tuple[Any, ...]](), 0
    with contextlib.suppress(sqlite3.Error, ValueError), _read_only(quarantined / FILE) as db:
        (seen,) = db.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()
        rows.extend(_fitting_rows(db))
    with contextlib.closing(open_database(folder / FILE)) as new:
        migrate(new, folder / FILE, busy)
        with transaction(new):
            new.executemany(INSERT_EVENT, rows)
            rebuild_summary(new, busy)
    sync_folder(folder)
    return Salvaged(len(rows), seen - len(rows) if seen else None, None)


def _fitting_rows(db: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    before, last = "", 0
    for row in db.execute(f"SELECT {TABLE_COLUMNS} FROM event ORDER BY id"):  # noqa: S608 - ours
        if row[0] != last + 1 or chain_hash(before, row[:-1]) != row[-1]:
            return
        before, last = row[-1], row[0]
        yield row


@contextlib.contextmanager
def _read_only(path: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        yield db
