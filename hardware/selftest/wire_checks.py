"""Self-test of key pins, I2C panel, SPI panel, LED strip and keypad; does not change what displays show."""

import contextlib
import errno
from collections.abc import Callable
from typing import Any

import gpiozero
import luma.core.error

from hardware.buses.spi_limits import CMDLINE, bufsiz_for
from hardware.interfaces import Buses, I2cBus
from hardware.keys.buttons import Buttons
from hardware.keys.keypad import Keypad
from hardware.oled.display import Oled
from hardware.oled.transport import COMMANDS
from hardware.pin_assignment import HEADER, LANES, Key, wired_keys
from hardware.selftest.finding import CONFIG, Finding, NullTarget, failure
from hardware.strip.display import Strip
from pegboard.config import Settings
from pegboard.errors import DeviceError
from pegboard.messages import Message

SLOW_HZ = 100_000
"""The default clock of a Pi's I2C bus."""

FASTER = f"add dtparam=i2c_arm_baudrate=400000 to {CONFIG} and restart the Pi: the panel is then four times as fast"

PANEL_ADDRESSES = (0x3C, 0x3D)
"""The possible I2C addresses of a panel."""


def check_all(settings: Settings, buses: Buses) -> list[Finding]:
    """Check pins, I2C, SPI and the keypad, one after the other."""
    checks = {"pins": _check_pins, "I2C": _check_i2c, "SPI": _check_spi}
    keypad = {"keypad": _check_keypad} if settings.keypad.enabled else {}
    return [_check(name, settings, buses, check) for name, check in (checks | keypad).items()]


def _check(name: str, settings: Settings, buses: Buses, check: Callable[[Settings, Buses], str | Finding]) -> Finding:
    try:
        found = check(settings, buses)
    except (DeviceError, OSError, luma.core.error.Error) as error:
        return failure(name, error, settings)
    return found if isinstance(found, Finding) else Finding(name, True, found)


def _check_pins(settings: Settings, buses: Buses) -> str:
    keys = wired_keys(settings)
    if not keys:
        return "no keys are set up"
    buttons = Buttons(settings, buses, NullTarget())
    buttons.start()
    health, down = buttons.health, buttons.keys_down()
    buttons.close()
    if down:
        raise DeviceError("selftest_keys_down", keys=", ".join(map(place_of, down)))
    if not health.ok:
        raise DeviceError(Message("verbatim", text=health.trouble) if health.trouble else Message("selftest_no_keys"))
    return f"{len(keys)} keys on {health.about}"


def place_of(key: Key) -> str:
    """A key with its pin and the pin's position on the header, such as "a1 (BCM 4, header pin 7)"."""
    return f"{key.name} (BCM {key.pin}, header pin {HEADER[key.pin]})"


def _check_keypad(settings: Settings, buses: Buses) -> str:
    Keypad(settings, buses, NullTarget())
    reader = buses.keypad(settings.keypad.device)
    reader.close()
    enters = zip(LANES, settings.keypad.enters, strict=False)
    return f"found {reader.name}; ENTER is {', '.join(f'{key} for lane {lane}' for lane, key in enters)}"


def _check_i2c(settings: Settings, buses: Buses) -> str | Finding:
    if not settings.oled.enabled or settings.oled.wire == "spi":
        return "no I2C panel is set up"
    oled = Oled(settings, buses)
    bus = buses.i2c(settings.oled.i2c_bus)
    try:
        _find_panel(settings, bus)
    finally:
        bus.close()
    sentence = f"the OLED answers: {oled.about}"
    hz = getattr(buses, "i2c_hz", lambda _bus: None)(settings.oled.i2c_bus)
    return Finding("I2C", True, sentence, FASTER if hz is not None and hz <= SLOW_HZ else "")


def _find_panel(settings: Settings, bus: I2cBus) -> None:
    own = settings.oled
    try:
        bus.write(own.address, bytes((COMMANDS,)))
    except OSError as error:
        if error.errno == errno.ETIMEDOUT:
            raise DeviceError("trouble_bus_stuck") from error
        values = {"address": f"0x{own.address:02X}", "bus": own.i2c_bus}
        for other in PANEL_ADDRESSES:
            if other != own.address and _answers(bus, other):
                raise DeviceError("selftest_other_address", **values, other=f"0x{other:02X}") from error
        raise DeviceError("selftest_no_panel", **values, error=error.strerror) from error


def _answers(bus: I2cBus, address: int) -> bool:
    with contextlib.suppress(OSError):
        bus.write(address, bytes((COMMANDS,)))
        return True
    return False


def _check_spi(settings: Settings, buses: Buses) -> Finding:
    checks = []
    if settings.strip.enabled:
        checks.append(_check("LED strip", settings, buses, _check_strip))
    if settings.oled.enabled and settings.oled.wire == "spi":
        checks.append(_check("OLED", settings, buses, _check_spi_panel))
    sentences = "; ".join(finding.sentence for finding in checks) or "no device is set up"
    remedies = "; ".join(finding.remedy for finding in checks if finding.remedy)
    return Finding("SPI", all(finding.ok for finding in checks), sentences, remedies)


def _check_strip(settings: Settings, buses: Buses) -> str:
    strip = Strip(settings, buses)
    buses.spi(settings.strip.spi_bus, strip.hz).close()
    most = getattr(buses, "bufsiz", strip.frame_bytes)
    if strip.frame_bytes > most:
        size = strip.frame_bytes
        raise DeviceError("trouble_torn", most=most, size=size, bufsiz=bufsiz_for(size), file=CMDLINE)
    clock = f"{strip.hz / 1e6:g} MHz"
    return f"the bus is ready for the LED strip (which cannot answer): {strip.about}, clocked at {clock}"


def _check_spi_panel(settings: Settings, buses: Buses) -> str:
    own, oled = settings.oled, Oled(settings, buses)
    buses.spi(own.spi_bus, own.spi_hz).close()
    pins = buses.pins()
    for name, pin in (("D/C", own.dc_pin), ("RST", own.reset_pin)):
        _claim(pins, name, pin)
    return (
        f"bus and pins BCM {own.dc_pin} and {own.reset_pin} are ready for the OLED (which cannot answer): {oled.about}"
    )


def _claim(pins: Any, name: str, pin: int) -> None:
    """Briefly claim a pin of a panel, at a high level, which triggers nothing."""
    try:
        gpiozero.DigitalOutputDevice(pin, initial_value=True, pin_factory=pins).close()
    except Exception as error:  # lgpio's errors have no common base
        raise DeviceError("selftest_pin", line=name, pin=pin, error=error) from error
