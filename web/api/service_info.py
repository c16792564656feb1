"""What the page of the devices is about: displays, inputs, and the program itself, each with how it is."""

import time
from collections.abc import Callable
from importlib.metadata import version

from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.registry import Devices


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
        """`viewers` answers how many live event streams are open; the time runs from now on."""
        self.devices, self.viewers, self.lights = devices, viewers, lights
        self.version = version("pegboard")
        self._clock, self._began_s = clock, clock()

    def uptime_s(self) -> float:
        """Seconds since it began to serve."""
        return self._clock() - self._began_s
