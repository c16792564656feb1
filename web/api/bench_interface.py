"""The interface of the workbench of mock mode: press keys, unplug devices, make them fail, and see them all."""

from collections.abc import Callable
from typing import Any, Protocol


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
