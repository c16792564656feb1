"""Hands an application whole requests, so that no thread ever waits for a slow peer."""

import asyncio

from web.http.asgi import App, Message, Receive, Scope, Send, header
from web.http.problems import Problem

MOST_BYTES = 2048
"""Of a request's body; a command has some 150."""

SWALLOWED_BYTES = 65_536
"""Read of a body that is too large, so that its sender gets to read the refusal."""

PATIENCE_S = 5.0
"""Seconds in which a body must have arrived."""

CLOSE = {"Connection": "close"}


class Whole:
    """An ASGI application that takes bodies for `app`: short ones, soon."""

    def __init__(
        self, app: App, most_bytes: int = MOST_BYTES, patience_s: float = 0, refusal: str = "too_large"
    ) -> None:
        """Take bodies of up to `most_bytes` within `patience_s` (0: `PATIENCE_S`); `refusal` is the key for more."""
        self._app, self._most, self._patience_s, self._refusal = app, most_bytes, patience_s, refusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: its body is too large or too slow.
        """
        patience_s = self._patience_s or PATIENCE_S
        try:
            async with asyncio.timeout(patience_s):
                body = await self._body(scope, receive)
        except TimeoutError:
            raise Problem(408, "too_slow", "too_slow", headers=CLOSE, seconds=f"{patience_s:.0f}") from None
        if body is not None:
            await self._app(_with_length(scope, body), _first(body, receive), send)

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body; None when the peer has left."""
        swallowed = max(SWALLOWED_BYTES, 2 * self._most)  # who is cut short while sending may never read why
        if int(header(scope, b"content-length") or 0) > swallowed:
            raise self._too_large()
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False) and len(body) <= swallowed
        if len(body) > self._most:
            raise self._too_large()
        return bytes(body)

    def _too_large(self) -> Problem:
        return Problem(413, "too_large", self._refusal, headers=CLOSE, most=self._most)


def _with_length(scope: Scope, body: bytes) -> Scope:
    """The request as if its body had been sent with its length: WSGI knows no chunks."""
    framing = (b"content-length", b"transfer-encoding")
    headers = [pair for pair in scope["headers"] if pair[0] not in framing]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}


def _first(body: bytes, receive: Receive) -> Receive:
    """What gives the whole body, and then what the peer does: leave."""
    bodies = [body]

    async def heard() -> Message:
        return {"type": "http.request", "body": bodies.pop(), "more_body": False} if bodies else await receive()

    return heard
