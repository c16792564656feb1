"""The tables as they are now: whether each is there, and what it shows. Nothing of it is stored."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pegboard.hub.ledger.event_store import Place
from pegboard.mqtt.messages_of_hub import read_small_object, read_status


@dataclass(frozen=True, slots=True)
class HeardTable:
    """A table as the broker has it.

    Attributes:
        table: its name.
        online: whether it is connected to the broker.
        since: when that last changed, in nanoseconds since 1970 by the hub's clock.
        state: what it shows, as it said itself; None before it has said anything.
        last_event_at: when events of it were stored last; None before that.
    """

    table: str
    online: bool = False
    since: int = 0
    state: dict[str, Any] | None = None
    last_event_at: int | None = None


class LiveTables:
    """All tables of all events."""

    def __init__(self, clock: Callable[[], int]) -> None:
        """`clock` gives nanoseconds since 1970."""
        self._clock, self._lock = clock, threading.Lock()
        self._tables: dict[Place, HeardTable] = {}

    def of(self, event: str) -> dict[str, HeardTable]:
        """The tables of an event that have been heard of, by name."""
        with self._lock:
            return {table: one for (of_event, table), one in self._tables.items() if of_event == event}

    def note_status(self, event: str, table: str, payload: bytes) -> None:
        """A table says that it is there, or its will that it is not.

        Raises:
            BadMessage: the payload says nothing of it.
        """
        online = bool(payload) and read_status(payload)
        before = self._get(event, table)
        if online != before.online:
            self._put(event, replace(before, online=online, since=self._clock()))

    def note_state(self, event: str, table: str, payload: bytes) -> None:
        """A table says what it shows.

        Raises:
            BadMessage: the payload is no state.
        """
        state = read_small_object(payload) if payload else None
        self._put(event, replace(self._get(event, table), state=state))

    def note_events(self, event: str, table: str) -> None:
        """Events of a table have been stored."""
        self._put(event, replace(self._get(event, table), last_event_at=self._clock()))

    def note_all_away(self) -> list[Place]:
        """The broker is not there, so nobody is heard of; returns the tables that were there until now."""
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
