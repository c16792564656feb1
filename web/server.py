"""The web server: one listening socket of our own, one event loop in a thread, and the rooms behind the guard."""

import asyncio
import contextlib
import errno
import logging
import resource
import socket
import threading
from collections.abc import Mapping
from typing import Any, cast

import h11
import uvicorn
from a2wsgi import WSGIMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from pegboard.config import Settings
from pegboard.errors import SettingError
from pegboard.feed import Feed
from pegboard.scoreboard import Scoreboard
from web.app import create_app
from web.asgi import App, Receive, Scope, Send
from web.bench import Bench
from web.events import Gallery
from web.guard import Guard, own_names, seal
from web.join import invitation
from web.problems import JSON_TYPE, Problem
from web.whole import Whole

log = logging.getLogger(__name__)

SILENCE_S = 10.0
"""Seconds in which the head of a request must have arrived."""

LAST_WORDS_S = 0.2
"""Seconds that a connection has at the end to take what was sent to it."""

FAREWELL_S = 0.45
"""Seconds that stopping may take."""

GONE_MS = 20_000
"""Milliseconds after which a phone that acknowledges nothing has left."""

UNREAD_BYTES = 32_768
"""Kept by the kernel for a slow viewer; what is newer is skipped instead."""

WORKERS = 4
"""Threads for pages and commands: the scoreboard takes one command at a time anyway."""

OTHER_FILES = 256
"""File descriptors for everything but viewers."""


class Server:
    """The web server of one table."""

    def __init__(self, scoreboard: Scoreboard, feed: Feed, settings: Settings, bench: Bench | None = None) -> None:
        self._web = settings.web
        self._parts = (scoreboard, feed, settings, bench)
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port it listens on, as chosen by the system where the setting is 0."""
        assert self._socket is not None, "the server has not been started"
        return self._port

    def start(self) -> None:
        """Listen, and return when requests are answered.

        Raises:
            SettingError: host or port cannot be had.
        """
        self._socket = listen(self._web.host, self._web.port)
        self._port: int = self._socket.getsockname()[1]
        _make_room(self._web.viewers)
        self._loop = _Loop(*self._rooms())
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()
        self._loop.ready.wait()
        if not self._loop.started:
            raise SettingError("the web server could not begin; the log tells more")

    def stop(self) -> None:
        """Let every viewer go and end, within `FAREWELL_S`; a server that does not run stays as it is."""
        if self._thread is not None:
            self._loop.quit()
            self._thread.join(FAREWELL_S)

    def alive(self, patience_s: float) -> bool:
        """Whether the event loop answers within `patience_s` seconds."""
        return self._loop.answers(patience_s)

    def _run(self) -> None:
        assert self._socket is not None
        try:
            self._loop.run([self._socket])
        finally:
            self._loop.ready.set()

    def _rooms(self) -> tuple[App, Gallery, WSGIMiddleware]:
        scoreboard, feed, settings, bench = self._parts
        gallery = Gallery(feed, self._web, bench)
        pages = create_app(scoreboard, settings, bench, join=lambda: invitation(self._web.host, self._port))
        threads = WSGIMiddleware(cast("Any", pages.wsgi_app), workers=WORKERS)
        rooms = Rooms({"/events": gallery}, Whole(cast("App", threads)))
        return Guard(rooms, own_names(self._web)), gallery, threads


class Rooms:
    """Sends a request to the room its path names, else to the pages."""

    def __init__(self, rooms: Mapping[str, App], others: App) -> None:
        self._rooms, self._others = rooms, others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._rooms.get(scope["path"], self._others)(scope, receive, send)


class _Loop(uvicorn.Server):
    """uvicorn without its clock: it sleeps until it is told to quit."""

    def __init__(self, app: App, gallery: Gallery, threads: WSGIMiddleware) -> None:
        super().__init__(
            uvicorn.Config(
                cast("Any", app),
                loop="asyncio",
                http=_Connection,
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
        self._gallery, self._threads = gallery, threads
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._here = asyncio.get_running_loop()
        self._told = asyncio.Event()
        self._gallery.open()
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        await self._told.wait()
        self._gallery.close()
        self._threads.executor.shutdown(wait=False)

    def answers(self, patience_s: float) -> bool:
        """Whether the loop does something within so many seconds; called from another thread."""
        done = threading.Event()
        with contextlib.suppress(RuntimeError):
            self._here.call_soon_threadsafe(done.set)
        return done.wait(patience_s)

    def quit(self) -> None:
        """Have it end, if it has not yet; called from any thread."""
        with contextlib.suppress(RuntimeError):
            self._here.call_soon_threadsafe(self._told.set)


class _Connection(H11Protocol):
    """One connection: it may not be silent for long, and leaves when it is told to."""

    _silence: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unwatch()

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(LAST_WORDS_S, self.transport.abort)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words are not for people
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.write(self._not_http())
        self.transport.close()

    def _not_http(self) -> bytes:
        body = Problem(400, "not_http", "this is not a request in HTTP/1.1; open the table's page in a browser").json()
        framing = [
            (b"content-type", JSON_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        response = h11.Response(status_code=400, headers=[*framing, *seal()], reason="Bad Request")
        parts = (self.conn.send(part) for part in (response, h11.Data(data=body), h11.EndOfMessage()))
        return b"".join(part for part in parts if part)

    def _watch(self) -> None:
        """The time runs while the head of a request is awaited; uvicorn keeps its own between requests."""
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._unwatch()
        elif self._silence is None:
            self._silence = self.loop.call_later(SILENCE_S, self.transport.abort)

    def _unwatch(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None


def listen(host: str, port: int) -> socket.socket:
    """A listening socket whose connections notice when the other side has left.

    Raises:
        SettingError: host or port cannot be had; the sentence says what to do.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        door = socket.socket(family, kind, protocol)
    except OSError as error:
        raise SettingError(f"{host!r} is no address to listen on; 0.0.0.0 takes every one of this machine") from error
    try:
        _set_options(door)
        door.bind(address)
        door.listen(1024)
    except OSError as error:
        door.close()
        raise SettingError(_why_not(error, host, port)) from error
    return door


def _set_options(door: socket.socket) -> None:
    """Options that Linux hands down to every accepted connection."""
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    probes = {"TCP_USER_TIMEOUT": GONE_MS, "TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 2}
    for name, value in probes.items():
        if hasattr(socket, name):  # not every system has them
            door.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    if door.family is socket.AF_INET6:
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)


def _why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} is taken by another program; end that one, or choose another port with --port"
        case errno.EACCES:
            return f"port {port} needs rights that this program has not; choose one from 1024 up with --port"
        case errno.EADDRNOTAVAIL:
            return f"{host} is not an address of this machine; choose one with --host (0.0.0.0 takes every one)"
    return f"port {port} of {host} cannot be listened on: {error.strerror}; choose another with --port or --host"


def _make_room(viewers: int) -> None:
    """Let the process have a file descriptor for each viewer, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = viewers + OTHER_FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
