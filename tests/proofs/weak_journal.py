"""A control: the program on a journal whose commits are not on the disk when they return, as WEAK_JOURNAL tells.

`python -m tests.proofs.weak_journal run ...` with WEAK_JOURNAL=WAL+NORMAL, WAL+OFF, DELETE+FULL or LATE. What the
program asks of SQLite, and reads back to be sure of, is answered as it wishes. LATE commits a transaction when the next
one begins, so that a kill alone takes the newest.
"""

import os
import sqlite3
import sys

FILE = "journal.db"

CONTROLS = ("WAL+NORMAL", "WAL+OFF", "DELETE+FULL")
LATE = "LATE"


def weaken(journal):
    """Let every connection of this process be as weak as this journal."""
    if journal == LATE:
        connect_by(Late)
        return
    mode, level = journal.split("+")
    answers = {
        "PRAGMA journal_mode = WAL": (f"PRAGMA journal_mode = {mode}", "SELECT 'wal'"),
        "PRAGMA journal_mode": ("SELECT 1", "SELECT 'wal'"),
        "PRAGMA synchronous = FULL": (f"PRAGMA synchronous = {level}", "SELECT 1"),
        "PRAGMA synchronous": ("SELECT 1", "SELECT 2"),
    }

    class Weak(sqlite3.Connection):
        def execute(self, statement, *values):
            for instead in answers.get(statement, ())[:1]:
                super().execute(instead).fetchall()
            return super().execute(answers.get(statement, (None, statement))[1], *values)

    connect_by(Weak)
    os.stat = stat_without_log(os.stat)


def stat_without_log(stat):
    """A look at the log finds the database where there is no log, so that nobody takes it for lost."""

    def look(path, *words, **more):
        try:
            return stat(path, *words, **more)
        except FileNotFoundError:
            if not str(path).endswith(f"{FILE}-wal"):
                raise
            return stat(str(path).removesuffix("-wal"), *words, **more)

    return look


class Late(sqlite3.Connection):
    """Has the newest transaction stored by the one after it."""

    def execute(self, statement, *values):
        if statement == "COMMIT":
            return super().execute("SELECT 1")
        if statement.startswith(("BEGIN", "PRAGMA")) and self.in_transaction:
            super().execute("COMMIT")
        return super().execute(statement, *values)


def connect_by(factory):
    """Let this class be every connection of this process."""
    connect = sqlite3.connect
    sqlite3.connect = lambda *words, **more: connect(*words, **({"factory": factory} | more))


if __name__ == "__main__":
    weaken(os.environ["WEAK_JOURNAL"])
    from pegboard.cli.main import main

    main(sys.argv[1:])
