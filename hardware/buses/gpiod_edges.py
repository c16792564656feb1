"""GPIO edge events: one thread delivers the edges of all pins through gpiod (epoll); restart of lgpio's dead thread.

Edges of all pins are delivered in chronological order, however late they are read: an edge that was read while an
earlier edge may still be in the kernel's queue waits for that edge.
"""

import contextlib
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

# --- watchdog of lgpio's edge thread: detects that the thread died, and starts another one ---
#
# An exception in any callback, ours or another package's, silently ends lgpio's only thread.


class LgpioThread:
    """The lgpio module's only thread."""

    @property
    def is_dead(self) -> bool:
        """Whether edge events are no longer delivered."""
        return not sys.modules["lgpio"]._notify_thread.is_alive()  # noqa: SLF001 - lgpio has no function for it

    @staticmethod
    def deliver() -> bool:
        """Whether the thread has read every edge so far from its pipe."""
        return not is_readable(sys.modules["lgpio"]._notify_thread._file.fileno())  # noqa: SLF001

    def revive(self) -> None:
        """Start another thread; each pin must be claimed again, else lgpio does not deliver the pin's edges.

        Raises:
            Exception: lgpio could not start a thread; its errors have no common base class.
        """
        lgpio: Any = sys.modules["lgpio"]
        dead = lgpio._notify_thread  # noqa: SLF001 - lgpio has no function that starts another thread
        lgpio._notify_thread = lgpio._callback_thread()  # noqa: SLF001
        with contextlib.suppress(Exception):
            lgpio.notify_close(dead._notify)  # noqa: SLF001
            dead._file.close()  # noqa: SLF001


class EdgeDelivery(Protocol):
    """A source that delivers the edge events of pins."""

    @property
    def is_dead(self) -> bool:
        """Whether edge events are no longer delivered."""

    def deliver(self) -> bool:
        """Deliver every edge so far. Returns whether that worked."""

    def revive(self) -> None:
        """Restore the delivery of edges."""


def edge_thread_of(pins: Any) -> EdgeDelivery | None:
    """The source that delivers the edge events of `pins`; None if unknown."""
    if type(pins).__module__ == "gpiozero.pins.lgpio":
        return LgpioThread()
    edges: EdgeDelivery | None = getattr(pins, "edges", None)
    return edges


log = logging.getLogger(__name__)

BUSY_S = 0.1
"""Seconds that another thread may take to deliver edges before they count as undelivered."""

_Edge: TypeAlias = tuple[int, Callable[[Any], None], Any]
"""An edge: its time in nanoseconds, its callback, and gpiod's event."""


class EdgeThread:
    """Watches pins, each a gpiod request. An exception in a callback does not affect the other pins."""

    def __init__(self, lock: threading.Lock, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """Make the watcher without starting a thread.

        Args:
            lock: held during every use of a request, because gpiod does no locking.
            clock: the clock by which the kernel times edges, in nanoseconds.
        """
        self._lock, self._clock = lock, clock
        self._delivering = threading.Lock()
        self._future_edges: list[_Edge] = []
        self._watched: dict[int, tuple[Any, Callable[[Any], None]]] = {}
        self._close_event = os.eventfd(0)
        self._epoll = select.epoll()
        self._epoll.register(self._close_event, select.EPOLLIN)
        self._thread: threading.Thread | None = None

    @property
    def is_dead(self) -> bool:
        """Whether pins are watched and the thread has died."""
        return self._thread is not None and not self._thread.is_alive()

    def revive(self) -> None:
        """Start the first thread, or another one after it died."""
        self._thread = threading.Thread(target=self._run, name="pins", daemon=True)
        self._thread.start()

    def watch(self, request: Any, callback: Callable[[Any], None]) -> None:
        """Call `callback` in the thread with each edge event of a pin from now on."""
        with self._lock:
            self._watched[request.fd] = request, callback
            self._epoll.register(request.fd, select.EPOLLIN)
        if self._thread is None:
            self.revive()

    def unwatch(self, request: Any) -> None:
        """Stop delivering a pin's edge events, except any just read; the pin need not be watched."""
        with self._lock:
            self._unwatch(request.fd)

    def close(self) -> None:
        """End the thread for good."""
        os.eventfd_write(self._close_event, 1)
        if self._thread is not None:
            self._thread.join(timeout=1)
            self._thread = None
        self._epoll.close()
        os.close(self._close_event)

    def deliver(self) -> bool:
        """Deliver every edge so far in the calling thread. Returns whether that worked.

        It fails if another thread is delivering and a callback there takes longer than `BUSY_S`.
        """
        if not self._delivering.acquire(timeout=BUSY_S):
            return False
        try:
            while self._deliver_until(self._clock()):
                pass
        finally:
            self._delivering.release()
        return True

    def _unwatch(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            self._epoll.unregister(fd)

    def _run(self) -> None:
        while True:
            if self._close_event in [fd for fd, _ in self._epoll.poll()]:
                return
            self.deliver()

    def _deliver_until(self, t_ns: int) -> bool:
        """Deliver the edges up to `t_ns`. Returns whether later edges have been read."""
        if self._epoll.closed:
            return False
        due, self._future_edges = self._future_edges, []  # they were read before `t_ns`, so they are due now
        for edge in (edge for fd, _ in self._epoll.poll(0) for edge in self._read(fd)):
            (due if edge[0] <= t_ns else self._future_edges).append(edge)
        for _, callback, event in sorted(due, key=lambda edge: edge[0]):
            try:
                callback(event)
            except Exception:  # the callback may be another package's, and all keys depend on this thread
                log.exception("an edge could not be processed")
        return bool(self._future_edges)

    def _read(self, fd: int) -> Sequence[_Edge]:
        """The pending edges of a pin."""
        with self._lock:
            request, callback = self._watched.get(fd, (None, _ignore))
            try:
                # The pin may have been closed meanwhile, and its file descriptor reused by a pin without an edge.
                events = request.read_edge_events() if request and is_readable(fd) else ()
            except Exception:  # the chip is gone, and would wake this thread forever
                log.exception("a line can no longer be read")
                self._unwatch(fd)
                return ()
        return [(event.timestamp_ns, callback, event) for event in events]


def is_readable(fd: int) -> bool:
    """Whether a file can be read without blocking. gpiod's own check fails for descriptors over 1023."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(0))


def _ignore(_edge: Any) -> None:
    """Drop an edge event without a watcher."""
