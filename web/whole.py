"""Hands a WSGI application whole requests and takes whole answers, so that no thread ever waits for a slow peer."""

import asyncio

from web.asgi import App, Message, Receive, Scope, Send, header
from web.problems import Problem

MOST_BYTES = 2048
"""Of a request's body; a command has some 150."""

SWALLOWED_BYTES = 65_536
"""Read of a body that is too large, so that its sender gets to read the refusal."""

PATIENCE_S = 5.0
"""Seconds in which a body must have arrived."""

CLOSE = {"Connection": "close"}


class Whole:
    """An ASGI application that keeps both ends of `app` short."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: its body is too large or too slow.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                body = await _body(scope, receive)
        except TimeoutError:
            sentence = f"the body did not arrive within {PATIENCE_S:.0f} seconds; send it again"
            raise Problem(408, "too_slow", sentence, headers=CLOSE) from None
        if body is not None:
            for message in await self._answer(scope, body):
                await send(message)

    async def _answer(self, scope: Scope, body: bytes) -> tuple[Message, Message]:
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self._app(_with_length(scope, body), _just(body), keep)
        start, *rest = messages
        return start, {"type": "http.response.body", "body": b"".join(part.get("body", b"") for part in rest)}


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body; None when the peer has left."""
    announced = int(header(scope, b"content-length") or 0)
    if announced > SWALLOWED_BYTES:
        raise _too_large()
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False) and len(body) <= SWALLOWED_BYTES
    if len(body) > MOST_BYTES:
        raise _too_large()
    return bytes(body)


def _too_large() -> Problem:
    return Problem(413, "too_large", f"the body is too large; at most {MOST_BYTES} bytes are taken", headers=CLOSE)


def _with_length(scope: Scope, body: bytes) -> Scope:
    """The request as if its body had been sent with its length: WSGI knows no chunks."""
    framing = (b"content-length", b"transfer-encoding")
    headers = [pair for pair in scope["headers"] if pair[0] not in framing]
    return {**scope, "headers": [*headers, (b"content-length", str(len(body)).encode())]}


def _just(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
