"""The journal of a simulated table, in memory: numbered events as lines of an export, linked by a hash chain."""

import hashlib
import json
from collections import Counter

from pegboard.core import wire
from pegboard.core.moves import Event
from pegboard.mqtt.messages_of_hub import write_events

SOURCE = "key"
"""What the events are entered with."""


class DemoJournal:
    """Events of one table; what is sent of them is a message as any table's."""

    def __init__(self, table: str, epoch: str) -> None:
        """The empty journal of `table`, whose id is `epoch`."""
        self.table, self.epoch = table, epoch
        self._lines: list[str] = []
        self._links = [""]
        self._places: Counter[str] = Counter()

    @property
    def newest(self) -> int:
        """The number of the newest event; 0 before the first."""
        return len(self._lines)

    def add(self, game: str, event: Event, at: int) -> int:
        """Append an event of a game at `at` (ns since 1970), and return its number."""
        self._places[game] += 1
        kind, body = wire.event_values(event)
        values = {
            "id": self.newest + 1,
            "epoch": self.epoch,
            "game": game,
            "seq": self._places[game],
            "at": at,
            "source": SOURCE,
            "kind": kind,
            "v": wire.version(event),
            "body": body,
        }
        self._lines.append(json.dumps(values, ensure_ascii=False))
        self._links.append(hashlib.sha256(f"{self._links[-1]}{self._lines[-1]}".encode()).hexdigest()[:32])
        return self.newest

    def message(self, after: int, most: int) -> tuple[bytes, range]:
        """The message with the events after number `after`, `most` of them at most, and their numbers."""
        last = min(after + most, self.newest)
        lines, link = self._lines[after:last], self._links[last]
        return write_events(self.table, self.epoch, (after, self._links[after]), link, lines), range(
            after + 1, last + 1
        )
