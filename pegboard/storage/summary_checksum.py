"""Checksum of the summary tables: detects rows that were changed, lost or added by anything but this program.

The hash chain covers only the events, but lists and statistics read only the tables derived from them. To detect damage
to these tables, triggers keep the XOR of the hashes of all rows, updated in the transaction of each insert, update and
delete. Each start compares it with the rows.
"""

import sqlite3
from collections.abc import Iterator
from hashlib import blake2b

SUMMARY_NAMES = ("game", "seat", "side")

FUNCTION = "row_hash"

_MOST = (1 << 63) - 1
"""The largest integer that SQLite stores."""

_STORED = "SELECT value FROM summary_checksum"

_TRIGGERS = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"


def register_row_hash(db: sqlite3.Connection) -> None:
    """Register `row_hash` for the triggers; every connection that writes to summary tables needs it."""
    db.create_function(FUNCTION, -1, row_hash, deterministic=True)


def create_checksum(db: sqlite3.Connection) -> None:
    """Store the checksum of the summary tables and create its triggers, in the current transaction."""
    register_row_hash(db)
    db.execute("DROP TABLE IF EXISTS summary_checksum")
    db.execute("CREATE TABLE summary_checksum (value INTEGER NOT NULL)")
    db.execute("INSERT INTO summary_checksum VALUES (?)", (_checksum(db),))
    for statement in _triggers(db):
        db.execute(statement)


def is_intact(db: sqlite3.Connection) -> bool:
    """Whether the summary tables hold what was written to them, and their indexes and triggers are intact.

    Raises:
        sqlite3.Error: the disk cannot be read, which does not count as damage.
    """
    try:
        for table in SUMMARY_NAMES:
            if db.execute(f"PRAGMA integrity_check({table})").fetchone() != ("ok",):
                return False
        triggers = {statement for (statement,) in db.execute(_TRIGGERS)}
        return triggers.issuperset(_triggers(db)) and db.execute(_STORED).fetchall() == [(_checksum(db),)]
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR}:  # a damaged page, or a missing table or column
            return False
        raise


def trigger_names() -> list[str]:
    """The names of the triggers that keep the checksum."""
    return [_name_of_trigger(table, action) for table in SUMMARY_NAMES for action, _ in _ACTIONS]


def row_hash(table: str, *values: str | float | None) -> int:
    """The hash of a row of a table, 63 bits."""
    return _hash(table.encode(), tuple(value.encode() if isinstance(value, str) else value for value in values))


def _hash(table: bytes, values: tuple[bytes | float | None, ...]) -> int:
    """Like `row_hash`, for values whose texts are UTF-8 bytes."""
    return int.from_bytes(blake2b(repr((table, values)).encode(), digest_size=8).digest(), "big") & _MOST


def _checksum(db: sqlite3.Connection) -> int:
    """The XOR of the hashes of all rows."""
    before, db.text_factory = db.text_factory, bytes  # damaged text need not be UTF-8
    try:
        checksum = 0
        for table in SUMMARY_NAMES:
            name = table.encode()
            for row in db.execute(f"SELECT * FROM {table}"):  # noqa: S608 - no user input
                checksum ^= _hash(name, row)
        return checksum
    finally:
        db.text_factory = before


_ACTIONS = (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",)))
"""Actions with a trigger each, and the row versions that the trigger sees."""


def _name_of_trigger(table: str, action: str) -> str:
    return f"{table}_{action.lower()}_summed"


def _triggers(db: sqlite3.Connection) -> Iterator[str]:
    """The SQL of the triggers that keep the checksum of each table."""
    for table in SUMMARY_NAMES:
        columns = [column[1] for column in db.execute(f"PRAGMA table_info({table})")]
        for action, rows in _ACTIONS:
            hashes = [f"{FUNCTION}('{table}', {', '.join(f'{row}.{name}' for name in columns)})" for row in rows]
            # SQLite has no XOR operator: a ^ b = (a | b) - (a & b).
            changes = " ".join(f"UPDATE summary_checksum SET value = (value | {h}) - (value & {h});" for h in hashes)  # noqa: S608
            yield f"CREATE TRIGGER {_name_of_trigger(table, action)} AFTER {action} ON {table} BEGIN {changes} END"
