"""The small panel: the picture of a view, and how it is kept from burning in."""

import time
from collections.abc import Callable

from PIL import Image

from hardware.interfaces import Buses
from hardware.oled.drawing.draw import SIZES, Look, draw
from hardware.oled.panel.burn_in import BurnIn, Light, Standing
from hardware.oled.panel.controllers import Controller, chip
from hardware.oled.panel.panel import PagedPanel, Panel
from hardware.oled.panel.reinit_schedule import SLOW_S, ReinitSchedule
from hardware.oled.panel.screen_rotation import ScreenRotation
from hardware.oled.panel.transport import Line, i2c_line, spi_line
from hardware.pin_assignment import check_panel
from pegboard.config import OledSettings, Settings
from pegboard.core.view import View
from pegboard.errors import DeviceError

DIM = 16
"""A dimmed panel has so small a part of its contrast."""

LATE_S = 0.02
"""Whoever waits `refresh_s` began to count a little before the panel did, and must not come too early."""


class Oled:
    """The panel. It is opened and cleared at the first view; then only what has changed is sent."""

    name = "OLED"

    def __init__(self, settings: Settings, buses: Buses, clock: Callable[[], float] = time.monotonic) -> None:
        own = self._own = settings.oled
        self._chip = chip(own)
        self._look = Look(SIZES.get(own.size, SIZES["128x64"]), own.layout)
        if own.contrast not in range(256):
            raise DeviceError(f"the OLED cannot have a contrast of {own.contrast}; 0 to 255 is taken", "oled.contrast")
        check_panel(settings)
        self._hz = min(own.spi_hz, self._chip.hz)
        self.about = f"{own.chip.upper()} on {_where(own, self._hz)}"
        self.refresh_s: float | None = None
        self._buses = buses
        self._clock = clock
        self._burn_in = BurnIn(own)
        self._standing = Standing()
        self._ending = ScreenRotation()
        slow = own.wire == "i2c" and self._chip.column is None
        self._renewal = ReinitSchedule(max(own.renew_s, SLOW_S) if slow and own.renew_s else own.renew_s)
        self._line: Line | None = None
        self._glass: Panel | None = None
        self._lit: tuple[Light, int] | None = None

    def show(self, view: View) -> None:
        """Show the view, or spare the panel when there has long been no news.

        Raises:
            DeviceError: the bus or a pin cannot be had.
            OSError: nobody answers at the address.
            luma.core.error.Error: luma found the same.
        """
        now_s, stood = self._clock(), self._burn_in.step
        self._burn_in.tell(view, now_s)
        self._ending.tell(view, now_s)
        self._renewal.tell(view, now_s)
        self._glass = self._glass or self._opened()
        if self._burn_in.light is not Light.DARK:
            if self._burn_in.step != stood or self._renewal.is_due(now_s):
                self._renew(self._glass, self._contrast(view), now_s)
            self._glass.show(self._picture(view, self._glass.size))
        self._lit_as(self._burn_in.light, self._contrast(view), self._glass)
        self.refresh_s = self._due_s(now_s)

    def close(self) -> None:
        """Let go of the wire; the panel keeps its picture."""
        self._glass = None
        if self._line is not None:
            self._line.cleanup()
            self._line = None

    def _opened(self) -> Panel:
        own = self._own
        self._line = i2c_line(self._buses, own) if own.wire == "i2c" else spi_line(self._buses, own, self._hz)
        return _glass_of(self._chip)(self._chip, self._line, own)

    def _renew(self, glass: Panel, contrast: int, now_s: float) -> None:
        glass.renew()
        self._lit = None
        self._lit_as(self._burn_in.light, contrast, glass)
        self._renewal.done(now_s)

    def _picture(self, view: View, size: tuple[int, int]) -> Image.Image:
        whole = _fitted(draw(view, self._look, ending=self._ending.shown), size)
        return self._standing.moved(whole, self._burn_in.step)

    def _contrast(self, view: View) -> int:
        """As chosen at the table, or else as set; a dimmed panel has less."""
        whole = self._own.contrast if view.brightness.oled is None else view.brightness.oled
        return whole // DIM if self._burn_in.light is Light.DIM else whole

    def _lit_as(self, light: Light, contrast: int, glass: Panel) -> None:
        """Dim, darken or light the panel, when that changes."""
        if self._lit == (light, contrast):
            return
        if light is not Light.DARK:
            glass.contrast(contrast)
        before = None if self._lit is None else self._lit[0]
        if light is not before and Light.DARK in (light, before):
            glass.light(light is not Light.DARK)
        self._lit = light, contrast

    def _due_s(self, now_s: float) -> float | None:
        dark = self._burn_in.light is Light.DARK
        lit = [] if dark else [self._ending.due_s(now_s), self._renewal.due_s(now_s)]
        waits = [due for due in (self._burn_in.due_s(now_s), *lit) if due is not None]
        return min(waits) + LATE_S if waits else None


def _where(own: OledSettings, hz: int) -> str:
    if own.wire == "i2c":
        return f"I2C, 0x{own.address:02X}, {own.bus_hz // 1000} kHz"
    return f"SPI{own.spi_bus}, {hz / 1e6:g} MHz"


def _glass_of(chip: Controller) -> type[Panel]:
    return Panel if chip.column is None else PagedPanel


def _fitted(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture in the middle of a glass of that size."""
    if picture.size == size:
        return picture
    whole = Image.new(picture.mode, size)
    whole.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2))
    return whole
