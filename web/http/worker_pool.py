"""Lanes: requests of one kind go through a few threads, one address after another, so that who asks most waits most."""

import asyncio
import contextlib
import io
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeAlias, TypeVar, cast

from a2wsgi.wsgi import build_environ

from pegboard.messages import Message
from web.http.asgi import Headers, Receive, Scope, Send, answer
from web.http.client_address import address_of
from web.http.problems import Problem

T = TypeVar("T")

_Task: TypeAlias = tuple["Future[Any]", Callable[[], Any]]

Pages: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
"""A WSGI application."""

COME_BACK_S = 2
"""Seconds after which one who found no room may ask again."""


class Threads:
    """A few threads, which the lanes that share them leave at once when the table is put away.

    Nobody waits for them at the very end: statistics that take long hold up no restart.
    """

    def __init__(self, count: int, name: str) -> None:
        """They begin when they are first needed."""
        self._work: SimpleQueue[_Task | None] = SimpleQueue()
        self._threads = [Thread(target=self._run, name=f"{name} {n}", daemon=True) for n in range(count)]
        self._has_begun, self._is_open = False, True

    async def do(self, act: Callable[..., T], *told: Any) -> T:
        """What `act` gives, done in one of them.

        Raises:
            Problem: 503, they are closed.
        """
        if not self._is_open:
            raise put_away()
        self._begin()
        done: Future[T] = Future()
        self._work.put((done, partial(act, *told)))
        try:
            return await asyncio.wrap_future(done)
        except asyncio.CancelledError:
            if self._is_open:
                raise
            raise put_away() from None

    def close(self) -> None:
        """Begin nothing more; what is under way is finished."""
        self._is_open = False
        with contextlib.suppress(Empty):
            while task := self._work.get_nowait():
                task[0].cancel()
        for _ in self._threads:
            self._work.put(None)

    def _begin(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            for thread in self._threads:
                thread.start()

    def _run(self) -> None:
        while task := self._work.get():
            done, act = task
            if done.set_running_or_notify_cancel():
                try:
                    done.set_result(act())
                except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
                    done.set_exception(error)
            del task, done, act  # nothing of it is kept while nothing is to do


class Lane:
    """An ASGI application that asks `pages` in a thread; it takes whole requests and gives whole answers.

    All but the asking runs in the event loop.
    """

    def __init__(
        self, pages: Pages, threads: Threads, abreast: int, *, most: int | None = None, keeps: bool = False
    ) -> None:
        """Up to `abreast` requests are under way at once, and up to `most` wait; without `most` all that come.

        One that `keeps` does also what its sender did not wait for: a score that has come counts.
        """
        self._pages, self._threads = pages, threads
        self._free, self._most, self._keeps = abreast, most, keeps
        self._queues: OrderedDict[str, deque[asyncio.Future[bool]]] = OrderedDict()
        self._is_open = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; nothing is sent to one who has left before its turn.

        Raises:
            Problem: 503, too many wait already, or the table is being put away.
        """
        body = (await receive())["body"]
        if not await self._has_turn(address_of(scope), receive):
            return
        try:
            status, headers, told = await self._threads.do(self._ask, scope, body)
        finally:
            self._pass_on()
        await answer(send, status, headers, told)

    def close(self) -> None:
        """Send away who waits; what is under way is finished."""
        self._is_open = False
        for place in [place for queue in self._queues.values() for place in queue]:
            if not place.done():
                place.set_exception(put_away())

    def _ask(self, scope: Scope, body: bytes) -> tuple[int, Headers, bytes]:
        """What the pages say; in a thread."""
        begun: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], *_: Any) -> Callable[[bytes], None]:
            begun.append((status, headers))
            return parts.append

        parts: list[bytes] = []
        environ = cast("dict[str, Any]", build_environ(cast("Any", scope), cast("Any", None)))
        said = self._pages(environ | {"wsgi.input": io.BytesIO(body)}, start)
        try:
            parts.extend(said)
        finally:
            getattr(said, "close", lambda: None)()
        status, headers = begun[-1]
        pairs = ((name.strip().lower(), value.strip()) for name, value in headers)
        told = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs if name != "content-length"]
        return int(status.partition(" ")[0]), told, b"".join(parts)

    # --- whose turn it is ---

    async def _has_turn(self, address: str, receive: Receive) -> bool:
        """Wait for a turn; False when the peer has left meanwhile."""
        if not self._is_open:
            raise put_away()
        if self._free:
            self._free -= 1
            return True
        if self._most is not None and sum(map(len, self._queues.values())) >= self._most:
            raise busy("busy_statistics")
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, deque()).append(place)
        if self._keeps:
            return await place
        gone = asyncio.ensure_future(until_gone(receive))
        gone.add_done_callback(lambda _: self._leave(address, place))
        try:
            return await place
        finally:
            gone.cancel()

    def _leave(self, address: str, place: "asyncio.Future[bool]") -> None:
        if not place.done():
            place.set_result(False)
            self._queues[address].remove(place)
            if not self._queues[address]:
                del self._queues[address]

    def _pass_on(self) -> None:
        """The next address has its turn, and goes to the end of the round."""
        while self._queues:
            address, queue = self._queues.popitem(last=False)
            place = queue.popleft()
            if queue:
                self._queues[address] = queue
            if not place.done():
                place.set_result(True)
                return
        self._free += 1


async def until_gone(receive: Receive) -> None:
    """Return when the peer has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def busy(why: str) -> Problem:
    """The refusal of one for whom there is no room now; `why` is the key of a message."""
    after = {"Retry-After": str(COME_BACK_S)}
    return Problem(503, "busy", "try_again_in", headers=after, full=Message(why), seconds=COME_BACK_S)


def put_away() -> Problem:
    """The refusal of one who comes at the very end."""
    return busy("putting_away")
