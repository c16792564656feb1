"""The few words of ASGI that the rooms of the web share."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

AT_ONCE = "pegboard.at_once"
"""The extension of a scope by which a chunk of an answer that has begun, framed already, goes out at once."""

AtOnce: TypeAlias = Callable[[bytes], bool]
"""Writes such a chunk; False, and nothing is written, while the peer has not taken what was sent before."""


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a request header (name in lower case), several joined by commas; None where there is none."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ", ".join(values) if values else None


async def answer(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Send a whole answer."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
