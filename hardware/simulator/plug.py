"""The plug of a device and the bus it hangs on: what passes is counted, and what can go wrong with them goes wrong."""

import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable

RATE_S = 3.0
"""Bytes a second are those of so many seconds."""


class Bus:
    """The lines that one or more devices share.

    Attributes:
        name: such as "I2C1".
        bytes: bytes that have passed.
        stuck: whether a device holds a line low, so that every write times out.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.bytes = 0
        self.stuck = False
        self._clock = clock
        self._newest: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    def passes(self, size: int) -> None:
        """Count one write."""
        with self._lock:
            self.bytes += size
            self._newest.append((self._clock(), size))
            self._forget()

    def bytes_per_s(self) -> float:
        """What has passed lately."""
        with self._lock:
            self._forget()
            return sum(size for _, size in self._newest) / RATE_S

    def _forget(self) -> None:
        oldest = self._clock() - RATE_S
        while self._newest and self._newest[0][0] <= oldest:
            self._newest.popleft()


class Plug:
    """The plug of a device: pulled, or failing, its wire raises as the kernel would.

    On I2C a device acknowledges every byte, so a write to one that is not there fails. On SPI nobody does: what is
    written is lost, and nobody is told.

    Attributes:
        bus: what it hangs on.
        plugged: whether it is in.
        nacks: whether the device takes no notice, although it has power.
        fails_in: which write from now fails, 1 the next; 0 none.
        free: cleared while writes hang.
        clock: times the clock that was asked for; 1 where the clock is right.
        bytes: bytes that have passed.
        ns: time they would have taken on the wire.
    """

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self._answers = bus.name.startswith("I2C")
        self.plugged = True
        self.nacks = False
        self.fails_in = 0
        self.free = threading.Event()
        self.free.set()
        self.clock = 1.0
        self.bytes = 0
        self.ns = 0

    def pull(self) -> None:
        """Take it out; a write that hangs ends, for whatever held it up has no power."""
        self.plugged = False
        self.free.set()

    def passes(self, size: int, ns: int) -> bool:
        """Count one write of `size` bytes that takes `ns` nanoseconds. Returns whether it reaches the device.

        Raises:
            OSError: nobody acknowledges it, the bus is stuck, or this write is to fail.
        """
        self.free.wait()
        if self.bus.stuck:
            raise _error(errno.ETIMEDOUT)
        heard = self.plugged and not self.nacks
        if self._is_to_fail() or (self._answers and not heard):
            raise _error(errno.EREMOTEIO if self._answers else errno.EIO)
        self.bytes += size
        self.ns += ns
        self.bus.passes(size)
        return heard

    def _is_to_fail(self) -> bool:
        this_one = self.fails_in == 1
        self.fails_in = max(0, self.fails_in - 1)
        return this_one


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
