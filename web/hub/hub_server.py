"""The web server of a hub: routes, queues that keep pages from delaying decisions, request costs, limit on packages."""

import re
import socket
import ssl
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from pegboard.config import WebSettings
from pegboard.hub.ledger.ledger import UploadedPackages
from pegboard.hub.night_service import NightService
from pegboard.hub.packages.hub_keys import own_public_key
from web.access.invitation import qr
from web.http.asgi import App, Receive, Scope, Send
from web.http.client_address import limited_client
from web.http.problems import busy
from web.http.request_body import BufferedBody
from web.hub.file_api import IMPORT, LARGEST_IMPORT, LARGEST_PACKAGE, PACKAGES
from web.hub.hub_access import HubAccess
from web.hub.hub_app import create_hub_app
from web.hub.hub_parts import BrokerOf, HubParts, TableSeats
from web.hub.night_events import NightStreams
from web.hub.season_page import SeasonOfHub
from web.kit.site import Content, Site

# --- ASGI: limit on simultaneous packages, because each may use megabytes of memory while it is uploaded ---


MOST_AT_ONCE = 2
"""Maximum packages at once from paired devices, and also from unpaired clients, one from each address."""


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
            Problem: 503, too many packages are being received or verified.
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
"""The cost of a request for any other path, such as a page."""


def cost_at_hub(path: str) -> int:
    """The cost of a request for a path."""
    return next((cost for pattern, cost in COSTS if pattern.match(path)), OTHER)


EVENTS, DECISIONS = "/night/v1/events", "/night/v1/decisions"
"""Paths with threads of their own, so that pages do not delay decisions."""

LARGEST_DECISION = 32_768
"""Maximum bytes of a decision; a bracket of hundreds of players names them all."""

LARGEST_RESULT = 16_384
"""Maximum bytes of a request with a result code, which contains a score sheet."""

PACKAGE_S = 60.0
"""Timeout in seconds for receiving a package."""

RESULT_CODES, UNPAIR = "/night/v1/result-codes", "/night/v1/unpair"


class HubServer(Site):
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
        super().__init__("hub pages", settings, folder, listener=listener, tls=tls, cost_of=cost_at_hub)
        self._nights, self._seats = nights, TableSeats(broker_of, clock)

    def start(self) -> None:
        """Start the site, and store its address for `pegboard code`.

        Raises:
            SettingError: host or port cannot be bound.
            StateFileError: the folder cannot be written.
        """
        super().start()
        self.access.register()

    def address_of(self, path: str) -> dict[str, Any]:
        """A page's address for phones: `url`, `host`, `reach`, and `qr`, None if phones cannot reach it."""
        joining = self._invitation()
        url = f"{joining['url']}{path}"
        return joining | {"url": url, "qr": None if joining["qr"] is None else qr(url)}

    def _make_content(self) -> Content:
        access = HubAccess(self.access, self._folder, self._nights.clock_ms)
        names = ("decisions", "hub pages", "views", "packages")
        deciding, pages_threads, viewing, verifying = (self._worker(name) for name in names)
        self._streams = NightStreams(self._nights, self._web, access, viewing)
        access.on_disconnected = self._streams.end_player
        packages = UploadedPackages(self._nights.ledger)
        season = SeasonOfHub(self._nights, packages, lambda: own_public_key(self._folder))
        own = (self._nights, access, self._seats, packages, season, self._folder, self.address_of)
        queue = partial(self._queue, create_hub_app(HubParts(*own)).wsgi_app)
        decisions, pages = queue(deciding, outlives_client=True), queue(pages_threads)
        verified = BufferedBody(queue(verifying), LARGEST_PACKAGE, PACKAGE_S)
        routes: dict[str, App] = {
            EVENTS: BufferedBody(self._streams),
            DECISIONS: BufferedBody(decisions, LARGEST_DECISION),
            IMPORT: BufferedBody(pages, LARGEST_IMPORT),
            PACKAGES: PackageLimiter(verified, self.access.device_of),
            RESULT_CODES: BufferedBody(decisions, LARGEST_RESULT),
            UNPAIR: self._ends_unpaired(BufferedBody(pages)),
        }
        return Content(self._streams, routes, pages)
