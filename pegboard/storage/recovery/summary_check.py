"""Compares the summary tables of a journal with what its events say, in memory and beside a table that writes."""

import sqlite3
from collections.abc import Callable, Iterator
from itertools import chain

from pegboard.storage.schema import SUMMARY_TABLES
from pegboard.storage.summary.summary_tables import summarize_journal

COMPARED = {
    "game": "id, id, match, format, started, abandoned, result, imported, place, variant, over, card",
    "seat": "game, *",
    "side": "game, *",
}
"""What is compared, the game first. `game.lines` and `game.changed` tell how far a row was brought up to date."""


def differing_games(db: sqlite3.Connection, busy: Callable[[], None]) -> list[str]:
    """The ids of games whose summary is not what their events say. The database is only read.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    for statement in SUMMARY_TABLES:  # a temporary table hides the one of its name
        db.execute(
            statement.replace("CREATE TABLE", "CREATE TEMP TABLE").replace("CREATE INDEX ", "CREATE INDEX temp.")
        )
    summarize_journal(db, busy)
    return sorted(set(chain.from_iterable(_differences(db, table, columns) for table, columns in COMPARED.items())))


def _differences(db: sqlite3.Connection, table: str, columns: str) -> Iterator[str]:
    for one, other in (("temp", "main"), ("main", "temp")):
        query = f"SELECT {columns} FROM {one}.{table} EXCEPT SELECT {columns} FROM {other}.{table}"  # noqa: S608 - ours
        yield from (row[0] for row in db.execute(query))
