"""A hub with a real ledger behind real pages on a free port of this machine, and who is at it."""

import contextlib
import http.client
import json
import secrets
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pegboard.config import WebSettings
from pegboard.hub.ledger.ledger import Ledger, open_ledger
from pegboard.hub.night_service import NightService
from pegboard.tournament.night.night_state import Author, Role, StoredDecision
from pegboard.tournament.night.views.night_views import director_view
from tests.support.web_server_and_clients import Answer, Watcher
from web.hub.hub_server import HubServer

WEB = WebSettings(host="127.0.0.1", port=0)
DEE = Author(Role.DIRECTOR, "Dee")
NAMES = ("Ann", "Bob", "Cy", "Dee")
BROKER = {"url": "mqtt://192.168.1.20:1883", "user": "t4", "password": "secret", "ca": None}
HERE = "mqtt://127.0.0.1:1883"
"""The same broker for a table on the hub's own machine."""
START_MS = 1_795_000_020_000
"""A moment at which a minute begins."""


def request_id() -> str:
    return secrets.token_urlsafe(16)


@dataclass
class ToyFeed:
    """What tables show, as a test has put it."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    ill: list[dict[str, Any]] = field(default_factory=list)

    def tables(self, night: str) -> dict[str, dict[str, Any]]:  # noqa: ARG002 - as in the protocol
        return self.rows

    def troubles(self) -> list[dict[str, Any]]:
        return self.ill


@dataclass
class Client:
    """A device: a browser's cookies at the hub."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        own = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        try:
            connection.request(method, path, body, {**own, **(headers or {})})
            response = connection.getresponse()
            for header, value in response.getheaders():
                if header.lower() == "set-cookie":
                    name, _, rest = value.partition("=")
                    self.cookies[name] = rest.partition(";")[0]
            named = {key.lower(): value for key, value in response.getheaders()}
            return Answer(response.status, named, response.read(), response.reason)
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, **values: Any) -> Answer:
        return self.ask("POST", path, json.dumps(values).encode(), {"Content-Type": "application/json"})


@dataclass
class HubSite:
    """A running hub, its nights, and what its clock and its tables show."""

    server: HubServer
    nights: NightService
    ledger: Ledger
    feed: ToyFeed
    clock: list[int]
    sockets: list[Any] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The address of the list of nights, with a slash at its end."""
        return str(self.server.address_of("")["url"])

    def client(self) -> Client:
        return Client(self.server.port)

    def director(self) -> Client:
        """A device that was paired by a director's code."""
        client = self.client()
        answer = client.post("/night/v1/pair", code=self.server.access.codes.director().text)
        assert answer.status == 200, answer.body
        return client

    def open_night(self, games: int = 3, **rules: Any) -> str:
        request = {"do": "open_night", "name": "Club night", "date": "2026-11-26", "rules": {"games": games, **rules}}
        return self.nights.open(request, DEE, request_id())

    def do(self, night: str, word: str, by: Author = DEE, **fields: Any) -> StoredDecision:
        """Have something decided behind the pages."""
        return self.nights.decide(night, {"do": word, **fields}, by, request_id())[0]

    def enter(self, night: str, players: int) -> list[str]:
        """So many players, who are here."""
        names = [*NAMES[:players], *(f"Player {number}" for number in range(len(NAMES) + 1, players + 1))]
        return [self.do(night, "enter", name=name, walk_up=True).decision.player for name in names]  # type: ignore[union-attr]

    def view(self, night: str) -> dict[str, Any]:
        return director_view(self.nights.night(night), self.nights.calls(night))

    def watch(self, client: Client, night: str, view: str, **more: str) -> Watcher:
        """A stream of events as a browser reads it."""
        query = "&".join(f"{name}={value}" for name, value in {"night": night, "view": view, **more}.items())
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        lines = [f"GET /night/v1/events?{query} HTTP/1.1", f"Host: 127.0.0.1:{self.server.port}"]
        lines += [f"Cookie: {cookies}"] if cookies else []
        connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=60)
        self.sockets.append(connection)
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return Watcher(connection)


@contextlib.contextmanager
def opened_hub(folder: Path, *, broker: bool = True, again: bool = False, **web: Any) -> Iterator[HubSite]:
    """A hub whose clock stands; with `again` one that was opened in `folder` before."""
    folder.mkdir(exist_ok=again)
    clock = [START_MS]
    feed = ToyFeed()
    with open_ledger(f"sqlite:///{folder}/hub.db") as ledger:
        nights = NightService(ledger, feed, clock_ms=lambda: clock[0])
        broker_of = (
            (lambda _night, table: BROKER | {"user": table, "url_here": HERE})
            if broker
            else (lambda _night, _table: None)
        )
        server = HubServer(nights, replace(WEB, **web), folder=folder, broker_of=broker_of)
        server.start()
        site = HubSite(server, nights, ledger, feed, clock)
        try:
            yield site
        finally:
            for connection in site.sockets:
                connection.close()
            server.stop()
