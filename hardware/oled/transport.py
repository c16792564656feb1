"""Panel transport: commands and data over I2C (control bytes) or SPI (D/C pin, reset); recorder of initializations."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

import gpiozero

from hardware.buses.spi_limits import SPI_TRANSFER
from hardware.interfaces import Buses, I2cBus, SpiBus
from pegboard.config import OledSettings
from pegboard.errors import DeviceError

COMMANDS, DATA = 0x00, 0x40
"""Control bytes: commands follow, or data."""

ONE_COMMAND = 0x80
"""Control byte: one command follows, then another control byte."""

I2C_TRANSFER = 4096
"""Bytes per transaction; Linux allows 8192."""

RESET_S = 0.001
"""Duration of the pulse on RST and of the pause after it; the SSD1327 needs the longest, 100 us."""


class I2cTransport:
    """A panel at an I2C address; `place` sends its commands and data in one transaction."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus = bus
        self._address = address

    def command(self, *command: int) -> None:
        """Send commands in one transaction."""
        self._bus.write(self._address, bytes((COMMANDS, *command)))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the panel's memory, splitting a large picture."""
        for place in range(0, len(data), I2C_TRANSFER):
            self._bus.write(self._address, bytes((DATA, *data[place : place + I2C_TRANSFER])))

    def place(self, commands: Sequence[int], data: bytes) -> None:
        """Send commands, each with its own control byte, and then the data, in one transaction."""
        each = bytes(chain.from_iterable((ONE_COMMAND, command) for command in commands))
        self._bus.write(self._address, b"%b%c%b" % (each, DATA, data))

    def cleanup(self) -> None:
        """Close the bus."""
        self._bus.close()


class SpiTransport:
    """A panel on an SPI bus, whose D/C pin distinguishes data from commands."""

    def __init__(self, bus: SpiBus, pins: Sequence[Any]) -> None:
        self._bus = bus
        self._pins = pins
        self._dc, _ = pins

    def command(self, *command: int) -> None:
        """Send commands."""
        self._dc.off()
        self._bus.write(bytes(command))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the panel's memory, or arguments of an SSD1351's command; splits a large picture."""
        self._dc.on()
        for place in range(0, len(data), SPI_TRANSFER):
            self._bus.write(bytes(data[place : place + SPI_TRANSFER]))

    def place(self, commands: Sequence[int], data: bytes) -> None:
        """Send commands and data."""
        if commands:
            self.command(*commands)
        self.data(data)

    def cleanup(self) -> None:
        """Close the pins and the bus."""
        for pin in self._pins:
            pin.close()
        self._bus.close()


PanelTransport: TypeAlias = I2cTransport | SpiTransport
"""A transport to a panel, used by luma and by us."""


def open_i2c(buses: Buses, own: OledSettings) -> I2cTransport:
    """Open the transport to a panel on I2C.

    Raises:
        DeviceError: the bus cannot be opened.
    """
    return I2cTransport(buses.i2c(own.i2c_bus), own.address)


def open_spi(buses: Buses, own: OledSettings, hz: int, sleep: Callable[[float], None] = time.sleep) -> SpiTransport:
    """Open the transport to a panel on SPI, and reset the panel.

    Raises:
        DeviceError: the bus or a pin cannot be opened.
    """
    opened: list[Any] = []
    try:
        pins = buses.pins()
        opened.append(_open_pin(pins, "D/C", own.dc_pin, "dc_pin"))
        opened.append(_open_pin(pins, "RST", own.reset_pin, "reset_pin"))
        bus = buses.spi(own.spi_bus, hz)
    except DeviceError:
        for pin in opened:
            pin.close()
        raise
    _pulse_reset(opened[1], sleep)
    return SpiTransport(bus, opened)


def _open_pin(pins: Any, name: str, number: int, setting: str) -> Any:
    try:
        return gpiozero.DigitalOutputDevice(number, initial_value=True, pin_factory=pins)
    except Exception as error:  # lgpio's errors ("GPIO busy") are not OSErrors and have no common base
        raise DeviceError("device_oled_pin", line=name, pin=number, error=error, setting=setting) from error


def _pulse_reset(reset: Any, sleep: Callable[[float], None]) -> None:
    reset.off()
    sleep(RESET_S)
    reset.on()
    sleep(RESET_S)


# --- recorder of a panel's initialization commands, to replay them when it may have lost power ---


DISPLAY_OFF = 0xAE
"""The command "display off", which every controller has."""

LONGEST_SETUP = 64
"""Maximum bytes of setup data; longer data are a picture. The longest table of these controllers has 63."""


class InitRecorder:
    """A transport that records the initialization of a panel, to replay it."""

    def __init__(self, transport: PanelTransport) -> None:
        self._transport = transport
        self._calls: list[Callable[[], None]] = []
        self._is_recording = True

    def command(self, *command: int) -> None:
        """Send commands, and record them without "display off", which would make a lit panel blink on replay."""
        self._transport.command(*command)
        awake = command[1:] if command[0] == DISPLAY_OFF else command
        if awake:
            self._record(partial(self._transport.command, *awake))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the panel's memory, or arguments of its last command."""
        self._transport.data(data)
        if len(data) <= LONGEST_SETUP:
            self._record(partial(self._transport.data, data))

    def cleanup(self) -> None:
        """Close the bus."""
        self._transport.cleanup()

    def stop_recording(self) -> None:
        """Stop recording: the panel is initialized."""
        self._is_recording = False

    def replay(self) -> None:
        """Send everything recorded again."""
        for call in self._calls:
            call()

    def _record(self, call: Callable[[], None]) -> None:
        if self._is_recording:
            self._calls.append(call)
