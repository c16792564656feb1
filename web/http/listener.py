"""The listening socket: taken before anything else, its connections notice when the other side has left."""

import errno
import socket
from typing import TYPE_CHECKING

from pegboard.errors import PortTaken, SettingError

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
        raise SettingError(
            f"{host!r} is no address to listen on; 0.0.0.0 takes every one of this machine", "web.host"
        ) from error
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
        raise SettingError(
            f"the setting {there} is set and {missing} is not; https takes both, plain http neither", there
        )
    for name, path in (("certificate", certificate), ("key", key)):
        _is_readable(name, path)
    return _context(certificate, key)


def _is_readable(name: str, path: str) -> None:
    try:
        with open(path, "rb"):  # noqa: PTH123 - only tried
            pass
    except OSError as error:
        raise SettingError(
            f"the file of web.{name}, {path}, cannot be read: {error.strerror}", f"web.{name}"
        ) from error


def _context(certificate: str, key: str) -> "ssl.SSLContext":
    import ssl  # noqa: PLC0415 - only where there is a certificate

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            sentence = f"the key {key} does not belong to the certificate {certificate}; give the two of one pair"
        else:
            sentence = f"{certificate} and {key} are not taken as a certificate and its key without a password, in PEM"
        raise SettingError(sentence, "web.certificate") from error
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


def _why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} is taken by another program; end that one, or choose another port with --port"
        case errno.EACCES:
            return f"port {port} needs rights that this program has not; choose one from 1024 up with --port"
        case errno.EADDRNOTAVAIL:
            return f"{host} is not an address of this machine; choose one with --host (0.0.0.0 takes every one)"
    return f"port {port} of {host} cannot be listened on: {error.strerror}; choose another with --port or --host"
