"""The ledger of a hub: events, table messages, alarms, refused messages, and uploaded packages."""

import time
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from pegboard.hub.ledger.database import open_engine, reading, writing
from pegboard.hub.ledger.event_store import EventStore
from pegboard.hub.ledger.hub_errors import HubError, LedgerNotStored
from pegboard.hub.ledger.ledger_rows import LedgerAlarm, NightEvent, Quarantined, Refusal, TableEvent
from pegboard.hub.ledger.ledger_tables import NIGHT_EVENT, TABLE_EVENT, UPLOADED_PACKAGE, WATERMARK, migrate
from pegboard.hub.ledger.trouble_rows import dismiss, read_alarms, read_quarantine, store_refusal
from pegboard.mqtt.messages_of_hub import NAME

if TYPE_CHECKING:
    from sqlalchemy import Column


class Ledger:
    """An open ledger database.

    Attributes:
        hub_id: the id of the ledger, created with it.
        engine: the SQLAlchemy engine.
        events_of_tables: the events sent by tables.
        clock: returns nanoseconds since 1970.
    """

    def __init__(self, engine: Engine, hub_id: str, clock: Callable[[], int] = time.time_ns) -> None:
        """Use `open_ledger` to open a ledger from a URL."""
        self.engine, self.hub_id, self.clock = engine, hub_id, clock
        self.events_of_tables = EventStore(engine, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection to the database."""
        self.engine.dispose()

    def open_event(self, name: str, label: str = "") -> NightEvent:
        """Open an event, so that its tables' messages count; an open event is left unchanged.

        Raises:
            HubError: the name is not 1 to 32 lowercase letters, digits, `_` and `-`.
            HubNotNow: the database does not answer.
            LedgerNotStored: the database cannot store now.
        """
        if not NAME.fullmatch(name):
            raise HubError("hub_event_name", name=repr(name))
        there = [one for one in self.open_events() if one.name == name]
        if not there:
            with writing(self.engine) as connection:
                values = {"name": name, "label": label or name, "opened": self.clock()}
                connection.execute(NIGHT_EVENT.insert().values(values))
            there = [one for one in self.open_events() if one.name == name]
        return there[0]

    def open_events(self) -> list[NightEvent]:
        """The open events, oldest first.

        Raises:
            HubNotNow: the database does not answer.
        """
        with reading(self.engine) as connection:
            rows = connection.execute(select(NIGHT_EVENT).order_by(NIGHT_EVENT.c.opened, NIGHT_EVENT.c.name))
            return [NightEvent(*row) for row in rows]

    def rows_of(self, event: str, table: str | None = None) -> list[TableEvent]:
        """The events sent by the tables of an event, or only by `table`.

        Sorted by table, by the table's epochs in the order they began, and by event number.

        Raises:
            HubNotNow: the database does not answer.
        """
        own = TABLE_EVENT.c
        same = [WATERMARK.c[name] == own[name] for name in ("event", "table", "epoch")]
        query = select(TABLE_EVENT).join(WATERMARK, same[0] & same[1] & same[2]).where(own["event"] == event)
        if table is not None:
            query = query.where(own["table"] == table)
        with reading(self.engine) as connection:
            found = connection.execute(query.order_by(own["table"], WATERMARK.c["number"], own["seq"]))
            return [TableEvent(*row) for row in found]

    def alarms(self, event: str) -> list[LedgerAlarm]:
        """The alarms of an event, oldest first, including dismissed ones.

        Raises:
            HubNotNow: the database does not answer.
        """
        with reading(self.engine) as connection:
            return read_alarms(connection, event)

    def dismiss_alarm(self, event: str, number: int, by: str) -> bool:
        """Dismiss an alarm of an event; returns whether it has an undismissed alarm with that number.

        Raises:
            LedgerNotStored: the database cannot store now.
        """
        with writing(self.engine) as connection:
            return dismiss(connection, event, number, by, self.clock())

    def read_quarantine(self, event: str) -> list[Quarantined]:
        """The refused messages of an event's tables, oldest first.

        Raises:
            HubNotNow: the database does not answer.
        """
        with reading(self.engine) as connection:
            return read_quarantine(connection, event)

    def quarantine(self, refusal: Refusal) -> None:
        """Quarantine a score sheet or result that was found wrong after it was stored, and raise an alarm.

        Raises:
            LedgerNotStored: the database cannot store now.
        """
        with writing(self.engine) as connection:
            store_refusal(connection, refusal, self.clock())


def open_ledger(url: str, clock: Callable[[], int] = time.time_ns) -> Ledger:
    """Open the ledger at a database URL: `sqlite:////FOLDER/FILE` or `postgresql://USER:PASSWORD@HOST/NAME`.

    Raises:
        HubError: the URL is invalid, or the database is another program's, from a newer version, or not durable.
        HubNotNow: the database cannot be reached.
        LedgerNotStored: the database tables must be created or migrated, and cannot be written now.
    """
    engine = open_engine(url)
    try:
        return Ledger(engine, migrate(engine), clock)
    except (HubError, LedgerNotStored):
        engine.dispose()
        raise


# --- event packages uploaded by other hubs: each is stored once, however often it arrives ---


class UploadedPackages:
    """The packages in a ledger, by the digests of their content."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, digest: str, content: bytes, season: str) -> bool:
        """Store a package and its season data; returns whether the package is new.

        Raises:
            LedgerNotStored: the database cannot store now.
        """
        if self.season_of(digest) is not None:
            return False
        values = {"digest": digest, "at": self._ledger.clock(), "season": season}
        try:
            with writing(self._ledger.engine) as connection:
                connection.execute(insert(UPLOADED_PACKAGE).values(values | {"content": zlib.compress(content)}))
        except IntegrityError:  # the same package was stored concurrently
            return False
        return True

    def content_of(self, digest: str) -> bytes | None:
        """The file of a package, as received; None if it is not stored."""
        compressed: bytes | None = self._read(UPLOADED_PACKAGE.c.content, digest)
        return None if compressed is None else zlib.decompress(compressed)

    def season_of(self, digest: str) -> str | None:
        """The season data of a package; None if it is not stored."""
        season: str | None = self._read(UPLOADED_PACKAGE.c.season, digest)
        return season

    def digests(self) -> list[str]:
        """The digests of all packages in order of arrival."""
        with reading(self._ledger.engine) as connection:
            own = UPLOADED_PACKAGE.c
            return [row[0] for row in connection.execute(select(own.digest).order_by(own.at, own.digest))]

    def seasons(self) -> list[tuple[str, str]]:
        """Digest and season data of each package, in order of arrival."""
        with reading(self._ledger.engine) as connection:
            own = UPLOADED_PACKAGE.c
            rows = connection.execute(select(own.digest, own.season).order_by(own.at, own.digest))
            return [(row[0], row[1]) for row in rows]

    def _read(self, column: "Column[Any]", digest: str) -> Any:
        with reading(self._ledger.engine) as connection:
            return connection.execute(select(column).where(UPLOADED_PACKAGE.c.digest == digest)).scalar()
