"""The table's MQTT link to a hub: publishes journal events, the table's state and its presence, in a thread.

Only that thread changes the link's state; input from the broker, the feed and `stop` arrives through its queue.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from pegboard.core.board import Game
from pegboard.core.sentences import phase_sentence
from pegboard.core.view import View
from pegboard.core.wire import Json
from pegboard.devices.health import Health
from pegboard.errors import JournalError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.mqtt.broker_session import BrokerSession, Delivery, Publication, note_trouble
from pegboard.mqtt.joined_event import JoinedEvent
from pegboard.mqtt.messages_of_hub import (
    ACK,
    COMMANDS,
    EVENTS,
    EVERY_HUB,
    STATE,
    STATUS,
    Acknowledged,
    BadMessage,
    HubPresence,
    TableTopics,
    read_acknowledgement,
    read_presence,
    read_small_object,
    write_object,
    write_status,
)
from pegboard.mqtt.outbox import NOTHING, KnownHubs, Outbox, SendWindow
from pegboard.storage.reader import JournalReader, read_snapshot

# --- condition of the link: how many events are pending, and error messages ---


SILENCE_S = 15.0
"""Seconds without an acknowledgment, while events are pending, before the link reports trouble."""


@dataclass
class LinkCondition:
    """The current condition of the link.

    Attributes:
        lost: the reason why there is no connection; None while connected.
        unreadable: the reason why the journal could not be read; None if it could.
        is_other: whether the hub has different events under the numbers of the journal.
        waiting: the number of events that the hub lacks.
        heard_s: when the hub last acknowledged more events, or lacked none (monotonic clock).
    """

    lost: Message | None
    unreadable: Message | None = None
    is_other: bool = False
    waiting: int = 0
    heard_s: float = 0.0

    def note_waiting(self, waiting: int, now_s: float) -> None:
        """Record the number of events that are not acknowledged."""
        if waiting < self.waiting or not self.waiting:
            self.heard_s = now_s
        self.waiting = waiting

    def trouble(self, hubs: KnownHubs, event: str, table: str, now_s: float) -> Message | None:
        """The reason why the hub lacks events or will not get them; None if all is well."""
        if self.lost is not None or self.unreadable is not None:
            return self.lost or self.unreadable
        if self.is_other:
            return Message("trouble_hub_history", table=table)
        if hubs.is_event_unknown:
            return Message("trouble_hub_event", event=event)
        if not hubs.present:
            return Message("trouble_hub_away")
        return Message("trouble_hub_silent") if self.waiting and now_s >= self.heard_s + SILENCE_S else None


# --- sender of the events that the hub lacks, in a window, whenever some are due ---


RETRY_S = 5.0
"""Seconds before retrying to read a journal that could not be read."""


class EventSender:
    """Sends journal events, and tracks their acknowledgment; used by one thread.

    Attributes:
        is_due: whether there may be something to send: new events, or a new acknowledgment.
        acknowledged: the last event that the hub has, by epoch.
    """

    def __init__(
        self, folder: Path, since: int, publish: Callable[[bytes], bool], table: str, jitter: Callable[[], float]
    ) -> None:
        """Send events of games that began after event `since`, with `publish`, as `table`."""
        self._folder, self._since, self._publish, self._table = folder, since, publish, table
        self._jitter, self._window = jitter, SendWindow(jitter)
        self._epochs: list[str] = []
        self._epoch = ""
        self._retry_s: float | None = None
        self._view = View()
        self.is_due = False
        self.acknowledged: Mapping[str, Acknowledged] = {}

    @property
    def due_s(self) -> float | None:
        """When to resend or retry (monotonic clock); None to wait for news."""
        times = [at for at in (self._window.due_s, self._retry_s) if at is not None]
        return min(times, default=None)

    def note_view(self, view: View) -> None:
        """Note a new view: there may be new events."""
        self.is_due |= (view.epoch, view.revision) != (self._view.epoch, self._view.revision)
        self._view = view

    def restart(self) -> None:
        """Resend everything that is not acknowledged: after a reconnect, or if a hub has a new `birth`."""
        self._window.restart()
        self.is_due = True

    def send(self, acknowledged: Mapping[str, Acknowledged] | None, condition: LinkCondition, now_s: float) -> None:
        """Send due events; `acknowledged` are the last events that all hubs have, None if no hub is online."""
        self.is_due |= self._window.back_off(now_s)
        if self._retry_s is not None and now_s >= self._retry_s:
            self.is_due, self._retry_s = True, None
        if acknowledged is None or not self.is_due:
            return
        self.is_due, condition.unreadable, self.acknowledged = False, None, acknowledged
        try:
            with read_snapshot(self._folder) as journal:
                self._send_from(journal, condition, now_s)
        except JournalError as error:
            self._retry_s, condition.unreadable = now_s + RETRY_S, error.message

    def _send_from(self, journal: JournalReader, condition: LinkCondition, now_s: float) -> None:
        if self._view.epoch not in self._epochs:
            self._epochs = journal.epochs_of_games(self._since)
        outbox = Outbox(journal, self._since, self._epochs)
        condition.is_other = outbox.is_other_history(self.acknowledged, self._view.epoch)
        self._select_epoch(outbox.find_epoch(self.acknowledged) or self._epoch, now_s)
        while self._epoch and (page := outbox.read_page(self._epoch, self._window.sent, self._window.room)):
            if not self._publish(page.message(self._table)):
                break
            self._window.note_sent(page.numbers, now_s)
        condition.note_waiting(outbox.count_waiting(self.acknowledged), now_s)

    def _select_epoch(self, epoch: str, now_s: float) -> None:
        """Continue with that epoch after its last acknowledged event."""
        number = self.acknowledged.get(epoch, NOTHING).seq
        if epoch != self._epoch:
            self._epoch, self._window = epoch, SendWindow(self._jitter, number)
        self._window.acknowledge(number, now_s)


# --- live state of the table for the hub's pages: a flat document of the game on the board ---


def state_of(view: View, own_device: str) -> Json:
    """The state in a view; `own_device` is the link's own name, as its errors cannot reach the hub."""
    game = view.game
    return {
        "epoch": view.epoch,
        "newest": view.revision,
        "game": view.id,
        "match": view.match_id,
        "variant": game.rules.variant,
        "players": list(game.first_players),
        "scores": [lane.front for lane in game.lanes],
        "rear": [lane.rear for lane in game.lanes],
        "game_hole": game.rules.game_hole,
        "strict": game.rules.strict,
        "deal": game.standing.deal,
        "dealer": game.dealer,
        "phase": str(game.phase),
        "says": str(phase_sentence(game, awaits_cut=view.awaits_cut)),
        "confirmed": list(game.confirmed),
        "trouble": [device.name for device in view.devices if device.trouble and device.name != own_device],
        **_outcome(game),
    }


def _outcome(game: Game) -> dict[str, Any]:
    """The outcome of the game: the winning lane, and the worst skunk of the others."""
    outcome = game.outcome
    return {
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "skunks": 0 if outcome is None else max(outcome.skunks),
    }


NAME = "Hub"
"""The link's name in the list of devices."""

Item: TypeAlias = Delivery | View | Message | str
"""An item of the queue: a broker message, a view, the reason for a lost connection, or one of the words below."""

CONNECTED, WOKEN, END = "connected", "woken", "end"

log = logging.getLogger("pegboard")


class HubLink:
    """Follows the feed, and sends the events that the hub lacks; `start` returns the function that stops it."""

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
        first_wait_s: float = 1.0,
    ) -> None:
        """Prepare the link; it connects on `start`.

        Args:
            joined: the joined event, and the newest journal event when the table first joined.
            folder: the folder of the journal.
            on_health: called when the health has changed.
            jitter: returns random numbers from 0 to 1.
            on_command: called with each command of the hub, in the link's thread; the newest command arrives again
                after each reconnect.
            on_change: called after `is_connected`, `waiting` or `acknowledged` has changed, in the link's thread.
            more_state: returns more values to publish with the state; call `wake` when they change.
            first_wait_s: seconds before the second attempt to connect.

        Raises:
            DeviceError: paho-mqtt is missing, or the broker's URL or a name is invalid.
        """
        address = joined.target.address
        self._target = joined.target
        self._on_health, self._on_change, self._on_command = on_health, on_change, on_command
        self._more_state = more_state
        self._topics = TableTopics(joined.target.event, joined.target.table)
        self._health = Health(NAME, str(address), ok=False, trouble=Message("trouble_mqtt_begins"))
        self._queue: SimpleQueue[Item] = SimpleQueue()
        self._view = View()
        self._hubs = KnownHubs(joined.target.event)
        self._sender = EventSender(folder, joined.since, self._publish_events, joined.target.table, jitter)
        self._now = LinkCondition(Message("trouble_mqtt_begins"))
        self._has_news = False
        self._reported: tuple[object, ...] = ()
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
        """Whether the hub has all events, or why not. Never blocks."""
        return self._health

    @property
    def is_connected(self) -> bool:
        """Whether the broker is connected and a hub that serves the event is online. Never blocks."""
        return self._now.lost is None and bool(self._hubs.present)

    @property
    def waiting(self) -> int:
        """The number of events that the hub lacks, as far as is known. Never blocks."""
        return self._now.waiting

    def start(self, feed: Feed) -> Callable[[], None]:
        """Send the events that the hub lacks, now and with every new view; the returned function stops the link."""
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
        """Publish the values of `more_state`, after they have changed. Never blocks; called from any thread."""
        self._queue.put(WOKEN)

    # --- called in the session's threads ---

    def note_connection(self) -> None:
        """Queue the news of a connection."""
        self._queue.put(CONNECTED)

    def note_delivery(self, delivery: Delivery) -> None:
        """Queue a message that has arrived."""
        self._queue.put(delivery)

    def note_loss(self, trouble: Message) -> None:
        """Queue the reason for a lost connection."""
        self._queue.put(trouble)

    # --- in the link's own thread ---

    def _run(self) -> None:
        while (item := self._next_item()) != END:
            try:
                if item is not None:
                    self._note(item)
                if self._queue.empty():
                    self._go_on()
            except Exception:  # continue with the next item
                log.exception("error in the link to the hub")

    def _next_item(self) -> Item | None:
        """The next item of the queue; None if something becomes due first."""
        times = [at for at in (self._sender.due_s, self._silence_deadline()) if at is not None]
        seconds = max(0.0, min(times) - time.monotonic()) if times and self._now.lost is None else None
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
            self._hubs.forget_presences()  # not with CONNECTED: the broker may send presences before that
        else:
            self._has_news = True
        if item == CONNECTED:
            self._now.lost, self._now.heard_s = None, time.monotonic()
            self._sender.restart()

    def _hear(self, delivery: Delivery) -> None:
        """Process a message from a hub; unreadable messages are logged and ignored."""
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
        if payload:  # an empty payload clears the retained command
            self._on_command(read_small_object(payload))

    def _go_on(self) -> None:
        """Publish a new state, send the events that the hub lacks, and report the link's health."""
        if self._now.lost is None:
            if self._has_news:
                self._has_news = False
                self._session.publish_change(self._status(is_online=True))
                self._session.publish_change(Publication(self._topics.of(STATE), self._state(), 1, retain=True))
            acknowledged = self._hubs.common_acknowledgement() if self._hubs.present else None
            self._sender.send(acknowledged, self._now, time.monotonic())
        self._report_health()

    def _state(self) -> bytes:
        return write_object({"table": self._target.table} | state_of(self._view, NAME) | self._more_state())

    def _status(self, *, is_online: bool) -> Publication:
        payload = write_status(self._target.table, self._view.epoch, is_online=is_online)
        return Publication(self._topics.of(STATUS), payload, 1, retain=True)

    def _publish_events(self, message: bytes) -> bool:
        return self._session.publish(Publication(self._topics.of(EVENTS), message, 1))

    def _silence_deadline(self) -> float | None:
        """When the hub counts as silent for too long; None if no events are pending, or trouble is already reported."""
        return self._now.heard_s + SILENCE_S if self.waiting and self._health.ok else None

    def _report_health(self) -> None:
        before, target = self._health, self._target
        trouble = self._now.trouble(self._hubs, target.event, target.table, time.monotonic())
        self._health = note_trouble(before, trouble, time.time())
        if self._health != before:
            self._on_health()
        now = (self.is_connected, self.waiting, self._sender.acknowledged)
        if now != self._reported:
            self._reported = now
            self._on_change()
