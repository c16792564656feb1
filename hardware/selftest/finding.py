"""Self-test findings, and the checks of other packages' devices, supply voltage, disk space and clock."""

import contextlib
import ctypes
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pegboard.config import Settings
from pegboard.devices.health import call_with_timeout, error_text, require_text
from pegboard.devices.power_and_clock import SYNCHRONIZED, SupplyVoltage
from pegboard.errors import DeviceError, PegboardError, SettingError
from pegboard.messages import Message

CONFIG = "/boot/firmware/config.txt"

SWITCH_ON = {
    "/dev/i2c-1": f"sudo raspi-config nonint do_i2c 0, or dtparam=i2c_arm=on in {CONFIG}; then restart the Pi",
    "/dev/spidev0.0": f"sudo raspi-config nonint do_spi 0, or dtparam=spi=on in {CONFIG}; then restart the Pi",
}
"""Commands that turn on a bus without raspi-config's menus, by the bus's file."""


class Finding(NamedTuple):
    """The result of one check.

    Attributes:
        name: the name of what was checked.
        ok: whether the check succeeded.
        sentence: what was found, in a sentence.
        remedy: what to do, in a clause, also if the check succeeded but things could be better; "" if nothing.
    """

    name: str
    ok: bool
    sentence: str
    remedy: str = ""


class NullTarget:
    """A target of key presses (see `KeyTarget`) that does nothing."""

    def is_asking_new_game(self) -> bool:
        """Always False: no question is ever open."""
        return False

    is_asking_power_off = is_typing_code = is_asking_new_game

    def __getattr__(self, _verb: str) -> Callable[..., None]:
        return lambda *_: None


def failure(name: str, error: Exception, settings: Settings) -> Finding:
    """A failed check: the error's text, after the location of the faulty setting if any, and the remedy."""
    if isinstance(error, DeviceError | SettingError):
        return Finding(name, False, settings.origin.message_of(error), _remedy_of(error))
    text = error_text(error)
    return Finding(name, False, text, _last_clause(text))


def _remedy_of(error: PegboardError) -> str:
    message = error.message
    match message.key:
        case "bus_missing":
            path = str(message.values["path"])
            return SWITCH_ON.get(path) or str(message.values["remedy"])
        case "bus_forbidden":
            return _join_group(str(message.values["group"]))
        case "keypad_forbidden":
            return _join_group("input")
    return str(message.values.get("remedy") or _last_clause(message))


def _join_group(group: str) -> str:
    return f"sudo usermod -aG {group} $USER, then log in again"


def _last_clause(text: str) -> str:
    """The remedy in a refusal: the clause after its last semicolon; "" without a semicolon."""
    text = str(text.values["text"]) if isinstance(text, Message) and text.key == "verbatim" else text
    return text.rpartition("; ")[2] if "; " in text else ""


# --- self-test of other packages' displays and inputs ---


CLOSE_S = 1.0
"""Seconds that another package's device may take to close."""


def check_foreign(name: str, make: Callable[[], Any], settings: Settings) -> Finding:
    """Run the self-test of another package's display or input, made by `make`."""
    try:
        device = call_with_timeout(make)
    except Exception as error:  # noqa: BLE001 - another package may raise anything
        return failure(name, error, settings)
    try:
        sentence = call_with_timeout(partial(_run_own_test, device))
    except Exception as error:  # noqa: BLE001 - another package may raise anything
        return Finding(name, False, error_text(error))
    finally:
        with contextlib.suppress(Exception):  # a broken device may fail again
            call_with_timeout(device.close, CLOSE_S)
    return Finding(name, True, sentence)


def _run_own_test(device: Any) -> str:
    if hasattr(device, "selftest"):
        return require_text("selftest", device.selftest())
    about = require_text("about", getattr(device, "about", ""))
    return f"its settings are valid{about and f': {about}'}; it has no self-test"


# --- self-test of the machine: supply voltage, disk space for scores, and clock ---


LEAST_FREE, FEW_FREE = 50_000_000, 500_000_000
"""Free bytes below which an evening's scores may not fit, and free bytes below which to show a remedy."""

TIME_ERROR = 5
"""The value that adjtimex(2) returns while nothing synchronizes the clock."""

TIMEX_BYTES = 512
"""Larger than any kernel's `struct timex`; with all bytes zero, adjtimex only reads."""


def check_machine(state: Path, supply: SupplyVoltage | None = None) -> list[Finding]:
    """Check the supply voltage, if this machine reports it, the disk and the clock."""
    is_low = (supply or SupplyVoltage()).is_low()
    voltage = [] if is_low is None else [check_voltage(is_low=is_low)]
    return [*voltage, check_disk(state), check_clock()]


def check_voltage(*, is_low: bool) -> Finding:
    """Whether the Pi gets enough voltage now."""
    if not is_low:
        return Finding("supply voltage", True, "high enough now")
    fault, _, remedy = Message("trouble_voltage").partition(": ")
    return Finding("supply voltage", False, fault, remedy)


def check_disk(state: Path, free_bytes: Callable[[Path], int] = lambda place: shutil.disk_usage(place).free) -> Finding:
    """Whether there is enough free disk space for the scores."""
    try:
        place = next((folder for folder in (state, *state.absolute().parents) if folder.exists()), Path("/"))
        free = free_bytes(place)
    except OSError as error:
        return Finding("disk", False, f"cannot check the disk of {state}: {error.strerror}")
    remedy = "free some space; scores cannot be saved on a full disk" if free < FEW_FREE else ""
    return Finding("disk", free >= LEAST_FREE, f"{free / 1e9:.1f} GB free for the scores in {state}", remedy)


def check_clock(synchronized: Path = SYNCHRONIZED, state: Callable[[], int | None] | None = None) -> Finding:
    """Whether the clock is right: Pis up to the 4 have no clock battery, and a Pi 5 only if one is added."""
    if synchronized.exists():
        return Finding("clock", True, "set by the network")
    kept = (state or _adjtimex)()
    if kept is None:
        return Finding("clock", True, "unknown whether anything keeps it right")
    if kept != TIME_ERROR:
        return Finding("clock", True, "kept right by this machine")
    remedy = "connect the Pi to a network after each start, or add a clock with a battery; games store the date"
    return Finding("clock", True, "not set since the start", remedy)


def _adjtimex() -> int | None:
    """The state of the kernel's clock, or None if unavailable."""
    try:
        found = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    except (OSError, AttributeError):
        return None
    return None if found < 0 else int(found)
