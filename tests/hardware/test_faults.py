"""Whatever fails on the buses, and whenever, no score is lost, and the pictures are right when the buses are."""

import contextlib
import itertools
import random
import threading
import time

import pytest

from hardware.display_thread import DisplayThread, close_all
from hardware.keys.buttons import Buttons
from hardware.oled.display import Oled
from hardware.oled.drawing.draw import draw
from hardware.simulator.simulated_buses import SimulatedBuses
from hardware.strip.display import Strip
from pegboard.config import KeySettings, OledSettings, Settings
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.moves import Score, TakeBack
from pegboard.core.rules import Rules
from pegboard.devices.health import Devices
from pegboard.feed import Feed
from pegboard.storage.event_row import replay_rows
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import read_events
from pegboard.table.scoreboard import Scoreboard
from tests.support.long_runs import some_in
from tests.support.waiting import soon

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it

LONGEST_DELAY_S = 31
"""After so long every display has been retried."""

MOVES = [Score(2, 0), Score(6, 1), Score(1, 0), Score(12, 1), TakeBack(), Score(8, 0), Score(3, 1)]

FRONTS = [11, 9]
"""2 + 1 + 8, and 6 + 3: the twelve is undone."""


class Table:
    """A scoreboard on a real journal, with a panel and a strip on simulated buses, and a clock that a test turns."""

    def __init__(self, folder, settings, house=lambda rules: rules, clock=None):
        self.now_s = 0.0
        self.clock = clock or (lambda: self.now_s)
        self.settings = settings
        self.buses = SimulatedBuses(settings)
        self.journal, self.feed = Journal(folder), Feed()
        setup = Setup(house(Rules.named("standard")), ("Ann", "Bob"))
        self.scoreboard = Scoreboard(self.journal, self.feed, setup, house=house)
        self.devices = Devices(self.scoreboard.set_devices)
        self.threads = [
            DisplayThread(kind, settings, self.buses, self.clock)
            for kind in (lambda *own: Oled(*own, self.clock), Strip)
        ]
        for thread in self.threads:
            self.devices.add(lambda thread=thread: thread.health)
            thread.add_watcher(self.devices.wake)

    def play(self, move):
        view = self.feed.view
        base = view.game.revisions[move.seat] if isinstance(move, Score) else view.revision
        self.scoreboard.handle(move, source="test", id=f"tap {view.revision}", game=view.id, base=base)
        self.show()

    def show(self):
        for thread in self.threads:
            thread.wake(self.feed.view)
            thread.run_once(self.now_s, 1000 + self.now_s)
            self.devices.report_changes()

    def recover(self):
        """Give every display thread the time to try again, and to show what has come meanwhile."""
        for _ in range(2):
            self.now_s += LONGEST_DELAY_S
            self.show()

    @property
    def fronts(self):
        return [lane.front for lane in self.feed.view.game.lanes]

    def assert_pictures_are_right(self):
        drawn = draw(self.feed.view).convert("L")
        assert self.buses.pixels() == bytes(map(bool, drawn.tobytes()))
        assert self.buses.colors() == self.colors_of_a_new_strip()
        assert self.buses.panel_model.on

    def colors_of_a_new_strip(self):
        fresh = SimulatedBuses(self.settings)
        Strip(self.settings, fresh).show(self.feed.view)
        return fresh.colors()


@contextlib.contextmanager
def laid(folder, settings, **more):
    table = Table(folder, settings, **more)
    with contextlib.closing(table.journal):
        yield table


def still(**own):
    """A panel whose picture does not move."""
    return Settings(oled=OledSettings(shift_s=0.0, dim_s=0.0, blank_s=0.0, **own))


# --- every single write fails once ---------------------------------------------------------------------------------


def writes_of_a_game(folder, settings, plug):
    """How many writes pass a plug in the whole of the game."""
    with laid(folder, settings) as table:
        counted = itertools.count(1)
        transfer, last = table.buses.plugs[plug].transfer, [0]

        def count(*what):
            last[0] = next(counted)
            return transfer(*what)

        table.buses.plugs[plug].transfer = count
        table.show()
        for move in MOVES:
            table.play(move)
        table.assert_pictures_are_right()
        return last[0]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("own", "plug"),
    [({}, "OLED"), ({"chip": "sh1106", "wire": "spi"}, "OLED"), ({}, "LED strip")],
    ids=["I2C panel", "SPI panel", "SPI strip"],
)
def test_no_score_is_lost_and_the_pictures_come_right_whichever_write_fails(tmp_path, own, plug):
    settings = still(**own)
    total = writes_of_a_game(tmp_path / "counted", settings, plug)
    assert total > len(MOVES)
    for k in some_in(range(1, total + 1)):
        with laid(tmp_path / str(k), settings) as table:
            table.buses.plugs[plug].fails_in = k
            table.show()
            for move in MOVES:
                table.play(move)
            assert table.fronts == FRONTS, f"write {k} of {total}"
            errors = [health.errors for health in table.devices.health]
            assert sum(errors) == 1, f"write {k} of {total}"
            table.recover()
            table.assert_pictures_are_right()
            assert [device.trouble for device in table.feed.view.devices] == [None, None]
        assert kept_fronts(tmp_path / str(k)) == FRONTS, f"write {k} of {total}"


def kept_fronts(folder):
    """The front pegs as the rows on disk tell them; nobody else may read the file to this test."""
    with read_events(folder) as rows:
        game = replay_rows(rows)
    return [lane.front for lane in game.lanes]


def test_trouble_of_one_is_seen_on_the_other_until_it_is_over(tmp_path):
    with laid(tmp_path, still()) as table:
        table.show()
        table.buses.panel_plug.bus.stuck = True
        table.play(MOVES[0])
        assert dict(table.feed.view.devices)["OLED"].startswith("the bus is stuck")
        assert dict(table.feed.view.devices)["LED strip"] is None
        table.buses.panel_plug.bus.stuck = False
        table.recover()
        assert dict(table.feed.view.devices) == {"OLED": None, "LED strip": None}
        table.assert_pictures_are_right()


def test_trouble_that_stays_is_told_once(tmp_path):
    with laid(tmp_path, still()) as table:
        table.show()
        table.buses.plug("OLED", False)
        table.play(MOVES[0])
        told = []
        table.feed.follow(told.append)
        for _ in range(5):
            table.recover()
        assert told == []


# --- plugs pulled under presses ------------------------------------------------------------------------------------

UNPLUGGED = 200

MOST_POINTS = 650
"""Of both players on a board of 361 holes, the longest there is."""

DEAF_S = 0.001
"""The shortest lock-out that can be set; fingers are kept twice as far apart, so that every press counts."""


@pytest.fixture
def impatient(monkeypatch):
    """Display threads that try again at once, so that a test need not wait for them."""
    monkeypatch.setattr("hardware.display_thread.FIRST_DELAY_S", 0.01)
    monkeypatch.setattr("pegboard.devices.health.LONGEST_DELAY_S", 0.05)
    monkeypatch.setattr("hardware.oled.burn_in.SETTLE_S", 0.05)
    monkeypatch.setattr("hardware.oled.burn_in.APART_S", 0.05)
    monkeypatch.setattr(Strip, "refresh_s", 0.1, raising=False)


def longest(rules):
    """A board on which nobody arrives during the test."""
    return with_house_rules(rules, ("game hole=361",))


def press(buses, pin):
    buses.key_pins.press(pin)
    time.sleep(2 * DEAF_S)
    buses.key_pins.release(pin)
    time.sleep(2 * DEAF_S)


PAUSE_S = 0.008
"""At most so long between two presses: the board is to be long enough for every plug."""


def press_one(buses, keys, dice, pressed):
    """A player's key; its points are added to those that were pressed."""
    lane, points = dice.randrange(2), dice.choice((1, 1, 1, 2))
    time.sleep(dice.uniform(0, PAUSE_S))
    press(buses, keys.pins["ab"[lane]][keys.values.index(points)])
    pressed[lane] += points


def pull_plugs(buses, dice, done):
    """Each pulled and put in again so many times, at moments as they come; at the end all are in.

    The last time is between two writes, so that nobody hears of it and yet all is forgotten.

    On SPI nobody hears of a pulled plug, so there the kernel refuses the next write too, every other time.
    """
    for _ in range(UNPLUGGED):
        device = dice.choice(["OLED", "LED strip"])
        plug = buses.plugs[device]
        if plug.bus.name.startswith("SPI") and dice.random() < 0.5:
            plug.fails_in = 1
        for plugged in (False, True):
            time.sleep(dice.uniform(0, 0.012))
            buses.plug(device, plugged)
    for device, plugged in itertools.product(["OLED", "LED strip"], [False, True]):
        buses.plug(device, plugged)
    done.set()


@pytest.mark.sampled
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("own", [{}, {"chip": "sh1106", "wire": "spi"}], ids=["I2C panel", "SPI panel"])
def test_no_press_is_lost_while_plugs_are_pulled_and_put_in_200_times(tmp_path, own):
    keys = KeySettings(lockout_s=DEAF_S, silence_s=0.02)
    settings = Settings(keys=keys, oled=still(**own).oled)
    dice, pressed, done = random.Random(200), [0, 0], threading.Event()
    with laid(tmp_path, settings, house=longest, clock=time.monotonic) as table:
        for thread in table.threads:
            thread.start(table.feed)
        table.devices.start()
        buttons = Buttons(settings, table.buses, table.scoreboard.keys)
        buttons.start()
        hand = threading.Thread(target=pull_plugs, args=(table.buses, random.Random(7), done))
        hand.start()
        while not done.is_set():
            press_one(table.buses, keys, dice, pressed)
            assert sum(pressed) < MOST_POINTS, "a key is pressed as long as plugs are pulled"
        hand.join()
        press_one(table.buses, keys, dice, pressed)  # whoever finds a panel dark presses a key
        try:
            soon(lambda: table.fronts == pressed)
            soon(lambda: all(health.ok for health in table.devices.health))
            soon(lambda: not any(device.trouble for device in table.feed.view.devices))
            with contextlib.suppress(AssertionError):
                soon(lambda: is_right(table))
            table.assert_pictures_are_right()
        finally:
            buttons.close()
            close_all(table.threads)
            table.devices.stop()
        assert all(health.errors > UNPLUGGED / 20 for health in table.devices.health), "they were pulled"
    assert kept_fronts(tmp_path) == pressed


def is_right(table):
    with contextlib.suppress(AssertionError):
        table.assert_pictures_are_right()
        return True
    return False
