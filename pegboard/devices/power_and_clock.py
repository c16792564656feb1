"""The Raspberry Pi's supply voltage: whether its firmware has found it too low, read from the kernel's files.

The driver raspberrypi-hwmon registers as `rpi_volt` and asks the firmware every 2 s; `in0_lcrit_alarm` is 1 where the
voltage was too low since it asked before (drivers/hwmon/raspberrypi-hwmon.c: bit 16 of GET_THROTTLED, which it clears
each time; https://docs.kernel.org/hwmon/raspberrypi-hwmon.html). To read it asks the firmware nothing. Kernels of
Raspberry Pi before that driver have `get_throttled`, a hexadecimal number whose bit 0 is "too low now"
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

# --- the power switch: asks root to shut the machine down, where pegboard runs as the installed service ---


REQUEST = "power-off"
"""The file in the service's runtime folder that asks for it; a unit of root's waits for the file."""


class PowerSwitch:
    """The power switch of the machine; elsewhere than in the installed service there is none."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where the request is written; None where pegboard does not switch the machine off."""
        self._folder = folder

    @staticmethod
    def of_service(environment: Mapping[str, str] = os.environ, *, installed: bool | None = None) -> "PowerSwitch":
        """The one of the service that systemd has started."""
        return PowerSwitch(service_runtime_folder(environment, installed=installed))

    @property
    def is_there(self) -> bool:
        """Whether pegboard may switch this machine off."""
        return self._folder is not None

    def request(self) -> None:
        """Ask for it; the program is stopped in order when the machine goes down.

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
"""Where pegboard does not switch the machine off."""


# --- the clocks of this machine: one that counts since its start and never steps, and the wall clock with its faults
# ---


SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
"""There once systemd-timesyncd has set the clock from the network (systemd-timesyncd.service(8))."""


BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
"""A random id of this start of the machine (random(4))."""


class SystemClock:
    """The clocks of this machine.

    Attributes:
        wall: seconds since 1970; it may be wrong, and step.
        ticks: seconds since this start of the machine, its sleep included; they never step.
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
        """The id of this start of the machine, "" where the kernel tells none."""
        try:
            return self._boot_id.read_text("utf-8").strip()
        except (OSError, ValueError):
            return ""

    def is_set(self) -> bool:
        """Whether the network has set the wall clock; the sandbox of the service lets nobody ask the kernel."""
        return self._synchronized.exists()


def _boot_time_s() -> float:
    """CLOCK_BOOTTIME, which counts while the machine sleeps; else the next best."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


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
