"""The listening socket (bound, or from systemd) and its TLS context: options that detect lost clients, small buffers.

This module sets `max_size` of asyncio's transports, the bytes that they read at once.
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
"""TCP_USER_TIMEOUT in milliseconds: a client that acknowledges nothing for this long counts as gone."""

EVERYWHERE = "::"
"""The address of a socket that listens on all networks, IPv6 and IPv4."""

EVERYWHERE_BY_IPV4 = "0.0.0.0"  # noqa: S104 - the settings say ::, so every address

BACKLOG = 1024

CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""Cipher suites for TLS 1.2: forward secrecy and authenticated encryption, no CBC mode, as all suites of TLS 1.3."""

UNREAD_BYTES = 32_768
"""Size of the kernel's send buffer; for a slow viewer, newer events are skipped instead of queued."""

READ_BYTES = 4096
"""Maximum bytes read from a connection at once, and read ahead; asyncio would read 256 kB."""

WRITE_BYTES = 8192
"""Bytes of a response written at once, in addition to the kernel's buffer; the rest waits for the client to read."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket whose connections detect lost clients; without IPv6, `::` becomes IPv4 only.

    Raises:
        SettingError: host or port cannot be bound; the message says what to do. `PortTaken` if the port is in use.
    """
    if host == EVERYWHERE and not _has_ipv6():
        host = EVERYWHERE_BY_IPV4
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:  # UnicodeError: a name with an empty or overlong label
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
    """Whether the kernel supports IPv6, which booting with `ipv6.disable=1` turns off."""
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close()
    except OSError:
        return False
    return True


def adopt(sockets: Sequence[socket.socket], web: WebSettings) -> socket.socket:
    """The systemd socket that matches the settings, else a new socket; all other sockets are shut down.

    Connections to sockets that are shut down are refused; the next start of the program can reopen them.

    Raises:
        SettingError: host or port cannot be bound; `PortTaken` if the port is in use.
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
    """Limit the memory that a connection's buffers use, whichever side does not read."""
    transport.set_write_buffer_limits(WRITE_BYTES)
    if hasattr(transport, "set_read_buffer_limits"):  # TLS
        transport.set_read_buffer_limits(READ_BYTES)
    else:
        cast("Any", transport).max_size = READ_BYTES


def tls_context(certificate: str, key: str) -> "ssl.SSLContext | None":
    """The TLS context for the certificate and its key; None if neither file is set.

    Raises:
        SettingError: a file is missing or cannot be read, or they do not belong together.
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
    import asyncio.sslproto  # noqa: PLC0415 - only with a certificate
    import ssl  # noqa: PLC0415 - same here

    asyncio.sslproto.SSLProtocol.max_size = READ_BYTES  # each connection has a buffer of that size
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(CIPHERS)
    try:
        # an empty password, else OpenSSL would prompt for one at a terminal that a service does not have
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
        if hasattr(socket, name):  # some exist only on Linux
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if listener.family is socket.AF_INET6 and listener.getsockname()[1] == 0:  # not possible once it is bound
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
