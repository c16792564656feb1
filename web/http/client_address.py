"""Where a request comes from: through which proxies, and whether from this machine itself."""

import ipaddress
from collections.abc import Iterable
from typing import TypeAlias

from flask import Request

from pegboard.errors import SettingError
from web.http.asgi import Scope, header

TRACES = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-real-ip", "via")
"""Headers that a proxy leaves: who comes through one is not this machine, whatever the address says."""

UNNAMED = (b"via", b"a proxy")
"""Laid in for a proxy that names nobody: it may speak for anyone, so it is not this machine either."""

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


class Proxies:
    """The proxies whose word is taken."""

    def __init__(self, trusted: Iterable[str]) -> None:
        """Their addresses or networks.

        Raises:
            SettingError: one is neither.
        """
        self._trusted = [_network(one) for one in trusted]

    def trust(self, address: str) -> bool:
        """Whether that is one of them."""
        if not self._trusted:
            return False
        try:
            ours = ipaddress.ip_address(plain(address))
        except ValueError:
            return False
        return any(ours in network for network in self._trusted)

    def behind(self, scope: Scope) -> Scope:
        """The request as it reached the first of them; as it stands where none has passed it on."""
        if not self._trusted or not self.trust(address_of(scope)):
            return scope
        told = {name: header(scope, f"x-forwarded-{name}".encode()) for name in ("for", "host", "proto")}
        changed = dict(scope)
        if told["for"]:
            changed["client"] = (self._client(told["for"]), 0)
        else:
            changed["headers"] = [*scope["headers"], UNNAMED]
        if told["proto"] in ("http", "https"):
            changed["scheme"] = told["proto"]
        if told["host"]:
            host = (b"host", told["host"].rpartition(",")[2].strip().encode("latin-1"))
            changed["headers"] = [host, *(pair for pair in changed["headers"] if pair[0] != b"host")]
        return changed

    def _client(self, told: str) -> str:
        """The last address that none of them has: what stands before it anybody can have written."""
        way = [_address(hop) for hop in told.split(",")]
        return next((hop for hop in reversed(way) if not self.trust(hop)), way[0])


def address_of(scope: Scope) -> str:
    """The address that a request comes from, "" where it is not known."""
    return plain(scope["client"][0]) if scope.get("client") else ""


def is_here(scope: Scope) -> bool:
    """Whether a request comes from this machine itself, through no proxy."""
    server = scope["server"][0] if scope.get("server") else ""
    proxied = any(header(scope, name.encode()) is not None for name in TRACES)
    return not proxied and _is_own(address_of(scope), plain(server or ""))


def asked_here(request: Request) -> bool:
    """The same of a request as the pages see it."""
    proxied = any(name in request.headers for name in TRACES)
    own = _is_own(plain(request.remote_addr or ""), plain(request.environ.get("SERVER_NAME", "")))
    return not proxied and own


def plain(address: str) -> str:
    """An address of IPv4 without the dress of IPv6."""
    return address.lower().removeprefix("::ffff:")


def is_loopback(address: str) -> bool:
    """Whether that is a loopback address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _is_own(address: str, server: str) -> bool:
    """Loopback; or the address under which we were asked, as a machine that calls itself by name has."""
    return is_loopback(address) or (bool(address) and address == server)


def _network(told: str) -> Network:
    try:
        return ipaddress.ip_network(told, strict=False)
    except ValueError:
        raise SettingError("proxies", "web.proxies", value=repr(told)) from None


def _address(hop: str) -> str:
    """The address in an item of X-Forwarded-For, which may be quoted, in brackets, or with a port."""
    hop = hop.strip().strip('"')
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
