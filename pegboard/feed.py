"""Publish-subscribe feed of the newest view: followers only wake other threads, and slow subscribers skip views."""

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
        self._lock, self._calling = threading.Lock(), threading.Lock()
        self._in_thread = _InThread()

    @property
    def view(self) -> View:
        """The newest view."""
        return self._view

    def follow(self, follower: Follower, *, first: bool = False) -> Callable[[], None]:
        """Call `follower` with each new view; the returned function unsubscribes it.

        The follower is called in the thread that publishes or ends a `hold`, such as the event loop, so it may only
        wake another thread; it must not publish. `first` puts it ahead of existing followers (a panel is woken before
        the web).
        """
        with self._lock:
            self._followers = (follower, *self._followers) if first else (*self._followers, follower)
        return lambda: self._leave(follower)

    def publish(self, view: View) -> None:
        """Publish `view` to all followers; if one raises, the error is logged and the others are still called.

        Raises:
            RuntimeError: a follower publishes.
        """
        if self._in_thread.is_calling:
            raise RuntimeError("a follower must not publish: let another thread do it")
        self._view = view
        if self._in_thread.hold.is_on:
            self._in_thread.hold.is_due = True
        else:
            self._call_followers()

    def hold(self) -> Callable[[], None]:
        """Defer calling followers with views this thread publishes, so that its response is sent first.

        `view` is updated at once. The returned function ends the deferral, in any thread; further calls do nothing.
        """
        hold = self._in_thread.hold = _Hold()
        hold.is_on = True

        def end() -> None:
            hold.is_on = False
            if hold.is_due:
                hold.is_due = False
                self._call_followers()

        return end

    def _call_followers(self) -> None:
        """Call followers with the newest view, one thread at a time: none gets an older view after a newer one."""
        with self._calling:
            self._in_thread.is_calling = True
            try:
                self._call_each(self._view)
            finally:
                self._in_thread.is_calling = False

    def _call_each(self, view: View) -> None:
        for follower in self._followers:
            try:
                follower(view)
            except Exception:
                log.exception("a follower of the board failed")

    def _leave(self, follower: Follower) -> None:
        with self._lock:
            self._followers = tuple(f for f in self._followers if f is not follower)


class _Hold:
    """Whether a thread defers the calls of followers, and whether calls are due."""

    is_on = False
    is_due = False


class _InThread(threading.local):
    hold = _Hold()
    is_calling = False
