"""All displays and inputs with their newest health; the table hears of it when one breaks, or works again."""

import logging
import threading
from collections.abc import Callable
from typing import TypeAlias

from pegboard.core.view import Device
from pegboard.devices.health import Health
from pegboard.devices.poller import POLL_INTERVAL_S, Asked

Look: TypeAlias = Callable[[], Health]
"""How a device is, as far as is known; it neither waits nor raises."""

log = logging.getLogger(__name__)


class Devices:
    """The devices of the table, in the order in which they came.

    `tell` is given all of them whenever what is wrong with any has changed; so a device that keeps failing in the
    same way is told once. A thread of their own looks at them, so nobody else ever waits for `tell`.
    """

    def __init__(self, tell: Callable[[tuple[Device, ...]], None]) -> None:
        self._tell = tell
        self._looks: tuple[Look, ...] = ()
        self._asked: list[Asked] = []
        self._told: tuple[Device, ...] = ()
        self._news = threading.Event()
        self._ended = False

    @property
    def health(self) -> list[Health]:
        """How each of them is, as far as is known. Never waits."""
        return [look() for look in self._looks]

    def add(self, look: Look) -> None:
        """There is one more, and `look` says how it is."""
        self._looks = (*self._looks, look)

    def ask(self, asked: Asked) -> None:
        """There is an input, which is asked how it is until the end."""
        self._asked.append(asked)
        self.add(lambda: asked.health)

    def notice(self) -> None:
        """One of them may be otherwise than it was. Never waits; called from any thread."""
        if self._seen() != self._told:
            self._news.set()

    def look(self) -> None:
        """Tell what has changed; only one thread may do so at a time."""
        while (seen := self._seen()) != self._told:
            self._told = seen  # and then once more: whoever changed meanwhile took notice of what was told before
            self._tell(seen)

    def start(self) -> None:
        """Tell of all that there are, and then of every change, until the end."""
        self.look()
        for asked in self._asked:
            asked.start(self.notice)
        threading.Thread(target=self._run, name="devices", daemon=True).start()

    def stop(self) -> None:
        """Tell nothing more. Never waits."""
        self._ended = True
        self._news.set()
        for asked in self._asked:
            asked.stop()

    def _run(self) -> None:
        while not self._ended:
            self._news.wait(POLL_INTERVAL_S)  # what hangs tells nobody
            self._news.clear()
            if not self._ended:
                self._look_safely()

    def _look_safely(self) -> None:
        try:
            self.look()
        except Exception:  # the next look is as good as this one
            log.exception("the table could not be told how its devices are")

    def _seen(self) -> tuple[Device, ...]:
        return tuple(_device(health) for health in self.health)


def unusable_device(name: str, sentence: str, since: float | None = None) -> Health:
    """A device that cannot be used `since` so many seconds after 1970 began."""
    return Health(name, "", ok=False, failing_since=since, trouble=sentence, errors=1)


def _device(health: Health) -> Device:
    return Device(health.name, None if health.ok else health.trouble)
