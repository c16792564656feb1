"""The gallery: everybody who looks on gets the whole newest picture at `/events`, encoded once for all."""

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import parse_qs

from pegboard.config import WebSettings
from pegboard.core import snapshot
from pegboard.core.view import View
from pegboard.feed import Feed
from pegboard.messages import Message
from web.access.sessions import not_paired
from web.api.bench_protocol import Bench
from web.http.asgi import AT_ONCE, AtOnce, Receive, Scope, Send
from web.http.client_address import address_of, is_here
from web.http.problems import Problem
from web.http.worker_pool import until_gone

RETRY = b"retry: 1000\n\n"
"""Milliseconds after which a browser comes back."""

HEARTBEAT_S = 10.0
"""Seconds between heartbeats; a page that hears none for 25 s opens its stream anew."""

MOST_A_SECOND = 20
"""Pictures that carry no new event of the game."""

CLOSE = 2
"""How many of them may follow each other at once."""

APART_S = 1 / (MOST_A_SECOND - CLOSE)
"""Seconds between the others."""

COME_BACK_S = 5
"""Seconds after which one who found the gallery full may ask again."""

STREAM = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


class Timer(Protocol):
    """What a loop's `call_later` gives."""

    def cancel(self) -> None:
        """Do not call."""


class Pace:
    """Lets `emit` run at most `MOST_A_SECOND` times in any second, except when it is urgent.

    Two may come close together, so that a press need not wait behind other news; what is asked last always gets out.
    """

    def __init__(
        self, emit: Callable[[], None], clock: Callable[[], float], later: Callable[[float, Callable[[], None]], Timer]
    ) -> None:
        self._emit, self._clock, self._later = emit, clock, later
        self._paid_until = float("-inf")
        self._timer: Timer | None = None

    def ask(self, *, urgent: bool = False) -> None:
        """Emit now, or as soon as the pace allows."""
        wait = self._paid_until - APART_S - self._clock()
        if urgent or wait <= 0:
            self._let_out()
        elif self._timer is None:
            self._timer = self._later(wait, self._let_out)

    def stop(self) -> None:
        """Forget what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _let_out(self) -> None:
        self.stop()
        now = self._clock()
        self._paid_until = min(max(now, self._paid_until) + APART_S, now + CLOSE * APART_S)
        self._emit()


class Channel:
    """One kind of event: its newest message, numbered, and the same as a chunk of an answer."""

    def __init__(self) -> None:
        self.number, self.message, self.chunk = 0, b"", b""

    def say(self, message: bytes) -> None:
        """Make `message` the newest."""
        self.number += 1
        self.message, self.chunk = message, b"%x\r\n%b\r\n" % (len(message), message)


class Viewer:
    """One who looks on: which messages of which channels it has had.

    Attributes:
        wake: set when it has news that could not be told at once.
        rests: whether it has had all there is and waits for more.
    """

    def __init__(self, address: str, had: dict[Channel, int], at_once: AtOnce | None) -> None:
        self.address, self._had, self._at_once = address, had, at_once
        self.wake, self.rests = asyncio.Event(), False

    def tell(self, channel: Channel) -> None:
        """There is a newer message: if it hears that kind, it has it at once where it can, or is woken for it."""
        if channel not in self._had:
            return
        if self.rests and not self.wake.is_set() and self._at_once is not None and self._at_once(channel.chunk):
            self._had[channel] = channel.number
        else:
            self.wake.set()

    def hears(self, channel: Channel) -> bool:
        """Whether it asked for that kind of event."""
        return channel in self._had

    def news(self) -> bytes:
        """The newest message of each channel that has one it has not had; what came between is skipped."""
        new = [channel for channel, number in self._had.items() if channel.number > number]
        self._had.update({channel: channel.number for channel in new})
        return b"".join(channel.message for channel in new)


class Gallery:
    """The ASGI application at `/events`. All but the followers' wake-up calls runs in the event loop."""

    def __init__(
        self,
        feed: Feed,
        settings: WebSettings,
        bench: Bench | None = None,
        *,
        sees_codes: Callable[[Scope], bool] = lambda _: True,
    ) -> None:
        """`sees_codes` tells who may see the bench: its panel shows the code that pairs a phone."""
        self._feed, self._settings, self._bench, self._sees_codes = feed, settings, bench, sees_codes
        self._state, self._heart, self._picture = Channel(), Channel(), Channel()
        self._viewers: set[Viewer] = set()
        self._said: View | None = None
        self._heartbeat: Timer | None = None
        self._is_open = False

    def open(self) -> None:
        """Begin to follow the board; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        self._state_pace = Pace(self._say_state, self._loop.time, self._loop.call_later)
        self._picture_pace = Pace(self._say_picture, self._loop.time, self._loop.call_later)
        self._cancels = [self._feed.follow(lambda _: self._from_outside(self._board_changed))]
        if self._bench is not None:
            self._cancels.append(self._bench.follow(lambda *_: self._from_outside(self._picture_pace.ask)))
        self._is_open = True

    def close(self) -> None:
        """Let everybody go; called in the event loop."""
        self._is_open = False
        for cancel in self._cancels:
            cancel()
        for timer in (self._state_pace.stop, self._picture_pace.stop, self._stop_heartbeat):
            timer()
        for viewer in self._viewers:
            viewer.wake.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one viewer until it leaves or the gallery closes.

        Raises:
            Problem: the gallery is full, something other than looking was asked, or the bench by a mere viewer.
        """
        if scope["method"] != "GET":
            raise Problem(405, "method", "events_by_get", headers={"Allow": "GET"})
        viewer = self._admitted(scope)
        self._viewers.add(viewer)
        try:
            self._say_newest(viewer)
            await self._serve(viewer, receive, send)
        finally:
            self._viewers.discard(viewer)

    async def _serve(self, viewer: Viewer, receive: Receive, send: Send) -> None:
        gone = self._loop.create_task(until_gone(receive))
        gone.add_done_callback(lambda _: viewer.wake.set())
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM})
            await self._show(viewer, send, gone)
        finally:
            gone.cancel()

    @property
    def looking_on(self) -> int:
        """How many streams are open."""
        return len(self._viewers)

    # --- viewers ---

    def _admitted(self, scope: Scope) -> Viewer:
        address = address_of(scope)
        self._has_room(address, is_limited=self._settings.throttle_loopback or not is_here(scope))
        had = {self._state: 0, self._heart: self._heart.number}
        if self._bench is not None and _wants_bench(scope):
            if not self._sees_codes(scope):
                raise not_paired()
            had[self._picture] = 0
        return Viewer(address, had, scope.get("extensions", {}).get(AT_ONCE))

    def _say_newest(self, viewer: Viewer) -> None:
        """Have what a new viewer begins with ready."""
        self._say_state()
        if viewer.hears(self._picture):
            self._say_picture()
        self._start_heartbeat()

    def _has_room(self, address: str, *, is_limited: bool) -> None:
        if not self._is_open:
            raise _full("putting_away")
        if len(self._viewers) >= self._settings.viewers:
            raise _full("viewers", viewers=self._settings.viewers)
        theirs = sum(viewer.address == address for viewer in self._viewers)
        if theirs >= self._settings.viewers_per_address and is_limited:
            raise _full("windows", windows=theirs, address=address)

    async def _show(self, viewer: Viewer, send: Send, gone: "asyncio.Task[None]") -> None:
        body = RETRY + viewer.news()
        while self._is_open and not gone.done():
            if body:
                await send({"type": "http.response.body", "body": body, "more_body": True})
            else:
                viewer.rests = True
                await viewer.wake.wait()
                viewer.rests = False
            viewer.wake.clear()
            body = viewer.news()
        await send({"type": "http.response.body", "body": b""})

    # --- what is said ---

    def _from_outside(self, call: Callable[[], None]) -> None:
        """Have the event loop call; while nobody looks on nothing is to do: who comes next begins with the newest."""
        if self._viewers:
            with contextlib.suppress(RuntimeError):  # the loop has ended in between
                self._loop.call_soon_threadsafe(call)

    def _board_changed(self) -> None:
        view, said = self._feed.view, self._said
        self._state_pace.ask(urgent=said is None or (view.epoch, view.revision) != (said.epoch, said.revision))

    def _say_state(self) -> None:
        view = self._feed.view
        if view is not self._said:
            self._say(self._state, event("state", snapshot.snapshot(view), id=state_id(view)))
            self._said = view

    def _say_picture(self) -> None:
        assert self._bench is not None
        self._say(self._picture, event("bench", self._bench.picture()))

    def _say(self, channel: Channel, message: bytes) -> None:
        channel.say(message)
        for viewer in self._viewers:
            viewer.tell(channel)

    # --- heartbeat: one timer for all, none while nobody looks on ---

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
            self._say(self._heart, event("heartbeat", {}))


def state_id(view: View) -> str:
    """What a state is called: the journal's epoch and its newest event."""
    return f"{view.epoch}-{view.revision}"


def event(name: str, data: dict[str, Any], *, id: str | None = None) -> bytes:  # noqa: A002 - the standard's own word
    """One server-sent event."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    number = "" if id is None else f"id: {id}\n"
    return f"{number}event: {name}\ndata: {text}\n\n".encode("utf-8", "replace")


def _full(key: str, **values: object) -> Problem:
    after, full = {"Retry-After": str(COME_BACK_S)}, Message(key, **values)
    return Problem(503, "too_many_viewers", "try_again_in", headers=after, full=full, seconds=COME_BACK_S)


def _wants_bench(scope: Scope) -> bool:
    return parse_qs(scope["query_string"].decode("latin-1")).get("bench") == ["1"]
