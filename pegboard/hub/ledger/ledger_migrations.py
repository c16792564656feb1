"""Versions of the ledger's tables: made new, or changed from version to version, each step in one transaction."""

import contextlib
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from sqlalchemy import Connection, Engine, insert, inspect, select, text, update

from pegboard.hub.hub_errors import HubError
from pegboard.hub.ledger.database import POSTGRESQL, place_of, reading, writing
from pegboard.hub.ledger.ledger_tables import ABOUT, APPENDED_ONLY, METADATA, UPLOADED_PACKAGE

Step: TypeAlias = Callable[[Connection], None]

ONE_AT_A_TIME = 7_382_111
"""The number of the lock under which PostgreSQL lets one hub at a time make or migrate the tables."""

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
    """Version 1: all tables, and the id of the ledger."""
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
    """Packages with what seasons need of each; those of a ledger that has none of it are uploaded anew."""
    columns = {each["name"] for each in inspect(connection).get_columns(UPLOADED_PACKAGE.name)}
    if "season" not in columns:
        UPLOADED_PACKAGE.drop(connection)
        UPLOADED_PACKAGE.create(connection)


STEPS: Sequence[Step] = (_make_tables, _keep_seasons)
"""Each brings the tables from the version that is its place to the next."""


def migrate(engine: Engine, steps: Sequence[Step] = STEPS) -> str:
    """Bring the tables to the newest version, and return the id of the ledger.

    Of a file a copy is made before: `NAME-v1.db` beside it.

    Raises:
        HubError: a newer pegboard has written there, or another program.
        LedgerNotStored: the database cannot store now; it is as it was.
        SQLAlchemyError: a step failed; it is as it was.
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
    """The version of the tables; 0 where there are none.

    Raises:
        HubError: there are tables of another program.
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
    """Whether no other hub has done this step meanwhile."""
    if connection.dialect.name == POSTGRESQL:
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ONE_AT_A_TIME})
    if "about" not in inspect(connection).get_table_names():
        return number == 0
    return bool(connection.execute(select(ABOUT.c.version)).scalar_one() == number)


def _copy_file(engine: Engine, version: int) -> None:
    """Copy the file of SQLite; a server is backed up by whoever runs it."""
    if engine.dialect.name == POSTGRESQL or not engine.url.database:
        return
    path = Path(engine.url.database)
    copy = path.with_name(f"{path.stem}-v{version}{path.suffix}")
    copy.unlink(missing_ok=True)
    with contextlib.closing(engine.raw_connection()) as connection:  # it cannot be within a transaction
        connection.cursor().execute("VACUUM INTO ?", (str(copy),))
