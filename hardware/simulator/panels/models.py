"""The table of panel models, by the chip's name in the settings."""

from collections.abc import Callable

from hardware.simulator.panels.panel_model import PanelModel
from hardware.simulator.panels.sh1106 import Sh1106
from hardware.simulator.panels.ssd1306 import Ssd1306
from hardware.simulator.panels.ssd1309 import Ssd1309
from hardware.simulator.panels.ssd1327 import Ssd1327
from hardware.simulator.panels.ssd1351 import Ssd1351
from pegboard.errors import DeviceError

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
