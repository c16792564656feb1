"""Demo of a hub (`pegboard hub --demo`): a database in a temporary folder, and eleven simulated tables."""

import logging
import random
import secrets
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Self

from pegboard.config import WebSettings
from pegboard.errors import PegboardError
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.hub.night_service import NightService
from pegboard.interpreter_tuning import tune_interpreter
from pegboard.mqtt.broker_session import BrokerAddress
from pegboard.startup.demo_tables import DemoBroker, DemoRoom
from pegboard.startup.running_hub import RunningHub
from pegboard.streams import call_on_end, echo_line
from pegboard.tournament.night.night_state import Author, Night, Role

EVENT_NAME = "Demo event"

TABLES = tuple(f"t{number}" for number in range(1, 12))
"""Eleven tables with a board."""

NAMES = ("Ann", "Bob", "Cy", "Dee", *(f"Player {number}" for number in range(5, 23)))
"""Twenty-two players, two for each table."""

LATE = "Player 23"
"""The player who arrives after a round has been played."""

GONE = "Player 22"
"""The player who leaves after two rounds have been played."""

COMES_AFTER, LEAVES_AFTER = 1, 2
"""Rounds played before the latecomer arrives, and before the other player leaves."""

DEMO = Author(Role.DIRECTOR, "demo")
"""Author of the demo's decisions in the audit trail."""


class DemoNight:
    """One event with its roster.

    Attributes:
        id: the event's id.
    """

    def __init__(self, nights: NightService, date: str, games: int) -> None:
        """Create the event of `date` ("2026-11-26") with this many games per player, its roster, and its tables."""
        self._nights = nights
        rules = {"games": games, "cut": "quarter", "fee": 1000, "currency": "USD"}
        opening = {"do": "open_night", "name": EVENT_NAME, "date": date, "rules": rules}
        self.id = nights.open(opening, DEMO, _request_id())
        for table in TABLES:
            self._decide("add_table", table=table, label=table[1:], kind="board")
        for name in NAMES:
            self._decide("enter", name=name)

    def may_begin(self, table: str, game: str) -> bool:
        """Whether a game can begin at a table: it is drawn there, its round has started, and both players are present.

        Otherwise a table with orders from before a redraw would play a game that another table plays too.
        """
        night = self._nights.night(self.id)
        drawn = night.schedule.get(game)
        if drawn is None or drawn.table != table or drawn.round not in night.started:
            return False
        return set(drawn.players) <= set(night.present)

    def let_happen(self) -> None:
        """Let the latecomer arrive and the other player leave, when it is time.

        If the event refuses it, for example because registration is closed, the next call tries again.
        """
        night = self._nights.night(self.id)
        played = _rounds_played(night)
        ids = {name: player for player, name in night.names.items()}
        try:
            if played >= COMES_AFTER and LATE not in ids:
                self._decide("enter", name=LATE, walk_up=True)
            if played >= LEAVES_AFTER and ids.get(GONE) in night.present:
                self._decide("leave", player=ids[GONE])
        except PegboardError:
            return

    def _decide(self, do: str, **fields: Any) -> None:
        self._nights.decide(self.id, {"do": do, **fields}, DEMO, _request_id())


def _rounds_played(night: Night) -> int:
    """The number of started rounds without an open game."""
    still = {game.round for key, game in night.schedule.items() if key not in night.games}
    return len(night.started - still)


def _request_id() -> str:
    return secrets.token_urlsafe(16)


LOOPBACK = "127.0.0.1"
"""The address of the demo's pages, which only this machine can reach."""

GAMES = 6
"""Games per player, until the director changes it."""

CODE_S = 86_400.0
"""Lifetime of the director's code in seconds: a day, since it stays visible in the terminal."""

LOOK_S = 1.0
"""Poll interval in seconds: after a code was used, the next code is printed in the terminal."""

NOWHERE = BrokerAddress("the demo itself", 0)


class RunningDemo:
    """A demo event, from `start` until `stop`.

    Attributes:
        hub: the running hub of the demo.
        night: the demo event.
    """

    def __init__(self, folder: Path, port: int, *, speed: float, games: int = GAMES, dice: random.Random) -> None:
        """Create the event in an empty folder.

        Args:
            folder: the folder of the event's database and pairings.
            port: the port of the pages; 0 for any free port.
            speed: how many times faster than people the tables play; `math.inf` for no waiting.
            games: the number of games per player.
            dice: the random generator for the cards; the draw uses the hub's own.

        Raises:
            HubError, LedgerNotStored: the database cannot be created in the folder.
        """
        broker = DemoBroker()
        self._ledger = open_ledger(f"sqlite:///{folder.absolute()}/demo.db")
        web = WebSettings(host=LOOPBACK, port=port, code_s=CODE_S)
        self.hub = RunningHub(self._ledger, web, folder, NOWHERE, open_session=broker.open_session)
        self.night = DemoNight(self.hub.nights, time.strftime("%Y-%m-%d"), games)
        self._room = DemoRoom(broker, self.night.id, TABLES, speed=speed, dice=dice, may_begin=self.night.may_begin)
        self._news, self._is_stopping = threading.Event(), False
        self._thread = threading.Thread(target=self._follow, name="demo night", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Serve the pages; the tables play the games that the director starts.

        Raises:
            SettingError: the port cannot be bound.
        """
        self.hub.start()
        self.hub.nights.follow(self._note_change)
        self._room.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop the tables and the hub; only the files in the folder remain."""
        self._is_stopping = True
        self._news.set()
        self._room.stop()
        self.hub.stop()
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._ledger.close()

    @property
    def desk(self) -> str:
        """The URL of the director's desk; the big screen is at `/screen` below it, a player's page at `/me`."""
        return f"http://{LOOPBACK}:{self.hub.server.port}/night/{self.night.id}"

    def make_director_address(self) -> str:
        """A URL with a new code that works once, to sign in a browser as director; earlier codes are revoked."""
        return f"http://{LOOPBACK}:{self.hub.server.port}/j/{self.hub.server.access.codes.director().text}"

    @property
    def directors(self) -> int:
        """The number of devices signed in as director."""
        return len(self.hub.server.access.codes.devices)

    def _note_change(self, night: str, table: str | None) -> None:
        """Called from any thread, so it must not block."""
        if night == self.night.id and table is None:
            self._news.set()
            self._room.wake()

    def _follow(self) -> None:
        while not self._is_stopping:
            self._news.wait()
            self._news.clear()
            self.night.let_happen()


def run_demo(port: int, speed: float) -> None:
    """Run the demo until a signal ends it.

    Raises:
        HubError, LedgerNotStored: the database cannot be created in a temporary folder.
        SettingError: the port cannot be bound.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    over = threading.Event()
    call_on_end(over.set)
    with tempfile.TemporaryDirectory(prefix="pegboard-demo-") as folder:
        demo = RunningDemo(Path(folder), port, speed=speed, dice=random.SystemRandom())
        with demo:
            _print_addresses(demo, speed)
            tune_interpreter()
            directors = 0
            while not over.wait(LOOK_S):
                if demo.directors > directors:
                    directors = demo.directors
                    echo_line(f"For another director's browser: {demo.make_director_address()}")


def _print_addresses(demo: RunningDemo, speed: float) -> None:
    echo_line(f"A demo event with eleven simulated tables, {speed:g} times faster than people. Nothing is saved.")
    echo_line("")
    echo_line(f"Director     {demo.make_director_address()}   (start here; the code works once)")
    echo_line(f"Desk         {demo.desk}")
    echo_line(f"Big screen   {demo.desk}/screen")
    echo_line(f"Ann's phone  {demo.desk}/me?player=p1   (in the director's browser)")
    echo_line("")
    echo_line("Check everyone in, draw, and start round 1; the tables then play. Press Ctrl-C to stop.")
