"""A new epoch for a journal that has lost events: pages drop what they show, and go by the new one at once.

The events keep the epoch that they were stored under. The journal of a table stays the same one all the same: its
epochs have the first part in common, by which an import joins the games of a match again.
"""

import secrets
import sqlite3

from pegboard.storage.summary.name_corrections import RENEWED, original_journal


def another_epoch(epoch: str) -> str:
    """Another epoch of the same journal."""
    return f"{original_journal(epoch)}{RENEWED}{secrets.token_hex(4)}"


def renew(db: sqlite3.Connection, epoch: str) -> str:
    """Give the journal another epoch, and return it.

    Raises:
        sqlite3.Error: it cannot be written.
    """
    new = another_epoch(epoch)
    db.execute("UPDATE about SET epoch = ?", (new,))
    return new
