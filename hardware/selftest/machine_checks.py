"""The self-test of the machine itself: its supply voltage, the room for scores on its disk, and its clock."""

import ctypes
import shutil
from collections.abc import Callable
from pathlib import Path

from hardware.selftest.finding import Finding
from pegboard.devices.power_and_clock import SYNCHRONIZED, SupplyVoltage
from pegboard.messages import Message

LEAST_FREE, FEW_FREE = 50_000_000, 500_000_000
"""Bytes below which the scores of an evening may not fit, and below which it is worth a look."""

TIME_ERROR = 5
"""What adjtimex(2) returns while nothing keeps the clock in step with the world."""

TIMEX_BYTES = 512
"""More than any kernel's `struct timex` has; all zeros asks and changes nothing."""


def check_machine(state: Path, supply: SupplyVoltage | None = None) -> list[Finding]:
    """Check the supply voltage, where this machine tells it, the disk and the clock."""
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
    """Whether there is room where the scores are kept."""
    try:
        place = next((folder for folder in (state, *state.absolute().parents) if folder.exists()), Path("/"))
        free = free_bytes(place)
    except OSError as error:
        return Finding("disk", False, f"cannot check the disk of {state}: {error.strerror}")
    remedy = "free some space; scores cannot be saved on a full disk" if free < FEW_FREE else ""
    return Finding("disk", free >= LEAST_FREE, f"{free / 1e9:.1f} GB free for the scores in {state}", remedy)


def check_clock(synchronized: Path = SYNCHRONIZED, state: Callable[[], int | None] | None = None) -> Finding:
    """Whether the clock is right: a Pi up to the 4 has no battery for it, and a 5 only where one is put in."""
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
    """The state of the kernel's clock, or None where the kernel does not tell."""
    try:
        found = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))
    except (OSError, AttributeError):
        return None
    return None if found < 0 else int(found)
