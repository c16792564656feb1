"""Models of the SSD1327 and SSD1351 panels, and their base class: a memory of rows, written inside a window."""

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

from hardware.simulator.panel_model import LOCK, PanelModel, Scan, alternating, lines_at, next_place

ROWS = 128

WIDTH = 128


class WindowedController(PanelModel):
    """A controller of 128 x 128 pixels on a typical module, with its last common line at the top."""

    COLUMNS: ClassVar[int]
    """Places per memory row, of `WIDE` bytes each."""
    WIDE: ClassVar[int]
    PINS: ClassVar = alternating(range(127, -1, -1), of=ROWS)
    """How the rows of the glass are wired to the common pins, from the top."""
    OFFSET: ClassVar = 0
    """The display offset at reset."""

    def __init__(self, address: int) -> None:
        super().__init__(address, (WIDTH, ROWS))

    def power_up(self) -> None:
        """Set the state after power returns: registers at their reset values, random memory."""
        row = self.COLUMNS * self.WIDE
        self._memory = [bytearray(_noise(place // self.WIDE, y) for place in range(row)) for y in range(ROWS)]
        self.reset()

    def reset(self) -> None:
        """Set the state after the RST line was low: registers at their reset values, memory unchanged."""
        super().reset()
        self._down = self._mirrored = False
        self.shown = self.NORMAL
        self._columns, self._rows = (0, self.COLUMNS - 1), (0, ROWS - 1)
        self._column = self._row = 0
        self.scan = Scan(ROWS, ROWS, offset=self.OFFSET, split=False)

    NORMAL: ClassVar[int]
    """The command that shows the memory normally."""

    def pixels(self) -> bytes:
        """The image on the glass: one byte per pixel, 0 or 1, row by row from the top left."""
        return b"".join(map(self._lit_pixels, self.rows()))

    def rows(self) -> list[bytes]:
        """The segment values of each row of the glass, from the top row, each row from the lowest segment."""
        dark = bytes(self.COLUMNS * self.WIDE)
        return [
            bytes(self._memory[line]) if self.on and line is not None else dark
            for line in lines_at(self.scan, self.PINS)
        ]

    @abstractmethod
    def _lit_pixels(self, row: bytes) -> bytes:
        """Convert a memory row to one byte per pixel, 0 or 1."""

    def put(self, place: bytes) -> None:
        """Write one place at the pointer, and advance the pointer inside the window."""
        column = self.COLUMNS - 1 - self._column if self._mirrored else self._column
        self._memory[self._row][column * self.WIDE : (column + 1) * self.WIDE] = place
        if self._down:
            self._row, wrapped = next_place(self._row, self._rows, ROWS)
            if wrapped:
                self._column, _ = next_place(self._column, self._columns, self.COLUMNS)
        else:
            self._column, wrapped = next_place(self._column, self._columns, self.COLUMNS)
            if wrapped:
                self._row, _ = next_place(self._row, self._rows, ROWS)

    def columns(self, command: bytes) -> None:
        """15: first and last column of the window."""
        self._columns = command[1] % self.COLUMNS, command[2] % self.COLUMNS
        self._column = self._columns[0]

    def lines(self, command: bytes) -> None:
        """75: first and last row of the window."""
        self._rows = command[1] % ROWS, command[2] % ROWS
        self._row = self._rows[0]

    def remap(self, command: bytes) -> None:
        """A0: direction of increment, mirroring, direction of scan, and split of common pins."""
        self._down, self._mirrored = bool(command[1] & 0x01), bool(command[1] & 0x02)
        self.scan = replace(self.scan, up=bool(command[1] & 0x10), split=bool(command[1] & 0x20))

    def start(self, command: bytes) -> None:
        """A1: the memory line in the first row."""
        self.scan = replace(self.scan, start=command[1] % ROWS)

    def offset(self, command: bytes) -> None:
        """A2: display offset."""
        self.scan = replace(self.scan, offset=command[1] % ROWS)

    def show(self, command: bytes) -> None:
        """A4 to A7: shows the memory, all pixels lit, no pixel lit, or the memory inverted."""
        self.shown = command[0]

    def multiplex(self, command: bytes) -> None:
        """A8 or CA: the number of scanned rows minus one; fewer than 16 are ignored."""
        if command[1] % ROWS >= 15:  # noqa: PLR2004
            self.scan = replace(self.scan, rows=command[1] % ROWS + 1)

    def lock(self, command: bytes) -> None:
        """FD: command lock."""
        if command[1] in (0x12, 0x16):
            self.locked = command[1] == 0x16  # noqa: PLR2004


def _noise(column: int, row: int) -> int:
    return 0 if (column * column + row) % 3 else 0xA5 ^ (37 * column + 11 * row) & 0xFF


LIT = bytes([0] + [1] * 255)
"""Table from how long a pixel is lit to whether it is lit at all."""

INVERTED = bytes(range(255, -1, -1))
"""Table from a byte to its complement."""


# --- model of the SSD1327 by its datasheet (Solomon Systech, rev 1.1): sixteen grays, two pixels per byte ---


SSD1327_MEMORY, SSD1327_ALL, NOTHING, SSD1327_INVERSE = 0xA4, 0xA5, 0xA6, 0xA7
"""Display modes."""

LINEAR = tuple(4 * gray for gray in range(16))
"""Pulse widths of the grays at reset and after B9, in clocks; the datasheet's values rise evenly."""

LONGEST = 63
"""Maximum clocks of a pulse; the table's entries have six bits."""


class Ssd1327(WindowedController):
    """One SSD1327 of 128 x 128 pixels, its last segment at the left.

    Attributes:
        grays: the pulse widths of the sixteen grays, in clocks.
        timing: the arguments, since reset, of the commands that set clocks, phases and voltages.
    """

    COLUMNS: ClassVar = 64
    WIDE: ClassVar = 1
    NORMAL: ClassVar = SSD1327_MEMORY

    def reset(self) -> None:
        """Set the state after the RST line was low; the grays are linear."""
        super().reset()
        self._swapped = False
        self.timing: dict[int, int] = {}
        self._measure(LINEAR)

    def write(self, data: bytes) -> None:
        """Write bytes to the memory: two pixels each."""
        for byte in data:
            self.put(bytes([(byte << 4 | byte >> 4) & 0xFF if self._swapped else byte]))

    def shades(self) -> bytes:
        """The time that each pixel is lit, 0 to 63 clocks, row by row from the top left."""
        return b"".join(map(self._clocks, self.rows()))

    def _clocks(self, row: bytes) -> bytes:
        if self.shown in (SSD1327_ALL, NOTHING) or not self.on:
            gray = 15 if self.shown == SSD1327_ALL and self.on else 0
            return bytes([self.grays[gray]]) * 2 * len(row)
        left = row[::-1].translate(INVERTED) if self.shown == SSD1327_INVERSE else row[::-1]
        clocks = bytearray(2 * len(row))
        clocks[0::2], clocks[1::2] = left.translate(self._high), left.translate(self._low)
        return bytes(clocks)

    def _lit_pixels(self, row: bytes) -> bytes:
        return self._clocks(row).translate(LIT)

    def remap(self, command: bytes) -> None:
        """A0: remap of columns, nibbles, increment and COM, and COM split, in bits 0, 1, 2, 4 and 6."""
        how = command[1]
        self._mirrored, self._swapped, self._down = bool(how & 0x01), bool(how & 0x02), bool(how & 0x04)
        self.scan = replace(self.scan, up=bool(how & 0x10), split=bool(how & 0x40))

    def table(self, command: bytes) -> None:
        """B8: the pulse widths of grays 1 to 15; B9: the linear pulse widths."""
        self._measure(tuple(clocks & LONGEST for clocks in (0, *command[1:])) if len(command) > 1 else LINEAR)

    def time(self, command: bytes) -> None:
        """B3 and others: a clock, phase or voltage, which changes no pixel."""
        self.timing[command[0]] = command[1]

    def _measure(self, grays: tuple[int, ...]) -> None:
        self.grays = grays
        self._high, self._low = (bytes(grays[byte >> shift & 15] for byte in range(256)) for shift in (4, 0))


Ssd1327.COMMANDS = {
    0x15: (2, Ssd1327.columns),
    0x75: (2, Ssd1327.lines),
    0x81: (1, Ssd1327.current),
    0xA0: (1, Ssd1327.remap),
    0xA1: (1, Ssd1327.start),
    0xA2: (1, Ssd1327.offset),
    **dict.fromkeys((SSD1327_MEMORY, SSD1327_ALL, NOTHING, SSD1327_INVERSE), (0, Ssd1327.show)),
    0xA8: (1, Ssd1327.multiplex),
    **dict.fromkeys((0xAB, 0xB1, 0xB3, 0xB5, 0xB6, 0xBC, 0xBE, 0xD5), (1, Ssd1327.time)),
    0xAE: (0, Ssd1327.switch),
    0xAF: (0, Ssd1327.switch),
    0xB8: (15, Ssd1327.table),
    0xB9: (0, Ssd1327.table),
    0xFD: (1, Ssd1327.lock),
}


# --- model of the SSD1351 by its datasheet (Solomon Systech, rev 1.5): 65 thousand colors, only on SPI ---


ALL_OFF, SSD1351_ALL, SSD1351_MEMORY, SSD1351_INVERSE = 0xA4, 0xA5, 0xA6, 0xA7
"""Display modes."""

WRITE_RAM = 0x5C

GUARDED = (0xA2, 0xB1, 0xB3, 0xBB, 0xBE, 0xC1)
"""Commands that are accepted only after FD B1."""

NOWHERE = -1
"""Placeholder for the I2C address, which an SSD1351 does not have."""


class Ssd1351(WindowedController):
    """One SSD1351 of 128 x 128 pixels, its first segment at the left; command arguments are sent with D/C high."""

    COLUMNS: ClassVar = 128
    WIDE: ClassVar = 2
    OFFSET: ClassVar = 0x60
    NORMAL: ClassVar = SSD1351_MEMORY

    def __init__(self) -> None:
        super().__init__(NOWHERE)

    def reset(self) -> None:
        """Set the state after the RST line was low; some commands need FD B1 first."""
        super().reset()
        self.scan = replace(self.scan, split=True)
        self._guarded = True
        self._swapped = False
        self._half = b""

    def receive_command(self, byte: int) -> None:
        """Receive a command; its arguments arrive as data."""
        self._command, self._half = bytearray([byte]), b""
        self._obey_when_whole()

    def write(self, data: bytes) -> None:
        """Write arguments of the newest command; after 5C, colors for the memory, two bytes each."""
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
        """The color of each pixel: red and blue 0 to 31, green 0 to 63, row by row from the top left."""
        return [self._color(row[x], row[x + 1]) for row in self.rows() for x in range(0, len(row), 2)]

    def _color(self, high: int, low: int) -> tuple[int, int, int]:
        first, green, last = high >> 3, (high & 0x07) << 3 | low >> 5, low & 0x1F
        return (last, green, first) if self._swapped else (first, green, last)

    def _lit_pixels(self, row: bytes) -> bytes:
        if self.shown in (ALL_OFF, SSD1351_ALL):
            return bytes([self.shown == SSD1351_ALL and self.on]) * self.COLUMNS
        shown = row.translate(INVERTED) if self.shown == SSD1351_INVERSE and self.on else row
        high, low = int.from_bytes(shown[0::2]), int.from_bytes(shown[1::2])
        return (high | low).to_bytes(self.COLUMNS).translate(LIT)

    def remap(self, command: bytes) -> None:
        """A0: increment, mirroring, color order, direction and split, in bits 0, 1, 2, 4 and 5."""
        super().remap(command)
        self._swapped = bool(command[1] & 0x04)

    def lock(self, command: bytes) -> None:
        """FD: command lock, and the lock of the guarded commands."""
        super().lock(command)
        if command[1] in (0xB0, 0xB1):
            self._guarded = command[1] == 0xB0  # noqa: PLR2004


Ssd1351.COMMANDS = {
    0x15: (2, Ssd1351.columns),
    0x75: (2, Ssd1351.lines),
    0xA0: (1, Ssd1351.remap),
    0xA1: (1, Ssd1351.start),
    0xA2: (1, Ssd1351.offset),
    **dict.fromkeys((ALL_OFF, SSD1351_ALL, SSD1351_MEMORY, SSD1351_INVERSE), (0, Ssd1351.show)),
    0xAE: (0, Ssd1351.switch),
    0xAF: (0, Ssd1351.switch),
    0xC1: (3, Ssd1351.current),
    0xCA: (1, Ssd1351.multiplex),
    0xFD: (1, Ssd1351.lock),
}
