"""The parts of the program that the API works on: scoreboard, settings, the service, and the workbench of mock mode."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from flask import current_app

from pegboard.config import Settings
from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.health import Devices
from pegboard.install.director_updates import DirectorUpdates
from pegboard.install.program_version import program_version
from pegboard.table.event_table import EventTable
from pegboard.table.scoreboard import Scoreboard

EXTENSION = "pegboard"
"""The name of the parts among the extensions of the Flask application."""


class Bench(Protocol):
    """What mock mode offers; errors of its methods are sentences."""

    def press(self, key: str, level: str) -> None:
        """Move the mock pin of a key "down" or "up".

        Raises:
            ValueError: there is no such key or level.
        """

    def plug(self, device: str, plugged: bool) -> None:
        """Plug a device in, or pull it out.

        Raises:
            ValueError: there is no such device.
        """

    def fault(self, device: str, name: str, on: bool) -> None:
        """Have a device fail in the way of that name, or mend it.

        Raises:
            ValueError: there is no such device or fault.
        """

    def follow(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback`, which only wakes, whenever the picture may have changed; the returned function ends that."""

    def picture(self) -> dict[str, Any]:
        """What panel, strip, keys and buses show now, JSON-ready; quick enough for the event loop."""


class Service:
    """The program round the scoreboard: version, uptime, open streams, devices, brightness and versions."""

    def __init__(
        self,
        devices: Devices,
        viewers: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
        *,
        brightness: BrightnessControl,
        updates: DirectorUpdates | None = None,
        stalls: Callable[[], list[dict[str, Any]]] = list,
        event: EventTable | None = None,
    ) -> None:
        """`viewers` counts the open event streams, `stalls` tells what has stalled; the uptime runs from now on.

        `event` is the table's part in events; None where it can have none.
        """
        self.devices, self.viewers, self.brightness, self.updates = devices, viewers, brightness, updates
        self.stalls, self.event = stalls, event
        self.version = program_version()
        self._clock, self._started_s = clock, clock()

    def uptime_s(self) -> float:
        """Seconds since it started to serve."""
        return self._clock() - self._started_s


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one program.

    Attributes:
        scoreboard: of the table.
        settings: as the program was started.
        service: the program itself, with the health of its devices.
        bench: the workbench; None but in mock mode.
        catalogs: reports on every translation of the pages.
        version: of the program, as its files were when it started.
    """

    scoreboard: Scoreboard
    settings: Settings
    service: Service
    bench: Bench | None
    catalogs: Callable[[], list[dict[str, Any]]]
    version: str


def parts() -> Parts:
    """The parts of the program that this request is for."""
    return cast("Parts", current_app.extensions[EXTENSION])
