"""HTTP server: uvicorn with connection limits, request timeouts, event chunks that bypass h11, no wake-ups while idle.

All code that depends on uvicorn's internals is in this module. Of `Server` it overrides `startup`, `main_loop` and
`shutdown`, and reads `servers` and `server_state`; of `H11Protocol` it overrides `send_400_response` and
`on_response_complete`, reads `conn`, `cycle`, `flow`, `loop`, `scope` and `transport`, replaces `app` and `conn`
(`request_head`), and ends a `cycle` as if its client had disconnected; and it adds to `STATUS_PHRASES`. So
pyproject.toml allows one release series of uvicorn; tests/web/http/test_uvicorn_internals.py and
tests/web/test_server.py show whether another one works.
"""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from web.http.asgi import SEND_NOW, App, AsgiMessage, Receive, Scope, Send
from web.http.client_address import limited_address, strip_ipv4_mapped
from web.http.connections import CountingListener, UnsentBytes
from web.http.listener import READ_BYTES, bound_buffers
from web.http.problems import TITLES, Problem
from web.http.rate_limit import RefusalDelays
from web.http.request_body import drop_body
from web.http.request_head import BoundedConnection, bounded_headers
from web.http.security_log import SecurityLog

REQUEST_HEAD_S = 10.0
"""Timeout in seconds for receiving the head of a request."""

DRAIN_S = 0.2
"""Seconds for a client to read its response, at shutdown and when its request body is refused unread."""

STATUS_PHRASES.update({status: title.encode() for status, title in TITLES.items()})  # Python's own vary by version


class UvicornServer(uvicorn.Server):
    """uvicorn without its ten wake-ups a second: it sleeps until it is stopped.

    Attributes:
        ready: set when the server answers requests, or has failed to start.
    """

    def __init__(
        self,
        app: App,
        listener: CountingListener,
        tls: ssl.SSLContext | None,
        *,
        on_start: Callable[[], None],
        on_stop: Sequence[Callable[[], None]],
        abrupt: Container[str] = (),
        device_of: Callable[[Scope], str] = lambda _: "",
        security_log: SecurityLog | None = None,
        refusal_delays: RefusalDelays | None = None,
    ) -> None:
        """Serve `app` on `listener`.

        Args:
            app: an ASGI application.
            listener: the listening socket.
            tls: the TLS context; None for plain HTTP.
            on_start: called in the event loop before the first request.
            on_stop: called in the event loop when the server stops.
            abrupt: paths whose responses are cut off when the server stops.
            device_of: returns the paired device of a request, "" for none.
            security_log: logs connections that are refused before a request arrives.
            refusal_delays: the delays of such refusals.
        """
        protocol: dict[str, Any] = {"listener": listener, "abrupt": abrupt, "device_of": device_of}
        protocol |= {"security_log": security_log or SecurityLog(), "unsent": UnsentBytes()}
        protocol |= {"refusal_delays": refusal_delays or RefusalDelays()}
        super().__init__(
            uvicorn.Config(
                cast("Any", app),
                loop="asyncio",
                http=cast("Any", partial(HttpProtocol, **protocol)),
                ssl_context_factory=None if tls is None else lambda *_: tls,
                ws="none",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                log_level="error",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._listener, self._on_start, self._on_stop = listener, on_start, on_stop
        self.ready = threading.Event()

    def serve_forever(self) -> None:
        """Serve until `stop` is called."""
        try:
            self.run([self._listener])
        finally:
            self.ready.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving."""
        self._event_loop = asyncio.get_running_loop()
        self._stop_requested = asyncio.Event()
        self._on_start()
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """Sleep until `stop` is called."""
        await self._stop_requested.wait()
        for call in self._on_stop:
            call()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop at once if nobody is connected; uvicorn would wait a tenth of a second for connections to drain."""
        await asyncio.sleep(0)  # lets connections that have just closed be removed
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
        for one in (*self.servers, *(sockets or ())):
            one.close()

    def post(self, call: Callable[[], None]) -> None:
        """Schedule a call in the event loop from another thread, without waiting.

        Raises:
            RuntimeError: the event loop has ended.
        """
        self._event_loop.call_soon_threadsafe(call)

    def stop(self) -> None:
        """Shut down gracefully, unless the server has stopped; called from any thread."""
        with contextlib.suppress(RuntimeError):
            self._event_loop.call_soon_threadsafe(self._stop_requested.set)


class HttpProtocol(H11Protocol):
    """A connection: with a request timeout, errors as problem details, and a quick shutdown."""

    _head_timer: asyncio.TimerHandle | None = None
    _refusal_timer: asyncio.TimerHandle | None = None
    _is_refused = False

    def __init__(
        self,
        *args: Any,
        listener: CountingListener,
        abrupt: Container[str],
        device_of: Callable[[Scope], str],
        security_log: SecurityLog,
        unsent: UnsentBytes,
        refusal_delays: RefusalDelays,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self._security_log, self._unsent, self._refusal_delays = security_log, unsent, refusal_delays
        self._listener, self._abrupt, self._device_of = listener, abrupt, device_of
        self._next_app, self.app = self.app, cast("Any", self._serve)
        self.conn = self._bounded = BoundedConnection()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Refuse the connection if its address has too many connections."""
        peer = transport.get_extra_info("peername")
        connection = self._listener.handshake_done(peer)
        self._place = connection.place
        self._place.abort = self._end_connection
        bound_buffers(transport)
        super().connection_made(transport)
        self._time_head()
        if not connection.has_room:
            address, headers = strip_ipv4_mapped(peer[0]), {"Retry-After": "2"}
            problem = Problem(429, "too_fast", "connections", headers=headers, address=address)
            transport.write(self._bounded.refuse(problem))
            self._security_log.note_suspect("connections", address, "too many connections")
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Process received data."""
        if self._is_refused:
            return
        super().data_received(data)
        if self.cycle is not None and len(self.cycle.body) > READ_BYTES:
            self.flow.pause_reading()  # until the application reads it
        self._time_head()

    def on_response_complete(self) -> None:
        """Become idle until the next request; if this request's body is still arriving, drop it and close."""
        is_read = self.conn.their_state is not h11.SEND_BODY
        super().on_response_complete()
        self._listener.room.end_request(self._place)
        if not is_read and not self.transport.is_closing():
            self._close_when_read()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        super().connection_lost(exc)
        self._cancel_head_timer()
        if self._refusal_timer is not None:
            self._refusal_timer.cancel()

    def shutdown(self) -> None:
        """Give the client a moment to read the rest of a response."""
        super().shutdown()
        is_abrupt = self.scope is not None and self.scope["path"] in self._abrupt
        self.loop.call_later(0 if is_abrupt else DRAIN_S, self.transport.abort)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own message is not for people
        """Refuse a request that is not HTTP, has too large a head, or too small chunks."""
        if self._is_refused:
            return
        self._is_refused = True
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # its application sends nothing more
            self.cycle.message_event.set()
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self._close_when_read()
            return
        problem = self._bounded.refusal
        address = strip_ipv4_mapped((self.transport.get_extra_info("peername") or ("",))[0])
        self._security_log.note_suspect(problem.code, address, "invalid request")
        self.flow.pause_reading()
        delay_s = self._refusal_delays.next_s(limited_address(address), self._place.device)
        self._refusal_timer = self.loop.call_later(delay_s, self._refuse_unread, problem)

    def _refuse_unread(self, problem: Problem) -> None:
        if not self.transport.is_closing():
            self.transport.write(self._bounded.refuse(problem))
            self._close_when_read()

    def _drop_unparsed(self) -> None:
        """Drop all further data without parsing it."""
        self._is_refused = True
        self.flow.resume_reading()

    def _end_connection(self) -> None:
        """Close the connection so that the client can read what was sent; abort it if data is still unsent."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def _close_when_read(self) -> None:
        """Drop the rest of the request, then close; closing with unread bytes would reset it and lose the refusal."""
        self._drop_unparsed()
        if self.transport.can_write_eof():
            with contextlib.suppress(OSError):  # the client has disconnected
                self.transport.write_eof()
        self.loop.call_later(DRAIN_S, self.transport.close)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["headers"] = bounded_headers(scope["headers"])
        self._listener.room.begin_request(self._place, self._device_of(scope))
        if scope["http_version"] == "1.1":  # HTTP/1.0 has no chunks
            scope["extensions"] = {SEND_NOW: self._send_now}
        in_parts = partial(self._unsent.send_in_parts, self._place, send)
        send_bounded = partial(self._send, receive, in_parts)
        await self._next_app(cast("Any", scope), cast("Any", receive), cast("Any", send_bounded))

    async def _send(self, receive: Receive, send: Send, message: AsgiMessage) -> None:
        """Send a message; hold back the end of a response until the client has sent its body, up to `DRAIN_S`."""
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if is_last and self.conn.their_state is h11.SEND_BODY:
            await send({**message, "more_body": True})
            if self._bounded.is_chunked:
                self._drop_unparsed()
                await asyncio.sleep(DRAIN_S)
            else:
                await drop_body(receive, DRAIN_S)
            message = {"type": message["type"], "body": b""}
        await send(message)

    def _send_now(self, chunk: bytes) -> bool:
        """Write past h11, which does not count chunks; this halves the time to send an event to a thousand viewers."""
        if self.flow.write_paused or self.cycle.disconnected or self.cycle.response_complete:
            return False
        self.transport.write(chunk)
        return True

    def _time_head(self) -> None:
        """Limit the time for receiving a request's head; the time between requests is limited by uvicorn."""
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._cancel_head_timer()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(REQUEST_HEAD_S, self.transport.abort)

    def _cancel_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
