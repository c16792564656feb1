"""Client addresses: behind trusted proxies (X-Forwarded-For), on this machine or not, and as keys of rate limits."""

import functools
import ipaddress
from collections.abc import Iterable
from urllib.parse import quote

from flask import Request

from pegboard.errors import SettingError
from web.http.asgi import PORTS, Scope, header

PROXY_HEADERS = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "x-real-ip", "via")
"""Headers that a proxy adds; a request with one of them is not local, whatever its address is."""

_PROXY_NAMES = frozenset(name.encode() for name in PROXY_HEADERS)
_PROXY_VARIABLES = frozenset(f"HTTP_{name.upper().replace('-', '_')}" for name in PROXY_HEADERS)
"""The same names in an ASGI scope and in a WSGI environ."""

UNKNOWN_CLIENT = (b"via", b"a proxy")
"""Header added if a trusted proxy names no client: it may forward for anybody, so the request is not local."""

NETWORK_SHARE = 4
"""The limit of a 64-bit IPv6 network as a multiple of one address's limit; all phones of a home share a network."""


class Proxies:
    """The proxies that are trusted to name the client."""

    def __init__(self, trusted: Iterable[str]) -> None:
        """Parse the addresses or networks of the proxies.

        Raises:
            SettingError: an entry is neither an address nor a network.
        """
        self._trusted = [_network(one) for one in trusted]

    def trust(self, address: str) -> bool:
        """Whether an address is one of the trusted proxies."""
        parsed = parse_address(strip_ipv4_mapped(address)) if self._trusted else None
        return parsed is not None and any(parsed in network for network in self._trusted)

    def resolve_client(self, scope: Scope) -> Scope:
        """The request as the first trusted proxy received it; unchanged if no trusted proxy forwarded it."""
        if not self._trusted or not self.trust(address_of(scope)):
            return scope
        forwarded = {name: header(scope, f"x-forwarded-{name}".encode()) for name in ("for", "host", "proto")}
        changed = dict(scope)
        if forwarded["for"]:
            changed["client"] = (self._client(forwarded["for"]), 0)
        else:
            changed["headers"] = [*scope["headers"], UNKNOWN_CLIENT]
        if forwarded["proto"] in ("http", "https"):
            changed["scheme"] = forwarded["proto"]
        if forwarded["host"]:
            host = (b"host", forwarded["host"].rpartition(",")[2].strip().encode("latin-1"))
            changed["headers"] = [host, *(pair for pair in changed["headers"] if pair[0] != b"host")]
        return changed

    def _client(self, forwarded_for: str) -> str:
        """The last address that is not a trusted proxy; anybody could have written the addresses before it."""
        hops = [_address(hop) for hop in forwarded_for.split(",")]
        return next((hop for hop in reversed(hops) if not self.trust(hop)), hops[0])


def address_of(scope: Scope) -> str:
    """The client's address, "" if unknown."""
    return strip_ipv4_mapped(scope["client"][0]) if scope.get("client") else ""


def address_of_request(request: Request) -> str:
    """The client's address in a Flask request, "" if unknown."""
    return strip_ipv4_mapped(request.remote_addr or "")


def is_local(scope: Scope) -> bool:
    """Whether a request comes from this machine itself, not through a proxy."""
    server = scope["server"][0] if scope.get("server") else ""
    return not _is_proxied(scope) and _is_own(address_of(scope), strip_ipv4_mapped(server or ""))


def url_by_ip(scope: Scope) -> str | None:
    """The URL of a request with the server's IP address as its host; None if a browser could not open that URL."""
    host, port = scope.get("server") or ("", None)
    address = parse_address(strip_ipv4_mapped(host or ""))
    if address is None or address.is_link_local or _is_proxied(scope):  # browsers open no link-local addresses
        return None
    place = f"[{address}]" if address.version == 6 else f"{address}"  # noqa: PLR2004 - the IP version
    port_of = "" if port == PORTS[scope["scheme"]] else f":{port}"
    return f"{scope['scheme']}://{place}{port_of}{quote(scope['path'])}"


def _is_proxied(scope: Scope) -> bool:
    return any(name in _PROXY_NAMES for name, _ in scope["headers"])


def is_local_request(request: Request) -> bool:
    """Whether a Flask request comes from this machine itself, not through a proxy."""
    proxied = not _PROXY_VARIABLES.isdisjoint(request.environ)
    server = strip_ipv4_mapped(request.environ.get("SERVER_NAME", ""))
    return not proxied and _is_own(address_of_request(request), server)


def strip_ipv4_mapped(address: str) -> str:
    """Remove the IPv6 prefix of an IPv4 address from a dual-stack socket; other addresses in lower case."""
    return address.lower().removeprefix("::ffff:")


def limited_client(scope: Scope) -> str:
    """The key under which limits count a request; see `limited_address`."""
    return limited_address(address_of(scope))


@functools.lru_cache(maxsize=4096)
def limited_address(address: str) -> str:
    """The key under which limits count an address; for IPv6 its 64-bit network, since one machine can use all of it."""
    parsed = parse_address(address.partition("%")[0])
    if not isinstance(parsed, ipaddress.IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(parsed) if parsed.is_loopback else str(ipaddress.ip_network((parsed, 64), strict=False))


def limits_of(address: str, most: int) -> dict[str, int]:
    """The limits by key: `most` for an address, `NETWORK_SHARE` times as many for its IPv6 network."""
    return {limited_address(address): most * NETWORK_SHARE} | {address: most}


def parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address in a text, or None."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


@functools.lru_cache(maxsize=1024)
def is_loopback(address: str) -> bool:
    """Whether an address is a loopback address."""
    parsed = parse_address(address)
    return parsed is not None and parsed.is_loopback


def _is_own(address: str, server: str) -> bool:
    """Whether a client's address is loopback or the address it connected to, as when a machine uses its own name."""
    return is_loopback(address) or (bool(address) and address == server)


def _network(setting: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(setting, strict=False)
    except ValueError:
        raise SettingError("proxies", "web.proxies", value=repr(setting)) from None


def _address(hop: str) -> str:
    """The address in an item of X-Forwarded-For, which may be quoted, in brackets, or with a port."""
    hop = hop.strip().strip('"')
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
