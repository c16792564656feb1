"""Connection limits per address and in total: eviction, limit on unsent bytes, counting listener, handshake timeout."""

import asyncio
import contextlib
import resource
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

# --- eviction: when all connections are in use, a connection of an unpaired client is closed, idle ones first ---
#
# So a flood, from however many addresses, evicts its own connections. Paired phones keep their reserved connections and
# can open more: a new connection is safe until the flood has replaced all others. Some connections are never reserved;
# once all that can be reserved are in use, the paired device with the most loses one.


YOUNG_S = 1.0
"""Seconds that a new connection has to send a request before it may be evicted, as long as others can be."""

AMONG = 16
"""How many of the longest-idle connections are compared; the one whose address has the most connections is evicted."""

MOST_OF_A_DEVICE = 32
"""Maximum reserved connections of one paired device, until all that can be reserved are in use; a browser opens six."""

MOST_UNSENT_BYTES = 16 * 2**20
"""Maximum unsent bytes of large responses: enough for 200 phones loading pages, or 24 programs loading the OpenAPI."""

OTHER_FILES = 256
"""File descriptors for everything but viewers."""

RESERVED_FILES = 128
"""File descriptors reserved from connections: for journal, database, displays, exports, and closing connections."""

LEAST_CONNECTIONS = 32
"""Minimum number of allowed connections, however few descriptors there are."""

NOT_RESERVED = 4
"""One in this many connections is never reserved, so that unpaired clients such as a TV, and new phones, get in."""


def most_connections(viewers: int) -> int:
    """The maximum number of connections of a site; raises the limit of file descriptors for its viewers if allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = viewers + OTHER_FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    files = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(LEAST_CONNECTIONS, files - RESERVED_FILES)


@dataclass(eq=False, slots=True)
class Place:
    """A connection's entry in the pool.

    Attributes:
        abort: the function that closes the connection.
        address: the client's address, or its IPv6 network (`limited_address`).
        since: when the connection was accepted or last became idle.
        device: the paired device that sent its last request, or "".
        is_idle: whether no request is running on the connection.
    """

    abort: Callable[[], None]
    address: str = ""
    since: float = 0.0
    device: str = ""
    is_idle: bool = True


@dataclass(slots=True)
class ConnectionRoom:
    """The pool of connections; all methods are called in the event loop.

    Attributes:
        most: the maximum number of connections.
    """

    most: int
    clock: Callable[[], float] = time.monotonic
    _idle: dict[Place, None] = field(default_factory=dict)  # longest idle first
    _busy: dict[Place, None] = field(default_factory=dict)  # in the order of their requests
    _reserved: dict[Place, None] = field(default_factory=dict)
    _of_device: Counter[str] = field(default_factory=Counter)
    _of_address: Counter[str] = field(default_factory=Counter)  # not counting reserved ones

    def __len__(self) -> int:
        return len(self._idle) + len(self._busy) + len(self._reserved)

    def make_room(self) -> bool:
        """Evict connections until there is room for another one; returns whether there is."""
        while len(self) >= self.most:
            place = self._first_to_go()
            if place is None:
                return False
            self._end(place)
        return True

    def enter(self, abort: Callable[[], None], address: str = "") -> Place:
        """Add a new connection, which `abort` closes."""
        place = Place(abort, address, self.clock())
        self._idle[place] = None
        self._of_address[address] += 1
        return place

    def leave(self, place: Place) -> None:
        """Remove a closed connection; a second call does nothing."""
        if place in self._reserved:
            del self._reserved[place]
            count_down(self._of_device, place.device)
        elif place in self._idle or place in self._busy:
            del (self._idle if place in self._idle else self._busy)[place]
            count_down(self._of_address, place.address)

    def begin_request(self, place: Place, device: str) -> None:
        """Note the start of a request from a paired `device`, or "" for none."""
        place.is_idle = False
        if place.device != device:  # unpaired meanwhile, or a proxy sends for another one
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
        """Note that a request was answered."""
        place.is_idle, place.since = True, self.clock()
        if place in self._busy:
            del self._busy[place]
            self._idle[place] = None

    def end_unpaired(self, paired: Container[str]) -> None:
        """Close the connections of devices that are no longer paired.

        A connection with a running request stays open, but counts as unpaired from now on.
        """
        everybody = (*self._idle, *self._busy, *self._reserved)
        for place in [one for one in everybody if one.device and one.device not in paired]:
            if place.is_idle:
                self._end(place)
            else:
                self._unreserve(place)

    def _unreserve(self, place: Place) -> None:
        """Make the connection of a running request count as unpaired."""
        if place in self._reserved:
            del self._reserved[place]
            count_down(self._of_device, place.device)
            self._of_address[place.address] += 1
            self._busy[place] = None
        place.device = ""

    def _can_reserve(self, device: str) -> bool:
        """Whether a connection may be reserved for a device; if necessary, evict one of the device with the most."""
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
        """The connection to evict: a long-idle one, else that with the latest request, a flood's rather than a TV's."""
        idle = next(iter(self._idle), None)
        if self._busy and (idle is None or self.clock() - idle.since < YOUNG_S):
            return next(reversed(self._busy))
        return max(islice(self._idle, AMONG), key=lambda place: self._of_address[place.address], default=None)


@dataclass(slots=True)
class UnsentBytes:
    """The unsent bytes of large responses, within a budget; all methods are called in the event loop."""

    most: int = MOST_UNSENT_BYTES
    _held: dict[Place, int] = field(default_factory=dict)
    _of_address: Counter[str] = field(default_factory=Counter)

    def hold(self, place: Place, size: int) -> None:
        """Add a response of `size` bytes; if over budget, close connections, those of unpaired clients first."""
        self._held[place] = size
        self._of_address[place.address] += size
        while len(self._held) > 1 and self._of_address.total() > self.most:
            first = max(self._held, key=self._rank)
            self.release(first)
            first.abort()

    async def send_in_parts(self, place: Place, send: Send, message: AsgiMessage) -> None:
        """Send a large body in parts, each after the client has read most of the earlier parts."""
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
        """Remove a response that was sent or whose client has left; a second call does nothing."""
        self._of_address[place.address] -= self._held.pop(place, 0)
        if self._of_address[place.address] <= 0:
            del self._of_address[place.address]

    def _rank(self, place: Place) -> tuple[bool, int, int]:
        return not place.device, self._of_address[place.address], self._held[place]


def count_down(counter: Counter[str], name: str) -> None:
    """Decrement a count, and remove it at zero."""
    counter[name] -= 1
    if counter[name] <= 0:
        del counter[name]


SPARE = 4
"""Connections of an address beyond its limit that are accepted only to refuse them with a reason."""

TURNS = 16
"""Minimum event loop turns in which newcomers can evict all connections; a new connection is read within four turns."""

Peer: TypeAlias = tuple[str, int]


class CountingListener(socket.socket):
    """A listening socket that limits the connections of each address from the moment they are accepted.

    Attributes:
        room: the pool of connections.
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

        `note_unfinished` is called with the address of each connection that closed before its handshake was done.
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
            BlockingIOError: no connection is waiting, or too many were accepted in this turn of the event loop.
            ConnectionAbortedError: the address has too many connections even for a refusal with a reason, or paired
                devices use all connections.
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
        """Stop the handshake timeout, and return the connection; the caller refuses it unless it `has_room`."""
        connection = self._in_handshake.pop(peer[:2])
        connection.timer.cancel()
        return connection

    def forget(self, connection: "CountedConnection", peer: Peer) -> None:
        """Stop counting a connection."""
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
        """Whether the limit does not apply to an address; many people share the address of a proxy."""
        return self._proxies.trust(address) or (is_loopback(address) and not self._limits_loopback)


class CountedConnection(socket.socket):
    """A connection that is counted until it is closed.

    Attributes:
        has_room: whether the connection is within its address's limit.
        timer: the timer that aborts the connection unless the handshake is done in time.
        place: the connection's entry in the pool.
    """

    timer: asyncio.TimerHandle
    place: Place

    def __init__(self, connection: socket.socket, listener: CountingListener, peer: Peer, *, has_room: bool) -> None:
        super().__init__(fileno=connection.detach())
        self._listener, self._peer, self.has_room = listener, peer, has_room

    def abort(self) -> None:
        """Close the connection as if the client had disconnected, so that readers wake up."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        if self.fileno() >= 0:
            self.timer.cancel()
            self._listener.forget(self, self._peer)
        super().close()
