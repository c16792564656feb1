"""Base of the panel models: the bus protocol of their controllers, and the commands that all of them have."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

# --- COM scan: the row of memory that a controller shows on each common pin, by the datasheets' offset and remap ---


@dataclass(frozen=True, slots=True)
class Scan:
    """The registers that decide which row of the memory a common pin shows.

    Attributes:
        commons: how many common pins the chip has.
        rows: how many rows it scans (the multiplex ratio).
        offset: by how many commons the rows are moved (the display offset).
        start: the line of the memory in the first row.
        up: whether the last common is scanned first.
        split: whether even and odd rows leave the chip at its two sides (alternative pins).
        swapped: whether the two sides are exchanged.
    """

    commons: int
    rows: int
    offset: int = 0
    start: int = 0
    up: bool = False
    split: bool = True
    swapped: bool = False

    def line_at(self, pin: int) -> int | None:
        """The line of the memory that is seen on the row of glass at `pin`; None where no row is scanned."""
        common = self._common_at(pin)
        row = (self.rows - 1 + self.offset - common if self.up else common + self.offset) % self.commons
        return (row + self.start) % self.commons if row < self.rows else None

    def _common_at(self, pin: int) -> int:
        half = self.commons // 2
        pin = (pin + half) % self.commons if self.swapped else pin
        return 2 * (pin % half) + pin // half if self.split else pin


@lru_cache(maxsize=64)
def lines_at(scan: Scan, pins: tuple[int, ...]) -> tuple[int | None, ...]:
    """The lines of the memory that are seen on a glass, from the top."""
    return tuple(map(scan.line_at, pins))


def alternating(commons: range, of: int = 64) -> tuple[int, ...]:
    """The pins of a glass whose rows, from the top, hang on these commons of a chip whose `of` commons are split."""
    return tuple(common // 2 + of // 2 * (common % 2) for common in commons)


Command: TypeAlias = tuple[int, Callable[[Any, bytes], None]]
"""How many bytes follow a command, and what it does with them."""


DATA, ONE = 0x40, 0x80
"""Bits of a control byte: data follows, not commands; only one byte follows, then another control byte."""


LOCK = 0xFD
"""The only command that a locked controller takes."""


class PanelModel(ABC):
    """A model of a panel: it takes what comes over I2C with control bytes, or over SPI with the pin D/C.

    Attributes:
        address: its address on the I2C bus; -1 where it has none.
        size: columns and rows of the glass.
        on: whether the display is switched on (AE, AF).
        contrast: 0 to 255.
    """

    COMMANDS: ClassVar[Mapping[int, Command]]
    """The commands of the controller; any other does nothing."""

    def __init__(self, address: int = 0x3C, size: tuple[int, int] = (128, 64)) -> None:
        self.address, self.size = address, size
        self.power_up()

    @abstractmethod
    def power_up(self) -> None:
        """The state after power comes back: registers at their reset values, memory at random."""

    def reset(self) -> None:
        """The state after the line RST was low: registers at their reset values; the memory keeps what it has."""
        self.on = self.locked = False
        self.contrast = 0x7F
        self._command = bytearray()

    @abstractmethod
    def pixels(self) -> bytes:
        """What the glass shows: a byte a pixel, 0 or 1, row by row from the top left."""

    def receive(self, transaction: bytes) -> None:
        """The bytes of an I2C transaction after the address: control bytes, commands and data."""
        place = 0
        while place < len(transaction):
            control = transaction[place]
            last = place + 2 if control & ONE else len(transaction)
            self.receive_spi(transaction[place + 1 : last], dc=bool(control & DATA))
            place = last

    def receive_spi(self, data: bytes, *, dc: bool) -> None:
        """Bytes clocked in while the pin D/C is high (data) or low (commands)."""
        if dc:
            self.write(data)
        else:
            for byte in data:
                self.receive_command(byte)

    def receive_command(self, byte: int) -> None:
        """One byte of a command; it is obeyed when all its bytes are there."""
        self._command.append(byte)
        follow, obey = self.COMMANDS.get(self._command[0], (0, PanelModel.nothing))
        if len(self._command) > follow:
            command, self._command = bytes(self._command), bytearray()
            if not self.locked or command[0] == LOCK:
                obey(self, command)

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Bytes for the memory."""

    def current(self, command: bytes) -> None:
        """81 or C1: contrast; of three colours the first stands for all."""
        self.contrast = command[1]

    def switch(self, command: bytes) -> None:
        """AE, AF: off or on."""
        self.on = command[0] == 0xAF  # noqa: PLR2004

    def nothing(self, command: bytes) -> None:  # noqa: B027 - a command that does nothing
        """What changes no pixel: clocks, voltages, scrolling (none of it is started), an unknown command."""


def next_place(at: int, window: tuple[int, int], size: int) -> tuple[int, bool]:
    """The place after `at` in a window, and whether it began anew."""
    first, last = window
    return (first, True) if at == last else ((at + 1) % size, False)
