"""OLED controllers as data: the buses and sizes of each, its fastest clock, and how its memory is written."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import luma.oled.device

from hardware.oled.drawing.draw import SIZES
from pegboard.config import OledSettings
from pegboard.errors import DeviceError

PAGE_ADDRESSING = (0x20, 0x02)
"""The command after which a page and a column are chosen as on the SH1106; luma leaves the chip in another mode."""

EVEN_GREYS = (0xB9,)
"""The SSD1327's own table of greys."""

SWALLOWED = (0xB3, 0x00, 0xAB, 0x01, 0xB1, 0xF1, 0xBC, 0x08)
"""What luma means an SSD1327 to have: the clock not divided, the inner supply, phases of 1 and 15 clocks, pre-charge to
VCOMH. It sends eight of the fifteen greys of a table, so that the chip takes these commands for the other seven."""

SQUARE = (128, 128)
"""Columns and rows of grey and colour panels; the picture stands in the middle."""

TURNS = (0, 2)
"""Quarter turns that leave the picture lying."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A controller.

    Attributes:
        device: luma's class, which switches it on and clears it.
        hz: the fastest clock on SPI, by its datasheet.
        column: the column of its memory that is the panel's first, where we write its pages; None where luma writes.
        setup: commands to be sent after luma's.
        buses: the buses that it can hang on.
        sizes: sizes that are taken.
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
"""Of a grey or colour panel: the picture's size or the panel's, which mean the same."""

_GREY = partial(luma.oled.device.ssd1327, mode="1")
"""Black and white are enough of its greys."""

CONTROLLERS = {
    "ssd1306": Controller(luma.oled.device.ssd1306, 10_000_000, setup=PAGE_ADDRESSING),
    "ssd1309": Controller(luma.oled.device.ssd1309, 10_000_000, setup=PAGE_ADDRESSING),
    "sh1106": Controller(luma.oled.device.sh1106, 4_000_000, column=2),
    "ssd1327": Controller(_GREY, 10_000_000, column=None, setup=EVEN_GREYS + SWALLOWED, sizes=_LARGE),
    "ssd1351": Controller(luma.oled.device.ssd1351, 20_000_000, column=None, buses=("spi",), sizes=_LARGE),
}
"""The chips by their names in the settings."""


def find_controller(own: OledSettings) -> Controller:
    """The controller of the panel in the settings.

    Raises:
        DeviceError: it is unknown, cannot hang on such a bus, has no panel of that size, or cannot be turned so.
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
