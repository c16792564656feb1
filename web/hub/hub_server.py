"""The web server of a hub: listener, middleware, live events, pages and API, run in one thread."""

import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pegboard.config import WebSettings
from pegboard.errors import SettingError
from pegboard.hub.ledger.ledger import UploadedPackages
from pegboard.hub.night_service import NightService
from pegboard.hub.packages.hub_keys import own_public_key
from web.access.invitation import invitation, qr
from web.access.pairing_file import StateFileError
from web.access.sessions import Access
from web.http.asgi import App, Receive, Scope, Send
from web.http.client_address import Proxies, limited_client
from web.http.connections import ConnectionRoom, CountingListener
from web.http.listener import listen
from web.http.request_body import BufferedBody
from web.http.security_middleware import Guard, RequestLimiter, own_names
from web.http.static_files import StaticFiles, assets
from web.http.uvicorn_server import UvicornServer
from web.http.worker_pool import DaemonExecutor, FairQueue, busy
from web.hub.file_api import IMPORT, LARGEST_IMPORT, LARGEST_PACKAGE, PACKAGES
from web.hub.hub_access import HubAccess
from web.hub.hub_app import create_hub_app
from web.hub.hub_parts import BrokerOf, HubParts, TableSeats
from web.hub.night_events import NightStreams
from web.hub.season_page import SeasonOfHub
from web.kit.wrong_name_page import wrong_name_page

# --- ASGI: limit on simultaneous packages, because each may use megabytes of memory while it is uploaded ---


MOST_AT_ONCE = 2
"""Maximum packages from paired devices at once; as many from unpaired ones, one per address."""


class PackageLimiter:
    """An ASGI application that limits simultaneous requests to `app`; unpaired clients never take a director's slot."""

    def __init__(self, app: App, device_of: Callable[[Scope], str]) -> None:
        """`device_of` returns the id of a request's paired device, "" for none."""
        self._app, self._device_of = app, device_of
        self._devices: list[str] = []
        self._strangers: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request.

        Raises:
            Problem: 503, too many are being received or verified.
        """
        device = self._device_of(scope)
        inside, client = (self._devices, device) if device else (self._strangers, limited_client(scope))
        if len(inside) >= MOST_AT_ONCE or (not device and client in inside):
            raise busy("desk_packages_busy")
        inside.append(client)
        try:
            await self._app(scope, receive, send)
        finally:
            inside.remove(client)


# --- cost of a request to a hub for rate limits: 1 is about a millisecond, measured with an event of eighty players ---


COSTS = (
    (re.compile(r"/(?:static|words)/|/night/v1/events"), 1),
    (re.compile(r"/night/v1/[^/]+/(?:screen|director|audit|players/[^/]+)$|/night/[^/]+/print/|/season"), 20),
    (re.compile(r"/night/v1/[^/]+/files/|/night/v1/packages"), 10),
    (re.compile(r"/night/v1/|/join"), 2),
)
"""Costs by path pattern; the first match counts."""


OTHER = 3
"""The cost of a page."""


def cost_at_hub(path: str) -> int:
    """The cost of a request for a path."""
    return next((cost for pattern, cost in COSTS if pattern.match(path)), OTHER)


HANDSHAKE_S = 10.0
"""Timeout in seconds for a connection's TLS handshake."""


STOP_S = 0.45
"""Maximum seconds for stopping."""


OTHER_FILES = 256
"""File descriptors for everything but streams and connections."""


EVENTS, DECISIONS = "/night/v1/events", "/night/v1/decisions"
"""Paths with threads of their own, so that pages do not delay decisions."""


LARGEST_DECISION = 32_768
"""Maximum bytes of a decision; a bracket of hundreds of players names them all."""


LARGEST_RESULT = 16_384
"""Maximum bytes of a request with a result code, which contains a score sheet."""


PACKAGE_S = 60.0
"""Timeout in seconds for receiving a package."""


RESULT_CODES = "/night/v1/result-codes"


class HubServer:
    """The web server of one hub."""

    def __init__(
        self,
        nights: NightService,
        settings: WebSettings,
        *,
        folder: Path,
        listener: socket.socket | None = None,
        tls: ssl.SSLContext | None = None,
        broker_of: BrokerOf = lambda _night, _table: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the server; `start` starts it.

        Args:
            nights: the events of the hub.
            settings: the web settings.
            folder: the folder of the pairings.
            listener: the listening socket; None to open one by the settings.
            tls: the TLS context; None for plain HTTP.
            broker_of: returns a table's broker credentials; None if tables cannot join.
            clock: returns monotonic seconds.

        Raises:
            SettingError: a proxy in the settings is not an address.
        """
        self._nights, self._web, self._folder, self._tls = nights, settings, folder, tls
        self._listener, self._proxies = listener, Proxies(settings.proxies)
        self._seats = TableSeats(broker_of, clock)
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port of the listening socket; chosen by the system if the setting is 0."""
        return self._port

    def start(self) -> None:
        """Listen, and return when the server answers requests.

        Raises:
            SettingError: host or port cannot be bound.
            StateFileError: the folder cannot be written.
        """
        listener = self._listener or listen(self._web.host, self._web.port)
        self._port: int = listener.getsockname()[1]
        room = ConnectionRoom(self._web.viewers + OTHER_FILES)
        self.access = Access(self._folder, self._web, self._invitation)
        counting = CountingListener(listener, self._web, self._proxies, HANDSHAKE_S, room)
        app, on_stop = self._make_app()
        self._http = UvicornServer(
            app,
            counting,
            self._tls,
            on_start=self._streams.open,
            on_stop=on_stop,
            device_of=self.access.device_of,
            security_log=self.access.security_log,
            refusal_delays=self._limiter.refusals,
        )
        self._thread = threading.Thread(target=self._http.serve_forever, name="hub pages", daemon=True)
        self._thread.start()
        self._http.ready.wait()
        if not self._http.started:
            raise SettingError("server_not_begun")
        self.access.register()

    def stop(self) -> None:
        """End all event streams and stop, within `STOP_S`; does nothing if not started."""
        if self._thread is not None:
            self._http.stop()
            self._thread.join(STOP_S)

    def address_of(self, path: str) -> dict[str, Any]:
        """A page's address for phones: `url`, `host`, `reach`, and `qr`, None if phones cannot reach it."""
        joining = self._invitation()
        url = f"{joining['url']}{path}"
        return joining | {"url": url, "qr": None if joining["qr"] is None else qr(url)}

    def _invitation(self, code: str | None = None) -> dict[str, Any]:
        return invitation(self._web.host, self._port, code, secure=self._tls is not None)

    def _make_app(self) -> tuple[App, list[Callable[[], None]]]:
        """The ASGI application, and the functions to call when the server stops."""
        access = HubAccess(self.access, self._folder, self._nights.clock_ms)
        names = ("decisions", "hub pages", "views", "packages")
        deciding, pages_threads, viewing, verifying = (DaemonExecutor(1, name) for name in names)
        self._streams = NightStreams(self._nights, self._web, access, viewing)
        access.on_disconnected = self._streams.end_player
        packages = UploadedPackages(self._nights.ledger)
        season = SeasonOfHub(self._nights, packages, lambda: own_public_key(self._folder))
        own = (self._nights, access, self._seats, packages, season, self._folder, self.address_of)
        app = create_hub_app(HubParts(*own))
        queue = partial(FairQueue, app.wsgi_app, device_of=self.access.device_of)
        decisions = queue(deciding, 1, outlives_client=True)
        pages = queue(pages_threads, 1)
        verified = queue(verifying, 1)
        routes: dict[str, App] = {
            EVENTS: BufferedBody(self._streams),
            DECISIONS: BufferedBody(decisions, LARGEST_DECISION),
            IMPORT: BufferedBody(pages, LARGEST_IMPORT),
            PACKAGES: PackageLimiter(BufferedBody(verified, LARGEST_PACKAGE, PACKAGE_S), self.access.device_of),
            RESULT_CODES: BufferedBody(decisions, LARGEST_RESULT),
            "/night/v1/unpair": self._ends_unpaired(BufferedBody(pages)),
        }
        others = StaticFiles(assets(), BufferedBody(pages))

        async def route(scope: Scope, receive: Receive, send: Send) -> None:
            await routes.get(scope["path"], others)(scope, receive, send)

        log, limiter = (
            self.access.security_log,
            RequestLimiter(self._web, device_of=self.access.device_of, cost_of=cost_at_hub),
        )
        self._limiter = limiter
        guard = Guard(
            route, own_names(self._web), limiter, self._proxies, security_log=log, wrong_name_page=wrong_name_page
        )
        parts = (self._streams, decisions, pages, verified, deciding, pages_threads, viewing, verifying)
        return guard, [part.close for part in parts]

    def _ends_unpaired(self, app: App) -> App:
        """Wrap `app` to end the streams of unpaired devices after each request."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, send)
            with contextlib.suppress(StateFileError):
                self._streams.end_unpaired(frozenset(device.id for device in self.access.devices))

        return answer
