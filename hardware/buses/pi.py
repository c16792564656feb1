"""Raspberry Pi buses: GPIO pins, I2C, SPI and a keypad; I2C clock, and messages on why a bus cannot be opened."""

import importlib
import os
import re
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from smbus2 import SMBus, i2c_msg

from hardware.buses.evdev_keypad import input_devices, open_keypad
from hardware.buses.gpiod_pin_factory import GpiodFactory
from hardware.buses.spi_limits import CMDLINE, bufsiz_for, read_bufsiz
from hardware.interfaces import I2cBus, KeyReader, SpiBus
from pegboard.errors import DeviceError
from pegboard.install.host import install_command
from pegboard.messages import Message

I2C_FOLDERS = (Path("/sys/class/i2c-adapter"), Path("/sys/bus/i2c/devices"))
"""The folders in which the kernel lists its I2C buses; newer kernels have only the second."""

MAX_HEADER_I2C_BUS = 6
"""The highest I2C bus number on a Pi's header; buses of multiplexers have higher numbers."""

I2C_OVERLAYS = {"2": "i2c2-pi5"}
"""Overlays of I2C buses that are not named after the bus number; only a Pi 5 has this one."""


def read_i2c_hz(bus: int, folders: Sequence[Path] = I2C_FOLDERS) -> int | None:
    """The clock of an I2C bus from the device tree, set by `dtparam=i2c_arm_baudrate`.

    `clock-frequency` of the bus's node is a big-endian u32. The driver divides the core's clock, so the real clock may
    be slightly slower. None if there is no such bus or no such value.
    """
    for folder in folders:
        try:
            return int.from_bytes((folder / f"i2c-{bus}/of_node/clock-frequency").read_bytes(), "big") or None
        except OSError:
            continue
    return None


class PiBuses:
    """The real buses of a Raspberry Pi; simulated buses have the same interface."""

    def __init__(self) -> None:
        self._pins: Any = None
        self._opening = threading.Lock()

    def pins(self) -> Any:
        """The pin factory, from gpiod or else lgpio; shared by all devices, so that no two use the same pin.

        Raises:
            DeviceError: both libraries are missing, or there is no GPIO chip, or no permission to open it.
        """
        with self._opening:
            self._pins = self._pins or _open_pins()
            return self._pins

    def i2c(self, bus: int) -> I2cBus:
        """The bus `/dev/i2c-<bus>`.

        Raises:
            DeviceError: the bus is turned off, or there is no permission to open it.
        """
        try:
            return _PiI2c(bus)
        except OSError as error:
            raise DeviceError(_why_refused(error, Path(f"/dev/i2c-{bus}"), "I2C", "i2c")) from error

    @property
    def bufsiz(self) -> int:
        """Bytes that spidev sends without a gap."""
        return read_bufsiz()

    def i2c_hz(self, bus: int) -> int | None:
        """The clock of an I2C bus, or None if unknown."""
        return read_i2c_hz(bus)

    def spi(self, bus: int, hz: int) -> SpiBus:
        """The device `/dev/spidev<bus>.0`.

        Raises:
            DeviceError: the bus is turned off, there is no permission to open it, or spidev is missing.
        """
        try:
            device = importlib.import_module("spidev").SpiDev()
            device.open(bus, 0)
        except ImportError as error:
            raise DeviceError("bus_no_spidev", command=install_command("spidev>=3.6", "python3-spidev")) from error
        except OSError as error:
            raise DeviceError(_why_refused(error, Path(f"/dev/spidev{bus}.0"), "SPI", "spi")) from error
        device.max_speed_hz = hz
        device.mode = 0
        return PiSpi(device, read_bufsiz())

    def keypad(self, device: str, last: str = "") -> KeyReader:
        """The keypad with that file in `/dev/input`, or one found; a keyboard only if `last` is empty or its name.

        Raises:
            DeviceError: evdev is missing, no keypad is found, several match, permission is missing, or another program
                holds the keypad.
        """
        return open_keypad(device, last)

    def input_devices(self) -> object:
        """The files in `/dev/input`, with the times at which their permissions were set."""
        return input_devices()


def _open_pins() -> Any:
    try:
        return (_gpiod_factory() or _lgpio_factory())()
    except DeviceError:
        raise
    except Exception as error:  # lgpio's errors have no common base
        raise DeviceError(why_no_pins(error, sorted(Path("/dev").glob("gpiochip*")))) from error


def _gpiod_factory() -> Callable[[], Any] | None:
    """The gpiod factory, if gpiod is version 2; Debian 12 and pip on armv7 have version 1."""
    try:
        gpiod = importlib.import_module("gpiod")
    except ImportError:
        return None
    return partial(GpiodFactory, gpiod) if hasattr(gpiod, "LineSettings") else None


def _lgpio_factory() -> Callable[[], Any]:
    try:
        factory: Callable[[], Any] = importlib.import_module("gpiozero.pins.lgpio").LGPIOFactory
    except ImportError as error:
        raise DeviceError("pins_no_library", command=install_command("gpiod>=2.2", "python3-libgpiod")) from error
    except OSError as error:  # lgpio writes a file to the current folder on import
        raise DeviceError("pins_folder", folder=Path.cwd()) from error
    return factory


def why_no_pins(error: Exception, chips: Sequence[Path]) -> Message:
    """Why the pins of these GPIO chips cannot be opened, and what to do."""
    if not chips:
        return Message("pins_none")
    if not os.access(chips[0], os.R_OK | os.W_OK):
        return Message("bus_forbidden", path=chips[0], group="gpio")
    return Message("pins_failed", error=error, path=chips[0])


def _why_refused(error: OSError, path: Path, bus: str, group: str) -> Message:
    if isinstance(error, FileNotFoundError):
        return Message("bus_missing", path=path, remedy=_how_to_enable(path, bus))
    if isinstance(error, PermissionError):
        return Message("bus_forbidden", path=path, group=group)
    return Message("bus_failed", path=path, error=error.strerror or error)


def _how_to_enable(path: Path, bus: str) -> Message:
    """How to enable a bus; raspi-config supports only /dev/i2c-1 and /dev/spidev0.0."""
    if path.name in {"i2c-1", "spidev0.0"}:
        return Message("bus_enable", bus=bus)
    number = re.sub(r"^(i2c-|spidev)|\.0$", "", path.name)
    if bus == "SPI":
        return Message("bus_enable_overlay", overlay=f"spi{number}-1cs")
    if int(number) > MAX_HEADER_I2C_BUS:
        return Message("bus_enable_multiplexer", number=number)
    return Message("bus_enable_overlay", overlay=I2C_OVERLAYS.get(number) or f"i2c{number}")


class _PiI2c(SMBus):
    def write(self, address: int, data: bytes) -> None:
        self.i2c_rdwr(i2c_msg.write(address, data))


class PiSpi:
    """An SPI bus through spidev, which sends transfers of more than `most` bytes with gaps."""

    def __init__(self, device: Any, most: int) -> None:
        self._device = device
        self._most = most

    def write(self, data: bytes) -> None:
        """Write one transfer without a gap.

        Raises:
            DeviceError: the data are longer than `most` bytes.
            OSError: the bus failed.
        """
        if len(data) > self._most:
            raise DeviceError(
                "trouble_torn", most=self._most, size=len(data), bufsiz=bufsiz_for(len(data)), file=CMDLINE
            )
        self._device.writebytes2(data)

    def close(self) -> None:
        """Close the bus."""
        self._device.close()
