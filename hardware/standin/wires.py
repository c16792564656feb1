"""The stand-in wires: a modelled panel on I2C, a modelled strip on SPI, pins for a hand; plugs can be pulled."""

import errno
import os
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from hardware.standin.chain import Chain
from hardware.standin.chip import Chip
from hardware.standin.pins import HandPins
from hardware.standin.record import Record
from hardware.wires import I2cBus, SpiBus

LINES_KEPT = 8

BOUNCES = 3
"""How often the contacts of a pressed key spring apart; tactile switches do so up to about this often."""


@dataclass(frozen=True, slots=True)
class Passed:
    """Something that has passed over a wire: when (wall time, seconds since 1970), on which bus, and in words."""

    at: float
    bus: str
    text: str


class Plug:
    """The plug of a device: pulled, or failing, its wire raises as the kernel would.

    Attributes:
        plugged: whether it is in.
        fails: how many of the next writes fail.
        free: cleared while writes hang.
        bytes: bytes that have passed.
        ns: time they would have taken on the wire.
    """

    def __init__(self, error: int) -> None:
        self._error = error
        self.plugged = True
        self.fails = 0
        self.free = threading.Event()
        self.free.set()
        self.bytes = 0
        self.ns = 0

    def passes(self, size: int, ns: int) -> None:
        """Count one write.

        Raises:
            OSError: the plug is out, or this write is to fail.
        """
        self.free.wait()
        if not self.plugged or self.fails > 0:
            self.fails = max(0, self.fails - 1)
            raise OSError(self._error, os.strerror(self._error))
        self.bytes += size
        self.ns += ns


class StandInWires:
    """Wires of the same shape as the Pi's.

    Attributes:
        chip: the panel's controller.
        chain: the strip.
        panel: the panel's plug.
        strip: the strip's plug.
        hand: the keys' pins.
        passed: the newest of what has passed over the wires, newest first.
    """

    def __init__(
        self, *, address: int = 0x3C, i2c_hz: int = 400_000, pull_up: bool = True, record: Record | None = None
    ) -> None:
        self.chip = Chip(address)
        self.chain = Chain()
        self.panel = Plug(errno.EREMOTEIO)
        self.strip = Plug(errno.EIO)
        self.hand = HandPins(pull_up=pull_up)
        self.passed: deque[Passed] = deque(maxlen=LINES_KEPT)
        self.i2c_hz = i2c_hz
        self._record = record
        self._panel_lock, self._strip_lock = threading.Lock(), threading.Lock()  # to look at one delays no other

    def pins(self) -> Any:
        """The mock pins."""
        return self.hand.factory

    def i2c(self, bus: int) -> I2cBus:  # noqa: ARG002 - there is one bus
        """The bus with the panel."""
        return _I2c(self)

    def spi(self, bus: int, hz: int) -> SpiBus:  # noqa: ARG002 - there is one bus
        """The data line with the strip."""
        return _Spi(self, hz)

    def plug(self, device: str, plugged: bool) -> None:
        """Pull or put in the plug of "OLED" or "LED strip"; a device that gets its power back has forgotten all."""
        plug = {"OLED": self.panel, "LED strip": self.strip}[device]
        with self._panel_lock, self._strip_lock:
            if plugged and not plug.plugged:
                (self.chip if plug is self.panel else self.chain).power_up()
            plug.plugged = plugged
        self.note("PLUG", f"{device} {'in' if plugged else 'out'}")

    def press(self, pin: int, words: str) -> None:
        """Push a key down; its contacts bounce, as real ones do."""
        if self.hand.is_down(pin):
            return  # a finger that is there already moves nothing
        self.note("KEY", f"{words}, down, {BOUNCES} bounces")
        self._edge(pin, down=True)
        for _ in range(BOUNCES):
            self._edge(pin, down=False)
            self._edge(pin, down=True)

    def release(self, pin: int, words: str) -> None:
        """Let a key go."""
        if self.hand.is_down(pin):
            self.note("KEY", f"{words}, up")
            self._edge(pin, down=False)

    def pixels(self) -> bytes:
        """What the panel shows, a byte a pixel; nothing without power."""
        with self._panel_lock:
            return self.chip.pixels() if self.panel.plugged else bytes(128 * 64)

    def colours(self) -> list[tuple[int, int, int]]:
        """What the strip shows; nothing without power. Raises `Fault` when it was sent nonsense."""
        with self._strip_lock:
            shown = self.chain.colours()
            return shown if self.strip.plugged else [(0, 0, 0)] * len(shown)

    def note(self, bus: str, text: str) -> None:
        """Keep a line for whoever watches."""
        self.passed.appendleft(Passed(time.time(), bus, text))

    def write_i2c(self, address: int, data: bytes) -> None:
        """A transaction on the I2C bus; nobody answers at another address."""
        if address != self.chip.address:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        bits = 9 * (len(data) + 1)  # the address too, and an acknowledge for each
        self.panel.passes(len(data), bits * 1_000_000_000 // self.i2c_hz)
        if self._record is not None:
            self._record.i2c(address, data)
        with self._panel_lock:
            self.chip.receive(data)

    def write_spi(self, data: bytes, hz: int) -> None:
        """A transfer on the SPI data line."""
        self.strip.passes(len(data), 8 * len(data) * 1_000_000_000 // hz)
        if self._record is not None:
            self._record.spi(hz, data)
        with self._strip_lock:
            self.chain.receive(data, hz)

    def _edge(self, pin: int, *, down: bool) -> None:
        if self._record is not None:
            self._record.gpio(pin, self.hand.level_when(down=down))
        if down:
            self.hand.press(pin)
        else:
            self.hand.release(pin)


class _I2c:
    def __init__(self, wires: StandInWires) -> None:
        self._wires = wires

    def write(self, address: int, data: bytes) -> None:
        self._wires.write_i2c(address, data)

    def close(self) -> None:
        pass


class _Spi:
    def __init__(self, wires: StandInWires, hz: int) -> None:
        self._wires = wires
        self._hz = hz

    def write(self, data: bytes) -> None:
        self._wires.write_spi(data, self._hz)

    def close(self) -> None:
        pass
