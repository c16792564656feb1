"""Plug and bus of a simulated device: byte counts and simulated faults; recorder of bus traffic as JSON lines."""

import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pegboard.errors import DeviceError

RATE_S = 3.0
"""Averaging window of the bytes per second, in seconds."""


class Bus:
    """A bus that one or more devices share.

    Attributes:
        name: the name of the bus, such as "I2C1".
        bytes: the number of bytes that have passed.
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
        """The mean bytes per second over the last `RATE_S`."""
        with self._lock:
            self._drop_old()
            return sum(size for _, size in self._recent) / RATE_S

    def _drop_old(self) -> None:
        oldest = self._clock() - RATE_S
        while self._recent and self._recent[0][0] <= oldest:
            self._recent.popleft()


class Plug:
    """The plug of a device: while it is unplugged or faulty, writes raise the kernel's errors.

    On I2C a device acknowledges every byte, so a write to a missing device fails. On SPI there is no acknowledgment:
    bytes written to a missing device are lost without an error.

    Attributes:
        bus: the bus that the plug is connected to.
        plugged: whether the device is plugged in.
        nacks: whether the device acknowledges nothing although it has power.
        fails_in: the number of the write that will fail, counted from now: 1 is the next, 0 means none.
        free: an event that is cleared while writes hang.
        held_up: whether the reader of the device's data is repeatedly delayed.
        clock: the factor by which the clock of the bus is off; 1 if correct.
        bytes: the number of bytes that have passed.
        ns: the nanoseconds that these bytes take on a real bus.
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
        """Unplug the device; a hanging write ends because the device that blocked it has no power."""
        self.plugged = False
        self.free.set()

    def transfer(self, size: int, ns: int) -> bool:
        """Count one write of `size` bytes that takes `ns` nanoseconds. Returns whether it reaches the device.

        Raises:
            OSError: no device acknowledges the write, the bus is stuck, or this write must fail.
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


# --- faults of a device on the bench, by name: whether each is on, and how to turn it on or off ---


WRONG_CLOCK = 1.25
"""The factor of a bus clock that is 25% too fast, as on a Pi without a fixed core clock."""


class FaultSwitch(NamedTuple):
    """A fault that can be turned on and off."""

    is_on: Callable[[Plug], bool]
    turn: Callable[[Plug, bool], None]


def _fail_next(plug: Plug, on: bool) -> None:
    plug.fails_in = int(on)


def _ignore_writes(plug: Plug, on: bool) -> None:
    plug.nacks = on


def _hang(plug: Plug, on: bool) -> None:
    if on:
        plug.free.clear()
    else:
        plug.free.set()


def _block_bus(plug: Plug, on: bool) -> None:
    plug.bus.stuck = on


def _hold_up(plug: Plug, on: bool) -> None:
    plug.held_up = on


def _speed_up(plug: Plug, on: bool) -> None:
    plug.clock = WRONG_CLOCK if on else 1.0


FAULT_SWITCHES = {
    "fail next write": FaultSwitch(lambda plug: plug.fails_in > 0, _fail_next),
    "hang": FaultSwitch(lambda plug: not plug.free.is_set(), _hang),
    "no answer": FaultSwitch(lambda plug: plug.nacks, _ignore_writes),
    "bus stuck": FaultSwitch(lambda plug: plug.bus.stuck, _block_bus),
    "held-up reader": FaultSwitch(lambda plug: plug.held_up, _hold_up),
    "wrong clock": FaultSwitch(lambda plug: plug.clock != 1, _speed_up),
}

FAULTS_OF_BUS = {
    "I2C": ("fail next write", "hang", "no answer", "bus stuck"),
    "SPI": ("fail next write", "hang", "wrong clock"),
    "GPI": ("held-up reader",),
    "USB": (),
}
"""The faults that a device can have, by kind of bus.

On SPI, devices do not acknowledge and cannot block the bus; on I2C, the clock hardly matters.
"""


def faults_of(plug: Plug) -> tuple[str, ...]:
    """The names of the faults that a device can have."""
    return FAULTS_OF_BUS[plug.bus.name[:3]]


# --- recorder of bus traffic and key edges as JSON lines in a file; survives a killed process without loss ---


class BusRecorder:
    """Writes a JSON line for each bus transaction and key edge to a file, unbuffered.

    Raises:
        DeviceError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise DeviceError("record_failed", path=path, error=error.strerror) from error

    def i2c(self, address: int, data: bytes) -> None:
        """Record an I2C transaction: the address, and the data from the control byte on."""
        self._write_row(f'"bus":"i2c","address":{address},"data":"{data.hex()}"')

    def spi(self, hz: int, data: bytes, *, dc: bool | None = None) -> None:
        """Record an SPI transfer, with the level of the D/C pin if the device has one."""
        line = "" if dc is None else f'"dc":{int(dc)},'
        self._write_row(f'"bus":"spi","hz":{hz},{line}"data":"{data.hex()}"')

    def gpio(self, pin: int, level: int, at_s: float) -> None:
        """Record an edge of a key's pin at the time it happened, by the monotonic clock."""
        self._write_row(f'"bus":"gpio","data":{{"pin":{pin},"level":{level}}}', round(at_s * 1e9))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write_row(self, rest: str, at_ns: int | None = None) -> None:
        self._file.write(f'{{"t_ns":{time.monotonic_ns() if at_ns is None else at_ns},{rest}}}\n'.encode())
