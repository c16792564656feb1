"""Checks rows of the journal against the hash chain: a value that has changed on the disk, or a row that is gone."""

import sqlite3
from collections.abc import Iterator

from pegboard.storage.event_row import TABLE_COLUMNS, chain_hash

_ROWS_WITH_LINKS = (
    f"SELECT {', '.join(f'e.{name}' for name in TABLE_COLUMNS.split(', '))}, p.chain FROM event e"  # noqa: S608 - ours
    " LEFT JOIN event p ON p.id = e.id - 1 {where} ORDER BY e.id"
)


def broken_rows(
    db: sqlite3.Connection, game: str | None = None, *, between: tuple[int, int] | None = None
) -> Iterator[int]:
    """The numbers of the rows whose link does not fit, of one game or of the whole journal, in their order.

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
    for *columns, chain, previous in db.execute(_ROWS_WITH_LINKS.format(where=where), values):
        number = columns[0]
        if (previous is None and number != 1) or chain_hash(previous or "", columns) != chain:
            yield number
