"""Base class of all panel models: bus protocol (I2C control bytes, SPI with D/C), shared commands, COM scan."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

# --- COM scan: the memory row shown on each common pin, by the datasheets' offset and remap ---


@dataclass(frozen=True, slots=True)
class Scan:
    """The registers that decide which memory row a common pin shows.

    Attributes:
        commons: the number of common pins of the chip.
        rows: the number of rows that the chip scans (the multiplex ratio).
        offset: the number of commons by which the rows are shifted (the display offset).
        start: the memory line in the first row.
        up: whether the last common is scanned first.
        split: whether even and odd rows leave the chip at its two sides (alternative pins).
        swapped: whether the two sides are swapped.
    """

    commons: int
    rows: int
    offset: int = 0
    start: int = 0
    up: bool = False
    split: bool = True
    swapped: bool = False

    def line_at(self, pin: int) -> int | None:
        """The memory line shown on the glass row at `pin`; None if no row is scanned there."""
        common = self._common_at(pin)
        row = (self.rows - 1 + self.offset - common if self.up else common + self.offset) % self.commons
        return (row + self.start) % self.commons if row < self.rows else None

    def _common_at(self, pin: int) -> int:
        half = self.commons // 2
        pin = (pin + half) % self.commons if self.swapped else pin
        return 2 * (pin % half) + pin // half if self.split else pin


@lru_cache(maxsize=64)
def lines_at(scan: Scan, pins: tuple[int, ...]) -> tuple[int | None, ...]:
    """The memory lines shown on a glass, from the top."""
    return tuple(map(scan.line_at, pins))


def alternating(commons: range, of: int = 64) -> tuple[int, ...]:
    """The pins of a glass whose rows, from the top, use `commons` of a chip that has `of` commons at two sides."""
    return tuple(common // 2 + of // 2 * (common % 2) for common in commons)


Command: TypeAlias = tuple[int, Callable[[Any, bytes], None]]
"""A command: the number of bytes that follow, and the handler."""

DATA, ONE = 0x40, 0x80
"""Bits of a control byte: data follows, not commands; only one byte follows, then another control byte."""

LOCK = 0xFD
"""The only command that a locked controller accepts."""


class PanelModel(ABC):
    """A model of a panel: it receives I2C transactions with control bytes, or SPI transfers with the D/C pin.

    Attributes:
        address: the panel's I2C address; -1 if the panel has none.
        size: the columns and rows of the glass.
        on: whether the display is turned on (AE, AF).
        contrast: the contrast, 0 to 255.
    """

    COMMANDS: ClassVar[Mapping[int, Command]]
    """The commands of the controller; all others do nothing."""

    def __init__(self, address: int = 0x3C, size: tuple[int, int] = (128, 64)) -> None:
        self.address, self.size = address, size
        self.power_up()

    @abstractmethod
    def power_up(self) -> None:
        """Set the state after power returns: registers at their reset values, random memory."""

    def reset(self) -> None:
        """Set the state after the RST line was low: registers at their reset values, memory unchanged."""
        self.on = self.locked = False
        self.contrast = 0x7F
        self._command = bytearray()

    @abstractmethod
    def pixels(self) -> bytes:
        """The image on the glass: one byte per pixel, 0 or 1, row by row from the top left."""

    def receive(self, transaction: bytes) -> None:
        """Receive the bytes of an I2C transaction after the address: control bytes, commands and data."""
        place = 0
        while place < len(transaction):
            control = transaction[place]
            last = place + 2 if control & ONE else len(transaction)
            self.receive_spi(transaction[place + 1 : last], dc=bool(control & DATA))
            place = last

    def receive_spi(self, data: bytes, *, dc: bool) -> None:
        """Receive bytes clocked in while the D/C pin is high (data) or low (commands)."""
        if dc:
            self.write(data)
        else:
            for byte in data:
                self.receive_command(byte)

    def receive_command(self, byte: int) -> None:
        """Receive one byte of a command; the command runs when complete."""
        self._command.append(byte)
        follow, obey = self.COMMANDS.get(self._command[0], (0, PanelModel.nothing))
        if len(self._command) > follow:
            command, self._command = bytes(self._command), bytearray()
            if not self.locked or command[0] == LOCK:
                obey(self, command)

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Write bytes to the memory."""

    def current(self, command: bytes) -> None:
        """81 or C1: contrast; if there are three values, one per color, the first counts for all."""
        self.contrast = command[1]

    def switch(self, command: bytes) -> None:
        """AE, AF: turns the display off or on."""
        self.on = command[0] == 0xAF  # noqa: PLR2004

    def nothing(self, command: bytes) -> None:  # noqa: B027 - a command that does nothing
        """A command that changes no pixel: clocks, voltages, scrolling (never started), unknown commands."""


def next_place(at: int, window: tuple[int, int], size: int) -> tuple[int, bool]:
    """The place after `at` in a window, and whether it wrapped around."""
    first, last = window
    return (first, True) if at == last else ((at + 1) % size, False)
