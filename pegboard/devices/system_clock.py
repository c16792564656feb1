"""The clocks of this machine: one that counts since its start and never steps, and the wall clock with its faults."""

import time
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

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
