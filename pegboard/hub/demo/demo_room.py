"""Demo tables: one thread that plays all simulated tables at any speed; in-process broker between them and the hub."""

import heapq
import itertools
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, Self

from pegboard.hub.demo.demo_table import DemoTable
from pegboard.mqtt.broker_session import BrokerAddress, Delivery, Publication, SessionOwner
from pegboard.mqtt.messages_of_hub import COMMANDS

# --- in-process broker for the demo: a hub's session on one side, simulated tables on the other, all in one thread ---


log = logging.getLogger("pegboard")


class DemoBroker:
    """Carries messages between one hub and the tables; it is also the hub's session, whose connection is never lost.

    Attributes:
        news: queue of all messages from the hub; None wakes up the waiting reader.
    """

    def __init__(self) -> None:
        """`open_session` replaces `BrokerSession` for the hub."""
        self.news: SimpleQueue[Publication | None] = SimpleQueue()
        self._hub: SessionOwner | None = None
        self._is_connected = False

    def open_session(self, _address: BrokerAddress, owner: SessionOwner, **_: Any) -> Self:
        """The session of the hub `owner`; it always has a hub's subscriptions."""
        self._hub = owner
        return self

    def start(self) -> None:
        """Connect the hub."""
        assert self._hub is not None
        self._is_connected = True
        self._hub.note_connection()

    def stop(self, last: Publication | None = None) -> None:
        """Send the hub's last message and disconnect it."""
        if last is not None:
            self.publish(last)
        self._is_connected = False

    def publish(self, publication: Publication) -> bool:
        """Queue a message of the hub for the tables; from any thread."""
        self.news.put(publication)
        return True

    def publish_to_hub(self, topic: str, payload: bytes) -> bool:
        """Hand the hub a message of a table; returns whether the hub is connected. Errors in handling are contained."""
        if self._hub is None or not self._is_connected:
            return False
        try:
            self._hub.note_delivery(Delivery(topic, payload))
        except Exception:
            log.exception("a message could not be processed")
        return True


STATE_S = 0.25
"""Minimum seconds between two states of a table."""

LOOK_S = 1.0
"""Seconds until an idle table looks for a game again, and resends unacknowledged events."""

AT_ONCE = 8
"""Turns taken before the hub's messages are read again."""


class DemoRoom:
    """Tables of one event that play from `start` until `stop`."""

    def __init__(
        self,
        broker: DemoBroker,
        event: str,
        tables: Sequence[str],
        *,
        speed: float,
        dice: random.Random,
        may_begin: Callable[[str, str], bool],
    ) -> None:
        """The tables stay idle until `start`.

        Args:
            broker: carries their messages.
            event: the event id.
            tables: the names of the tables.
            speed: how many times faster than people the tables play; `math.inf` for no waiting.
            dice: random source.
            may_begin: returns whether a game can begin at a table, given table and game key; only in a started round.
        """
        self._broker, self._speed, self._may_begin = broker, speed, may_begin
        own = [random.Random(dice.getrandbits(64)) for _ in tables]  # noqa: S311 - cards of a simulation
        self._tables = [
            DemoTable(event, table, chance, broker.publish_to_hub) for table, chance in zip(tables, own, strict=True)
        ]
        self._order = itertools.count()
        self._due: list[tuple[float, int, DemoTable]] = []
        self._state_s: dict[str, float] = {}
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="demo tables", daemon=True)

    def start(self) -> None:
        """Start playing."""
        for table in self._tables:
            self._plan(table, 0.0)
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._is_stopping = True
        self._broker.news.put(None)
        if self._thread.is_alive():
            self._thread.join(5.0)

    def wake(self) -> None:
        """Check at once whether a game may begin, because a round has started. From any thread."""
        self._broker.news.put(None)

    def _run(self) -> None:
        for table in self._tables:
            table.say_status(is_online=True)
            table.say_state()
        while not self._is_stopping:
            self._listen(self._due[0][0] - time.monotonic())
            for _ in range(AT_ONCE):
                if self._due[0][0] <= time.monotonic():
                    self._take_turn(heapq.heappop(self._due)[2])
        for table in self._tables:
            table.say_status(is_online=False)

    def _listen(self, wait_s: float) -> None:
        """Deliver what the hub sends; wait up to `wait_s` for the first message."""
        is_news = False
        try:
            said = self._broker.news.get(timeout=wait_s) if wait_s > 0 else self._broker.news.get_nowait()
            while True:
                is_news |= self._deliver(said)
                said = self._broker.news.get_nowait()
        except Empty:
            pass
        if is_news:
            self._hurry()

    def _deliver(self, said: Publication | None) -> bool:
        """Deliver a message to all tables; returns whether a new game may begin because of it."""
        if said is None:
            return True
        now_s = time.monotonic()
        for table in self._tables:
            table.hear(said.topic, said.payload, now_s)
        return said.topic.endswith(f"/{COMMANDS}")

    def _hurry(self) -> None:
        """Let idle tables take their turn at once."""
        self._due = [(at_s if table.is_playing else 0.0, number, table) for at_s, number, table in self._due]
        heapq.heapify(self._due)

    def _take_turn(self, table: DemoTable) -> None:
        """Let a table take its turn, and schedule its next one; an error at one table stops no other."""
        wait_s = LOOK_S
        try:
            wait_s = self._move(table)
        except Exception:
            log.exception("error in a simulated table")
        self._plan(table, time.monotonic() + wait_s)

    def _move(self, table: DemoTable) -> float:
        """Let a table do what is due, and return the seconds until its next turn."""
        at, wait_s = time.time_ns(), LOOK_S
        order = table.next_game()
        if table.is_playing:
            table.go_on(at)
            wait_s = table.wait_s() / self._speed
        elif order is not None and self._may_begin(table.table, order.game):
            table.begin(order, at)
            wait_s = table.wait_s() / self._speed
        now_s = time.monotonic()
        table.send(now_s)
        if now_s >= self._state_s.get(table.table, 0.0) or not table.is_playing:
            self._state_s[table.table] = now_s + STATE_S
            table.say_state()
        return wait_s

    def _plan(self, table: DemoTable, at_s: float) -> None:
        heapq.heappush(self._due, (at_s, next(self._order), table))
