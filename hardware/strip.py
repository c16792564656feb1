"""The LED strip along the track: colours of a view, below its current, on an SPI data line."""

from hardware.colours import colours
from hardware.leds import HOLES, Layout, layout
from hardware.wires import SpiBus, Wires
from hardware.ws2812 import HZ, channels, gamma_table, limited, refuse_small, waveform
from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.errors import DeviceError

FEWEST_LANES = 2


class Strip:
    """A WS2812 strip. Every view is sent whole, and again every five seconds, which repairs what a spark has spoilt."""

    name = "LED strip"
    refresh_s: float | None = 5.0

    def __init__(self, settings: Settings, wires: Wires) -> None:
        self._own = settings.strip
        if not 0 < self._own.brightness <= 1:
            raise DeviceError(
                f"the strip's brightness cannot be {self._own.brightness:g}; more than 0, up to 1, is taken"
            )
        layout(self._own.layout, FEWEST_LANES)
        refuse_small(self._own.budget_ma, (self._own.lanes or FEWEST_LANES) * HOLES)
        self._wires = wires
        self._bus: SpiBus | None = None
        self._leds = (self._own.lanes or FEWEST_LANES) * HOLES

    @property
    def about(self) -> str:
        """Where it hangs, and how long it is."""
        return f"WS2812 on SPI{self._own.spi_bus}, {self._leds} LEDs"

    def layout_for(self, lanes: int) -> Layout:
        """Which LED lies at which hole, in a game of so many lanes."""
        return layout(self._own.layout, self._own.lanes or max(lanes, FEWEST_LANES))

    def show(self, view: View) -> None:
        """Light the view.

        Raises:
            DeviceError: the bus cannot be had, or the budget is too small for a strip along three lanes.
            OSError: the bus failed.
        """
        places = self.layout_for(len(view.game.lanes))
        self._leds = len(places) * HOLES
        lit = channels(colours(view, places, self._leds)).translate(gamma_table(self._own.brightness))
        self._send(limited(lit, self._own.budget_ma))

    def close(self) -> None:
        """Let go of the bus; the strip keeps its last colours."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def _send(self, values: bytes) -> None:
        if self._bus is None:
            self._bus = self._wires.spi(self._own.spi_bus, HZ)
        self._bus.write(waveform(values))
