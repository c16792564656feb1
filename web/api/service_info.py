"""The running program, for the health page: version, uptime, open streams, devices, and brightness."""

import time
from collections.abc import Callable
from importlib.metadata import version

from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.device_list import Devices


class Service:
    """The program round the scoreboard."""

    def __init__(
        self,
        devices: Devices,
        viewers: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
        *,
        lights: BrightnessControl,
    ) -> None:
        """`viewers` counts the open event streams; the uptime runs from now on."""
        self.devices, self.viewers, self.lights = devices, viewers, lights
        self.version = version("pegboard")
        self._clock, self._started_s = clock, clock()

    def uptime_s(self) -> float:
        """Seconds since it started to serve."""
        return self._clock() - self._started_s
