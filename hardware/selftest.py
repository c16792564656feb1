"""The self-test: looks for pins, buses, keypad and devices of other packages, and says what is there; off a Pi too."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import gpiozero
import luma.core.error

from hardware.interfaces import Buses
from hardware.keys.buttons import Buttons
from hardware.keys.keypad import Keypad
from hardware.oled.display import Oled
from hardware.oled.panel.transport import COMMANDS
from hardware.pin_assignment import LANES, wired_keys
from hardware.strip.display import Strip
from pegboard.config import Settings
from pegboard.devices.foreign_call import call_foreign
from pegboard.devices.health import error_text, require_text
from pegboard.errors import DeviceError, SettingError
from pegboard.messages import Message

CLOSE_S = 1.0
"""How long a device of another package may take to close."""


class Finding(NamedTuple):
    """The result of one check."""

    name: str
    ok: bool
    sentence: str


def _text_of(error: Exception, settings: Settings) -> str:
    """What an error says, after the place of the setting at fault."""
    if isinstance(error, DeviceError | SettingError):
        return settings.origin.message_of(error)
    return error_text(error)


class NullTarget:
    """A key target that does nothing."""

    def is_asking_new_game(self) -> bool:
        """It asks nothing."""
        return False

    is_asking_power_off = is_asking_new_game

    def __getattr__(self, _verb: str) -> Callable[..., None]:
        return lambda *_: None


def check_all(settings: Settings, buses: Buses) -> list[Finding]:
    """Check pins, I2C, SPI and the keypad, one after the other; nothing that is shown is changed."""
    checks = {"pins": _check_pins, "I2C": _check_i2c, "SPI": _check_spi}
    keypad = {"keypad": _check_keypad} if settings.keypad.enabled else {}
    return [_check(name, settings, buses, check) for name, check in (checks | keypad).items()]


def _check(name: str, settings: Settings, buses: Buses, check: Callable[[Settings, Buses], str]) -> Finding:
    try:
        return Finding(name, True, check(settings, buses))
    except (DeviceError, OSError, luma.core.error.Error) as error:
        return Finding(name, False, _text_of(error, settings))


def check_foreign(name: str, make: Callable[[], Any], settings: Settings) -> Finding:
    """Run the self-test of a display or input of another package, which `make` makes."""
    try:
        device = call_foreign(make)
    except Exception as error:  # noqa: BLE001 - it may raise anything
        return Finding(name, False, _text_of(error, settings))
    try:
        sentence = call_foreign(partial(_run_own_test, device))
    except Exception as error:  # noqa: BLE001 - it may raise anything
        return Finding(name, False, error_text(error))
    finally:
        with contextlib.suppress(Exception):  # what is broken may break again
            call_foreign(device.close, CLOSE_S)
    return Finding(name, True, sentence)


def _run_own_test(device: Any) -> str:
    if hasattr(device, "selftest"):
        return require_text("selftest", device.selftest())
    about = require_text("about", getattr(device, "about", ""))
    return f"its settings are taken{about and f': {about}'}; it has no test of its own"


def _check_pins(settings: Settings, buses: Buses) -> str:
    keys = wired_keys(settings)
    if not keys:
        return "no keys are set"
    buttons = Buttons(settings, buses, NullTarget())
    buttons.start()
    health = buttons.health
    buttons.close()
    if not health.ok:
        raise DeviceError(Message("verbatim", text=health.trouble) if health.trouble else Message("selftest_no_keys"))
    return f"{len(keys)} keys listen on {health.about}"


def _check_keypad(settings: Settings, buses: Buses) -> str:
    Keypad(settings, buses, NullTarget())
    reader = buses.keypad(settings.keypad.device)
    reader.close()
    enters = zip(LANES, settings.keypad.enters, strict=False)
    return f"{reader.name} is there; ENTER is {', '.join(f'{key} for lane {lane}' for lane, key in enters)}"


def _check_i2c(settings: Settings, buses: Buses) -> str:
    if not settings.oled.enabled or settings.oled.wire == "spi":
        return "no OLED is set"
    oled = Oled(settings, buses)
    bus = buses.i2c(settings.oled.i2c_bus)
    try:
        bus.write(settings.oled.address, bytes((COMMANDS,)))
    except OSError as error:
        raise DeviceError(
            "selftest_no_panel",
            address=f"0x{settings.oled.address:02X}",
            bus=settings.oled.i2c_bus,
            error=error.strerror,
        ) from error
    finally:
        bus.close()
    return f"the OLED answers: {oled.about}"


def _check_spi(settings: Settings, buses: Buses) -> str:
    checks = []
    if settings.strip.enabled:
        checks.append(_check("LED strip", settings, buses, _check_strip))
    if settings.oled.enabled and settings.oled.wire == "spi":
        checks.append(_check("OLED", settings, buses, _check_spi_panel))
    sentences = "; ".join(finding.sentence for finding in checks) or "nothing is set"
    if not all(finding.ok for finding in checks):
        raise DeviceError("verbatim", text=sentences)
    return sentences


def _check_strip(settings: Settings, buses: Buses) -> str:
    strip = Strip(settings, buses)
    buses.spi(settings.strip.spi_bus, strip.hz).close()
    return f"the bus is there for the LED strip (which cannot answer): {strip.about}"


def _check_spi_panel(settings: Settings, buses: Buses) -> str:
    own, oled = settings.oled, Oled(settings, buses)
    buses.spi(own.spi_bus, own.spi_hz).close()
    pins = buses.pins()
    for name, pin in (("D/C", own.dc_pin), ("RST", own.reset_pin)):
        _claim(pins, name, pin)
    return (
        f"bus and pins BCM {own.dc_pin} and {own.reset_pin} are there for the OLED (which cannot answer): {oled.about}"
    )


def _claim(pins: Any, name: str, pin: int) -> None:
    """Claim a pin of a panel for a moment, at a high level, which asks for nothing."""
    try:
        gpiozero.DigitalOutputDevice(pin, initial_value=True, pin_factory=pins).close()
    except Exception as error:  # lgpio's errors have no common base
        raise DeviceError("selftest_pin", line=name, pin=pin, error=error) from error
