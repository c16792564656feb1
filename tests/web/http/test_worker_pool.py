"""The fair queue: addresses in turn, nothing done for clients that have left, and no waiting at shutdown."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.event_loop import apart
from web.http.asgi import AsgiMessage
from web.http.problems import Problem
from web.http.worker_pool import DaemonExecutor, FairQueue, Sent


class Held:
    """A queue before one thread that does nothing until it is let go, and the paths that were served."""

    def __init__(self, **more: Any) -> None:
        self.served: list[str] = []
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.executor = DaemonExecutor(1, "held")
        self.queue = FairQueue(self._page, self.executor, 1, device_of=lambda scope: scope["device"], **more)

    def _page(self, environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        self.begun.set()
        self.let_go.wait(60)
        self.served.append(environ["PATH_INFO"])
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "3")])
        return [b"An", b"n"]

    def ask(
        self, address: str, path: str, *, leaves: bool = False, device: str = ""
    ) -> "asyncio.Task[list[AsgiMessage]]":
        return asyncio.create_task(self._answer(address, path, leaves=leaves, device=device))

    async def _answer(self, address: str, path: str, *, leaves: bool, device: str) -> list[AsgiMessage]:
        answer, heard = [], [{"type": "http.request", "body": b""}]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "http_version": "1.1"}

        async def receive() -> AsgiMessage:
            if heard:
                return heard.pop()
            await asyncio.sleep(0 if leaves else 60)
            return {"type": "http.disconnect"}

        async def send(message: AsgiMessage) -> None:
            answer.append(message)

        await self.queue(scope | {"headers": [], "client": (address, 1), "device": device}, receive, send)
        return answer


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_each_address_has_its_turn():
    async def play() -> None:
        held = Held()
        tasks = [held.ask("192.168.1.9", f"/{n}") for n in range(4)]
        await settled()
        tasks.append(held.ask("192.168.1.10", "/other"))
        await settled()
        held.let_go.set()
        answers = await asyncio.gather(*tasks)
        assert held.served == ["/0", "/1", "/other", "/2", "/3"]
        start, body = answers[0]
        assert (start["status"], dict(start["headers"])[b"content-length"], body["body"]) == (200, b"3", b"Ann")

    apart(play())


@pytest.mark.parametrize(
    ("outlives_client", "served"), [(False, ["/first", "/stays"]), (True, ["/first", "/leaves", "/stays"])]
)
def test_requests_of_clients_that_have_left_are_dropped_unless_they_score(outlives_client, served):
    async def play() -> None:
        held = Held(outlives_client=outlives_client)
        tasks = [held.ask("a", "/first"), held.ask("a", "/leaves", leaves=True), held.ask("a", "/stays")]
        await settled()
        held.let_go.set()
        await asyncio.gather(*tasks)
        assert held.served == served

    apart(play())


def test_requests_beyond_the_limit_are_refused():
    async def play() -> None:
        held = Held(limit=2)
        tasks = [held.ask(str(n), f"/{n}") for n in range(4)]
        await settled()
        assert [task.done() for task in tasks] == [False, False, False, True]
        problem = tasks[3].exception()
        assert isinstance(problem, Problem)
        assert (problem.status, problem.code, problem.headers) == (503, "busy", {"Retry-After": "2"})
        held.let_go.set()
        assert all(await asyncio.gather(*tasks[:3]))

    apart(play())


def test_at_shutdown_running_requests_are_finished_and_waiting_ones_refused():
    async def play() -> None:
        held = Held(outlives_client=True)
        tasks = [held.ask("a", f"/{n}") for n in range(3)]
        await settled()
        await asyncio.to_thread(held.begun.wait, 5)
        held.queue.close()
        held.executor.close()
        held.let_go.set()
        answers = await asyncio.gather(*tasks, held.ask("a", "/late"), return_exceptions=True)
        assert held.served == ["/0"]
        assert [getattr(one, "code", None) for one in answers] == [None, "busy", "busy", "busy"]

    apart(play())


def test_paired_devices_go_before_a_thousand_strangers_of_whom_some_are_answered_too():
    async def play() -> None:
        held = Held()
        tasks = [held.ask("here", "/first")]
        tasks += [held.ask(f"192.168.{n >> 8}.{n & 255}", "/stranger") for n in range(1000)]
        tasks += [held.ask("192.168.1.10", "/phone", device="a phone") for _ in range(10)]
        await settled()
        held.let_go.set()
        await asyncio.gather(*tasks)
        assert held.served[:12] == ["/first", *["/phone"] * 8, "/stranger", *["/phone"] * 2]

    apart(play())


def test_a_paired_device_has_one_turn_from_however_many_addresses():
    async def play() -> None:
        held = Held()
        tasks = [held.ask("here", "/first")]
        tasks += [held.ask(f"192.168.2.{n}", f"/{n}", device="a busy phone") for n in range(4)]
        tasks.append(held.ask("192.168.1.10", "/other", device="another phone"))
        await settled()
        held.let_go.set()
        await asyncio.gather(*tasks)
        assert held.served == ["/first", "/0", "/other", "/1", "/2", "/3"]

    apart(play())


def test_what_a_thread_holds_is_released_as_soon_as_its_answer_is_sent():
    async def play() -> None:
        told: list[str] = []
        executor, sent = DaemonExecutor(1, "held", lambda: lambda: told.append("released")), Sent()
        assert await executor.run(lambda: "answer", sent=sent) == "answer"
        sent.set()
        assert told[:1] == ["released"]
        assert await executor.run(lambda: "another", sent=(unread := Sent())) == "another"
        assert await executor.run(lambda: told[-1]) == "released", "a client that reads nothing is not waited for"
        assert not unread.is_set()
        executor.close()

    asyncio.run(play())
