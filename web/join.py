"""How to come to the table: its address, its name, and the QR code of its address."""

import contextlib
import functools
import io
import ipaddress
import socket
from typing import Any

PUBLISHED = "pegboard.local"
"""The name that the table is announced by on its network."""

ELSEWHERE = ("192.0.2.1", 9)
"""An address of nobody (RFC 5737); asking for the way there sends nothing."""

PORTS = {"http": 80, "https": 443}
"""Ports that nobody need write."""

QUIET = 4
"""Modules of white round a QR code."""


def invitation(host: str, port: int, code: str | None = None, *, secure: bool = False) -> dict[str, Any]:
    """What a page shows to those who want to join: `url`, `host` (the name to type) and `qr`.

    With a code it is the page that pairs a phone; `secure` is a table with a certificate.
    """
    address = own_address(host)
    place = f"[{address}]" if ":" in address else address
    scheme = "https" if secure else "http"
    standard = PORTS[scheme]
    url = f"{scheme}://{place}{_port(port, standard)}/{'' if code is None else f'j/{code}'}"
    name = place if ipaddress.ip_address(address).is_loopback else PUBLISHED
    return {"url": url, "host": f"{name}{_port(port, standard)}", "qr": qr(url)}


def own_address(host: str) -> str:
    """The IP address under which others reach a server that listens on `host`."""
    with contextlib.suppress(ValueError):
        if not ipaddress.ip_address(host).is_unspecified:
            return host
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        return _address_towards_others()
    return "127.0.0.1" if host == "localhost" else socket.gethostbyname(host)


@functools.lru_cache(maxsize=8)
def qr(url: str) -> dict[str, Any]:
    """The QR code of `url`: `size` in modules, quiet zone included, and the dark modules as the `path` of an SVG.

    Capitals make it smaller (alphanumeric mode); host names and schemes do not mind.
    """
    import segno  # noqa: PLC0415 - only when the first page wants it

    rows = list(segno.make_qr(url.upper(), error="m").matrix_iter(border=QUIET))
    path = "".join(_runs(y, row) for y, row in enumerate(rows))
    return {"size": len(rows), "path": path}


def in_terminal(url: str) -> str:
    """The QR code of `url` for a terminal, two modules a character."""
    import segno  # noqa: PLC0415 - only where there is somebody to read it

    out = io.StringIO()
    segno.make_qr(url.upper(), error="m").terminal(out, compact=True)
    return out.getvalue()


def _runs(y: int, row: Any) -> str:
    """The dark runs of a row as rectangles one module high."""
    dark = [x for x, module in enumerate(row) if module]
    firsts = [x for x in dark if x - 1 not in dark]
    lasts = [x for x in dark if x + 1 not in dark]
    return "".join(f"M{a} {y}h{b - a + 1}v1H{a}z" for a, b in zip(firsts, lasts, strict=True))


def _address_towards_others() -> str:
    """This machine's address on its network; its own loopback while there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def _port(port: int, standard: int) -> str:
    return "" if port == standard else f":{port}"
