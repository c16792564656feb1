"""Models of the SSD1306, SH1106 and SSD1309, based on their datasheets: I2C or SPI bytes in, pixels out."""

from dataclasses import replace
from typing import ClassVar

from hardware.simulator.panel_model import Command, PanelModel, Scan, alternating, lines_at, next_place

COMMONS, PAGES = 64, 8

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2
"""Memory addressing modes."""

PUMP_ON = 0x04
"""The charge pump's enable bit; without it the glass gets no voltage."""


class Ssd1306(PanelModel):
    """One SSD1306 by its datasheet (Solomon Systech, rev 1.1) on a typical module.

    The chip's last segment is at the left of the glass, its last common line at the top.
    """

    COLUMNS: ClassVar = 128
    """Columns of the memory."""
    FIRST: ClassVar = 0
    """The segment of the glass's last column."""
    MODE: ClassVar = PAGE
    """The memory addressing mode at reset."""
    PINS: ClassVar = {
        (128, 64): alternating(range(63, -1, -1)),
        (128, 32): tuple(range(31, -1, -1)),
    }
    """How the rows of the glass are wired to the common pins, from the top, by the size of the glass."""

    def power_up(self) -> None:
        """Set the state after power returns: registers at their reset values, random memory."""
        self._memory = [bytearray(0xA5 ^ (37 * x + page) & 0xFF for x in range(self.COLUMNS)) for page in range(PAGES)]
        self.reset()

    def reset(self) -> None:
        """Set the state after the RST line was low: registers at their reset values, memory unchanged."""
        super().reset()
        self.powered = self._mirrored = self._all_lit = self._inverted = False
        self._mode = self.MODE
        self._columns, self._pages = (0, self.COLUMNS - 1), (0, PAGES - 1)
        self._column = self._page = 0
        self.scan = Scan(COMMONS, COMMONS)

    def pixels(self) -> bytes:
        """The image on the glass: one byte per pixel, 0 or 1, row by row from the top left."""
        width, height = self.size
        if not (self.on and self.powered):
            return bytes(width * height)
        left = [page[self.FIRST : self.FIRST + width][::-1] for page in self._memory]
        return b"".join(self._row(left, line) for line in lines_at(self.scan, self.PINS[self.size]))

    def _row(self, pages: list[bytearray], line: int | None) -> bytes:
        if line is None:
            return bytes(self.size[0])
        return bytes(pages[line // 8].translate(_ALL if self._all_lit else _SEEN[self._inverted][line % 8]))

    def write(self, data: bytes) -> None:
        """Write bytes to the memory: each has eight pixels of a column, the top pixel in the lowest bit."""
        while data:
            room = 1 if self._mode == VERTICAL else self._room()
            self._store(data[:room])
            self._advance(len(data[:room]))
            data = data[room:]

    def _window(self) -> tuple[int, int]:
        return (0, self.COLUMNS - 1) if self._mode == PAGE else self._columns

    def _room(self) -> int:
        """The number of bytes that fit before the pointer wraps around."""
        _, last = self._window()
        return (last if self._column <= last else self.COLUMNS - 1) - self._column + 1

    def _store(self, piece: bytes) -> None:
        first = self._column
        if self._mirrored:
            first, piece = self.COLUMNS - first - len(piece), piece[::-1]
        self._memory[self._page][first : first + len(piece)] = piece

    def _advance(self, by: int) -> None:
        if self._mode == VERTICAL:
            self._page, wrapped = next_place(self._page, self._pages, PAGES)
            if wrapped:
                self._column, _ = next_place(self._column, self._columns, self.COLUMNS)
            return
        self._column, wrapped = next_place(self._column + by - 1, self._window(), self.COLUMNS)
        if wrapped and self._mode == HORIZONTAL:
            self._page, _ = next_place(self._page, self._pages, PAGES)

    def low_column(self, command: bytes) -> None:
        """00 to 0F: the low half of the column."""
        self._column = self._column & 0xF0 | command[0]

    def high_column(self, command: bytes) -> None:
        """10 to 1F: the high half of the column."""
        self._column = (self._column & 0x0F | (command[0] & 0x0F) << 4) % self.COLUMNS

    def page(self, command: bytes) -> None:
        """B0 to B7: the page."""
        self._page = command[0] & 0x07

    def mode(self, command: bytes) -> None:
        """20: memory addressing mode."""
        self._mode = command[1] & 0x03

    def columns(self, command: bytes) -> None:
        """21: first and last column of the window."""
        self._columns = command[1] & 0x7F, command[2] & 0x7F
        self._column = self._columns[0]

    def pages(self, command: bytes) -> None:
        """22: first and last page of the window."""
        self._pages = command[1] & 0x07, command[2] & 0x07
        self._page = self._pages[0]

    def start(self, command: bytes) -> None:
        """40 to 7F: the memory line in the first row."""
        self.scan = replace(self.scan, start=command[0] & 0x3F)

    def pump(self, command: bytes) -> None:
        """8D: charge pump on or off."""
        self.powered = bool(command[1] & PUMP_ON)

    def remap(self, command: bytes) -> None:
        """A0, A1: whether the segments are mirrored; applies to later writes."""
        self._mirrored = command[0] == 0xA1

    def set_all_lit(self, command: bytes) -> None:
        """A4, A5: shows the memory, or all pixels lit."""
        self._all_lit = command[0] == 0xA5

    def invert(self, command: bytes) -> None:
        """A6, A7: normal or inverse display."""
        self._inverted = command[0] == 0xA7

    def multiplex(self, command: bytes) -> None:
        """A8: the number of scanned rows minus one; fewer than 16 are ignored."""
        if command[1] & 0x3F >= 15:
            self.scan = replace(self.scan, rows=(command[1] & 0x3F) + 1)

    def direction(self, command: bytes) -> None:
        """C0 to CF: scans from the first or the last common."""
        self.scan = replace(self.scan, up=bool(command[0] & 0x08))

    def offset(self, command: bytes) -> None:
        """D3: display offset."""
        self.scan = replace(self.scan, offset=command[1] & 0x3F)

    def common_pins(self, command: bytes) -> None:
        """DA: sequential or alternative common pins, sides swapped or not."""
        self.scan = replace(self.scan, split=bool(command[1] & 0x10), swapped=bool(command[1] & 0x20))


_ALL = bytes([1]) * 256

_SEEN = [[bytes((byte >> bit & 1) ^ inverted for byte in range(256)) for bit in range(8)] for inverted in (0, 1)]
"""For normal and inverse display, and for each row of a page: a table from a memory byte to its pixel."""

COMMON_COMMANDS: dict[int, Command] = {
    **dict.fromkeys(range(0x10), (0, Ssd1306.low_column)),
    **dict.fromkeys(range(0x10, 0x20), (0, Ssd1306.high_column)),
    **dict.fromkeys(range(0x40, 0x80), (0, Ssd1306.start)),
    0x81: (1, Ssd1306.current),
    0xA0: (0, Ssd1306.remap),
    0xA1: (0, Ssd1306.remap),
    0xA4: (0, Ssd1306.set_all_lit),
    0xA5: (0, Ssd1306.set_all_lit),
    0xA6: (0, Ssd1306.invert),
    0xA7: (0, Ssd1306.invert),
    0xA8: (1, Ssd1306.multiplex),
    0xAE: (0, Ssd1306.switch),
    0xAF: (0, Ssd1306.switch),
    **dict.fromkeys(range(0xB0, 0xB8), (0, Ssd1306.page)),
    **dict.fromkeys(range(0xC0, 0xD0), (0, Ssd1306.direction)),
    0xD3: (1, Ssd1306.offset),
    0xD5: (1, Ssd1306.nothing),
    0xD9: (1, Ssd1306.nothing),
    0xDA: (1, Ssd1306.common_pins),
    0xDB: (1, Ssd1306.nothing),
}
"""Commands shared by the SSD1306, the SSD1309 and the SH1106."""

WINDOW_COMMANDS: dict[int, Command] = {
    0x20: (1, Ssd1306.mode),
    0x21: (2, Ssd1306.columns),
    0x22: (2, Ssd1306.pages),
    0x26: (6, Ssd1306.nothing),
    0x27: (6, Ssd1306.nothing),
    0x29: (5, Ssd1306.nothing),
    0x2A: (5, Ssd1306.nothing),
    0xA3: (2, Ssd1306.nothing),
}
"""Addressing modes, windows and scrolling of the SSD1306 and the SSD1309."""

Ssd1306.COMMANDS = COMMON_COMMANDS | WINDOW_COMMANDS | {0x8D: (1, Ssd1306.pump)}


# --- model of the SH1106 by its datasheet (Sino Wealth, V2.3): 132 columns, only page addressing ---


CONVERTER_ON = 0x8B


class Sh1106(Ssd1306):
    """One SH1106 with the glass on its middle 128 columns; a glass of 32 rows is placed where luma expects it."""

    COLUMNS: ClassVar = 132
    FIRST: ClassVar = 2
    PINS: ClassVar = {
        (128, 64): alternating(range(63, -1, -1)),
        (128, 32): alternating(range(47, 15, -1)),
    }

    def reset(self) -> None:
        """Set the state after the RST line was low; the DC-DC converter is on."""
        super().reset()
        self.contrast = 0x80
        self.powered = True

    def converter(self, command: bytes) -> None:
        """AD: DC-DC converter on or off."""
        self.powered = command[1] == CONVERTER_ON


Sh1106.COMMANDS = COMMON_COMMANDS | {0xAD: (1, Sh1106.converter)}


# --- model of the SSD1309 by its datasheet (Solomon Systech, rev 1.0): an SSD1306 with a lock and no charge pump ---


LOCKED = 0x04
"""The command lock bit: while it is set, only FD is accepted."""


class Ssd1309(Ssd1306):
    """One SSD1309; its module supplies the voltage of the glass."""

    def reset(self) -> None:
        """Set the state after the RST line was low; the glass has voltage."""
        super().reset()
        self.powered = True

    def lock(self, command: bytes) -> None:
        """FD: command lock."""
        self.locked = bool(command[1] & LOCKED)


Ssd1309.COMMANDS = COMMON_COMMANDS | WINDOW_COMMANDS | {0xFD: (1, Ssd1309.lock)}
