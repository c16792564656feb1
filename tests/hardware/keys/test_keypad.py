"""A numeric keypad from its keys to the scoreboard, pulled out and put in at any moment."""

import queue
import random
import threading
import time

import pytest

from hardware.keys.keypad import Keypad
from hardware.simulator.buses import StandInWires
from pegboard.config import KeypadSettings, KeySettings, Settings
from pegboard.errors import DeviceError

PATIENCE_S = 10
ENTER_A, ENTER_B, UNDO, DEAL = "KEY_KPENTER", "KEY_KPPLUS", "KEY_KPDOT", "KEY_KPSLASH"
WORDS = ""


class Door:
    """Keeps what is done at it."""

    def __init__(self):
        self.done = queue.SimpleQueue()

    def __getattr__(self, verb):
        return lambda *arguments: self.done.put((verb, *arguments))

    def next(self):
        return self.done.get(timeout=PATIENCE_S)


class Pauses:
    """Waits for as long as the test wants, whatever was asked for."""

    def __init__(self):
        self.asked = queue.SimpleQueue()
        self.over = queue.SimpleQueue()

    def __call__(self, seconds):
        self.asked.put(seconds)
        self.over.get(timeout=PATIENCE_S)

    def next(self):
        return self.asked.get(timeout=PATIENCE_S)


@pytest.fixture
def door():
    return Door()


@pytest.fixture
def pauses():
    return Pauses()


@pytest.fixture
def wires():
    return StandInWires()


@pytest.fixture
def keypad(wires, door, pauses):
    settings = Settings(keypad=KeypadSettings(enabled=True), keys=KeySettings(undo_hold_s=0.5))
    keypad = Keypad(settings, wires, door, wall=lambda: 1_800_000_000.0, pause=pauses)
    keypad.start()
    until(lambda: wires.pad._reader is not None)
    yield keypad
    pauses.over.put(None)
    keypad.close()


def until(true):
    """Wait for another thread."""
    tick = threading.Event()
    for _ in range(PATIENCE_S * 200):
        if true():
            return
        tick.wait(0.005)
    raise AssertionError("it did not become so")


def press(wires, *keys):
    for key in keys:
        wires.press(key, WORDS)
        wires.release(key, WORDS)


@pytest.mark.usefixtures("keypad")
def test_digits_and_enter_reach_the_door(wires, door):
    press(wires, "KEY_KP1", "KEY_KP2", ENTER_B)
    assert [door.next(), door.next(), door.next()] == [("typed", 1), ("typed", 12), ("enter", 1, 12)]


@pytest.mark.usefixtures("keypad")
def test_digits_in_a_row_count_like_those_of_the_block(wires, door):
    press(wires, "KEY_7")
    assert door.next() == ("typed", 7)


@pytest.mark.usefixtures("keypad")
def test_two_strokes_of_a_double_zero_key_in_one_report_both_count(wires, door):
    press(wires, "KEY_KP0", "KEY_KP0", ENTER_A)
    assert [door.next(), door.next(), door.next()] == [("typed", 0), ("typed", 0), ("enter", 0, 0)]


@pytest.mark.usefixtures("keypad")
def test_key_that_means_nothing_does_nothing(wires, door):
    press(wires, "KEY_NUMLOCK", "KEY_KPASTERISK", "KEY_KP4")
    assert door.next() == ("typed", 4)


@pytest.mark.usefixtures("keypad")
def test_more_than_29_is_refused_in_a_sentence(wires, door):
    press(wires, "KEY_KP3", "KEY_KP0")
    assert [door.next(), door.next()] == [("typed", 3), ("trouble", "30 cannot be scored at once (0 to 29): still 3")]


@pytest.mark.usefixtures("keypad")
def test_undo_and_deal_of_the_keypad_are_those_of_the_table(wires, door):
    press(wires, UNDO, DEAL)
    assert [door.next(), door.next()] == [("undo",), ("deal",)]
    wires.press(UNDO, WORDS)
    assert door.next() == ("ask_new_game",)
    wires.release(UNDO, WORDS)


@pytest.mark.usefixtures("keypad")
def test_undo_and_deal_of_the_keypad_together_invite(wires, door):
    wires.press(UNDO, WORDS)
    press(wires, DEAL)
    wires.release(UNDO, WORDS)
    assert door.next() == ("invite",)
    press(wires, DEAL)
    assert door.next() == ("deal",)


# --- pulled out and put in ---


def test_keypad_that_works_is_well_and_says_what_it_is(keypad):
    until(lambda: keypad.health.about == "stand-in keypad")
    assert (keypad.health.name, keypad.health.ok, keypad.health.trouble) == ("keypad", True, None)


def test_unplugged_keypad_says_so_until_it_is_back(keypad, wires, pauses, door):
    wires.plug("keypad", False)
    assert pauses.next() == 1.0
    health = keypad.health
    assert (health.ok, health.failing_since, health.errors) == (False, 1_800_000_000.0, 1)
    assert health.trouble == "the keypad is unplugged (No such device); put it in again"
    wires.plug("keypad", True)
    pauses.over.put(None)
    until(lambda: keypad.health.ok)
    assert keypad.health.failing_since is None
    press(wires, "KEY_KP5")
    assert door.next() == ("typed", 5)


def test_keypad_is_looked_for_ever_more_patiently(keypad, wires, pauses):
    wires.plug("keypad", False)
    asked = []
    for _ in range(8):
        asked.append(pauses.next())
        pauses.over.put(None)
    assert asked == [1, 2, 4, 8, 16, 30, 30, 30]
    assert pauses.next() == 30
    assert (keypad.health.trouble, keypad.health.retries) == (
        "no keypad is found; put one in, or name its file in [keypad]",
        8,
    )
    wires.plug("keypad", True)
    pauses.over.put(None)
    until(lambda: keypad.health.ok)
    wires.plug("keypad", False)
    assert pauses.next() == 1, "and once it was there, at once again"


def test_key_down_when_the_keypad_is_unplugged_does_not_stay_down(keypad, wires, pauses, door):
    press(wires, "KEY_KP1")
    wires.press(UNDO, WORDS)
    assert door.next() == ("typed", 1)
    until(lambda: keypad._ear._machine.deadline() < time.monotonic_ns() + 9e9)  # UNDO was heard: its hold is awaited
    wires.plug("keypad", False)
    pauses.next()
    wires.plug("keypad", True)
    pauses.over.put(None)
    until(lambda: keypad.health.ok)
    threading.Event().wait(0.6)
    press(wires, DEAL)
    assert door.next() == ("deal",), "no new game is asked for, and nothing undone"


def test_keypad_that_comes_late_works(wires, door, pauses):
    wires.plug("keypad", False)
    keypad = Keypad(Settings(), wires, door, pause=pauses)
    keypad.start()
    pauses.next()
    assert not keypad.health.ok
    wires.plug("keypad", True)
    pauses.over.put(None)
    until(lambda: keypad.health.ok)
    press(wires, DEAL)
    assert door.next() == ("deal",)
    keypad.close()


def test_reader_that_raises_anything_costs_one_try(keypad, wires, pauses, door):
    wires.pad._reader.read = lambda: 1 / 0
    press(wires, "KEY_KP1")
    assert door.next() == ("typed", 1)
    assert pauses.next() == 1.0
    assert keypad.health.trouble == "division by zero"
    pauses.over.put(None)
    until(lambda: keypad.health.ok)
    press(wires, ENTER_A)
    assert door.next() == ("enter", 0, 1)


def test_unplugged_two_hundred_times_under_presses_every_amount_entered_while_it_was_in_is_pegged(wires, door):
    dice = random.Random(29)
    keypad = Keypad(Settings(), wires, door, pause=lambda _: until(lambda: wires.plugs["keypad"].plugged))
    keypad.start()
    for n in range(200):
        until(lambda: keypad.health.ok and wires.pad._reader is not None and not wires.pad._reader.ended)
        press(wires, f"KEY_KP{n % 10}", ENTER_A)
        assert [door.next(), door.next()] == [("typed", n % 10), ("enter", 0, n % 10)]
        wires.press(dice.choice([UNDO, "KEY_KPASTERISK", "KEY_NUMLOCK"]), WORDS)
        wires.plug("keypad", False)
        until(lambda: not keypad.health.ok)
        wires.plug("keypad", True)
    keypad.close()
    assert door.done.empty()


def test_close_ends_the_wait_for_a_key_and_the_wait_for_the_keypad(wires, door):
    for plugged in (True, False):
        wires.plug("keypad", plugged)
        keypad = Keypad(Settings(), wires, door)
        keypad.start()
        until(lambda keypad=keypad, plugged=plugged: keypad.health.ok == plugged)
        keypad.close()
        keypad.close()
        assert not keypad._thread.is_alive()
        assert not keypad._ear._thread.is_alive()


def test_keypad_whose_keys_nobody_hears_any_more_says_so(keypad):
    until(lambda: keypad.health.about == "stand-in keypad")
    keypad._ear._news.put(None)
    keypad._ear._thread.join(PATIENCE_S)
    assert (keypad.health.ok, keypad.health.trouble) == (
        False,
        "nobody listens to the keys any more; start pegboard again",
    )


# --- settings ---


@pytest.mark.parametrize(
    ("keypad", "sentence"),
    [
        (KeypadSettings(undo="KEY_KPENTER"), "KEY_KPENTER of the keypad is both the ENTER of lane a and UNDO"),
        (KeypadSettings(deal="KEY_KP7"), "KEY_KP7 of the keypad is both the digit 7 and DEAL"),
        (KeypadSettings(enters=("KEY_KPPLUS", "KEY_KPPLUS")), "both the ENTER of lane a and the ENTER of lane b"),
        (KeypadSettings(deal="SLASH"), "no keypad has a key 'SLASH'; Linux's names are taken, such as KEY_"),
        (KeypadSettings(undo="KEY_KPDOOT"), "no keypad has a key 'KEY_KPDOOT'; .* such as KEY_KPDOT"),
        (KeypadSettings(enters=()), "one key for each of 1 to 3 lanes, not 0"),
    ],
)
def test_keys_that_cannot_be_are_refused(keypad, sentence):
    with pytest.raises(DeviceError, match=sentence):
        Keypad(Settings(keypad=keypad), StandInWires(), Door())
