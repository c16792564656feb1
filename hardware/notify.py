"""lgpio's one thread, through which every edge comes: whether it is dead, and another one in its place.

An exception in any callback, ours or a stranger's, ends it for the whole process, and lgpio does not notice.
"""

import contextlib
import sys
from typing import Any


def thread_behind(pins: Any) -> Any:
    """The module lgpio, where `pins` are its; None where they are other pins, which have no such thread."""
    return sys.modules.get("lgpio") if type(pins).__module__ == "gpiozero.pins.lgpio" else None


def is_dead(lgpio: Any) -> bool:
    """Whether no edge can be heard any more."""
    return lgpio is not None and not lgpio._notify_thread.is_alive()  # noqa: SLF001 - lgpio tells nobody


def revive(lgpio: Any) -> None:
    """Begin another thread; each line is to be claimed anew, as only then its edges go there.

    Raises:
        Exception: whatever lgpio raises where that cannot be.
    """
    dead = lgpio._notify_thread  # noqa: SLF001 - lgpio has no other way to another thread
    lgpio._notify_thread = lgpio._callback_thread()  # noqa: SLF001
    with contextlib.suppress(Exception):
        lgpio.notify_close(dead._notify)  # noqa: SLF001
        dead._file.close()  # noqa: SLF001
