"""The trials of keys, LEDs and panel on the stand-ins: what is said, what shines, and that all is dark at the end."""

import threading
import time
from dataclasses import replace

import pytest

from hardware.pin_assignment import HEADER, wired_keys
from hardware.selftest.trials import LOOK_S, KeyEcho, echo_keys, light_leds, show_test_picture
from hardware.simulator.simulated_buses import MODELS, SimulatedBuses
from hardware.strip.layouts import layout
from pegboard.config import KeypadSettings, KeySettings, OledSettings, Settings, StripSettings
from pegboard.errors import DeviceError
from tests.support.waiting import soon

MS = 1_000_000
"""Nanoseconds in a millisecond."""

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it


# --- keys ---


@pytest.fixture
def echo():
    return KeyEcho({"a1": "+1 for lane a, BCM 4, header pin 7", "undo": "UNDO, BCM 26, header pin 37"}, 25 * MS)


def test_press_and_release_are_told_once_at_rest_with_their_bounces(echo):
    told = []
    for ms, down in [(0, True), (1, False), (2, True), (3, False), (4, True), (120, False), (121, True), (122, False)]:
        told += echo.edge(ms * MS, "a1", down=down)
    told += echo.settle(200 * MS)
    assert told == [
        "a1 pressed: +1 for lane a, BCM 4, header pin 7; 2 bounces",
        "a1 released after 0.12 s; 1 bounces",
    ]
    assert echo.settle(900 * MS) == []


def test_touch_that_is_over_within_the_lockout_is_told(echo):
    echo.edge(0, "a1", down=True)
    echo.edge(3 * MS, "a1", down=False)
    assert echo.settle(24 * MS) == []
    assert echo.settle(25 * MS) == ["a1: brief contact, 1 times; +1 for lane a, BCM 4, header pin 7"]


def test_two_keys_at_once_are_told_apart(echo):
    echo.edge(0, "a1", down=True)
    echo.edge(5 * MS, "undo", down=True)
    assert echo.settle(40 * MS) == [
        "a1 pressed: +1 for lane a, BCM 4, header pin 7; 0 bounces",
        "undo pressed: UNDO, BCM 26, header pin 37; 0 bounces",
    ]


class Ended(Exception):
    """Ctrl-C, as far as the thread of a test can have one."""


def echoed(settings, buses, strokes, lines):
    """What is told while `strokes` are done, one after the other, each when the line before it has come."""
    told, begun = [], threading.Event()

    def tell(line):
        told.append(line)
        if len(told) == lines:
            raise Ended

    def run():
        begun.set()
        with pytest.raises(Ended):
            echo_keys(settings, buses, tell)

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    keys = wired_keys(settings) if settings.keys.enabled else ()
    soon(lambda: all(buses.key_pins.factory.pin(key.pin).when_changed for key in keys))
    for number, stroke in enumerate(strokes, 1):
        stroke()
        soon(lambda number=number: len(told) >= min(number, lines))
    thread.join(60)
    return told


def test_keys_are_told_from_the_pins_with_the_bounces_of_their_contacts():
    buses = SimulatedBuses()
    told = echoed(
        Settings(),
        buses,
        [lambda: buses.press(4, "a1"), lambda: buses.release(4, "a1"), lambda: buses.press(27, "deal")],
        3,
    )
    assert told[0] == "a1 pressed: +1 for lane a, BCM 4, header pin 7; 3 bounces"
    assert told[1].startswith("a1 released after 0.")
    assert told[2] == "deal pressed: DEAL, BCM 27, header pin 13; 3 bounces"


def test_every_bounce_is_counted_on_a_machine_that_is_held_up():
    buses = SimulatedBuses()
    buses.key_pins._on_edge = lambda *_: time.sleep(1.2 * LOOK_S)
    lines = echoed(Settings(), buses, [lambda: buses.press(4, "a1")], 1)
    assert lines == ["a1 pressed: +1 for lane a, BCM 4, header pin 7; 3 bounces"]


def test_keypad_is_told_key_by_key():
    settings = Settings(keys=KeySettings(enabled=False), keypad=KeypadSettings(enabled=True))
    buses = SimulatedBuses(settings)
    names = ["KEY_KP7", "KEY_KPENTER", "KEY_F1"]
    pressed = []

    def press(name):
        def stroke():
            soon(lambda: buses.usb_keypad._reader is not None)
            buses.usb_keypad.press(name)
            pressed.append(name)

        return stroke

    assert echoed(settings, buses, map(press, names), 3) == [
        "keypad KEY_KP7 pressed: the digit 7",
        "keypad KEY_KPENTER pressed: the ENTER of lane a",
        "keypad KEY_F1 pressed: not used",
    ]


def test_pins_are_free_again_after_the_trial():
    buses = SimulatedBuses()
    for _ in range(2):
        assert len(echoed(Settings(), buses, [lambda: buses.press(5, "a2"), lambda: buses.release(5, "a2")], 2)) == 2


def test_no_keys_and_a_busy_pin_are_said():
    with pytest.raises(DeviceError, match="no keys are set up"):
        echo_keys(Settings(keys=KeySettings(enabled=False)), SimulatedBuses(), print)
    buses = SimulatedBuses()
    buses.key_pins.factory.pin = lambda _: 1 / 0
    with pytest.raises(DeviceError, match=r"key a1 cannot use pin BCM 4"):
        echo_keys(Settings(), buses, print)


def test_place_on_the_header_is_that_of_the_wiring_page(wiring_page):
    for key in wired_keys(Settings()):
        assert f"{key.pin} ({HEADER[key.pin]})" in wiring_page, key.name
    assert sorted(HEADER.values()) == sorted(set(range(1, 41)) - {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39})


@pytest.fixture
def wiring_page(request):
    return (request.config.rootpath / "docs/wiring.md").read_text("utf-8")


# --- LEDs ---


STRIPS = [
    StripSettings(),
    StripSettings(chip="sk6812w", lanes=2, layout="zigzag"),
    StripSettings(chip="apa102", layout="lanes", start_holes=True, shared_game_hole=True),
    StripSettings(chip="sk6812", lanes=2, budget_ma=400),
]


@pytest.mark.sampled
@pytest.mark.parametrize("own", STRIPS, ids=lambda own: f"{own.chip}-{own.layout}")
def test_one_led_after_the_other_shines_with_its_hole_and_all_are_dark_at_the_end(own):
    settings = Settings(strip=own)
    buses, told, lit = SimulatedBuses(settings), [], []
    light_leds(
        settings,
        buses,
        told.append,
        lambda _: lit.append([place for place, led in enumerate(buses.colors()) if any(led)]),
    )
    assert lit == [[led] for led in range(len(lit))]
    assert len(told) == len(lit) > 200
    assert told[0].startswith(f"LED 1 of {len(lit)}: lane a, ")
    assert len(set(told)) == len(told)
    assert not any(map(any, buses.colors()))


@pytest.mark.parametrize(("name", "last"), [("serpentine", 121), ("zigzag", 121), ("lanes", 121), ("classic", 61)])
def test_a_hole_that_is_told_is_the_one_that_a_game_for_two_lights(name, last):
    """Where strip.lanes does not say for how many lanes the strip is made."""
    settings, told = Settings(strip=StripSettings(layout=name)), []
    light_leds(settings, SimulatedBuses(settings), told.append, lambda _: None)
    for lane, leds in enumerate(layout(name, 2).lanes):
        for hole, led in enumerate(leds, 1):
            said = f"hole {hole} and hole {hole + 60}" if last == 61 else f"hole {hole}"
            assert told[led].endswith(f": lane {'ab'[lane]}, {'game hole' if hole == last else said}")


def test_leds_that_count_games_won_are_told_and_those_without_a_hole_too():
    own = StripSettings(layout="lanes", lanes=2, games_won={"a": (243, 244), "b": (246,)})
    settings, told = Settings(strip=own), []
    light_leds(settings, SimulatedBuses(settings), told.append, lambda _: None)
    assert told[242:] == [
        "LED 243 of 246: lane a, game won 1",
        "LED 244 of 246: lane a, game won 2",
        "LED 245 of 246: not used",
        "LED 246 of 246: lane b, game won 1",
    ]


def test_shared_game_hole_is_told_for_every_lane():
    settings, told = Settings(strip=STRIPS[2]), []
    light_leds(settings, SimulatedBuses(settings), told.append, lambda _: None)
    assert next(line for line in told if "game hole" in line).endswith(
        "lane a, game hole and lane b, game hole and lane c, game hole"
    )


def test_ctrl_c_leaves_no_led_lit():
    buses = SimulatedBuses()

    def interrupt(_):
        assert any(map(any, buses.colors()))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        light_leds(Settings(), buses, lambda _: None, interrupt)
    assert not any(map(any, buses.colors()))


# --- panel ---


@pytest.mark.parametrize("size", ["128x64", "128x32"])
@pytest.mark.parametrize("chip", sorted(MODELS))
def test_test_picture_is_framed_numbered_and_upright_and_the_panel_dark_at_the_end(chip, size):
    big = chip in {"ssd1327", "ssd1351"}
    own = OledSettings(chip=chip, wire="spi" if chip == "ssd1351" else "i2c", size="128x128" if big else size)
    settings = Settings(oled=own)
    buses, told, seen = SimulatedBuses(settings), [], []

    def look(_):
        seen.append(buses.pixels())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        show_test_picture(settings, buses, told.append, look)
    columns, rows = buses.panel_model.size
    picture = [seen[0][row * columns : (row + 1) * columns] for row in range(rows)]
    assert all(picture[0])
    assert all(picture[-1])
    assert all(row[0] and row[-1] for row in picture)
    assert picture != picture[::-1] and picture != [row[::-1] for row in picture], "it tells which way is up"  # noqa: PT018
    assert "oled.rotate = 2" in told[1]
    assert not buses.panel_model.on


def test_device_that_is_not_enabled_or_does_not_answer_is_said():
    with pytest.raises(DeviceError, match=r"\[strip\] is not enabled; set strip.enabled = true"):
        light_leds(Settings(strip=StripSettings(enabled=False)), SimulatedBuses(), print)
    with pytest.raises(DeviceError, match=r"\[oled\] is not enabled"):
        show_test_picture(Settings(oled=OledSettings(enabled=False)), SimulatedBuses(), print)
    buses = SimulatedBuses()
    buses.plug("OLED", False)
    with pytest.raises(DeviceError, match="no answer: Remote I/O error"):
        show_test_picture(Settings(), buses, print)
    buses.strip_plug.fails_in = 1
    with pytest.raises(DeviceError, match="no answer: Input/output error"):
        light_leds(replace(Settings()), buses, print)
