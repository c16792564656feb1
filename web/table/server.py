"""The web server of a table: listener, middleware, live events, pages and API, run in one thread."""

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
from typing import Any

from pegboard.config import Settings
from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.health import Devices
from pegboard.errors import SettingError
from pegboard.feed import Feed
from pegboard.install.director_updates import DirectorUpdates
from pegboard.table.event_table import EventTable
from pegboard.table.scoreboard import Scoreboard
from pegboard.watchdog import ANSWERING, PAGES, SCORES, Ping, Watchdog, thread_ids
from web.access.invitation import invitation, own_addresses
from web.access.pairing_file import StateFileError
from web.access.sessions import Access
from web.http.asgi import App, Receive, Scope, Send
from web.http.client_address import Proxies
from web.http.connections import ConnectionRoom, CountingListener
from web.http.listener import listen
from web.http.request_body import BufferedBody
from web.http.security_middleware import Guard, RequestLimiter, own_names
from web.http.static_files import StaticFiles, assets
from web.http.uvicorn_server import UvicornServer
from web.http.worker_pool import DaemonExecutor, FairQueue
from web.kit.wrong_name_page import wrong_name_page
from web.table.app import create_app
from web.table.event_stream import EventStream
from web.table.games_api import STATISTICS
from web.table.program_parts import Bench, Service
from web.table.transfer_api import EXPORTS, LARGE_BODIES, Exports, LargeBodyGate

# --- request routing: by path, and by whether the client may score ---


class PathRouter:
    """An ASGI application that routes requests by path, with a `fallback`."""

    def __init__(self, routes: Mapping[str, App], fallback: App) -> None:
        self._routes, self._fallback = routes, fallback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        await self._routes.get(scope["path"], self._fallback)(scope, receive, send)


class ScorerRouter:
    """An ASGI application that routes requests of clients that may score to `scores`, others to `others`.

    `others` refuses them just the same, but they do not delay anybody who scores.
    """

    def __init__(self, scores: App, others: App, access: Access) -> None:
        self._scores, self._others, self._access = scores, others, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        role = self._access.session_of_scope(scope).role
        app = self._others if role == "viewer" or scope["method"] != "POST" else self._scores
        await app(scope, receive, send)


log = logging.getLogger("pegboard")


HANDSHAKE_S = 10.0
"""Timeout in seconds for a connection's TLS handshake."""


STOP_S = 0.45
"""Maximum seconds for stopping."""


COMMANDS, PREVIEW = "/api/v1/commands", "/api/v1/preview"
"""Paths with queues of their own for clients that may score, so that pages and strangers do not delay them."""


UNPAIRED_S = 0.6
"""Seconds between closing an unpaired device's streams and its connections; pages wait longer before reconnecting."""


PAIRING = frozenset({f"/api/v1/{name}" for name in ("pair", "unpair", "pairing", "paired")})
"""Paths for pairing, which may wait for a file lock, so they must not delay commands and pages."""


SCORING_THREADS = 1
"""One, because the scoreboard handles one command at a time anyway."""


PREVIEW_THREADS = 1
"""One, because previews are CPU-bound, as pages are; that of a long game is slow."""


PAGE_THREADS = 1
"""One, because pages are CPU-bound; more threads would take CPU time from commands."""


PAIRING_THREADS = 1
"""One, because they change one file in turn."""


HISTORY_THREADS = 1
"""For statistics, exports and imports."""


MOST_STATISTICS = 8
"""Maximum waiting requests for statistics."""


OTHER_FILES = 256
"""File descriptors for everything but viewers."""


RESERVED_FILES = 128
"""File descriptors reserved from connections: for the journal, displays, exports, and closing connections."""


LEAST_CONNECTIONS = 32
"""Minimum number of allowed connections, however few descriptors there are."""


class Server:
    """The web server of one table."""

    def __init__(
        self,
        scoreboard: Scoreboard,
        feed: Feed,
        settings: Settings,
        bench: Bench | None = None,
        listener: socket.socket | None = None,
        *,
        folder: Path,
        devices: Devices | None = None,
        tls: ssl.SSLContext | None = None,
        brightness: BrightnessControl | None = None,
        command: str | None = None,
        updates: DirectorUpdates | None = None,
        watchdog: Watchdog | None = None,
        event: EventTable | None = None,
    ) -> None:
        """Prepare the server; `start` starts it.

        Args:
            scoreboard: the scoreboard of the table.
            feed: the feed of its views.
            settings: the program's settings.
            bench: the workbench of mock mode.
            listener: the listening socket; None to open one by the settings.
            folder: the folder of the pairings.
            devices: the health of displays and inputs.
            tls: the TLS context; None for plain HTTP.
            brightness: the brightness of the displays.
            command: the command that starts a table that phones can reach; None if they can reach this one.
            updates: the versions of this machine; None if it cannot be updated.
            watchdog: knows which parts have stalled.
            event: the table's part in events, or None.

        Raises:
            SettingError: a proxy in the settings is not an address.
        """
        self._web, self._folder, self._tls, self._command = settings.web, folder, tls, command
        self._proxies = Proxies(settings.web.proxies)
        self._devices = devices or Devices(scoreboard.set_devices)
        self._brightness = brightness or BrightnessControl(scoreboard.set_brightness)
        self._parts = (scoreboard, feed, settings, bench)
        self._updates, self._watchdog, self._event = updates, watchdog or Watchdog(), event
        self._listener = listener
        self._thread: threading.Thread | None = None
        self._is_exposed = False
        self._paired: frozenset[str] = frozenset()

    @property
    def port(self) -> int:
        """The port of the listening socket; chosen by the system if the setting is 0."""
        assert self._listener is not None, "the server is not started"
        return self._port

    def start(self) -> None:
        """Listen, and return when the server answers requests.

        Raises:
            SettingError: host or port cannot be bound.
        """
        listener = self._listener or listen(self._web.host, self._web.port)
        self._port: int = listener.getsockname()[1]
        files = _raise_file_limit(self._web.viewers)
        self._room = ConnectionRoom(max(LEAST_CONNECTIONS, files - RESERVED_FILES))
        self.access = Access(self._folder, self._web, self._invitation)
        self._listener = CountingListener(
            listener, self._web, self._proxies, HANDSHAKE_S, self._room, note_unfinished=self._note_broken_tls
        )
        app, on_stop = self._make_app()
        self._http = UvicornServer(
            app,
            self._listener,
            self._tls,
            on_start=self._events.open,
            on_stop=on_stop,
            abrupt=EXPORTS.keys(),
            device_of=self.access.device_of,
            security_log=self.access.security_log,
            refusal_delays=self._limiter.refusals,
        )
        self._thread = threading.Thread(target=self._http.serve_forever, name="web", daemon=True)
        self._thread.start()
        self._http.ready.wait()
        if not self._http.started:
            raise SettingError("server_not_begun")

    def stop(self) -> None:
        """End all event streams and stop, within `STOP_S`; does nothing if not started."""
        if self._thread is not None:
            self._http.stop()
            self._thread.join(STOP_S)

    def watch(self, watchdog: Watchdog) -> None:
        """Add the event loop and the threads for scores and pages to the watchdog; call it after `start`."""
        watchdog.watch(ANSWERING, Ping(self._http.post, lambda: thread_ids(self._thread)).current_span)
        for part, threads in ((SCORES, self._scoring_threads), (PAGES, self._page_threads)):
            watchdog.watch(part, Ping(threads.post, threads.thread_ids).current_span)

    def look_for_unpaired(self) -> None:
        """Close streams and connections of unpaired devices, whichever program unpaired them; call it at intervals."""
        with contextlib.suppress(StateFileError, RuntimeError):
            before, self._paired = self._paired, self._list_paired()
            if not before <= self._paired:
                self._http.post(self._end_unpaired)

    def report_exposure(self) -> None:
        """Warn once on every display if an open table can be reached from the internet; call it at intervals."""
        exposure = self.access.exposure
        exposure.check_own(own_addresses(self._web.host))
        if exposure.address is not None and not self._is_exposed:
            self._is_exposed = True
            log.warning("%s", exposure.message)
            self._devices.add(exposure.health)
            self._devices.wake()
            self._parts[0].keys.show_notice(exposure.message)

    def _make_app(self) -> tuple[App, list[Callable[[], None]]]:
        """The ASGI application, and the functions to call when the server stops."""
        scoreboard, feed, settings, bench = self._parts
        self._events = EventStream(
            feed, self._web, bench, sees_codes=self.access.sees_codes, device_of=self.access.device_of
        )
        own: dict[str, Any] = {"brightness": self._brightness, "updates": self._updates, "event": self._event}
        service = Service(self._devices, lambda: self._events.viewer_count, stalls=self._watchdog.stalls, **own)
        shared: dict[str, Any] = {"service": service, "join": self._invitation, "access": self.access}
        self._flask = create_app(scoreboard, settings, bench, **shared)
        wsgi = self._flask.wsgi_app
        self._page_threads = page_threads = DaemonExecutor(PAGE_THREADS, "pages")
        self._scoring_threads = scoring_threads = DaemonExecutor(SCORING_THREADS, "scores")
        self._preview_threads = preview_threads = DaemonExecutor(PREVIEW_THREADS, "previews")
        pairing_threads = DaemonExecutor(PAIRING_THREADS, "pairing")
        history_threads = DaemonExecutor(HISTORY_THREADS, "history")
        queue = partial(FairQueue, wsgi, device_of=self.access.device_of)
        pages = queue(page_threads, PAGE_THREADS)
        previews = queue(preview_threads, PREVIEW_THREADS)
        scores = queue(scoring_threads, SCORING_THREADS, outlives_client=True)
        pairing = queue(pairing_threads, PAIRING_THREADS, outlives_client=True)
        history = queue(history_threads, HISTORY_THREADS, limit=MOST_STATISTICS)
        folder = scoreboard.history.folder
        exports = Exports(folder, pages, history_threads, session_of=self.access.session_of_scope)
        routes: dict[str, App] = {
            "/events": BufferedBody(self._events),
            COMMANDS: BufferedBody(ScorerRouter(scores, pages, self.access)),
            PREVIEW: BufferedBody(ScorerRouter(previews, pages, self.access)),
            **dict.fromkeys(PAIRING, self._ends_unpaired(BufferedBody(pairing))),
            **dict.fromkeys(EXPORTS, BufferedBody(exports)),
            STATISTICS: BufferedBody(history),
            **{path: LargeBodyGate(history, self.access, kind) for path, kind in LARGE_BODIES.items()},
        }
        router = PathRouter(routes, StaticFiles(assets(), BufferedBody(pages)))
        note_client, security_log = self.access.exposure.check_client, self.access.security_log
        limiter = self._limiter = RequestLimiter(self._web, device_of=self.access.device_of)
        guard = Guard(
            router,
            own_names(self._web),
            limiter,
            self._proxies,
            note_client,
            security_log=security_log,
            wrong_name_page=wrong_name_page,
        )
        threads = (page_threads, preview_threads, scoring_threads, pairing_threads, history_threads)
        parts = (self._events, pages, previews, scores, pairing, history, *threads)
        return guard, [part.close for part in parts]

    def _ends_unpaired(self, pairing: App) -> App:
        """Wrap `pairing` to close streams and connections of unpaired devices after each POST."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await pairing(scope, receive, send)
            if scope["method"] == "POST":
                self._end_unpaired()

        return answer

    def _end_unpaired(self) -> None:
        """Close the streams of devices that are no longer paired, and a moment later their connections."""
        with contextlib.suppress(StateFileError):
            self._events.end_unpaired(self._list_paired())
        asyncio.get_running_loop().call_later(UNPAIRED_S, self._end_connections)

    def _end_connections(self) -> None:
        with contextlib.suppress(StateFileError):
            self._room.end_unpaired(self._list_paired())

    def _list_paired(self) -> frozenset[str]:
        return frozenset(device.id for device in self.access.devices)

    def _note_broken_tls(self, address: str) -> None:
        """Log a connection that ended before its handshake: a scan, or a browser that timed out."""
        if self._tls is not None:
            self.access.security_log.note_suspect("tls_failed", address, "the handshake was not completed")

    def _invitation(self, code: str | None = None) -> dict[str, Any]:
        """How to join the table, with a code or without one."""
        return invitation(
            self._web.host,
            self._port,
            code,
            secure=self._tls is not None,
            command=None if self._web.proxies else self._command,  # phones may reach it through a proxy
        )


def _raise_file_limit(viewers: int) -> int:
    """Raise the limit of file descriptors to one for each viewer, as far as allowed; returns the usable number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = viewers + OTHER_FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
