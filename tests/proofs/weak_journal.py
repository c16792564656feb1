"""A control: the program on a journal whose commits are not on the disk when they return, as WEAK_JOURNAL tells.

`python -m tests.proofs.weak_journal run ...` with WEAK_JOURNAL=WAL+NORMAL, WAL+OFF or DELETE+FULL. What the program
asks of SQLite, and reads back to be sure of, is answered as it wishes.
"""

import os
import sqlite3
import sys

CONTROLS = ("WAL+NORMAL", "WAL+OFF", "DELETE+FULL")


def weaken(journal):
    """Let every connection of this process be as weak as this journal."""
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

    connect = sqlite3.connect
    sqlite3.connect = lambda *words, **more: connect(*words, **({"factory": Weak} | more))


if __name__ == "__main__":
    weaken(os.environ["WEAK_JOURNAL"])
    from pegboard.cli import main

    main(sys.argv[1:])
