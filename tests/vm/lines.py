"""The keys on a real kernel's lines: Buttons, gpiozero and lgpio as on a Pi. `make test-vm` runs this in its kernel."""

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

import gpiozero
import lgpio
import pytest

from hardware import ear
from hardware.buttons import Buttons
from hardware.wires import PiWires
from pegboard.config import KeySettings, Settings
from tests.vm import contacts

PATIENCE_S = 5
MS = 1_000_000
SETTLED_S = 0.03
"""Longer than a key's lock-out of 25 ms."""
PLAYERS = {4: (0, 1), 5: (0, 2), 6: (0, 5), 12: (1, 1), 13: (1, 2), 22: (1, 5), 23: (2, 1), 24: (2, 2), 25: (2, 5)}
"""The README's wiring: the lane and the points of each player's pin."""
A1, A5, B5, UNDO, DEAL = 4, 6, 22, 26, 27
OTHERS, FREE = 16, 17
"""Pins that no key is on."""
_HOLD = f"import lgpio; lgpio.gpio_claim_input(lgpio.gpiochip_open(0), {FREE}); print('held', flush=True); input()"
HOLDER = [sys.executable, "-c", _HOLD]
"""Another program, which keeps the free pin until it is sent a line."""


def spread(nanoseconds):
    """Median and 99th percentile, in words."""
    p99 = statistics.quantiles(nanoseconds, n=100, method="inclusive")[98]
    return f"median {statistics.median(nanoseconds) / MS:.2f} ms, p99 {p99 / MS:.2f} ms"


def dialled(*pins):
    return [("dial", *PLAYERS[pin]) for pin in pins]


def counted(door, pins):
    """How many of the pins' keys dialled what they should, each pressed once."""
    number = 0
    for pin in pins:
        contacts.press(pin)
        number += door.rest() == dialled(pin)
    return number


def healthy_after_s(buttons):
    """Seconds until the keys are well, their health asked for as the program does."""
    began = time.monotonic()
    while not buttons.health.ok:
        assert time.monotonic() - began < 60
        time.sleep(1)
    return time.monotonic() - began


class Door:
    """Keeps what is done at it, and when."""

    def __init__(self):
        self.done = queue.SimpleQueue()

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


class OnePi(PiWires):
    """The real wires; one factory serves a whole run, as in the program."""

    def __init__(self):
        self.factory = super().pins()

    def pins(self):
        return self.factory


@pytest.fixture(scope="session")
def wires():
    return OnePi()


@pytest.fixture
def door():
    return Door()


@pytest.fixture
def buttons(wires, door):
    buttons = Buttons(Settings(), wires, door)
    buttons.start()
    yield buttons
    buttons.close()
    time.sleep(SETTLED_S)


def test_pins_are_a_pis_54_lines(wires, record_property):
    _, lines, _, label = lgpio.gpio_get_chip_info(wires.factory._handle)
    assert lines == 54
    model = wires.factory.board_info.model
    record_property("pins", f"{lines} lines of {label}, Linux {os.uname().release}, lgpio on a Pi {model}")


def test_edge_is_in_the_queue_in_milliseconds(wires, record_property):
    edges = queue.SimpleQueue()
    line = gpiozero.DigitalInputDevice(A1, pull_up=True, bounce_time=None, pin_factory=wires.factory)
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
def test_every_press_of_every_players_key_is_dialled_once(door, record_property):
    late = []
    for pin in islice(cycle(PLAYERS), 180):
        at = contacts.press(pin)
        done_at, words = door.next()
        assert [words] == dialled(pin)
        late.append(done_at - at)
    assert statistics.median(late) < 20 * MS
    record_property("press", f"{len(late)} of 180 dialled; contact to the scoreboard's door {spread(late)}")


@pytest.mark.usefixtures("buttons")
def test_bouncing_press_counts_once(wires, door, record_property):
    edges = []
    listener = lgpio.callback(wires.factory._handle, A1, lgpio.BOTH_EDGES, lambda *edge: edges.append(edge))
    chance = random.Random(29)
    strokes = 0
    for _ in range(100):
        strokes += contacts.bounce(contacts.close, contacts.open_, A1, chance)
        time.sleep(SETTLED_S)
        strokes += contacts.bounce(contacts.open_, contacts.close, A1, chance)
        time.sleep(SETTLED_S)
    counted = door.rest()
    listener.cancel()
    assert counted == dialled(A1) * 100
    assert len(edges) > 3 * 200, "without bounces that reach the program nothing is proved"
    record_property("bounce", f"{len(counted)} of 100 presses dialled, from {strokes} strokes and {len(edges)} edges")


@pytest.mark.usefixtures("buttons")
def test_held_key_pegs_once_while_it_is_still_down(door, record_property):
    at = time.monotonic_ns()
    contacts.close(A5)
    assert door.words(1) == dialled(A5)
    pegged_at, words = door.next()
    assert words == ("peg", 0)
    held_s = (pegged_at - at) / 1e9
    assert 0.8 <= held_s < 0.9
    assert door.rest(1.5) == []
    contacts.open_(A5)
    record_property("hold", f"pegged {held_s:.3f} s after the contact closed (0.8 s is set), and not again")


@pytest.mark.usefixtures("buttons")
def test_undo_held_asks_and_short_undo_says_no(door, record_property):
    at = time.monotonic_ns()
    contacts.close(UNDO)
    asked_at, words = door.next()
    assert words == ("ask_new_game",)
    held_s = (asked_at - at) / 1e9
    assert 3.0 <= held_s < 3.1
    contacts.open_(UNDO)
    time.sleep(SETTLED_S)
    contacts.press(UNDO)
    assert door.words(1) == [("cancel_new_game",)]
    record_property("hold of UNDO", f"asked {held_s:.3f} s after the contact closed (3 s is set)")


@pytest.mark.usefixtures("buttons")
def test_two_keys_at_once_are_both_dialled(door, record_property):
    apart = []
    for _ in range(50):
        at = time.monotonic_ns()
        contacts.close(A5)
        contacts.close(B5)
        apart.append(time.monotonic_ns() - at)
        assert sorted(door.words(2)) == dialled(A5, B5)
        time.sleep(SETTLED_S)
        contacts.open_(B5)
        contacts.open_(A5)
        time.sleep(SETTLED_S)
    record_property("two at once", f"{len(apart)} of 50 pairs dialled; {spread(apart)} from one to the other")


@pytest.mark.usefixtures("buttons")
def test_scoreboard_that_raises_costs_no_other_press(door, record_property):
    door.deal = lambda: 1 / 0
    for pin in PLAYERS:
        contacts.press(DEAL)
        contacts.press(pin)
        assert door.words(1) == dialled(pin)
    record_property("a door that raises", f"{len(PLAYERS)} times; {len(PLAYERS)} of {len(PLAYERS)} presses after it")


def test_callback_that_raises_costs_no_other_edge(wires, door, monkeypatch, record_property):
    failed = []

    class FailsFourTimes(queue.SimpleQueue):
        def put(self, item):
            if threading.current_thread() is lgpio._notify_thread and len(failed) < 4:
                failed.append(item)
                raise MemoryError
            super().put(item)

    monkeypatch.setattr(ear, "SimpleQueue", FailsFourTimes)
    with closing(Buttons(Settings(), wires, door)) as buttons:
        buttons.start()
        contacts.press(A1)
        contacts.press(A5)
        time.sleep(SETTLED_S)
        assert len(failed) == 4
        assert counted(door, PLAYERS) == len(PLAYERS)
        assert lgpio._notify_thread.is_alive()
    record_property("our callback raises", "4 times: lgpio's thread lives, 9 of 9 keys dialled after it")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_strangers_callback_that_raises_silences_every_key_until_their_health_is_asked(
    wires, door, buttons, record_property
):
    stranger = gpiozero.DigitalInputDevice(OTHERS, pull_up=True, pin_factory=wires.factory)
    stranger.when_activated = lambda: 1 / 0
    contacts.press(OTHERS)
    lgpio._notify_thread.join(PATIENCE_S)
    assert not lgpio._notify_thread.is_alive()
    stranger.close()
    deaf = counted(door, PLAYERS)
    assert deaf == 0, "this is what the guard is against"
    assert buttons.health.ok
    assert lgpio._notify_thread.is_alive()
    assert counted(door, PLAYERS) == len(PLAYERS)
    record_property("a stranger's raises", f"lgpio's thread dead, {deaf} of 9 keys; after a look at the keys 9 of 9")


def test_pin_that_another_program_holds_is_said_with_the_remedy_and_taken_once_it_is_free(wires, door, record_property):
    with (
        subprocess.Popen(HOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder,
        closing(Buttons(Settings(keys=KeySettings(deal_pin=FREE)), wires, door)) as buttons,
    ):
        assert holder.stdout.readline() == "held\n"
        buttons.start()
        health = buttons.health
        assert not health.ok
        for words in (f"BCM {FREE}", "GPIO busy", "end whatever else uses the pin", "[keys]"):
            assert words in health.trouble
        assert counted(door, PLAYERS) == len(PLAYERS)
        holder.communicate("\n")
        taken_s = healthy_after_s(buttons)
        contacts.press(FREE)
        assert door.words(1) == [("deal",)]
    record_property("GPIO busy", f"9 of 9 other keys dialled, DEAL taken {taken_s:.0f} s after the other program ended")
    record_property("  and is said", health.trouble)


def test_keys_closed_and_opened_again_count_again(wires, door, record_property):
    for _ in range(10):
        with closing(Buttons(Settings(), wires, door)) as buttons:
            buttons.start()
            contacts.press(A1)
            assert door.words(1) == dialled(A1)
        time.sleep(SETTLED_S)
        contacts.press(A1)
        assert door.rest(0.05) == []
    record_property("closed and opened", "10 times; every press heard while open, none while closed")
