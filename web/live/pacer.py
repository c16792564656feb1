"""Pacing of events: at most so many in a second, two close together at times, urgent ones at once."""

from collections.abc import Callable
from typing import Protocol

MOST_A_SECOND = 20
"""Events without a new entry of the score sheet."""

BURST = 2
"""How many of them may follow each other at once."""

APART_S = 1 / (MOST_A_SECOND - BURST)
"""Seconds between the others."""


class Timer(Protocol):
    """What `call_later` of an event loop returns."""

    def cancel(self) -> None:
        """Do not call."""


class Pacer:
    """Lets `emit` run at most `MOST_A_SECOND` times in any second, except when it is urgent.

    Two may come close together, so that a key press need not wait behind other news; the last request always gets out.
    """

    def __init__(
        self, emit: Callable[[], None], clock: Callable[[], float], later: Callable[[float, Callable[[], None]], Timer]
    ) -> None:
        self._emit, self._clock, self._later = emit, clock, later
        self._paid_until = float("-inf")
        self._timer: Timer | None = None

    def request(self, *, urgent: bool = False) -> None:
        """Emit now, or as soon as the pace allows."""
        wait = self._paid_until - APART_S - self._clock()
        if urgent or wait <= 0:
            self._emit_now()
        elif self._timer is None:
            self._timer = self._later(wait, self._emit_now)

    def stop(self) -> None:
        """Cancel what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _emit_now(self) -> None:
        self.stop()
        now = self._clock()
        self._paid_until = min(max(now, self._paid_until) + APART_S, now + BURST * APART_S)
        self._emit()
