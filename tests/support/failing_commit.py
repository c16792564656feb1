"""A connection of SQLite whose next commit can be made to fail, as on a disk that is full or broken."""

import sqlite3
from unittest import mock


class FailingCommit(sqlite3.Connection):
    """Refuses the next COMMIT of this process when `is_due`."""

    is_due = False

    def execute(self, *words):
        if words[0] == "COMMIT" and FailingCommit.is_due:
            FailingCommit.is_due = False
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(*words)


def patched():
    """Between its `start` and `stop` every connection of this process is one of these."""
    connect = sqlite3.connect
    return mock.patch.object(
        sqlite3, "connect", lambda *words, **more: connect(*words, **({"factory": FailingCommit} | more))
    )
