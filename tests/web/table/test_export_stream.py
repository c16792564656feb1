"""Exports: scores are taken while they are read."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pegboard.errors import JournalError
from tests.support.event_loop import apart
from web.access.paired_devices import Session
from web.http.asgi import AsgiMessage
from web.http.worker_pool import DaemonExecutor
from web.table.transfer_api import EXPORTS, SLICE_S, Exports


async def nobody(*_: Any) -> None:
    raise AssertionError("only exports are requested")


async def rest_not(_: float) -> None:
    """Pause for no time."""


async def messages(exports: Exports) -> list[AsgiMessage]:
    """What an export of `/one.csv` sends after the start of its response."""
    sent = list[AsgiMessage]()

    async def receive() -> AsgiMessage:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: AsgiMessage) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/one.csv", "client": ("192.168.1.9", 1), "headers": []}
    await exports(scope, receive, send)
    return sent[1:]


def messages_of(monkeypatch: pytest.MonkeyPatch, parts: Callable[[Path], Iterator[str]]) -> list[AsgiMessage]:
    """The same of an export that has these parts, each of which takes a second."""

    async def play() -> list[AsgiMessage]:
        executor, clock = DaemonExecutor(1, "history"), map(float, itertools.count())
        try:
            return await messages(Exports(Path(), nobody, executor, clock=clock.__next__, pause=rest_not))
        finally:
            executor.close()

    monkeypatch.setitem(EXPORTS, "/one.csv", (parts, "text/csv", "one.csv"))
    return apart(play())


def test_an_export_whose_journal_cannot_be_read_any_more_is_cut_off(monkeypatch, caplog):
    def parts(_: Path) -> Iterator[str]:
        yield "part 1\n"
        raise JournalError("journal_missing", folder="table")

    (only,) = messages_of(monkeypatch, parts)
    assert (only["body"], only["more_body"]) == (b"part 1\n", True), "nobody takes it for the whole"
    assert "an export is cut off: there is no journal in table" in caplog.text


def test_an_export_with_a_part_without_rows_goes_on_to_its_end(monkeypatch):
    """The last part has none where the games fill those before it."""
    *parts, end = messages_of(monkeypatch, lambda _: iter(["part 1\n", "", "part 3\n", ""]))
    assert b"".join(part["body"] for part in parts) == b"part 1\npart 3\n"
    assert not end.get("more_body", False)


def test_all_exports_together_rest_three_times_as_long_as_they_have_read(monkeypatch: pytest.MonkeyPatch):
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

    async def read(exports: Exports) -> str:
        return b"".join(message["body"] for message in await messages(exports)).decode()

    async def play() -> list[str]:
        executor = DaemonExecutor(2, "history")
        exports = Exports(Path(), nobody, executor, clock=lambda: now[0], pause=rest)
        told = await asyncio.gather(read(exports), read(exports))
        executor.close()
        return told

    monkeypatch.setitem(EXPORTS, "/one.csv", (parts, "text/csv", "one.csv"))
    assert apart(play()) == ["part 1\npart 2\npart 3\n"] * 2
    assert sorted(rests) == [0, 0, 3, 3, 6, 6, 9, 9]


def test_an_export_reads_for_a_short_while_at_once(monkeypatch: pytest.MonkeyPatch):
    """However long a part takes: as many are read as take that long, and no more, before others have their turn."""
    now, rests = [0.0], list[float]()

    def parts(_: Path) -> Iterator[str]:
        for n in range(1, 6):
            now[0] += 0.6 * SLICE_S
            yield f"part {n}\n"

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    async def play() -> list[AsgiMessage]:
        executor = DaemonExecutor(1, "history")
        sent = await messages(Exports(Path(), nobody, executor, clock=lambda: now[0], pause=rest))
        executor.close()
        return sent

    monkeypatch.setitem(EXPORTS, "/one.csv", (parts, "text/csv", "one.csv"))
    assert [sent["body"] for sent in apart(play())] == [b"part 1\npart 2\n", b"part 3\npart 4\n", b"part 5\n", b""]
    assert rests == pytest.approx([3.6 * SLICE_S, 3.6 * SLICE_S, 1.8 * SLICE_S, 0])


def test_strangers_leave_room_for_whoever_is_paired(monkeypatch: pytest.MonkeyPatch):
    async def begin(exports: Exports, role: str, client: str) -> None:
        async def receive() -> AsgiMessage:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def send(_: AsgiMessage) -> None:
            await asyncio.sleep(60)

        await exports({"method": "GET", "path": "/one.csv", "client": (client, 1), "role": role}, receive, send)

    async def play() -> list[tuple[str, int]]:
        executor = DaemonExecutor(1, "history")
        session = lambda scope: Session(scope["role"], "" if scope["role"] == "viewer" else scope["client"][0])  # noqa: E731
        exports = Exports(Path(), begin, executor, session_of=session)
        tasks = list[asyncio.Task[None]]()
        running = list[tuple[str, int]]()
        for role in ("viewer", "scorer", "director"):
            for n in range(8):
                tasks.append(asyncio.create_task(begin(exports, role, f"{role} {n // 3}")))
                await asyncio.sleep(0.01)
            running.append((role, exports._running.total()))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        executor.close()
        return running

    monkeypatch.setitem(EXPORTS, "/one.csv", (lambda _: iter(["part"]), "text/csv", "one.csv"))
    assert apart(play()) == [("viewer", 4), ("scorer", 6), ("director", 8)]
