"""Throttles: so many at once, then so many a second for each who asks; nobody is ever shut out."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

ROOM = 4096
"""Askers that are remembered; whoever has not asked for longest is forgotten first."""

CRUMB_S = 1e-6
"""What sums of fractions leave over is no wait."""


class Throttle:
    """Lets each asker do `burst` things at once, and `a_second` in the long run.

    An asker's debt is kept as one number: when it will have been paid off.
    """

    def __init__(
        self, a_second: float, burst: int, *, clock: Callable[[], float] = time.monotonic, room: int = ROOM
    ) -> None:
        self._apart_s, self._burst_s = 1 / a_second, (burst - 1) / a_second
        self._clock, self._room = clock, room
        self._paid_off: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, asker: str, cost: int = 1) -> float:
        """0 when the asker may, which counts as `cost` things; else the seconds until it may, and nothing is counted.

        What costs more than all that may be done at once is let through when nothing is owed.
        """
        with self._lock:
            now = self._clock()
            more_s = min((cost - 1) * self._apart_s, self._burst_s)
            wait = self._wait_s(asker, now, self._burst_s - more_s)
            if wait <= 0:
                self._owe(asker, now, cost)
            return wait

    def turn_s(self, asker: str) -> float:
        """Seconds until it is the asker's turn, which is counted in any case: for those who queue."""
        with self._lock:
            now = self._clock()
            wait = self._wait_s(asker, now, self._burst_s)
            self._owe(asker, now)
            return wait

    def give_back(self, asker: str) -> None:
        """What was counted last does not count."""
        with self._lock:
            if asker in self._paid_off:
                self._paid_off[asker] -= self._apart_s

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._paid_off)

    def _wait_s(self, asker: str, now: float, credit_s: float) -> float:
        wait = self._paid_off.get(asker, now) - now - credit_s
        return wait if wait > CRUMB_S else 0.0

    def _owe(self, asker: str, now: float, cost: int = 1) -> None:
        self._paid_off[asker] = max(now, self._paid_off.get(asker, now)) + cost * self._apart_s
        self._paid_off.move_to_end(asker)
        if len(self._paid_off) > self._room:
            self._paid_off.popitem(last=False)


def retry_after(wait_s: float) -> str:
    """The header's value: whole seconds, at least one."""
    return str(max(1, math.ceil(wait_s)))
