"""Runs `pegboard hub --demo`: a hub with a database in a temporary folder, and eleven simulated tables."""

import logging
import random
import signal
import tempfile
import threading
import time
from pathlib import Path
from typing import Self

from pegboard.config import WebSettings
from pegboard.hub.demo.demo_night import TABLES, DemoNight
from pegboard.hub.demo.demo_room import DemoBroker, DemoRoom
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.interpreter_tuning import tune_interpreter
from pegboard.mqtt.broker_session import BrokerAddress
from pegboard.startup.running_hub import RunningHub
from pegboard.streams import echo_line

LOOPBACK = "127.0.0.1"
"""The demo is for this machine alone."""

GAMES = 6
"""Games of each player, until the director chooses otherwise."""

CODE_S = 86_400.0
"""Seconds for which the director's code counts: as long as anybody may look at the terminal."""

LOOK_S = 1.0
"""Seconds after which a code that was used is followed by the next one in the terminal."""

NOWHERE = BrokerAddress("the demo itself", 0)


class RunningDemo:
    """A demo night, from `start` until `stop`.

    Attributes:
        hub: the hub.
        night: the night.
    """

    def __init__(self, folder: Path, port: int, *, speed: float, games: int = GAMES, dice: random.Random) -> None:
        """Make the night in an empty folder.

        Args:
            folder: where its database and pairings are.
            port: of the pages; 0 for any.
            speed: how many times faster than people the tables play; `math.inf` for without waiting.
            games: of each player.
            dice: chance of the cards; the draw is by the hub's own.

        Raises:
            HubError, LedgerNotStored: there can be no database in that folder.
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
        """Serve the pages, and let the tables play what the director starts.

        Raises:
            SettingError: the port cannot be bound.
        """
        self.hub.start()
        self.hub.nights.follow(self._note_change)
        self._room.start()
        self._thread.start()

    def stop(self) -> None:
        """End; nothing stays but what is in the folder."""
        self._is_stopping = True
        self._news.set()
        self._room.stop()
        self.hub.stop()
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._ledger.close()

    @property
    def desk(self) -> str:
        """The address of the director's desk; the big screen is at `/screen` below it, a player's page at `/me`."""
        return f"http://{LOOPBACK}:{self.hub.server.port}/night/{self.night.id}"

    def make_director_address(self) -> str:
        """The address with a new code, by which a browser becomes a director's, once; earlier ones are void."""
        return f"http://{LOOPBACK}:{self.hub.server.port}/j/{self.hub.server.access.codes.director().text}"

    @property
    def directors(self) -> int:
        """How many devices have become a director's."""
        return len(self.hub.server.access.codes.devices)

    def _note_change(self, night: str, table: str | None) -> None:
        """Called from any thread, and must not wait."""
        if night == self.night.id and table is None:
            self._news.set()
            self._room.wake()

    def _follow(self) -> None:
        while not self._is_stopping:
            self._news.wait()
            self._news.clear()
            self.night.let_happen()


def run_demo(port: int, speed: float) -> None:
    """Play until a signal ends it.

    Raises:
        HubError, LedgerNotStored: there can be no database in a temporary folder.
        SettingError: the port cannot be bound.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN or number != signal.SIGHUP:
            signal.signal(number, lambda *_: over.set())
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
