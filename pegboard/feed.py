"""Publish and subscribe: the newest view for every follower; nobody is waited for, and slow followers skip views."""

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

        It is called in the publisher's thread, so it may only wake another one. `first` puts it before followers that
        came earlier (a panel is woken before the web).
        """
        with self._lock:
            self._followers = (follower, *self._followers) if first else (*self._followers, follower)
        return lambda: self._leave(follower)

    def publish(self, view: View) -> None:
        """Make `view` the newest one; a follower that raises is logged, and the others are called all the same."""
        self._view = view
        for follower in self._followers:
            try:
                follower(view)
            except Exception:
                log.exception("a follower of the board failed")

    def _leave(self, follower: Follower) -> None:
        with self._lock:
            self._followers = tuple(f for f in self._followers if f is not follower)
