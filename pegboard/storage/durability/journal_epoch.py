"""A new epoch for a journal that has lost events: pages drop what they show, and go by the new one at once.

The events keep the epoch that they were stored under. The journal of a table stays the same one all the same: its
epochs have the first part in common, by which an import joins the games of a match again.
"""

import secrets
import sqlite3

from pegboard.core.names import RENEWED, original_journal
from pegboard.storage.event_row import MADE_HERE


def another_epoch(epoch: str) -> str:
    """Another epoch of the same journal."""
    return f"{original_journal(epoch)}{RENEWED}{secrets.token_hex(4)}"


def find_newest_epoch(db: sqlite3.Connection) -> str | None:
    """The epoch that the newest event of this table was stored under; None where it has none of its own.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    query = f"SELECT epoch FROM event WHERE {MADE_HERE} ORDER BY id DESC LIMIT 1"  # noqa: S608 - ours
    found = db.execute(query).fetchone()
    return None if found is None else str(found[0])


def renew(db: sqlite3.Connection, epoch: str) -> str:
    """Give the journal another epoch, and return it.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    new = another_epoch(epoch)
    db.execute("UPDATE about SET epoch = ?", (new,))
    return new
