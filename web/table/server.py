"""The web server of a table: routes, queues that keep pages from delaying scores, unpaired devices, exposure check."""

import asyncio
import contextlib
import logging
import socket
import ssl
from functools import partial
from pathlib import Path
from typing import Any

from pegboard.config import Settings
from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.health import Devices
from pegboard.feed import Feed
from pegboard.install.director_updates import DirectorUpdates
from pegboard.table.event_table import EventTable
from pegboard.table.scoreboard import Scoreboard
from pegboard.watchdog import ANSWERING, PAGES, SCORES, Ping, Watchdog, thread_ids
from web.access.invitation import own_addresses
from web.access.pairing_file import StateFileError
from web.access.sessions import Access
from web.http.asgi import App, Receive, Scope, Send
from web.http.request_body import BufferedBody
from web.kit.site import Content, Site
from web.table.app import create_app
from web.table.event_stream import EventStream
from web.table.games_api import STATISTICS
from web.table.program_parts import Bench, Service
from web.table.transfer_api import EXPORTS, LARGE_BODIES, Exports, LargeBodyGate


class ScorerRouter:
    """An ASGI application that routes requests of clients that may score to `scores`, others to `others`.

    `others` gives other clients the same refusals, but without delaying clients that may score.
    """

    def __init__(self, scores: App, others: App, access: Access) -> None:
        self._scores, self._others, self._access = scores, others, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        role = self._access.session_of_scope(scope).role
        app = self._others if role == "viewer" or scope["method"] != "POST" else self._scores
        await app(scope, receive, send)


log = logging.getLogger("pegboard")

COMMANDS, PREVIEW = "/api/v1/commands", "/api/v1/preview"
"""Paths with queues of their own for clients that may score, so that pages and strangers do not delay them."""

UNPAIRED_S = 0.6
"""Seconds between closing an unpaired device's streams and its connections; pages wait longer before reconnecting."""

PAIRING = frozenset({f"/api/v1/{name}" for name in ("pair", "unpair", "pairing", "paired")})
"""Paths for pairing, which may wait for a file lock, so they must not delay commands and pages."""

MOST_STATISTICS = 8
"""Maximum waiting requests for statistics."""


class Server(Site):
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
            feed: the feed of the table's views.
            settings: the program's settings.
            bench: the workbench of mock mode.
            listener: the listening socket; None to open one by the settings.
            folder: the folder of the pairings.
            devices: the health of displays and inputs.
            tls: the TLS context; None for plain HTTP.
            brightness: the brightness of the displays.
            command: the command that starts a table that phones can reach; None if they can reach this one.
            updates: the versions of this machine; None if it cannot be updated.
            watchdog: the watchdog, which lists stalled parts.
            event: the table's event, or None.

        Raises:
            SettingError: a proxy in the settings is not an address.
        """
        super().__init__(
            "web",
            settings.web,
            folder,
            listener=listener,
            tls=tls,
            command=None if settings.web.proxies else command,  # phones may reach it through a proxy
            abrupt=EXPORTS.keys(),
            note_unfinished=self._note_broken_tls,
        )
        self._devices = devices or Devices(scoreboard.set_devices)
        self._brightness = brightness or BrightnessControl(scoreboard.set_brightness)
        self._parts = (scoreboard, feed, settings, bench)
        self._updates, self._watchdog, self._event = updates, watchdog or Watchdog(), event
        self._is_exposed = False
        self._paired: frozenset[str] = frozenset()

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

    def _make_content(self) -> Content:
        scoreboard, feed, settings, bench = self._parts
        self._events = EventStream(
            feed, self._web, bench, sees_codes=self.access.sees_codes, device_of=self.access.device_of
        )
        own: dict[str, Any] = {"brightness": self._brightness, "updates": self._updates, "event": self._event}
        service = Service(self._devices, lambda: self._events.viewer_count, stalls=self._watchdog.stalls, **own)
        shared: dict[str, Any] = {"service": service, "join": self._invitation, "access": self.access}
        self._flask = create_app(scoreboard, settings, bench, **shared)
        queue = partial(self._queue, self._flask.wsgi_app)
        # one thread each: pages and previews are CPU-bound, and more threads would take CPU time from commands, which
        # the scoreboard handles one at a time anyway; pairings change one file; statistics and exports may be slow
        self._page_threads, self._scoring_threads = self._worker("pages"), self._worker("scores", feed.hold)
        self._preview_threads, pairing_threads = self._worker("previews"), self._worker("pairing")
        history_threads = self._worker("history")
        pages, previews = queue(self._page_threads), queue(self._preview_threads)
        scores = queue(self._scoring_threads, outlives_client=True)
        pairing = queue(pairing_threads, outlives_client=True)
        history = queue(history_threads, limit=MOST_STATISTICS)
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
        return Content(self._events, routes, pages, self.access.exposure.check_client)

    def _end_unpaired(self) -> None:
        """End the streams of devices that are no longer paired, and a moment later their connections."""
        super()._end_unpaired()
        asyncio.get_running_loop().call_later(UNPAIRED_S, self._end_connections)

    def _end_connections(self) -> None:
        with contextlib.suppress(StateFileError):
            self._room.end_unpaired(self._list_paired())

    def _note_broken_tls(self, address: str) -> None:
        """Log a connection that closed before its TLS handshake was done: a scan, or a browser that timed out."""
        if self._tls is not None:
            self.access.security_log.note_suspect("tls_failed", address, "the handshake was not completed")
