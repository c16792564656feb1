"""The bench: what the models decoded, keys under a finger, plugs to pull and faults to make, as values for a page."""

import base64
import json
import threading

import pytest

from hardware.bench import Bench
from hardware.display_thread import DisplayThread
from hardware.oled.display import Oled
from hardware.oled.drawing.draw import draw
from hardware.simulator.plug_and_bus import RATE_S
from hardware.simulator.simulated_buses import SimulatedBuses
from hardware.strip.display import Strip
from hardware.strip.layouts import layout
from pegboard.config import KeypadSettings, KeySettings, OledSettings, Settings, StripSettings
from pegboard.devices.health import Health
from pegboard.errors import RuleError
from tests.support.views import table

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it

VIEW = table((87, 75), (64, 58), dialled=(0, 7), won=(2, 1))


class Clock:
    now_s = 0.0

    def __call__(self):
        return self.now_s


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def laid(clock):
    """A bench with everything on it for some settings, with its buses and display threads."""

    def lay(settings=None):
        settings = settings or Settings()
        buses = SimulatedBuses(settings, clock=clock)
        kinds = [kind for kind, own in ((Oled, settings.oled), (Strip, settings.strip)) if own.enabled]
        threads = [DisplayThread(kind, settings, buses) for kind in kinds]
        for thread in threads:
            thread.wake(VIEW)
        keypad = [Health("keypad", "in the test's hand")] if settings.keypad.enabled else []
        health = lambda: [*(thread.health for thread in threads), Health("keys", "pins"), *keypad]  # noqa: E731
        return Bench(settings, buses, threads, lambda: VIEW, health), buses, threads

    return lay


def pixels(panel):
    bits = "".join(f"{byte:08b}" for byte in base64.b64decode(panel["bits"]))
    return bytes(map(int, bits))


def drawn(view):
    return bytes(bool(pixel) for pixel in draw(view).convert("L").tobytes())


def device(bench, name):
    return next(device for device in bench.picture()["devices"] if device["name"] == name)


def fault_is_on(bench, name, fault):
    return next(each["on"] for each in device(bench, name)["faults"] if each["name"] == fault)


# --- what is to be seen --------------------------------------------------------------------------------------------


def test_bench_shows_what_the_models_decoded(laid):
    bench, buses, threads = laid()
    for thread in threads:
        thread.run_once(0, 0)
    before = buses.panel_plug.bytes
    for thread in threads:
        thread.wake(table((9, 3), (0, 0)))
        thread.run_once(1, 0)
    picture = bench.picture()
    json.dumps(picture)
    panel = picture["panel"]
    assert pixels(panel) == drawn(table((9, 3), (0, 0)))
    assert (panel["width"], panel["height"], panel["on"], panel["contrast"]) == (128, 64, True, 0xCF)
    assert len(picture["strip"]["rgb"]) == 363 * 6
    assert picture["strip"]["lanes"] == [list(lane) for lane in layout("serpentine", 2).lanes]
    oled, strip, _ = picture["devices"]
    assert (oled["name"], oled["plugged"], oled["ok"], oled["trouble"]) == ("OLED", True, True, None)
    assert (oled["last_bytes"], oled["frames"], oled["errors"]) == (buses.panel_plug.bytes - before, 2, 0)
    assert (strip["last_bytes"], strip["last_ms"]) == (3358, 11.19), "363 LEDs, nine bytes each, at 2.4 MHz"
    assert strip["extra"]["current"].endswith(" of 1.0 A")


@pytest.mark.parametrize(
    ("oled", "size"),
    [
        (OledSettings(size="128x32"), (128, 32)),
        (OledSettings(chip="sh1106", wire="spi"), (128, 64)),
        (OledSettings(chip="ssd1327", size="128x128"), (128, 128)),
        (OledSettings(chip="ssd1351", wire="spi", size="128x128"), (128, 128)),
    ],
)
def test_panel_of_any_chip_and_size_is_shown(laid, oled, size):
    bench, _, threads = laid(Settings(oled=oled))
    threads[0].run_once(0, 0)
    panel = bench.picture()["panel"]
    assert (panel["width"], panel["height"]) == size
    assert any(pixels(panel))
    assert threads[0].health.ok, threads[0].health.trouble


def test_device_that_is_not_there_is_not_shown(laid):
    bench, _, _ = laid(Settings(oled=OledSettings(enabled=False), strip=StripSettings(enabled=False)))
    picture = bench.picture()
    assert (picture["panel"], picture["strip"]) == (None, None)
    assert [one["name"] for one in picture["devices"]] == ["keys"]


def test_device_without_a_plug_says_how_it_is(laid):
    _, buses, _ = laid()
    ill = [Health("keys", "pins", ok=False, trouble="no pin"), Health("bell", "at the door")]
    bench = Bench(Settings(), buses, [], lambda: VIEW, lambda: ill)
    told = [(each["name"], each["ok"], each["trouble"], each["plugged"]) for each in bench.picture()["devices"]]
    assert told == [("keys", False, "no pin", None), ("bell", True, None, None)]


def test_bytes_a_second_are_those_of_the_last_seconds_on_each_bus(laid, clock):
    bench, buses, threads = laid()
    threads[1].run_once(0, 0)
    traffic = {bus["name"]: bus for bus in bench.picture()["buses"]}
    assert list(traffic) == ["I2C1", "SPI0"]
    assert traffic["SPI0"] == {"name": "SPI0", "bytes_per_s": round(3358 / RATE_S), "bytes": 3358}
    assert traffic["I2C1"]["bytes"] == buses.panel_plug.bytes == 0
    clock.now_s = RATE_S
    assert bench.picture()["buses"][1] == {"name": "SPI0", "bytes_per_s": 0, "bytes": 3358}


def test_followers_hear_when_bytes_a_second_fall(laid, clock):
    bench, _, threads = laid()
    threads[1].run_once(0, 0)
    bench.refresh_rates()
    told = []
    bench.follow(lambda: told.append(1))
    bench.refresh_rates()
    assert told == []
    clock.now_s = RATE_S
    bench.refresh_rates()
    assert told == [1]


# --- keys ----------------------------------------------------------------------------------------------------------


def test_bench_shows_the_keys_of_the_running_games_lanes(laid):
    bench, _, _ = laid()
    keys = {key["key"]: key for key in bench.picture()["keys"]}
    assert list(keys) == ["a1", "a2", "a5", "b1", "b2", "b5", "undo", "deal"]
    assert [key["letter"] for key in keys.values()] == list("ASDJKLUG")
    assert keys["b5"] == {"key": "b5", "lane": 1, "points": 5, "letter": "L", "down": False}


def test_bench_presses_the_pins(laid):
    bench, buses, _ = laid()
    told = []
    leave = bench.follow(lambda: told.append(1))
    bench.press("a5", "down")
    assert buses.key_pins.is_down(6)
    assert bench.picture()["lines"][0]["text"] == "Ann +5, down, 3 bounces"
    bench.press("a5", "up")
    leave()
    bench.press("a1", "down")
    assert not buses.key_pins.is_down(6)
    assert len(told) == 2


def test_bench_has_the_keys_of_the_keypad_where_there_is_one(laid):
    bench, buses, _ = laid(Settings(keys=KeySettings(enabled=False), keypad=KeypadSettings(enabled=True)))
    reader = buses.keypad("")
    keys = {key["key"]: key["lane"] for key in bench.picture()["keys"]}
    assert list(keys) == [*"0123456789", "enter a", "enter b", "keypad undo", "keypad deal"]
    assert (keys["7"], keys["enter b"]) == (None, 1)
    for name in ("7", "enter b", "keypad undo"):
        bench.press(name, "down")
        assert next(key["down"] for key in bench.picture()["keys"] if key["key"] == name)
        bench.press(name, "up")
    read = [reader.read() for _ in range(6)]
    names = ["KEY_KP7", "KEY_KPPLUS", "KEY_KPDOT"]
    assert read == [(name, down) for name in names for down in (True, False)]
    assert bench.picture()["lines"][3]["text"] == "Bob ENTER, down"


# --- plugs and faults ----------------------------------------------------------------------------------------------


def test_bench_pulls_plugs(laid):
    bench, _, threads = laid()
    bench.plug("OLED", False)
    threads[0].run_once(0, 0)
    oled = device(bench, "OLED")
    assert (oled["plugged"], oled["ok"], oled["trouble"]) == (False, False, "no answer: Remote I/O error")
    assert not any(pixels(bench.picture()["panel"]))
    bench.plug("OLED", True)
    threads[0].run_once(1, 0)
    assert device(bench, "OLED")["ok"]


def test_pulled_plug_ends_a_write_that_hangs(laid):
    bench, _, threads = laid()
    bench.fault("OLED", "hang", True)
    writing = threading.Thread(target=lambda: threads[0].run_once(0, 0))
    writing.start()
    bench.plug("OLED", False)
    writing.join(60)
    assert not writing.is_alive()
    assert device(bench, "OLED")["trouble"] == "no answer: Remote I/O error"
    assert not fault_is_on(bench, "OLED", "hang"), "what has no power holds nothing up"


def test_keypad_that_is_pulled_out_ends_its_reading(laid):
    bench, buses, _ = laid(Settings(keypad=KeypadSettings(enabled=True)))
    reader = buses.keypad("")
    bench.plug("keypad", False)
    with pytest.raises(OSError, match="No such device"):
        reader.read()
    assert not device(bench, "keypad")["plugged"]
    bench.plug("keypad", True)
    bench.press("7", "down")
    again = buses.keypad("")
    bench.press("7", "up")
    assert again.read() == ("KEY_KP7", False), "what nobody has read is lost"


def test_next_write_fails_once(laid):
    bench, _, threads = laid()
    bench.fault("OLED", "fail next write", True)
    assert fault_is_on(bench, "OLED", "fail next write")
    threads[0].run_once(0, 0)
    assert not device(bench, "OLED")["ok"]
    assert not fault_is_on(bench, "OLED", "fail next write")
    threads[0].run_once(1, 0)
    assert device(bench, "OLED")["ok"]


def test_device_that_does_not_answer_keeps_its_picture(laid):
    bench, _, threads = laid()
    threads[0].run_once(0, 0)
    bench.fault("OLED", "no answer", True)
    threads[0].wake(table((1, 0), (0, 0)))
    threads[0].run_once(1, 0)
    assert pixels(bench.picture()["panel"]) == drawn(VIEW)
    assert device(bench, "OLED")["trouble"] == "no answer: Remote I/O error"


def test_stuck_bus_is_named_until_it_is_let_go(laid):
    bench, _, threads = laid()
    bench.fault("OLED", "bus stuck", True)
    threads[0].run_once(0, 0)
    assert device(bench, "OLED")["trouble"].startswith("the bus is stuck")
    assert fault_is_on(bench, "OLED", "bus stuck")
    bench.fault("OLED", "bus stuck", False)
    threads[0].run_once(1, 0)
    assert device(bench, "OLED")["ok"]


def test_reader_of_the_keys_is_held_up(laid):
    bench, buses, _ = laid()
    bench.fault("keys", "held-up reader", True)
    assert fault_is_on(bench, "keys", "held-up reader")
    assert buses.key_wires.held_up
    bench.fault("keys", "held-up reader", False)
    assert not fault_is_on(bench, "keys", "held-up reader")


def test_wrong_clock_is_named_as_long_as_it_is_wrong(laid):
    bench, _, threads = laid()
    bench.fault("LED strip", "wrong clock", True)
    threads[1].run_once(0, 0)
    for _ in range(2):
        strip = device(bench, "LED strip")
        assert not strip["ok"]
        assert "ns" in strip["trouble"]
    bench.fault("LED strip", "wrong clock", False)
    threads[1].run_once(5, 0)
    assert device(bench, "LED strip")["ok"]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda bench: bench.press("a9", "down"), "there is no key 'a9'; use one of a1, a2, a5, b1"),
        (lambda bench: bench.press("a1", "sideways"), "a key can go 'down' or 'up', not 'sideways'"),
        (
            lambda bench: bench.plug("fan", True),
            "the bench has no pluggable device 'fan'; use one of OLED, LED strip",
        ),
        (
            lambda bench: bench.plug("keys", True),
            "the bench has no pluggable device 'keys'; use one of OLED, LED strip",
        ),
        (
            lambda bench: bench.fault("fan", "hang", True),
            "the bench has no pluggable device 'fan'; use one of OLED, LED strip",
        ),
        (
            lambda bench: bench.fault("OLED", "wrong clock", True),
            "OLED has no fault 'wrong clock'; use fail next write, hang, no answer, bus stuck",
        ),
    ],
)
def test_bench_refuses_what_it_does_not_have(laid, act, sentence):
    bench, _, _ = laid()
    before = bench.picture()
    with pytest.raises(RuleError, match=sentence):
        act(bench)
    assert bench.picture() == before
