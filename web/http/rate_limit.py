"""Rate limit: so many requests at once, then so many a second, for each client; nobody is shut out for good."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

CAPACITY = 4096
"""Clients that are remembered; the one that has been silent for longest is forgotten first."""

REFUSALS_A_SECOND = 100
"""Refusals that one client gets in a second; further ones are delayed."""

STRANGERS_REFUSALS_A_SECOND = 300
"""Refusals that all clients get in a second that are not paired, however many they are: a tenth of a processor."""

LONGEST_DELAY_S = 4.0
"""Seconds by which a refusal is delayed at most: as long as a thousand connections of strangers take turns."""

ROUNDING_S = 1e-6
"""A wait no longer than this is what sums of fractions leave over."""


class RateLimiter:
    """Allows each client `burst` requests at once, and `a_second` in the long run.

    A client's debt is one number: the time at which it will have been paid off.
    """

    def __init__(
        self, a_second: float, burst: int, *, clock: Callable[[], float] = time.monotonic, capacity: int = CAPACITY
    ) -> None:
        self._apart_s, self._burst_s = 1 / a_second, (burst - 1) / a_second
        self._clock, self._capacity = clock, capacity
        self._paid_off: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, client: str, cost: int = 1) -> float:
        """0 when the client may, which counts as `cost` requests; else the seconds until it may, and nothing counts.

        A request that costs more than a whole burst is allowed when nothing is owed.
        """
        with self._lock:
            now = self._clock()
            more_s = min((cost - 1) * self._apart_s, self._burst_s)
            wait = self._wait_s(client, now, self._burst_s - more_s)
            if wait <= 0:
                self._owe(client, now, cost)
            return wait

    def pending_s(self, client: str) -> float:
        """Seconds until the client may; nothing counts."""
        with self._lock:
            return self._wait_s(client, self._clock(), self._burst_s)

    def queue_s(self, client: str, most_s: float = math.inf) -> float:
        """Seconds until it is the client's turn; the request counts, as in a queue, which grows up to `most_s` long."""
        with self._lock:
            now = self._clock()
            wait = self._wait_s(client, now, self._burst_s)
            if wait < most_s:
                self._owe(client, now)
            return min(wait, most_s)

    def charge(self, client: str, cost: int) -> None:
        """Let the client's last request count as `cost` more: what it costs is known afterwards."""
        with self._lock:
            self._owe(client, self._clock(), cost)

    def refund(self, client: str) -> None:
        """Let the client's last request not count."""
        with self._lock:
            if client in self._paid_off:
                self._paid_off[client] -= self._apart_s

    def __len__(self) -> int:
        """How many clients are remembered."""
        return len(self._paid_off)

    def _wait_s(self, client: str, now: float, credit_s: float) -> float:
        wait = self._paid_off.get(client, now) - now - credit_s
        return wait if wait > ROUNDING_S else 0.0

    def _owe(self, client: str, now: float, cost: int = 1) -> None:
        self._paid_off[client] = max(now, self._paid_off.get(client, now)) + cost * self._apart_s
        self._paid_off.move_to_end(client)
        if len(self._paid_off) > self._capacity:
            self._paid_off.popitem(last=False)


class RefusalDelays:
    """Delays refusals: those of each client one after another, and those of all who are not paired as well.

    Whoever sends one request after the other gets no more of the processor by sending them faster, nor from more
    addresses.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._each = RateLimiter(REFUSALS_A_SECOND, 1, clock=clock)
        self._strangers = RateLimiter(STRANGERS_REFUSALS_A_SECOND, 1, clock=clock, capacity=1)

    def next_s(self, address: str, device: str = "") -> float:
        """Seconds until a refusal is to be sent, which counts: to a paired `device`, else to an address."""
        if device:
            return self._each.queue_s(f"device {device}", LONGEST_DELAY_S)
        own_s = self._each.queue_s(address, LONGEST_DELAY_S)
        return max(own_s, self._strangers.queue_s("", LONGEST_DELAY_S))


def retry_after(wait_s: float) -> str:
    """The value of a Retry-After header: whole seconds, at least one."""
    return str(max(1, math.ceil(wait_s)))
