"""The listening socket and its TLS context: socket options that notice a lost client, and sentences for each error.

Of asyncio's transports it sets `max_size`, what they read at once.
"""

import errno
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from pegboard.config import WebSettings
from pegboard.errors import PortTaken, SettingError
from pegboard.messages import Message

if TYPE_CHECKING:
    import asyncio
    import ssl

GONE_MS = 20_000
"""Milliseconds after which a client that acknowledges nothing counts as gone (TCP_USER_TIMEOUT)."""

EVERYWHERE = "::"
"""The address of a socket that listens on all networks, by IPv6 and IPv4."""

EVERYWHERE_BY_IPV4 = "0.0.0.0"  # noqa: S104 - the settings asked for ::, every address

BACKLOG = 1024

CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""Suites of TLS 1.2 on offer: forward secrecy and authenticated encryption, none in CBC mode; TLS 1.3 has no others."""

UNREAD_BYTES = 32_768
"""The kernel's send buffer for a slow viewer; newer events are skipped instead of queued."""

READ_BYTES = 4096
"""Read of a connection at once, and the most of what it sends ahead; asyncio would read 256 kB of each."""

WRITE_BYTES = 8192
"""Of a response at once; the rest waits until the client has read, beyond what the system buffers for it."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket whose connections notice when the client has left; `::` is IPv4 alone without IPv6.

    Raises:
        SettingError: host or port cannot be bound; the sentence says what to do. `PortTaken` for one that is in use.
    """
    if host == EVERYWHERE and not _has_ipv6():
        host = EVERYWHERE_BY_IPV4
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:  # the latter of a name with an empty or overlong label
        raise SettingError("listen_address", "web.host", host=repr(host)) from error
    try:
        _set_options(listener)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        refusal = PortTaken if error.errno == errno.EADDRINUSE else SettingError
        at_fault = "web.host" if error.errno == errno.EADDRNOTAVAIL else "web.port"
        raise refusal(_reason(error, host, port), at_fault) from error
    return listener


def _has_ipv6() -> bool:
    """Whether the kernel has IPv6: it was started without `ipv6.disable=1`."""
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close()
    except OSError:
        return False
    return True


def adopt(sockets: Sequence[socket.socket], web: WebSettings) -> socket.socket:
    """The socket among those of systemd that listens where the settings say, else a new one; the others are shut.

    A connection to one that is shut is refused, as if nobody had opened it; the next start of the program revives it.

    Raises:
        SettingError: host or port cannot be bound; `PortTaken` for one that is in use.
    """
    chosen = None
    for one in sockets:
        if chosen is None and web.host == EVERYWHERE and one.getsockname()[1] == web.port:
            chosen = one
        else:
            one.shutdown(socket.SHUT_RDWR)
            one.close()
    if chosen is None:
        return listen(web.host, web.port)
    _set_options(chosen)
    chosen.listen(BACKLOG)
    return chosen


def bound_buffers(transport: "asyncio.Transport") -> None:
    """Hold little of a connection in memory, whichever side does not read."""
    transport.set_write_buffer_limits(WRITE_BYTES)
    if hasattr(transport, "set_read_buffer_limits"):  # TLS
        transport.set_read_buffer_limits(READ_BYTES)
    else:
        cast("Any", transport).max_size = READ_BYTES


def tls_context(certificate: str, key: str) -> "ssl.SSLContext | None":
    """The TLS context of the certificate and its key; None where neither file is set.

    Raises:
        SettingError: one is missing or cannot be read, or they do not belong together.
    """
    if not certificate and not key:
        return None
    if not certificate or not key:
        there, missing = ("web.certificate", "web.key") if certificate else ("web.key", "web.certificate")
        raise SettingError("https_half", there, set=there, missing=missing)
    for name, path in (("certificate", certificate), ("key", key)):
        _check_readable(name, path)
    return _context(certificate, key)


def _check_readable(name: str, path: str) -> None:
    try:
        open(path, "rb").close()  # noqa: PTH123 - nothing is read
    except OSError as error:
        raise SettingError("https_unreadable", f"web.{name}", name=name, path=path, error=error.strerror) from error


def _context(certificate: str, key: str) -> "ssl.SSLContext":
    import asyncio.sslproto  # noqa: PLC0415 - only where there is a certificate
    import ssl  # noqa: PLC0415 - likewise

    asyncio.sslproto.SSLProtocol.max_size = READ_BYTES  # each connection has a buffer of that size
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(CIPHERS)
    try:
        # an empty password, or OpenSSL would ask for one at a terminal that a service does not have
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        fault = "https_mismatch" if error.reason == "KEY_VALUES_MISMATCH" else "https_not_taken"
        raise SettingError(fault, "web.certificate", key=key, certificate=certificate) from error
    return context


def _set_options(listener: socket.socket) -> None:
    """Set options that accepted connections inherit on Linux."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    probes = {"TCP_USER_TIMEOUT": GONE_MS, "TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 2}
    for name, value in probes.items():
        if hasattr(socket, name):  # some are of Linux only
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if listener.family is socket.AF_INET6 and listener.getsockname()[1] == 0:  # else it is bound, and cannot change
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)


def _reason(error: OSError, host: str, port: int) -> Message:
    match error.errno:
        case errno.EADDRINUSE:
            return Message("listen_taken", port=port)
        case errno.EACCES:
            return Message("listen_rights", port=port)
        case errno.EADDRNOTAVAIL:
            return Message("listen_not_ours", host=host)
    return Message("listen_failed", port=port, host=host, error=error.strerror)
