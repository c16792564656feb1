"""ASGI types and helpers: the scope's headers, a whole response, and the extension that sends a chunk at once."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
AsgiMessage: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
Send: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

SEND_NOW = "pegboard.send_now"
"""The scope extension that sends a framed chunk of a response that has started, without waiting for the event loop."""

SendNow: TypeAlias = Callable[[bytes], bool]
"""Sends such a chunk; returns False, and sends nothing, while the client has not read what was sent before."""


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a request header (name in lower case), several joined by commas; None where there is none."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ", ".join(values) if values else None


async def answer(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Send a whole response, with the length of its body."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
