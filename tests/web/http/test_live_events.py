"""Event streams alone, without a site: who gets in, what each viewer is sent, and when a stream ends."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pegboard.config import WebSettings
from tests.support.event_loop import apart
from web.http.problems import Problem
from web.http.viewers import RETRY, Channel, LiveEvents, Viewer, event, publish

FIRST = event("first", {})
FAR = ("192.168.1.9", 50123)


class Streams(LiveEvents):
    """One kind of news, for as many viewers as may come from one address."""

    heartbeat_s = 600.0

    def __init__(self, **settings: Any) -> None:
        super().__init__(WebSettings(**settings), lambda scope: scope["device"])
        self.news = Channel()

    async def _view(self, scope: Any, receive: Any, send: Any) -> None:
        await self._serve(self._admit(scope, {self.news: self.news.number}), receive, send, FIRST)

    def _make_room(self, new: Viewer, *, is_limited: bool) -> None:
        if is_limited:
            self._require_share(new, self._viewers)

    def _heartbeat_event(self) -> bytes:
        return event("heartbeat", {})

    def publish(self, text: str) -> None:
        publish(self.news, text.encode(), self._viewers)


class Page:
    """A viewer's end of a stream."""

    def __init__(
        self, streams: LiveEvents, client: tuple[str, int] = FAR, device: str = "", method: str = "GET"
    ) -> None:
        scope = {"method": method, "client": client, "server": ("192.168.1.7", 80), "headers": [], "device": device}
        self.sent: list[Any] = []
        self._leaves, self._reads = asyncio.Event(), asyncio.Event()
        self._reads.set()
        self.stream = asyncio.create_task(streams(scope, self._receive, self._send))  # type: ignore[arg-type]

    async def _receive(self) -> dict[str, Any]:
        await self._leaves.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self._reads.wait()
        self.sent.append(message)

    @property
    def text(self) -> bytes:
        """What it was sent after the first events."""
        whole = b"".join(message.get("body", b"") for message in self.sent)
        assert whole.startswith(RETRY + FIRST)
        return whole.removeprefix(RETRY + FIRST)

    async def leave(self) -> None:
        self._leaves.set()
        await self.stream

    def read(self, *, on: bool) -> None:
        """Read no more of what is sent, or go on reading."""
        if on:
            self._reads.set()
        else:
            self._reads.clear()

    async def refusal(self) -> Problem:
        with pytest.raises(Problem) as refused:
            await self.stream
        return refused.value


async def settle() -> None:
    """Let everything that is ready run."""
    for _ in range(10):
        await asyncio.sleep(0)


def playing(play: Callable[[Streams], Awaitable[None]], **settings: Any) -> None:
    async def opened() -> None:
        streams = Streams(**settings)
        streams.open()
        await play(streams)
        streams.close()

    apart(opened())


def test_viewers_are_sent_what_comes_after_they_came():
    async def play(streams: Streams) -> None:
        streams.publish("before")
        pages = [Page(streams) for _ in range(2)]
        await settle()
        assert pages[0].sent[0]["status"] == 200
        assert dict(pages[0].sent[0]["headers"])[b"content-type"] == b"text/event-stream; charset=utf-8"
        streams.publish("one,")
        await settle()
        streams.publish("two,")
        await settle()
        assert [page.text for page in pages] == [b"one,two,"] * 2

    playing(play)


def test_a_viewer_that_does_not_read_skips_to_the_newest():
    async def play(streams: Streams) -> None:
        page, other = Page(streams), Page(streams)
        await settle()
        page.read(on=False)
        for text in ("one,", "two,", "three,"):
            streams.publish(text)
            await settle()
        page.read(on=True)
        await settle()
        assert (page.text, other.text) == (b"one,three,", b"one,two,three,")

    playing(play)


def test_a_viewer_that_leaves_makes_room():
    async def play(streams: Streams) -> None:
        pages = [Page(streams) for _ in range(2)]
        await settle()
        assert (await Page(streams).refusal()).code == "too_many_viewers"
        await pages[0].leave()
        assert streams.viewer_count == 1
        Page(streams)
        await settle()
        assert streams.viewer_count == 2

    playing(play, viewers_per_address=2)


@pytest.mark.parametrize(("is_limited", "allowed"), [(False, 3), (True, 1)])
def test_this_machine_has_no_limit_unless_the_settings_say_so(allowed: int, *, is_limited: bool):
    async def play(streams: Streams) -> None:
        pages = [Page(streams, ("127.0.0.1", 50123)) for _ in range(3)]
        await settle()
        assert streams.viewer_count == sum(not page.stream.done() for page in pages) == allowed
        await asyncio.gather(*(page.refusal() for page in pages if page.stream.done()))

    playing(play, viewers_per_address=1, throttle_loopback=is_limited)


def test_the_stream_of_an_unpaired_device_ends():
    async def play(streams: Streams) -> None:
        pages = [Page(streams, device=device) for device in ("phone", "tablet", "")]
        await settle()
        streams.end_unpaired({"phone"})
        await settle()
        assert [page.stream.done() for page in pages] == [False, True, False]
        assert pages[1].sent[-1] == {"type": "http.response.body", "body": b""}

    playing(play)


def test_closing_ends_every_stream_and_nobody_is_admitted_any_more():
    async def play(streams: Streams) -> None:
        pages = [Page(streams) for _ in range(2)]
        await settle()
        streams.close()
        await asyncio.gather(*(page.stream for page in pages))
        assert [page.sent[-1]["body"] for page in pages] == [b"", b""]
        refused = await Page(streams).refusal()
        assert (refused.status, refused.message.values["full"].key) == (503, "putting_away")

    playing(play)


def test_events_are_read_by_get():
    async def play(streams: Streams) -> None:
        refused = await Page(streams, method="POST").refusal()
        assert (refused.status, refused.headers) == (405, {"Allow": "GET"})

    playing(play)
