"""The table's time, by which codes and pairings age: it never steps, whatever becomes of the wall clock.

Within one start of the machine it advances with the clock that counts since that start. Over a restart it advances by
the wall clock where that is known to have been right on both sides, by what is known of it at the first look; else it
stands still for as long as the machine was off. So a clock that is set late, steps forward or back never ages anything:
at worst a code or a pairing counts for as long as the machine was off on top.

Where nothing is known yet it begins at the wall clock, so that it mostly looks like seconds since 1970.
"""

import threading
from dataclasses import dataclass

from pegboard.devices.power_and_clock import SystemClock

KEEP_EVERY_S = 600.0
"""Seconds after which the clocks are stored again while something ages; a start without the right time forgets them."""

STEP_S = 2.0
"""Seconds by which the wall clock must have stepped to be noted again."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The clocks at one moment, as they are stored.

    Attributes:
        boot: the id of that start of the machine.
        ticks: seconds since then.
        wall: seconds since 1970, as the wall clock said.
        is_set: whether the wall clock was known to be right.
        table: the table's time.
    """

    boot: str
    ticks: float
    wall: float
    is_set: bool
    table: float


class TableClock:
    """Reads the table's time from the machine's clocks and the newest stored checkpoint."""

    def __init__(self, system: SystemClock) -> None:
        self._system = system
        self._lock = threading.Lock()
        self._start: tuple[Checkpoint | None, Checkpoint] | None = None

    def now(self, stored: Checkpoint | None) -> float:
        """The table's time in seconds."""
        start = self._checkpoint_of_this_start(stored)
        return start.table + self._system.ticks() - start.ticks

    def checkpoint(self, stored: Checkpoint | None) -> Checkpoint:
        """The clocks now, to be stored."""
        system = self._system
        return Checkpoint(system.boot, system.ticks(), system.wall(), system.is_set(), self.now(stored))

    def needs_storing(self, stored: Checkpoint | None, *, ages: bool) -> bool:
        """Whether what is stored would mislead the next start: it is old, or the wall clock was set since.

        `ages` says whether there is anything that ages.
        """
        system = self._system
        if stored is None or not self._is_of_this_start(stored):
            return True
        age = system.ticks() - stored.ticks
        stepped = system.wall() - stored.wall - age
        return (ages and age > KEEP_EVERY_S) or abs(stepped) > STEP_S or system.is_set() != stored.is_set

    def as_wall_time(self, table_s: float, stored: Checkpoint | None) -> float:
        """A moment of the table's time in seconds since 1970, as the wall clock says now."""
        return table_s - self.now(stored) + self._system.wall()

    def _is_of_this_start(self, stored: Checkpoint) -> bool:
        return stored.boot == self._system.boot and stored.ticks <= self._system.ticks()

    def _checkpoint_of_this_start(self, stored: Checkpoint | None) -> Checkpoint:
        """That checkpoint; where it is of an earlier start or missing, one that this object makes of it once."""
        if stored is not None and self._is_of_this_start(stored):
            return stored
        with self._lock:
            if self._start is None or self._start[0] != stored:
                self._start = stored, self._go_on_from(stored)
            return self._start[1]

    def _go_on_from(self, stored: Checkpoint | None) -> Checkpoint:
        system = self._system
        wall, is_set = system.wall(), system.is_set()
        if stored is None:
            table = wall
        else:
            table = stored.table + (max(0.0, wall - stored.wall) if stored.is_set and is_set else 0.0)
        return Checkpoint(system.boot, system.ticks(), wall, is_set, table)
