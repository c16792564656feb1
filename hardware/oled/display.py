"""OLED display: draws views on the panel, sends only changes, dims, shifts and reinits it; draws a test picture."""

import time
from collections.abc import Callable

from PIL import Image, ImageDraw

from hardware.board_setting import chosen_layout
from hardware.interfaces import Buses
from hardware.oled.burn_in import SLOW_S, BurnIn, GameOverAlternation, Light, PixelShift, ReinitSchedule
from hardware.oled.drawing import font
from hardware.oled.drawing.draw import SIZES, Style, draw
from hardware.oled.drawing.track_in_pixels import Pixel
from hardware.oled.panel import PagedPanel, Panel, find_controller
from hardware.oled.transport import DISPLAY_OFF, PanelTransport, open_i2c, open_spi
from hardware.pin_assignment import check_panel
from pegboard.config import OledSettings, Settings
from pegboard.core.board_shape import STREETS
from pegboard.core.view import View
from pegboard.errors import DeviceError
from pegboard.messages import Message

# --- test picture of a panel: a frame along all four edges, a number in each corner, and which side is up ---


EDGE = 3
"""Pixels between the frame and a corner's number."""

LINES = ("TOP", "PEGBOARD")


def draw_test_picture(size: Pixel) -> Image.Image:
    """The test picture of a panel of `size` columns and rows."""
    image = Image.new("1", size)
    pen = ImageDraw.Draw(image)
    columns, rows = size
    pen.rectangle((0, 0, columns - 1, rows - 1), outline=1)
    corners = ((0, 0), (1, 0), (0, 1), (1, 1))
    for number, (right, bottom) in enumerate(corners, 1):
        digit = font.render(str(number))
        x = columns - EDGE - digit.width if right else EDGE
        y = rows - EDGE - digit.height if bottom else EDGE
        image.paste(digit, (x, y))
    top = rows // 2 - font.HEIGHT - 1
    for line in (*LINES, f"{columns} X {rows}")[: 3 if rows > font.HEIGHT * 6 else 1]:
        text = font.render(line)
        image.paste(text, ((columns - text.width) // 2, top))
        top += font.HEIGHT + 2
    middle = columns // 2
    pen.line((middle, EDGE, middle, rows // 2 - font.HEIGHT - 4), fill=1)
    pen.line((middle, EDGE, middle - EDGE, 2 * EDGE), fill=1)
    pen.line((middle, EDGE, middle + EDGE, 2 * EDGE), fill=1)
    return image


DIM = 16
"""The number by which the contrast of a dimmed panel is divided."""

REFRESH_MARGIN_S = 0.02
"""Added to `refresh_s`: the wait starts slightly before the panel's own timing, and must not end too early."""


class Oled:
    """The OLED display. The first view opens and clears the panel; then only what has changed is sent."""

    name = "OLED"

    def __init__(self, settings: Settings, buses: Buses, clock: Callable[[], float] = time.monotonic) -> None:
        own = self._own = settings.oled
        self._controller = find_controller(own)
        self._style = Style(SIZES.get(own.size, SIZES["128x64"]), chosen_layout(own.layout, settings, STREETS))
        if own.contrast not in range(256):
            raise DeviceError("device_oled_contrast", "oled.contrast", contrast=own.contrast)
        check_panel(settings)
        self._hz = min(own.spi_hz, self._controller.hz)
        self.about = _about(own, self._hz, _i2c_hz(own, buses))
        self.acknowledges = own.wire == "i2c"
        self.refresh_s: float | None = None
        self._buses = buses
        self._clock = clock
        self._burn_in = BurnIn(own)
        self._pixel_shift = PixelShift()
        self._alternation = GameOverAlternation()
        slow = own.wire == "i2c" and self._controller.column is None
        self._reinit = ReinitSchedule(max(own.renew_s, SLOW_S) if slow and own.renew_s else own.renew_s)
        self._transport: PanelTransport | None = None
        self._panel: Panel | None = None
        self._lit_as: tuple[Light, int] | None = None

    def show(self, view: View) -> None:
        """Show the view; dim or blank the panel if nothing has changed for long.

        Raises:
            DeviceError: the bus or a pin cannot be opened.
            OSError: no device answers at the address.
            luma.core.error.Error: luma detected that no device answers at the address.
        """
        now_s, stood = self._clock(), self._burn_in.step
        self._burn_in.update(view, now_s)
        self._alternation.update(view, now_s)
        self._reinit.update(view, now_s)
        self._panel = self._panel or self._open()
        if self._burn_in.light is not Light.DARK:
            if self._burn_in.step != stood or self._reinit.is_due(now_s):
                self._reinit_panel(self._panel, self._contrast(view), now_s)
            self._panel.show(self._picture(view, self._panel.size))
        self._set_light(self._burn_in.light, self._contrast(view), self._panel)
        self.refresh_s = self._due_s(now_s)

    def show_test_picture(self) -> None:
        """Show the test picture.

        Raises:
            DeviceError: the bus or a pin cannot be opened.
            OSError: no device answers at the address.
        """
        self._panel = self._panel or self._open()
        self._panel.set_contrast(self._own.contrast)
        self._panel.show(draw_test_picture(self._panel.size))

    def darken(self) -> None:
        """Turn the panel off and clear its memory; a panel that is not open is only turned off.

        Raises:
            DeviceError: the bus or a pin cannot be opened.
            OSError: no device answers at the address.
        """
        if self._panel is not None:
            self._panel.switch_off()
            return
        self._transport = self._transport or self._open_transport()
        self._transport.command(DISPLAY_OFF)

    def close(self) -> None:
        """Close the bus; the panel keeps its picture."""
        self._panel = None
        if self._transport is not None:
            self._transport.cleanup()
            self._transport = None

    def _open(self) -> Panel:
        self._transport = self._open_transport()
        panel = Panel if self._controller.column is None else PagedPanel
        return panel(self._controller, self._transport, self._own)

    def _open_transport(self) -> PanelTransport:
        own = self._own
        return open_i2c(self._buses, own) if own.wire == "i2c" else open_spi(self._buses, own, self._hz)

    def _reinit_panel(self, panel: Panel, contrast: int, now_s: float) -> None:
        panel.reinit()
        self._lit_as = None
        self._set_light(self._burn_in.light, contrast, panel)
        self._reinit.mark_done(now_s)

    def _picture(self, view: View, size: tuple[int, int]) -> Image.Image:
        whole = _center(draw(view, self._style, ending=self._alternation.shown), size)
        return self._pixel_shift.shift(whole, self._burn_in.step)

    def _contrast(self, view: View) -> int:
        """The contrast chosen at the table, or else from the settings; lower for a dimmed panel."""
        whole = self._own.contrast if view.brightness.oled is None else view.brightness.oled
        return whole // DIM if self._burn_in.light is Light.DIM else whole

    def _set_light(self, light: Light, contrast: int, panel: Panel) -> None:
        """Dim, darken or light the panel, if that changes."""
        if self._lit_as == (light, contrast):
            return
        if light is not Light.DARK:
            panel.set_contrast(contrast)
        before = None if self._lit_as is None else self._lit_as[0]
        if light is not before and Light.DARK in (light, before):
            panel.switch_light(light is not Light.DARK)
        self._lit_as = light, contrast

    def _due_s(self, now_s: float) -> float | None:
        lit = [] if self._burn_in.light is Light.DARK else [self._alternation.due_s(now_s), self._reinit.due_s(now_s)]
        waits = [due for due in (self._burn_in.due_s(now_s), *lit) if due is not None]
        return min(waits) + REFRESH_MARGIN_S if waits else None


def _i2c_hz(own: OledSettings, buses: Buses) -> int | None:
    """The clock of the panel's I2C bus from the kernel, or None if unknown; for simulated buses, from the settings."""
    ask = getattr(buses, "i2c_hz", None)
    return own.bus_hz if ask is None or own.wire != "i2c" else ask(own.i2c_bus)


def _about(own: OledSettings, hz: int, i2c_hz: int | None) -> str:
    what = own.chip.upper()
    if own.wire == "i2c":
        clock = "" if i2c_hz is None else f", {i2c_hz / 1000:g} kHz"
        return Message("device_on", what=what, how=f"0x{own.address:02X}{clock}")
    return f"{what} on SPI{own.spi_bus}, {hz / 1e6:g} MHz"


def _center(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture centered on a panel of `size` columns and rows."""
    left, top = (picture.width - size[0]) // 2, (picture.height - size[1]) // 2
    return picture.crop((left, top, left + size[0], top + size[1]))
