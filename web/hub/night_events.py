"""Server-sent events of an event: each page gets the changed parts of its view; slow clients skip to the newest.

The views are computed in a thread after each decision, once for all viewers, and again at once if more was decided
meanwhile. A table's live state does not wait for that: a peg is on every screen a few milliseconds later.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from pegboard.config import WebSettings
from pegboard.errors import NotNow
from pegboard.hub.ledger.hub_errors import NoNight
from pegboard.hub.night_service import NightService
from web.http.asgi import SEND_NOW, Receive, Scope, Send
from web.http.client_address import address_of, is_local, limits_of
from web.http.problems import Problem, problem_of
from web.http.viewers import STREAM_HEADERS, Channel, Viewer, event
from web.http.worker_pool import DaemonExecutor, busy, wait_for_disconnect
from web.hub.hub_access import HubAccess
from web.hub.view_parts import DIRECTORS, PLAYERS, Audience, EncodedViews, Json, encode_views, live_event

if TYPE_CHECKING:
    from web.http.viewers import Timer

# --- channels of one event: the parts for its pages, and the viewers ---


@dataclass(eq=False, slots=True)
class NightChannels:
    """The channels and viewers of one event.

    Attributes:
        parts: the channels of view parts, by audience and the part's name.
        tables: the channels of live rows, by table.
        table_of: the table of each player with a viewer.
        viewers: each viewer with its audience.
        alarms: the alarms last shown to directors.
        is_due: whether the views must be computed again.
        is_busy: whether they are being computed.
        is_waiting: whether a retry is scheduled, because the database is unavailable.
    """

    parts: dict[tuple[Audience, str], Channel] = field(default_factory=dict)
    tables: dict[str, Channel] = field(default_factory=dict)
    table_of: dict[str, str] = field(default_factory=dict)
    viewers: dict[Viewer, Audience] = field(default_factory=dict)
    alarms: list[Json] = field(default_factory=list)
    is_due: bool = False
    is_busy: bool = False
    is_waiting: bool = False


RETRY = b"retry: 1000\n\n"
"""Milliseconds before a browser reconnects."""


RETRY_S, HEARTBEAT_S = 1.0, 10.0
"""Seconds until views that could not be computed are retried, and between heartbeats; pages without them reconnect."""


RETRY_WHEN_FULL_S = 5
"""Seconds before a viewer that was refused for lack of room may retry."""


class NightStreams:
    """The ASGI application at `/night/v1/events`; everything but computing the views runs in the event loop."""

    def __init__(self, nights: NightService, settings: WebSettings, access: HubAccess, threads: DaemonExecutor) -> None:
        """`threads` compute the views of `nights`."""
        self._nights, self._settings, self._access, self._threads = nights, settings, access, threads
        self._channels: dict[str, NightChannels] = {}
        self._heart = Channel()
        self._heartbeat: Timer | None = None
        self._is_open = False

    def open(self) -> None:
        """Follow the events of the hub; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        self._cancel = self._nights.follow(self._note_change)
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_open = True

    def close(self) -> None:
        """End all streams; called in the event loop."""
        self._is_open = False
        self._cancel()
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        for viewer in self._all_viewers():
            viewer.wake.set()

    def end_unpaired(self, paired: Container[str]) -> None:
        """End the streams of devices that are no longer paired; called in the event loop."""
        for viewer in self._all_viewers():
            if viewer.is_paired and viewer.client not in paired:
                viewer.end()

    def end_player(self, night: str, player: str) -> None:
        """End the streams of a player whose phones were disconnected; called from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(self._end_player, night, player)

    def _end_player(self, night: str, player: str) -> None:
        channels = self._channels.get(night, NightChannels())
        for viewer, audience in channels.viewers.items():
            if audience == Audience("player", player) and not viewer.is_paired:
                viewer.end()

    @property
    def viewer_count(self) -> int:
        """The number of open streams."""
        return len(self._all_viewers())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it disconnects or the server shuts down.

        Raises:
            Problem: there is no room, the method is not GET, or the client may not see the view.
        """
        if scope["method"] != "GET":
            raise Problem(405, "method", "events_by_get", headers={"Allow": "GET"})
        night, audience = self._access.audience_of(scope, _query(scope))
        try:
            await self._threads.run(self._nights.night, night)
        except (NoNight, NotNow) as error:
            raise problem_of(error) from None
        viewer = self._admit(scope)
        channels = self._channels.setdefault(night, NightChannels())
        if not channels.viewers:
            channels.parts.clear()  # left over from earlier viewers
        channels.viewers[viewer] = audience
        try:
            self._subscribe(channels, viewer)
            self._publish_tables(night)
            self._compute(night)
            self._start_heartbeat()
            await self._serve(viewer, receive, send)
        finally:
            channels.viewers.pop(viewer, None)

    async def _serve(self, viewer: Viewer, receive: Receive, send: Send) -> None:
        gone = self._loop.create_task(wait_for_disconnect(receive))
        gone.add_done_callback(lambda _: viewer.wake.set())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            await self._send_events(viewer, send, gone)
        finally:
            gone.cancel()

    async def _send_events(self, viewer: Viewer, send: Send, gone: "asyncio.Task[None]") -> None:
        body = RETRY + self._time() + viewer.collect()
        while self._is_open and not viewer.is_ended and not gone.done():
            if body:
                await send({"type": "http.response.body", "body": body, "more_body": True})
            else:
                viewer.is_idle = True
                await viewer.wake.wait()
                viewer.is_idle = False
            viewer.wake.clear()
            body = viewer.collect()
        await send({"type": "http.response.body", "body": b""})

    # --- viewers ---

    def _all_viewers(self) -> list[Viewer]:
        return [viewer for channels in self._channels.values() for viewer in channels.viewers]

    def _admit(self, scope: Scope) -> Viewer:
        address, device = address_of(scope), self._access.device_of(scope)
        viewer = Viewer(address, device, {self._heart: self._heart.number}, scope.get("extensions", {}).get(SEND_NOW))
        if not self._is_open:
            raise _full("putting_away")
        if self.viewer_count >= self._settings.viewers:
            raise _full("viewers", viewers=self._settings.viewers)
        if self._settings.throttle_loopback or not is_local(scope):
            self._require_share(viewer)
        return viewer

    def _require_share(self, new: Viewer) -> None:
        """Check that a paired device, or an address and its network, is below its limit of streams.

        Raises:
            Problem: the limit is reached.
        """
        most = self._settings.viewers_per_address
        held = Counter(name for one in self._all_viewers() for name in {one.client, one.address})
        limits = {new.client: most} if new.is_paired else limits_of(new.address, most)
        for name, limit in limits.items():
            if held[name] >= limit:
                raise _full("windows", windows=held[name], address=new.address if new.is_paired else name)

    @staticmethod
    def _subscribe(channels: NightChannels, viewer: Viewer) -> None:
        """Subscribe a viewer to the channels of its audience; a phone only to the player's own table."""
        audience = channels.viewers[viewer]
        is_phone = audience.kind == "player"
        heard = {audience, PLAYERS} if is_phone else {audience}
        for (whose, _), channel in channels.parts.items():
            if whose in heard:
                viewer.last_sent.setdefault(channel, 0)
        for table, channel in channels.tables.items():
            if not is_phone or table == channels.table_of.get(audience.player):
                viewer.last_sent.setdefault(channel, 0)
            else:
                viewer.last_sent.pop(channel, None)

    # --- changes ---

    def _note_change(self, night: str, table: str | None) -> None:
        """Handle a change, from any thread; does nothing without viewers, as the next one starts with the newest."""
        if night in self._channels:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                if table is None:
                    self._loop.call_soon_threadsafe(self._compute, night)
                else:
                    self._loop.call_soon_threadsafe(self._publish_tables, night, table)

    def _publish_tables(self, night: str, table: str | None = None) -> None:
        """Send the live row of a table, or of all tables."""
        channels = self._channels[night]
        rows = self._nights.feed.tables(night)
        for id in rows if table is None else rows.keys() & {table}:  # noqa: A001 - the table's own
            is_new = id not in channels.tables
            channel = channels.tables.setdefault(id, Channel())
            if is_new:
                self._subscribe_all(channels)
            self._publish(channels, channel, live_event(id, rows[id]))

    def _compute(self, night: str) -> None:
        """Start computing the views, and compute them again afterwards if something is decided meanwhile."""
        channels = self._channels[night]
        channels.is_due = bool(channels.viewers)
        if channels.is_due and not channels.is_busy:
            channels.is_busy = True
            task = self._loop.create_task(self._compute_and_publish(night, channels))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _compute_and_publish(self, night: str, channels: NightChannels) -> None:
        try:
            while channels.is_due and self._is_open:
                channels.is_due = False
                audiences = set(channels.viewers.values())
                self._publish_parts(channels, await self._threads.run(self._encode, night, audiences, channels))
        except Problem:
            pass  # the server is shutting down
        except NotNow:  # the database is unavailable; retry, so that no change is missed
            self._compute_later(night)
        finally:
            channels.is_busy = False

    def _compute_later(self, night: str) -> None:
        """Schedule a retry, once, however many changes are waiting for the database."""
        if not self._channels[night].is_waiting:
            self._channels[night].is_waiting = True
            self._loop.call_later(RETRY_S, self._compute_again, night)

    def _compute_again(self, night: str) -> None:
        self._channels[night].is_waiting = False
        self._compute(night)

    def _encode(self, night: str, audiences: set[Audience], channels: NightChannels) -> EncodedViews:
        """The encoded views; runs in a thread. If the database is unavailable, the alarms are the previous ones."""
        nights = self._nights
        try:
            channels.alarms = nights.alarms(night) if DIRECTORS in audiences else []
        except NotNow:
            self._loop.call_soon_threadsafe(self._compute_later, night)
        of_hub = {"alarms": channels.alarms, "troubles": nights.troubles(night)}
        return encode_views(nights.night(night), nights.calls(night), audiences, of_hub)

    def _publish_parts(self, channels: NightChannels, found: EncodedViews) -> None:
        channels.parts |= {key: Channel() for key in found.parts.keys() - channels.parts.keys()}
        channels.table_of = found.table_of
        self._subscribe_all(channels)
        for key, message in found.parts.items():
            self._publish(channels, channels.parts[key], message)

    def _subscribe_all(self, channels: NightChannels) -> None:
        for viewer in channels.viewers:
            self._subscribe(channels, viewer)
            if any(channel.number > number for channel, number in viewer.last_sent.items()):
                viewer.wake.set()  # a channel it has just subscribed to already has a message

    @staticmethod
    def _publish(channels: NightChannels, channel: Channel, message: bytes) -> None:
        """Make a message the channel's newest, unless it already is, and notify the subscribers."""
        if channel.message != message:
            channel.publish(message)
            for viewer in channels.viewers:
                viewer.notify(channel)

    # --- heartbeat: one timer for all, only while there are viewers ---

    def _start_heartbeat(self) -> None:
        if self._heartbeat is None:
            self._heartbeat = self._loop.call_later(HEARTBEAT_S, self._beat)

    def _beat(self) -> None:
        self._heartbeat = None
        viewers = self._all_viewers()
        if viewers:
            self._start_heartbeat()
            self._heart.publish(self._time())
            for viewer in viewers:
                viewer.notify(self._heart)

    def _time(self) -> bytes:
        """A heartbeat with the hub's time, so pages can show how long ago something happened."""
        return event("heartbeat", {"now": self._nights.clock_ms()})


def _query(scope: Scope) -> dict[str, str]:
    found = parse_qs(scope["query_string"].decode("latin-1"))
    return {name: values[-1] for name, values in found.items()}


def _full(key: str, **values: object) -> Problem:
    return busy(key, "too_many_viewers", RETRY_WHEN_FULL_S, **values)
