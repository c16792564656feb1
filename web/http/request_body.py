"""Request bodies are read whole before a thread is needed, within a size and a time limit."""

import asyncio
import contextlib

from web.http.asgi import App, AsgiMessage, Receive, Scope, Send, header
from web.http.problems import Problem

MAX_BYTES = 2048
"""Of a request body; a command has some 150."""

DISCARDED_BYTES = 65_536
"""Read of a body with a length that is too large, so that its sender gets to read the refusal."""

TIMEOUT_S = 5.0
"""Seconds in which a body must have arrived."""

CLOSE = {"Connection": "close"}


class BufferedBody:
    """An ASGI application that reads the request body for `app`."""

    def __init__(
        self, app: App, max_bytes: int = MAX_BYTES, timeout_s: float = TIMEOUT_S, refusal: str = "too_large"
    ) -> None:
        """Read up to `max_bytes` within `timeout_s` seconds; `refusal` is the key of the message for a larger body."""
        self._app, self._max, self._timeout_s, self._refusal = app, max_bytes, timeout_s, refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: its body is too large or too slow.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                body = await self._read(scope, receive)
        except TimeoutError:
            raise Problem(408, "too_slow", "too_slow", headers=CLOSE, seconds=f"{self._timeout_s:.0f}") from None
        if body is not None:
            await self._app(_with_length(scope, body), _replay(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None when the client has left."""
        is_chunked = header(scope, b"transfer-encoding") is not None  # each chunk takes time, and more follow anyway
        discarded = self._max if is_chunked else max(DISCARDED_BYTES, 2 * self._max)  # cut off, it may never read why
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
                body.clear()  # it is only counted from now on
            more = message.get("more_body", False) and received <= discarded
        if received > self._max:
            raise self._too_large()
        return bytes(body)

    def _too_large(self) -> Problem:
        return Problem(413, "too_large", self._refusal, headers=CLOSE, most=self._max)


async def drop_body(receive: Receive, seconds: float) -> None:
    """Drop what still comes of a body: a connection that is closed with bytes unread is reset, the response with it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while (await receive()).get("more_body", False):
                pass


async def wait_while_connected(receive: Receive, seconds: float) -> None:
    """Wait, but not for a client that leaves; of a body no more is read than one may have."""
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
    """The request as if its body had been sent with its length: WSGI has no chunks."""
    headers = [pair for pair in scope["headers"] if pair[0] not in (b"content-length", b"transfer-encoding")]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}


def _replay(body: bytes, receive: Receive) -> Receive:
    """Receives the whole body once more, and then what the client does: leave."""
    bodies = [body]

    async def receive_again() -> AsgiMessage:
        return {"type": "http.request", "body": bodies.pop(), "more_body": False} if bodies else await receive()

    return receive_again
