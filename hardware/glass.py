"""A panel that is switched on: it can be shown a picture, dimmed, made dark and lit again."""

from typing import Any

from PIL import Image

from hardware.chips import Chip
from hardware.pages import ROWS, changes, packed
from hardware.panel_line import Line
from pegboard.config import OledSettings

DISPLAY_OFF = 0xAE
"""A command of every chip."""


class Glass:
    """A panel that luma writes, which finds out itself what has changed."""

    def __init__(self, chip: Chip, line: Line, own: OledSettings) -> None:
        """Switch it on, empty.

        Raises:
            OSError: it does not answer.
        """
        line.command(DISPLAY_OFF)  # luma keeps every device until the program ends, so none is made in vain
        self.size = chip.glass(own.size)
        self._line = line
        self._device: Any = chip.device(line, *self.size, rotate=own.rotate)
        self._device.persist = True
        if chip.setup:
            line.command(*chip.setup)

    def show(self, picture: Image.Image) -> None:
        """Show a picture of one bit a pixel and the glass's size.

        Raises:
            OSError: it does not answer.
        """
        self._device.display(picture if self._device.mode == picture.mode else picture.convert(self._device.mode))

    def contrast(self, level: int) -> None:
        """Set the contrast, 0 to 255."""
        self._device.contrast(level)

    def light(self, on: bool) -> None:
        """Make the glass dark, or light it again with what was written last."""
        if on:
            self._device.show()
        else:
            self._device.hide()


class PagedGlass(Glass):
    """A panel whose changed bytes we write ourselves, by page and column; luma has cleared it."""

    def __init__(self, chip: Chip, line: Line, own: OledSettings) -> None:
        super().__init__(chip, line, own)
        assert chip.column is not None
        self._first = chip.column
        self._rotate = own.rotate
        self._pages = self.size[1] // ROWS
        self._shown = bytes(self.size[0] * self._pages)
        self._page: int | None = None

    def show(self, picture: Image.Image) -> None:
        """Show a picture of one bit a pixel and the glass's size.

        Raises:
            OSError: it does not answer.
        """
        new = packed(picture, self._rotate)
        for page, column, data in changes(self._shown, new, self._pages):
            self._line.place(self._way_to(page, column + self._first), data)
            self._page = page
        self._shown = new

    def _way_to(self, page: int, column: int) -> tuple[int, ...]:
        """The commands that choose a place: the page, where it is another, and the low and high half of the column.

        Both halves, because the datasheets leave open what a half does to a column that has counted on.
        """
        halves = column & 0x0F, 0x10 | column >> 4
        return halves if page == self._page else (0xB0 | page, *halves)
