"""The plug of a device and the bus it hangs on: they count bytes, and can be made to fail."""

import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable

RATE_S = 3.0
"""Bytes a second are a mean over so many seconds."""


class Bus:
    """A bus that one or more devices share.

    Attributes:
        name: such as "I2C1".
        bytes: bytes that have passed.
        stuck: whether a device holds the bus low, so that every write times out.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.bytes = 0
        self.stuck = False
        self._clock = clock
        self._recent: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    def transfer(self, size: int) -> None:
        """Count one write."""
        with self._lock:
            self.bytes += size
            self._recent.append((self._clock(), size))
            self._drop_old()

    def bytes_per_s(self) -> float:
        """The mean of the last seconds."""
        with self._lock:
            self._drop_old()
            return sum(size for _, size in self._recent) / RATE_S

    def _drop_old(self) -> None:
        oldest = self._clock() - RATE_S
        while self._recent and self._recent[0][0] <= oldest:
            self._recent.popleft()


class Plug:
    """The plug of a device: while it is pulled or fails, writes raise what the kernel would.

    On I2C a device acknowledges every byte, so a write to one that is not there fails. On SPI nobody does: what is
    written is lost without an error.

    Attributes:
        bus: what it hangs on.
        plugged: whether it is in.
        nacks: whether the device acknowledges nothing, although it has power.
        fails_in: which write from now on fails: 1 is the next, 0 none.
        free: cleared while writes hang.
        held_up: whether the reader of what the device sends is held up again and again.
        clock: the factor by which the clock of the bus is off; 1 where it is right.
        bytes: bytes that have passed.
        ns: time that they take on a real bus.
    """

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self._acknowledges = bus.name.startswith("I2C")
        self.plugged = True
        self.nacks = False
        self.fails_in = 0
        self.free = threading.Event()
        self.free.set()
        self.held_up = False
        self.clock = 1.0
        self.bytes = 0
        self.ns = 0

    def pull(self) -> None:
        """Pull it; a write that hangs ends, for whatever held it up has no power."""
        self.plugged = False
        self.free.set()

    def transfer(self, size: int, ns: int) -> bool:
        """Count one write of `size` bytes that takes `ns` nanoseconds. Returns whether it reaches the device.

        Raises:
            OSError: nobody acknowledges it, the bus is stuck, or this write is to fail.
        """
        self.free.wait()
        if self.bus.stuck:
            raise _error(errno.ETIMEDOUT)
        delivered = self.plugged and not self.nacks
        if self._fails_now() or (self._acknowledges and not delivered):
            raise _error(errno.EREMOTEIO if self._acknowledges else errno.EIO)
        self.bytes += size
        self.ns += ns
        self.bus.transfer(size)
        return delivered

    def _fails_now(self) -> bool:
        this_one = self.fails_in == 1
        self.fails_in = max(0, self.fails_in - 1)
        return this_one


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
