"""One thread hears the edges of all lines: it sleeps in the kernel until a line moves, and nothing else wakes it."""

import logging
import os
import select
import threading
from collections.abc import Callable, Sequence
from typing import Any

log = logging.getLogger(__name__)


class EdgeThread:
    """Hears lines, each a request of gpiod's. Whatever a callback raises, the other lines are heard."""

    def __init__(self, lock: threading.Lock) -> None:
        """Prepare to hear; `lock` is held round every use of a request, which gpiod itself does not guard."""
        self._lock = lock
        self._heard: dict[int, tuple[Any, Callable[[Any], None]]] = {}
        self._bell = os.eventfd(0)
        self._epoll = select.epoll()
        self._epoll.register(self._bell, select.EPOLLIN)
        self._thread: threading.Thread | None = None

    @property
    def is_dead(self) -> bool:
        """Whether lines are to be heard and nobody hears them."""
        return self._thread is not None and not self._thread.is_alive()

    def revive(self) -> None:
        """Begin another thread."""
        self._thread = threading.Thread(target=self._run, name="pins", daemon=True)
        self._thread.start()

    def hear(self, request: Any, tell: Callable[[Any], None]) -> None:
        """Tell each edge of a line from now on, in the thread."""
        with self._lock:
            self._heard[request.fd] = request, tell
            self._epoll.register(request.fd, select.EPOLLIN)
        if self._thread is None:
            self.revive()

    def forget(self, request: Any) -> None:
        """Tell no edge of a line any more, but one that has just been read; it need not have been heard."""
        with self._lock:
            self._forget(request.fd)

    def close(self) -> None:
        """End the thread, for good."""
        os.eventfd_write(self._bell, 1)
        if self._thread is not None:
            self._thread.join(timeout=1)
            self._thread = None
        self._epoll.close()
        os.close(self._bell)

    def _forget(self, fd: int) -> None:
        if self._heard.pop(fd, None) is not None:
            self._epoll.unregister(fd)

    def _run(self) -> None:
        while True:
            moved = [fd for fd, _ in self._epoll.poll()]
            if self._bell in moved:
                return
            self._tell(moved)

    def _tell(self, fds: Sequence[int]) -> None:
        """Tell the edges of several lines in the order in which they were, so that no key overtakes another."""
        edges = [(edge, tell) for fd in fds for tell, its in (self._read(fd),) for edge in its]
        for edge, tell in sorted(edges, key=lambda each: each[0].timestamp_ns):
            try:
                tell(edge)
            except Exception:  # it may be a stranger's, and all keys hang on this thread
                log.exception("an edge was not taken")

    def _read(self, fd: int) -> tuple[Callable[[Any], None], Sequence[Any]]:
        """The edges of a line that has some, and who wants them."""
        with self._lock:
            request, tell = self._heard.get(fd, (None, _nobody))
            try:
                # The line may have been given back meanwhile, and its number taken by one without an edge.
                return tell, request.read_edge_events() if request and has_news(fd) else ()
            except Exception:  # the chip is gone, and would wake this thread for ever
                log.exception("a line cannot be heard any more")
                self._forget(fd)
                return tell, ()


def has_news(fd: int) -> bool:
    """Whether a file can be read at once. gpiod's own question fails for numbers over 1023."""
    asked = select.poll()
    asked.register(fd, select.POLLIN)
    return bool(asked.poll(0))


def _nobody(_edge: Any) -> None:
    """Take an edge that nobody wants."""
