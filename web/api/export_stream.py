"""Exports as streamed downloads: the journal is sent while it is read, part by part, and never held in memory whole."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from pegboard.errors import PegboardError
from pegboard.storage.transfer.exporting import event_parts, game_parts
from web.access.paired_devices import VIEWER, Anybody, Session
from web.http.asgi_helpers import App, Receive, Scope, Send
from web.http.client_address import limited_client
from web.http.problems import Problem, problem_of
from web.http.worker_pool import DaemonExecutor, busy, wait_for_disconnect

JSON_LINES, CSV = "application/x-ndjson", "text/csv"

CONTENT_TYPES = {JSON_LINES: JSON_LINES, CSV: "text/csv; charset=utf-8"}

Parts: TypeAlias = Callable[[Path], Iterator[str]]

EXPORTS: dict[str, tuple[Parts, str, str]] = {
    "/api/v1/export.jsonl": (event_parts, JSON_LINES, "pegboard.jsonl"),
    "/api/v1/export.csv": (game_parts, CSV, "pegboard-games.csv"),
}
"""By path: the parts, their content type, and the name of the file that a browser saves."""

STALL_S = 20.0
"""Seconds that a client may read nothing."""

SLICE_S = 0.002
"""Seconds for which an export reads at once: a score that comes meanwhile shares the interpreter with it."""

PAUSE_SHARE = 3
"""How many times as long as it has read an export then pauses.

In a flood of exports, on a busy machine, a score takes 9.8 ms at the median; with a pause only as long as the reading
it takes 11.9 ms, and 7 ms where nobody floods.
"""

log = logging.getLogger(__name__)

MOST: Mapping[Anybody, int] = {"viewer": 4, "scorer": 6, "director": 8}
"""Exports that run at once where another one may begin, by who asks: strangers leave room for whoever is paired."""

MOST_EACH = 2
"""Exports that run at once for one paired device, or for one address."""


class CutOff(Exception):
    """A response has no next part, and no end: nobody takes what was sent for the whole."""


class Exports:
    """An ASGI application that streams exports; `others` answers other methods on their paths.

    All exports together read for a quarter of the time, a short while each time, so that scores get through.
    """

    def __init__(
        self,
        folder: Path,
        others: App,
        executor: DaemonExecutor,
        *,
        clock: Callable[[], float] = time.perf_counter,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        session_of: Callable[[Scope], Session] = lambda _: VIEWER,
    ) -> None:
        """The journal is in `folder`; `executor` reads for one export at a time; `session_of` says who asks."""
        self._session_of = session_of
        self._folder, self._others, self._executor = folder, others, executor
        self._clock, self._pause = clock, pause
        self._reading = asyncio.Lock()
        self._running: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        Raises:
            Problem: 503, too many exports are running, or the journal cannot be read.
        """
        if scope["method"] != "GET":
            await self._others(scope, receive, send)
            return
        session = self._session_of(scope)
        client = session.device or limited_client(scope)
        self._enter(client, session.role)
        gone = asyncio.ensure_future(wait_for_disconnect(receive))
        try:
            await self._send(scope["path"], gone, send)
        finally:
            gone.cancel()
            self._running[client] -= 1
            self._running += Counter()  # drops clients without any

    def _enter(self, client: str, role: Anybody) -> None:
        if self._running.total() >= MOST[role] or self._running[client] >= MOST_EACH:
            raise busy("busy_exports")
        self._running[client] += 1

    async def _send(self, path: str, gone: "asyncio.Future[None]", send: Send) -> None:
        read, content_type, name = EXPORTS[path]
        parts = read(self._folder)
        try:
            part = await self._read(parts)
        except PegboardError as error:
            raise problem_of(error) from error
        headers = [
            (b"content-type", CONTENT_TYPES[content_type].encode()),
            (b"cache-control", b"no-store"),
            (b"content-disposition", f'attachment; filename="{name}"'.encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        with contextlib.suppress(TimeoutError, CutOff):
            while part is not None and not gone.done():
                async with asyncio.timeout(STALL_S):
                    await send({"type": "http.response.body", "body": part.encode(), "more_body": True})
                part = await self._next(parts, gone)
        if part is None:
            await send({"type": "http.response.body", "body": b""})

    async def _next(self, parts: Iterator[str], gone: "asyncio.Future[None]") -> str | None:
        """The next part, None after the last.

        Raises:
            CutOff: there is none, since the server shuts down or the journal cannot be read any more.
        """
        try:
            return await self._read(parts)
        except Problem:
            await gone
        except PegboardError as error:
            log.warning("an export is cut off: %s", error)
        raise CutOff

    async def _read(self, parts: Iterator[str]) -> str | None:
        """The next parts, joined, as many as can be read in `SLICE_S`; None after the last."""
        async with self._reading:
            read, took_s = await self._executor.run(self._read_slice, parts)
            await self._pause(took_s * PAUSE_SHARE)
        return "".join(read) if read else None

    def _read_slice(self, parts: Iterator[str]) -> tuple[list[str], float]:
        """These parts, none after the last, and the seconds that they took."""
        begun, read, took_s = self._clock(), list[str](), 0.0
        for part in parts:
            read.append(part)
            took_s = self._clock() - begun
            if took_s >= SLICE_S:
                break
        return read, took_s
