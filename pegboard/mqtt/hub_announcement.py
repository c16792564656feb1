"""Discovery of hubs on the local network: search and announcer by multicast DNS and DNS-SD (RFC 6762, 6763), IPv4."""

import contextlib
import ipaddress
import logging
import math
import secrets
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator

SERVICE = "_pegboard-hub._tcp.local"

GROUP = ("224.0.0.251", 5353)
"""Address and port of multicast DNS."""

PTR, TXT, SRV, ANY = 12, 16, 33, 255
INTERNET, RESPONSE, TTL_S = 1, 0x8400, 10

SEARCH_S, ASK_AGAIN_S = 1.0, 0.4
"""Seconds to search for hubs (they answer within 0.12 s), and between queries, because a query may be lost."""

POINTER = 0xC0
"""A label that starts with this byte or a higher one is a pointer to an earlier name."""

MOST_BYTES, MOST_POINTERS, LONGEST_NAME = 1500, 20, 255
"""Maximum bytes of a message (an Ethernet frame), pointers in a name, and bytes of a name (RFC 1035, 2.3.4)."""

JOIN_S = 30.0
"""Seconds between the hub's checks for networks to join."""

UNREADABLE = (ValueError, IndexError, struct.error)

log = logging.getLogger("pegboard")


def find_hubs(
    addresses: Iterable[str],
    *,
    group: tuple[str, int] = GROUP,
    is_near: Callable[[str], bool] | None = None,
    search_s: float = SEARCH_S,
) -> tuple[tuple[str, int], ...]:
    """Address and port of every hub that announces itself on a network of this machine; `addresses` are the machine's.

    A hub's address is the source address of its answer, whatever the answer says, so nobody can name another machine.
    """
    near, id_ = is_near or is_in_own_network, secrets.randbelow(1 << 16)
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(one) for one in _sockets(addresses)]
        selector = opened.enter_context(selectors.DefaultSelector())
        for one in sockets:
            selector.register(one, selectors.EVENT_READ, one)
        found: dict[tuple[str, int], None] = {}
        ask_at = time.monotonic()
        until = ask_at + search_s
        while sockets and (now := time.monotonic()) < until:
            if now >= ask_at:
                ask_at = now + ASK_AGAIN_S
                for one in sockets:
                    with contextlib.suppress(OSError):  # that network is gone
                        one.sendto(question(id_), group)
            for ready, _ in selector.select(min(ask_at, until) - now):
                with contextlib.suppress(OSError, *UNREADABLE):
                    packet, (address, _) = ready.data.recvfrom(MOST_BYTES)
                    if (port := read_port(packet, id_)) is not None and near(address):
                        found[address, port] = None
        return tuple(found)


def _sockets(addresses: Iterable[str]) -> Iterator[socket.socket]:
    """A socket for each address, which sends queries on the network of that address."""
    for address in addresses:
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        one.setblocking(False)
        try:
            one.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        except OSError:  # that address is gone
            one.close()
        else:
            yield one


def is_in_own_network(address: str) -> bool:
    """Whether an IPv4 address is in a subnet of this machine, and not loopback or link-local; sends no packets."""
    place = ipaddress.ip_address(address)
    if place.is_loopback or place.is_link_local or place.is_multicast or place.is_unspecified:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_DONTROUTE, 1)  # bypass routers
        return probe.connect_ex((address, GROUP[1])) == 0


class HubAnnouncer:
    """Answers queries for hubs, from `start` until `stop`."""

    def __init__(
        self,
        port: int,
        addresses: Callable[[], Iterable[str]],
        *,
        at: tuple[str, int] = ("", GROUP[1]),
        is_near: Callable[[str], bool] | None = None,
        join_s: float = JOIN_S,
    ) -> None:
        """`port` is the port of the hub's pages, `addresses` returns the addresses of this machine; it listens on `at`.

        Only senders for which `is_near` is true get an answer (RFC 6762, 11). Networks may come up after the hub
        starts, so they are joined every `join_s` seconds.
        """
        self._answer_of = (socket.gethostname().partition(".")[0], port)
        self._addresses, self._at, self._join_s = addresses, at, join_s
        self._is_near = is_near or is_in_own_network
        self._socket: socket.socket | None = None

    @property
    def port(self) -> int:
        """The port on which the announcer listens; 0 if it does not listen."""
        return 0 if self._socket is None else int(self._socket.getsockname()[1])

    def start(self) -> None:
        """Start listening; if multicast DNS cannot be used, log a warning and do not announce the hub."""
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # avahi listens on that port too
            if hasattr(socket, "SO_REUSEPORT"):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            one.bind(self._at)
            one.settimeout(self._join_s)
        except OSError as error:
            one.close()
            log.warning("the hub cannot be announced on the network: %s", error)
            return
        self._socket = one
        threading.Thread(target=self._run, args=(one,), name="hub announcer", daemon=True).start()

    def stop(self) -> None:
        """Stop listening."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
            self._socket = None

    def _run(self, one: socket.socket) -> None:
        join_at = -math.inf
        while self._socket is not None:
            try:
                if (now := time.monotonic()) >= join_at:
                    join_at = now + self._join_s
                    self._join_networks(one)
                packet, sender = one.recvfrom(MOST_BYTES)
            except OSError:  # also after `join_s` seconds of silence
                continue
            with contextlib.suppress(OSError, *UNREADABLE):
                if asks_for_hubs(packet) and self._is_near(sender[0]):
                    is_simple = sender[1] != GROUP[1]  # a one-shot query, which takes a unicast answer only (6.7)
                    id_ = int.from_bytes(packet[:2], "big") if is_simple else 0
                    one.sendto(announcement(id_, *self._answer_of, repeats=is_simple), sender if is_simple else GROUP)

    def _join_networks(self, one: socket.socket) -> None:
        """Join the multicast group on each network; leave it first, else a network that came back cannot be joined."""
        for address in self._addresses():
            for change in (socket.IP_DROP_MEMBERSHIP, socket.IP_ADD_MEMBERSHIP):
                with contextlib.suppress(OSError):
                    member = socket.inet_aton(GROUP[0]) + socket.inet_aton(address)
                    one.setsockopt(socket.IPPROTO_IP, change, member)


# --- messages (RFC 1035, 4; RFC 2782) ---


def question(id_: int) -> bytes:
    """The DNS query for hubs."""
    return struct.pack(">6H", id_, 0, 1, 0, 0, 0) + _encode(SERVICE) + struct.pack(">2H", PTR, INTERNET)


def announcement(id_: int, machine: str, port: int, *, repeats: bool) -> bytes:
    """The response of a hub on `machine`; it `repeats` the question if the querier is not a multicast resolver."""
    instance, host = f"{machine}.{SERVICE}", f"{machine}.local"
    repeated = question(id_)[12:] if repeats else b""
    records = (
        _record(SERVICE, PTR, _encode(instance)),
        _record(instance, SRV, struct.pack(">3H", 0, 0, port) + _encode(host)),
        _record(instance, TXT, b"\0"),
    )
    head = struct.pack(">6H", id_, RESPONSE, 1 if repeats else 0, len(records), 0, 0)
    return head + repeated + b"".join(records)


def asks_for_hubs(packet: bytes) -> bool:
    """Whether a packet is a query for hubs.

    Raises:
        ValueError: a name in the packet is invalid.
        IndexError, struct.error: the packet is truncated.
    """
    _, flags, questions, *_ = struct.unpack_from(">6H", packet)
    at = 12
    for _ in range(0 if flags & 0x8000 else questions):
        name, at = _read_name(packet, at)
        (kind,) = struct.unpack_from(">H", packet, at)
        at += 4
        if name == SERVICE and kind in {PTR, ANY}:
            return True
    return False


def read_port(packet: bytes, id_: int) -> int | None:
    """The port of the hub that a packet announces in response to query `id_`; None if it announces none.

    Raises:
        ValueError: a name in the packet is invalid.
        IndexError, struct.error: the packet is truncated.
    """
    found, flags, questions, *counts = struct.unpack_from(">6H", packet)
    if found != id_ or not flags & 0x8000:
        return None
    at = 12
    for _ in range(questions):
        at = _read_name(packet, at)[1] + 4
    for _ in range(sum(counts)):
        name, at = _read_name(packet, at)
        kind, _, _, length = struct.unpack_from(">2HIH", packet, at)
        at += 10
        if kind == SRV and name.endswith(f".{SERVICE}"):
            port: int = struct.unpack_from(">3H", packet, at)[2]
            return port or None
        at += length
    return None


def _encode(name: str) -> bytes:
    labels = (label.encode()[:63] for label in name.split("."))
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def _record(name: str, kind: int, content: bytes) -> bytes:
    return _encode(name) + struct.pack(">2HIH", kind, INTERNET, TTL_S, len(content)) + content


def _read_name(packet: bytes, at: int) -> tuple[str, int]:
    """The name at offset `at`, in lower case, and the offset after it."""
    labels, after, pointers, size = [], 0, 0, 0
    while length := packet[at]:
        if length < POINTER:
            labels.append(packet[at + 1 : at + 1 + length])
            at, size = at + 1 + length, size + 1 + length
            if size > LONGEST_NAME:
                raise ValueError(size)
            continue
        after = after or at + 2
        at = (length - POINTER) << 8 | packet[at + 1]
        pointers += 1
        if pointers > MOST_POINTERS:
            raise ValueError(pointers)
    return b".".join(labels).decode("utf-8", "replace").lower(), after or at + 1
