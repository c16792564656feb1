"""One thread for each display: it shows the newest view; when the wire fails it tries again, ever more patiently."""

import contextlib
import errno
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import luma.core.error

from hardware.backoff import FIRST_DELAY_S, next_delay
from hardware.interfaces import Buses, Display, DisplayKind
from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.devices.health import Health, error_text, require_text
from pegboard.errors import DeviceError

log = logging.getLogger(__name__)

HANG_S = 3.0
"""A write that takes longer has not merely been slow: the longest picture takes a tenth of a second."""

HANGS = f"a write has not come back for {HANG_S:g} seconds; unplug the device if it stays so"

QUICKEST_S, SLOWEST_S = 0.01, 86_400.0
"""No display is refreshed sooner or later, whatever it asks for: a thread can sleep for so long and no longer."""

FAREWELL_S = 0.3
"""How long the thread is waited for at the end; one that hangs is left behind."""


class ViewFeed(Protocol):
    """The feed, as far as a window needs it."""

    @property
    def view(self) -> View:
        """The newest view."""

    def follow(self, follower: Callable[[View], None], *, first: bool = False) -> Callable[[], None]:
        """Call `follower` with each new view, until the returned function is called."""


class _Try(NamedTuple):
    """A write that is under way: since when, by the steady clock and by the one on the wall, in seconds."""

    begun_s: float
    wall_s: float


class DisplayThread:
    """A display and its thread. A slow or broken display disturbs nobody: views that it cannot follow are skipped."""

    def __init__(
        self, kind: DisplayKind, settings: Settings, buses: Buses, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """A window whose display is not yet opened; `clock`, in seconds, tells how long a write takes."""
        self._make: Callable[[], Display] = lambda: kind(settings, buses)
        self._display, self._broken = self._make(), False
        self._health = self._first_health()
        self._clock = clock
        self._trying: _Try | None = None
        self._first: View | None = None
        self._newest: View | None = None
        self._shown: View | None = None
        self._patience_s = FIRST_DELAY_S
        self._not_before_s = 0.0
        self._refresh_at_s: float | None = None
        self._news = threading.Event()
        self._closing = False
        self._watchers: tuple[Callable[[], None], ...] = ()
        self._leave: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name=f"window {self._health.name}", daemon=True)

    def _first_health(self) -> Health:
        try:
            return Health(require_text("name", self._display.name), require_text("about", self._display.about))
        except BaseException:
            self._let_go()
            raise

    @property
    def health(self) -> Health:
        """How the display is, a write that hangs included; a value that does not change any more."""
        trying, health = self._trying, self._health
        return health if trying is None else self._if_hanging(health, trying)

    def start(self, feed: ViewFeed) -> None:
        """Show the feed's view now, and every newer one.

        A newer one may be published meanwhile, in another thread: the first view is read after the feed is followed, so
        that none is missed, and is kept apart, so that it never takes the place of a newer one.
        """
        self._leave = feed.follow(self.wake, first=True)
        self._first = feed.view
        self._news.set()
        self._thread.start()

    def stop(self) -> None:
        """Show nothing more, and let go of the wire. Never waits."""
        if self._leave is not None:
            self._leave()
        self._closing = True
        self._news.set()

    def close(self, patience_s: float = FAREWELL_S) -> None:
        """Stop, and wait for so many seconds until the wire is let go."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join(max(0.0, patience_s))

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
        newest = self._newest or self._first
        if newest is None:
            return None
        if now_s < self._not_before_s:
            return self._not_before_s - now_s
        if newest is not self._shown or self._refresh_is_due(now_s):
            self._try(newest, now_s, wall_s)
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
        trying = self._trying = _Try(self._clock(), wall_s)
        try:
            about, refresh_s = self._show(view)  # whatever it gives is used in here, for any of it may be nonsense
        except BaseException as error:  # noqa: BLE001 - another package's display may raise anything, SystemExit too
            self._back_from(trying)
            self._failed(error, now_s, wall_s)
        else:
            self._back_from(trying)
            self._succeeded(about)
            self._shown = view
            self._refresh_at_s = None if refresh_s is None else now_s + refresh_s
        self._tell_watchers()

    def _show(self, view: View) -> tuple[str, float | None]:
        """Show a view on a display that works. Returns where it hangs, and after how many seconds to show it again."""
        if self._broken:
            self._display, self._broken = self._make(), False
        self._display.show(self._without_own_trouble(view))
        return require_text("about", self._display.about), _within_reason(self._display.refresh_s)

    def _without_own_trouble(self, view: View) -> View:
        """A display that can show its trouble has none any more."""
        own = self._health.name
        others = tuple(device for device in view.devices if device.name != own or not device.trouble)
        return view if others == view.devices else replace(view, devices=others)

    def _back_from(self, trying: _Try) -> None:
        self._health, self._trying = self._if_hanging(self._health, trying), None

    def _if_hanging(self, health: Health, trying: _Try) -> Health:
        """How the display is, given that a write is under way."""
        if self._clock() - trying.begun_s < HANG_S:
            return health
        return health.hangs(HANGS, trying.wall_s)

    def _succeeded(self, about: str) -> None:
        self._patience_s = FIRST_DELAY_S
        if not self._health.ok:
            log.info("the %s works again", self._health.name)
        self._health = replace(self._health.works(about), frames=self._health.frames + 1)

    def _failed(self, error: BaseException, now_s: float, wall_s: float) -> None:
        words = _in_words(error)
        if self._health.ok:
            log.warning("the %s fails: %s", self._health.name, words)
        self._shown = self._refresh_at_s = None
        self._not_before_s = now_s + self._patience_s
        self._patience_s = next_delay(self._patience_s)
        self._health = self._health.fails(words, wall_s)
        self._let_go()
        self._broken = True

    def _tell_watchers(self) -> None:
        for watcher in self._watchers:
            try:
                watcher()
            except Exception:  # whoever watches, the display goes on
                log.exception("a watcher of the %s failed", self._health.name)

    def _let_go(self) -> None:
        with contextlib.suppress(BaseException):  # what is broken may break again, or call sys.exit()
            self._display.close()


def close_all(windows: Sequence[DisplayThread]) -> None:
    """Close them together: however many hang, they are waited for no longer than one."""
    for window in windows:
        window.stop()
    ends = time.monotonic() + FAREWELL_S
    for window in windows:
        window.close(ends - time.monotonic())


def _within_reason(refresh_s: float | None) -> float | None:
    """After how many seconds a display is shown the same view again.

    Raises:
        DeviceError: what it gives is no time.
    """
    if refresh_s is None:
        return None
    if type(refresh_s) not in {int, float} or math.isnan(
        min(refresh_s, SLOWEST_S)
    ):  # a whole number may be too large for it
        raise DeviceError(f"its refresh_s is {refresh_s!r}; seconds are taken, or None")
    return min(max(refresh_s, QUICKEST_S), SLOWEST_S)


def _in_words(error: BaseException) -> str:
    """An error for people: a wire that does not answer, else what the error itself says."""
    if isinstance(error, OSError) and error.errno == errno.ETIMEDOUT:
        return "the bus is stuck: one of its devices holds a line low; unplug them one after the other"
    if isinstance(error, OSError) and error.strerror:
        return f"no answer: {error.strerror}"
    if isinstance(error, luma.core.error.DeviceNotFoundError):
        return f"no answer: {error}"
    return error_text(error)
