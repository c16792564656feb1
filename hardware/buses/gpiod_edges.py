"""One thread delivers the GPIO edge events of all pins through gpiod: it sleeps in epoll until a pin changes."""

import logging
import os
import select
import threading
from collections.abc import Callable, Sequence
from typing import Any

log = logging.getLogger(__name__)


class EdgeThread:
    """Watches pins, each a request of gpiod's. Whatever a callback raises, the other pins go on."""

    def __init__(self, lock: threading.Lock) -> None:
        """Start no thread yet; `lock` is held round every use of a request, which gpiod itself does not guard."""
        self._lock = lock
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
        """Start another thread."""
        self._thread = threading.Thread(target=self._run, name="pins", daemon=True)
        self._thread.start()

    def watch(self, request: Any, callback: Callable[[Any], None]) -> None:
        """Call `callback` with each edge event of a pin from now on, in the thread."""
        with self._lock:
            self._watched[request.fd] = request, callback
            self._epoll.register(request.fd, select.EPOLLIN)
        if self._thread is None:
            self.revive()

    def unwatch(self, request: Any) -> None:
        """Deliver no edge event of a pin any more, but one that has just been read; it need not be watched."""
        with self._lock:
            self._unwatch(request.fd)

    def close(self) -> None:
        """End the thread, for good."""
        os.eventfd_write(self._close_event, 1)
        if self._thread is not None:
            self._thread.join(timeout=1)
            self._thread = None
        self._epoll.close()
        os.close(self._close_event)

    def _unwatch(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            self._epoll.unregister(fd)

    def _run(self) -> None:
        while True:
            moved = [fd for fd, _ in self._epoll.poll()]
            if self._close_event in moved:
                return
            self._dispatch(moved)

    def _dispatch(self, fds: Sequence[int]) -> None:
        """Deliver the edge events of several pins in the order of their times, so that no key overtakes another."""
        edges = [(edge, callback) for fd in fds for callback, its in (self._read(fd),) for edge in its]
        for edge, callback in sorted(edges, key=lambda each: each[0].timestamp_ns):
            try:
                callback(edge)
            except Exception:  # it may be another package's, and all keys depend on this thread
                log.exception("an edge was not taken")

    def _read(self, fd: int) -> tuple[Callable[[Any], None], Sequence[Any]]:
        """The callback of a pin, and the edge events that it has."""
        with self._lock:
            request, callback = self._watched.get(fd, (None, _ignore))
            try:
                # The pin may have been closed meanwhile, and its file number taken by one without an edge.
                return callback, request.read_edge_events() if request and is_readable(fd) else ()
            except Exception:  # the chip is gone, and would wake this thread for ever
                log.exception("a line cannot be heard any more")
                self._unwatch(fd)
                return callback, ()


def is_readable(fd: int) -> bool:
    """Whether a file can be read at once. gpiod's own question fails for numbers over 1023."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(0))


def _ignore(_edge: Any) -> None:
    """Drop an edge event that nobody wants."""
