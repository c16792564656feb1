"""Server-sent events, read from the wire by hand."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from pegboard.config import WebSettings
from pegboard.core import view_as_json
from pegboard.feed import Feed
from pegboard.messages import Message
from tests.support.event_loop import apart
from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site, ToyBench, Watcher
from web.http import viewers
from web.http.client_address import NETWORK_SHARE
from web.http.listener import WRITE_BYTES
from web.http.problems import Problem
from web.table import event_stream
from web.table.event_stream import EventStream


def test_a_stream_opens_with_the_whole_state(site: Site):
    site.score(0, 5)
    watcher = site.watch()
    assert watcher.status == 200
    assert watcher.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert watcher.headers["cache-control"] == "no-store"
    assert watcher.headers["x-accel-buffering"] == "no"
    event = watcher.next()
    assert watcher.retry == 1000
    assert event.kind == "state"
    assert event.data == site.get("/api/v1/state").json
    assert event.id == f"{event.data['epoch']}-{event.data['revision']}"


def test_every_score_is_seen_at_once_with_its_revision(site: Site):
    watcher = site.watch()
    first = watcher.next().data["revision"]
    for number in range(1, 6):
        state = site.score(number % 2, number).json["state"]
        event = watcher.next()
        assert (event.kind, event.data) == ("state", state)
        assert event.id == f"{state['epoch']}-{first + number}"


def test_fifty_viewers_see_every_event(site: Site):
    watchers = [site.watch() for _ in range(50)]
    posted = [site.score(number % 2, 3).json["state"] for number in range(20)]
    for watcher in watchers:
        watcher.next()
        assert [watcher.next().data for _ in posted] == posted


def test_a_program_that_knows_no_chunks_reads_bare_events(site: Site):
    with socket.create_connection(("127.0.0.1", site.port), timeout=60) as line:
        line.sendall(b"GET /events HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        told = b""
        for points in 3, 4:
            while told.count(b"event: state") < points - 2:
                told += line.recv(65_536)
            site.score(0, points)
        while told.count(b"\n\n") < 4:  # retry, and three states
            told += line.recv(65_536)
    head, _, body = told.partition(b"\r\n\r\n")
    assert b"chunked" not in head
    assert b"\r" not in body
    assert [part.split(b"\n")[0][:3] for part in body.split(b"\n\n")] == [b"ret", b"id:", b"id:", b"id:", b""]


def test_a_refused_command_shows_nothing(site: Site):
    watcher = site.watch()
    watcher.next()
    assert site.score(0, 30).status == 422
    state = site.score(0, 7).json["state"]
    assert watcher.next().data == state


def test_dialled_points_are_seen_and_the_last_always_is(site: Site):
    watcher = site.watch()
    watcher.next()
    for _ in range(29):
        site.scoreboard.keys.dial(0, 1)
    seen = [watcher.next().data["lanes"][0]["dialled"]]
    while seen[-1] < 29:
        seen.append(watcher.next().data["lanes"][0]["dialled"])
    assert len(seen) < 29
    assert seen == sorted(seen)


def test_a_score_does_not_wait_for_the_pace_of_dialled_points(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(viewers, "APART_S", 60.0)
    watcher = site.watch()
    watcher.next()
    for _ in range(3):
        site.scoreboard.keys.dial(0, 1)
    state = site.score(0, 7).json["state"]
    assert watcher.until("state", revision=state["revision"]).data == state


def test_heartbeats_are_real_events_and_stop_when_nobody_looks_on(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(event_stream.EventStream, "heartbeat_s", 0.05)
    watchers = [site.watch() for _ in range(3)]
    for watcher in watchers:
        for _ in range(3):
            assert watcher.until("heartbeat").data == {}
    stream = site.server._events
    assert stream._heartbeat is not None
    for watcher in watchers:
        watcher.connection.close()
        watcher._file.close()
    soon(lambda: not stream._viewers)
    soon(lambda: stream._heartbeat is None)


def test_a_viewer_that_never_reads_disturbs_nobody_and_then_sees_the_newest(site: Site):
    stuck, watcher = site.watch(unread=4096), site.watch()
    watcher.next()
    for number in range(150):
        last = site.score(number % 2, 0).json["state"]
        watcher.until("state", revision=last["revision"])
    assert WRITE_BYTES < _unsent(site, stuck) < WRITE_BYTES + 16_384
    stuck.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    seen = [stuck.next().data["revision"]]
    while seen[-1] < last["revision"]:
        seen.append(stuck.next().data["revision"])
    assert len(seen) < 150
    assert seen == sorted(seen)


def test_a_viewer_that_leaves_is_forgotten(site: Site):
    stream = site.server._events
    watcher = site.watch()
    watcher.next()
    assert len(stream._viewers) == 1
    watcher._file.close()
    watcher.connection.close()
    soon(lambda: not stream._viewers)


@pytest.mark.parametrize("broken", ["state", "bench"])
def test_a_viewer_whose_first_picture_fails_takes_no_place(
    serve: Callable[..., Site], bench: ToyBench, monkeypatch: pytest.MonkeyPatch, broken: str
):
    site = serve(bench, viewers=2)
    with monkeypatch.context() as patch:
        if broken == "state":
            patch.setattr(view_as_json, "snapshot", _fails)
        else:
            patch.setattr(bench, "picture", _fails)
        assert [site.watch("/events?bench=1").status for _ in range(3)] == [500] * 3
    assert site.server._events.viewer_count == 0
    assert site.watch("/events?bench=1").until("state").data == site.get("/api/v1/state").json


def _fails(*_: object) -> Any:
    raise ZeroDivisionError("it cannot be drawn")


def test_without_room_a_viewer_is_told_when_to_come_back(serve: Callable[..., Site]):
    site = serve(viewers=2)
    inside = [site.watch(), site.watch()]
    outside = site.watch()
    assert outside.status == 503
    assert outside.headers["retry-after"] == "5"
    assert outside.headers["content-type"] == "application/problem+json"
    assert b'"code":"too_many_viewers"' in outside.body()
    inside[0]._file.close()
    inside[0].connection.close()
    soon(lambda: len(site.server._events._viewers) == 1)
    assert site.watch().status == 200


def test_this_machine_may_open_as_many_windows_as_it_likes(serve: Callable[..., Site]):
    site = serve(viewers_per_address=2)
    assert [site.watch().status for _ in range(5)] == [200] * 5


def test_nobody_can_claim_another_address(serve: Callable[..., Site]):
    site = serve(viewers_per_address=2)
    watchers = [site.watch(X_Forwarded_For=f"192.168.1.{number}") for number in range(5)]
    statuses = [watcher.status for watcher in watchers]
    assert statuses == [200] * 2 + [503] * 3, "a proxy nobody trusts is not this machine"
    assert b"2 windows are already open at 127.0.0.1" in watchers[-1].body()


@pytest.mark.parametrize(
    ("address", "admitted"), [("192.168.1.9", 2), ("fe80::9", 2), ("127.0.0.1", 5), ("::1", 5), ("::ffff:127.0.0.1", 5)]
)
def test_another_address_gets_its_share(address: str, admitted: int):
    apart(_open_many(address, admitted))


async def _open_many(address: str, admitted: int) -> None:
    stream = EventStream(Feed(), WebSettings(viewers=5, viewers_per_address=2))
    stream.open()
    tasks = [asyncio.create_task(_look(stream, address)) for _ in range(7)]
    await asyncio.sleep(0.01)
    assert len(stream._viewers) == admitted
    refused = [task for task in tasks if task.done()]
    assert len(refused) == 7 - admitted
    assert {task.exception().code for task in refused} == {"too_many_viewers"}
    stream.close()
    with contextlib.suppress(Problem):
        await asyncio.wait(tasks, timeout=1)
    assert not stream._viewers


def test_the_addresses_of_one_ipv6_network_have_a_limit_together():
    async def play() -> None:
        crowd = Crowd(room=30)
        await crowd.come(*["2001:db8::1"] * 4)
        assert await crowd.refused() == 1
        crowd = Crowd(room=30)
        await crowd.come(*(f"2001:db8::{n:x}" for n in range(14)), *(f"2001:db8:0:{n:x}::9" for n in range(1, 5)))
        assert await crowd.refused() == 14 - 3 * NETWORK_SHARE

    apart(play())


def test_where_all_streams_are_taken_one_goes_of_the_network_that_has_most():
    async def play() -> None:
        crowd = Crowd()
        await crowd.come("tv", "tv", *(f"2001:db8::{n:x}" for n in range(4)))
        assert await crowd.come("a") == [*["2001:db8::/64"] * 3, "a", "tv", "tv"]
        assert await crowd.refused() == 0

    apart(play())


class Crowd:
    """Streams from many addresses and devices at a table that has room for six."""

    def __init__(self, room: int = 6) -> None:
        settings = WebSettings(viewers=room, viewers_per_address=3)
        self.stream = EventStream(Feed(), settings, device_of=lambda scope: scope["device"])
        self.stream.open()
        self._tasks: list[asyncio.Task[None]] = []

    async def come(self, *names: str) -> list[str]:
        """Streams of these addresses and devices come one after another; whose are open then."""
        for name in names:
            address, device = ("192.168.1.9", name) if name.startswith("phone") else (name, "")
            self._tasks.append(asyncio.create_task(_look(self.stream, address, device)))
            await asyncio.sleep(0.01)
        return sorted(viewer.client for viewer in self.stream._viewers)

    async def refused(self) -> int:
        """How many have been refused; all streams end."""
        self.stream.close()
        return sum(isinstance(one, Problem) for one in await asyncio.gather(*self._tasks, return_exceptions=True))


def test_a_paired_phone_gets_a_stream_though_strangers_have_them_all():
    async def play() -> None:
        crowd = Crowd()
        await crowd.come(*"aaabcd")
        assert await crowd.come("phone 1", "phone 1") == [*"abcd", "phone 1", "phone 1"]
        assert (await crowd.come("phone 1", "phone 2"))[2:] == [*["phone 1"] * 3, "phone 2"]
        assert await crowd.refused() == 0

    apart(play())


def test_a_tv_gets_a_stream_of_whoever_has_most_but_none_of_a_paired_phone():
    async def play() -> None:
        crowd = Crowd()
        await crowd.come("a", "a", "a", "b", "phone 1", "phone 1")
        assert await crowd.come("tv") == ["a", "a", "b", "phone 1", "phone 1", "tv"]
        assert await crowd.come("tv", "c") == ["a", "b", "c", "phone 1", "phone 1", "tv"]
        assert await crowd.come("d") == ["a", "b", "c", "phone 1", "phone 1", "tv"], "all have one"
        assert await crowd.refused() == 2

    apart(play())


def test_a_paired_phone_gets_a_stream_of_a_device_that_has_more():
    async def play() -> None:
        crowd = Crowd()
        await crowd.come(*["phone 1"] * 4, *["phone 2"] * 3)
        assert await crowd.come("phone 3", "phone 3") == [*["phone 1"] * 2, *["phone 2"] * 2, *["phone 3"] * 2]
        assert await crowd.come("phone 3", "tv") == [*["phone 1"] * 2, *["phone 2"] * 2, *["phone 3"] * 2]
        assert await crowd.refused() == 3, "the fourth of the first phone, the third of the last, and the TV"

    apart(play())


async def _look(stream: EventStream, address: str, device: str = "") -> None:
    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        pass

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/events",
        "query_string": b"",
        "client": (address, 5),
        "device": device,
        "headers": [],
    }
    await stream(scope, receive, send)


def test_the_bench_is_shown_to_those_who_ask(serve: Callable[..., Site], bench: ToyBench):
    site = serve(bench)
    watcher, other = site.watch("/events?bench=1"), site.watch()
    assert {watcher.next().kind, watcher.next().kind} == {"state", "bench"}
    for _ in range(100):
        bench.change()
    assert watcher.until("bench", number=100)
    site.scoreboard.keys.show_notice(Message("verbatim", text="look here"))
    assert [other.next().kind, other.next().data["notice"]] == ["state", "look here"]


def test_pictures_of_the_bench_are_at_most_twenty_a_second(serve: Callable[..., Site], bench: ToyBench):
    watcher = serve(bench).watch("/events?bench=1")
    watcher.until("bench")
    began, seen = time.monotonic(), 0
    while time.monotonic() - began < 0.3:
        bench.change()
        time.sleep(0.001)
    while watcher.until("bench").data["number"] < bench.number:
        seen += 1
    assert seen <= 20 * (time.monotonic() - began) + 1


def test_without_a_bench_asking_for_it_shows_the_state_alone(site: Site):
    watcher = site.watch("/events?bench=1")
    watcher.next()
    state = site.score(0, 2).json["state"]
    assert watcher.next().data == state


def test_while_nobody_looks_on_the_loop_sleeps(site: Site, monkeypatch: pytest.MonkeyPatch):
    watcher = site.watch()
    watcher.next()
    watcher._file.close()
    watcher.connection.close()
    stream = site.server._events
    soon(lambda: not stream._viewers)
    calls: list[object] = []
    monkeypatch.setattr(stream._loop, "call_soon_threadsafe", calls.append)
    site.scoreboard.keys.dial(0, 1)
    assert calls == []
    monkeypatch.undo()
    assert site.watch().next().data["lanes"][0]["dialled"] == 1


def test_stopping_lets_fifty_viewers_go(site: Site):
    watchers = [site.watch() for _ in range(50)]
    site.server.stop()
    assert not site.server._thread.is_alive()
    for watcher in watchers:
        assert _ends(watcher)


def test_stopping_does_not_wait_for_a_viewer_that_never_reads(site: Site):
    stuck = site.watch(unread=4096)
    for number in range(100):
        site.score(number % 2, 0)
    assert _unsent(site, stuck) > 0
    site.server.stop()
    assert not site.server._thread.is_alive()


def test_a_stream_begun_while_stopping_is_sent_away():
    async def late() -> None:
        stream = EventStream(Feed(), WebSettings())
        stream.open()
        stream.close()
        with pytest.raises(Problem, match="pegboard is stopping"):
            await _look(stream, "127.0.0.1")

    apart(late())


def _ends(watcher: Watcher) -> bool:
    while watcher.next() is not None:
        pass
    return True


def _unsent(site: Site, watcher: Watcher) -> int:
    """Bytes that the server holds back for a viewer."""
    port = watcher.connection.getsockname()[1]
    (theirs,) = [c for c in site.server._http.server_state.connections if c.client[1] == port]
    return theirs.transport.get_write_buffer_size()
