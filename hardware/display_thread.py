"""Display thread: shows a display the newest view, retries with backoff after errors, and reports health and hangs."""

import contextlib
import errno
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import luma.core.error

from hardware.interfaces import Buses, Display, DisplayKind
from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.devices.health import FIRST_DELAY_S, HANG_S, Attempt, Health, error_text, next_delay, require_text
from pegboard.errors import DeviceError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.watchdog import Span, has_died, thread_ids

log = logging.getLogger(__name__)

MIN_REFRESH_S, MAX_REFRESH_S = 0.01, 86_400.0
"""The shortest and longest time between two refreshes, whatever a display asks for; threads cannot sleep forever."""

CLOSE_S = 0.3
"""How long `close` waits for the thread; a hanging thread is left running."""


class DisplayThread:
    """A display and its thread. A slow or broken display affects nothing else; a slow one skips views."""

    def __init__(
        self, kind: DisplayKind, settings: Settings, buses: Buses, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Make the display without opening anything; `clock`, in seconds, measures how long a write takes."""
        self._make: Callable[[], Display] = lambda: kind(settings, buses)
        self._display, self._is_broken = self._make(), False
        self._health, self._patience_s = self._first_health()
        self._hangs = Message("trouble_hangs", seconds=f"{self._patience_s:g}")
        self._clock = clock
        self._attempt_under_way: Attempt | None = None
        self._first: View | None = None
        self._newest: View | None = None
        self._shown: View | None = None
        self._retry_delay_s = FIRST_DELAY_S
        self._not_before_s = 0.0
        self._refresh_at_s = math.inf
        self._wakeup = threading.Event()
        self._closing = False
        self._watchers: tuple[Callable[[], None], ...] = ()
        self._unfollow: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name=f"display {self._health.name}", daemon=True)

    def _first_health(self) -> tuple[Health, float]:
        """The display's initial health, and the seconds that a picture may take."""
        try:
            patience_s = _clamp_seconds("patience_s", getattr(self._display, "patience_s", HANG_S), HANG_S)
            name, about = require_text("name", self._display.name), require_text("about", self._display.about)
            acknowledges = getattr(self._display, "acknowledges", True) is not False
            return Health(name, about, acknowledges=acknowledges), patience_s
        except BaseException:
            self._close_display()
            raise

    @property
    def health(self) -> Health:
        """The state of the display, including a write that hangs; an immutable value."""
        attempt, health = self._attempt_under_way, self._health
        return health.during(attempt, self._clock(), self._hangs, self._patience_s)

    def current_span(self) -> Span | None:
        """For the watchdog: a picture that takes longer than allowed, or the thread's death; None if all is well."""
        if has_died(self._thread) and not self._closing:
            return Span(self._clock(), (), is_dead=True)
        attempt = self._attempt_under_way
        if attempt is None or self._clock() - attempt.begun_s < self._patience_s:
            return None
        return Span(attempt.begun_s, thread_ids(self._thread))

    def start(self, feed: Feed) -> None:
        """Show the feed's current view and every newer view.

        Another thread may publish a newer view meanwhile. So the current view is read after following the feed, to miss
        no view, and stored separately, to never replace a newer view.
        """
        self._unfollow = feed.follow(self.wake, first=True)
        self._first = feed.view
        self._wakeup.set()
        self._thread.start()

    def stop(self) -> None:
        """Stop showing views, turn the display off and close it. Never waits."""
        if self._unfollow is not None:
            self._unfollow()
        self._closing = True
        self._wakeup.set()

    def close(self, timeout_s: float = CLOSE_S) -> None:
        """Stop, and wait at most `timeout_s` seconds until the display is closed."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join(max(0.0, timeout_s))

    def wake(self, view: View) -> None:
        """Give the thread a newer view. Never waits."""
        self._newest = view
        self._wakeup.set()

    def add_watcher(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` after each attempt to show a view, in the display's thread."""
        self._watchers = (*self._watchers, watcher)

    def run_once(self, now_s: float, wall_s: float) -> float | None:
        """Show what is due. Returns the maximum seconds until the next call, or None to wait for a newer view.

        Args:
            now_s: the time of a monotonic clock, in seconds.
            wall_s: the time of the wall clock, in seconds since 1970.
        """
        newest = self._newest or self._first
        if newest is None:
            return None
        if now_s < self._not_before_s:
            return self._not_before_s - now_s
        if self._is_news(newest) or now_s >= self._refresh_at_s:
            self._attempt(newest, now_s, wall_s)
        ends = [at for at in (self._refresh_at_s, self._not_before_s) if now_s < at < math.inf]
        return min(ends) - now_s if ends else None

    def _is_news(self, view: View) -> bool:
        """Whether a view must be shown; False if it differs only in the trouble of this display."""
        shown = self._shown
        if shown is None or view is shown:
            return shown is None
        self._shown = view
        is_same_game = view.game is shown.game  # games compare equal even if their histories differ
        return not is_same_game or self._without_own_trouble(view) != self._without_own_trouble(shown)

    def _run(self) -> None:
        wait_s: float | None = None
        while not self._closing:
            self._wakeup.wait(wait_s)
            self._wakeup.clear()
            if not self._closing:
                wait_s = self.run_once(time.monotonic(), time.time())
        self._darken_display()
        self._close_display()

    def _darken_display(self) -> None:
        """Turn off all light; if the display failed, through a new display object."""
        with contextlib.suppress(BaseException):  # no device may answer, and another package may call sys.exit()
            if self._is_broken:
                self._display, self._is_broken = self._make(), False
            if hasattr(self._display, "darken"):
                self._display.darken()

    def _attempt(self, view: View, now_s: float, wall_s: float) -> None:
        attempt = self._attempt_under_way = Attempt(self._clock(), wall_s)
        try:
            about, refresh_s = self._show(view)  # read inside the try: both values may be invalid
        except BaseException as error:  # noqa: BLE001 - another package's display may raise anything, SystemExit too
            self._end_attempt(attempt)
            self._mark_failed(error, now_s, wall_s)
        else:
            self._end_attempt(attempt)
            self._mark_ok(about)
            self._shown = view
            self._refresh_at_s = math.inf if refresh_s is None else now_s + refresh_s
        self._notify_watchers()

    def _show(self, view: View) -> tuple[str, float | None]:
        """Show a view, on a new display if the old one failed. Returns its `about` and its `refresh_s`."""
        if self._is_broken:
            self._display, self._is_broken = self._make(), False
        self._display.show(self._without_own_trouble(view))
        return require_text("about", self._display.about), _clamp_refresh(self._display.refresh_s)

    def _without_own_trouble(self, view: View) -> View:
        """The view without the trouble of this display: a display that can show its trouble has recovered."""
        own = self._health.name
        devices = tuple(device._replace(trouble=None) if device.name == own else device for device in view.devices)
        return view if devices == view.devices else replace(view, devices=devices)

    def _end_attempt(self, attempt: Attempt) -> None:
        self._health = self._health.during(attempt, self._clock(), self._hangs, self._patience_s)
        self._attempt_under_way = None

    def _mark_ok(self, about: str) -> None:
        self._retry_delay_s = FIRST_DELAY_S
        if not self._health.ok:
            log.info("the %s works again", self._health.name)
        self._health = replace(self._health.mark_ok(about), frames=self._health.frames + 1)

    def _mark_failed(self, error: BaseException, now_s: float, wall_s: float) -> None:
        words = _error_message(error)
        if self._health.ok:
            log.warning("the %s fails: %s", self._health.name, words)
        self._shown, self._refresh_at_s = None, math.inf
        self._not_before_s = now_s + self._retry_delay_s
        self._retry_delay_s = next_delay(self._retry_delay_s)
        self._health = self._health.mark_failed(words, wall_s)
        self._close_display()
        self._is_broken = True

    def _notify_watchers(self) -> None:
        for watcher in self._watchers:
            try:
                watcher()
            except Exception:  # a failing watcher must not stop the display
                log.exception("a watcher of the %s failed", self._health.name)

    def _close_display(self) -> None:
        with contextlib.suppress(BaseException):  # a broken display may fail again, or call sys.exit()
            self._display.close()


def stop_all(display_threads: Sequence[DisplayThread]) -> None:
    """Turn all displays off and close them. Never waits."""
    for display_thread in display_threads:
        display_thread.stop()


def close_all(display_threads: Sequence[DisplayThread]) -> None:
    """Close all displays; however many of them hang, this waits no longer than for one."""
    stop_all(display_threads)
    ends = time.monotonic() + CLOSE_S
    for display_thread in display_threads:
        display_thread.close(ends - time.monotonic())


def _clamp_refresh(refresh_s: float | None) -> float | None:
    """The seconds until a display is shown the same view again, within reasonable limits.

    Raises:
        DeviceError: `refresh_s` is not a number of seconds.
    """
    return None if refresh_s is None else _clamp_seconds("refresh_s", refresh_s, MIN_REFRESH_S)


def _clamp_seconds(name: str, seconds: float, least_s: float) -> float:
    """The seconds that a display asks for, from `least_s` to what a thread can sleep.

    Raises:
        DeviceError: `seconds` is not a number.
    """
    if type(seconds) not in {int, float} or math.isnan(min(seconds, MAX_REFRESH_S)):  # a huge int does not fit a float
        raise DeviceError("device_seconds", name=name, value=repr(seconds))
    return min(max(seconds, least_s), MAX_REFRESH_S)


def _error_message(error: BaseException) -> str:
    """An error as a message: the bus is stuck, the device does not answer, or else the error's own text."""
    if isinstance(error, OSError) and error.errno == errno.ETIMEDOUT:
        return Message("trouble_bus_stuck")
    if isinstance(error, OSError) and error.strerror:
        return Message("device_no_answer", error=error.strerror)
    if isinstance(error, luma.core.error.DeviceNotFoundError):
        return Message("device_no_answer", error=error)
    return error_text(error)
