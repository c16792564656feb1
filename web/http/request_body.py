"""Request bodies: read whole before they need a thread, with a size limit and a timeout; dropped after a refusal."""

import asyncio
import contextlib

from web.http.asgi import App, AsgiMessage, Receive, Scope, Send, header
from web.http.problems import Problem

MAX_BYTES = 2048
"""Maximum bytes of a request body; a command has some 150."""

DISCARDED_BYTES = 65_536
"""Bytes of an oversized body that are read and discarded, so that its sender gets to read the refusal."""

TIMEOUT_S = 5.0
"""Timeout in seconds for receiving a body."""

CLOSE = {"Connection": "close"}


class BufferedBody:
    """An ASGI application that reads the request body for `app`."""

    def __init__(
        self, app: App, max_bytes: int = MAX_BYTES, timeout_s: float = TIMEOUT_S, refusal: str = "too_large"
    ) -> None:
        """Read up to `max_bytes` within `timeout_s` seconds; `refusal` is the key of the message for a larger body."""
        self._app, self._max, self._timeout_s, self._refusal = app, max_bytes, timeout_s, refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request.

        Raises:
            Problem: the body is too large or too slow.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                body = await self._read(scope, receive)
        except TimeoutError:
            raise Problem(408, "too_slow", "too_slow", headers=CLOSE, seconds=f"{self._timeout_s:.0f}") from None
        if body is not None:
            await self._app(_with_length(scope, body), _replay(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None if the client has disconnected."""
        is_chunked = header(scope, b"transfer-encoding") is not None  # each chunk costs time, and more would follow
        discarded = self._max if is_chunked else max(DISCARDED_BYTES, 2 * self._max)  # else the sender may get a reset
        if int(header(scope, b"content-length") or 0) > discarded:
            raise self._too_large()
        body, received = bytearray(), 0
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            received += len(part)
            if received <= self._max:
                body += part
            else:
                body.clear()  # from now on, only count
            more = message.get("more_body", False) and received <= discarded
        if received > self._max:
            raise self._too_large()
        return bytes(body)

    def _too_large(self) -> Problem:
        return Problem(413, "too_large", self._refusal, headers=CLOSE, most=self._max)


async def drop_body(receive: Receive, seconds: float) -> None:
    """Drop the rest of a body: closing a connection with unread bytes resets it, and the response would be lost."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (await receive()).get("more_body", False):
                pass


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has disconnected; its request body must be read already, else this never ends."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def wait_while_connected(receive: Receive, seconds: float) -> None:
    """Wait while the client stays connected; reads no more of a body than is allowed."""
    received = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while received <= MAX_BYTES:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return
                received += len(message.get("body", b""))
            await asyncio.sleep(seconds)


def _with_length(scope: Scope, body: bytes) -> Scope:
    """The request as if its body had been sent with a length, because WSGI does not support chunks."""
    headers = [pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the whole body again, then waits for the client to disconnect."""
    bodies = [body]

    async def receive_again() -> AsgiMessage:
        return {"type": "http.request", "body": bodies.pop(), "more_body": False} if bodies else await receive()

    return receive_again
