# ruff: noqa: PLR2004 - a command's number is its name in the datasheet
"""The SSD1306 after its datasheet (Solomon Systech, rev 1.1): I2C bytes in, the picture on the glass out."""

from collections.abc import Iterator

WIDTH, HEIGHT, PAGES = 128, 64, 8

ARGUMENTS = {
    0x20: 1,  # memory addressing mode
    0x21: 2,  # column address: first, last
    0x22: 2,  # page address: first, last
    0x26: 6,  # scroll right
    0x27: 6,  # scroll left
    0x29: 5,  # scroll up and right
    0x2A: 5,  # scroll up and left
    0x81: 1,  # contrast
    0x8D: 1,  # charge pump
    0xA3: 2,  # vertical scroll area
    0xA8: 1,  # multiplex ratio
    0xD3: 1,  # display offset
    0xD5: 1,  # display clock
    0xD9: 1,  # pre-charge period
    0xDA: 1,  # COM pins
    0xDB: 1,  # VCOMH level
}
"""Bytes that follow a command (table 9-1); all others stand alone."""

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2
"""Memory addressing modes."""

PUMP_ON = 0x04
"""The charge pump's enable bit; without it the glass has no voltage."""


class Chip:
    """One SSD1306 on a module of 128 x 64 as they are sold: segment 127 at the left, the last common line at the top.

    Attributes:
        on: whether the display is switched on (AE, AF).
        contrast: 0 to 255.
        address: its address on the bus.
    """

    def __init__(self, address: int = 0x3C) -> None:
        self.address = address
        self.power_up()

    def power_up(self) -> None:
        """The state after power comes back: registers at their reset values, memory at random."""
        self.on = False
        self.contrast = 0x7F
        self._memory = [bytearray(0xA5 ^ (37 * x + page) & 0xFF for x in range(WIDTH)) for page in range(PAGES)]
        self._mode = PAGE
        self._columns, self._pages = (0, WIDTH - 1), (0, PAGES - 1)
        self._column = self._page = 0
        self._mirrored = self._all_lit = self._inverted = self._pumped = self._up = False
        self._start_line = self._offset = 0
        self._rows = HEIGHT
        self._command = bytearray()

    def receive(self, transaction: bytes) -> None:
        """The bytes after the address: control bytes, commands and data."""
        place = 0
        while place < len(transaction):
            control = transaction[place]
            only_one = control & 0x80
            last = place + 2 if only_one else len(transaction)
            payload = transaction[place + 1 : last]
            if control & 0x40:
                self._write(payload)
            else:
                for byte in payload:
                    self._take(byte)
            place = last

    def pixels(self) -> bytes:
        """What the glass shows: a byte a pixel, 0 or 1, row by row from the top left."""
        return bytes(pixel for row in range(HEIGHT) for pixel in self._row(row))

    def _row(self, row: int) -> Iterator[int]:
        common = row if self._up else HEIGHT - 1 - row
        if not (self.on and self._pumped and common < self._rows):
            return iter(bytes(WIDTH))
        line = (common + self._start_line + self._offset) % HEIGHT
        page, bit = self._memory[line // 8], line % 8
        return iter([int(self._all_lit or (page[WIDTH - 1 - x] >> bit & 1) != self._inverted) for x in range(WIDTH)])

    def _write(self, data: bytes) -> None:
        for byte in data:
            segment = WIDTH - 1 - self._column if self._mirrored else self._column
            self._memory[self._page][segment] = byte
            self._advance()

    def _advance(self) -> None:
        if self._mode == VERTICAL:
            self._page, wrapped = _next(self._page, self._pages)
            if wrapped:
                self._column, _ = _next(self._column, self._columns)
            return
        self._column, wrapped = _next(self._column, self._columns if self._mode == HORIZONTAL else (0, WIDTH - 1))
        if wrapped and self._mode == HORIZONTAL:
            self._page, _ = _next(self._page, self._pages)

    def _take(self, byte: int) -> None:
        self._command.append(byte)
        if len(self._command) > ARGUMENTS.get(self._command[0], 0):
            command, self._command = self._command, bytearray()
            self._obey(command[0], bytes(command[1:]))

    def _obey(self, command: int, arguments: bytes) -> None:  # noqa: C901, PLR0912 - a branch for each row of the table
        if command <= 0x0F:
            self._column = self._column & 0x70 | command
        elif command <= 0x1F:
            self._column = self._column & 0x0F | (command & 0x07) << 4
        elif command == 0x20:
            self._mode = arguments[0] & 0x03
        elif command == 0x21:
            self._columns = arguments[0] & 0x7F, arguments[1] & 0x7F
            self._column = self._columns[0]
        elif command == 0x22:
            self._pages = arguments[0] & 0x07, arguments[1] & 0x07
            self._page = self._pages[0]
        elif 0x40 <= command <= 0x7F:
            self._start_line = command & 0x3F
        elif command == 0x81:
            self.contrast = arguments[0]
        elif command == 0x8D:
            self._pumped = bool(arguments[0] & PUMP_ON)
        elif command in (0xA0, 0xA1):
            self._mirrored = command == 0xA1
        elif command in (0xA4, 0xA5):
            self._all_lit = command == 0xA5
        elif command in (0xA6, 0xA7):
            self._inverted = command == 0xA7
        elif command == 0xA8:
            self._rows = (arguments[0] & 0x3F) + 1
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 0x07
        elif command in (0xC0, 0xC8):
            self._up = command == 0xC8
        elif command == 0xD3:
            self._offset = arguments[0] & 0x3F


def _next(at: int, window: tuple[int, int]) -> tuple[int, bool]:
    """The place after `at` in a window, and whether it began anew."""
    first, last = window
    return (first, True) if at == last else ((at + 1) % WIDTH, False)
