"""The Raspberry Pi's supply voltage: whether its firmware has found it too low, read from the kernel's files.

The driver raspberrypi-hwmon registers as `rpi_volt` and asks the firmware every 2 s; `in0_lcrit_alarm` is 1 where the
voltage was too low since it asked before (drivers/hwmon/raspberrypi-hwmon.c: bit 16 of GET_THROTTLED, which it clears
each time; https://docs.kernel.org/hwmon/raspberrypi-hwmon.html). To read it asks the firmware nothing. Kernels of
Raspberry Pi before that driver have `get_throttled`, a hexadecimal number whose bit 0 is "too low now"
(https://github.com/raspberrypi/linux/pull/2397). A dip of less than three seconds may be missed.
"""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pegboard.core.view import Device
from pegboard.devices.health import Health
from pegboard.devices.health_poller import POLL_INTERVAL_S
from pegboard.messages import Message

HWMON = Path("/sys/class/hwmon")

DRIVER = "rpi_volt"

GET_THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")

LOW_NOW = 1
"""Bit 0 of `get_throttled`."""

LASTS_S = 60.0
"""A dip is said for so long: it is over before anybody has looked, and the next one comes with the same lights."""

NAME = "supply voltage"
"""Panels show its last word."""

log = logging.getLogger(__name__)


class SupplyVoltage:
    """The supply voltage as a device; whoever asks how it is reads the file, though not more often than it changes."""

    def __init__(
        self,
        hwmon: Path = HWMON,
        get_throttled: Path = GET_THROTTLED,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`clock` gives steady seconds, `wall` those since 1970."""
        self._alarm = _find_alarm(hwmon)
        self._get_throttled = get_throttled
        self._clock, self._wall = clock, wall
        self._health = Health(NAME, Message("device_supply"))
        self._read_s = self._low_s = -math.inf

    @property
    def is_told(self) -> bool:
        """Whether this machine tells its voltage at all."""
        return self.is_low() is not None

    def is_low(self) -> bool | None:
        """Whether the voltage is too low; None where that cannot be read."""
        try:
            if self._alarm is not None:
                return int(self._alarm.read_text("ascii")) != 0
            return bool(int(self._get_throttled.read_text("ascii"), 16) & LOW_NOW)
        except (OSError, ValueError):
            return None

    def health(self) -> Health:
        """Its health; it reads a small file at most, and raises nothing."""
        now_s = self._clock()
        if now_s - self._read_s >= POLL_INTERVAL_S / 2:
            self._read_s = now_s
            if self.is_low():
                self._low_s = now_s
            self._update(is_low=now_s - self._low_s < LASTS_S)
        return self._health

    def _update(self, *, is_low: bool) -> None:
        if is_low and self._health.ok:
            trouble = Message("trouble_voltage")
            log.warning("%s: %s", NAME, trouble)
            self._health = replace(self._health.mark_failed(trouble, self._wall()), retries=0)
        elif not is_low and not self._health.ok:
            log.info("the %s is high enough again", NAME)
            self._health = self._health.mark_ok(self._health.about)


def with_notice(
    show_devices: Callable[[tuple[Device, ...]], None], show_notice: Callable[[Message], None]
) -> Callable[[tuple[Device, ...]], None]:
    """Show the devices, and once a notice as well when the voltage is too low: a panel has only a mark for it."""
    is_said = False

    def show(devices: tuple[Device, ...]) -> None:
        nonlocal is_said
        show_devices(devices)
        if not is_said and any(device.name == NAME and device.trouble for device in devices):
            is_said = True
            show_notice(Message("supply_low"))

    return show


def _find_alarm(hwmon: Path) -> Path | None:
    """The alarm of the driver, whose number among the others may change from start to start."""
    for folder in sorted(hwmon.glob("hwmon*")):
        try:
            name = (folder / "name").read_text("ascii").strip()
        except (OSError, ValueError):
            continue
        if name == DRIVER:
            return folder / "in0_lcrit_alarm"
    return None
