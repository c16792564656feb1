"""ASGI types and helpers: request headers, complete responses, chunks sent immediately, calls of WSGI applications."""

import io
import sys
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]

AsgiMessage: TypeAlias = MutableMapping[str, Any]

Receive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]

Send: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]

App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

Headers: TypeAlias = list[tuple[bytes, bytes]]

PORTS = {"http": 80, "https": 443}
"""Default ports, which addresses and origins omit."""

SEND_NOW = "pegboard.send_now"
"""The scope extension that sends a framed chunk of a started response without waiting for the event loop."""

SendNow: TypeAlias = Callable[[bytes], bool]
"""Sends a framed chunk; returns False, with nothing sent, if the client has not read the earlier chunks yet."""


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a request header (`name` in lower case), repeated headers joined by commas; None if missing."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ", ".join(values) if values else None


async def answer(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Send a complete response with its Content-Length."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})


# --- WSGI within ASGI: call an application with a complete request and collect its response (PEP 3333) ---


WsgiApp: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

UNPREFIXED = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})
"""Headers that CGI passes without the `HTTP_` prefix."""


def call_wsgi(app: WsgiApp, scope: Scope, body: bytes) -> tuple[int, Headers, bytes]:
    """Call a WSGI application; returns status, headers (without Content-Length) and body of its response."""
    started: list[tuple[str, list[tuple[str, str]]]] = []
    parts: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]], *_: Any) -> Callable[[bytes], None]:
        started.append((status, headers))
        return parts.append

    chunks = app(environ_of(scope, body), start_response)
    try:
        parts.extend(chunks)
    finally:
        getattr(chunks, "close", lambda: None)()
    status, pairs = started[-1]
    headers = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in pairs]
    return int(status.partition(" ")[0]), [pair for pair in headers if pair[0] != b"content-length"], b"".join(parts)


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """The WSGI environ of a request; strings hold one Latin-1 character for each byte, as WSGI requires."""
    server, port = scope.get("server") or ("localhost", 80)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    environ |= {"REMOTE_ADDR": scope["client"][0]} if scope.get("client") else {}
    for name, value in scope["headers"]:
        if b"_" in name:  # in the environ, it would look like the name with a dash
            continue
        variable = _variable_of(name.decode("latin-1"))
        before = f"{environ[variable]}," if variable in environ else ""
        environ[variable] = before + value.decode("latin-1")
    return environ


def _variable_of(header: str) -> str:
    name = header.upper().replace("-", "_")
    return name if name in UNPREFIXED else f"HTTP_{name}"
