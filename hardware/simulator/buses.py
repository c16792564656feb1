"""The stand-in wires: a modelled panel on I2C or SPI, a modelled strip on SPI, pins for a hand; plugs can be pulled."""

import errno
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hardware.interfaces import I2cBus, KeyReader, SpiBus
from hardware.simulator.foreign_device import ForeignDeviceBuses, SimulatedI2c, SimulatedSpi
from hardware.simulator.leds.apa102_chain import ClockedLedChain
from hardware.simulator.leds.ws2812_chain import SK6812, SK6812_RGBW, WS2812B, LedChain, SignalFault
from hardware.simulator.panels.models import MODELS, panel
from hardware.simulator.pins import SimulatedPins
from hardware.simulator.plug import Bus, Plug
from hardware.simulator.recorder import BusRecorder
from hardware.simulator.usb_keypad import SimulatedKeypad
from pegboard.config import OledSettings, Settings

LINES_KEPT = 8

BOUNCES = 3
"""How often the contacts of a pressed key spring apart; tactile switches do so up to about this often."""

OLED, STRIP, KEYPAD = "OLED", "LED strip", "keypad"
"""Names of the devices, as they call themselves."""

LED_CHAINS: dict[str, Callable[[], LedChain]] = {
    "ws2812": partial(LedChain, WS2812B),
    "sk6812": partial(LedChain, SK6812),
    "sk6812w": partial(LedChain, SK6812_RGBW),
    "apa102": ClockedLedChain,
}
"""The model of each LED chip, by its name in the settings; any other is modelled as a WS2812."""


@dataclass(frozen=True, slots=True)
class BusEvent:
    """Something that has passed over a wire: when (wall time, seconds since 1970), on which bus, and in words."""

    at: float
    bus: str
    text: str


class SimulatedBuses:
    """Wires of the same shape as the Pi's, to the devices of the settings.

    Attributes:
        chip: the panel.
        chain: the strip.
        panel: the panel's plug.
        strip: the strip's plug.
        plugs: every plug by the name of its device.
        hand: the keys' pins.
        pad: the keypad.
        passed: the newest of what has passed over the wires, newest first.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        record: BusRecorder | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        settings = settings or Settings()
        oled, spi = settings.oled, settings.oled.wire == "spi"
        self.panel_model = panel(
            oled.chip if oled.enabled and oled.chip in MODELS else OledSettings().chip, oled.size, oled.address
        )
        self.led_chain = LED_CHAINS.get(settings.strip.chip, LedChain)()
        self.key_pins = SimulatedPins(record.gpio if record is not None else None, pull_up=settings.keys.pull_up)
        self.usb_keypad = SimulatedKeypad()
        self.recent_events: deque[BusEvent] = deque(maxlen=LINES_KEPT)
        self._clock = clock
        self._buses: dict[str, Bus] = {}
        panel_bus = self.bus(f"SPI{oled.spi_bus}" if spi else f"I2C{oled.i2c_bus}")
        self.panel_plug = Plug(panel_bus)
        self.strip_plug = Plug(self.bus(f"SPI{settings.strip.spi_bus}"))
        self.plugs = {OLED: self.panel_plug, STRIP: self.strip_plug, KEYPAD: Plug(Bus("USB", clock))}
        self._oled = oled
        self._record = record
        self._strip_fault: str | None = None
        self._panel_lock, self._strip_lock = threading.Lock(), threading.Lock()  # to look at one delays no other

    @property
    def all_buses(self) -> list[Bus]:
        """Every bus that something hangs on, or that was opened."""
        return list(self._buses.values())

    def pins(self) -> Any:
        """The mock pins."""
        return self.key_pins.factory

    def i2c(self, bus: int) -> I2cBus:
        """An I2C bus; the panel may hang on it."""
        return SimulatedI2c(partial(self.write_i2c, bus))

    def guest(self, name: str) -> ForeignDeviceBuses:
        """The wires as a device of another package is given them, which is called so."""
        return ForeignDeviceBuses(self, name)

    def spi(self, bus: int, hz: int) -> SpiBus:
        """An SPI bus; the strip or the panel may hang on it."""
        return SimulatedSpi(lambda data: self.write_spi(bus, data, hz))

    def keypad(self, device: str) -> KeyReader:  # noqa: ARG002 - there is one keypad
        """The keypad, whatever its file. Raises `DeviceError` when it is not plugged in."""
        return self.usb_keypad.open(plugged=self.plugs[KEYPAD].plugged)

    def plug(self, device: str, plugged: bool) -> None:
        """Pull or put in the plug of a device; one that gets its power back has forgotten all."""
        plug = self.plugs[device]
        with self._panel_lock, self._strip_lock:
            if not plugged:
                plug.pull()
            elif not plug.plugged:
                self._power_up(plug)
                plug.plugged = True
        if device == KEYPAD and not plugged:
            self.usb_keypad.unplug()
        self.note("PLUG", f"{device} {'in' if plugged else 'out'}")

    def _power_up(self, plug: Plug) -> None:
        if plug is self.panel_plug:
            self.panel_model.power_up()
        elif plug is self.strip_plug:
            self.led_chain.power_up()
            self._strip_fault = None

    def press(self, line: int | str, words: str) -> None:
        """Push down the key of a pin, or of that name on the keypad; a pin's contacts bounce, as real ones do."""
        if self.is_down(line):
            return  # a finger that is there already moves nothing
        if isinstance(line, str):
            self.note("KEY", f"{words}, down")
            self.usb_keypad.press(line)
            return
        self.note("KEY", f"{words}, down, {BOUNCES} bounces")
        self.key_pins.press(line, BOUNCES)

    def release(self, line: int | str, words: str) -> None:
        """Let a key go."""
        if not self.is_down(line):
            return
        self.note("KEY", f"{words}, up")
        if isinstance(line, str):
            self.usb_keypad.release(line)
        else:
            self.key_pins.release(line)

    def is_down(self, line: int | str) -> bool:
        """Whether a finger is on the key."""
        return self.usb_keypad.is_down(line) if isinstance(line, str) else self.key_pins.is_down(line)

    def pixels(self) -> bytes:
        """What the panel shows, a byte a pixel; nothing without power."""
        with self._panel_lock:
            width, height = self.panel_model.size
            return self.panel_model.pixels() if self.panel_plug.plugged else bytes(width * height)

    def colours(self) -> list[tuple[int, int, int]]:
        """What the strip shows; nothing without power.

        Raises:
            Fault: it was sent nonsense last.
        """
        with self._strip_lock:
            if not self.strip_plug.plugged:
                self._strip_fault = None
            if self._strip_fault is not None:
                raise SignalFault(self._strip_fault)
            try:
                shown = self.led_chain.colours()
            except SignalFault as fault:
                self._strip_fault = str(fault)
                raise
            return shown if self.strip_plug.plugged else [(0, 0, 0)] * len(shown)

    def note(self, bus: str, text: str) -> None:
        """Keep a line for whoever watches."""
        self.recent_events.appendleft(BusEvent(time.time(), bus, text))

    def write_i2c(self, bus: int, address: int, data: bytes) -> None:
        """A transaction on an I2C bus; nobody answers on another bus, or at another address."""
        if self.panel_plug.bus is not self.bus(f"I2C{bus}") or address != self.panel_model.address:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        bits = 9 * (len(data) + 1)  # the address too, and an acknowledge for each
        self.panel_plug.passes(len(data), bits * 1_000_000_000 // self._oled.bus_hz)
        if self._record is not None:
            self._record.i2c(address, data)
        with self._panel_lock:
            self.panel_model.receive(data)

    def write_to_guest(self, plug: Plug, address: int | None, data: bytes, *, hz: int | None = None) -> None:
        """A write of another package's device, to an address of I2C or at a clock of SPI."""
        if address is not None and plug.bus is self.panel_plug.bus and address == self.panel_model.address:
            self.write_i2c(self._oled.i2c_bus, address, data)
            return
        bits, clock = (9 * (len(data) + 1), self._oled.bus_hz) if hz is None else (8 * len(data), hz)
        plug.passes(len(data), round(bits * 1_000_000_000 / clock))
        if self._record is None:
            return
        if address is None:
            self._record.spi(hz or 0, data)
        else:
            self._record.i2c(address, data)

    def write_spi(self, bus: int, data: bytes, hz: int) -> None:
        """A transfer on an SPI bus; where nothing hangs on it, the bytes are lost."""
        lines = self.bus(f"SPI{bus}")
        plug = next((plug for plug in (self.strip_plug, self.panel_plug) if plug.bus is lines), None)
        if plug is None:
            lines.passes(len(data))
            return
        hz = round(hz * plug.clock)
        heard = plug.passes(len(data), 8 * len(data) * 1_000_000_000 // hz)
        if plug is self.strip_plug:
            self._to_strip(data, hz, heard=heard)
        else:
            self._to_panel(data, hz, heard=heard)

    def _to_strip(self, data: bytes, hz: int, *, heard: bool) -> None:
        if self._record is not None:
            self._record.spi(hz, data)
        if not heard:
            return
        with self._strip_lock:
            self._strip_fault = None
            self.led_chain.receive(data, hz)

    def _to_panel(self, data: bytes, hz: int, *, heard: bool) -> None:
        dc = self._levels_since(self._oled.dc_pin)[-1]
        was_reset = not all(self._levels_since(self._oled.reset_pin))
        if self._record is not None:
            self._record.spi(hz, data, dc=dc)
        if not heard:
            return
        with self._panel_lock:
            if was_reset:
                self.panel_model.reset()
            self.panel_model.receive_spi(data, dc=dc)

    def _levels_since(self, number: int) -> list[bool]:
        """The levels of an output since it was last looked at, the level now last."""
        pin = self.key_pins.factory.pin(number)
        levels = [bool(level) for _, level in pin.states]
        pin.clear_states()
        return levels

    def bus(self, name: str) -> Bus:
        """The bus of that name, such as "I2C1"."""
        return self._buses.setdefault(name, Bus(name, self._clock))
