"""Who is connected: so many connections for each address, from the moment they come, that nobody takes the last one."""

import asyncio
import contextlib
import socket
from collections import Counter

from pegboard.config import WebSettings
from web.http.client_address import Proxies, is_loopback, plain

SPARE = 4
"""Connections of an address beyond its own that are let in to be told so."""


class Crowd:
    """Counts connections by address; all in the event loop."""

    def __init__(self, settings: WebSettings, proxies: Proxies) -> None:
        self._most, self._proxies = settings.connections_per_address, proxies
        self._holds_loopback = settings.throttle_loopback
        self._here: Counter[str] = Counter()

    def has_room(self, address: str, spare: int = 0) -> bool:
        """Whether one more from there may come; `spare` are let in beyond what it may have."""
        return self._here[address] < self._most + spare or self._is_exempt(address)

    def enter(self, address: str) -> None:
        """One more is connected."""
        self._here[address] += 1

    def leave(self, address: str) -> None:
        """One has gone; an address without any is forgotten."""
        self._here[address] -= 1
        if self._here[address] <= 0:
            del self._here[address]

    def _is_exempt(self, address: str) -> bool:
        """A proxy's connections are many people's."""
        return self._proxies.trust(address) or (is_loopback(address) and not self._holds_loopback)


class Entrance(socket.socket):
    """A listening socket where who comes is counted and timed at once, before anything is agreed upon with it."""

    def __init__(self, door: socket.socket, crowd: Crowd, patience_s: float) -> None:
        """Take over `door`; whoever is not greeted within `patience_s` seconds is turned out."""
        super().__init__(fileno=door.detach())
        self._crowd, self._patience_s = crowd, patience_s
        self._strangers: dict[tuple[str, int], Guest] = {}

    def accept(self) -> "tuple[Guest, tuple[str, int]]":
        """Let one in; called in the event loop.

        Raises:
            ConnectionAbortedError: its address has so many that it is not even told so.
        """
        connection, peer = super().accept()
        address = plain(peer[0])
        if not self._crowd.has_room(address, SPARE):
            connection.close()
            raise ConnectionAbortedError
        guest = Guest(connection, self, self._crowd, peer)
        self._strangers[peer[:2]] = guest
        guest.timer = asyncio.get_running_loop().call_later(self._patience_s, guest.turn_out)
        return guest, peer

    def greet(self, peer: tuple[str, int]) -> bool:
        """One can be talked to now; whether there was room for it when it came."""
        guest = self._strangers.pop(peer[:2])
        guest.timer.cancel()
        return guest.has_room

    def forget(self, peer: tuple[str, int], guest: "Guest") -> None:
        """One has gone."""
        if self._strangers.get(peer[:2]) is guest:
            del self._strangers[peer[:2]]


class Guest(socket.socket):
    """A connection that counts until it is closed.

    Attributes:
        has_room: whether its address might have it.
        timer: what turns it out while it is a stranger.
    """

    timer: asyncio.TimerHandle

    def __init__(self, connection: socket.socket, entrance: Entrance, crowd: Crowd, peer: tuple[str, int]) -> None:
        super().__init__(fileno=connection.detach())
        self._entrance, self._crowd, self._peer = entrance, crowd, peer
        self._address = plain(peer[0])
        self.has_room = crowd.has_room(self._address)
        crowd.enter(self._address)

    def turn_out(self) -> None:
        """End it as if it had left, so that whoever waits for its words hears of it."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it, once."""
        if self.fileno() >= 0:
            self.timer.cancel()
            self._entrance.forget(self._peer, self)
            self._crowd.leave(self._address)
        super().close()
