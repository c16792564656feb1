"""Server-sent events: throttle, channels that send all viewers the newest message, limits on viewers, heartbeats."""

import asyncio
import contextlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable
from typing import Any, ClassVar, Protocol

from pegboard.config import WebSettings
from web.http.asgi import SEND_NOW, Receive, Scope, Send, SendNow
from web.http.client_address import address_of, is_local, limited_address, limits_of
from web.http.problems import Problem, busy
from web.http.request_body import wait_for_disconnect

# --- throttling of events: a maximum rate, with small bursts; urgent ones go out at once ---


MOST_A_SECOND = 20
"""Maximum events in a second, not counting those with a new line of the score sheet."""

BURST = 2
"""How many events may follow each other immediately."""

APART_S = 1 / (MOST_A_SECOND - BURST)
"""Seconds between events that do not follow each other immediately."""


class Timer(Protocol):
    """The type that an event loop's `call_later` returns."""

    def cancel(self) -> None:
        """Cancel the call."""


class Pacer:
    """Throttle: lets `emit` run at most `MOST_A_SECOND` times in any second, except for urgent calls.

    Two calls may come close together, so that a key press need not wait behind other news; the last request always
    runs.
    """

    def __init__(
        self, emit: Callable[[], None], clock: Callable[[], float], later: Callable[[float, Callable[[], None]], Timer]
    ) -> None:
        self._emit, self._clock, self._later = emit, clock, later
        self._paid_until = float("-inf")
        self._timer: Timer | None = None

    def request(self, *, urgent: bool = False) -> None:
        """Emit now, or as soon as the rate allows."""
        wait = self._paid_until - APART_S - self._clock()
        if urgent or wait <= 0:
            self._emit_now()
        elif self._timer is None:
            self._timer = self._later(wait, self._emit_now)

    def stop(self) -> None:
        """Cancel a pending call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _emit_now(self) -> None:
        self.stop()
        now = self._clock()
        self._paid_until = min(max(now, self._paid_until) + APART_S, now + BURST * APART_S)
        self._emit()


# --- format of a server-sent event (HTML standard, 9.2.5) ---


STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # else nginx would buffer events up to 8 kB
]
"""The headers of every event stream."""


def event(name: str, data: dict[str, Any] | str, *, id: str | None = None) -> bytes:  # noqa: A002 - the standard's own word
    """The bytes of one server-sent event; `data` may already be JSON text."""
    text = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    number = "" if id is None else f"id: {id}\n"
    return f"{number}event: {name}\ndata: {text}\n\n".encode("utf-8", "replace")


class Channel:
    """One kind of event: its newest message, numbered, also framed as an HTTP chunk; slow viewers skip older ones."""

    def __init__(self) -> None:
        self.number, self.message, self.chunk = 0, b"", b""

    def publish(self, message: bytes) -> None:
        """Make `message` the newest."""
        self.number += 1
        self.message, self.chunk = message, b"%x\r\n%b\r\n" % (len(message), message)


class Viewer:
    """An open event stream.

    Attributes:
        client: the id of the paired device; for an unpaired client its address or IPv6 network (`limited_address`).
        address: the client's address.
        is_paired: whether the client is a paired device.
        last_sent: the channels it subscribes to, each with the number of the last message sent from it.
        wake: set when there is a message that could not be sent at once.
        is_idle: whether everything has been sent and the stream is waiting for more.
        is_ended: whether the stream must end, because another viewer gets its place or its device was unpaired.
    """

    def __init__(
        self, address: str, device: str, last_sent: dict[Channel, int], send_now: SendNow | None = None
    ) -> None:
        self.client, self.address, self.is_paired = device or limited_address(address), address, bool(device)
        self.last_sent, self._send_now = last_sent, send_now
        self.wake, self.is_idle, self.is_ended = asyncio.Event(), False, False

    def end(self) -> None:
        """End the stream; the page reconnects."""
        self.is_ended = True
        self.wake.set()

    def notify(self, channel: Channel) -> None:
        """Send the channel's newest message at once if possible, else wake the stream; skip it if not subscribed."""
        if channel not in self.last_sent:
            return
        if self.is_idle and not self.wake.is_set() and self._send_now is not None and self._send_now(channel.chunk):
            self.last_sent[channel] = channel.number
        else:
            self.wake.set()

    def collect(self) -> bytes:
        """The newest message of each channel if not sent yet; older messages are skipped."""
        new = [channel for channel, number in self.last_sent.items() if channel.number > number]
        self.last_sent.update({channel: channel.number for channel in new})
        return b"".join(channel.message for channel in new)


# --- the streams of a site: room and fair shares for viewers, heartbeats, and the end of a stream ---


RETRY = b"retry: 1000\n\n"
"""Milliseconds before a browser reconnects."""

RETRY_WHEN_FULL_S = 5
"""Seconds before a viewer that was refused for lack of room may retry."""


class LiveEvents(ABC):
    """An ASGI application that streams events to viewers; it runs in the event loop, except `_call_in_loop`.

    A subclass checks what clients may view (`_view`), and publishes messages in the channels that viewers subscribe to.

    Attributes:
        heartbeat_s: seconds between heartbeats.
    """

    heartbeat_s: ClassVar[float]

    def __init__(self, settings: WebSettings, device_of: Callable[[Scope], str]) -> None:
        """`device_of` returns the paired device of a request, "" for none."""
        self._settings, self._device_of = settings, device_of
        self._heart = Channel()
        self._viewers: set[Viewer] = set()
        self._heartbeat: Timer | None = None
        self._on_close: list[Callable[[], None]] = []
        self._is_open = False

    def open(self) -> None:
        """Accept viewers; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        self._is_open = True

    def close(self) -> None:
        """End all streams; called in the event loop."""
        self._is_open = False
        for stop in (*self._on_close, self._stop_heartbeat):
            stop()
        for viewer in self._viewers:
            viewer.wake.set()

    def end_unpaired(self, paired: Container[str]) -> None:
        """End the streams of devices that are no longer paired; called in the event loop."""
        for viewer in self._viewers:
            if viewer.is_paired and viewer.client not in paired:
                viewer.end()

    @property
    def viewer_count(self) -> int:
        """The number of open streams."""
        return len(self._viewers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it disconnects or the server shuts down.

        Raises:
            Problem: the method is not GET, no place is left, or the client may not view these events.
        """
        if scope["method"] != "GET":
            raise Problem(405, "method", "events_by_get", headers={"Allow": "GET"})
        await self._view(scope, receive, send)

    @abstractmethod
    async def _view(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit a viewer, publish the messages that it starts with, and `_serve` it."""

    @abstractmethod
    def _make_room(self, new: Viewer, *, is_limited: bool) -> None:
        """Make room for a viewer; `is_limited` says whether its client has a limit.

        Raises:
            Problem: no place is left, or the client has reached its limit.
        """

    @abstractmethod
    def _heartbeat_event(self) -> bytes:
        """The event of a heartbeat now."""

    def _admit(self, scope: Scope, last_sent: dict[Channel, int]) -> Viewer:
        """A new viewer of these channels.

        Raises:
            Problem: no place is left, or the client has reached its limit.
        """
        if not self._is_open:
            raise full("putting_away")
        send_now = scope.get("extensions", {}).get(SEND_NOW)
        viewer = Viewer(address_of(scope), self._device_of(scope), last_sent, send_now)
        self._make_room(viewer, is_limited=self._settings.throttle_loopback or not is_local(scope))
        return viewer

    def _require_share(self, new: Viewer, others: Iterable[Viewer]) -> None:
        """Check that a paired device, or an address and its network, is below its limit on streams.

        Raises:
            Problem: the limit is reached.
        """
        most = self._settings.viewers_per_address
        limits = {new.client: most} if new.is_paired else limits_of(new.address, most)
        counted = list(others)
        for name, limit in limits.items():
            windows = sum(name in {one.client, one.address} for one in counted)
            if windows >= limit:
                raise full("windows", windows=windows, address=new.address if new.is_paired else name)

    async def _serve(self, viewer: Viewer, receive: Receive, send: Send, first: bytes = b"") -> None:
        """Send the `first` events, then the messages of the viewer's channels, until the stream ends."""
        self._viewers.add(viewer)
        self._start_heartbeat()
        gone = self._loop.create_task(wait_for_disconnect(receive))
        gone.add_done_callback(lambda _: viewer.wake.set())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            await self._send_events(viewer, send, gone, RETRY + first)
        finally:
            gone.cancel()
            self._viewers.discard(viewer)

    async def _send_events(self, viewer: Viewer, send: Send, gone: "asyncio.Task[None]", first: bytes) -> None:
        body = first + viewer.collect()
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

    def _call_in_loop(self, call: Callable[..., None], *values: Any) -> None:
        """Run `call` in the event loop; can be used from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(call, *values)

    # --- heartbeat: one timer for all, only while there are viewers ---

    def _start_heartbeat(self) -> None:
        if self._heartbeat is None:
            self._heartbeat = self._loop.call_later(self.heartbeat_s, self._beat)

    def _stop_heartbeat(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.cancel()
            self._heartbeat = None

    def _beat(self) -> None:
        self._heartbeat = None
        if self._viewers:
            self._start_heartbeat()
            publish(self._heart, self._heartbeat_event(), self._viewers)


def publish(channel: Channel, message: bytes, viewers: Iterable[Viewer]) -> None:
    """Make a message the newest of a channel, and send it to the viewers that subscribe to the channel."""
    channel.publish(message)
    for viewer in viewers:
        viewer.notify(channel)


def full(key: str, **values: object) -> Problem:
    """The refusal of a viewer for lack of room; `key` is the message that says why."""
    return busy(key, "too_many_viewers", RETRY_WHEN_FULL_S, **values)
