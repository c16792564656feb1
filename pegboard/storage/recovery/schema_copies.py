"""Removes copies of the journal from before its migrations, once the migrated one is verified.

A program of an older version needs one only where it cannot read in place what newer ones write (`schema.MIN_READER`):
then it takes up the copy of its own version (`newer_journal`). Nothing tells a table which versions somebody may still
install, so the newest copy of such a version stays, for one step back, until the next migration makes another.
"""

import contextlib
import re
import sqlite3
from pathlib import Path

from pegboard.storage.chain_check import find_end, find_link
from pegboard.storage.recovery.verified_file import read_only
from pegboard.storage.schema import MIN_READER, SCHEMA_VERSION

NAME = re.compile(r"journal-v(\d+)\.db")


def remove_schema_copies(folder: Path, verified: Path) -> list[Path]:
    """Remove the copies that nobody needs whose every event is in `verified`, a verified backup of the journal.

    One that cannot be read, or has other events, stays. Returns those that are gone.

    Raises:
        OSError: one cannot be removed.
    """
    removed = []
    for path in select_needless(folder):
        with contextlib.suppress(sqlite3.Error):
            if _is_beginning(path, verified):
                path.unlink()
                removed.append(path)
    return removed


def select_needless(folder: Path) -> list[Path]:
    """The copies of older versions but the newest that a program needs to go back."""
    older = {}
    for path in folder.glob("journal-v*.db"):
        name = NAME.fullmatch(path.name)
        if name and int(name[1]) < SCHEMA_VERSION and path.is_file():
            older[int(name[1])] = path
    needed = max((version for version in older if version < MIN_READER), default=None)
    return [path for version, path in sorted(older.items()) if version != needed]


def _is_beginning(path: Path, verified: Path) -> bool:
    """Whether the verified journal has begun with all events of a copy: its links cover every event before."""
    with read_only(path, alone=True) as db:
        (count,) = db.execute("SELECT count(*) FROM event").fetchone()
        number, link = find_end(db)
    with read_only(verified, alone=True) as db:
        return bool(count == number and find_link(db, number) == link)
