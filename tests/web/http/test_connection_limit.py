"""How many connections an address may hold, and an IPv6 network, whose addresses one machine may have."""

import asyncio
import itertools
import socket
from collections.abc import Iterable

import pytest

from pegboard.config import WebSettings
from tests.support.event_loop import apart
from web.http.client_address import NETWORK_SHARE, Proxies
from web.http.connections import SPARE, ConnectionRoom, CountedConnection, CountingListener

EACH = 8
"""Connections of an address."""


class Door:
    """A listening socket to which connections come from any address."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room = ConnectionRoom(1000)
        self._monkeypatch, self._others = monkeypatch, list[socket.socket]()
        self._settings = WebSettings(connections_per_address=EACH)

    def come(self, addresses: Iterable[str]) -> list[tuple[str, bool]]:
        """Of each that is accepted its address, and whether it may stay."""
        return apart(self._come(addresses))

    async def _come(self, addresses: Iterable[str]) -> list[tuple[str, bool]]:
        listener = CountingListener(socket.socket(), self._settings, Proxies(()), 60, self.room)
        accepted: list[tuple[str, CountedConnection]] = []
        for port, address in enumerate(addresses):
            self._monkeypatch.setattr(socket.socket, "accept", lambda _, peer=(address, port): self._accept(peer))
            try:
                accepted.append((address, listener.accept()[0]))
            except ConnectionAbortedError:
                continue
            finally:
                await asyncio.sleep(0)
        self.clients = {connection.place.address for _, connection in accepted}
        for one in (*(connection for _, connection in accepted), *self._others, listener):
            one.close()
        self.left = dict(listener._open)
        return [(address, connection.has_room) for address, connection in accepted]

    def _accept(self, peer: tuple[str, int]) -> tuple[socket.socket, tuple[str, int]]:
        ours, theirs = socket.socketpair()
        self._others.append(theirs)
        return ours, peer


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(monkeypatch)


@pytest.mark.parametrize("address", ["192.168.1.9", "2001:db8::9", "fe80::9%wlan0", "::ffff:192.168.1.9"])
def test_an_address_holds_so_many_and_a_few_more_are_told_so(door: Door, address: str):
    came = door.come([address] * 30)
    assert [may_stay for _, may_stay in came] == [True] * EACH + [False] * SPARE
    assert (door.left, len(door.room)) == ({}, 0)


def test_this_machine_may_hold_any_number(door: Door):
    assert door.come(["127.0.0.1"] * 30 + ["::1"] * 30) == [("127.0.0.1", True)] * 30 + [("::1", True)] * 30


def test_the_addresses_of_one_ipv6_network_have_a_limit_together(door: Door):
    came = door.come(f"2001:db8::{n:x}" for n in range(100))
    assert [may_stay for _, may_stay in came] == [True] * EACH * NETWORK_SHARE + [False] * SPARE
    assert door.clients == {"2001:db8::/64"}, "and as one client make room for others"
    assert door.left == {}


def test_each_network_and_each_address_of_ipv4_has_its_own(door: Door):
    addresses = itertools.chain((f"2001:db8:0:{n:x}::9" for n in range(100)), (f"192.168.1.{n}" for n in range(100)))
    assert all(may_stay for _, may_stay in door.come(addresses))
    assert len(door.clients) == 200
