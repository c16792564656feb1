"""The web server: wires listener, middleware, live events, pages and API together, and runs them in one thread."""

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

# --- passes requests on to the applications that answer them: by their path, and by who sends them ---


class PathRouter:
    """An ASGI application that passes a request on by its path, else to `fallback`."""

    def __init__(self, routes: Mapping[str, App], fallback: App) -> None:
        self._routes, self._fallback = routes, fallback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._routes.get(scope["path"], self._fallback)(scope, receive, send)


class ScorersApart:
    """An ASGI application that passes requests of who may score on to `scores`, those of others to `others`.

    The others are refused there as they would be here, but hold up nobody who scores.
    """

    def __init__(self, scores: App, others: App, access: Access) -> None:
        self._scores, self._others, self._access = scores, others, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        role = self._access.session_of_scope(scope).role
        app = self._others if role == "viewer" or scope["method"] != "POST" else self._scores
        await app(scope, receive, send)


log = logging.getLogger("pegboard")


HANDSHAKE_S = 10.0
"""Seconds in which the TLS handshake of a connection must be done."""


STOP_S = 0.45
"""Seconds that stopping may take."""


COMMANDS, PREVIEW = "/api/v1/commands", "/api/v1/preview"
"""Paths whose requests, of who may score, have queues of their own, which no page and no stranger holds up."""


UNPAIRED_S = 0.6
"""Seconds from the end of an unpaired device's streams to that of its connections; pages wait longer for another."""


PAIRING = frozenset({f"/api/v1/{name}" for name in ("pair", "unpair", "pairing", "paired")})
"""Paths of the pairing, which may wait for the lock of its file: no command and no page waits with them."""


SCORING_THREADS = 1
"""The scoreboard handles one command at a time anyway."""


PREVIEW_THREADS = 1
"""Previews only compute, as pages do, and a long game's take long."""


PAGE_THREADS = 1
"""Pages only compute; more threads would take the processor from commands."""


PAIRING_THREADS = 1
"""They change one file, one after another."""


HISTORY_THREADS = 1
"""For statistics, exports and imports."""


MOST_STATISTICS = 8
"""Requests for statistics that may wait."""


OTHER_FILES = 256
"""File descriptors for everything but viewers."""


RESERVED_FILES = 128
"""File descriptors that no connection takes: the journal, displays, exports, and connections that are being closed."""


LEAST_CONNECTIONS = 32
"""Connections that there may be however few descriptors there are."""


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
        """Make a server, which `start` starts.

        Args:
            scoreboard: the scoreboard of the table.
            feed: its newest view.
            settings: of the program.
            bench: the workbench of mock mode.
            listener: the listening socket; None to open one as the settings say.
            folder: where pairings are stored.
            devices: the health of displays and inputs.
            tls: the TLS context; None for plain http.
            brightness: the brightness of the displays.
            command: the command that starts a table which phones reach; None where they reach this one.
            updates: the versions of this machine; None where there are none to choose from.
            watchdog: what knows which part has stalled.
            event: the table's part in events; None where it can have none.

        Raises:
            SettingError: a proxy in the settings is no address.
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
        """The port of the listening socket, which the system has chosen where the setting is 0."""
        assert self._listener is not None, "the server is not started"
        return self._port

    def start(self) -> None:
        """Listen, and return when requests are answered.

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
        """End all event streams and stop, within `STOP_S`; a server that was not started stays as it is."""
        if self._thread is not None:
            self._http.stop()
            self._thread.join(STOP_S)

    def watch(self, watchdog: Watchdog) -> None:
        """Have the event loop watched, and the threads that handle scores and pages; the server has been started."""
        watchdog.watch(ANSWERING, Ping(self._http.post, lambda: thread_ids(self._thread)).current_span)
        for part, threads in ((SCORES, self._scoring_threads), (PAGES, self._page_threads)):
            watchdog.watch(part, Ping(threads.post, threads.thread_ids).current_span)

    def look_for_unpaired(self) -> None:
        """End what devices hold that are not paired any more, whoever has unpaired them; to be called at intervals."""
        with contextlib.suppress(StateFileError, RuntimeError):
            before, self._paired = self._paired, self._list_paired()
            if not before <= self._paired:
                self._http.post(self._end_unpaired)

    def report_exposure(self) -> None:
        """Say on every display that an open table is reached from the internet, once; to be called at intervals."""
        exposure = self.access.exposure
        exposure.check_own(own_addresses(self._web.host))
        if exposure.address is not None and not self._is_exposed:
            self._is_exposed = True
            log.warning("%s", exposure.message)
            self._devices.add(exposure.health)
            self._devices.wake()
            self._parts[0].keys.show_notice(exposure.message)

    def _make_app(self) -> tuple[App, list[Callable[[], None]]]:
        """The ASGI application, and what is to be called when the server stops."""
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
            COMMANDS: BufferedBody(ScorersApart(scores, pages, self.access)),
            PREVIEW: BufferedBody(ScorersApart(previews, pages, self.access)),
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
        """`pairing`, which then ends what devices hold that are not paired any more."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await pairing(scope, receive, send)
            if scope["method"] == "POST":
                self._end_unpaired()

        return answer

    def _end_unpaired(self) -> None:
        """End the streams of devices that are not paired any more, and a moment later what else they hold."""
        with contextlib.suppress(StateFileError):
            self._events.end_unpaired(self._list_paired())
        asyncio.get_running_loop().call_later(UNPAIRED_S, self._end_connections)

    def _end_connections(self) -> None:
        with contextlib.suppress(StateFileError):
            self._room.end_unpaired(self._list_paired())

    def _list_paired(self) -> frozenset[str]:
        return frozenset(device.id for device in self.access.devices)

    def _note_broken_tls(self, address: str) -> None:
        """Log that a connection has ended before its handshake: a scan, or a browser that did not go on."""
        if self._tls is not None:
            self.access.security_log.note_suspect("tls_failed", address, "the handshake was not completed")

    def _invitation(self, code: str | None = None) -> dict[str, Any]:
        """How others join the table, with a code or without one."""
        return invitation(
            self._web.host,
            self._port,
            code,
            secure=self._tls is not None,
            command=None if self._web.proxies else self._command,  # phones may reach it through a proxy
        )


def _raise_file_limit(viewers: int) -> int:
    """Let the process have a file descriptor for each viewer, as far as the system allows; how many it may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = viewers + OTHER_FILES
    if soft < wanted and soft != resource.RLIM_INFINITY:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
