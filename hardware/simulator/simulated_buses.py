"""Simulated buses: panel model (I2C or SPI), LED strip model (SPI), keys, keypad, plugs, other packages' devices."""

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
from hardware.simulator.led_chains import SK6812, SK6812_RGBW, WS2812B, ClockedLedChain, LedChain, SignalFault
from hardware.simulator.panel_model import PanelModel
from hardware.simulator.pins import SimulatedKeypad, SimulatedPins
from hardware.simulator.plug_and_bus import Bus, BusRecorder, Plug
from hardware.simulator.ssd1306 import Sh1106, Ssd1306, Ssd1309
from hardware.simulator.windowed_panels import Ssd1327, Ssd1351
from pegboard.config import OledSettings, Settings
from pegboard.errors import DeviceError

# --- buses for a device of another package: its writes are counted and recorded, and the device has a plug ---


class ForeignDeviceBuses:
    """Buses for a device without a model: on I2C every write is acknowledged, at any address.

    The device's plug appears on the bench when the device opens a bus, and can have the same faults as any other plug.
    """

    def __init__(self, buses: "SimulatedBuses", name: str) -> None:
        self._buses = buses
        self._name = name

    def pins(self) -> Any:
        """The factory of the simulated pins."""
        return self._buses.pins()

    def i2c(self, bus: int) -> I2cBus:
        """Open an I2C bus."""
        return OpenBus(partial(self._buses.write_foreign, self._plug(f"I2C{bus}")))

    def spi(self, bus: int, hz: int) -> SpiBus:
        """Open an SPI bus."""
        return OpenBus(partial(self._buses.write_foreign, self._plug(f"SPI{bus}"), None, hz=hz))

    def keypad(self, device: str, last: str = "") -> KeyReader:
        """Open the only keypad, regardless of `device`. Raises `DeviceError` if it is unplugged or already open."""
        return self._buses.keypad(device, last)

    def input_devices(self) -> object:
        """Whether the keypad is plugged in."""
        return self._buses.input_devices()

    def _plug(self, bus: str) -> Plug:
        return self._buses.plugs.setdefault(self._name, Plug(self._buses.bus(bus)))


@dataclass(frozen=True)
class OpenBus:
    """A simulated bus, I2C or SPI, that a device has opened: every transaction goes to `write`."""

    write: Callable[..., None]

    def close(self) -> None:
        """Close the bus."""


# --- panel models by the chip's name in the settings ---


MODELS: dict[str, Callable[[int, tuple[int, int]], PanelModel]] = {
    "ssd1306": Ssd1306,
    "ssd1309": Ssd1309,
    "sh1106": Sh1106,
    "ssd1327": lambda address, _size: Ssd1327(address),
    "ssd1351": lambda _address, _size: Ssd1351(),
}
"""The constructor of each model; gray and color panels have 128 x 128 pixels."""

GLASSES = {"128x64": (128, 64), "128x32": (128, 32)}
"""Sizes of the small panels."""


def panel(chip: str, size: str, address: int) -> PanelModel:
    """The model of a panel with its power on; 128 x 64 pixels if the size is unknown.

    Raises:
        DeviceError: the chip has no model.
    """
    if chip not in MODELS:
        raise DeviceError("simulator_no_chip", chip=repr(chip), known=", ".join(MODELS))
    return MODELS[chip](address, GLASSES.get(size, GLASSES["128x64"]))


RECENT_EVENTS = 8

BOUNCES = 3
"""How often the contacts of a key bounce on press and on release: as often as tactile switches."""

OLED, STRIP, KEYPAD, KEYS = "OLED", "LED strip", "keypad", "keys"
"""The names that the devices use for themselves."""

LED_CHAINS: dict[str, Callable[[], LedChain]] = {
    "ws2812": partial(LedChain, WS2812B),
    "sk6812": partial(LedChain, SK6812),
    "sk6812w": partial(LedChain, SK6812_RGBW),
    "apa102": ClockedLedChain,
}
"""The model of each LED chip's chain, by the chip's name in the settings; unknown chips use the WS2812's."""


@dataclass(frozen=True, slots=True)
class BusEvent:
    """An event on a bus: the wall time in seconds since 1970, the name of the bus, and what happened, in words."""

    at: float
    bus: str
    text: str


class SimulatedBuses:
    """Buses with the same interface as a Pi's, with models of the devices in the settings.

    Attributes:
        panel_model: the model of the panel.
        led_chain: the model of the LED strip.
        panel_plug: the plug of the panel.
        strip_plug: the plug of the LED strip.
        plugs: all plugs, by the device's name.
        key_wires: the wires of the keys, which have no plug but can have a fault.
        key_pins: the pins of the keys.
        usb_keypad: the model of the keypad.
        recent_events: the last events on the buses, newest first.
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
        self.key_wires = Plug(Bus("GPIO", clock))
        self.key_pins = SimulatedPins(
            record.gpio if record is not None else None,
            pull_up=settings.keys.pull_up,
            is_held_up=lambda: self.key_wires.held_up,
        )
        self.usb_keypad = SimulatedKeypad()
        self.recent_events: deque[BusEvent] = deque(maxlen=RECENT_EVENTS)
        self._clock = clock
        self._buses: dict[str, Bus] = {}
        panel_bus = self.bus(f"SPI{oled.spi_bus}" if spi else f"I2C{oled.i2c_bus}")
        self.panel_plug = Plug(panel_bus)
        self.strip_plug = Plug(self.bus(f"SPI{settings.strip.spi_bus}"))
        self.plugs = {OLED: self.panel_plug, STRIP: self.strip_plug, KEYPAD: Plug(Bus("USB", clock))}
        self._oled = oled
        self._record = record
        self._strip_fault: str | None = None
        self._panel_lock, self._strip_lock = (
            threading.Lock(),
            threading.Lock(),
        )  # reading one model must not delay the other

    @property
    def all_buses(self) -> list[Bus]:
        """Every bus that a device is connected to, or that was opened."""
        return list(self._buses.values())

    def pins(self) -> Any:
        """The factory of the simulated pins."""
        return self.key_pins.factory

    def i2c(self, bus: int) -> I2cBus:
        """Open an I2C bus, which may be the panel's."""
        return OpenBus(partial(self.write_i2c, bus))

    def for_foreign_device(self, name: str) -> ForeignDeviceBuses:
        """Buses for another package's device of that name."""
        return ForeignDeviceBuses(self, name)

    def spi(self, bus: int, hz: int) -> SpiBus:
        """Open an SPI bus, which may be the strip's or the panel's."""
        return OpenBus(lambda data: self.write_spi(bus, data, hz))

    def keypad(self, device: str, last: str = "") -> KeyReader:  # noqa: ARG002 - there is one keypad
        """Open the keypad, regardless of `device`. Raises `DeviceError` if it is unplugged or already open."""
        return self.usb_keypad.open(plugged=self.plugs[KEYPAD].plugged)

    def input_devices(self) -> object:
        """Whether the keypad is plugged in."""
        return self.plugs[KEYPAD].plugged

    def plug(self, device: str, plugged: bool) -> None:
        """Plug in or unplug a device; a device that is plugged in again is in its power-up state."""
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

    def press(self, contact: int | str, words: str) -> None:
        """Press the key of a pin, with contacts that bounce like real ones, or a keypad key; `words` name the key."""
        if self.is_down(contact):
            return
        if isinstance(contact, str):
            self.note("KEY", f"{words}, down")
            self.usb_keypad.press(contact)
            return
        self.note("KEY", f"{words}, down, {BOUNCES} bounces")
        self.key_pins.press(contact, BOUNCES)

    def release(self, contact: int | str, words: str) -> None:
        """Release the key of a pin or of the keypad; `words` name the key."""
        if not self.is_down(contact):
            return
        if isinstance(contact, str):
            self.note("KEY", f"{words}, up")
            self.usb_keypad.release(contact)
            return
        self.note("KEY", f"{words}, up, {BOUNCES} bounces")
        self.key_pins.release(contact, BOUNCES)

    def is_down(self, contact: int | str) -> bool:
        """Whether the key is held down."""
        return self.usb_keypad.is_down(contact) if isinstance(contact, str) else self.key_pins.is_down(contact)

    def pixels(self) -> bytes:
        """The image on the panel, one byte per pixel; all dark without power."""
        with self._panel_lock:
            width, height = self.panel_model.size
            return self.panel_model.pixels() if self.panel_plug.plugged else bytes(width * height)

    def colors(self) -> list[tuple[int, int, int]]:
        """The colors of the LED strip; all dark without power.

        Raises:
            SignalFault: the last transfer cannot be decoded.
        """
        with self._strip_lock:
            if not self.strip_plug.plugged:
                self._strip_fault = None
            if self._strip_fault is not None:
                raise SignalFault(self._strip_fault)
            try:
                shown = self.led_chain.colors()
            except SignalFault as fault:
                self._strip_fault = str(fault)
                raise
            return shown if self.strip_plug.plugged else [(0, 0, 0)] * len(shown)

    def note(self, bus: str, text: str) -> None:
        """Store a bus event for the bench."""
        self.recent_events.appendleft(BusEvent(time.time(), bus, text))

    def write_i2c(self, bus: int, address: int, data: bytes) -> None:
        """Write a transaction to an I2C bus; only the panel at its bus and address acknowledges it."""
        if self.panel_plug.bus is not self.bus(f"I2C{bus}") or address != self.panel_model.address:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        bits = 9 * (len(data) + 1)  # including the address, with an acknowledge bit each
        self.panel_plug.transfer(len(data), bits * 1_000_000_000 // self._oled.bus_hz)
        if self._record is not None:
            self._record.i2c(address, data)
        with self._panel_lock:
            self.panel_model.receive(data)

    def write_foreign(self, plug: Plug, address: int | None, data: bytes, *, hz: int | None = None) -> None:
        """Write for another package's device, to an I2C address or at an SPI clock."""
        if address is not None and plug.bus is self.panel_plug.bus and address == self.panel_model.address:
            self.write_i2c(self._oled.i2c_bus, address, data)
            return
        bits, clock = (9 * (len(data) + 1), self._oled.bus_hz) if hz is None else (8 * len(data), hz)
        plug.transfer(len(data), round(bits * 1_000_000_000 / clock))
        if self._record is None:
            return
        if address is None:
            self._record.spi(hz or 0, data)
        else:
            self._record.i2c(address, data)

    def write_spi(self, bus: int, data: bytes, hz: int) -> None:
        """Write a transfer to an SPI bus; without a device on it, the bytes are lost."""
        shared_bus = self.bus(f"SPI{bus}")
        plug = next((plug for plug in (self.strip_plug, self.panel_plug) if plug.bus is shared_bus), None)
        if plug is None:
            shared_bus.transfer(len(data))
            return
        hz = round(hz * plug.clock)
        delivered = plug.transfer(len(data), 8 * len(data) * 1_000_000_000 // hz)
        if plug is self.strip_plug:
            self._to_strip(data, hz, delivered=delivered)
        else:
            self._to_panel(data, hz, delivered=delivered)

    def _to_strip(self, data: bytes, hz: int, *, delivered: bool) -> None:
        if self._record is not None:
            self._record.spi(hz, data)
        if not delivered:
            return
        with self._strip_lock:
            self._strip_fault = None
            self.led_chain.receive(data, hz)

    def _to_panel(self, data: bytes, hz: int, *, delivered: bool) -> None:
        dc = self._levels_since(self._oled.dc_pin)[-1]
        was_reset = not all(self._levels_since(self._oled.reset_pin))
        if self._record is not None:
            self._record.spi(hz, data, dc=dc)
        if not delivered:
            return
        with self._panel_lock:
            if was_reset:
                self.panel_model.reset()
            self.panel_model.receive_spi(data, dc=dc)

    def _levels_since(self, number: int) -> list[bool]:
        """The levels of an output since the last call, ending with its current one."""
        pin = self.key_pins.factory.pin(number)
        levels = [bool(level) for _, level in pin.states]
        pin.clear_states()
        return levels

    def bus(self, name: str) -> Bus:
        """The bus `name`, such as "I2C1"."""
        return self._buses.setdefault(name, Bus(name, self._clock))
