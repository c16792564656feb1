"""Watchdog of the thread that delivers GPIO edge events: finds out whether it has died, and starts another one.

An exception in any callback, ours or of another package, ends lgpio's thread for the whole process, unnoticed.
"""

import contextlib
import sys
from typing import Any

from hardware.buses.gpiod_edges import EdgeThread


def edge_thread_of(pins: Any) -> Any:
    """The module lgpio where it made the `pins`, or the `EdgeThread` of gpiod's; None where there is no such thread."""
    if type(pins).__module__ == "gpiozero.pins.lgpio":
        return sys.modules.get("lgpio")
    edges = getattr(pins, "edges", None)
    return edges if isinstance(edges, EdgeThread) else None


def is_dead(thread: Any) -> bool:
    """Whether no edge event is delivered any more."""
    if isinstance(thread, EdgeThread):
        return thread.is_dead
    return thread is not None and not thread._notify_thread.is_alive()  # noqa: SLF001 - lgpio tells nobody


def revive(thread: Any) -> None:
    """Start another thread; each pin must be claimed anew, for only then lgpio delivers its edges to that.

    Raises:
        Exception: whatever lgpio raises where that cannot be.
    """
    if isinstance(thread, EdgeThread):
        thread.revive()
    else:
        _revive_lgpio(thread)


def _revive_lgpio(lgpio: Any) -> None:
    dead = lgpio._notify_thread  # noqa: SLF001 - lgpio has no other way to another thread
    lgpio._notify_thread = lgpio._callback_thread()  # noqa: SLF001
    with contextlib.suppress(Exception):
        lgpio.notify_close(dead._notify)  # noqa: SLF001
        dead._file.close()  # noqa: SLF001
