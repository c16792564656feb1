"""Server-sent events at `/events`: every viewer gets the newest state, encoded once for all; slow ones skip some."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Container
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from pegboard.config import WebSettings
from pegboard.core import view_as_json
from pegboard.feed import Feed
from web.access.sessions import not_paired
from web.http.asgi import SEND_NOW, Receive, Scope, Send
from web.http.client_address import address_of, is_local, limits_of
from web.http.problems import Problem
from web.http.viewers import STREAM_HEADERS, Channel, Pacer, Timer, Viewer, event
from web.http.worker_pool import busy, wait_for_disconnect
from web.table.program_parts import Bench, state_id

if TYPE_CHECKING:
    from pegboard.core.view import View

RETRY = b"retry: 1000\n\n"
"""Milliseconds before a browser reconnects."""

HEARTBEAT_S = 5.0
"""Seconds between heartbeats; a page shows a warning after 12 s without one, and reconnects after 25 s."""

RETRY_WHEN_FULL_S = 5
"""Seconds before a viewer that was refused for lack of room may retry."""


class EventStream:
    """The ASGI application at `/events`; everything but the callbacks of feed and bench runs in the event loop."""

    def __init__(
        self,
        feed: Feed,
        settings: WebSettings,
        bench: Bench | None = None,
        *,
        sees_codes: Callable[[Scope], bool] = lambda _: True,
        device_of: Callable[[Scope], str] = lambda _: "",
    ) -> None:
        """Create the application.

        Args:
            feed: the feed of views.
            settings: the web settings.
            bench: the workbench of mock mode.
            sees_codes: whether a client may see the bench, whose panel shows the pairing code.
            device_of: returns the paired device of a request, "" for none.
        """
        self._feed, self._settings, self._bench = feed, settings, bench
        self._sees_codes, self._device_of = sees_codes, device_of
        self._state, self._heart, self._picture = Channel(), Channel(), Channel()
        self._viewers: set[Viewer] = set()
        self._published: View | None = None
        self._heartbeat: Timer | None = None
        self._is_open = False

    def open(self) -> None:
        """Follow feed and bench; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        self._state_pacer = Pacer(self._publish_state, self._loop.time, self._loop.call_later)
        self._picture_pacer = Pacer(self._publish_picture, self._loop.time, self._loop.call_later)
        self._cancels = [self._feed.follow(lambda _: self._call_in_loop(self._board_changed))]
        if self._bench is not None:
            self._cancels.append(self._bench.follow(lambda *_: self._call_in_loop(self._picture_pacer.request)))
        self._is_open = True

    def close(self) -> None:
        """End all streams; called in the event loop."""
        self._is_open = False
        for cancel in self._cancels:
            cancel()
        for stop in (self._state_pacer.stop, self._picture_pacer.stop, self._stop_heartbeat):
            stop()
        for viewer in self._viewers:
            viewer.wake.set()

    def end_unpaired(self, paired: Container[str]) -> None:
        """End the streams of devices that are no longer paired; called in the event loop."""
        for viewer in self._viewers:
            if viewer.is_paired and viewer.client not in paired:
                viewer.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it disconnects or the server shuts down.

        Raises:
            Problem: there is no room, the method is not GET, or an unpaired device requests the bench.
        """
        if scope["method"] != "GET":
            raise Problem(405, "method", "events_by_get", headers={"Allow": "GET"})
        viewer = self._admit(scope)
        self._viewers.add(viewer)
        try:
            self._publish_for(viewer)
            await self._serve(viewer, receive, send)
        finally:
            self._viewers.discard(viewer)

    async def _serve(self, viewer: Viewer, receive: Receive, send: Send) -> None:
        gone = self._loop.create_task(wait_for_disconnect(receive))
        gone.add_done_callback(lambda _: viewer.wake.set())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            await self._send_events(viewer, send, gone)
        finally:
            gone.cancel()

    @property
    def viewer_count(self) -> int:
        """The number of open streams."""
        return len(self._viewers)

    # --- viewers ---

    def _admit(self, scope: Scope) -> Viewer:
        address, device = address_of(scope), self._device_of(scope)
        is_limited = self._settings.throttle_loopback or not is_local(scope)
        last_sent = {self._state: 0, self._heart: self._heart.number}
        if self._bench is not None and _wants_bench(scope):
            if not self._sees_codes(scope):
                raise not_paired()
            last_sent[self._picture] = 0
        send_now = scope.get("extensions", {}).get(SEND_NOW)
        viewer = Viewer(address, device, last_sent, send_now)
        self._make_room(viewer, is_limited=is_limited)
        return viewer

    def _publish_for(self, viewer: Viewer) -> None:
        """Publish the newest state, with which a new viewer starts, and the bench's picture if it gets that."""
        self._publish_state()
        if self._picture in viewer.last_sent:
            self._publish_picture()
        self._start_heartbeat()

    def _make_room(self, new: Viewer, *, is_limited: bool) -> None:
        """If no slot is left, end a stream of the client with the most, of an unpaired one first.

        Raises:
            Problem: no stream may be ended for this one, or the client has reached its limit.
        """
        if not self._is_open:
            raise _full("putting_away")
        if is_limited:
            self._require_share(new)
        held = Counter((not viewer.is_paired, viewer.client) for viewer in self._viewers)
        theirs = held[not new.is_paired, new.client]
        if len(self._viewers) < self._settings.viewers:
            return
        (is_stranger, client), most = max(held.items(), key=lambda item: (item[0][0], item[1]))
        comes_first = new.is_paired and is_stranger
        has_less = new.is_paired != is_stranger and most > theirs + 1
        if not (comes_first or has_less):
            raise _full("viewers", viewers=self._settings.viewers)
        ended = next(one for one in self._viewers if one.client == client and one.is_paired != is_stranger)
        self._viewers.discard(ended)
        ended.end()

    def _require_share(self, new: Viewer) -> None:
        """Check that a paired device, or an address and its network, is below its limit of streams.

        Raises:
            Problem: the limit is reached.
        """
        most = self._settings.viewers_per_address
        limits = {new.client: most} if new.is_paired else limits_of(new.address, most)
        for name, limit in limits.items():
            windows = sum(one.is_paired == new.is_paired and name in {one.client, one.address} for one in self._viewers)
            if windows >= limit:
                raise _full("windows", windows=windows, address=new.address if new.is_paired else name)

    async def _send_events(self, viewer: Viewer, send: Send, gone: "asyncio.Task[None]") -> None:
        body = RETRY + viewer.collect()
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

    # --- publishing ---

    def _call_in_loop(self, call: Callable[[], None]) -> None:
        """Call in the event loop, from any thread; not without viewers, because the next one starts with the newest."""
        if self._viewers:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(call)

    def _board_changed(self) -> None:
        view, before = self._feed.view, self._published
        is_new_event = before is None or (view.epoch, view.revision) != (before.epoch, before.revision)
        self._state_pacer.request(urgent=is_new_event)

    def _publish_state(self) -> None:
        view = self._feed.view
        if view is not self._published:
            self._publish(self._state, event("state", view_as_json.snapshot(view), id=state_id(view)))
            self._published = view

    def _publish_picture(self) -> None:
        assert self._bench is not None
        self._publish(self._picture, event("bench", self._bench.picture()))

    def _publish(self, channel: Channel, message: bytes) -> None:
        channel.publish(message)
        for viewer in self._viewers:
            viewer.notify(channel)

    # --- heartbeat: one timer for all, only while there are viewers ---

    def _start_heartbeat(self) -> None:
        if self._heartbeat is None:
            self._heartbeat = self._loop.call_later(HEARTBEAT_S, self._beat)

    def _stop_heartbeat(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.cancel()
            self._heartbeat = None

    def _beat(self) -> None:
        self._heartbeat = None
        if self._viewers:
            self._start_heartbeat()
            self._publish(self._heart, event("heartbeat", {}))


def _full(key: str, **values: object) -> Problem:
    return busy(key, "too_many_viewers", RETRY_WHEN_FULL_S, **values)


def _wants_bench(scope: Scope) -> bool:
    return parse_qs(scope["query_string"].decode("latin-1")).get("bench") == ["1"]
