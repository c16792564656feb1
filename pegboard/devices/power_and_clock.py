"""Power switch (shutdown by root), system clocks, and undervoltage detection of the Raspberry Pi.

Undervoltage is read from the kernel's files. The driver raspberrypi-hwmon registers as `rpi_volt` and polls the
firmware every 2 s; `in0_lcrit_alarm` is 1 if the voltage was too low since the last poll
(drivers/hwmon/raspberrypi-hwmon.c: bit 16 of GET_THROTTLED, cleared each time;
https://docs.kernel.org/hwmon/raspberrypi-hwmon.html). Reading the file does not query the firmware. Raspberry Pi
kernels before that driver have `get_throttled`, a hexadecimal number whose bit 0 is "too low now"
(https://github.com/raspberrypi/linux/pull/2397). A dip of less than three seconds may be missed.
"""

import logging
import math
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from pegboard.core.view import Device
from pegboard.devices.health import POLL_INTERVAL_S, Health
from pegboard.errors import NotStored
from pegboard.install.host import service_runtime_folder
from pegboard.messages import Message

# --- power switch: asks root to shut down the machine, if pegboard runs as the installed service ---


REQUEST = "power-off"
"""The request file in the service's runtime folder; a systemd unit of root watches for it."""


class PowerSwitch:
    """The power switch of the machine; only the installed service can use it."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is the folder for the request file; None if pegboard cannot shut down the machine."""
        self._folder = folder

    @staticmethod
    def of_service(environment: Mapping[str, str] = os.environ, *, installed: bool | None = None) -> "PowerSwitch":
        """The power switch of the service started by systemd."""
        return PowerSwitch(service_runtime_folder(environment, installed=installed))

    @property
    def is_there(self) -> bool:
        """Whether pegboard can shut down this machine."""
        return self._folder is not None

    def request(self) -> None:
        """Request a shutdown of the machine, which also stops this program cleanly.

        Raises:
            NotStored: there is no switch, or the request could not be written.
        """
        if self._folder is None:
            raise NotStored("power_elsewhere")
        try:
            (self._folder / REQUEST).touch()
        except OSError as error:
            raise NotStored("power_failed", error=error.strerror) from error


NO_SWITCH = PowerSwitch()
"""The switch of a machine that pegboard cannot shut down."""


# --- system clocks: time since boot, which never steps, and the wall clock, which may be wrong ---


SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
"""The file that exists once systemd-timesyncd has set the clock from the network (systemd-timesyncd.service(8))."""

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""The file with a random id of this boot (random(4))."""


class SystemClock:
    """The clocks of this machine.

    Attributes:
        wall: returns the seconds since 1970, which may be wrong, and may step.
        ticks: returns the seconds since boot, including sleep, which never step.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        ticks: Callable[[], float] | None = None,
        boot_id: Path = BOOT_ID,
        synchronized: Path = SYNCHRONIZED,
    ) -> None:
        self.wall, self.ticks = wall, ticks or _boot_time_s
        self._boot_id, self._synchronized = boot_id, synchronized

    @cached_property
    def boot(self) -> str:
        """The id of this boot; "" if the kernel gives no id."""
        try:
            return self._boot_id.read_text("utf-8").strip()
        except (OSError, ValueError):
            return ""

    def is_set(self) -> bool:
        """Whether the network has set the wall clock; the service's sandbox does not allow asking the kernel."""
        return self._synchronized.exists()


def _boot_time_s() -> float:
    """CLOCK_BOOTTIME, which includes sleep; else CLOCK_MONOTONIC."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


HWMON = Path("/sys/class/hwmon")

DRIVER = "rpi_volt"

GET_THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")

LOW_NOW = 1
"""Bit 0 of `get_throttled`: the voltage is too low now."""

LASTS_S = 60.0
"""Seconds a voltage dip stays on display: it ends before anyone looks, and the same LEDs will cause another."""

NAME = "supply voltage"
"""The name of the supply voltage among the devices; panels show the last word."""

log = logging.getLogger(__name__)


class SupplyVoltage:
    """The supply voltage as a device; the kernel's file is read on request, but not more often than it changes."""

    def __init__(
        self,
        hwmon: Path = HWMON,
        get_throttled: Path = GET_THROTTLED,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`clock` returns monotonic seconds, `wall` seconds since 1970."""
        self._alarm = _find_alarm(hwmon)
        self._get_throttled = get_throttled
        self._clock, self._wall = clock, wall
        self._health = Health(NAME, Message("device_supply"))
        self._read_s = self._low_s = -math.inf

    @property
    def is_reported(self) -> bool:
        """Whether this machine can report undervoltage."""
        return self.is_low() is not None

    def is_low(self) -> bool | None:
        """Whether the voltage is too low; None if the kernel's file cannot be read."""
        try:
            if self._alarm is not None:
                return int(self._alarm.read_text("ascii")) != 0
            return bool(int(self._get_throttled.read_text("ascii"), 16) & LOW_NOW)
        except (OSError, ValueError):
            return None

    def health(self) -> Health:
        """The health of the supply voltage; reads a small file at most, and never raises."""
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
    """A callback that shows the devices, and once a notice if the voltage is too low, since panels show only a mark."""
    is_said = False

    def show(devices: tuple[Device, ...]) -> None:
        nonlocal is_said
        show_devices(devices)
        if not is_said and any(device.name == NAME and device.trouble for device in devices):
            is_said = True
            show_notice(Message("supply_low"))

    return show


def _find_alarm(hwmon: Path) -> Path | None:
    """The alarm file of the voltage driver, whose hwmon number may change between boots."""
    for folder in sorted(hwmon.glob("hwmon*")):
        try:
            name = (folder / "name").read_text("ascii").strip()
        except (OSError, ValueError):
            continue
        if name == DRIVER:
            return folder / "in0_lcrit_alarm"
    return None
