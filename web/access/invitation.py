"""Invitation to join a table or hub: URL, own IP addresses and local name, reach on the network, QR codes (segno)."""

import contextlib
import fcntl
import functools
import io
import ipaddress
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypedDict

from pegboard.core.view import Reach
from web.http.asgi import PORTS

AVAHI = Path("/run/avahi-daemon/socket")
"""A socket that exists while this machine announces its name on its network (multicast DNS)."""

INTERFACES = Path("/sys/class/net")
"""A folder that contains a folder for each network interface."""

ELSEWHERE = ("192.0.2.1", 9)
"""An address reserved for documentation (RFC 5737); connecting a UDP socket sends nothing, but selects a network."""

QUIET = 4
"""Width of the white border of a QR code in modules."""

GET_ADDRESS, GET_FLAGS = 0x8915, 0x8913
"""Linux ioctl requests for the IPv4 address and the flags of a network interface (netdevice(7))."""

RUNNING, LOOPBACK = 0x40, 0x08
"""Interface flags: its cable or radio is connected; it is the loopback."""


def invitation(
    host: str, port: int, code: str | None = None, *, secure: bool = False, command: str | None = None
) -> dict[str, Any]:
    """The data of a page that shows how to join.

    Args:
        host: the address that the server listens on.
        port: the port that the server listens on.
        code: the code that pairs a phone; None for view-only.
        secure: whether the server has a certificate.
        command: the command that starts a table that phones can reach, or None.

    Returns:
        `url`, of the pairing page if there is a code; `host`, the name to type; `reach` (see `core.view.Invitation`);
        `qr`, None if phones cannot reach that address; and `command`, None if it would change nothing.
    """
    address = own_address(host)
    reach = reach_of(host, address)
    place = f"[{address}]" if ":" in address else address
    scheme = "https" if secure else "http"
    port_of = "" if port == PORTS[scheme] else f":{port}"
    url = f"{scheme}://{place}{port_of}/{'' if code is None else f'j/{code}'}"
    name = (own_name() or place) if reach == "network" else place
    return {
        "url": url,
        "reach": reach,
        "host": f"{name}{port_of}",
        "qr": qr(url) if reach == "network" else None,
        "command": command if reach == "machine" else None,
    }


def own_address(host: str) -> str:
    """The IP address at which others reach a server that listens on `host`; loopback if others cannot."""
    with contextlib.suppress(ValueError):
        if not ipaddress.ip_address(host).is_unspecified:
            return host
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        return _address_towards_others() or next(_addresses_of_interfaces(), "127.0.0.1")
    return "127.0.0.1" if host == "localhost" else socket.gethostbyname(host)


def own_addresses(host: str) -> list[str]:
    """All IPv4 addresses at which others may reach a server that listens on `host`, and its `own_address`."""
    more = _addresses_of_interfaces() if host in ("0.0.0.0", "::", "") else ()  # noqa: S104 - compared, not bound
    return list(dict.fromkeys([own_address(host), *more]))


def reach_of(host: str, address: str) -> Reach:
    """Which devices can reach a server that listens on `host` and has that address."""
    if not ipaddress.ip_address(address).is_loopback:
        return "network"
    return "offline" if host in ("0.0.0.0", "::", "") else "machine"  # noqa: S104 - compared, not bound


def has_network() -> bool:
    """Whether this machine is on a network, by any kind of address; True if unknown."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        return not INTERFACES.is_dir() or any(_connected_interfaces(probe))


def own_name() -> str | None:
    """The name that this machine announces on its network, such as `pegboard.local`; None if it announces none."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local" if AVAHI.exists() else None


class QrJson(TypedDict):
    """A QR code."""

    size: Annotated[int, "width in modules, with the quiet zone"]
    path: Annotated[str, "the dark modules as an SVG path"]


@functools.lru_cache(maxsize=8)
def qr(url: str) -> dict[str, Any]:
    """The QR code of `url`: `size` in modules, quiet zone included, and the dark modules as an SVG `path`.

    Upper case makes it smaller (alphanumeric mode); host names and schemes are case-insensitive.
    """
    import segno  # noqa: PLC0415 - only when a page first needs it

    rows = list(segno.make_qr(url.upper(), error="m").matrix_iter(border=QUIET))
    return {"size": len(rows), "path": "".join(_runs(y, row) for y, row in enumerate(rows))}


def in_terminal(url: str, encoding: str | None = None) -> str:
    """The QR code of `url` for a terminal with light text: two modules per character, or twice as large in ASCII.

    `encoding` is the terminal's encoding; None for that of standard output.
    """
    import segno  # noqa: PLC0415 - only when a terminal shows it

    code = segno.make_qr(url.upper(), error="m")
    if not _has_blocks(encoding or getattr(sys.stdout, "encoding", None) or "ascii"):
        return "".join("".join("  " if dark else "##" for dark in row) + "\n" for row in code.matrix_iter(border=QUIET))
    out = io.StringIO()
    code.terminal(out, compact=True)
    return out.getvalue()


def _has_blocks(encoding: str) -> bool:
    try:
        "▀▄█".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _runs(y: int, row: Any) -> str:
    """The dark runs of a row as rectangles one module high."""
    dark = [x for x, module in enumerate(row) if module]
    firsts = [x for x in dark if x - 1 not in dark]
    lasts = [x for x in dark if x + 1 not in dark]
    return "".join(f"M{a} {y}h{b - a + 1}v1H{a}z" for a, b in zip(firsts, lasts, strict=True))


def _address_towards_others() -> str | None:
    """This machine's address on the network with the route to other networks, or None."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _addresses_of_interfaces() -> Iterator[str]:
    """The IPv4 addresses of all connected interfaces, also on networks without a route to others, such as a hotspot.

    Does not use `socket.if_nameindex`, which needs netlink, denied by the service's sandbox.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for query in _connected_interfaces(probe):
            with contextlib.suppress(OSError):
                yield socket.inet_ntoa(fcntl.ioctl(probe, GET_ADDRESS, query)[20:24])


def _connected_interfaces(probe: socket.socket) -> Iterator[bytes]:
    """An ioctl argument for each interface that is connected and is not the loopback."""
    for name in sorted(folder.name for folder in INTERFACES.iterdir()) if INTERFACES.is_dir() else []:
        query = struct.pack("256s", name.encode())
        with contextlib.suppress(OSError):
            (flags,) = struct.unpack_from("H", fcntl.ioctl(probe, GET_FLAGS, query), 16)
            if flags & RUNNING and not flags & LOOPBACK:
                yield query
