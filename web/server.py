"""The web server: one listening socket of our own, one event loop in a thread, and the rooms behind the guard."""

import asyncio
import contextlib
import logging
import resource
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from pegboard.config import Settings
from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.registry import Devices
from pegboard.errors import SettingError
from pegboard.feed import Feed
from pegboard.scoreboard import Scoreboard
from web.access.invitation import invitation
from web.access.sessions import Access
from web.api.bench_protocol import Bench
from web.api.export_stream import EXPORTS, Exports
from web.api.games import IMPORT, STATISTICS
from web.api.import_gate import Bringing
from web.api.service_info import Service
from web.app import create_app
from web.http.asgi import AT_ONCE, App, Receive, Scope, Send
from web.http.client_address import Proxies, plain
from web.http.connections import Crowd, Entrance
from web.http.guard import Guard, Turnstile, own_names, seal
from web.http.listener import listen
from web.http.problems import JSON_TYPE, TITLES, Problem
from web.http.request_body import Whole
from web.http.static_files import Shelf, assets
from web.http.worker_pool import Lane, Threads
from web.live.event_stream import Gallery

log = logging.getLogger(__name__)

SILENCE_S = 10.0
"""Seconds in which the head of a request must have arrived."""

HANDSHAKE_S = 10.0
"""Seconds in which a connection must have agreed upon its cipher."""

LAST_WORDS_S = 0.2
"""Seconds that a connection has at the end to take what was sent to it."""

FAREWELL_S = 0.45
"""Seconds that stopping may take."""

SCORING = frozenset({f"/api/v1/{what}" for what in ("commands", "preview", "me", "pair", "unpair")})
"""Where scores are asked for, and who may: a lane of their own, which no page holds up."""

SCORERS = 1
"""Threads for them: the scoreboard takes one command at a time anyway."""

READERS = 1
"""Threads for pages: they only compute, and more of them would keep the scorers' from the processor."""

HISTORIANS = 1
"""Threads for statistics, exports and imports."""

MOST_STATISTICS = 8
"""Requests for statistics that wait."""

OTHER_FILES = 256
"""File descriptors for everything but viewers."""


NOT_HTTP = Problem(400, "not_http", "not_http")


STATUS_PHRASES.update({status: title.encode() for status, title in TITLES.items()})  # uvicorn asks Python for them

Closing: TypeAlias = Callable[[], None]


class Server:
    """The web server of one table."""

    def __init__(
        self,
        scoreboard: Scoreboard,
        feed: Feed,
        settings: Settings,
        bench: Bench | None = None,
        door: socket.socket | None = None,
        *,
        folder: Path,
        devices: Devices | None = None,
        lock: ssl.SSLContext | None = None,
        lights: BrightnessControl | None = None,
        command: str | None = None,
    ) -> None:
        """A server on the listening socket `door`, or on one of its own, as set; https with a `lock`.

        `folder` keeps who is paired; `devices` tells of the hardware; `command` starts a table that phones reach.

        Raises:
            SettingError: a proxy is set that is no address.
        """
        self._web, self._folder, self._lock, self._command = settings.web, folder, lock, command
        self._proxies = Proxies(settings.web.proxies)
        self._devices = devices or Devices(scoreboard.devices)
        self._lights = lights or BrightnessControl(scoreboard.shine)
        self._parts = (scoreboard, feed, settings, bench)
        self._socket = door
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
        self._socket = self._socket or listen(self._web.host, self._web.port)
        self._port: int = self._socket.getsockname()[1]
        _make_room(self._web.viewers)
        self.access = Access(self._folder, self._web, self._way)
        self._socket = Entrance(self._socket, Crowd(self._web, self._proxies), HANDSHAKE_S)
        self._loop = _Loop(*self._rooms(), self._lock, self._socket)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()
        self._loop.ready.wait()
        if not self._loop.started:
            raise SettingError("server_not_begun")

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

    def _rooms(self) -> tuple[App, Gallery, list[Closing]]:
        scoreboard, feed, settings, bench = self._parts
        gallery = Gallery(feed, self._web, bench, sees_codes=self.access.sees_codes)
        service = Service(self._devices, lambda: gallery.looking_on, lights=self._lights)
        self._pages = create_app(scoreboard, settings, bench, service=service, join=self._way, access=self.access)
        pages = self._pages.wsgi_app
        readers, scorers = Threads(READERS, "pages"), Threads(SCORERS, "scores")
        historians = Threads(HISTORIANS, "history")
        reading, scoring = Lane(pages, readers, READERS), Lane(pages, scorers, SCORERS, keeps=True)
        adding = Lane(pages, historians, HISTORIANS, most=MOST_STATISTICS)
        exports = Exports(scoreboard.history.folder, Whole(reading), historians)
        rooms: dict[str, App] = {
            "/events": gallery,
            **dict.fromkeys(SCORING, Whole(scoring)),
            **dict.fromkeys(EXPORTS, exports),
            STATISTICS: Whole(adding),
            IMPORT: Bringing(adding, self.access),
        }
        guarded = Rooms(rooms, Shelf(assets(), Whole(reading)))
        guard = Guard(guarded, own_names(self._web), Turnstile(self._web), self._proxies)
        return guard, gallery, [part.close for part in (reading, scoring, adding, readers, scorers, historians)]

    def _way(self, code: str | None = None) -> dict[str, Any]:
        """How one comes to the table, with a code or without."""
        command = None if self._web.proxies else self._command  # a proxy may let phones in
        return invitation(self._web.host, self._port, code, secure=self._lock is not None, command=command)


class Rooms:
    """Sends a request to the room its path names, else to the pages."""

    def __init__(self, rooms: Mapping[str, App], others: App) -> None:
        self._rooms, self._others = rooms, others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._rooms.get(scope["path"], self._others)(scope, receive, send)


class _Loop(uvicorn.Server):
    """uvicorn without its clock: it sleeps until it is told to quit."""

    def __init__(
        self, app: App, gallery: Gallery, closing: list[Closing], lock: ssl.SSLContext | None, entrance: Entrance
    ) -> None:
        super().__init__(
            uvicorn.Config(
                cast("Any", app),
                loop="asyncio",
                http=cast("Any", partial(_Connection, entrance=entrance)),
                ssl_context_factory=None if lock is None else lambda *_: lock,
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
        self._gallery, self._closing = gallery, closing
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
        for close in self._closing:
            close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End at once where nobody is connected: uvicorn gives the last words of connections a tenth of a second."""
        await asyncio.sleep(0)  # in which those are gone that have just left
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
        for one in (*self.servers, *(sockets or ())):
            one.close()

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
    """One connection: it may not be silent for long, leaves when it is told to, and is one of few of its address."""

    _silence: asyncio.TimerHandle | None = None

    def __init__(self, *told: Any, entrance: Entrance, **more: Any) -> None:
        super().__init__(*told, **more)
        self._entrance = entrance
        self._rooms, self.app = self.app, cast("Any", self._ask)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        has_room = self._entrance.greet(peer)
        super().connection_made(transport)
        self._watch()
        if not has_room:
            transport.write(self._said(_too_many(plain(peer[0]))))
            transport.close()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unwatch()

    def shutdown(self) -> None:
        super().shutdown()
        is_export = self.scope is not None and self.scope["path"] in EXPORTS  # it has no last words
        self.loop.call_later(0 if is_export else LAST_WORDS_S, self.transport.abort)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words are not for people
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.write(self._said(NOT_HTTP))
        self.transport.close()

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["http_version"] == "1.1":  # older ones take no chunks
            scope["extensions"] = {AT_ONCE: self._at_once}
        await self._rooms(cast("Any", scope), cast("Any", receive), cast("Any", send))

    def _at_once(self, chunk: bytes) -> bool:
        """Write past h11, which for a chunk keeps no count: a thousand viewers are told in half the time."""
        if self.flow.write_paused or self.cycle.disconnected or self.cycle.response_complete:
            return False
        self.transport.write(chunk)
        return True

    def _said(self, problem: Problem) -> bytes:
        """An answer to what has not even become a request."""
        body = problem.json()
        framing = [
            (b"content-type", JSON_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
        ]
        response = h11.Response(status_code=problem.status, headers=[*framing, *seal()], reason=problem.title.encode())
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


def _too_many(address: str) -> Problem:
    return Problem(429, "too_fast", "connections", headers={"Retry-After": "2"}, address=address)


def _make_room(viewers: int) -> None:
    """Let the process have a file descriptor for each viewer, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = viewers + OTHER_FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
