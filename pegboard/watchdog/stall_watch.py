"""The watchdog's thread: looks at every part, tells systemd that the program lives, and names what has stalled."""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pegboard.messages import Message
from pegboard.watchdog.activity import Activity, Clock, ReadSpan, Span
from pegboard.watchdog.watched_parts import WatchedPart

log = logging.getLogger(__name__)

LOOK_S = 3.0
"""Seconds between two looks."""

STALL_S = 5.0
"""Seconds after which work that has not ended has stalled; a commit takes milliseconds, a page a tenth of a second."""


class WatchPoint(NamedTuple):
    """A part that is watched; `name` tells it from others of its kind, such as that of a display."""

    part: WatchedPart
    name: str
    read: ReadSpan


class Stall(NamedTuple):
    """A part that has stalled, and the work that it does not end."""

    part: WatchedPart
    name: str
    span: Span

    def message(self, now_s: float) -> Message:
        """What does not go on, and for how long."""
        seconds = f"{max(0.0, now_s - self.span.since_s):.0f}"
        return Message(self.part.message_key, name=self.name, seconds=seconds)


class Watchdog:
    """Watches the parts of a table; each look takes microseconds, and waits for none of them."""

    def __init__(
        self,
        feed: Callable[[], None] = lambda: None,
        *,
        watchdog_s: float | None = None,
        table: Activity | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """`feed` tells systemd that the program lives, which it wants to hear every `watchdog_s` seconds.

        `table` is work whose progress excuses what waits for the table, such as an import of many games.
        """
        self._feed, self._table, self._clock = feed, table, clock
        self._look_s = LOOK_S if watchdog_s is None else min(LOOK_S, watchdog_s / 3)
        self._stall_s = STALL_S if watchdog_s is None else min(STALL_S, watchdog_s / 4)
        self._watched: tuple[WatchPoint, ...] = ()
        self._seen: Mapping[WatchPoint, Span] = {}
        self._stalls: Mapping[WatchPoint, Stall] = {}
        self._stopped = threading.Event()

    def watch(self, part: WatchedPart, read: ReadSpan, name: str = "") -> None:
        """Watch work of a part; `read` is called by one thread alone."""
        self._watched = (*self._watched, WatchPoint(part, name, read))

    def start(self) -> None:
        """Look now, and again and again until `stop`."""
        threading.Thread(target=self._run, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        """Look no more. Never waits."""
        self._stopped.set()

    def stalls(self) -> list[dict[str, Any]]:
        """What has stalled, as of the last look, ready for JSON."""
        now_s = self._clock()
        return [_as_json(stall, now_s) for stall in self._stalls.values()]

    def look(self) -> None:
        """Look at every part once, feed systemd's watchdog unless a new start would help, and report what is new."""
        now_s, before = self._clock(), self._stalls
        spans = {watched: span for watched in self._watched if (span := self._read(watched)) is not None}
        self._stalls = {
            watched: Stall(watched.part, watched.name, span)
            for watched, span in spans.items()
            if self._has_stalled(watched, span, now_s)
        }
        self._seen = spans
        if not any(stall.part.restarts for stall in self._stalls.values()):
            self._feed()
        new = [stall for watched, stall in self._stalls.items() if watched not in before]
        over = [stall for watched, stall in before.items() if watched not in self._stalls]
        if new or over:  # a log that hangs must not stall the watchdog
            threading.Thread(target=_report, args=(new, over, now_s), name="watchdog report", daemon=True).start()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.look()
            self._stopped.wait(self._look_s)

    def _read(self, watched: WatchPoint) -> Span | None:
        """The work that a part is at; a thread that has died did so when it was first seen dead."""
        span, before = watched.read(), self._seen.get(watched)
        return before if span is not None and span.is_dead and before is not None and before.is_dead else span

    def _has_stalled(self, watched: WatchPoint, span: Span, now_s: float) -> bool:
        """Work counts that the last look has seen already: else a process that was stopped would have stalled."""
        if span.is_dead:
            return True
        before = self._seen.get(watched)
        excused_s = self._table.progress_s if self._table is not None and watched.part.needs_table else span.since_s
        return (
            before is not None
            and before.since_s == span.since_s
            and now_s - max(span.since_s, excused_s) >= self._stall_s
        )


def _as_json(stall: Stall, now_s: float) -> dict[str, Any]:
    trouble = stall.message(now_s)
    return {
        "part": stall.part.key,
        "name": stall.name,
        "seconds": round(max(0.0, now_s - stall.span.since_s), 1),
        "restarts": stall.part.restarts,
        "trouble": str(trouble),
        "trouble_message": trouble.as_json(),
    }


def _report(new: Sequence[Stall], over: Sequence[Stall], now_s: float) -> None:
    """Log each stall once with the place where its threads are, and each that is over."""
    frames = sys._current_frames()  # noqa: SLF001 - documented, and there is no other way to a thread's stack
    for stall in new:
        places = [traceback.format_stack(frames[one]) for one in stall.span.threads if one in frames]
        follows = "pegboard restarts" if stall.part.restarts else "the table goes on without it"
        where = "".join(line for place in places for line in place) or "  its thread ended\n"
        log.error("%s; %s unless it recovers\n%s", stall.message(now_s), follows, where.rstrip())
    for stall in over:
        log.warning("%s: recovered", stall.message(now_s))
