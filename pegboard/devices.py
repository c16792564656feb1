"""All displays and inputs with their newest health; the table hears of it when one breaks, or works again."""

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from pegboard.core.view import Device
from pegboard.health import Health

Look: TypeAlias = Callable[[], Health]
"""How a device is now; it may neither wait nor raise."""


class Devices:
    """The devices of the table, in the order in which they came.

    `tell` is given all of them whenever what is wrong with any has changed; so a device that keeps failing in the
    same way is told once.
    """

    def __init__(self, tell: Callable[[tuple[Device, ...]], None]) -> None:
        self._tell = tell
        self._looks: tuple[Look, ...] = ()
        self._told: tuple[Device, ...] = ()
        self._lock = threading.Lock()

    @property
    def health(self) -> list[Health]:
        """How each of them is now."""
        return [look() for look in self._looks]

    def add(self, look: Look) -> None:
        """There is one more, and `look` says how it is."""
        with self._lock:
            self._looks = (*self._looks, look)

    def look(self) -> None:
        """Look at all, and tell what has changed; called from any thread."""
        with self._lock:  # what was seen last is told last
            seen = tuple(_device(health) for health in self.health)
            if seen != self._told:
                self._told = seen
                self._tell(seen)


def health_of(given: Any) -> Health:
    """How an input is; one that does not say so is well."""
    try:
        health = getattr(given, "health", None)
    except Exception as error:  # noqa: BLE001 - a stranger's input may raise anything
        return unable(given.name, str(error) or type(error).__name__)
    return health if isinstance(health, Health) else Health(given.name, "")


def unable(name: str, sentence: str, since: float | None = None) -> Health:
    """A device that cannot be used `since` so many seconds after 1970 began."""
    return Health(name, "", ok=False, failing_since=since, trouble=sentence, errors=1)


def _device(health: Health) -> Device:
    return Device(health.name, None if health.ok else health.trouble)
