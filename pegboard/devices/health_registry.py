"""The registry of displays and inputs: the health of each, and a callback when one breaks or works again."""

import logging
import threading
from collections.abc import Callable
from typing import TypeAlias

from pegboard.core.view import Device
from pegboard.devices.health import Health
from pegboard.devices.health_poller import POLL_INTERVAL_S, HealthPoller

ReadHealth: TypeAlias = Callable[[], Health]
"""Reads the health of a device as far as it is known; it neither waits nor raises."""

log = logging.getLogger(__name__)


class Devices:
    """All devices, in the order in which they were added.

    `on_change` is called with all of them whenever the error of any has changed; a device that keeps failing in the
    same way is reported once. It is called in the registry's own thread, so that nobody else waits for it.
    """

    def __init__(self, on_change: Callable[[tuple[Device, ...]], None]) -> None:
        self._on_change = on_change
        self._reads: tuple[ReadHealth, ...] = ()
        self._pollers: list[HealthPoller] = []
        self._reported: tuple[Device, ...] = ()
        self._wakeup = threading.Event()
        self._stopped = False

    @property
    def health(self) -> list[Health]:
        """The health of each device, as far as it is known. Never waits."""
        return [read_health() for read_health in self._reads]

    def add(self, read_health: ReadHealth) -> None:
        """Add a device, whose health `read_health` reads."""
        self._reads = (*self._reads, read_health)

    def add_poller(self, poller: HealthPoller) -> None:
        """Add an input, which is polled until `stop`."""
        self._pollers.append(poller)
        self.add(lambda: poller.health)

    def wake(self) -> None:
        """The health of a device may have changed. Never waits; called from any thread."""
        if self._snapshot() != self._reported:
            self._wakeup.set()

    def report_changes(self) -> None:
        """Call `on_change` until nothing has changed since; only one thread may do so at a time."""
        while (current := self._snapshot()) != self._reported:
            self._reported = current  # first: a device that changes during the call compares with this
            self._on_change(current)

    def start(self) -> None:
        """Report all devices now, and then every change until `stop`."""
        self.report_changes()
        for poller in self._pollers:
            poller.start(self.wake)
        threading.Thread(target=self._run, name="devices", daemon=True).start()

    def stop(self) -> None:
        """Stop reporting. Never waits."""
        self._stopped = True
        self._wakeup.set()
        for poller in self._pollers:
            poller.stop()

    def _run(self) -> None:
        while not self._stopped:
            self._wakeup.wait(POLL_INTERVAL_S)  # a device that hangs wakes nobody
            self._wakeup.clear()
            try:
                if not self._stopped:
                    self.report_changes()
            except Exception:  # the next report is as good as this one
                log.exception("could not show the state of the devices")

    def _snapshot(self) -> tuple[Device, ...]:
        return tuple(Device(health.name, None if health.ok else health.trouble) for health in self.health)


def unusable_device(name: str, sentence: str, since: float | None = None) -> Health:
    """The health of a device that has been unusable `since` then, in seconds since 1970."""
    return Health(name, "", ok=False, failing_since=since, trouble=sentence, errors=1)
