"""Whether an open table can be reached from the internet: everybody there may score and direct.

An IPv4 address of this machine that is public is reached from there: nothing translates addresses in front of it. One
of IPv6 tells nothing, for every machine at home has a public one, and most routers let nobody in. So of IPv6, and of
routers that forward a port, only what has happened counts: a client came whose address is public and outside of the
network of the address that it was sent to.
"""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

from pegboard.devices.health import Health
from pegboard.messages import Message
from web.http.asgi_helpers import Scope
from web.http.client_address import address_of, parse_address, strip_ipv4_mapped

NAME = "open to the internet"
"""What is wrong, among the devices; panels show its last word."""

HOME_BITS = 56
"""Bits of the IPv6 network that a provider hands to one household (RFC 6177), which has many networks of 64."""


class Exposure:
    """What is known of it; it stays known until the program ends.

    Attributes:
        address: by which the table is reached from the internet, or of a client that came from there; None where
            neither is known, and at a closed table.
    """

    def __init__(self, *, is_open: bool) -> None:
        self._is_open = is_open
        self.address: str | None = None

    def check_own(self, addresses: Iterable[str]) -> None:
        """Look at the addresses by which others reach the table."""
        if self._is_open and self.address is None:
            self.address = next(filter(is_public_ipv4, addresses), None)

    def check_client(self, scope: Scope) -> None:
        """Look at where a request comes from; called in the event loop, where nothing is waited for."""
        if self._is_open and self.address is None:
            server = strip_ipv4_mapped(scope["server"][0]) if scope.get("server") else ""
            if is_from_internet(address_of(scope), server):
                self.address = address_of(scope)

    def health(self) -> Health:
        """It as a fault of the table."""
        return Health(NAME, "", ok=False, trouble=self.message)

    @property
    def message(self) -> Message:
        """What is wrong and what to do, in words."""
        return Message("open_to_internet", address=self.address)


def is_public_ipv4(address: str) -> bool:
    """Whether that is an IPv4 address which the whole internet reaches."""
    parsed = parse_address(address)
    return isinstance(parsed, ipaddress.IPv4Address) and parsed.is_global


@lru_cache(maxsize=1024)
def is_from_internet(client: str, server: str) -> bool:
    """Whether a client has a public address outside of the network of the address that it has reached."""
    here, there = parse_address(server), parse_address(client)
    if there is None or not there.is_global or client == server:
        return False
    if isinstance(there, ipaddress.IPv6Address) and isinstance(here, ipaddress.IPv6Address):
        return there not in ipaddress.IPv6Network((int(here), HOME_BITS), strict=False)
    return True
