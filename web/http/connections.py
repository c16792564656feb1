"""Connection limit: a listening socket that counts the connections of each address and of all, and times handshakes."""

import asyncio
import contextlib
import socket
import time
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from pegboard.config import WebSettings
from web.http.asgi import AsgiMessage, Send
from web.http.client_address import Proxies, is_loopback, limited_address, limits_of, strip_ipv4_mapped
from web.http.listener import WRITE_BYTES

# --- room for connections: when all descriptors are in use, one of an unpaired client goes, an idle one first ---
#
# So a flood from any number of addresses pushes out its own connections, and a paired phone keeps those that it has,
# and
# gets new ones: they stay for as long as it takes the flood to fill all the others. Not all are reserved for paired
# devices, however many pair: when those are full one goes of the device that has most.


YOUNG_S = 1.0
"""Seconds in which a new connection has the time to send a request, while there are others that can go."""


AMONG = 16
"""Idle connections, those idle for longest, among which one of the address goes that has most of all."""


MOST_OF_A_DEVICE = 32
"""Connections of one paired device that stay while few are reserved; a browser opens six."""


MOST_UNSENT_BYTES = 16 * 2**20
"""Of large responses at once: two hundred phones that load a page each, or two dozen programs the whole OpenAPI."""


NOT_RESERVED = 4
"""One in so many connections is reserved for no paired device: each of them, and a TV, begins with one of those."""


@dataclass(eq=False, slots=True)
class Place:
    """The place of a connection.

    Attributes:
        abort: ends the connection.
        address: of the client, or its IPv6 network (`limited_address`).
        since: when it was made, or has become idle.
        device: the paired device that has sent the last request on it, or "".
        is_idle: whether no request runs on it.
    """

    abort: Callable[[], None]
    address: str = ""
    since: float = 0.0
    device: str = ""
    is_idle: bool = True


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
    _reserved: dict[Place, None] = field(default_factory=dict)
    _of_device: Counter[str] = field(default_factory=Counter)
    _of_address: Counter[str] = field(default_factory=Counter)  # without those reserved for a device

    def __len__(self) -> int:
        return len(self._idle) + len(self._busy) + len(self._reserved)

    def make_room(self) -> bool:
        """End a connection where there are too many for another one; whether there is room for it now."""
        while len(self) >= self.most:
            place = self._first_to_go()
            if place is None:
                return False
            self._end(place)
        return True

    def enter(self, abort: Callable[[], None], address: str = "") -> Place:
        """The place of a new connection, which `abort` ends."""
        place = Place(abort, address, self.clock())
        self._idle[place] = None
        self._of_address[address] += 1
        return place

    def leave(self, place: Place) -> None:
        """A connection has ended; said twice it counts once."""
        if place in self._reserved:
            del self._reserved[place]
            count_down(self._of_device, place.device)
        elif place in self._idle or place in self._busy:
            del (self._idle if place in self._idle else self._busy)[place]
            count_down(self._of_address, place.address)

    def begin_request(self, place: Place, device: str) -> None:
        """A request has come from a paired `device`, or from "", which is none."""
        place.is_idle = False
        if place.device != device:  # it was unpaired, or a proxy sends for another one
            self._unreserve(place)
        if place in self._idle or place in self._busy:
            place.device = device
            del (self._idle if place in self._idle else self._busy)[place]
            if device and self._can_reserve(device):
                self._of_device[device] += 1
                self._reserved[place] = None
                count_down(self._of_address, place.address)
            else:
                self._busy[place] = None

    def end_request(self, place: Place) -> None:
        """A request has been answered."""
        place.is_idle, place.since = True, self.clock()
        if place in self._busy:
            del self._busy[place]
            self._idle[place] = None

    def end_unpaired(self, paired: Container[str]) -> None:
        """End the connections of devices that are not paired any more.

        One on which a request runs stays until its answer has been sent, but from now on as a stranger's.
        """
        everybody = (*self._idle, *self._busy, *self._reserved)
        for place in [one for one in everybody if one.device and one.device not in paired]:
            if place.is_idle:
                self._end(place)
            else:
                self._unreserve(place)

    def _unreserve(self, place: Place) -> None:
        """Let the place of a connection on which a request runs be that of a client that is not paired."""
        if place in self._reserved:
            del self._reserved[place]
            count_down(self._of_device, place.device)
            self._of_address[place.address] += 1
            self._busy[place] = None
        place.device = ""

    def _can_reserve(self, device: str) -> bool:
        """Whether another connection may be reserved for a device; where that is full, one goes of whoever has most."""
        if len(self._reserved) < self.most - max(1, self.most // NOT_RESERVED):
            return self._of_device[device] < MOST_OF_A_DEVICE
        fullest, most = self._of_device.most_common(1)[0] if self._of_device else ("", 0)
        if most <= self._of_device[device] + 1:
            return False
        theirs = [place for place in self._reserved if place.device == fullest]
        self._end(min(theirs, key=lambda place: (not place.is_idle, place.since if place.is_idle else -place.since)))
        return True

    def _end(self, place: Place) -> None:
        self.leave(place)
        place.abort()

    def _first_to_go(self) -> Place | None:
        """One idle for long; before a young one, what asked for something last: streams of a flood, not of a TV."""
        idle = next(iter(self._idle), None)
        if self._busy and (idle is None or self.clock() - idle.since < YOUNG_S):
            return next(reversed(self._busy))
        return max(islice(self._idle, AMONG), key=lambda place: self._of_address[place.address], default=None)


@dataclass(slots=True)
class UnsentBytes:
    """The bytes of the large responses that are being sent, within a budget; all of it is called in the event loop."""

    most: int = MOST_UNSENT_BYTES
    _held: dict[Place, int] = field(default_factory=dict)
    _of_address: Counter[str] = field(default_factory=Counter)

    def hold(self, place: Place, size: int) -> None:
        """A response of `size` bytes is to be sent; where that is too much, end connections of whoever holds most."""
        self._held[place] = size
        self._of_address[place.address] += size
        while len(self._held) > 1 and self._of_address.total() > self.most:
            first = max(self._held, key=self._rank)
            self.release(first)
            first.abort()

    async def send_in_parts(self, place: Place, send: Send, message: AsgiMessage) -> None:
        """Send a large body part by part, each when the client has read most of those before."""
        body, sent = message.get("body", b""), 0
        if len(body) > WRITE_BYTES:
            self.hold(place, len(body))
        try:
            while len(body) - sent > WRITE_BYTES:
                await send({"type": message["type"], "body": body[sent : sent + WRITE_BYTES], "more_body": True})
                sent += WRITE_BYTES
            await send({**message, "body": body[sent:]} if sent else message)
        finally:
            self.release(place)

    def release(self, place: Place) -> None:
        """A response has been sent, or its client has left; said twice it counts once."""
        self._of_address[place.address] -= self._held.pop(place, 0)
        if self._of_address[place.address] <= 0:
            del self._of_address[place.address]

    def _rank(self, place: Place) -> tuple[bool, int, int]:
        return not place.device, self._of_address[place.address], self._held[place]


def count_down(counter: Counter[str], name: str) -> None:
    """Count one less of a name; one of which there is none is forgotten."""
    counter[name] -= 1
    if counter[name] <= 0:
        del counter[name]


SPARE = 4
"""Connections of an address beyond its limit that are accepted only to be refused with a reason."""


TURNS = 16
"""Turns of the event loop in which newcomers could push out everybody: a new connection is read from within four."""


Peer: TypeAlias = tuple[str, int]


class CountingListener(socket.socket):
    """A listening socket that limits how many connections an address has, from the moment they are accepted.

    Attributes:
        room: who holds one.
    """

    def __init__(
        self,
        listener: socket.socket,
        settings: WebSettings,
        proxies: Proxies,
        handshake_s: float,
        room: ConnectionRoom,
        *,
        note_unfinished: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Take over `listener`; a connection whose handshake takes longer than `handshake_s` seconds is aborted.

        `note_unfinished` is told the address of each that ended before its handshake was done.
        """
        super().__init__(fileno=listener.detach())
        self._note_unfinished = note_unfinished
        self.room = room
        self._in_this_turn = 0
        self._limit, self._limits_loopback = settings.connections_per_address, settings.throttle_loopback
        self._proxies, self._handshake_s = proxies, handshake_s
        self._open: Counter[str] = Counter()
        self._in_handshake: dict[Peer, CountedConnection] = {}

    def accept(self) -> "tuple[CountedConnection, Peer]":
        """Accept a connection; called in the event loop.

        Raises:
            BlockingIOError: there is none, or there were many in this turn of the event loop.
            ConnectionAbortedError: its address has so many that it is not even refused with a reason, or all are taken
                by paired devices.
        """
        if self._in_this_turn >= max(1, self.room.most // TURNS):
            raise BlockingIOError
        connection, peer = super().accept()
        if self._in_this_turn == 0:
            asyncio.get_running_loop().call_soon(self._end_turn)
        self._in_this_turn += 1
        address = strip_ipv4_mapped(peer[0])
        if not self._has_room(address, SPARE) or not self.room.make_room():
            connection.close()
            raise ConnectionAbortedError
        counted = CountedConnection(connection, self, peer[:2], has_room=self._has_room(address))
        self._open.update(limits_of(address, self._limit).keys())
        self._in_handshake[peer[:2]] = counted
        counted.place = self.room.enter(counted.abort, limited_address(address))
        counted.timer = asyncio.get_running_loop().call_later(self._handshake_s, counted.abort)
        return counted, peer

    def handshake_done(self, peer: Peer) -> "CountedConnection":
        """Let a connection stay, or be refused where its address might not have it."""
        connection = self._in_handshake.pop(peer[:2])
        connection.timer.cancel()
        return connection

    def forget(self, connection: "CountedConnection", peer: Peer) -> None:
        """Count a connection no more."""
        self.room.leave(connection.place)
        address = strip_ipv4_mapped(peer[0])
        if self._in_handshake.get(peer) is connection:
            del self._in_handshake[peer]
            self._note_unfinished(address)
        for name in limits_of(address, self._limit):
            count_down(self._open, name)

    def _end_turn(self) -> None:
        self._in_this_turn = 0

    def _has_room(self, address: str, spare: int = 0) -> bool:
        limits = limits_of(address, self._limit)
        return all(self._open[name] < most + spare for name, most in limits.items()) or self._is_exempt(address)

    def _is_exempt(self, address: str) -> bool:
        """Many people share the address of a proxy."""
        return self._proxies.trust(address) or (is_loopback(address) and not self._limits_loopback)


class CountedConnection(socket.socket):
    """A connection that counts until it is closed.

    Attributes:
        has_room: whether its address might have it.
        timer: aborts it unless the handshake is done in time.
        place: its place among all connections.
    """

    timer: asyncio.TimerHandle
    place: Place

    def __init__(self, connection: socket.socket, listener: CountingListener, peer: Peer, *, has_room: bool) -> None:
        super().__init__(fileno=connection.detach())
        self._listener, self._peer, self.has_room = listener, peer, has_room

    def abort(self) -> None:
        """End it as if the client had left, so that whoever waits for data is woken."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it, once."""
        if self.fileno() >= 0:
            self.timer.cancel()
            self._listener.forget(self, self._peer)
        super().close()
