"""A panel written by luma alone, a whole frame for every view; measured beside ours, as a stranger's display."""

import luma.oled.device

from hardware.oled.drawing.draw import draw
from hardware.oled.transport import open_i2c


class Lumas:
    """It hangs where ours would."""

    name, about, refresh_s = "luma's panel", "SSD1306 on I2C", None

    def __init__(self, settings, buses):
        self._settings, self._buses = settings, buses
        self._device = None

    def show(self, view):
        if self._device is None:
            self._device = luma.oled.device.ssd1306(open_i2c(self._buses, self._settings.oled))
            self._device.persist = True
        self._device.display(draw(view))

    def close(self):
        self._device = None
