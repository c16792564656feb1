"""What is found of the hardware, in words; works off a Pi too."""

from collections.abc import Callable
from typing import NamedTuple

import luma.core.error

from hardware.buttons import Buttons
from hardware.oled import COMMANDS, NO_OPERATION, Oled
from hardware.strip import Strip
from hardware.wires import Wires
from hardware.wiring import keys_of
from pegboard.config import Settings
from pegboard.errors import DeviceError


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    ok: bool
    sentence: str


class _Nobody:
    """A door that nobody stands behind."""

    def __getattr__(self, _verb: str) -> Callable[..., None]:
        return lambda *_: None


def findings(settings: Settings, wires: Wires) -> list[Finding]:
    """Pins, I2C and SPI, one after the other; nothing that is shown or lit is changed."""
    return [
        _looked_at("pins", lambda: _pins(settings, wires)),
        _looked_at("I2C", lambda: _i2c(settings, wires)),
        _looked_at("SPI", lambda: _spi(settings, wires)),
    ]


def _looked_at(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, look())
    except (DeviceError, OSError, luma.core.error.Error) as error:
        return Finding(name, False, str(error))


def _pins(settings: Settings, wires: Wires) -> str:
    buttons = Buttons(settings, wires, _Nobody())
    buttons.start()
    buttons.close()
    return f"{len(keys_of(settings))} keys listen on pins BCM {', '.join(str(key.pin) for key in keys_of(settings))}"


def _i2c(settings: Settings, wires: Wires) -> str:
    if not settings.oled.enabled:
        return "no OLED is set"
    oled = Oled(settings, wires)
    bus = wires.i2c(settings.oled.i2c_bus)
    try:
        bus.write(settings.oled.address, bytes((COMMANDS, NO_OPERATION)))
    except OSError as error:
        raise DeviceError(
            f"nobody answers at address 0x{settings.oled.address:02X} of I2C bus {settings.oled.i2c_bus} "
            f"({error.strerror}); check the panel's four wires and its address"
        ) from error
    finally:
        bus.close()
    return f"the OLED answers: {oled.about}"


def _spi(settings: Settings, wires: Wires) -> str:
    if not settings.strip.enabled:
        return "no LED strip is set"
    strip = Strip(settings, wires)
    wires.spi(settings.strip.spi_bus, strip.hz).close()
    return f"the bus is there for the LED strip (which cannot answer): {strip.about}"
