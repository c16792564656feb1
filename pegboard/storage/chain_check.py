"""Checks rows of the journal against the hash chain: a value that has changed on the disk, or a row that is gone."""

import sqlite3
from collections.abc import Iterator

from pegboard.storage.event_row import TABLE_COLUMNS, chain_hash

_ROWS_WITH_LINKS = (
    f"SELECT {', '.join(f'e.{name}' for name in TABLE_COLUMNS.split(', '))}, p.chain FROM event e"  # noqa: S608 - ours
    " LEFT JOIN event p ON p.id = e.id - 1 {where} ORDER BY e.id"
)


def broken_rows(db: sqlite3.Connection, game: str | None = None) -> Iterator[int]:
    """The numbers of the rows whose link does not fit, of one game or of the whole journal, in their order.

    A link does not fit where its row has changed, where that of the row before has, and where that row is gone.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    where, values = ("", ()) if game is None else ("WHERE e.game = ?", (game,))
    for *columns, chain, previous in db.execute(_ROWS_WITH_LINKS.format(where=where), values):
        number = columns[0]
        if (previous is None and number != 1) or chain_hash(previous or "", columns) != chain:
            yield number
