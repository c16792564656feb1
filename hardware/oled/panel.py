"""OLED panel driver: controller chips as data, changed bytes (dirty windows), pictures, contrast, light off and on."""

import re
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import luma.oled.device
from PIL import Image

from hardware.oled.drawing.draw import SIZES
from hardware.oled.transport import DISPLAY_OFF, InitRecorder, PanelTransport
from pegboard.config import OledSettings
from pegboard.errors import DeviceError

# --- OLED controllers as data: buses, sizes, fastest clock, and how the memory is written ---


PAGE_ADDRESSING = (0x20, 0x02)
"""The command for page addressing, as on the SH1106; luma leaves the chip in another mode."""

EVEN_GRAYS = (0xB9,)
"""The command for the SSD1327's default table of grays."""

SSD1327_SETUP_PADDING = (0xB3, 0x00, 0xAB, 0x01, 0xB1, 0xF1, 0xBC, 0x08)
"""The settings that luma intends for an SSD1327: clock not divided, internal supply, phases of 1 and 15 clocks,
pre-charge to VCOMH. Luma sends only eight of a table's fifteen grays, so the chip takes luma's commands for these
settings as the other seven."""

SQUARE = (128, 128)
"""Columns and rows of gray and color panels; the picture is centered."""

TURNS = (0, 2)
"""Quarter turns that keep the picture in landscape."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A controller chip.

    Attributes:
        device: luma's class for the chip, which turns it on and clears it.
        hz: the fastest SPI clock by the datasheet.
        column: the memory column of the panel's first column, if we write its pages; None if luma does.
        setup: commands to send after luma's.
        buses: the buses that the chip supports.
        sizes: the panel sizes that the chip supports, by their names in the settings.
    """

    device: Any
    hz: int
    column: int | None = 0
    setup: tuple[int, ...] = ()
    buses: tuple[str, ...] = ("i2c", "spi")
    sizes: tuple[str, ...] = tuple(SIZES)

    def panel_size(self, size: str) -> tuple[int, int]:
        """Columns and rows of the panel, for a size in the settings."""
        return SQUARE if self.column is None else SIZES[size]


_LARGE = ("128x64", "128x128")
"""Sizes of a gray or color panel in the settings: the picture's and the panel's, which mean the same."""

_GRAY = partial(luma.oled.device.ssd1327, mode="1")
"""Luma's SSD1327, using only black and white of its grays."""

CONTROLLERS = {
    "ssd1306": Controller(luma.oled.device.ssd1306, 10_000_000, setup=PAGE_ADDRESSING),
    "ssd1309": Controller(luma.oled.device.ssd1309, 10_000_000, setup=PAGE_ADDRESSING),
    "sh1106": Controller(luma.oled.device.sh1106, 4_000_000, column=2),
    "ssd1327": Controller(_GRAY, 10_000_000, column=None, setup=EVEN_GRAYS + SSD1327_SETUP_PADDING, sizes=_LARGE),
    "ssd1351": Controller(luma.oled.device.ssd1351, 20_000_000, column=None, buses=("spi",), sizes=_LARGE),
}
"""The chips by their names in the settings."""


def find_controller(own: OledSettings) -> Controller:
    """The controller of the panel in the settings.

    Raises:
        DeviceError: the controller is unknown, or does not support this bus, size or rotation.
    """
    if own.chip not in CONTROLLERS:
        raise DeviceError("device_oled_chip", "oled.chip", chip=repr(own.chip), known=", ".join(CONTROLLERS))
    found = CONTROLLERS[own.chip]
    if own.wire not in found.buses:
        raise DeviceError(
            "device_oled_wire",
            "oled.wire",
            "oled.chip",
            chip=own.chip,
            wire=repr(own.wire),
            known=", ".join(found.buses),
        )
    if own.size not in found.sizes:
        raise DeviceError(
            "device_oled_size", "oled.size", "oled.chip", chip=own.chip, size=own.size, known=", ".join(found.sizes)
        )
    if own.rotate not in TURNS:
        raise DeviceError("device_oled_turn", "oled.rotate", turns=own.rotate)
    return found


# --- dirty rectangles: bytes that differ between two pictures, in pages of eight rows, one byte per column ---


ROWS = 8
"""Rows of a page."""

ON_ITS_SIDE = {0: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_90}
"""For each panel rotation, the turn of the picture that makes each column a row, its lowest pixel first."""

_APART = bytes(6)
"""Unchanged bytes that separate two windows; shorter gaps are sent along, since a new window costs three to seven."""

_RUNS = re.compile(rb"[^\0].*?(?=\0{6})", re.DOTALL)
"""A run of changed bytes, up to the next gap of six unchanged bytes."""


class Patch(NamedTuple):
    """A dirty window: the bytes to write into a page from a column on."""

    page: int
    column: int
    data: bytes


def pack(picture: Image.Image, rotate: int = 0) -> bytes:
    """Pack a picture: columns from the left, each from its lowest page up; a byte's lowest bit is its top pixel.

    Args:
        picture: one bit per pixel, its height a multiple of eight.
        rotate: quarter turns, 0 or 2.
    """
    return picture.transpose(ON_ITS_SIDE[rotate]).tobytes()


def changes(old: bytes, new: bytes, pages: int) -> list[Patch]:
    """The patches that turn one packed picture into another, from the first page to the last."""
    changed = (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))
    rows = b"".join(changed[page::pages] + _APART for page in range(pages - 1, -1, -1))
    return [_patch(new, pages, *run.span()) for run in _RUNS.finditer(rows)]


def _patch(new: bytes, pages: int, first: int, end: int) -> Patch:
    """The patch for the run of changed bytes from `first` to before `end`."""
    row_size = len(new) // pages + len(_APART)
    page, column = divmod(first, row_size)
    lowest = pages - 1 - page
    return Patch(page, column, new[column * pages + lowest : (end - page * row_size) * pages : pages])


class Panel:
    """A panel written by luma, which does its own change detection."""

    def __init__(self, controller: Controller, transport: PanelTransport, own: OledSettings) -> None:
        """Turn the panel on, empty.

        Raises:
            OSError: the panel does not answer.
        """
        transport.command(DISPLAY_OFF)  # fails early: luma keeps every device it creates until exit
        self.size = controller.panel_size(own.size)
        self._transport = transport
        self._recorder = InitRecorder(transport)
        self._device: Any = controller.device(self._recorder, *self.size, rotate=own.rotate)
        self._device.persist = True
        if controller.setup:
            self._recorder.command(*controller.setup)
        self._recorder.stop_recording()

    def reinit(self) -> None:
        """Initialize the panel again, at its initial brightness; the next picture is sent whole.

        Raises:
            OSError: the panel does not answer.
        """
        self._recorder.replay()
        self._invalidate()

    def _invalidate(self) -> None:
        """Forget what the panel's memory holds, so that the next picture is sent whole."""
        self._device.framebuffer.prev_image = None

    def show(self, picture: Image.Image) -> None:
        """Show a picture of one bit per pixel and the panel's size.

        Raises:
            OSError: the panel does not answer.
        """
        self._device.display(picture if self._device.mode == picture.mode else picture.convert(self._device.mode))

    def set_contrast(self, level: int) -> None:
        """Set the contrast, 0 to 255."""
        self._device.contrast(level)

    def switch_light(self, on: bool) -> None:
        """Turn the light off, or on again with the last written picture."""
        if on:
            self._device.show()
        else:
            self._device.hide()

    def switch_off(self) -> None:
        """Turn the light off, then clear the memory, which a sleeping controller still accepts.

        Raises:
            OSError: the panel does not answer.
        """
        self.switch_light(on=False)
        self.show(Image.new("1", self.size))


class PagedPanel(Panel):
    """A panel whose changed bytes we write ourselves, by page and column; luma only clears it."""

    def __init__(self, controller: Controller, transport: PanelTransport, own: OledSettings) -> None:
        super().__init__(controller, transport, own)
        assert controller.column is not None
        self._first = controller.column
        self._rotate = own.rotate
        self._pages = self.size[1] // ROWS
        self._shown: bytes | None = bytes(self.size[0] * self._pages)
        self._written: tuple[int, range] | None = None

    def show(self, picture: Image.Image) -> None:
        """Show a picture of one bit per pixel and the panel's size.

        Raises:
            OSError: the panel does not answer.
        """
        new = pack(picture, self._rotate)
        for page, column, data in changes(_inverse(new) if self._shown is None else self._shown, new, self._pages):
            place = range(column + self._first, column + self._first + len(data))
            self._transport.place(_addressing_commands(self._written, page, place.start), data)
            self._written = page, place
        self._shown = new

    def _invalidate(self) -> None:
        self._shown = self._written = None


def _inverse(pack: bytes) -> bytes:
    """A packed picture in which every byte differs."""
    return bytes(byte ^ 0xFF for byte in pack)


def _addressing_commands(written: tuple[int, range] | None, page: int, column: int) -> list[int]:
    """The commands that select a page and column (low and high nibble), leaving out those already in effect.

    A nibble is left out only if the first column of the last write and the column after it share it: the datasheets do
    not say whether the other nibble applies to the selected column or to the one reached by counting.
    """
    there = _place(page, column)
    if written is None:
        return list(there)
    old_page, columns = written
    known = zip(_place(old_page, columns.start), _place(old_page, columns.stop), strict=True)
    return [command for command, old in zip(there, known, strict=True) if {command} != set(old)]


def _place(page: int, column: int) -> tuple[int, int, int]:
    return 0xB0 | page, column & 0x0F, 0x10 | column >> 4
