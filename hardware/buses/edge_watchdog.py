"""The one thread through which every edge of the pins comes: whether it is dead, and another one in its place.

An exception in any callback, ours or a stranger's, ends lgpio's for the whole process, and lgpio does not notice.
"""

import contextlib
import sys
from typing import Any

from hardware.buses.gpiod_edges import EdgeThread


def edge_thread_of(pins: Any) -> Any:
    """The module lgpio, where `pins` are its, or the `Edges` of gpiod's; None where they have no such thread."""
    if type(pins).__module__ == "gpiozero.pins.lgpio":
        return sys.modules.get("lgpio")
    edges = getattr(pins, "edges", None)
    return edges if isinstance(edges, EdgeThread) else None


def is_dead(thread: Any) -> bool:
    """Whether no edge can be heard any more."""
    if isinstance(thread, EdgeThread):
        return thread.is_dead
    return thread is not None and not thread._notify_thread.is_alive()  # noqa: SLF001 - lgpio tells nobody


def revive(thread: Any) -> None:
    """Begin another thread; each line is to be claimed anew, as only then its edges go to lgpio's.

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
