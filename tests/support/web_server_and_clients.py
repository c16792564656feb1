"""A phone, a program and a viewer written by hand: what the tests of the web look at the server with."""

import contextlib
import http.client
import itertools
import json
import socket
import ssl
import struct
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from pegboard.config import Settings, TableSettings, WebSettings
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.rules import Rules
from pegboard.core.view import Device
from pegboard.devices.health import Health
from pegboard.feed import Feed
from pegboard.storage.journal.journal import Journal
from pegboard.table.event_table import EventTable
from pegboard.table.scoreboard import Scoreboard
from tests.support.player_names import SIX
from web.table.server import Server

OPEN = WebSettings(host="127.0.0.1", port=0, open=True)

_taps = itertools.count(1)


def tap() -> str:
    """A fresh id, 22 letters long."""
    return f"tap-{next(_taps):018d}"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    reason: str = ""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def refusal(self) -> tuple[int, str]:
        assert self.headers["content-type"] == "application/problem+json"
        problem = self.json
        assert problem["status"] == self.status
        assert problem["title"]
        assert problem["detail"]
        return self.status, problem["code"]


@dataclass
class Site:
    """A running server and what stands behind it."""

    server: Server
    scoreboard: Scoreboard
    feed: Feed
    journal: Journal
    sockets: list[socket.socket] = field(default_factory=list)

    @property
    def port(self) -> int:
        return self.server.port

    @property
    def game(self) -> str:
        return self.scoreboard.view.id

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(
                response.status, {k.lower(): v for k, v in response.getheaders()}, response.read(), response.reason
            )
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def post(self, path: str, values: Any, **headers: str) -> Answer:
        body = values if isinstance(values, bytes) else json.dumps(values).encode()
        named = {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()}
        return self.ask("POST", path, body, named)

    def command(self, **values: Any) -> Answer:
        """Ask for a command of the running game under a fresh id, unless told otherwise."""
        asked = {"id": tap(), "game": self.game} | values
        return self.post("/api/v1/commands", {k: v for k, v in asked.items() if v is not ...})

    def score(self, seat: int, points: int, /, **values: Any) -> Answer:
        return self.on_lane("score", seat, **{"points": points} | values)

    def on_lane(self, do: str, seat: int, /, **values: Any) -> Answer:
        """A command for the lane of a seat, at the revision that one sees of it now."""
        game = self.scoreboard.view.game
        base = game.revisions[seat % game.rules.lanes]
        return self.command(**{"do": do, "seat": seat, "base": base} | values)

    def on_board(self, do: str, /, **values: Any) -> Answer:
        """A command for the whole board, at the revision that one sees of it now."""
        return self.command(**{"do": do, "base": self.scoreboard.view.revision} | values)

    @property
    def fronts(self) -> list[int]:
        return [lane.front for lane in self.scoreboard.view.game.lanes]

    def command_as(self, kind: str, values: dict[str, Any]) -> Answer:
        """A command of the running game whose body is called `kind`; "" calls it nothing."""
        body = json.dumps({"id": tap(), "game": self.game} | values).encode()
        return self.ask("POST", "/api/v1/commands", body, {"Content-Type": kind} if kind else {})

    def raw(self, data: bytes = b"", unread: int | None = None) -> socket.socket:
        """A bare connection on which `data` has been sent; its own system keeps few `unread` bytes, where told."""
        connection = socket.socket()
        connection.settimeout(60)
        if unread is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, unread)
        connection.connect(("127.0.0.1", self.port))
        self.sockets.append(connection)
        connection.sendall(data)
        return connection

    def watch(self, path: str = "/events", unread: int | None = None, **headers: str) -> "Watcher":
        named = {"Host": f"127.0.0.1:{self.port}", "Accept": "text/event-stream"} | headers
        lines = [f"GET {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in named.items())]
        request = "\r\n".join(lines) + "\r\n\r\n"
        return Watcher(self.raw(request.encode(), unread))

    def as_it_was(self) -> "Unchanged":
        """Inside this block nothing is journalled and no page sees anything but a notice."""
        return Unchanged(self)


@contextlib.contextmanager
def opened(
    folder: Path,
    bench: "ToyBench | None" = None,
    variant: str = "standard",
    house: tuple[str, ...] = (),
    match: str = "open",
    *,
    devices: "ToyDevices | None" = None,
    tls: ssl.SSLContext | None = None,
    again: bool = False,
    event: Callable[[Scoreboard, Feed, Path], EventTable] | None = None,
    board: str = "streets",
    **web: Any,
) -> Iterator[Site]:
    """A table with its house rules and the format of its first match, and its server; put away at the end.

    With `again` it is one that was opened in `folder` before; `event` makes its part in an event.
    """
    rules = Rules.named(variant)
    kept = folder if again else Path(tempfile.mkdtemp(dir=folder))
    with Journal(kept) as journal:
        feed = Feed()
        setup = Setup(rules, SIX[: rules.seats], match)
        scoreboard = Scoreboard(journal, feed, setup, house=lambda rules: with_house_rules(rules, house))
        settings = Settings(table=TableSettings(board=board), web=replace(OPEN, **web))
        of_event = None if event is None else event(scoreboard, feed, kept)
        server = Server(scoreboard, feed, settings, bench, folder=kept, devices=devices, tls=tls, event=of_event)
        server.start()
        site = Site(server, scoreboard, feed, journal)
        end_event = (lambda: None) if of_event is None else of_event.start()
        try:
            yield site
        finally:
            end_event()
            for connection in site.sockets:
                connection.close()
            server.stop()


class ToyBench:
    """Two keys and a panel."""

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []
        self.number = 0
        self.followers: list[Callable[[], None]] = []

    def press(self, key: str, level: str) -> None:
        if key not in ("a1", "b1"):
            raise ValueError(f"there is no key {key!r}; keys are a1, b1")
        self.done.append((key, level))
        self.change()

    def plug(self, device: str, plugged: bool) -> None:
        if device != "oled":
            raise ValueError(f"there is no device {device!r}; there is oled")
        self.done.append((device, plugged))

    def fault(self, device: str, name: str, on: bool) -> None:
        if (device, name) != ("oled", "hang"):
            raise ValueError(f"there is no fault {name!r} of {device!r}; there is hang of oled")
        self.done.append((device, name, on))

    def follow(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.followers.append(callback)
        return lambda: self.followers.remove(callback)

    def picture(self) -> dict[str, Any]:
        return {"number": self.number}

    def change(self) -> None:
        self.number += 1
        for follower in self.followers:
            follower()


@dataclass
class ToyDevices:
    """Devices that are as a test has put them."""

    health: list[Health]

    def put(self, site: Site, health: Health) -> None:
        """One device is like this from now on, and the table hears of it."""
        self.health = [health if one.name == health.name else one for one in self.health]
        site.scoreboard.set_devices(tuple(Device(one.name, None if one.ok else one.trouble) for one in self.health))


@dataclass
class Unchanged:
    site: Site

    def _now(self) -> tuple[Any, ...]:
        return (
            self.site.journal.last_id,
            len(list(self.site.journal.rows())),
            replace(self.site.scoreboard.view, notice=None),
        )

    def __enter__(self) -> Self:
        self.before = self._now()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._now() == self.before


@dataclass
class Event:
    """One server-sent event, read by the rules of the HTML standard."""

    kind: str
    data: Any
    id: str | None


class Watcher:
    """Reads a stream of events from a bare connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self._file = connection.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers = dict(self._header_lines())
        self.retry: int | None = None
        self._text = b""
        self._chunks = self.headers.get("transfer-encoding") == "chunked"

    def _header_lines(self) -> Any:
        while line := self._file.readline().strip():
            name, _, value = line.decode().partition(": ")
            yield name.lower(), value

    def reset(self) -> None:
        """End the connection with a reset, and no word more."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._file.close()
        self.connection.close()

    def body(self) -> bytes:
        return self._file.read(int(self.headers["content-length"]))

    def _chunk(self) -> bytes:
        size = int(self._file.readline(), 16)
        data = self._file.read(size)
        self._file.readline()
        return data

    def next(self) -> Event | None:
        """The next event; None when the stream has ended."""
        while True:
            while b"\n\n" not in self._text:
                chunk = self._chunk()
                if not chunk:
                    return None
                self._text += chunk
            block, _, self._text = self._text.partition(b"\n\n")
            fields: dict[str, str] = {}
            for line in block.decode().split("\n"):
                name, _, value = line.partition(": ")
                fields[name] = value
            if "retry" in fields:
                self.retry = int(fields["retry"])
            if "data" in fields:
                return Event(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id"))

    def until(self, kind: str, **wanted: Any) -> Event:
        """The next event of that kind whose data has these values."""
        while True:
            event = self.next()
            assert event is not None, "the stream has ended"
            if event.kind == kind and all(event.data[name] == value for name, value in wanted.items()):
                return event
