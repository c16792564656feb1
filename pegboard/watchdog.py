"""Notes of what a thread is doing, and since when, so that the watchdog sees work that does not end."""

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
"""Steady seconds."""


class Span(NamedTuple):
    """Work that has not ended yet.

    Attributes:
        since_s: when it began or last made progress, in seconds of the steady clock.
        threads: the idents of the threads that do it.
        is_dead: whether its thread has ended without it.
    """

    since_s: float
    threads: tuple[int, ...]
    is_dead: bool = False


ReadSpan: TypeAlias = Callable[[], Span | None]
"""Reads the work under way, or None where there is none; it never waits."""


class Watchable(ABC):
    """A device that lets the watchdog see what its thread does; one of another package need not."""

    @abstractmethod
    def current_span(self) -> Span | None:
        """The work that its thread is at, or None."""


class Activity:
    """Work of which only one thread at a time does a piece, each within `with`.

    Attributes:
        last_s: when a piece last began or ended, in seconds of the steady clock.
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
        """The piece that is being done."""
        return self._span

    def follow(self, steps: Iterable[T]) -> Iterator[T]:
        """The same steps of a long piece, each of which is progress."""
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
    """A lock that notes who holds it, and since when."""

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
    """A call that others are to carry out, again and again; one that they do not is work that does not end."""

    def __init__(
        self,
        post: Callable[[Callable[[], None]], object],
        threads: Callable[[], tuple[int, ...]],
        clock: Clock = time.monotonic,
    ) -> None:
        """`post` hands a call to the `threads` without waiting; a `RuntimeError` of it says that they are gone."""
        self._post, self._threads, self._clock = post, threads, clock
        self._sent_s: float | None = None

    def current_span(self) -> Span | None:
        """The call that was not carried out yet; where all were, None, and another one is sent."""
        if self._sent_s is not None:
            return Span(self._sent_s, self._threads())
        self._sent_s = self._clock()
        with contextlib.suppress(RuntimeError):
            self._post(self._answer)
        return None

    def _answer(self) -> None:
        self._sent_s = None


def thread_ids(*threads: threading.Thread | None) -> tuple[int, ...]:
    """The idents of the threads that run; that of one that has ended may be another one's by now."""
    running = (thread for thread in threads if thread is not None and thread.is_alive())
    return tuple(thread.ident for thread in running if thread.ident is not None)


def has_died(thread: threading.Thread) -> bool:
    """Whether a thread was started and has ended."""
    return thread.ident is not None and not thread.is_alive()


# --- the table of what is watched: each part of the program, and whether it is a reason to start the program again ---
#
# Not watched is what takes as long as it takes: statistics, exports and uploads have a thread of their own, and
# nobody's
# score waits for it. A disk that is full or read-only is no stall: the journal answers, and each window says NOT SAVED.


class WatchedPart(NamedTuple):
    """A part of the program that can stall.

    Attributes:
        key: its name for programs.
        message_key: of the message that it has stalled.
        restarts: whether a new start helps, so that systemd is no longer told that the program lives.
        reason: why it is so.
        needs_table: whether it may wait for the table, and so does not stall while something long goes on there.
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


# --- the watchdog's thread: looks at every part, tells systemd that the program lives, and names what has stalled ---


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
