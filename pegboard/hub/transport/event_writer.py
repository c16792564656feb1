"""The thread that stores what tables send: takes from a bounded queue, commits, acknowledges."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, Full, Queue

from pegboard.errors import NotStored
from pegboard.hub.ledger.arrivals import Arrival, MessageOutcome, read_arrival
from pegboard.hub.ledger.event_store import MOST_AT_ONCE, EventStore, Place, StoreReport
from pegboard.messages import Message
from pegboard.mqtt.broker_session import Delivery

ROOM = 4_000
"""Messages that wait at most; one more is dropped, and its table sends it again."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 15.0
"""Seconds before a database that could not store is tried again: at first, and at most."""

log = logging.getLogger("pegboard")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message in the queue, with the event and the table of its topic."""

    event: str
    table: str
    delivery: Delivery


class EventWriter:
    """Stores messages in the order in which they came, many in one transaction."""

    def __init__(
        self,
        store: EventStore,
        acknowledge: Callable[[Place], None],
        stored: Callable[[StoreReport], None],
        on_trouble: Callable[[Message | None], None],
    ) -> None:
        """All of these are called in the thread that stores.

        Args:
            store: the ledger's.
            acknowledge: tells a table up to where the ledger has its events.
            stored: hears what was stored.
            on_trouble: hears why nothing can be stored, and None whenever something was.
        """
        self._store, self._acknowledge, self._stored, self._on_trouble = store, acknowledge, stored, on_trouble
        self._queue: Queue[Waiting | None] = Queue(ROOM)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)

    def start(self) -> None:
        """Store from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End once the transaction that is under way has ended."""
        self._stopping.set()
        with_room = self._queue.qsize() < ROOM
        if with_room:
            self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(5.0)

    def add(self, waiting: Waiting) -> bool:
        """Put a message into the queue; whether there was room. Never waits."""
        try:
            self._queue.put_nowait(waiting)
        except Full:
            return False
        return True

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                if (first := self._next()) is not None:
                    self._deal_with(self._gather(first))
            except Exception:  # no message ends the hub
                log.exception("error while storing messages")

    def _next(self) -> tuple[Waiting, Arrival] | None:
        waiting = self._queue.get()
        return None if waiting is None else self._read(waiting)

    @staticmethod
    def _read(waiting: Waiting) -> tuple[Waiting, Arrival]:
        return waiting, read_arrival(waiting.event, waiting.table, waiting.delivery.payload)

    def _gather(self, first: tuple[Waiting, Arrival]) -> list[tuple[Waiting, Arrival]]:
        """What waits, as much as one transaction takes."""
        together, size = [first], first[1].size
        while size < MOST_AT_ONCE:
            try:
                waiting = self._queue.get_nowait()
            except Empty:
                break
            if waiting is None:
                break
            together.append(self._read(waiting))
            size += together[-1][1].size
        return together

    def _deal_with(self, together: list[tuple[Waiting, Arrival]]) -> None:
        """Store, and then acknowledge: to the tables first, then to the broker.

        What is not stored for a fault of ours its table sends again; the broker holds nothing back for it.
        """
        report = StoreReport((), {})
        try:
            stored = self._store_patiently([arrival for _, arrival in together])
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

    def _store_patiently(self, arrivals: list[Arrival]) -> StoreReport | None:
        """What was stored, once it could be; None where the end came first."""
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
