"""The keys from the pins' edges to the scoreboard's door, through gpiozero."""

import queue

import pytest

from hardware.buttons import Buttons
from hardware.standin.wires import StandInWires
from hardware.wiring import keys_of
from pegboard.config import KeySettings, OledSettings, Settings, StripSettings
from pegboard.errors import DeviceError

PATIENCE_S = 3


class Door:
    """Keeps what is done at it."""

    def __init__(self):
        self.done = queue.SimpleQueue()

    def __getattr__(self, verb):
        return lambda *arguments: self.done.put((verb, *arguments))

    def next(self):
        return self.done.get(timeout=PATIENCE_S)


@pytest.fixture
def door():
    return Door()


@pytest.fixture
def wires():
    return StandInWires()


@pytest.fixture
def buttons(wires, door):
    quick = KeySettings(silence_s=0.05, hold_s=0.5, lockout_s=0.005)
    buttons = Buttons(Settings(keys=quick), wires, door)
    buttons.start()
    yield buttons
    buttons.close()


@pytest.mark.usefixtures("buttons")
def test_bouncing_press_on_the_pin_is_dialled_once_and_pegged(wires, door):
    wires.press(6, "a5")
    wires.release(6, "a5")
    assert [door.next(), door.next()] == [("dial", 0, 5), ("peg", 0)]


@pytest.mark.usefixtures("buttons")
def test_undo_and_deal_reach_the_door(wires, door):
    for pin in (26, 27):
        wires.hand.press(pin)
        wires.hand.release(pin)
        assert door.next() == ("undo",) if pin == 26 else ("deal",)


@pytest.mark.usefixtures("buttons")
def test_door_that_raises_costs_no_other_press(wires, door):
    door.deal = lambda: 1 / 0
    wires.hand.press(27)
    wires.hand.press(4)
    assert door.next() == ("dial", 0, 1)


def test_key_down_at_the_start_is_reported_and_scores_nothing(wires, door):
    settings = Settings(keys=KeySettings(pull_up=False))
    wires.hand.factory.pin(4).pull = "down"
    pin = wires.hand.factory.pin(4)
    buttons = Buttons(settings, wires, door)
    original = type(pin)._set_pull
    pin.__class__ = type(
        "Held", (type(pin),), {"_set_pull": lambda self, pull: (original(self, pull), self.drive_high())}
    )
    buttons.start()
    verb, sentence = door.next()
    assert (verb, sentence) == ("trouble", "The key a1 is stuck; it is ignored until it is let go")
    assert door.done.empty()
    buttons.close()


def test_pin_that_is_in_use_is_said_with_the_remedy(wires, door):
    first = Buttons(Settings(), wires, door)
    first.start()
    with pytest.raises(DeviceError, match=r"the key a1 cannot use pin BCM 4 .*give the key another pin"):
        Buttons(Settings(), wires, door).start()
    first.close()


def test_close_gives_the_pins_back(wires, door):
    for _ in range(2):
        buttons = Buttons(Settings(), wires, door)
        buttons.start()
        buttons.close()
        buttons.close()


def test_default_keys_are_those_of_the_wiring_table():
    assert [(key.name, key.pin) for key in keys_of(Settings())] == [
        ("a1", 4), ("a2", 5), ("a5", 6), ("b1", 12), ("b2", 13), ("b5", 22), ("c1", 23), ("c2", 24), ("c5", 25),
        ("undo", 26), ("deal", 27),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (KeySettings(deal_pin=26), "the key deal and the key undo are both on pin BCM 26"),
        (KeySettings(undo_pin=2), "the key undo and the OLED's data line are both on pin BCM 2"),
        (KeySettings(undo_pin=10), "the key undo and the LED strip's data line are both on pin BCM 10"),
        (KeySettings(undo_pin=28), "the key undo cannot sit on pin 28; the header has BCM 0 to 27"),
        (KeySettings(pins={"a": (4, 5)}), r"lane a has 2 pins for the keys \(1, 2, 5\); name one pin for each"),
        (KeySettings(values=(1, 1, 5)), r"\(1, 1, 5\) name one amount twice"),
    ],
)
def test_wiring_that_cannot_be_is_refused(keys, sentence):
    with pytest.raises(DeviceError, match=sentence):
        keys_of(Settings(keys=keys))


def test_pins_of_a_device_that_is_off_are_free():
    off = Settings(
        keys=KeySettings(undo_pin=2, deal_pin=10), oled=OledSettings(enabled=False), strip=StripSettings(enabled=False)
    )
    assert len(keys_of(off)) == 11
