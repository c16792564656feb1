"""The journal as a file that is sent while it is read: as fast as its reader takes it, and never held whole."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

from pegboard.exported import event_parts, game_parts
from web.asgi import App, Receive, Scope, Send

JSON_LINES, CSV = "application/x-ndjson", "text/csv"

CONTENT_TYPES = {JSON_LINES: JSON_LINES, CSV: "text/csv; charset=utf-8"}

Parts: TypeAlias = Callable[[Path], Iterator[str]]

EXPORTS: dict[str, tuple[Parts, str, str]] = {
    "/api/v1/export.jsonl": (event_parts, JSON_LINES, "pegboard.jsonl"),
    "/api/v1/export.csv": (game_parts, CSV, "pegboard-games.csv"),
}
"""By path: what is read, its kind, and the name that a browser saves it under."""

STALL_S = 20.0
"""Seconds that a reader may take nothing."""


class Exports:
    """An ASGI application for the exports; whatever else is asked of their paths is for the others."""

    def __init__(self, folder: Path, others: App) -> None:
        self._folder, self._others = folder, others
        self._reading = ThreadPoolExecutor(1, "export")  # one part at a time, so that scores never wait for many

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["method"] != "GET":
            await self._others(scope, receive, send)
            return
        parts, kind, name = EXPORTS[scope["path"]]
        with contextlib.suppress(TimeoutError):
            await self._send(parts(self._folder), CONTENT_TYPES[kind], name, send)

    async def _send(self, parts: Iterator[str], kind: str, name: str, send: Send) -> None:
        first = await self._next(parts)
        headers = {
            "content-type": kind,
            "cache-control": "no-store",
            "content-disposition": f'attachment; filename="{name}"',
        }
        head = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        part = first
        while part is not None:
            async with asyncio.timeout(STALL_S):
                await send({"type": "http.response.body", "body": part.encode(), "more_body": True})
            part = await self._next(parts)
        await send({"type": "http.response.body", "body": b""})

    async def _next(self, parts: Iterator[str]) -> str | None:
        return await asyncio.get_running_loop().run_in_executor(self._reading, next, parts, None)
