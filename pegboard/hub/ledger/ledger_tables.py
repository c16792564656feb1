"""Database schema and migrations of the ledger, for both SQLite and PostgreSQL; append-only triggers, file backup."""

import contextlib
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    insert,
    inspect,
    select,
    text,
    update,
)

from pegboard.hub.ledger.database import POSTGRESQL, place_of, reading, writing
from pegboard.hub.ledger.hub_errors import HubError

# --- schema versions: create the tables, or migrate them version by version, each step in one transaction ---


Step: TypeAlias = Callable[[Connection], None]

MIGRATION_LOCK = 7_382_111
"""Number of the advisory lock under which only one hub at a time creates or migrates the tables in PostgreSQL."""

SQLITE_TRIGGER = """
CREATE TRIGGER {table}_{what}_is_refused BEFORE {what} ON {table}
BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END
"""

POSTGRESQL_FUNCTION = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'rows of %% are only ever added', TG_TABLE_NAME; END $$
"""

POSTGRESQL_TRIGGER = """
CREATE TRIGGER {table}_{what}_is_refused BEFORE {what} ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_change()
"""


def _make_tables(connection: Connection) -> None:
    """Version 1: create all tables, and the id of the ledger."""
    METADATA.create_all(connection)
    is_server = connection.dialect.name == POSTGRESQL
    if is_server:
        connection.exec_driver_sql(POSTGRESQL_FUNCTION)
    for table in APPENDED_ONLY:
        for what in ("UPDATE", "DELETE"):
            trigger = POSTGRESQL_TRIGGER if is_server else SQLITE_TRIGGER
            connection.exec_driver_sql(trigger.format(table=table.name, what=what))
    connection.execute(insert(ABOUT).values(hub=secrets.token_hex(8), version=0))


def _keep_seasons(connection: Connection) -> None:
    """Version 2: store season data with each package; packages stored without it must be uploaded again."""
    columns = {each["name"] for each in inspect(connection).get_columns(UPLOADED_PACKAGE.name)}
    if "season" not in columns:
        UPLOADED_PACKAGE.drop(connection)
        UPLOADED_PACKAGE.create(connection)


STEPS: Sequence[Step] = (_make_tables, _keep_seasons)
"""Migration steps; step N of this list migrates the tables from version N to N + 1."""


def migrate(engine: Engine, steps: Sequence[Step] = STEPS) -> str:
    """Migrate the tables to the newest version, and return the id of the ledger.

    Before a migration, an SQLite file is copied to `NAME-v1.db` next to it (for version 1).

    Raises:
        HubError: the database was written by a newer pegboard or by another program.
        LedgerNotStored: the database cannot store now, and is unchanged.
        SQLAlchemyError: a step failed; the database is unchanged.
    """
    version = _version(engine)
    if version > len(steps):
        raise HubError("hub_newer_ledger", database=place_of(engine.url), version=version, newest=len(steps))
    if 0 < version < len(steps):
        _copy_file(engine, version)
    for number in range(version, len(steps)):
        with writing(engine) as connection:
            if _is_first_there(connection, number):
                steps[number](connection)
                connection.execute(update(ABOUT).values(version=number + 1))
    with reading(engine) as connection:
        return str(connection.execute(select(ABOUT.c.hub)).scalar_one())


def _version(engine: Engine) -> int:
    """The version of the tables; 0 if there are none.

    Raises:
        HubError: the database has tables of another program.
    """
    with reading(engine) as connection:
        names = set(inspect(connection).get_table_names())
        if not names:
            return 0
        columns = {each["name"] for each in inspect(connection).get_columns("about")} if "about" in names else set()
        if not {"hub", "version"} <= columns:
            raise HubError("hub_foreign_database", database=place_of(engine.url))
        return int(connection.execute(select(ABOUT.c.version)).scalar_one())


def _is_first_there(connection: Connection, number: int) -> bool:
    """Whether no other hub has done this migration step meanwhile; in PostgreSQL, takes the migration lock first."""
    if connection.dialect.name == POSTGRESQL:
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": MIGRATION_LOCK})
    if "about" not in inspect(connection).get_table_names():
        return number == 0
    return bool(connection.execute(select(ABOUT.c.version)).scalar_one() == number)


def _copy_file(engine: Engine, version: int) -> None:
    """Copy an SQLite database file; backups of a PostgreSQL server are up to its operator."""
    if engine.dialect.name == POSTGRESQL or not engine.url.database:
        return
    path = Path(engine.url.database)
    copy = path.with_name(f"{path.stem}-v{version}{path.suffix}")
    copy.unlink(missing_ok=True)
    with contextlib.closing(engine.raw_connection()) as connection:  # not possible within a transaction
        connection.cursor().execute("VACUUM INTO ?", (str(copy),))


METADATA = MetaData()

ABOUT = Table(
    "about",
    METADATA,
    Column("hub", Text, primary_key=True),
    Column("version", Integer, nullable=False),
)
"""The id of this ledger, created with it, and the version of its tables."""

NIGHT_EVENT = Table(
    "night_event",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("opened", BigInteger, nullable=False),
)
"""The open events; table messages for other events are ignored."""

TABLE_EVENT = Table(
    "table_event",
    METADATA,
    Column("event", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("epoch", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("place", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("received", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Each event of a table's journal, as received; `received` is the hub's clock, in nanoseconds since 1970."""

WATERMARK = Table(
    "watermark",
    METADATA,
    Column("event", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("epoch", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("chain", Text, nullable=False),
)
"""How far the events of an epoch are stored without a gap; `number` counts the epochs of a table, from 1."""

QUARANTINE = Table(
    "quarantine",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("event", Text, nullable=False),
    Column("table", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("times", BigInteger, nullable=False),
    Column("message", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("event", "table", "kind", "digest"),
)
"""Refused messages, each cause once, with the number of times it occurred."""

ALARM = Table(
    "alarm",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("event", Text, nullable=False),
    Column("table", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("message", Text, nullable=False),
    Column("dismissed", BigInteger),
    Column("dismissed_by", Text),
    UniqueConstraint("event", "table", "kind", "digest"),
)
"""Alarms for the director, and who dismissed them."""

NIGHT_DECISION = Table(
    "night_decision",
    METADATA,
    Column("event", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("chain", Text, nullable=False),
    UniqueConstraint("event", "id"),
)
"""Decisions of directors, players and tables, numbered from 1 in each event; `chain` is the hash chain link."""

UPLOADED_PACKAGE = Table(
    "uploaded_package",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("season", Text, nullable=False),
)
"""Event packages uploaded by other hubs, each once, compressed; `season` is the season data of each."""

APPENDED_ONLY = (TABLE_EVENT, NIGHT_DECISION)
"""Append-only tables; triggers refuse updates and deletions."""
