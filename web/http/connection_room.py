"""Room for connections: when all descriptors are in use, one of an unpaired client goes, an idle one first.

So a flood from any number of addresses pushes out its own connections, and a paired phone keeps those that it has, and
gets new ones: they stay for as long as it takes the flood to fill all the others.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice

YOUNG_S = 1.0
"""Seconds in which a new connection has the time to send a request, while there are others that can go."""

AMONG = 16
"""Idle connections, those idle for longest, among which one of the address goes that has most of all."""

MOST_OF_A_DEVICE = 32
"""Connections of one paired device that stay in any case; a browser opens six."""


@dataclass(eq=False, slots=True)
class Place:
    """The place of a connection.

    Attributes:
        abort: ends the connection.
        address: of the client.
        since: when it was made, or has become idle.
        device: the paired device that it is reserved for, or "".
    """

    abort: Callable[[], None]
    address: str = ""
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
    _of_address: Counter[str] = field(default_factory=Counter)  # without those reserved for a device

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

    def enter(self, abort: Callable[[], None], address: str = "") -> Place:
        """The place of a new connection, which `abort` ends."""
        place = Place(abort, address, self.clock())
        self._idle[place] = None
        self._of_address[address] += 1
        return place

    def leave(self, place: Place) -> None:
        """A connection has ended; said twice it counts once."""
        if place in self._kept:
            del self._kept[place]
            _count_down(self._of_device, place.device)
        elif place in self._idle or place in self._busy:
            del (self._idle if place in self._idle else self._busy)[place]
            _count_down(self._of_address, place.address)

    def begin_request(self, place: Place, device: str) -> None:
        """A request has come from a paired `device`, or from "", which is none."""
        if place in self._idle or place in self._busy:
            del (self._idle if place in self._idle else self._busy)[place]
            if device and self._of_device[device] < MOST_OF_A_DEVICE:
                place.device = device
                self._of_device[device] += 1
                self._kept[place] = None
                _count_down(self._of_address, place.address)
            else:
                self._busy[place] = None

    def end_request(self, place: Place) -> None:
        """A request has been answered."""
        if place in self._busy:
            del self._busy[place]
            place.since = self.clock()
            self._idle[place] = None

    def _first_to_go(self) -> Place | None:
        """One idle for long; before a young one, what asked for something last: streams of a flood, not of a TV."""
        idle = next(iter(self._idle), None)
        if self._busy and (idle is None or self.clock() - idle.since < YOUNG_S):
            return next(reversed(self._busy))
        return max(islice(self._idle, AMONG), key=lambda place: self._of_address[place.address], default=None)


def _count_down(counter: Counter[str], name: str) -> None:
    counter[name] -= 1
    if counter[name] <= 0:
        del counter[name]
