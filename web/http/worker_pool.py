"""Worker threads for WSGI views, and their fair queue: clients take turns (round-robin), paired devices come first."""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, TypeAlias, TypeVar

from web.http.asgi import Receive, Scope, Send, WsgiApp, answer, call_wsgi
from web.http.client_address import limited_client
from web.http.problems import busy, shutting_down
from web.http.request_body import wait_for_disconnect

T = TypeVar("T")

_Task: TypeAlias = tuple["Future[Any]", Callable[[], Any], "Sent | None"]
_Place: TypeAlias = "asyncio.Future[bool]"

MOST_HELD_S = 0.005
"""Maximum seconds that a thread's hold (`Hold`) lasts while its response is sent."""

PAIRED_FIRST = 8
"""Requests of paired devices to run before one waiting request of an unpaired client."""


class Sent(Event):
    """Set when the response of a task has been sent; setting it calls `release`, which ends the hold of the thread."""

    release: Callable[[], None] = staticmethod(lambda: None)

    def set(self) -> None:
        """Note that the response has been sent, or never will be."""
        self.release()
        super().set()


Hold: TypeAlias = Callable[[], Callable[[], None]]
"""Holds something back until the function that it returns is called."""


class DaemonExecutor:
    """A pool of daemon threads, which are abandoned at shutdown.

    Nothing joins these threads, so slow statistics do not delay a restart.
    """

    def __init__(self, count: int, name: str, hold: Hold | None = None) -> None:
        """The threads start when first needed.

        `hold` is called before each task, and the function that it returns when the task's response has been sent.
        """
        self._hold = hold
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._threads = [Thread(target=self._work, name=f"{name} {n}", daemon=True) for n in range(count)]
        self._has_started, self._is_open = False, True

    async def run(self, act: Callable[..., T], *args: Any, sent: Sent | None = None) -> T:
        """Run `act` in one of the threads; the caller sets `sent` once the result is used.

        Raises:
            Problem: 503, the executor is closed.
        """
        if not self._is_open:
            raise shutting_down()
        self._start()
        done: Future[T] = Future()
        self._tasks.put((done, partial(act, *args), sent))
        try:
            return await asyncio.wrap_future(done)
        except asyncio.CancelledError:
            if self._is_open:
                raise
            raise shutting_down() from None

    def post(self, call: Callable[[], None]) -> None:
        """Run a call in one of the threads, or at once if they have not started. Never waits for a thread."""
        if self._has_started:
            self._tasks.put((Future(), call, None))
        else:
            call()

    def thread_ids(self) -> tuple[int, ...]:
        """The idents of the running threads."""
        return tuple(one.ident for one in self._threads if one.is_alive() and one.ident is not None)

    def close(self) -> None:
        """Start no more tasks; running tasks finish."""
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
            done, act, sent = task
            release = None if self._hold is None else self._hold()
            if release is not None and sent is not None:
                sent.release = release
            _run(done, act)
            if release is not None:
                if sent is not None:
                    sent.wait(MOST_HELD_S)
                release()
            del task, done, act, sent, release  # so an idle thread keeps nothing in memory


def _run(done: "Future[Any]", act: Callable[[], Any]) -> None:
    if done.set_running_or_notify_cancel():
        try:
            done.set_result(act())
        except BaseException as error:  # noqa: BLE001 - the caller that awaits the result gets it
            done.set_exception(error)


class FairQueue:
    """An ASGI application that calls a WSGI application in threads, one client after another.

    A paired device is one client, whatever addresses it sends from, and has priority over unpaired clients.
    Request bodies must be buffered. Everything but the call itself runs in the event loop.
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
        """Run up to `abreast` requests at once; up to `limit` more may wait, or any number if None.

        `device_of` returns the id of a request's paired device, "" for none.
        With `outlives_client` a request runs even if its client has disconnected: a score that arrived counts.
        """
        self._app, self._executor = app, executor
        self._free, self._limit, self._outlives_client = abreast, limit, outlives_client
        self._device_of = device_of
        self._paired, self._unpaired = _Turns(), _Turns()
        self._paired_in_a_row = 0
        self._is_open = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; if the client disconnects before its turn, nothing is sent.

        Raises:
            Problem: 503, too many requests are waiting, or the server is shutting down.
        """
        body = (await receive())["body"]
        if not await self._wait(scope, receive):
            return
        sent = Sent()
        try:
            try:
                response = await self._executor.run(call_wsgi, self._app, scope, body, sent=sent)
            finally:
                self._next()
            await answer(send, *response)
        finally:
            sent.set()

    def close(self) -> None:
        """Refuse all waiting requests; running requests finish."""
        self._is_open = False
        for place in (*self._paired.places(), *self._unpaired.places()):
            if not place.done():
                place.set_exception(shutting_down())

    async def _wait(self, scope: Scope, receive: Receive) -> bool:
        """Wait for a free slot; False if the client has disconnected meanwhile."""
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
        """Give the free slot to the next client, which then goes to the end of the round."""
        while turns := self._next_turns():
            place = turns.pop()
            if not place.done():
                place.set_result(True)
                return
        self._free += 1

    def _next_turns(self) -> "_Turns | None":
        """The queue whose turn it is: paired devices, after `PAIRED_FIRST` of them unpaired clients; None if empty."""
        if self._paired and (not self._unpaired or self._paired_in_a_row < PAIRED_FIRST):
            self._paired_in_a_row += 1
            return self._paired
        self._paired_in_a_row = 0
        return self._unpaired or None


class _Turns:
    """A round-robin queue of waiting clients."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[_Place]] = OrderedDict()

    def add(self, client: str, place: _Place) -> None:
        self._queues.setdefault(client, deque()).append(place)

    def pop(self) -> _Place:
        """The place of the next client, which then goes to the end of the round."""
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
