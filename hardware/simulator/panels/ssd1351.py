"""Model of the SSD1351 by its datasheet (Solomon Systech, rev 1.5): 65 thousand colours, on SPI alone."""

from dataclasses import replace
from typing import ClassVar

from hardware.simulator.panels.panel_model import LOCK
from hardware.simulator.panels.windowed_controller import INVERTED, LIT, WindowedController

ALL_OFF, ALL, MEMORY, INVERSE = 0xA4, 0xA5, 0xA6, 0xA7
"""What is shown."""

WRITE_RAM = 0x5C

GUARDED = (0xA2, 0xB1, 0xB3, 0xBB, 0xBE, 0xC1)
"""Commands that are taken only after FD B1."""

NOWHERE = -1
"""Its address on I2C: it has none."""


class Ssd1351(WindowedController):
    """One SSD1351 of 128 x 128 pixels, its first segment at the left; what follows a command is data by D/C."""

    COLUMNS: ClassVar = 128
    WIDE: ClassVar = 2
    OFFSET: ClassVar = 0x60
    NORMAL: ClassVar = MEMORY

    def __init__(self) -> None:
        super().__init__(NOWHERE)

    def reset(self) -> None:
        """The state after the line RST was low."""
        super().reset()
        self.scan = replace(self.scan, split=True)
        self._guarded = True
        self._swapped = False
        self._half = b""

    def receive_command(self, byte: int) -> None:
        """A command; its arguments come as data."""
        self._command, self._half = bytearray([byte]), b""
        self._obey_when_whole()

    def write(self, data: bytes) -> None:
        """Arguments of the newest command; after 5C, colours for the memory, two bytes each."""
        if self._command != bytes([WRITE_RAM]):
            for byte in data:
                self._command.append(byte)
                self._obey_when_whole()
            return
        data = self._half + data
        for place in range(0, len(data) - 1, 2):
            self.put(data[place : place + 2])
        self._half = data[len(data) & ~1 :]

    def _obey_when_whole(self) -> None:
        follow, obey = self.COMMANDS.get(self._command[0], (0, Ssd1351.nothing))
        if len(self._command) == follow + 1 and self._may(self._command[0]):
            obey(self, bytes(self._command))

    def _may(self, command: int) -> bool:
        return command == LOCK or not (self.locked or (self._guarded and command in GUARDED))

    def shades(self) -> list[tuple[int, int, int]]:
        """The colour of each pixel: red and blue 0 to 31, green 0 to 63, row by row from the top left."""
        return [self._colour(row[x], row[x + 1]) for row in self.rows() for x in range(0, len(row), 2)]

    def _colour(self, high: int, low: int) -> tuple[int, int, int]:
        first, green, last = high >> 3, (high & 0x07) << 3 | low >> 5, low & 0x1F
        return (last, green, first) if self._swapped else (first, green, last)

    def _lit_pixels(self, row: bytes) -> bytes:
        if self.shown in (ALL_OFF, ALL):
            return bytes([self.shown == ALL and self.on]) * self.COLUMNS
        shown = row.translate(INVERTED) if self.shown == INVERSE and self.on else row
        high, low = int.from_bytes(shown[0::2]), int.from_bytes(shown[1::2])
        return (high | low).to_bytes(self.COLUMNS).translate(LIT)

    def remap(self, command: bytes) -> None:
        """A0: increment, mirroring, order of the colours, direction, split, by bits 0, 1, 2, 4 and 5."""
        super().remap(command)
        self._swapped = bool(command[1] & 0x04)

    def lock(self, command: bytes) -> None:
        """FD: command lock, and the lock of what is guarded."""
        super().lock(command)
        if command[1] in (0xB0, 0xB1):
            self._guarded = command[1] == 0xB0  # noqa: PLR2004


Ssd1351.COMMANDS = {
    0x15: (2, Ssd1351.columns),
    0x75: (2, Ssd1351.lines),
    0xA0: (1, Ssd1351.remap),
    0xA1: (1, Ssd1351.start),
    0xA2: (1, Ssd1351.offset),
    **dict.fromkeys((ALL_OFF, ALL, MEMORY, INVERSE), (0, Ssd1351.show)),
    0xAE: (0, Ssd1351.switch),
    0xAF: (0, Ssd1351.switch),
    0xC1: (3, Ssd1351.current),
    0xCA: (1, Ssd1351.multiplex),
    0xFD: (1, Ssd1351.lock),
}
