"""Live updates of a club event (server-sent events): each page gets the changed parts of its view and tables' scores.

The views are computed in a thread after each decision, once for all viewers, and again at once if more was decided
meanwhile. A table's live state does not wait for that: a peg is on every screen a few milliseconds later. Slow clients
skip to the newest parts.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from pegboard.config import WebSettings
from pegboard.errors import NotNow
from pegboard.hub.ledger.hub_errors import NoNight
from pegboard.hub.night_service import NightService
from pegboard.tournament.night.views.view_types import EventAlarmJson
from web.http.asgi import Receive, Scope, Send
from web.http.problems import Problem, problem_of
from web.http.viewers import Channel, LiveEvents, Viewer, event, full, publish
from web.http.worker_pool import DaemonExecutor
from web.hub.hub_access import HubAccess
from web.hub.hub_openapi import EVENT, OF_DIRECTOR
from web.hub.night_api import night_api
from web.hub.view_parts import DIRECTORS, PLAYERS, Audience, EncodedViews, encode_views, live_event
from web.kit.documented_endpoints import TEXT, Parameter, ResponseDoc

if TYPE_CHECKING:
    import asyncio

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
        is_busy: whether the views are being computed.
        is_waiting: whether a retry is scheduled, because the database is unavailable.
    """

    parts: dict[tuple[Audience, str], Channel] = field(default_factory=dict)
    tables: dict[str, Channel] = field(default_factory=dict)
    table_of: dict[str, str] = field(default_factory=dict)
    viewers: dict[Viewer, Audience] = field(default_factory=dict)
    alarms: list[EventAlarmJson] = field(default_factory=list)
    is_due: bool = False
    is_busy: bool = False
    is_waiting: bool = False


RETRY_S = 1.0
"""Seconds until views that could not be computed are retried."""


class NightStreams(LiveEvents):
    """The ASGI application at `/night/v1/events`; everything but computing the views runs in the event loop."""

    heartbeat_s = 10.0  # pages without them reconnect

    def __init__(self, nights: NightService, settings: WebSettings, access: HubAccess, threads: DaemonExecutor) -> None:
        """`threads` compute the views of `nights`."""
        super().__init__(settings, access.directors.device_of)
        self._nights, self._access, self._threads = nights, access, threads
        self._channels: dict[str, NightChannels] = {}

    def open(self) -> None:
        """Follow the events of the hub; called in the event loop."""
        super().open()
        self._on_close = [self._nights.follow(self._note_change)]
        self._tasks: set[asyncio.Task[None]] = set()

    def end_player(self, night: str, player: str) -> None:
        """End the streams of a player whose phones were disconnected; called from any thread."""
        self._call_in_loop(self._end_player, night, player)

    def _end_player(self, night: str, player: str) -> None:
        channels = self._channels.get(night, NightChannels())
        for viewer, audience in channels.viewers.items():
            if audience == Audience("player", player) and not viewer.is_paired:
                viewer.end()

    # --- viewers ---

    @night_api.view(
        "GET",
        "/events",
        query={
            "night": Parameter("the event's id", example=EVENT),
            "view": Parameter("the view", {"enum": ["director", "screen", "player"]}, "screen"),
            "player": "with `view=player`: the player's id",
        },
        answers={
            200: ResponseDoc(
                "An endless stream",
                TEXT,
                'event: part\ndata: {"part":"announcements","value":[]}\n\n',
                content_type="text/event-stream",
            )
        },
        refuses=(*OF_DIRECTOR, "role", "no_view", "too_many_viewers"),
        is_routed_here=False,
    )
    async def _view(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A view as server-sent events.

        A `part` has one part of the view (`head`, `players`, `rounds.3`, `standings` ...) whenever that changes, a
        `table` has the live state of one table, and a `heartbeat` has the hub's time in milliseconds.
        """
        night, audience = self._access.audience_of(scope, _query(scope))
        try:
            await self._threads.run(self._nights.night, night)
        except (NoNight, NotNow) as error:
            raise problem_of(error) from None
        viewer = self._admit(scope, {self._heart: self._heart.number})
        channels = self._channels.setdefault(night, NightChannels())
        if not channels.viewers:
            channels.parts.clear()  # left over from earlier viewers
        channels.viewers[viewer] = audience
        try:
            self._subscribe(channels, viewer)
            self._publish_tables(night)
            self._compute(night)
            await self._serve(viewer, receive, send, self._heartbeat_event())
        finally:
            channels.viewers.pop(viewer, None)

    def _make_room(self, new: Viewer, *, is_limited: bool) -> None:
        if len(self._viewers) >= self._settings.viewers:
            raise full("viewers", viewers=self._settings.viewers)
        if is_limited:
            self._require_share(new, self._viewers)

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
        """Handle a change, from any thread; does nothing without viewers, as the next viewer gets the newest views."""
        if night in self._channels:
            if table is None:
                self._call_in_loop(self._compute, night)
            else:
                self._call_in_loop(self._publish_tables, night, table)

    def _publish_tables(self, night: str, table: str | None = None) -> None:
        """Send the live row of a table, or of all tables."""
        channels = self._channels[night]
        rows = self._nights.feed.tables(night)
        for id in rows if table is None else rows.keys() & {table}:  # noqa: A001 - the table's own id
            is_new = id not in channels.tables
            channel = channels.tables.setdefault(id, Channel())
            if is_new:
                self._subscribe_all(channels)
            _publish_change(channels, channel, live_event(id, rows[id]))

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
        """The encoded views; runs in a thread. If the database is unavailable, the previous alarms are used."""
        nights = self._nights
        try:
            channels.alarms = nights.alarms(night) if DIRECTORS in audiences else []
        except NotNow:
            self._call_in_loop(self._compute_later, night)
        of_hub = {"alarms": channels.alarms, "troubles": nights.troubles(night)}
        return encode_views(nights.night(night), nights.calls(night), audiences, of_hub)

    def _publish_parts(self, channels: NightChannels, found: EncodedViews) -> None:
        channels.parts |= {key: Channel() for key in found.parts.keys() - channels.parts.keys()}
        channels.table_of = found.table_of
        self._subscribe_all(channels)
        for key, message in found.parts.items():
            _publish_change(channels, channels.parts[key], message)

    def _subscribe_all(self, channels: NightChannels) -> None:
        for viewer in channels.viewers:
            self._subscribe(channels, viewer)
            if any(channel.number > number for channel, number in viewer.last_sent.items()):
                viewer.wake.set()  # a channel that it has just subscribed to already has a message

    def _heartbeat_event(self) -> bytes:
        """A heartbeat with the hub's time, so pages can show how long ago something happened."""
        return event("heartbeat", {"now": self._nights.clock_ms()})


def _publish_change(channels: NightChannels, channel: Channel, message: bytes) -> None:
    """Send a message to the event's viewers, unless it is already the channel's newest."""
    if channel.message != message:
        publish(channel, message, channels.viewers)


def _query(scope: Scope) -> dict[str, str]:
    found = parse_qs(scope["query_string"].decode("latin-1"))
    return {name: values[-1] for name, values in found.items()}
