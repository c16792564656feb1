"""The hub at the broker: receives events, states and statuses of all tables, acknowledges, and sends commands."""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from pegboard.core.wire import Json
from pegboard.devices.health import Health
from pegboard.errors import NotNow, NotStored
from pegboard.hub.ledger.event_store import Place, StoreReport
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_rows import TableEvent
from pegboard.hub.transport.event_writer import EventWriter, Waiting
from pegboard.hub.transport.live_tables import HeardTable, LiveTables
from pegboard.messages import Message
from pegboard.mqtt.broker_session import BrokerAddress, BrokerSession, Delivery, Publication
from pegboard.mqtt.messages_of_hub import (
    ACK,
    COMMANDS,
    EVENTS,
    STATE,
    STATUS,
    BadMessage,
    HubPresence,
    TableTopics,
    TopicParts,
    read_topic,
    topic_of_hub,
    topics_of_tables,
    write_acknowledgement,
    write_object,
    write_presence,
)

UNDER_WAY = 1_000
"""Messages that the broker sends before one is acknowledged; Mosquitto holds another thousand back."""

LOOK_S = 1.0
"""Seconds after which the open events are read again, where a table names one that is not open."""

RETRY_S = 1.0
"""Seconds after which a database that did not answer at a new connection is tried again."""

BROKER, DATABASE = "broker", "database"
"""What the health is of."""

log = logging.getLogger("pegboard")


class BrokerConnection(Protocol):
    """What a hub needs of a session."""

    def start(self) -> None:
        """Connect, and stay connected."""

    def stop(self, last: Publication | None = None) -> None:
        """End the connection after a last message."""

    def publish(self, publication: Publication) -> bool:
        """Send a message; whether there is a connection to send it over."""


class HubTransport:
    """Stores what tables send, from `start` until `stop`."""

    def __init__(
        self,
        ledger: Ledger,
        address: BrokerAddress,
        *,
        jitter: Callable[[], float],
        on_events: Callable[[str, str, Sequence[TableEvent]], None] = lambda *_: None,
        on_state: Callable[[str, str], None] = lambda *_: None,
        on_alarm: Callable[[str], None] = lambda _: None,
        on_health: Callable[[], None] = lambda: None,
        first_wait_s: float = 1.0,
        open_session: Callable[..., BrokerConnection] = BrokerSession,
    ) -> None:
        """It connects from `start` on.

        Args:
            ledger: where all of it is stored.
            address: the broker, and who the hub is there.
            jitter: gives numbers from 0 to 1 by chance.
            on_events: is called with event, table and what was stored, after the commit; with nothing where something
                was refused.
            on_state: is called with event and table where what a table shows has changed; it must not wait.
            on_alarm: is called with an event of which something was quarantined, after the commit.
            on_health: is called where `health` has changed; it must not wait.
            first_wait_s: seconds before the second try to connect.
            open_session: makes the session at the broker; takes what `BrokerSession` takes.

        Raises:
            DeviceError: paho-mqtt is missing, or a certificate cannot be read.
            HubNotNow: the database does not answer.
        """
        self._ledger, self._store = ledger, ledger.events_of_tables
        self._on_events, self._on_state, self._on_alarm, self._on_health = on_events, on_state, on_alarm, on_health
        self._live = LiveTables(ledger.clock)
        self._open = frozenset(one.name for one in ledger.open_events())
        self._looked_s = time.monotonic()
        self._birth = ""
        self._commands: dict[Place, bytes] = {}
        self._lock, self._acknowledging = threading.Lock(), threading.Lock()
        self._unread: Message | None = None
        self._retry = threading.Timer(RETRY_S, self._acknowledge_all)
        self._has_ended = False
        self._health = {
            BROKER: Health(BROKER, str(address), ok=False, trouble=Message("trouble_mqtt_begins")),
            DATABASE: Health(DATABASE, str(ledger.engine.url.render_as_string(hide_password=True))),
        }
        self._writer = EventWriter(self._store, self._acknowledge, self._tell_stored, self._note_database)
        channels = ((EVENTS, 1), (STATE, 1), (STATUS, 1))
        self._session = open_session(
            address,
            self,
            client_id=f"pegboard-hub-{ledger.hub_id}",
            will=self._presence(is_online=False),
            subscriptions=[(topics_of_tables(channel), qos) for channel, qos in channels],
            jitter=jitter,
            receive_maximum=UNDER_WAY,
            first_wait_s=first_wait_s,
        )

    @property
    def health(self) -> list[Health]:
        """How the broker and the database are. Never waits."""
        return list(self._health.values())

    def tables(self, event: str) -> dict[str, HeardTable]:
        """The tables of an event that have been heard of, by name. Never waits."""
        return self._live.of(event)

    def start(self) -> None:
        """Connect to the broker, and store what comes."""
        self._writer.start()
        self._session.start()

    def stop(self) -> None:
        """Say that the hub is gone, and end."""
        self._session.stop(self._presence(is_online=False))
        with self._lock:
            self._has_ended = True
            self._retry.cancel()
        self._writer.stop()

    def send_command(self, event: str, table: str, command: Json) -> None:
        """Send a command to a table: now, and again after each connection; it gets the newest whenever it comes.

        Before it the table hears up to where everything is stored: what the broker holds of that may be of a ledger
        that had more than this copy of it.

        Raises:
            LedgerNotStored: the database does not answer.
        """
        place = (event, table)
        with self._lock:
            self._commands[place] = write_object(command)
        self._acknowledge(place)
        self._publish_command(place)

    def look_for_events(self) -> None:
        """Read which events are open, and tell the tables where there are others than before.

        Raises:
            HubNotNow: the database does not answer.
        """
        found = frozenset(one.name for one in self._ledger.open_events())
        if found != self._open:
            self._open = found
            self._session.publish(self._presence(is_online=True))

    def note_event(self, event: str) -> None:
        """Something of an event has changed: where it was opened just now, nothing that its tables say is missed."""
        if event not in self._open:
            self._try_to_look()

    # --- called in the session's threads ---

    def note_connection(self) -> None:
        """The broker is there: say up to where everything is stored, and then that the hub is there."""
        self._birth = secrets.token_hex(8)
        self._acknowledge_all()
        for place in list(self._commands):
            self._publish_command(place)
        self._session.publish(self._presence(is_online=True))
        self._note(BROKER, None)
        log.info("connected to the broker")

    def _acknowledge_all(self) -> None:
        """Say to each table up to where its events are stored; tried again while the database does not answer."""
        try:
            stored = {(event, table) for event in self._open for table in self._store.tables_of(event)}
            for place in stored.union(list(self._commands)):
                self._acknowledge(place)
        except NotStored as error:
            self._unread = error.message
            self._note(DATABASE, error.message)
            self._acknowledge_later()
        else:
            self._note_read()

    def _acknowledge_later(self) -> None:
        """Ask the database again in a while; once, whoever wants it."""
        with self._lock:
            if self._has_ended:
                return
            self._retry.cancel()
            self._retry = threading.Timer(RETRY_S, self._acknowledge_all)
            self._retry.daemon = True
            self._retry.start()

    def note_loss(self, trouble: Message) -> None:
        """There is no connection to the broker."""
        self._note(BROKER, trouble)
        for event, table in self._live.note_all_away():
            self._on_state(event, table)

    def note_delivery(self, delivery: Delivery) -> None:
        """A message has arrived; events are acknowledged once they are stored, all else at once."""
        parts = read_topic(delivery.topic)
        if parts is None or not self._is_open(parts.event):
            delivery.acknowledge()
        elif parts.channel != EVENTS:
            delivery.acknowledge()
            self._note_table(parts, delivery.payload)
        elif not self._writer.add(Waiting(parts.event, parts.table, delivery)):
            delivery.acknowledge()  # else the broker would send nothing more once there is room

    def _is_open(self, event: str) -> bool:
        if event not in self._open and time.monotonic() - self._looked_s > LOOK_S:
            self._looked_s = time.monotonic()
            self._try_to_look()
        return event in self._open

    def _try_to_look(self) -> None:
        with contextlib.suppress(NotNow):  # the database is away, and the next message looks again
            self.look_for_events()

    def _note_table(self, parts: TopicParts, payload: bytes) -> None:
        try:
            if parts.channel == STATUS:
                self._live.note_status(parts.event, parts.table, payload)
            else:
                self._live.note_state(parts.event, parts.table, payload)
        except BadMessage as error:
            log.warning("%s of %s: %s", parts.channel, parts.table, error)
            return
        self._on_state(parts.event, parts.table)

    # --- called in the thread that stores ---

    def _tell_stored(self, report: StoreReport) -> None:
        for (event, table), rows in report.rows.items():
            self._live.note_events(event, table)
            self._on_events(event, table, rows)
        for event in {event for event, _ in report.alarms}:
            self._on_alarm(event)

    def _note_database(self, trouble: Message | None) -> None:
        self._note(DATABASE, trouble)

    # --- any thread ---

    def _acknowledge(self, place: Place) -> None:
        """Say up to where the events of a table are stored; what is read later is published later."""
        with self._acknowledging:
            payload = write_acknowledgement(self._ledger.hub_id, self._store.acknowledgement_of(*place))
            self._session.publish(Publication(TableTopics(*place).of(ACK), payload, retain=True))
            self._note_read()

    def _note_read(self) -> None:
        """The database answers; what cannot be stored for another cause still cannot."""
        if self._unread is not None and self._health[DATABASE].trouble == self._unread:
            self._note(DATABASE, None)
        self._unread = None

    def _publish_command(self, place: Place) -> None:
        """Send a table its newest command; what was decided later is published later."""
        topic = TableTopics(*place).of(COMMANDS)
        with self._lock:
            self._session.publish(Publication(topic, self._commands[place], 1, retain=True))

    def _presence(self, *, is_online: bool) -> Publication:
        own = HubPresence(self._ledger.hub_id, is_online, self._birth, tuple(sorted(self._open)))
        return Publication(topic_of_hub(self._ledger.hub_id), write_presence(own), 1, retain=True)

    def _note(self, what: str, trouble: Message | None) -> None:
        """Note how the broker or the database is, and tell it where that has changed."""
        before = self._health[what]
        if trouble is None and not before.ok:
            self._health[what] = before.mark_ok(before.about)
            self._on_health()
        elif trouble is not None and (before.ok or before.trouble != trouble):
            log.warning("%s: %s", what, trouble)
            self._health[what] = before.mark_failed(trouble, self._ledger.clock() / 1e9)
            self._on_health()
