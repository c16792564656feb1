"""A numeric keypad from its keys to the scoreboard, pulled out and put in at any moment."""

import queue
import random
import time

import pytest

from hardware.key_roles_and_actions import EnterKey
from hardware.keys import keypad as keypad_module
from hardware.keys.keypad import Keypad, keypad_roles
from hardware.simulator.simulated_buses import SimulatedBuses
from pegboard.config import KeypadSettings, KeySettings, Settings
from pegboard.errors import DeviceError
from tests.support.waiting import soon

PATIENCE_S = 60
ENTER_A, ENTER_B, UNDO, DEAL = "KEY_KPENTER", "KEY_KPPLUS", "KEY_KPDOT", "KEY_KPSLASH"
WORDS = ""


class KeyTarget:
    """Keeps what is done at it."""

    def __init__(self):
        self.done = queue.SimpleQueue()
        self.question_stands, self.types_code = True, False

    def is_asking_new_game(self):
        return self.question_stands

    def is_typing_code(self):
        return self.types_code

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
def target():
    return KeyTarget()


@pytest.fixture
def pauses():
    return Pauses()


@pytest.fixture
def buses():
    return SimulatedBuses()


@pytest.fixture
def keypad(buses, target, pauses):
    settings = Settings(keypad=KeypadSettings(enabled=True), keys=KeySettings(undo_hold_s=0.5))
    keypad = Keypad(settings, buses, target, wall=lambda: 1_800_000_000.0, pause=pauses)
    keypad.start()
    soon(lambda: buses.usb_keypad._reader is not None)
    yield keypad
    pauses.over.put(None)
    keypad.close()


def press(buses, *keys):
    for key in keys:
        buses.press(key, WORDS)
        buses.release(key, WORDS)


@pytest.mark.usefixtures("keypad")
def test_digits_and_enter_reach_the_door(buses, target):
    press(buses, "KEY_KP1", "KEY_KP2", ENTER_B)
    assert [target.next(), target.next(), target.next()] == [("show_typed", 1), ("show_typed", 12), ("enter", 1, 12)]


@pytest.mark.usefixtures("keypad")
def test_digits_in_a_row_count_like_those_of_the_block(buses, target):
    press(buses, "KEY_7")
    assert target.next() == ("show_typed", 7)


@pytest.mark.usefixtures("keypad")
def test_two_strokes_of_a_double_zero_key_in_one_report_both_count(buses, target):
    press(buses, "KEY_KP0", "KEY_KP0", ENTER_A)
    assert [target.next(), target.next(), target.next()] == [("show_typed", 0), ("show_typed", 0), ("enter", 0, 0)]


@pytest.mark.usefixtures("keypad")
def test_key_that_means_nothing_does_nothing(buses, target):
    press(buses, "KEY_NUMLOCK", "KEY_KPASTERISK", "KEY_KP4")
    assert target.next() == ("show_typed", 4)


@pytest.mark.usefixtures("keypad")
def test_more_than_29_is_refused_in_a_sentence(buses, target):
    press(buses, "KEY_KP3", "KEY_KP0")
    assert [target.next(), target.next()] == [
        ("show_typed", 3),
        ("show_notice", "30 is not an amount from 0 to 29; 3 is kept"),
    ]


@pytest.mark.usefixtures("keypad")
def test_undo_and_deal_of_the_keypad_are_those_of_the_table(buses, target):
    press(buses, UNDO, DEAL)
    assert [target.next(), target.next()] == [("undo",), ("deal",)]
    buses.press(UNDO, WORDS)
    assert target.next() == ("ask_new_game",)
    buses.release(UNDO, WORDS)


@pytest.mark.usefixtures("keypad")
@pytest.mark.parametrize(("stands", "done"), [(True, ("cancel_new_game",)), (False, ("deal",))])
def test_press_answers_a_question_only_while_the_table_asks_it(buses, target, stands, done):
    buses.press(UNDO, WORDS)
    assert target.next() == ("ask_new_game",)
    buses.release(UNDO, WORDS)
    target.question_stands = stands
    press(buses, DEAL)
    assert target.next() == done


@pytest.mark.usefixtures("keypad")
def test_undo_and_deal_of_the_keypad_together_invite(buses, target):
    buses.press(UNDO, WORDS)
    press(buses, DEAL)
    buses.release(UNDO, WORDS)
    assert target.next() == ("invite",)
    press(buses, DEAL)
    assert target.next() == ("deal",)


# --- pulled out and put in ---


def test_keypad_that_works_is_well_and_says_what_it_is(keypad):
    soon(lambda: keypad.health.about == "simulated keypad")
    assert (keypad.health.name, keypad.health.ok, keypad.health.trouble) == ("keypad", True, None)


def test_unplugged_keypad_says_so_until_it_is_back(keypad, buses, pauses, target):
    buses.plug("keypad", False)
    assert pauses.next() == 1.0
    health = keypad.health
    assert (health.ok, health.failing_since, health.errors) == (False, 1_800_000_000.0, 1)
    assert health.trouble == "the keypad is unplugged (No such device); plug it in again"
    buses.plug("keypad", True)
    pauses.over.put(None)
    soon(lambda: keypad.health.ok)
    assert keypad.health.failing_since is None
    press(buses, "KEY_KP5")
    assert target.next() == ("show_typed", 5)


def test_keypad_is_looked_for_ever_more_patiently(keypad, buses, pauses):
    buses.plug("keypad", False)
    asked = []
    for _ in range(8):
        asked.append(pauses.next())
        pauses.over.put(None)
    assert asked == [1, 2, 4, 8, 16, 30, 30, 30]
    assert pauses.next() == 30
    assert (keypad.health.trouble, keypad.health.retries) == (
        "no keypad found; plug one in, or name its file in [keypad]",
        8,
    )
    buses.plug("keypad", True)
    pauses.over.put(None)
    soon(lambda: keypad.health.ok)
    buses.plug("keypad", False)
    assert pauses.next() == 1, "and once it was there, at once again"


def test_keypad_that_was_away_is_heard_when_it_comes_back_and_not_at_the_next_try(buses, target, monkeypatch):
    monkeypatch.setattr(keypad_module, "FIRST_DELAY_S", 3600)
    monkeypatch.setattr(keypad_module, "LOOK_S", 0.01)
    buses.plug("keypad", False)
    keypad = Keypad(Settings(), buses, target)
    keypad.start()
    soon(lambda: not keypad.health.ok)
    buses.plug("keypad", True)
    soon(lambda: keypad.health.ok)
    press(buses, DEAL)
    assert target.next() == ("deal",)
    keypad.close()


def test_keypad_that_comes_back_just_after_it_was_looked_for_is_heard_too(buses, target, monkeypatch):
    monkeypatch.setattr(keypad_module, "FIRST_DELAY_S", 3600)
    monkeypatch.setattr(keypad_module, "LOOK_S", 0.01)
    look = buses.keypad

    def come_after(*asked):
        try:
            return look(*asked)
        finally:
            buses.plug("keypad", True)

    monkeypatch.setattr(buses, "keypad", come_after)
    buses.plug("keypad", False)
    keypad = Keypad(Settings(), buses, target)
    keypad.start()
    soon(lambda: buses.usb_keypad._reader is not None)
    keypad.close()


@pytest.mark.usefixtures("keypad")
def test_keys_of_the_main_field_do_what_those_of_the_block_do(buses, target):
    press(buses, "KEY_4", "KEY_ENTER", "KEY_DOT", "KEY_SLASH")
    assert [target.next() for _ in range(4)] == [("show_typed", 4), ("enter", 0, 4), ("undo",), ("deal",)]


def test_key_of_the_main_field_that_is_set_has_its_own_use():
    roles = keypad_roles(KeypadSettings(enters=("KEY_KPENTER", "KEY_ENTER")))
    assert (roles["KEY_KPENTER"], roles["KEY_ENTER"]) == (EnterKey(0), EnterKey(1))


def test_key_down_when_the_keypad_is_unplugged_does_not_stay_down(keypad, buses, pauses, target):
    press(buses, "KEY_KP1")
    buses.press(UNDO, WORDS)
    assert target.next() == ("show_typed", 1)
    machine = keypad._key_thread._machine
    soon(lambda: machine.deadline() < time.monotonic_ns() + 9e9)  # UNDO was heard: its hold is awaited
    buses.plug("keypad", False)
    pauses.next()
    buses.plug("keypad", True)
    pauses.over.put(None)
    soon(lambda: keypad.health.ok)
    soon(lambda: machine.deadline() > time.monotonic_ns() + 9e9)
    press(buses, DEAL)
    assert target.next() == ("deal",), "no new game is asked for, and nothing undone"


def test_keypad_that_comes_late_works(buses, target, pauses):
    buses.plug("keypad", False)
    keypad = Keypad(Settings(), buses, target, pause=pauses)
    keypad.start()
    pauses.next()
    assert not keypad.health.ok
    buses.plug("keypad", True)
    pauses.over.put(None)
    soon(lambda: keypad.health.ok)
    press(buses, DEAL)
    assert target.next() == ("deal",)
    keypad.close()


def test_reader_that_raises_anything_costs_one_try(keypad, buses, pauses, target):
    buses.usb_keypad._reader.read = lambda: 1 / 0
    press(buses, "KEY_KP1")
    assert target.next() == ("show_typed", 1)
    assert pauses.next() == 1.0
    assert keypad.health.trouble == "division by zero"
    pauses.over.put(None)
    soon(lambda: keypad.health.ok)
    press(buses, ENTER_A)
    assert target.next() == ("enter", 0, 1)


@pytest.mark.long
def test_unplugged_two_hundred_times_under_presses_every_amount_entered_while_it_was_in_is_pegged(buses, target):
    dice = random.Random(29)
    keypad = Keypad(Settings(), buses, target, pause=lambda _: soon(lambda: buses.plugs["keypad"].plugged))
    keypad.start()
    for n in range(200):
        soon(lambda: keypad.health.ok and buses.usb_keypad._reader is not None and not buses.usb_keypad._reader.ended)
        press(buses, f"KEY_KP{n % 10}", ENTER_A)
        assert [target.next(), target.next()] == [("show_typed", n % 10), ("enter", 0, n % 10)]
        buses.press(dice.choice([UNDO, "KEY_KPASTERISK", "KEY_NUMLOCK"]), WORDS)
        buses.plug("keypad", False)
        soon(lambda: not keypad.health.ok)
        buses.plug("keypad", True)
    keypad.close()
    assert target.done.empty()


def test_close_ends_the_wait_for_a_key_and_the_wait_for_the_keypad(buses, target):
    for plugged in (True, False):
        buses.plug("keypad", plugged)
        keypad = Keypad(Settings(), buses, target)
        keypad.start()
        soon(lambda keypad=keypad, plugged=plugged: keypad.health.ok == plugged)
        keypad.close()
        keypad.close()
        assert not keypad._thread.is_alive()
        assert not keypad._key_thread._thread.is_alive()


def test_keypad_whose_keys_nobody_hears_any_more_says_so(keypad):
    soon(lambda: keypad.health.about == "simulated keypad")
    keypad._key_thread._events.put(None)
    keypad._key_thread._thread.join(PATIENCE_S)
    assert (keypad.health.ok, keypad.health.trouble) == (
        False,
        "the keys are no longer being read; restart pegboard",
    )


# --- settings ---


@pytest.mark.parametrize(
    ("keypad", "sentence"),
    [
        (
            KeypadSettings(undo="KEY_KPENTER"),
            "keypad key KEY_KPENTER is both the ENTER of lane a and UNDO; change one of them",
        ),
        (KeypadSettings(deal="KEY_KP7"), "keypad key KEY_KP7 is both the digit 7 and DEAL; change one of them"),
        (KeypadSettings(enters=("KEY_KPPLUS", "KEY_KPPLUS")), "both the ENTER of lane a and the ENTER of lane b"),
        (KeypadSettings(deal="SLASH"), "unknown keypad key 'SLASH'; use a Linux key name such as KEY_"),
        (KeypadSettings(undo="KEY_KPDOOT"), "unknown keypad key 'KEY_KPDOOT'; .* such as KEY_KPDOT"),
        (KeypadSettings(enters=()), "must list 1 to 3 keys, one for each lane, not 0"),
    ],
)
def test_keys_that_cannot_be_are_refused(keypad, sentence):
    with pytest.raises(DeviceError, match=sentence):
        Keypad(Settings(keypad=keypad), SimulatedBuses(), KeyTarget())
