"""Publish-subscribe feed of the newest view: publishing never blocks, and slow subscribers skip views."""

import logging
import threading
from collections.abc import Callable
from typing import TypeAlias

from pegboard.core.view import View

Follower: TypeAlias = Callable[[View], None]

log = logging.getLogger(__name__)


class Feed:
    """Holds the newest view and calls each follower with every new one."""

    def __init__(self) -> None:
        self._view = View()
        self._followers: tuple[Follower, ...] = ()
        self._lock = threading.Lock()

    @property
    def view(self) -> View:
        """The newest view."""
        return self._view

    def follow(self, follower: Follower, *, first: bool = False) -> Callable[[], None]:
        """Call `follower` with each new view; the returned function unsubscribes it.

        It is called in the publisher's thread, so it may only wake another one. `first` puts it ahead of existing
        followers (a panel is woken before the web).
        """
        with self._lock:
            self._followers = (follower, *self._followers) if first else (*self._followers, follower)
        return lambda: self._leave(follower)

    def publish(self, view: View) -> None:
        """Publish `view` to all followers; if one raises, the error is logged and the others are still called."""
        self._view = view
        for follower in self._followers:
            try:
                follower(view)
            except Exception:
                log.exception("a follower of the board failed")

    def _leave(self, follower: Follower) -> None:
        with self._lock:
            self._followers = tuple(f for f in self._followers if f is not follower)
