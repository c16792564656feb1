"""The small panel: the picture of a view through luma, over one I2C transaction a frame."""

from collections.abc import Sequence
from typing import Any

import luma.oled.device
from PIL import Image

from hardware.streets import SIZE, draw
from hardware.wires import I2cBus, Wires
from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.errors import DeviceError

COMMANDS, DATA = 0x00, 0x40
"""Control bytes: what follows is commands, or data."""

NO_OPERATION = 0xE3

TURNS = (0, 2)
"""Quarter turns that leave the picture lying."""


class Oled:
    """The panel. It is opened at the first view; luma clears it then."""

    name = "OLED"
    refresh_s: float | None = None

    def __init__(self, settings: Settings, wires: Wires) -> None:
        own = self._own = settings.oled
        self._kind = _kind(own.chip)
        if own.rotate not in TURNS:
            raise DeviceError(f"the OLED cannot be turned by {own.rotate} quarters; 0 and 2 are taken")
        if own.contrast not in range(256):
            raise DeviceError(f"the OLED cannot have a contrast of {own.contrast}; 0 to 255 is taken")
        self.about = f"{own.chip.upper()} on I2C, 0x{own.address:02X}, {own.bus_hz // 1000} kHz"
        self._wires = wires
        self._line: Line | None = None
        self._device: Any = None

    def show(self, view: View) -> None:
        """Show the view.

        Raises:
            DeviceError: the bus cannot be had.
            OSError: nobody answers at the address.
            luma.core.error.Error: luma found the same.
        """
        if self._device is None:
            self._device = self._opened()
        self._device.display(_fitted(draw(view), self._device))

    def close(self) -> None:
        """Let go of the bus; the panel keeps its picture."""
        self._device = None
        if self._line is not None:
            self._line.cleanup()
            self._line = None

    def _opened(self) -> Any:
        self._line = Line(self._wires.i2c(self._own.i2c_bus), self._own.address)
        self._line.command(NO_OPERATION)  # luma keeps every device until the program ends, so none is made in vain
        device = self._kind(self._line, rotate=self._own.rotate)
        device.persist = True
        device.contrast(self._own.contrast)
        return device


class Line:
    """What luma writes through. Unlike luma's own, it sends a frame as one transaction over a bus that it was given."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus = bus
        self._address = address

    def command(self, *command: int) -> None:
        """Send commands."""
        self._bus.write(self._address, bytes((COMMANDS, *command)))

    def data(self, data: Sequence[int]) -> None:
        """Send a picture's bytes."""
        self._bus.write(self._address, bytes((DATA, *data)))

    def cleanup(self) -> None:
        """Close the bus."""
        self._bus.close()


def _kind(chip: str) -> Any:
    if chip not in luma.oled.device.__all__:
        raise DeviceError(f"there is no OLED chip {chip!r}; luma knows {', '.join(luma.oled.device.__all__)}")
    return getattr(luma.oled.device, chip)


def _fitted(picture: Image.Image, device: Any) -> Image.Image:
    """The picture in the middle of a larger panel, in the panel's colours."""
    if device.size == SIZE and device.mode == picture.mode:
        return picture
    whole = Image.new(device.mode, device.size)
    whole.paste(picture.convert(device.mode), ((device.width - SIZE[0]) // 2, (device.height - SIZE[1]) // 2))
    return whole
