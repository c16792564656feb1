"""Base of the models SSD1327 and SSD1351: a memory of rows, written inside a window."""

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

from hardware.simulator.panels.com_scan import Scan, alternating, lines_at
from hardware.simulator.panels.panel_model import PanelModel, next_place

ROWS = 128
WIDTH = 128


class WindowedController(PanelModel):
    """A controller of 128 x 128 pixels on a module as they are sold: its last common line at the top."""

    COLUMNS: ClassVar[int]
    """Places of a row of the memory, of `WIDE` bytes each."""
    WIDE: ClassVar[int]
    PINS: ClassVar = alternating(range(127, -1, -1), of=ROWS)
    """How the rows of the glass are wired to the common pins, from the top."""
    OFFSET: ClassVar = 0
    """The display offset at reset."""

    def __init__(self, address: int) -> None:
        super().__init__(address, (WIDTH, ROWS))

    def power_up(self) -> None:
        """The state after power comes back: registers at their reset values, memory at random."""
        row = self.COLUMNS * self.WIDE
        self._memory = [bytearray(_noise(place // self.WIDE, y) for place in range(row)) for y in range(ROWS)]
        self.reset()

    def reset(self) -> None:
        """The state after the line RST was low: registers at their reset values; the memory keeps what it has."""
        super().reset()
        self._down = self._mirrored = False
        self.shown = self.NORMAL
        self._columns, self._rows = (0, self.COLUMNS - 1), (0, ROWS - 1)
        self._column = self._row = 0
        self.scan = Scan(ROWS, ROWS, offset=self.OFFSET, split=False)

    NORMAL: ClassVar[int]
    """The command that shows the memory as it is."""

    def pixels(self) -> bytes:
        """What the glass shows: a byte a pixel, 0 or 1, row by row from the top left."""
        return b"".join(map(self._lit_pixels, self.rows()))

    def rows(self) -> list[bytes]:
        """What the segments get for each row of the glass from the top, the lowest segment first."""
        dark = bytes(self.COLUMNS * self.WIDE)
        return [
            bytes(self._memory[line]) if self.on and line is not None else dark
            for line in lines_at(self.scan, self.PINS)
        ]

    @abstractmethod
    def _lit_pixels(self, row: bytes) -> bytes:
        """From a row of the memory to a byte a pixel, 0 or 1."""

    def put(self, place: bytes) -> None:
        """Write one place at the pointer, and go on inside the window."""
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
        """A0: increment, mirroring, direction and pins."""
        self._down, self._mirrored = bool(command[1] & 0x01), bool(command[1] & 0x02)
        self.scan = replace(self.scan, up=bool(command[1] & 0x10), split=bool(command[1] & 0x20))

    def start(self, command: bytes) -> None:
        """A1: the line of the memory in the first row."""
        self.scan = replace(self.scan, start=command[1] % ROWS)

    def offset(self, command: bytes) -> None:
        """A2: display offset."""
        self.scan = replace(self.scan, offset=command[1] % ROWS)

    def show(self, command: bytes) -> None:
        """A4 to A7: the memory, all, nothing, or the memory inverted."""
        self.shown = command[0]

    def multiplex(self, command: bytes) -> None:
        """A8 or CA: how many rows are scanned, less one; fewer than 16 are not taken."""
        if command[1] % ROWS >= 15:  # noqa: PLR2004
            self.scan = replace(self.scan, rows=command[1] % ROWS + 1)

    def lock(self, command: bytes) -> None:
        """FD: command lock."""
        if command[1] in (0x12, 0x16):
            self.locked = command[1] == 0x16  # noqa: PLR2004


def _noise(column: int, row: int) -> int:
    return 0 if (column * column + row) % 3 else 0xA5 ^ (37 * column + 11 * row) & 0xFF


LIT = bytes([0] + [1] * 255)
"""From how long a pixel is lit to whether it is."""

INVERTED = bytes(range(255, -1, -1))
"""From a byte to its complement."""
