"""MQTT transport of the hub: writer thread that stores and acknowledges table events; live table states; commands."""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, Full, Queue
from typing import Any, Protocol

from pegboard.core.wire import Json
from pegboard.devices.health import Health
from pegboard.errors import NotNow, NotStored
from pegboard.hub.ledger.event_store import (
    MOST_AT_ONCE,
    Arrival,
    EventStore,
    MessageOutcome,
    Place,
    StoreReport,
    read_arrival,
)
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_rows import TableEvent
from pegboard.messages import Message
from pegboard.mqtt.broker_session import BrokerAddress, BrokerSession, Delivery, Publication, note_trouble
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
    read_small_object,
    read_status,
    read_topic,
    topic_of_hub,
    topics_of_tables,
    write_acknowledgement,
    write_object,
    write_presence,
)

# --- the writer thread: takes table messages from a bounded queue, commits and acknowledges them ---


ROOM = 4_000
"""Maximum messages in the queue; further ones are dropped, and their tables resend them."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 15.0
"""Seconds before retrying a database that could not store: first wait, and maximum."""

log = logging.getLogger("pegboard")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A queued message, with the event and the table of its topic."""

    event: str
    table: str
    delivery: Delivery


class EventWriter:
    """Stores messages in order of arrival, many per transaction."""

    def __init__(
        self,
        store: EventStore,
        acknowledge: Callable[[Place], None],
        stored: Callable[[StoreReport], None],
        on_trouble: Callable[[Message | None], None],
    ) -> None:
        """The callbacks are called in the writer thread.

        Args:
            store: the ledger's event store.
            acknowledge: sends a table the number of its last stored event.
            stored: receives the report of each transaction that stored or refused something.
            on_trouble: receives the reason why nothing can be stored, and None after each success.
        """
        self._store, self._acknowledge, self._stored, self._on_trouble = store, acknowledge, stored, on_trouble
        self._queue: Queue[Waiting | None] = Queue(ROOM)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)

    def start(self) -> None:
        """Start storing."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current transaction."""
        self._stopping.set()
        with contextlib.suppress(Full):
            self._queue.put_nowait(None)
        if self._thread.is_alive():
            self._thread.join(5.0)

    def add(self, waiting: Waiting) -> bool:
        """Queue a message; returns whether there was room. Never blocks."""
        try:
            self._queue.put_nowait(waiting)
        except Full:
            return False
        return True

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                if together := self._gather(self._queue.get()):
                    self._deal_with(together)
            except Exception:  # no message may stop the hub
                log.exception("error while storing messages")

    def _gather(self, waiting: Waiting | None) -> list[tuple[Waiting, Arrival]]:
        """Parse a message and those after it in the queue, as many as fit in one transaction; None (stop) ends them."""
        together, size = list[tuple[Waiting, Arrival]](), 0
        with contextlib.suppress(Empty):
            while waiting is not None:
                arrival = read_arrival(waiting.event, waiting.table, waiting.delivery.payload)
                together.append((waiting, arrival))
                size += arrival.size
                waiting = self._queue.get_nowait() if size < MOST_AT_ONCE else None
        return together

    def _deal_with(self, together: list[tuple[Waiting, Arrival]]) -> None:
        """Store messages, then acknowledge them: to the tables first, then to the broker.

        If a bug prevents storing, the broker still gets its acknowledgement and keeps delivering; the tables resend.
        """
        report = StoreReport((), {})
        try:
            stored = self._store_with_retry([arrival for _, arrival in together])
            if stored is None:
                return
            report = stored
            for place in {(one.event, one.table) for one, arrival in together if arrival.message is not None}:
                self._acknowledge(place)
        except Exception:
            log.exception("error while storing messages")
        for waiting, _ in together:
            waiting.delivery.acknowledge()
        if MessageOutcome.STORED in report.outcomes or MessageOutcome.REFUSED in report.outcomes:
            self._stored(report)

    def _store_with_retry(self, arrivals: list[Arrival]) -> StoreReport | None:
        """Store with retries and backoff; None if the writer is stopped first."""
        wait_s = FIRST_WAIT_S
        while True:
            try:
                report = self._store.store(arrivals)
            except NotStored as error:
                self._on_trouble(error.message)
                if self._stopping.wait(wait_s):
                    return None
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            else:
                self._on_trouble(None)
                return report


# --- live state of tables: presence, and the state each one reports; never stored ---


@dataclass(frozen=True, slots=True)
class HeardTable:
    """A table's live state, as received from the broker.

    Attributes:
        table: the table's name.
        online: whether it is connected to the broker.
        since: when that last changed, in nanoseconds since 1970 by the hub's clock.
        state: the state that it last reported; None before its first report.
        last_event_at: when the table's events were last stored, in nanoseconds since 1970; None if never.
    """

    table: str
    online: bool = False
    since: int = 0
    state: dict[str, Any] | None = None
    last_event_at: int | None = None


class LiveTables:
    """The live states of all tables of all events."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock` returns nanoseconds since 1970."""
        self._clock, self._lock = clock, threading.Lock()
        self._tables: dict[Place, HeardTable] = {}

    def of(self, event: str) -> dict[str, HeardTable]:
        """The tables of an event heard so far, by name."""
        with self._lock:
            return {table: one for (of_event, table), one in self._tables.items() if of_event == event}

    def note_status(self, event: str, table: str, payload: bytes) -> None:
        """Record that a table reported itself online, or that its last will reported it offline.

        Raises:
            BadMessage: the payload is not a status.
        """
        online = bool(payload) and read_status(payload)
        before = self._get(event, table)
        if online != before.online:
            self._put(event, replace(before, online=online, since=self._clock()))

    def note_state(self, event: str, table: str, payload: bytes) -> None:
        """Record the state that a table reported.

        Raises:
            BadMessage: the payload is not a state.
        """
        state = read_small_object(payload) if payload else None
        self._put(event, replace(self._get(event, table), state=state))

    def note_events(self, event: str, table: str) -> None:
        """Record that events of a table have been stored."""
        self._put(event, replace(self._get(event, table), last_event_at=self._clock()))

    def note_all_away(self) -> list[Place]:
        """Mark all tables offline because the broker is unreachable; returns the tables that were online until now."""
        with self._lock:
            now = self._clock()
            gone = {place: replace(one, online=False, since=now) for place, one in self._tables.items() if one.online}
            self._tables |= gone
        return list(gone)

    def _get(self, event: str, table: str) -> HeardTable:
        with self._lock:
            return self._tables.get((event, table)) or HeardTable(table)

    def _put(self, event: str, one: HeardTable) -> None:
        with self._lock:
            self._tables[event, one.table] = one


MAX_IN_FLIGHT = 1_000
"""Maximum unacknowledged messages that the broker sends at once; Mosquitto queues another thousand."""

LOOK_S = 1.0
"""Minimum seconds between queries of the open events when tables send messages for one that is not open."""

RETRY_S = 1.0
"""Seconds before the stored events are acknowledged again if the database did not answer on a new connection."""

BROKER, DATABASE = "broker", "database"
"""Names of the two things whose health is tracked."""


class BrokerConnection(Protocol):
    """The methods that a hub uses of an MQTT session."""

    def start(self) -> None:
        """Connect, and stay connected."""

    def stop(self, last: Publication | None = None) -> None:
        """Send a last message and disconnect."""

    def publish(self, publication: Publication) -> bool:
        """Send a message; returns whether there is a connection to send it over."""


class HubTransport:
    """Receives and stores table messages, from `start` until `stop`."""

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
        """Connects on `start`.

        Args:
            ledger: the ledger that stores the events.
            address: the broker, and the hub's account there.
            jitter: returns random numbers from 0 to 1.
            on_events: called with event, table and stored events, after the commit; without events if messages were
                only refused.
            on_state: called with event and table when a table's state or presence has changed; must not block.
            on_alarm: called with an event for which something was quarantined, after the commit.
            on_health: called when `health` has changed; must not block.
            first_wait_s: seconds before the second attempt to connect.
            open_session: makes the MQTT session; same arguments as `BrokerSession`.

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
        self._writer = EventWriter(self._store, self._acknowledge, self._tell_stored, partial(self._note, DATABASE))
        channels = ((EVENTS, 1), (STATE, 1), (STATUS, 1))
        self._session = open_session(
            address,
            self,
            client_id=f"pegboard-hub-{ledger.hub_id}",
            will=self._presence(is_online=False),
            subscriptions=[(topics_of_tables(channel), qos) for channel, qos in channels],
            jitter=jitter,
            receive_maximum=MAX_IN_FLIGHT,
            first_wait_s=first_wait_s,
        )

    @property
    def health(self) -> list[Health]:
        """Health of the broker connection and the database. Never blocks."""
        return list(self._health.values())

    def tables(self, event: str) -> dict[str, HeardTable]:
        """The tables of an event heard so far, by name. Never blocks."""
        return self._live.of(event)

    def start(self) -> None:
        """Connect to the broker, and start storing."""
        self._writer.start()
        self._session.start()

    def stop(self) -> None:
        """Publish that the hub is offline, and stop."""
        self._session.stop(self._presence(is_online=False))
        with self._lock:
            self._has_ended = True
            self._retry.cancel()
        self._writer.stop()

    def send_command(self, event: str, table: str, command: Json) -> None:
        """Send a command to a table: now, and again after each reconnect; a table that connects later gets the newest.

        Acknowledges stored events first: a retained acknowledgement at the broker may come from a ledger that had more
        events than this copy.

        Raises:
            LedgerNotStored: the database does not answer.
        """
        place = (event, table)
        with self._lock:
            self._commands[place] = write_object(command)
        self._acknowledge(place)
        self._publish_command(place)

    def refresh_events(self) -> None:
        """Query which events are open, and tell the tables if that has changed.

        Raises:
            HubNotNow: the database does not answer.
        """
        found = frozenset(one.name for one in self._ledger.open_events())
        if found != self._open:
            self._open = found
            self._session.publish(self._presence(is_online=True))

    def note_event(self, event: str) -> None:
        """Handle a changed event: if it was just opened, query the open events, so that no table message is missed."""
        if event not in self._open:
            self._try_to_look()

    # --- called in the MQTT session's threads ---

    def note_connection(self) -> None:
        """Handle a new broker connection: acknowledge stored events first, then announce the hub."""
        self._birth = secrets.token_hex(8)
        self._acknowledge_all()
        for place in list(self._commands):
            self._publish_command(place)
        self._session.publish(self._presence(is_online=True))
        self._note(BROKER, None)
        log.info("connected to the broker")

    def _acknowledge_all(self) -> None:
        """Acknowledge every table's stored events; retried while the database does not answer."""
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
        """Schedule one retry of the acknowledgements, replacing any earlier one."""
        with self._lock:
            if self._has_ended:
                return
            self._retry.cancel()
            self._retry = threading.Timer(RETRY_S, self._acknowledge_all)
            self._retry.daemon = True
            self._retry.start()

    def note_loss(self, trouble: Message) -> None:
        """Handle a lost broker connection."""
        self._note(BROKER, trouble)
        for event, table in self._live.note_all_away():
            self._on_state(event, table)

    def note_delivery(self, delivery: Delivery) -> None:
        """Handle a message: events are acknowledged once they are stored, anything else at once."""
        parts = read_topic(delivery.topic)
        if parts is None or not self._is_open(parts.event):
            delivery.acknowledge()
        elif parts.channel != EVENTS:
            delivery.acknowledge()
            self._note_table(parts, delivery.payload)
        elif not self._writer.add(Waiting(parts.event, parts.table, delivery)):
            delivery.acknowledge()  # else the broker would stop sending even once there is room

    def _is_open(self, event: str) -> bool:
        if event not in self._open and time.monotonic() - self._looked_s > LOOK_S:
            self._looked_s = time.monotonic()
            self._try_to_look()
        return event in self._open

    def _try_to_look(self) -> None:
        with contextlib.suppress(NotNow):  # the database is down; the next message tries again
            self.refresh_events()

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

    # --- called in the writer thread ---

    def _tell_stored(self, report: StoreReport) -> None:
        for (event, table), rows in report.rows.items():
            self._live.note_events(event, table)
            self._on_events(event, table, rows)
        for event in {event for event, _ in report.alarms}:
            self._on_alarm(event)

    # --- any thread ---

    def _acknowledge(self, place: Place) -> None:
        """Acknowledge a table's stored events; the lock keeps acknowledgements in the order they were read."""
        with self._acknowledging:
            payload = write_acknowledgement(self._ledger.hub_id, self._store.acknowledgement_of(*place))
            self._session.publish(Publication(TableTopics(*place).of(ACK), payload, retain=True))
            self._note_read()

    def _note_read(self) -> None:
        """Clear the trouble of a query that was not answered; other reasons for not storing remain."""
        if self._unread is not None and self._health[DATABASE].trouble == self._unread:
            self._note(DATABASE, None)
        self._unread = None

    def _publish_command(self, place: Place) -> None:
        """Send a table its newest command; the lock keeps commands in the order they were sent."""
        topic = TableTopics(*place).of(COMMANDS)
        with self._lock:
            self._session.publish(Publication(topic, self._commands[place], 1, retain=True))

    def _presence(self, *, is_online: bool) -> Publication:
        own = HubPresence(self._ledger.hub_id, is_online, self._birth, tuple(sorted(self._open)))
        return Publication(topic_of_hub(self._ledger.hub_id), write_presence(own), 1, retain=True)

    def _note(self, what: str, trouble: Message | None) -> None:
        """Record the health of the broker or the database, and report changes."""
        before = self._health[what]
        self._health[what] = note_trouble(before, trouble, self._ledger.clock() / 1e9)
        if self._health[what] != before:
            self._on_health()
