"""The table of panel models, by the chip's name in the settings."""

from collections.abc import Callable
from typing import Protocol

from hardware.simulator.panels.sh1106 import Sh1106
from hardware.simulator.panels.ssd1306 import Ssd1306
from hardware.simulator.panels.ssd1309 import Ssd1309
from hardware.simulator.panels.ssd1327 import Ssd1327
from hardware.simulator.panels.ssd1351 import Ssd1351
from pegboard.errors import DeviceError


class PanelModel(Protocol):
    """A model of a panel.

    Attributes:
        address: its address on the I2C bus; -1 where it has none.
        size: columns and rows of its glass.
        on: whether its display is switched on.
        contrast: 0 to 255.
    """

    address: int
    size: tuple[int, int]
    on: bool
    contrast: int

    def receive(self, transaction: bytes) -> None:
        """The bytes of an I2C transaction after the address."""

    def receive_spi(self, data: bytes, *, dc: bool) -> None:
        """Bytes on SPI; `dc` is the level of the line D/C."""

    def reset(self) -> None:
        """The line RST was low."""

    def power_up(self) -> None:
        """The power has come back."""

    def pixels(self) -> bytes:
        """What the glass shows: a byte a pixel, 0 or 1, row by row from the top left."""


MODELS: dict[str, Callable[[int, tuple[int, int]], PanelModel]] = {
    "ssd1306": Ssd1306,
    "ssd1309": Ssd1309,
    "sh1106": Sh1106,
    "ssd1327": lambda address, _size: Ssd1327(address),
    "ssd1351": lambda _address, _size: Ssd1351(),
}
"""How each model is made; grey and colour panels have 128 x 128 pixels."""

GLASSES = {"128x64": (128, 64), "128x32": (128, 32)}
"""Sizes of the small panels."""


def panel(chip: str, size: str, address: int) -> PanelModel:
    """The model of a panel with its power on; of a size that is not made it has 128 x 64 pixels.

    Raises:
        DeviceError: there is no model of the chip.
    """
    if chip not in MODELS:
        raise DeviceError("simulator_no_chip", chip=repr(chip), known=", ".join(MODELS))
    return MODELS[chip](address, GLASSES.get(size, GLASSES["128x64"]))
