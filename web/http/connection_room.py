"""Room for connections: when all descriptors are taken, one of an unpaired client goes, an idle one first.

So a flood from any number of addresses pushes out its own connections, and a paired phone keeps those that it has, and
gets new ones.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

YOUNG_S = 1.0
"""Seconds in which a new connection has the time to send a request, while there are others that can go."""

MOST_OF_A_DEVICE = 32
"""Connections of one paired device that stay in any case; a browser opens six."""


@dataclass(eq=False, slots=True)
class Place:
    """The place of a connection.

    Attributes:
        abort: ends the connection.
        since: when it was made, or has become idle.
        device: the paired device that it is kept for, or "".
    """

    abort: Callable[[], None]
    since: float = 0.0
    device: str = ""


@dataclass(slots=True)
class ConnectionRoom:
    """Who holds a connection; all of it is called in the event loop.

    Attributes:
        most: how many there may be.
    """

    most: int
    clock: Callable[[], float] = time.monotonic
    _idle: dict[Place, None] = field(default_factory=dict)  # that idle for longest first
    _busy: dict[Place, None] = field(default_factory=dict)  # in the order in which their requests came
    _kept: dict[Place, None] = field(default_factory=dict)
    _of_device: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        return len(self._idle) + len(self._busy) + len(self._kept)

    def make_room(self) -> bool:
        """End a connection where there are too many for another one; whether there is room for it now."""
        while len(self) >= self.most:
            place = self._first_to_go()
            if place is None:
                return False
            self.leave(place)
            place.abort()
        return True

    def enter(self, abort: Callable[[], None]) -> Place:
        """The place of a new connection, which `abort` ends."""
        place = Place(abort, self.clock())
        self._idle[place] = None
        return place

    def leave(self, place: Place) -> None:
        """A connection has ended."""
        for places in (self._idle, self._busy, self._kept):
            places.pop(place, None)
        if place.device:
            self._of_device[place.device] -= 1
            if self._of_device[place.device] <= 0:
                del self._of_device[place.device]
            place.device = ""

    def begin_request(self, place: Place, device: str) -> None:
        """A request has come from a paired `device`, or from "", which is none."""
        if place in self._idle or place in self._busy:
            del (self._idle if place in self._idle else self._busy)[place]
            if device and self._of_device[device] < MOST_OF_A_DEVICE:
                place.device = device
                self._of_device[device] += 1
                self._kept[place] = None
            else:
                self._busy[place] = None

    def end_request(self, place: Place) -> None:
        """A request has been answered."""
        if place in self._busy:
            del self._busy[place]
            place.since = self.clock()
            self._idle[place] = None

    def _first_to_go(self) -> Place | None:
        """That idle for longest; before a young one, what asked for something last: streams of a flood, not of a TV."""
        idle = next(iter(self._idle), None)
        if idle is not None and self.clock() - idle.since >= YOUNG_S:
            return idle
        return next(reversed(self._busy), idle)
