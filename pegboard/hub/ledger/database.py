"""Database access of the ledger: SQLite or PostgreSQL by URL; checks that commits are durable on disk."""

import contextlib
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)

from pegboard.hub.ledger.hub_errors import HubError, HubNotNow, LedgerNotStored
from pegboard.install.host import install_command
from pegboard.messages import Message
from pegboard.storage.state_files import FOLDER_MODE, create_private

SQLITE, POSTGRESQL = "sqlite", "postgresql"

WAITS_S = 5
"""Seconds a connection waits for a lock, and for a server whose machine or network is gone.

There is no timeout for a server that accepts the connection but hangs, such as a suspended process.
"""

IDLE_S = 1.0
"""Idle seconds after which a connection to a server is pinged before use; a ping takes a fifth of a transaction's time.

If the server stops while a connection is idle for less than this, one transaction is refused, and the next one gets a
new connection.
"""

BACK_AT = "back_at"
"""Key in a pooled connection's record: when it was returned, in seconds of a monotonic clock."""

WRITES = "pegboard_writes"
"""Connection option for transactions that write: SQLite then takes its write lock at the beginning."""

DISK_FULL = {"SQLITE_FULL", "53100"}
"""Error codes for a full disk (sqlite.org/rescode.html; PostgreSQL, appendix A: 53100 disk_full)."""


def open_engine(url: str) -> Engine:
    """Open the database at a URL; connects once, to check that it can be reached and that its commits are on disk.

    Raises:
        HubError: the URL is invalid, a library is missing, or a commit would not be on disk.
        HubNotNow: the database cannot be reached.
    """
    place = _read_url(url)
    try:
        engine = _make_engine(place)
        with reading(engine) as connection:
            connection.exec_driver_sql("SELECT 1")
    except ImportError as error:
        raise HubError("hub_no_psycopg", command=install_command("psycopg[binary]>=3.2", "python3-psycopg")) from error
    except (SQLAlchemyError, OSError) as error:
        raise HubNotNow("hub_database_away", database=place_of(place), error=error_of(error)) from error
    return engine


def _read_url(url: str) -> URL:
    try:
        place = make_url(url)
    except ArgumentError as error:
        raise HubError("hub_database_url", url=url) from error
    kind = place.get_backend_name()
    if kind == POSTGRESQL:
        return place.set(drivername="postgresql+psycopg")
    if kind != SQLITE or not place.database or place.database == ":memory:":
        raise HubError("hub_database_url", url=place.render_as_string(hide_password=True))
    return place


def place_of(place: URL) -> str:
    """The URL of a database without its password, or only the path of an SQLite file."""
    if place.get_backend_name() == SQLITE and place.database:
        return place.database
    return place.set(drivername=POSTGRESQL).render_as_string(hide_password=True)


def _make_engine(place: URL) -> Engine:
    if place.get_backend_name() == POSTGRESQL:
        engine = create_engine(place, connect_args=_waits_of_postgresql())
        event.listen(engine, "connect", _set_up_postgresql)
        event.listen(engine, "checkin", _note_return)
        event.listen(engine, "checkout", partial(_look_for_server, engine))
        return engine
    assert place.database
    path = Path(place.database)
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    create_private(path)
    engine = create_engine(place, connect_args={"timeout": WAITS_S})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _waits_of_postgresql() -> dict[str, int]:
    """Timeouts of a connection to a server (postgresql.org/docs/current/libpq-connect.html)."""
    return {
        "connect_timeout": WAITS_S,
        "tcp_user_timeout": WAITS_S * 1000,
        "keepalives_idle": WAITS_S,
        "keepalives_interval": 1,
        "keepalives_count": WAITS_S,
    }


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    """Set write-ahead logging and synchronous FULL, and check both.

    Raises:
        HubError: the folder does not support a write-ahead log.
    """
    connection.isolation_level = None  # only `_begin_sqlite` begins transactions
    cursor = connection.cursor()
    mode = cursor.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    cursor.execute("PRAGMA synchronous = FULL")
    level = cursor.execute("PRAGMA synchronous").fetchone()[0]
    cursor.close()
    if (mode, level) != ("wal", 2):
        raise HubError("hub_not_durable", setting=f"journal_mode {mode}, synchronous {level}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_up_postgresql(connection: Any, _record: Any) -> None:
    """Make commits wait for the disk, check this and the settings it depends on, and set the lock timeout.

    Runs in autocommit mode: otherwise the first query would begin a transaction that is never ended.

    Raises:
        HubError: a commit on this server is not on disk when it returns.
    """
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET lock_timeout = {WAITS_S * 1000}")  # ms
        for setting in ("synchronous_commit", "fsync", "full_page_writes"):
            value = cursor.execute(f"SHOW {setting}").fetchone()[0]
            if value != "on":
                raise HubError("hub_not_durable", setting=f"{setting} {value}")
    connection.autocommit = False


def _note_return(_connection: Any, record: Any) -> None:
    record.info[BACK_AT] = time.monotonic()


def _look_for_server(engine: Engine, connection: Any, record: Any, _: Any) -> None:
    """Check that the server is still connected if the connection has been idle for a while.

    Raises:
        DisconnectionError: the server is gone; the pool then makes another connection.
    """
    back_at = record.info.get(BACK_AT)
    if back_at is not None and time.monotonic() - back_at > IDLE_S:
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise DisconnectionError(str(error)) from error


@contextlib.contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection with a consistent view of the database.

    Raises:
        HubNotNow: the database does not answer.
        SQLAlchemyError: the data cannot be read.
    """
    try:
        with engine.connect() as connection, connection.begin():
            yield connection
    except (OperationalError, InterfaceError) as error:
        raise HubNotNow(fault_of(engine, error)) from error


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction: on disk when this returns, or not stored at all.

    Raises:
        LedgerNotStored: the database cannot store now.
        SQLAlchemyError: the data cannot be stored, now or ever.
    """
    try:
        with engine.connect() as connection:
            connection.execution_options(**{WRITES: True, "preserve_rowcount": True})
            with connection.begin():
                yield connection
    except (OperationalError, InterfaceError) as error:
        raise LedgerNotStored("hub_not_stored", fault=fault_of(engine, error)) from error


def fault_of(engine: Engine, error: DBAPIError) -> Message:
    """A message that says why a database does not answer or cannot store: disk full, or the text of the error."""
    place = place_of(engine.url)
    codes = {getattr(error.orig, name, None) for name in ("sqlite_errorname", "sqlstate")}
    if codes & DISK_FULL:
        return Message("hub_disk_full", database=place)
    return Message("hub_database_away", database=place, error=error_of(error))


def error_of(error: BaseException) -> str:
    """The text of a database error, in one line."""
    inner = getattr(error, "orig", None) or error
    return " ".join(str(inner).split())
