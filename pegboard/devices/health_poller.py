"""Polls the health of an input in its own thread, so that one that hangs delays nobody else."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pegboard.devices.health import HANG_S, Attempt, Health, error_text
from pegboard.messages import Message

POLL_INTERVAL_S = 3.0
"""Seconds between two polls of each input, and between two looks of the registry for devices that hang."""

HANGS = Message("trouble_silent", seconds=f"{HANG_S:g}")


class HealthPoller:
    """Repairs an input and reads its health, again and again; either call may wait, or raise."""

    def __init__(
        self,
        device: Any,
        name: str,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """It counts as working until its first poll. `clock` is monotonic, `wall` since 1970; both in seconds."""
        self._device = device
        self._clock, self._wall = clock, wall
        self._health = Health(name, "")
        self._poll: Attempt | None = None
        self._stopped = threading.Event()

    @property
    def health(self) -> Health:
        """The health that the device reported last, or that it hangs. Never waits."""
        poll, health = self._poll, self._health
        return health.during(poll, self._clock(), HANGS)

    def start(self, on_poll: Callable[[], None]) -> None:
        """Poll every few seconds, and call `on_poll`, which only wakes another thread, after each poll."""
        threading.Thread(target=self._run, args=(on_poll,), name=f"poll {self._health.name}", daemon=True).start()

    def stop(self) -> None:
        """Stop polling. Never waits."""
        self._stopped.set()

    def poll(self) -> None:
        """Have the device repair what it can, and read its health; waits for both."""
        self._poll = Attempt(self._clock(), self._wall())
        self._health = self._read_health()
        self._poll = None

    def _run(self, on_poll: Callable[[], None]) -> None:
        while not self._stopped.is_set():
            self.poll()
            on_poll()
            self._stopped.wait(POLL_INTERVAL_S)

    def _read_health(self) -> Health:
        try:
            if hasattr(self._device, "mend"):
                self._device.mend()
            health = getattr(self._device, "health", None)
            return (
                replace(health.check_types(), name=self._health.name)  # the name that it had at the start
                if isinstance(health, Health)
                else self._health.mark_ok("")
            )
        except BaseException as error:  # noqa: BLE001 - another package's input may raise anything, SystemExit too
            return self._health.mark_failed(error_text(error), self._wall())
