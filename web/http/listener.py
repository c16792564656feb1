"""The listening socket: taken before anything else, its connections notice when the other side has left."""

import errno
import socket
from typing import TYPE_CHECKING

from pegboard.errors import PortTaken, SettingError
from pegboard.messages import Message

if TYPE_CHECKING:
    import ssl

GONE_MS = 20_000
"""Milliseconds after which a phone that acknowledges nothing has left."""

UNREAD_BYTES = 32_768
"""Kept by the kernel for a slow viewer; what is newer is skipped instead."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket whose connections notice when the other side has left.

    Raises:
        SettingError: host or port cannot be had; the sentence says what to do. A port that is taken is `PortTaken`.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        door = socket.socket(family, kind, protocol)
    except OSError as error:
        raise SettingError("listen_address", "web.host", host=repr(host)) from error
    try:
        _set_options(door)
        door.bind(address)
        door.listen(1024)
    except OSError as error:
        door.close()
        refusal = PortTaken if error.errno == errno.EADDRINUSE else SettingError
        at_fault = "web.host" if error.errno == errno.EADDRNOTAVAIL else "web.port"
        raise refusal(_why_not(error, host, port), at_fault) from error
    return door


def lock(certificate: str, key: str) -> "ssl.SSLContext | None":
    """What makes the door one of https; None where neither file is set.

    Raises:
        SettingError: one is missing, cannot be read, or they do not belong together.
    """
    if not certificate and not key:
        return None
    if not certificate or not key:
        there, missing = ("web.certificate", "web.key") if certificate else ("web.key", "web.certificate")
        raise SettingError("https_half", there, set=there, missing=missing)
    for name, path in (("certificate", certificate), ("key", key)):
        _is_readable(name, path)
    return _context(certificate, key)


def _is_readable(name: str, path: str) -> None:
    try:
        with open(path, "rb"):  # noqa: PTH123 - only tried
            pass
    except OSError as error:
        raise SettingError("https_unreadable", f"web.{name}", name=name, path=path, error=error.strerror) from error


def _context(certificate: str, key: str) -> "ssl.SSLContext":
    import ssl  # noqa: PLC0415 - only where there is a certificate

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        fault = "https_mismatch" if error.reason == "KEY_VALUES_MISMATCH" else "https_not_taken"
        raise SettingError(fault, "web.certificate", key=key, certificate=certificate) from error
    return context


def _no_password() -> str:
    """A key with a password would be asked for at a terminal that a service has not."""
    return ""


def _set_options(door: socket.socket) -> None:
    """Options that Linux hands down to every accepted connection."""
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    probes = {"TCP_USER_TIMEOUT": GONE_MS, "TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 2}
    for name, value in probes.items():
        if hasattr(socket, name):  # not every system has them
            door.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if door.family is socket.AF_INET6:
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)


def _why_not(error: OSError, host: str, port: int) -> Message:
    match error.errno:
        case errno.EADDRINUSE:
            return Message("listen_taken", port=port)
        case errno.EACCES:
            return Message("listen_rights", port=port)
        case errno.EADDRNOTAVAIL:
            return Message("listen_not_ours", host=host)
    return Message("listen_failed", port=port, host=host, error=error.strerror)
