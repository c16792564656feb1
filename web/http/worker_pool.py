"""Worker threads for WSGI views, and a fair queue before them: clients in turn, so that a busy one waits longest."""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeAlias, TypeVar

from pegboard.messages import Message
from web.http.asgi import Receive, Scope, Send, WsgiApp, answer, call_wsgi
from web.http.client_address import limited_client
from web.http.problems import BUSY, RETRY_S, Problem

T = TypeVar("T")

_Task: TypeAlias = tuple["Future[Any]", Callable[[], Any]]
_Place: TypeAlias = "asyncio.Future[bool]"

PAIRED_FIRST = 8
"""Requests of paired devices that are run before one of an unpaired client that waits."""


class DaemonExecutor:
    """A few daemon threads, which the queues that share them leave at once at shutdown.

    Nobody waits for them at the very end: statistics that take long hold up no restart.
    """

    def __init__(self, count: int, name: str) -> None:
        """The threads start when they are first needed."""
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, name=f"{name} {n}", daemon=True) for n in range(count)]
        self._has_started, self._is_open = False, True

    async def run(self, act: Callable[..., T], *args: Any) -> T:
        """Run `act` in one of the threads.

        Raises:
            Problem: 503, the executor is closed.
        """
        if not self._is_open:
            raise shutting_down()
        self._start()
        done: Future[T] = Future()
        self._tasks.put((done, partial(act, *args)))
        try:
            return await asyncio.wrap_future(done)
        except asyncio.CancelledError:
            if self._is_open:
                raise
            raise shutting_down() from None

    def post(self, call: Callable[[], None]) -> None:
        """Have a thread run a call when it comes to it; while there are no threads yet, this one does. Never waits."""
        if self._has_started:
            self._tasks.put((Future(), call))
        else:
            call()

    def thread_ids(self) -> tuple[int, ...]:
        """The idents of the threads that run."""
        return tuple(one.ident for one in self._threads if one.is_alive() and one.ident is not None)

    def close(self) -> None:
        """Start no more tasks; those that run are finished."""
        self._is_open = False
        with contextlib.suppress(Empty):
            while task := self._tasks.get_nowait():
                task[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)

    def _start(self) -> None:
        if not self._has_started:
            self._has_started = True
            for thread in self._threads:
                thread.start()

    def _work(self) -> None:
        while task := self._tasks.get():
            done, act = task
            if done.set_running_or_notify_cancel():
                try:
                    done.set_result(act())
                except BaseException as error:  # noqa: BLE001 - whoever awaits the result gets it
                    done.set_exception(error)
            del task, done, act  # an idle thread holds nothing in memory


class FairQueue:
    """An ASGI application that calls a WSGI application in threads, one client after another.

    A paired device is one client, whatever addresses it sends from, and goes before those that are not paired.
    It takes requests with their whole body. Everything but the call itself runs in the event loop.
    """

    def __init__(
        self,
        app: WsgiApp,
        executor: DaemonExecutor,
        abreast: int,
        *,
        limit: int | None = None,
        outlives_client: bool = False,
        device_of: Callable[[Scope], str] = lambda _: "",
    ) -> None:
        """Run up to `abreast` requests at once; up to `limit` wait, or any number.

        `device_of` tells the id of the paired device that a request comes from, "" for none.
        With `outlives_client` a request is also run when its client has left meanwhile: a score that arrived counts.
        """
        self._app, self._executor = app, executor
        self._free, self._limit, self._outlives_client = abreast, limit, outlives_client
        self._device_of = device_of
        self._paired, self._unpaired = _Turns(), _Turns()
        self._paired_in_a_row = 0
        self._is_open = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a client that left before its turn is sent nothing.

        Raises:
            Problem: 503, too many wait already, or the server shuts down.
        """
        body = (await receive())["body"]
        if not await self._wait(scope, receive):
            return
        try:
            response = await self._executor.run(call_wsgi, self._app, scope, body)
        finally:
            self._next()
        await answer(send, *response)

    def close(self) -> None:
        """Refuse all that wait; requests that run are finished."""
        self._is_open = False
        for place in (*self._paired.places(), *self._unpaired.places()):
            if not place.done():
                place.set_exception(shutting_down())

    async def _wait(self, scope: Scope, receive: Receive) -> bool:
        """Wait for a free place; False when the client has left meanwhile."""
        if not self._is_open:
            raise shutting_down()
        if self._free:
            self._free -= 1
            return True
        if self._limit is not None and len(self._paired) + len(self._unpaired) >= self._limit:
            raise busy("busy_statistics")
        place: _Place = asyncio.get_running_loop().create_future()
        device = self._device_of(scope)
        turns, client = (self._paired, device) if device else (self._unpaired, limited_client(scope))
        turns.add(client, place)
        if self._outlives_client:
            return await place
        gone = asyncio.ensure_future(wait_for_disconnect(receive))
        gone.add_done_callback(lambda _: _leave(turns, client, place))
        try:
            return await place
        finally:
            gone.cancel()

    def _next(self) -> None:
        """Give the free place to the next client, which then goes to the end of the round."""
        while turns := self._next_turns():
            place = turns.pop()
            if not place.done():
                place.set_result(True)
                return
        self._free += 1

    def _next_turns(self) -> "_Turns | None":
        """Those among whom the next request is: paired devices, but for one of the others from time to time."""
        if self._paired and (not self._unpaired or self._paired_in_a_row < PAIRED_FIRST):
            self._paired_in_a_row += 1
            return self._paired
        self._paired_in_a_row = 0
        return self._unpaired or None


class _Turns:
    """The places of clients that wait, one client after another."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[_Place]] = OrderedDict()

    def add(self, client: str, place: _Place) -> None:
        self._queues.setdefault(client, deque()).append(place)

    def pop(self) -> _Place:
        """The next place; its client then goes to the end of the round."""
        client, queue = self._queues.popitem(last=False)
        place = queue.popleft()
        if queue:
            self._queues[client] = queue
        return place

    def remove(self, client: str, place: _Place) -> None:
        self._queues[client].remove(place)
        if not self._queues[client]:
            del self._queues[client]

    def places(self) -> list[_Place]:
        return [place for queue in self._queues.values() for place in queue]

    def __bool__(self) -> bool:
        return bool(self._queues)

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))


def _leave(turns: _Turns, client: str, place: _Place) -> None:
    if not place.done():
        place.set_result(False)
        turns.remove(client, place)


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client has left; the body of its request has been read, or this would read it without end."""
    while (await receive())["type"] != "http.disconnect":
        pass


def busy(key: str, code: str = BUSY, retry_s: int = RETRY_S, **values: object) -> Problem:
    """The refusal of a request for which there is no room now; `key` names the message that says why."""
    return Problem(
        503,
        code,
        "try_again_in",
        headers={"Retry-After": str(retry_s)},
        full=Message(key, **values),
        seconds=retry_s,
    )


def shutting_down() -> Problem:
    """The refusal of a request that comes while the server shuts down."""
    return busy("putting_away")
