"""The keys on a real kernel's lines: Buttons, gpiozero, gpiod or lgpio as on a Pi. `make test-vm` runs this there."""

import linecache
import os
import queue
import random
import statistics
import subprocess
import sys
import threading
import time
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path

import gpiozero
import pytest

from hardware.buses.pi import PiBuses
from hardware.keys import thread
from hardware.keys.buttons import Buttons
from hardware.oled.transport import open_spi
from pegboard.config import KeySettings, OledSettings, Settings
from pegboard.errors import DeviceError
from tests.vm import contacts, gpiod_or_lgpio
from tests.vm.gpiod_or_lgpio import FREE

PATIENCE_S = 5
MS = 1_000_000
SETTLED_S = 0.03
"""Longer than a key's lock-out of 25 ms."""
PLAYERS = {4: (0, 1), 5: (0, 2), 6: (0, 5), 12: (1, 1), 13: (1, 2), 22: (1, 5), 23: (2, 1), 24: (2, 2), 25: (2, 5)}
"""The wiring of docs/wiring.md: the lane and the points of each player's pin."""
A1, A5, B5, UNDO, DEAL = 4, 6, 22, 26, 27
OTHERS = 16
"""A pin that no key is on."""
WAKES = 2
"""So often a second may the whole program wake while nobody plays; all devices share it."""


def spread(nanoseconds):
    """Median and 99th percentile, in words."""
    p99 = statistics.quantiles(nanoseconds, n=100, method="inclusive")[98]
    return f"median {statistics.median(nanoseconds) / MS:.2f} ms, p99 {p99 / MS:.2f} ms"


def dialled(*pins):
    return [("dial", *PLAYERS[pin]) for pin in pins]


def counted(target, pins):
    """How many of the pins' keys dialled what they should, each pressed once."""
    number = 0
    for pin in pins:
        contacts.press(pin)
        number += target.rest() == dialled(pin)
    return number


def healthy_after_s(buttons):
    """Seconds until the keys are well, mended as the program does."""
    began = time.monotonic()
    while not buttons.health.ok:
        assert time.monotonic() - began < 60
        time.sleep(1)
        buttons.mend()
    return time.monotonic() - began


def switches():
    """How often the threads of this process have gone to sleep, and how many they are."""
    told = [(task / "status").read_text() for task in Path("/proc/self/task").iterdir()]
    return sum(int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0]) for status in told), len(told)


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


class KeyTarget:
    """Keeps what is done at it, and when."""

    def __init__(self):
        self.done = queue.SimpleQueue()

    def is_asking_new_game(self):
        return True

    def is_asking_power_off(self):
        return True

    def __getattr__(self, verb):
        return lambda *words: self.done.put((time.monotonic_ns(), (verb, *words)))

    def next(self):
        return self.done.get(timeout=PATIENCE_S)

    def words(self, number):
        return [self.next()[1] for _ in range(number)]

    def rest(self, silence_s=0.2):
        """What else is done, until nothing more is."""
        words = []
        while True:
            try:
                words.append(self.done.get(timeout=silence_s)[1])
            except queue.Empty:
                return words


@pytest.fixture(scope="session", autouse=True)
def _sources_at_hand():
    """While a line of a traceback is read from the host's files, the idle guest's clock would run ahead."""
    ours = [
        module for name, module in sys.modules.items() if name.split(".")[0] in ("hardware", "gpiozero", "threading")
    ]
    for file in (__file__, *(module.__file__ for module in ours)):
        linecache.getlines(file)


@pytest.fixture(scope="session")
def buses():
    return PiBuses()


@pytest.fixture
def target():
    return KeyTarget()


@pytest.fixture
def buttons(buses, target):
    buttons = Buttons(Settings(), buses, target)
    buttons.start()
    yield buttons
    buttons.close()
    time.sleep(SETTLED_S)


def test_pins_are_a_pis_54_lines(buses, record_property):
    lines, label = gpiod_or_lgpio.chip(buses.pins())
    assert lines == 54
    model, name = buses.pins().board_info.model, type(buses.pins()).__name__
    record_property("pins", f"{lines} lines of {label}, Linux {os.uname().release}, {name} on a Pi {model}")


@pytest.mark.usefixtures("buttons")
def test_idle_keys_wake_nobody(record_property):
    time.sleep(1)
    before, threads = switches()
    time.sleep(10)
    woken = (switches()[0] - before) / 10
    if gpiod_or_lgpio.GPIOD:
        assert woken <= WAKES
    record_property("idle, 11 keys", f"{woken:.1f} wake-ups a second of {threads} threads in 10 s (budget {WAKES})")


def test_output_is_on_its_line(buses):
    level = (Path(os.environ["SIMULATED_LINES"]) / f"sim_gpio{OTHERS}" / "value").read_text
    with gpiozero.DigitalOutputDevice(OTHERS, initial_value=True, pin_factory=buses.pins()) as line:
        assert level() == "1\n"
        line.off()
        assert level() == "0\n"
        line.on()
        assert level() == "1\n"


def test_panel_that_cannot_be_opened_leaks_no_file(buses, record_property):
    before = open_files()
    for _ in range(6):
        with pytest.raises(DeviceError):
            open_spi(buses, OledSettings(wire="spi", dc_pin=18, reset_pin=19), 8_000_000)
    grown = open_files() - before
    assert grown == gpiod_or_lgpio.KEPT
    record_property("SPI panel", f"not there, tried 6 times: {grown} more files open")


def test_edge_is_in_the_queue_in_milliseconds(buses, record_property):
    edges = queue.SimpleQueue()
    line = gpiozero.DigitalInputDevice(A1, pull_up=True, bounce_time=None, pin_factory=buses.pins())
    line.when_activated = line.when_deactivated = lambda: edges.put(time.monotonic_ns())
    late = []
    for stroke in islice(cycle((contacts.close, contacts.open_)), 200):
        at = time.monotonic_ns()
        stroke(A1)
        late.append(edges.get(timeout=PATIENCE_S) - at)
        time.sleep(0.003)
    line.close()
    assert statistics.median(late) < 20 * MS
    record_property("edge to queue", f"{spread(late)}, {len(late)} of 200 edges")


@pytest.mark.usefixtures("buttons")
def test_every_press_of_every_players_key_is_dialled_once(target, record_property):
    late = []
    for pin in islice(cycle(PLAYERS), 180):
        at = contacts.press(pin)
        done_at, words = target.next()
        assert [words] == dialled(pin)
        late.append(done_at - at)
    assert statistics.median(late) < 20 * MS
    record_property("press", f"{len(late)} of 180 dialled; contact to the target {spread(late)}")


@pytest.mark.usefixtures("buttons")
def test_bouncing_press_counts_once(target, monkeypatch, record_property):
    edges, post_edge = [], thread.KeyThread.post_edge
    monkeypatch.setattr(thread.KeyThread, "post_edge", lambda *edge, **at: edges.append(edge) or post_edge(*edge, **at))
    chance = random.Random(29)
    strokes = 0
    for _ in range(100):
        strokes += contacts.bounce(contacts.close, contacts.open_, A1, chance)
        time.sleep(SETTLED_S)
        strokes += contacts.bounce(contacts.open_, contacts.close, A1, chance)
        time.sleep(SETTLED_S)
    counted = target.rest()
    assert counted == dialled(A1) * 100
    assert len(edges) > 3 * 200, "without bounces that reach the program nothing is proved"
    record_property("bounce", f"{len(counted)} of 100 presses dialled, from {strokes} strokes and {len(edges)} edges")


@pytest.mark.usefixtures("buttons")
def test_held_key_pegs_once_while_it_is_still_down(target, record_property):
    at = time.monotonic_ns()
    contacts.close(A5)
    assert target.words(1) == dialled(A5)
    pegged_at, words = target.next()
    assert words == ("peg", 0)
    held_s = (pegged_at - at) / 1e9
    assert 0.8 <= held_s < 0.9
    assert target.rest(1.5) == []
    contacts.open_(A5)
    record_property("hold", f"pegged {held_s:.3f} s after the contact closed (0.8 s is set), and not again")


@pytest.mark.usefixtures("buttons")
def test_undo_held_asks_and_short_undo_says_no(target, record_property):
    at = time.monotonic_ns()
    contacts.close(UNDO)
    asked_at, words = target.next()
    assert words == ("ask_new_game",)
    held_s = (asked_at - at) / 1e9
    assert 3.0 <= held_s < 3.1
    contacts.open_(UNDO)
    time.sleep(SETTLED_S)
    contacts.press(UNDO)
    assert target.words(1) == [("cancel_new_game",)]
    record_property("hold of UNDO", f"asked {held_s:.3f} s after the contact closed (3 s is set)")


@pytest.mark.usefixtures("buttons")
def test_two_keys_at_once_are_both_dialled(target, record_property):
    apart = []
    for _ in range(50):
        at = time.monotonic_ns()
        contacts.close(A5)
        contacts.close(B5)
        apart.append(time.monotonic_ns() - at)
        assert sorted(target.words(2)) == dialled(A5, B5)
        time.sleep(SETTLED_S)
        contacts.open_(B5)
        contacts.open_(A5)
        time.sleep(SETTLED_S)
    record_property("two at once", f"{len(apart)} of 50 pairs dialled; {spread(apart)} from one to the other")


@pytest.mark.usefixtures("buttons")
def test_scoreboard_that_raises_costs_no_other_press(target, record_property):
    target.deal = lambda: 1 / 0
    for pin in PLAYERS:
        contacts.press(DEAL)
        contacts.press(pin)
        assert target.words(1) == dialled(pin)
    record_property("a target that raises", f"{len(PLAYERS)} times; {len(PLAYERS)} of {len(PLAYERS)} presses after it")


def test_callback_that_raises_costs_no_other_edge(buses, target, monkeypatch, record_property):
    failed = []

    class FailsFourTimes(queue.SimpleQueue):
        def put(self, item):
            if threading.current_thread() is gpiod_or_lgpio.thread(buses.pins()) and len(failed) < 4:
                failed.append(item)
                raise MemoryError
            super().put(item)

    monkeypatch.setattr(thread, "SimpleQueue", FailsFourTimes)
    with closing(Buttons(Settings(), buses, target)) as buttons:
        buttons.start()
        contacts.press(A1)
        contacts.press(A5)
        time.sleep(SETTLED_S)
        assert len(failed) == 4
        assert counted(target, PLAYERS) == len(PLAYERS)
        assert gpiod_or_lgpio.thread(buses.pins()).is_alive()
    record_property("our callback raises", "4 times: the pins' thread lives, 9 of 9 keys dialled after it")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_strangers_callback_that_raises_silences_no_key_once_they_are_mended(buses, target, buttons, record_property):
    stranger = gpiozero.DigitalInputDevice(OTHERS, pull_up=True, pin_factory=buses.pins())
    stranger.when_activated = lambda: 1 / 0
    let_go = threading.Event()
    stranger.when_deactivated = let_go.set
    contacts.press(OTHERS)
    # Without end: what is told of the error is read from the host's files, and the clock runs ahead meanwhile.
    (let_go.wait if gpiod_or_lgpio.SURVIVES else gpiod_or_lgpio.thread(buses.pins()).join)()
    assert gpiod_or_lgpio.thread(buses.pins()).is_alive() == gpiod_or_lgpio.SURVIVES
    stranger.close()
    heard = counted(target, PLAYERS)
    assert heard == (len(PLAYERS) if gpiod_or_lgpio.SURVIVES else 0)
    buttons.mend()
    assert buttons.health.ok
    assert gpiod_or_lgpio.thread(buses.pins()).is_alive()
    assert counted(target, PLAYERS) == len(PLAYERS)
    record_property("a stranger's raises", f"{heard} of 9 keys dialled after it; once the keys are mended 9 of 9")


def test_pin_that_another_program_holds_is_said_with_the_remedy_and_taken_once_it_is_free(
    buses, target, record_property
):
    with (
        subprocess.Popen(gpiod_or_lgpio.HOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder,
        closing(Buttons(Settings(keys=KeySettings(deal_pin=FREE)), buses, target)) as buttons,
    ):
        assert holder.stdout.readline() == "held\n"
        buttons.start()
        health = buttons.health
        assert not health.ok
        for words in (f"BCM {FREE}", gpiod_or_lgpio.BUSY, "end whatever else uses the pin", "[keys]"):
            assert words in health.trouble
        assert counted(target, PLAYERS) == len(PLAYERS)
        holder.communicate("\n")
        taken_s = healthy_after_s(buttons)
        target.rest(2)
        contacts.press(FREE)
        assert target.words(1) == [("deal",)]
    record_property("GPIO busy", f"9 of 9 other keys dialled, DEAL taken {taken_s:.0f} s after the other program ended")
    record_property("  and is said", health.trouble)


def test_keys_closed_and_opened_again_count_again(buses, target, record_property):
    for _ in range(10):
        with closing(Buttons(Settings(), buses, target)) as buttons:
            buttons.start()
            contacts.press(A1)
            assert target.words(1) == dialled(A1)
        time.sleep(SETTLED_S)
        contacts.press(A1)
        assert target.rest(0.05) == []
    record_property("closed and opened", "10 times; every press heard while open, none while closed")
