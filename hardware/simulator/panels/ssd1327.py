"""Model of the SSD1327 by its datasheet (Solomon Systech, rev 1.1): sixteen greys, two pixels a byte."""

from dataclasses import replace
from typing import ClassVar

from hardware.simulator.panels.windowed_controller import INVERTED, LIT, WindowedController

MEMORY, ALL, NOTHING, INVERSE = 0xA4, 0xA5, 0xA6, 0xA7
"""What is shown."""

LINEAR = tuple(4 * grey for grey in range(16))
"""Pulse widths of the greys at reset and after B9, in clocks; the datasheet's figures grow evenly."""

LONGEST = 63
"""Clocks of a pulse; the table's entries have six bits."""


class Ssd1327(WindowedController):
    """One SSD1327 of 128 x 128 pixels, its last segment at the left.

    Attributes:
        greys: the pulse widths of its sixteen greys, in clocks.
        timing: the arguments of the commands since reset that set clocks, phases and voltages.
    """

    COLUMNS: ClassVar = 64
    WIDE: ClassVar = 1
    NORMAL: ClassVar = MEMORY

    def reset(self) -> None:
        """The state after the line RST was low."""
        super().reset()
        self._swapped = False
        self.timing: dict[int, int] = {}
        self._measure(LINEAR)

    def write(self, data: bytes) -> None:
        """Bytes for the memory: two pixels each."""
        for byte in data:
            self.put(bytes([(byte << 4 | byte >> 4) & 0xFF if self._swapped else byte]))

    def shades(self) -> bytes:
        """How long each pixel is lit, 0 to 63 clocks, row by row from the top left."""
        return b"".join(map(self._clocks, self.rows()))

    def _clocks(self, row: bytes) -> bytes:
        if self.shown in (ALL, NOTHING) or not self.on:
            grey = 15 if self.shown == ALL and self.on else 0
            return bytes([self.greys[grey]]) * 2 * len(row)
        left = row[::-1].translate(INVERTED) if self.shown == INVERSE else row[::-1]
        clocks = bytearray(2 * len(row))
        clocks[0::2], clocks[1::2] = left.translate(self._high), left.translate(self._low)
        return bytes(clocks)

    def _lit_pixels(self, row: bytes) -> bytes:
        return self._clocks(row).translate(LIT)

    def remap(self, command: bytes) -> None:
        """A0: column, nibble, increment, COM, split, by bits 0, 1, 2, 4 and 6."""
        how = command[1]
        self._mirrored, self._swapped, self._down = bool(how & 0x01), bool(how & 0x02), bool(how & 0x04)
        self.scan = replace(self.scan, up=bool(how & 0x10), split=bool(how & 0x40))

    def table(self, command: bytes) -> None:
        """B8: the pulse widths of the greys 1 to 15; B9: the even ones."""
        self._measure(tuple(clocks & LONGEST for clocks in (0, *command[1:])) if len(command) > 1 else LINEAR)

    def time(self, command: bytes) -> None:
        """B3 and others: a clock, a phase or a voltage, which changes no pixel."""
        self.timing[command[0]] = command[1]

    def _measure(self, greys: tuple[int, ...]) -> None:
        self.greys = greys
        self._high, self._low = (bytes(greys[byte >> shift & 15] for byte in range(256)) for shift in (4, 0))


Ssd1327.COMMANDS = {
    0x15: (2, Ssd1327.columns),
    0x75: (2, Ssd1327.lines),
    0x81: (1, Ssd1327.current),
    0xA0: (1, Ssd1327.remap),
    0xA1: (1, Ssd1327.start),
    0xA2: (1, Ssd1327.offset),
    **dict.fromkeys((MEMORY, ALL, NOTHING, INVERSE), (0, Ssd1327.show)),
    0xA8: (1, Ssd1327.multiplex),
    **dict.fromkeys((0xAB, 0xB1, 0xB3, 0xB5, 0xB6, 0xBC, 0xBE, 0xD5), (1, Ssd1327.time)),
    0xAE: (0, Ssd1327.switch),
    0xAF: (0, Ssd1327.switch),
    0xB8: (15, Ssd1327.table),
    0xB9: (0, Ssd1327.table),
    0xFD: (1, Ssd1327.lock),
}
