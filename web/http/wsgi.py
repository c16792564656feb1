"""WSGI within ASGI: call an application with a whole request and collect its whole response (PEP 3333)."""

import io
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from web.http.asgi_helpers import Headers, Scope

WsgiApp: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

UNPREFIXED = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})
"""Headers that CGI passes on without `HTTP_` before their names."""


def call_wsgi(app: WsgiApp, scope: Scope, body: bytes) -> tuple[int, Headers, bytes]:
    """Status, headers (without a length) and body of the response to a request."""
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
    """The variables of a request; texts are bytes as WSGI writes them: one Latin-1 letter for each."""
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
        if b"_" in name:  # it would be taken for the one with a dash
            continue
        variable = _variable_of(name.decode("latin-1"))
        before = f"{environ[variable]}," if variable in environ else ""
        environ[variable] = before + value.decode("latin-1")
    return environ


def _variable_of(header: str) -> str:
    name = header.upper().replace("-", "_")
    return name if name in UNPREFIXED else f"HTTP_{name}"
