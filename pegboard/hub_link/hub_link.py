"""The table's link to a hub: publishes the events of its journal, its state and that it is there, in a thread.

The thread alone changes what it knows; what comes from the broker, the feed and the end is put into its queue.
"""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from pegboard.core.view import View
from pegboard.core.wire import Json
from pegboard.devices.health import Health
from pegboard.feed import Feed
from pegboard.hub_link.event_sender import EventSender
from pegboard.hub_link.hubs_heard import HubsHeard
from pegboard.hub_link.joined_event import JoinedEvent
from pegboard.hub_link.journal_outbox import NOTHING
from pegboard.hub_link.link_condition import SILENCE_S, LinkCondition
from pegboard.hub_link.state_document import state_of
from pegboard.hub_protocol.broker_session import BrokerSession, Delivery, Publication
from pegboard.hub_protocol.hub_messages import (
    HubPresence,
    read_acknowledgement,
    read_presence,
    read_small_object,
    write_object,
    write_status,
)
from pegboard.hub_protocol.message_json import BadMessage
from pegboard.hub_protocol.table_topics import ACK, COMMANDS, EVENTS, EVERY_HUB, STATE, STATUS, TableTopics
from pegboard.messages import Message

NAME = "Hub"
"""Its name among the devices."""

Item: TypeAlias = Delivery | View | Message | str
"""What is put into the queue: a message of the broker, a view, why the connection was lost, or one of these words."""

CONNECTED, WOKEN, END = "connected", "woken", "end"

log = logging.getLogger("pegboard")


class HubLink:
    """Follows the feed, and sends what the hub lacks; `start` begins, and the function that it returns ends."""

    def __init__(
        self,
        joined: JoinedEvent,
        folder: Path,
        on_health: Callable[[], None],
        *,
        jitter: Callable[[], float],
        on_command: Callable[[Json], None] = lambda _: None,
        on_change: Callable[[], None] = lambda: None,
        more_state: Callable[[], Json] = dict,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        first_wait_s: float = 1.0,
    ) -> None:
        """It connects from `start` on.

        Args:
            joined: the event, and since when.
            folder: the folder of the journal.
            on_health: wakes whoever shows the health.
            jitter: gives numbers from 0 to 1 by chance.
            on_command: is called with each command of the hub, in the link's thread; the newest comes again with
                each connection.
            on_change: is called whenever `is_connected`, `waiting` or `acknowledged` has changed, in the link's thread.
            more_state: what is published with the state besides; `wake` says that it has changed.
            clock: steady seconds.
            wall: seconds since 1970.
            first_wait_s: seconds before the second try to connect.

        Raises:
            DeviceError: paho-mqtt is missing, or what names the broker or the event cannot be accepted.
        """
        address = joined.target.address
        self._target = joined.target
        self._on_health, self._on_change, self._on_command = on_health, on_change, on_command
        self._more_state = more_state
        self._clock, self._wall = clock, wall
        self._topics = TableTopics(joined.target.event, joined.target.table)
        self._health = Health(NAME, str(address), ok=False, trouble=Message("trouble_mqtt_begins"))
        self._queue: SimpleQueue[Item] = SimpleQueue()
        self._view = View()
        self._hubs = HubsHeard(joined.target.event)
        self._sender = EventSender(folder, joined.since, self._publish_events, joined.target.table, jitter)
        self._now = LinkCondition(Message("trouble_mqtt_begins"))
        self._has_news = False
        self._reported: tuple[object, ...] = ()
        self._published: dict[str, bytes] = {}
        own = [(self._topics.of(channel), 1) for channel in (ACK, COMMANDS)]
        self._session = BrokerSession(
            address,
            self,
            client_id=f"pegboard-{joined.target.event}-{joined.target.table}",
            will=self._status(is_online=False),
            subscriptions=[*own, (EVERY_HUB, 1)],
            jitter=jitter,
            first_wait_s=first_wait_s,
        )

    @property
    def health(self) -> Health:
        """Whether the hub has all events, or why not. Never waits."""
        return self._health

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there, and a hub that serves the event. Never waits."""
        return self._now.lost is None and bool(self._hubs.present)

    @property
    def waiting(self) -> int:
        """How many events the hub lacks, as far as is known. Never waits."""
        return self._now.waiting

    def acknowledged_number(self, epoch: str) -> int:
        """The number up to which the hub has the events of an epoch of the journal; 0 for none. Never waits."""
        return self._sender.acknowledged.get(epoch, NOTHING).seq

    def start(self, feed: Feed) -> Callable[[], None]:
        """Send what the hub lacks, now and with every new view; the returned function ends that."""
        self._view = feed.view
        self._sender.note_view(feed.view)
        leave = feed.follow(self._queue.put)
        thread = threading.Thread(target=self._run, name="hub link", daemon=True)
        thread.start()
        self._session.start()

        def stop() -> None:
            leave()
            self._queue.put(END)
            thread.join(1.0)
            self._session.stop(self._status(is_online=False))

        return stop

    def wake(self) -> None:
        """What `more_state` gives has changed. Never waits; called from any thread."""
        self._queue.put(WOKEN)

    # --- called in the session's threads ---

    def note_connection(self) -> None:
        """The broker has accepted the connection."""
        self._queue.put(CONNECTED)

    def note_delivery(self, delivery: Delivery) -> None:
        """A message has arrived."""
        self._queue.put(delivery)

    def note_loss(self, trouble: Message) -> None:
        """There is no connection."""
        self._queue.put(trouble)

    # --- in the link's own thread ---

    def _run(self) -> None:
        while (item := self._next_item()) != END:
            try:
                if item is not None:
                    self._note(item)
                if self._queue.empty():
                    self._go_on()
            except Exception:  # the next item is as good as this one
                log.exception("error in the link to the hub")

    def _next_item(self) -> Item | None:
        """The next item of the queue; None once something is due before one comes."""
        times = [at for at in (self._sender.due_s, self._silent_from()) if at is not None]
        seconds = max(0.0, min(times) - self._clock()) if times and self._now.lost is None else None
        try:
            return self._queue.get(timeout=seconds)
        except Empty:
            return None

    def _note(self, item: Item) -> None:
        if isinstance(item, Delivery):
            self._hear(item)
        elif isinstance(item, View):
            self._sender.note_view(item)
            self._view, self._has_news = item, True
        elif isinstance(item, Message):
            self._now.lost = item
            self._hubs.forget_presences()  # not with CONNECTED: the broker may say who is there before that
        else:
            self._has_news = True
        if item == CONNECTED:
            self._now.lost, self._now.heard_s = None, self._clock()
            self._sender.restart()
            self._published.clear()

    def _hear(self, delivery: Delivery) -> None:
        """Take in what a hub says; what cannot be read says nothing."""
        delivery.acknowledge()
        try:
            if delivery.topic == self._topics.of(ACK):
                self._hubs.note_acknowledgement(*read_acknowledgement(delivery.payload))
                self._sender.is_due = True
            elif delivery.topic == self._topics.of(COMMANDS):
                self._carry_out(delivery.payload)
            else:
                self._note_presence(read_presence(delivery.payload))
        except BadMessage as error:
            log.warning("%s: %s: %s", NAME, delivery.topic, error)

    def _note_presence(self, presence: HubPresence) -> None:
        if self._hubs.note_presence(presence):
            self._sender.restart()
        self._sender.is_due = True

    def _carry_out(self, payload: bytes) -> None:
        if payload:  # an empty one takes a command back
            self._on_command(read_small_object(payload))

    def _go_on(self) -> None:
        """Publish what is new, send what the hub lacks, and tell how the link is."""
        if self._now.lost is None:
            if self._has_news:
                self._has_news = False
                self._publish(self._status(is_online=True))
                self._publish(Publication(self._topics.of(STATE), self._state(), 1, retain=True))
            acknowledged = self._hubs.common_acknowledgement() if self._hubs.present else None
            self._sender.send(acknowledged, self._now, self._clock())
        self._tell_health()

    def _state(self) -> bytes:
        return write_object({"table": self._target.table} | state_of(self._view, NAME) | self._more_state())

    def _status(self, *, is_online: bool) -> Publication:
        payload = write_status(self._target.table, self._view.epoch, is_online=is_online)
        return Publication(self._topics.of(STATUS), payload, 1, retain=True)

    def _publish(self, publication: Publication) -> None:
        """Publish what the broker has not got from this connection."""
        if self._published.get(publication.topic) != publication.payload and self._session.publish(publication):
            self._published[publication.topic] = publication.payload

    def _publish_events(self, message: bytes) -> bool:
        return self._session.publish(Publication(self._topics.of(EVENTS), message, 1))

    def _silent_from(self) -> float | None:
        """When the hub will have been silent for too long; None where nothing waits, or that is known."""
        return self._now.heard_s + SILENCE_S if self.waiting and self._health.ok else None

    def _tell_health(self) -> None:
        about, before = str(self._target.address), self._health
        trouble = self._now.trouble(self._hubs, self._target.event, self._target.table, self._clock())
        if trouble is None:
            self._health = before.mark_ok(about)
        elif before.ok or before.trouble != trouble:
            log.warning("%s: %s", NAME, trouble)
            self._health = before.mark_failed(trouble, self._wall())
        if self._health != before:
            self._on_health()
        now = (self.is_connected, self.waiting, self._sender.acknowledged)
        if now != self._reported:
            self._reported = now
            self._on_change()
