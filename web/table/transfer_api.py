"""The API of exports (journal as JSON lines, games and sheets as CSV) and imports; limits on large request bodies."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeAlias, TypedDict

from flask import Response, request

from pegboard.errors import BadImport, PegboardError
from pegboard.install.package_file import MOST_BYTES
from pegboard.storage.transfer.exporting import GAMES_HEADER, LINES_HEADER, event_parts, game_parts, sheet_text
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import last_lines
from pegboard.values import strict
from web.access import sessions
from web.access.paired_devices import VIEWER, Anybody, Session
from web.access.sessions import Access, require_director
from web.http.asgi import App, Receive, Scope, Send
from web.http.client_address import limited_client
from web.http.problems import Problem, busy, problem_of
from web.http.request_body import BufferedBody, wait_for_disconnect
from web.http.worker_pool import DaemonExecutor
from web.kit.documented_endpoints import (
    BODY_REFUSALS,
    TEXT,
    DocumentedBlueprint,
    RequestBody,
    ResponseDoc,
    json_response,
)
from web.table.games_api import JOURNAL_REFUSALS, THE_GAME, no_game
from web.table.program_parts import parts

# --- exports as streamed downloads: the journal is sent part by part while it is read, never held in memory whole ---


JSON_LINES, CSV = "application/x-ndjson", "text/csv"

CONTENT_TYPES = {JSON_LINES: JSON_LINES, CSV: "text/csv; charset=utf-8"}

Parts: TypeAlias = Callable[[Path], Iterator[str]]

EXPORTS: dict[str, tuple[Parts, str, str]] = {
    "/api/v1/export.jsonl": (event_parts, JSON_LINES, "pegboard.jsonl"),
    "/api/v1/export.csv": (game_parts, CSV, "pegboard-games.csv"),
}
"""For each path: the function that yields the parts, their content type, and the file name for browsers."""

STALL_S = 20.0
"""Timeout in seconds for a client that reads nothing."""

SLICE_S = 0.002
"""Seconds an export reads at a time; a score that arrives meanwhile competes for the interpreter."""

PAUSE_SHARE = 3
"""The ratio of an export's pauses to its reading time.

In a flood of exports on a busy machine, the median time of a score is 9.8 ms; with pauses only as long as the reading
it is 11.9 ms, and without a flood 7 ms.
"""

log = logging.getLogger(__name__)

MOST: Mapping[Anybody, int] = {"viewer": 4, "scorer": 6, "director": 8}
"""Running exports at which another one is refused, by its client's role; strangers leave room for paired devices."""

MOST_EACH = 2
"""Maximum concurrent exports of one paired device or address."""


class CutOff(Exception):
    """A response is cut off before its end, so that nobody takes it for complete."""


class Exports:
    """An ASGI application that streams exports; `others` handles other methods on their paths.

    All exports together read for a quarter of the time, in short slices, so that scores get through.
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
        """The journal is in `folder`; `executor` reads for one export at a time; `session_of` returns the session."""
        self._session_of = session_of
        self._folder, self._others, self._executor = folder, others, executor
        self._clock, self._pause = clock, pause
        self._reading = asyncio.Lock()
        self._running: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request.

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
            self._running += Counter()  # removes clients without exports

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
            CutOff: the next part cannot be read, because the server is shutting down or the journal is unreadable.
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
        """The next parts, empty after the last, and the seconds that reading them took."""
        begun, read, took_s = self._clock(), list[str](), 0.0
        for part in parts:
            read.append(part)
            took_s = self._clock() - begun
            if took_s >= SLICE_S:
                break
        return read, took_s


# --- limit on large request bodies: accepted from directors only, one at a time ---


@dataclass(frozen=True, slots=True)
class LargeBody:
    """A kind of large request body.

    Attributes:
        most: maximum bytes.
        timeout_s: timeout in seconds for receiving the body.
        too_large: the key of the message for a larger body.
        director: the key of the message for a client who is not a director.
        busy: the key of the message while another body is being received.
    """

    most: int
    timeout_s: float
    too_large: str
    director: str
    busy: str


LARGE_BODIES = {
    "/api/v1/import": LargeBody(2 * 2**20, 30.0, "too_large_to_import", "import_director", "busy_import"),
    "/api/v1/versions/package": LargeBody(
        MOST_BYTES, 120.0, "install_too_large", "install_director", "install_another_sent"
    ),
}
"""Paths with large request bodies. An import has at most some two hundred games, which are checked before the
scoreboard is locked."""


class LargeBodyGate:
    """An ASGI application that receives one kind of large body for `app`."""

    def __init__(self, app: App, access: Access, kind: LargeBody) -> None:
        self._access, self._kind = access, kind
        self._small_bodies = BufferedBody(app)
        self._large_bodies = BufferedBody(app, kind.most, kind.timeout_s, kind.too_large)
        self._is_reading = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request.

        Raises:
            Problem: 403, the client is not a director; 503, another body is being received; or as in `BufferedBody`.
        """
        if scope["method"] != "POST":
            await self._small_bodies(scope, receive, send)
            return
        role = self._access.session_of_scope(scope).role
        require_director(role, self._kind.director)
        if self._is_reading:
            raise busy(self._kind.busy)
        self._is_reading = True
        try:
            await self._large_bodies(scope, receive, send)
        finally:
            self._is_reading = False


transfers = DocumentedBlueprint("transfers", tag="history")

IMPORT_REFUSALS = (
    *(code for code in BODY_REFUSALS if code not in {"not_json", "shape"}),
    "import",
    "role",
    "not_stored",
    "journal",
)
"""Error codes of an import."""


@strict
class BroughtJson(TypedDict):
    """Counts of imported and skipped games."""

    games: Annotated[int, "number of new games"]
    events: Annotated[int, "number of their events"]
    skipped: Annotated[int, "number of games already here and left unchanged"]
    continued: Annotated[int, "number of games that were imported unfinished earlier and are now continued"]
    differing: Annotated[int, "number of skipped games whose lines differ here"]


A_LINE = (
    '{"id": 25, "epoch": "9f2c61d0a47be835", "game": "5b0e7c1f92aa", "seq": 8, "at": 1795000000000000000, "source":'
    ' "phone", "kind": "scored", "v": 3, "body": {"lane": 0, "points": 6, "seat": 0, "why": "hand"}}\n'
)

AN_IMPORT = {"games": 12, "events": 704, "skipped": 3, "continued": 1, "differing": 0}


@transfers.view(
    "GET",
    "/export.jsonl",
    answers={
        200: ResponseDoc("Every event of the journal, one line of JSON each", TEXT, A_LINE, content_type=JSON_LINES)
    },
    refuses=JOURNAL_REFUSALS,
)
def export_events() -> Response:
    """The whole journal as JSON lines, oldest first; another table can import it."""
    return _file(event_parts(parts().scoreboard.history.folder), JSON_LINES, "pegboard.jsonl")


@transfers.view(
    "GET",
    "/export.csv",
    answers={200: ResponseDoc("One row per game", TEXT, ",".join(GAMES_HEADER), content_type=CSV)},
    refuses=JOURNAL_REFUSALS,
)
def export_games() -> Response:
    """The games as CSV for a spreadsheet, oldest first."""
    return _file(game_parts(parts().scoreboard.history.folder), CSV, "pegboard-games.csv")


@transfers.view(
    "GET",
    "/games/<game>.csv",
    answers={200: ResponseDoc("One row per line of the game", TEXT, ",".join(LINES_HEADER), content_type=CSV)},
    refuses=(*JOURNAL_REFUSALS, "no_game"),
    path={"game": THE_GAME},
)
def export_sheet(game: str) -> Response:
    """The score sheet of a game as CSV for a spreadsheet, oldest first."""
    found = parts().scoreboard.history.render_sheet(game, sheet_text)
    if found is None:
        raise no_game(game)
    return _file([found], CSV, f"pegboard-{game}.csv")


@transfers.view(
    "POST",
    "/import",
    takes=RequestBody(TEXT, {"an export": A_LINE}, content_type=JSON_LINES),
    answers={200: ResponseDoc("Imported", BroughtJson, AN_IMPORT)},
    refuses=IMPORT_REFUSALS,
)
def import_games() -> Response:
    """Import games from another table's export: all of them or none.

    Games that are already here are skipped; a game imported unfinished is continued if its first lines are the same.
    The current game is not changed.
    """
    sessions.require_director(sessions.role(request), "import_director")
    if request.mimetype != JSON_LINES:
        raise Problem(415, "media_type", "not_export_type", due=JSON_LINES, type=request.mimetype or "none")
    try:
        lines = request.get_data().splitlines()
        scoreboard = parts().scoreboard
        events = list(check_import(lines, last_lines(lines), scoreboard.history.rows))  # without the scoreboard's lock
        report = scoreboard.import_games(events)
    except BadImport as error:
        raise Problem(422, "import", error.message) from None
    return json_response(asdict(report))


def _file(texts: Iterable[str], content_type: str, name: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response((text.encode() for text in texts), 200, headers, content_type=CONTENT_TYPES[content_type])
