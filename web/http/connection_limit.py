"""Connection limit: a listening socket that counts the connections of each address and of all, and times handshakes."""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from pegboard.config import WebSettings
from web.http.client_address import Proxies, is_loopback, limited_address, limits_of, strip_ipv4_mapped
from web.http.connection_room import ConnectionRoom, Place, count_down

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
