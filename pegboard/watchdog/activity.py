"""Notes of what a thread is doing, and since when, so that the watchdog sees work that does not end."""

import contextlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Self, TypeAlias, TypeVar

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
