"""One thread for each display: it shows the newest view; when the wire fails it tries again, ever more patiently."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from hardware.door import Display, DisplayKind
from hardware.wires import Wires
from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.health import Health

log = logging.getLogger(__name__)

FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""Patience after the first error in a row; it doubles up to the longest."""


class Follows(Protocol):
    """The feed, as far as a window needs it."""

    def follow(self, follower: Callable[[View], None], *, first: bool = False) -> Callable[[], None]:
        """Call `follower` with each new view, until the returned function is called."""


class Window:
    """A display and its thread. A slow or broken display disturbs nobody: views that it cannot follow are skipped."""

    def __init__(self, kind: DisplayKind, settings: Settings, wires: Wires) -> None:
        self._make: Callable[[], Display] = lambda: kind(settings, wires)
        self._display = self._make()
        self._health = Health(self._display.name, self._display.about)
        self._newest: View | None = None
        self._shown: View | None = None
        self._patience_s = FIRST_WAIT_S
        self._not_before_s = 0.0
        self._refresh_at_s: float | None = None
        self._news = threading.Event()
        self._closing = False
        self._watchers: tuple[Callable[[], None], ...] = ()
        self._leave: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name=f"window {self._display.name}", daemon=True)

    @property
    def health(self) -> Health:
        """How the display is; a value that does not change any more."""
        return self._health

    @property
    def display(self) -> Display:
        """The display in use; after an error it is another one."""
        return self._display

    def start(self, feed: Follows, view: View) -> None:
        """Show `view` now and every newer one from the feed."""
        self._leave = feed.follow(self.wake, first=True)
        self.wake(view)
        self._thread.start()

    def close(self) -> None:
        """Stop, and let go of the wire."""
        if self._leave is not None:
            self._leave()
        self._closing = True
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(timeout=0.3)

    def wake(self, view: View) -> None:
        """There is a newer view. Never waits."""
        self._newest = view
        self._news.set()

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` after each try to show something, in the display's thread; the returned function ends that."""
        self._watchers = (*self._watchers, watcher)

        def leave() -> None:
            self._watchers = tuple(w for w in self._watchers if w is not watcher)

        return leave

    def turn(self, now_s: float, wall_s: float) -> float | None:
        """Show what is due. Returns the seconds after which to turn again at the latest, or None to wait for news.

        Args:
            now_s: a steady clock, in seconds.
            wall_s: the clock on the wall, in seconds since 1970.
        """
        if self._newest is None:
            return None
        if now_s < self._not_before_s:
            return self._not_before_s - now_s
        if self._newest is not self._shown or self._refresh_is_due(now_s):
            self._try(self._newest, now_s, wall_s)
        ends = [at for at in (self._refresh_at_s, self._not_before_s) if at is not None and at > now_s]
        return min(ends) - now_s if ends else None

    def _refresh_is_due(self, now_s: float) -> bool:
        return self._refresh_at_s is not None and now_s >= self._refresh_at_s

    def _run(self) -> None:
        wait_s: float | None = None
        while not self._closing:
            self._news.wait(wait_s)
            self._news.clear()
            if not self._closing:
                wait_s = self.turn(time.monotonic(), time.time())
        self._let_go()

    def _try(self, view: View, now_s: float, wall_s: float) -> None:
        try:
            self._display.show(view)
        except Exception as error:  # noqa: BLE001 - a stranger's display may raise anything
            self._failed(error, now_s, wall_s)
        else:
            self._succeeded(view, now_s)
        for watcher in self._watchers:
            watcher()

    def _succeeded(self, view: View, now_s: float) -> None:
        self._shown = view
        self._patience_s = FIRST_WAIT_S
        refresh_s = self._display.refresh_s
        self._refresh_at_s = None if refresh_s is None else now_s + refresh_s
        if not self._health.ok:
            log.info("the %s works again", self._health.name)
        self._health = replace(
            self._health,
            about=self._display.about,
            ok=True,
            failing_since=None,
            retries=0,
            frames=self._health.frames + 1,
        )

    def _failed(self, error: Exception, now_s: float, wall_s: float) -> None:
        old = self._health
        if old.ok:
            log.warning("the %s fails: %s", old.name, error)
        self._shown = self._refresh_at_s = None
        self._not_before_s = now_s + self._patience_s
        self._patience_s = min(2 * self._patience_s, LONGEST_WAIT_S)
        self._health = replace(
            old,
            ok=False,
            failing_since=wall_s if old.failing_since is None else old.failing_since,
            trouble=_in_words(error),
            retries=old.retries + (not old.ok),
            errors=old.errors + 1,
        )
        self._let_go()
        self._display = self._make()

    def _let_go(self) -> None:
        with contextlib.suppress(Exception):  # what is broken may break again
            self._display.close()


def _in_words(error: Exception) -> str:
    """An error for people: a wire that does not answer, else what the error itself says."""
    if isinstance(error, OSError) and error.strerror:
        return f"no answer: {error.strerror}"
    return str(error) or type(error).__name__
