"""Exports: scores are taken while they are read."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.event_loop import apart
from web.api.export_stream import EXPORTS, Exports
from web.http.asgi_helpers import AsgiMessage
from web.http.worker_pool import DaemonExecutor


def test_all_exports_together_rest_as_long_as_they_have_read(monkeypatch: pytest.MonkeyPatch):
    now, rests, reading = [0.0], list[float](), threading.Lock()

    def parts(_: Path) -> Iterator[str]:
        for n in range(1, 4):
            assert reading.acquire(blocking=False), "one part is read at a time"
            now[0] += n
            yield f"part {n}\n"

    async def rest(seconds: float) -> None:
        rests.append(seconds)
        await asyncio.sleep(0)  # whoever else would read has its chance
        if reading.locked():
            reading.release()

    async def others(*_: Any) -> None:
        raise AssertionError("an export is asked for")

    async def read(exports: Exports) -> str:
        said = list[bytes]()

        async def receive() -> AsgiMessage:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def send(message: AsgiMessage) -> None:
            said.append(message.get("body", b""))

        scope = {"type": "http", "method": "GET", "path": "/one.csv", "client": ("192.168.1.9", 1), "headers": []}
        await exports(scope, receive, send)
        return b"".join(said).decode()

    async def play() -> list[str]:
        executor = DaemonExecutor(2, "history")
        exports = Exports(Path(), others, executor, clock=lambda: now[0], pause=rest)
        told = await asyncio.gather(read(exports), read(exports))
        executor.close()
        return told

    monkeypatch.setitem(EXPORTS, "/one.csv", (parts, "text/csv", "one.csv"))
    assert apart(play()) == ["part 1\npart 2\npart 3\n"] * 2
    assert sorted(rests) == [0, 0, 1, 1, 2, 2, 3, 3]
