"""Which events are sent next: a window of unacknowledged ones, and a back-off before they are sent again.

Pure: the time and chance come as arguments.
"""

from collections import deque
from collections.abc import Callable, Sequence

from pegboard.hub_protocol.event_messages import WINDOW

FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 60.0
"""Seconds without an acknowledgement after which all is sent again: at first, and at most.

Half as much to half as much again, as chance has it: with a fixed wait a room of tables sends all at one moment.
"""


class SendWindow:
    """Events of one epoch that are sent and not acknowledged.

    Attributes:
        acknowledged: the number up to which the hub has them.
        sent: the number up to which they are sent.
    """

    def __init__(self, jitter: Callable[[], float], acknowledged: int = 0) -> None:
        """`jitter` gives numbers from 0 to 1 by chance."""
        self._jitter = jitter
        self._under_way: deque[int] = deque()
        self._wait_s, self._due_s = FIRST_WAIT_S, 0.0
        self.acknowledged = self.sent = acknowledged

    @property
    def room(self) -> int:
        """How many more events may be sent now."""
        return WINDOW - len(self._under_way)

    @property
    def due_s(self) -> float | None:
        """When all is sent again unless the hub acknowledges some; None where nothing is under way."""
        return self._due_s if self._under_way else None

    def note_sent(self, numbers: Sequence[int], now_s: float) -> None:
        """These events are sent."""
        if not self._under_way:
            self._set_due(now_s)
        self._under_way.extend(numbers)
        self.sent = numbers[-1]

    def acknowledge(self, number: int, now_s: float) -> None:
        """The hub has the events up to `number`; a hub that was put back to an older state has fewer than before."""
        has_come_on = number > self.acknowledged
        has_gone_back = number < self.acknowledged
        self.acknowledged = number
        if has_gone_back or number > self.sent:
            self.restart()
        while self._under_way and self._under_way[0] <= number:
            self._under_way.popleft()
        if has_come_on:
            self._wait_s = FIRST_WAIT_S
            self._set_due(now_s)

    def restart(self) -> None:
        """Send from what is acknowledged on again: after a new connection, or the birth of a hub."""
        self._under_way.clear()
        self.sent = self.acknowledged

    def back_off(self, now_s: float) -> bool:
        """Where the hub has been silent for too long, send all again, and wait longer the next time; whether so."""
        if not self._under_way or now_s < self._due_s:
            return False
        self.restart()
        self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)
        return True

    def _set_due(self, now_s: float) -> None:
        self._due_s = now_s + self._wait_s * (0.5 + self._jitter())
