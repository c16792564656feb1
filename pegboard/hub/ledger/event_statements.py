"""The statements that store what tables sent: each for one row in SQLite, one for all of it in PostgreSQL.

With 250 tables that send what has waited, PostgreSQL stores an event in half the time that it took row by row.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import BigInteger, Column, Connection, Integer, Select, bindparam, column, func, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.selectable import Subquery

from pegboard.hub.ledger.database import POSTGRESQL
from pegboard.hub.ledger.ledger_tables import TABLE_EVENT, WATERMARK

Row: TypeAlias = Mapping[str, Any]

BEFORE = "before"
"""In a row of a watermark that moves: the number that it moves from."""


def write_rows(connection: Connection, begun: Sequence[Row], moved: Sequence[Row], events: Sequence[Row]) -> int:
    """Write watermarks and events; how many of them were written.

    A row whose key is there is left alone, and so is a watermark that is no longer where `BEFORE` says.

    Args:
        connection: of the transaction that is under way; its rows are counted.
        begun: watermarks of epochs that begin, as rows of `WATERMARK`.
        moved: those of epochs that go on, each with `BEFORE`.
        events: rows of `TABLE_EVENT`.
    """
    if connection.dialect.name == POSTGRESQL:
        given = {"begun": begun, "moved": moved, "events": events}
        lengths = {f"{name}_length": len(rows) for name, rows in given.items()}
        return sum(map(int, connection.execute(_WRITE, given | lengths).one()))
    pairs = ((_BEGIN, begun), (_MOVE, [_values_of_move(row) for row in moved]), (_STORE, events))
    return sum(connection.execute(statement, list(rows)).rowcount for statement, rows in pairs if rows)


_KEY = ("event", "table", "epoch")
_MOVING = ("seq", "chain")

# --- SQLite ---

_BEGIN = sqlite.insert(WATERMARK).on_conflict_do_nothing()
_STORE = sqlite.insert(TABLE_EVENT).on_conflict_do_nothing()
_MOVE = (
    update(WATERMARK)
    .where(*[WATERMARK.c[name] == bindparam(f"own_{name}") for name in _KEY])
    .where(WATERMARK.c["seq"] == bindparam(f"own_{BEFORE}"))
    .values({name: bindparam(f"own_{name}") for name in _MOVING})
)


def _values_of_move(row: Row) -> Row:
    """The parameters of `_MOVE`; those with names of columns would be values to set."""
    return {f"own_{name}": row[name] for name in (*_KEY, *_MOVING, BEFORE)}


# --- PostgreSQL: one question and one value take the time of many rows ---


def _rows(name: str, *columns: Column[Any]) -> Subquery:
    """Rows that come as the value `name`, a JSON array of objects.

    Without their number PostgreSQL takes them for a hundred, and reads all watermarks to find one.
    """
    named = [column(each.name, each.type) for each in columns]
    given = func.json_to_recordset(bindparam(name, type_=postgresql.JSON)).table_valued(*named)
    all_of_it = select(given.render_derived(with_types=True))
    return all_of_it.limit(bindparam(f"{name}_length", type_=Integer)).subquery(name)


_BEGUN = _rows("begun", *WATERMARK.c)
_MOVED = _rows("moved", *WATERMARK.c, Column(BEFORE, BigInteger))
_EVENTS = _rows("events", *TABLE_EVENT.c)


def _write_and_count() -> Select[Any]:
    """The statement that writes all rows, and tells how many have begun, have moved and are stored."""
    one = literal(1).label("one")
    begun = postgresql.insert(WATERMARK).from_select(WATERMARK.c.keys(), select(_BEGUN))
    stored = postgresql.insert(TABLE_EVENT).from_select(TABLE_EVENT.c.keys(), select(_EVENTS))
    moved = (
        update(WATERMARK)
        .where(*[WATERMARK.c[name] == _MOVED.c[name] for name in _KEY], WATERMARK.c["seq"] == _MOVED.c[BEFORE])
        .values({name: _MOVED.c[name] for name in _MOVING})
    )
    writes = (
        begun.on_conflict_do_nothing().returning(one).cte("have_begun"),
        moved.returning(one).cte("have_moved"),
        stored.on_conflict_do_nothing().returning(one).cte("are_stored"),
    )
    return select(*[select(func.count()).select_from(each).scalar_subquery() for each in writes])


_WRITE = _write_and_count()
