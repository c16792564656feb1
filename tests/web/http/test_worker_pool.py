"""Lanes: each address in its turn, nothing done for those who have left, and no waiting when the table is put away."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.event_loop import apart
from web.http.asgi import Message
from web.http.problems import Problem
from web.http.worker_pool import DaemonExecutor, FairQueue


class Road:
    """A lane of one thread that does nothing until it is let go, and who was asked for in it."""

    def __init__(self, **more: Any) -> None:
        self.asked: list[str] = []
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.executor = DaemonExecutor(1, "road")
        self.queue = FairQueue(self._page, self.executor, 1, **more)

    def _page(self, environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        self.begun.set()
        self.let_go.wait(5)
        self.asked.append(environ["PATH_INFO"])
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "3")])
        return [b"An", b"n"]

    def ask(self, address: str, path: str, *, leaves: bool = False) -> "asyncio.Task[list[Message]]":
        return asyncio.create_task(self._answer(address, path, leaves=leaves))

    async def _answer(self, address: str, path: str, *, leaves: bool) -> list[Message]:
        answer, heard = [], [{"type": "http.request", "body": b""}]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "http_version": "1.1"}

        async def receive() -> Message:
            if heard:
                return heard.pop()
            await asyncio.sleep(0 if leaves else 60)
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            answer.append(message)

        await self.queue(scope | {"headers": [], "client": (address, 1)}, receive, send)
        return answer


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_each_address_has_its_turn():
    async def play() -> None:
        road = Road()
        asked = [road.ask("192.168.1.9", f"/{n}") for n in range(4)]
        await settled()
        asked.append(road.ask("192.168.1.10", "/other"))
        await settled()
        road.let_go.set()
        answers = await asyncio.gather(*asked)
        assert road.asked == ["/0", "/1", "/other", "/2", "/3"]
        start, body = answers[0]
        assert (start["status"], dict(start["headers"])[b"content-length"], body["body"]) == (200, b"3", b"Ann")

    apart(play())


@pytest.mark.parametrize(("keeps", "asked"), [(False, ["/first", "/stays"]), (True, ["/first", "/leaves", "/stays"])])
def test_who_has_left_is_not_asked_for_unless_it_scores(keeps, asked):
    async def play() -> None:
        road = Road(outlives_client=keeps)
        tasks = [road.ask("a", "/first"), road.ask("a", "/leaves", leaves=True), road.ask("a", "/stays")]
        await settled()
        road.let_go.set()
        await asyncio.gather(*tasks)
        assert road.asked == asked

    apart(play())


def test_only_so_many_wait():
    async def play() -> None:
        road = Road(limit=2)
        tasks = [road.ask(str(n), f"/{n}") for n in range(4)]
        await settled()
        assert [task.done() for task in tasks] == [False, False, False, True]
        problem = tasks[3].exception()
        assert isinstance(problem, Problem)
        assert (problem.status, problem.code, problem.headers) == (503, "busy", {"Retry-After": "2"})
        road.let_go.set()
        assert all(await asyncio.gather(*tasks[:3]))

    apart(play())


def test_at_the_end_what_is_under_way_is_finished_and_who_waits_is_sent_away():
    async def play() -> None:
        road = Road(outlives_client=True)
        tasks = [road.ask("a", f"/{n}") for n in range(3)]
        await settled()
        await asyncio.to_thread(road.begun.wait, 5)
        road.queue.close()
        road.executor.close()
        road.let_go.set()
        told = await asyncio.gather(*tasks, road.ask("a", "/late"), return_exceptions=True)
        assert road.asked == ["/0"]
        assert [getattr(one, "code", None) for one in told] == [None, "busy", "busy", "busy"]

    apart(play())
