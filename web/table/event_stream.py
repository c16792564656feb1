"""Server-sent events at `/events`: table state and bench picture, encoded once for all viewers; limits on viewers."""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from pegboard.config import WebSettings
from pegboard.feed import Feed
from web.access.sessions import not_paired
from web.http.asgi import Receive, Scope, Send
from web.http.viewers import Channel, LiveEvents, Pacer, Viewer, event, full, publish
from web.table.program_parts import Bench, state_id, state_text

if TYPE_CHECKING:
    from pegboard.core.view import View


class EventStream(LiveEvents):
    """The ASGI application at `/events`; everything but the callbacks of feed and bench runs in the event loop."""

    heartbeat_s = 5.0  # a page shows a warning after 12 s without one, and reconnects after 25 s

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
            sees_codes: returns whether a client may see the bench, whose panel shows the pairing code.
            device_of: returns the paired device of a request, "" for none.
        """
        super().__init__(settings, device_of)
        self._feed, self._bench, self._sees_codes = feed, bench, sees_codes
        self._state, self._picture = Channel(), Channel()
        self._published: View | None = None

    def open(self) -> None:
        """Follow feed and bench; called in the event loop."""
        super().open()
        self._state_pacer = Pacer(self._publish_state, self._loop.time, self._loop.call_later)
        self._picture_pacer = Pacer(self._publish_picture, self._loop.time, self._loop.call_later)
        self._on_close = [self._state_pacer.stop, self._picture_pacer.stop]
        self._on_close.append(self._feed.follow(lambda _: self._call_for_viewers(self._board_changed)))
        if self._bench is not None:
            picture = self._picture_pacer.request
            self._on_close.append(self._bench.follow(lambda *_: self._call_for_viewers(picture)))

    async def _view(self, scope: Scope, receive: Receive, send: Send) -> None:
        viewer = self._admit(scope, self._channels_for(scope))
        self._publish_state()
        if self._picture in viewer.last_sent:
            self._publish_picture()
        await self._serve(viewer, receive, send)

    def _channels_for(self, scope: Scope) -> dict[Channel, int]:
        """The channels that a request subscribes to.

        Raises:
            Problem: an unpaired device requests the bench.
        """
        channels = {self._state: 0, self._heart: self._heart.number}
        if self._bench is not None and _wants_bench(scope):
            if not self._sees_codes(scope):
                raise not_paired()
            channels[self._picture] = 0
        return channels

    def _make_room(self, new: Viewer, *, is_limited: bool) -> None:
        """If no place is left, end a stream of the client with the most streams, unpaired clients first.

        Raises:
            Problem: no stream may be ended for the new viewer, or its client has reached its limit.
        """
        if is_limited:
            self._require_share(new, (one for one in self._viewers if one.is_paired == new.is_paired))
        held = Counter((not viewer.is_paired, viewer.client) for viewer in self._viewers)
        theirs = held[not new.is_paired, new.client]
        if len(self._viewers) < self._settings.viewers:
            return
        (is_stranger, client), most = max(held.items(), key=lambda item: (item[0][0], item[1]))
        comes_first = new.is_paired and is_stranger
        has_less = new.is_paired != is_stranger and most > theirs + 1
        if not (comes_first or has_less):
            raise full("viewers", viewers=self._settings.viewers)
        ended = next(one for one in self._viewers if one.client == client and one.is_paired != is_stranger)
        self._viewers.discard(ended)
        ended.end()

    # --- publishing ---

    def _call_for_viewers(self, call: Callable[[], None]) -> None:
        """Run `call` in the event loop, from any thread, if there are viewers; the next one gets the newest state."""
        if self._viewers:
            self._call_in_loop(call)

    def _board_changed(self) -> None:
        view, before = self._feed.view, self._published
        is_new_event = before is None or (view.epoch, view.revision) != (before.epoch, before.revision)
        self._state_pacer.request(urgent=is_new_event)

    def _publish_state(self) -> None:
        view = self._feed.view
        if view is not self._published:
            publish(self._state, event("state", state_text(view), id=state_id(view)), self._viewers)
            self._published = view

    def _publish_picture(self) -> None:
        assert self._bench is not None
        publish(self._picture, event("bench", self._bench.picture()), self._viewers)

    def _heartbeat_event(self) -> bytes:
        return event("heartbeat", {})


def _wants_bench(scope: Scope) -> bool:
    return parse_qs(scope["query_string"].decode("latin-1")).get("bench") == ["1"]
