"""Watchdog: detects stalled threads, reports them, and stops feeding systemd's watchdog if a restart would help.

Each thread records what it is doing and since when.
"""

import contextlib
import logging
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar

from pegboard.messages import Message

T = TypeVar("T")

Clock: TypeAlias = Callable[[], float]
"""Monotonic clock in seconds."""


class Span(NamedTuple):
    """Unfinished work.

    Attributes:
        since_s: when the work began or last made progress, in seconds of the monotonic clock.
        threads: the idents of the threads doing the work.
        is_dead: whether the thread died before finishing the work.
    """

    since_s: float
    threads: tuple[int, ...]
    is_dead: bool = False


ReadSpan: TypeAlias = Callable[[], Span | None]
"""Returns the work in progress, or None; never blocks."""


class Watchable(ABC):
    """A device whose thread the watchdog can monitor; optional for devices of other packages."""

    @abstractmethod
    def current_span(self) -> Span | None:
        """The work in progress in the device's thread, or None."""


class Activity:
    """Work done in pieces, by one thread at a time; use it as a context manager around each piece.

    Attributes:
        last_s: when a piece last began or ended, in seconds of the monotonic clock.
        progress_s: when a long piece last made progress; minus infinity before.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._span: Span | None = None
        self.last_s, self.progress_s = clock(), float("-inf")

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def current_span(self) -> Span | None:
        """The piece in progress."""
        return self._span

    def follow(self, steps: Iterable[T]) -> Iterator[T]:
        """Iterate over the steps of a long piece, recording progress at each step."""
        for step in steps:
            self._begin()
            self.progress_s = self.last_s
            yield step

    def _begin(self) -> None:
        self.last_s = self._clock()
        self._span = Span(self.last_s, (threading.get_ident(),))

    def _end(self) -> None:
        self.last_s, self._span = self._clock(), None


class TimedLock(Activity):
    """A lock that records which thread holds it, and since when."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__(clock)
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._lock.acquire()
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        self._end()
        self._lock.release()


class Ping:
    """A heartbeat: a call posted to other threads again and again; if they do not run it, they have stalled."""

    def __init__(
        self,
        post: Callable[[Callable[[], None]], object],
        threads: Callable[[], tuple[int, ...]],
        clock: Clock = time.monotonic,
    ) -> None:
        """`post` hands a call to the `threads` without blocking; it raises `RuntimeError` if they are gone."""
        self._post, self._threads, self._clock = post, threads, clock
        self._sent_s: float | None = None

    def current_span(self) -> Span | None:
        """The pending call; if there is none, post a new one and return None."""
        if self._sent_s is not None:
            return Span(self._sent_s, self._threads())
        self._sent_s = self._clock()
        with contextlib.suppress(RuntimeError):
            self._post(self._answer)
        return None

    def _answer(self) -> None:
        self._sent_s = None


def thread_ids(*threads: threading.Thread | None) -> tuple[int, ...]:
    """The idents of running threads; the ident of an ended thread may have been reused."""
    running = (thread for thread in threads if thread is not None and thread.is_alive())
    return tuple(thread.ident for thread in running if thread.ident is not None)


def has_died(thread: threading.Thread) -> bool:
    """Whether a thread was started and has ended, normally or not."""
    return thread.ident is not None and not thread.is_alive()


# --- watched parts of the program, and whether a stall is a reason to restart ---
#
# Statistics, exports and uploads are not watched: they may take long, have a thread of their own, and no score waits
# for them. A full or read-only disk is not a stall: the journal answers, and each window says NOT SAVED.


class WatchedPart(NamedTuple):
    """A part of the program that can stall.

    Attributes:
        key: the part's name for programs.
        message_key: the key of the message that the part has stalled.
        restarts: whether a restart helps; systemd's watchdog is then no longer fed.
        reason: why a restart helps or not.
        needs_table: whether the part may wait for the table, whose long work then does not count as a stall.
    """

    key: str
    message_key: str
    restarts: bool
    reason: str
    needs_table: bool = False


SCORING = WatchedPart(
    "scoring",
    "stall_scoring",
    restarts=True,
    reason="the restart frees the table, and no saved score is lost",
    needs_table=True,
)

COMMITTING = WatchedPart(
    "committing",
    "stall_committing",
    restarts=True,
    reason="no score was accepted meanwhile, so none is lost, and the journal may respond once it is reopened",
)

ANSWERING = WatchedPart(
    "answering",
    "stall_answering",
    restarts=True,
    reason="no phone can score and no page is updated; a new server answers two seconds later",
)

SCORES = WatchedPart(
    "scores",
    "stall_scores",
    restarts=True,
    reason="no phone can score, though pages still show",
    needs_table=True,
)

PAGES = WatchedPart(
    "pages",
    "stall_pages",
    restarts=True,
    reason="a phone that joins or reloads gets no page, not even `/health`",
    needs_table=True,
)

KEYS = WatchedPart(
    "keys",
    "stall_keys",
    restarts=True,
    reason="no key scores, and only a restart brings back their thread",
    needs_table=True,
)

DISPLAY = WatchedPart(
    "display",
    "stall_display",
    restarts=False,
    reason="a stuck bus would get stuck again; keys, phones and other displays keep working",
)

MAIN_LOOP = WatchedPart(
    "main_loop",
    "stall_main_loop",
    restarts=False,
    reason="nothing else waits, and the file or terminal would still be stuck after a restart",
    needs_table=True,
)

PARTS = (SCORING, COMMITTING, ANSWERING, SCORES, PAGES, KEYS, DISPLAY, MAIN_LOOP)


# --- watchdog thread: checks every part, feeds systemd's watchdog, and reports stalls ---


log = logging.getLogger(__name__)

LOOK_S = 3.0
"""Seconds between checks."""

STALL_S = 5.0
"""Seconds after which unfinished work counts as stalled; a commit takes milliseconds, a page a tenth of a second."""


class WatchPoint(NamedTuple):
    """A watched part; `name` distinguishes parts of the same kind, such as displays."""

    part: WatchedPart
    name: str
    read: ReadSpan


class Stall(NamedTuple):
    """A stalled part and its unfinished work."""

    part: WatchedPart
    name: str
    span: Span

    def message(self, now_s: float) -> Message:
        """The message about what has stalled, and for how long."""
        seconds = f"{max(0.0, now_s - self.span.since_s):.0f}"
        return Message(self.part.message_key, name=self.name, seconds=seconds)


class Watchdog:
    """Monitors the parts of a table; each check takes microseconds and never blocks."""

    def __init__(
        self,
        feed: Callable[[], None] = lambda: None,
        *,
        watchdog_s: float | None = None,
        table: Activity | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """`feed` feeds systemd's watchdog, which has a timeout of `watchdog_s` seconds.

        `table` is work whose progress excuses parts that wait for the table, such as an import of many games.
        """
        self._feed, self._table, self._clock = feed, table, clock
        self._look_s = LOOK_S if watchdog_s is None else min(LOOK_S, watchdog_s / 3)
        self._stall_s = STALL_S if watchdog_s is None else min(STALL_S, watchdog_s / 4)
        self._watched: tuple[WatchPoint, ...] = ()
        self._seen: Mapping[WatchPoint, Span] = {}
        self._stalls: Mapping[WatchPoint, Stall] = {}
        self._stopped = threading.Event()

    def watch(self, part: WatchedPart, read: ReadSpan, name: str = "") -> None:
        """Watch the work of a part; `read` is only called from the watchdog's thread."""
        self._watched = (*self._watched, WatchPoint(part, name, read))

    def start(self) -> None:
        """Check now, and repeatedly until `stop`."""
        threading.Thread(target=self._run, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        """Stop checking; never blocks."""
        self._stopped.set()

    def stalls(self) -> list[dict[str, Any]]:
        """The stalled parts as of the last check, as JSON-ready values."""
        now_s = self._clock()
        return [_as_json(stall, now_s) for stall in self._stalls.values()]

    def look(self) -> None:
        """Check every part once, feed systemd's watchdog unless a restart would help, and report changes."""
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
        """The work in progress in a part; for a dead thread, as of when it was first seen dead."""
        span, before = watched.read(), self._seen.get(watched)
        return before if span is not None and span.is_dead and before is not None and before.is_dead else span

    def _has_stalled(self, watched: WatchPoint, span: Span, now_s: float) -> bool:
        """Whether a part has stalled: only if the last check saw the same work, so a paused process is not a stall."""
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
    """Log each new stall with the stack traces of its threads, and each stall that is over."""
    frames = sys._current_frames()  # noqa: SLF001 - documented, and there is no other way to a thread's stack
    for stall in new:
        places = [traceback.format_stack(frames[one]) for one in stall.span.threads if one in frames]
        follows = "pegboard restarts" if stall.part.restarts else "the table goes on without it"
        where = "".join(line for place in places for line in place) or "  its thread ended\n"
        log.error("%s; %s unless it recovers\n%s", stall.message(now_s), follows, where.rstrip())
    for stall in over:
        log.warning("%s: recovered", stall.message(now_s))
