"""The hash chain of the journal: its end, its links, and rows that do not fit: a value changed, or a row is gone."""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from pegboard.storage.event_row import CHAIN, GAME, NUMBER, TABLE_COLUMNS, chain_hash

_ROWS_WITH_LINKS = (
    f"SELECT {', '.join(f'e.{name}' for name in TABLE_COLUMNS.split(', '))}, p.chain FROM event e"  # noqa: S608 - ours
    " LEFT JOIN event p ON p.id = e.id - 1 {where} ORDER BY e.id"
)


class BrokenRow(NamedTuple):
    """A row whose link does not fit.

    Attributes:
        number: its number in the journal.
        game: the id of the game that it is of, as it reads now.
    """

    number: int
    game: str


def broken_rows(
    db: sqlite3.Connection, game: str | None = None, *, between: tuple[int, int] | None = None
) -> Iterator[BrokenRow]:
    """The rows whose link does not fit, of one game or of the whole journal, in their order.

    A link does not fit where its row has changed, where that of the row before has, and where that row is gone.
    `between` are the first and the last number to look at, where that is not all.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    conditions, values = ["1"], list[object]()
    if game is not None:
        conditions, values = [*conditions, "e.game = ?"], [*values, game]
    if between is not None:
        conditions, values = [*conditions, "e.id BETWEEN ? AND ?"], [*values, *between]
    where = f"WHERE {' AND '.join(conditions)}"
    for *row, previous in db.execute(_ROWS_WITH_LINKS.format(where=where), values):
        is_missing_one = previous is None and row[NUMBER] != 1
        if is_missing_one or chain_hash(previous or "", row[:CHAIN]) != row[CHAIN]:
            yield BrokenRow(row[NUMBER], row[GAME])


def find_end(db: sqlite3.Connection) -> tuple[int, str]:
    """Number and link of the newest event; 0 and "" before the first.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    return db.execute("SELECT id, chain FROM event ORDER BY id DESC LIMIT 1").fetchone() or (0, "")


def find_link(db: sqlite3.Connection, number: int) -> str | None:
    """The link of event `number`, "" for number 0; None where there is no such event.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    found = db.execute("SELECT chain FROM event WHERE id = ?", (number,)).fetchone() if number else ("",)
    return None if found is None else found[0]
