"""Watchdog of the thread that delivers GPIO edge events: finds out whether it has died, and starts another one.

An exception in any callback, ours or of another package, ends lgpio's thread for the whole process, unnoticed.
"""

import contextlib
import sys
from typing import Any, Protocol

from hardware.buses.gpiod_edges import is_readable


class LgpioThread:
    """The only thread of the module lgpio."""

    @property
    def is_dead(self) -> bool:
        """Whether no edge event is delivered any more."""
        return not sys.modules["lgpio"]._notify_thread.is_alive()  # noqa: SLF001 - lgpio tells nobody

    @staticmethod
    def deliver() -> bool:
        """Whether the thread has taken every edge so far out of its pipe."""
        return not is_readable(sys.modules["lgpio"]._notify_thread._file.fileno())  # noqa: SLF001

    def revive(self) -> None:
        """Start another thread; each pin must be claimed anew, for only then lgpio delivers its edges to that.

        Raises:
            Exception: whatever lgpio raises where that cannot be.
        """
        lgpio: Any = sys.modules["lgpio"]
        dead = lgpio._notify_thread  # noqa: SLF001 - lgpio has no other way to another thread
        lgpio._notify_thread = lgpio._callback_thread()  # noqa: SLF001
        with contextlib.suppress(Exception):
            lgpio.notify_close(dead._notify)  # noqa: SLF001
            dead._file.close()  # noqa: SLF001


class EdgeDelivery(Protocol):
    """What delivers the edge events of pins."""

    @property
    def is_dead(self) -> bool:
        """Whether no edge event is delivered any more."""

    def deliver(self) -> bool:
        """Deliver every edge that has been until now; whether that could be done."""

    def revive(self) -> None:
        """Have edges delivered again."""


def edge_thread_of(pins: Any) -> EdgeDelivery | None:
    """What delivers the edge events of `pins`; None where that is unknown."""
    if type(pins).__module__ == "gpiozero.pins.lgpio":
        return LgpioThread()
    edges: EdgeDelivery | None = getattr(pins, "edges", None)
    return edges
