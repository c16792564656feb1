"""Down to the wire and back: what the models decode from the bytes is what was drawn; plugs are pulled and put in."""

import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from hardware.buses.pi import PiBuses, PiSpi
from hardware.display_thread import DisplayThread
from hardware.oled.display import Oled
from hardware.oled.drawing.draw import draw
from hardware.selftest.wire_checks import check_all
from hardware.simulator.led_chains import LedChain
from hardware.simulator.plug_and_bus import BusRecorder
from hardware.simulator.simulated_buses import SimulatedBuses
from hardware.simulator.ssd1306 import Ssd1306
from hardware.strip.display import Strip
from hardware.strip.layouts import layout
from pegboard.config import OledSettings, Settings, StripSettings
from pegboard.errors import DeviceError
from tests.support.views import table

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it

VIEW = table((87, 75), (64, 58), dialled=(0, 7), won=(2, 1))


ONE_OF_EACH = [
    OledSettings(),
    OledSettings(chip="sh1106", wire="spi"),
    OledSettings(chip="ssd1309", wire="spi", size="128x32"),
    OledSettings(chip="ssd1327", size="128x128"),
    OledSettings(chip="ssd1351", wire="spi", size="128x128"),
]


class Clock:
    now_s = 0.0

    def __call__(self):
        return self.now_s


@pytest.fixture
def buses():
    return SimulatedBuses()


def pixels(view):
    return bytes(bool(pixel) for pixel in draw(view).convert("L").tobytes())


# --- the panel -----------------------------------------------------------------------------------------------------


def test_picture_decoded_from_the_bytes_is_the_picture_drawn(buses):
    Oled(Settings(), buses).show(VIEW)
    assert buses.pixels() == pixels(VIEW)
    assert buses.panel_model.on


def test_panel_mounted_upside_down_shows_the_picture_turned(buses):
    Oled(Settings(oled=OledSettings(rotate=2)), buses).show(VIEW)
    assert buses.pixels() == pixels(VIEW)[::-1]


def test_contrast_is_the_one_set(buses):
    Oled(Settings(oled=OledSettings(contrast=40)), buses).show(VIEW)
    assert buses.panel_model.contrast == 40


def test_panel_that_lost_its_power_shows_the_whole_picture_after_it_came_back(buses):
    display_thread = DisplayThread(Oled, Settings(), buses)
    display_thread.wake(VIEW)
    display_thread.run_once(0, 0)
    buses.plug("OLED", False)
    assert not any(buses.pixels())
    display_thread.wake(table((0, 0), (0, 0)))
    display_thread.run_once(1, 0)
    assert not display_thread.health.ok
    assert display_thread.health.trouble == "no answer: Remote I/O error"
    buses.plug("OLED", True)
    display_thread.run_once(2, 0)
    assert buses.pixels() == pixels(table((0, 0), (0, 0)))


@pytest.mark.parametrize("own", ONE_OF_EACH, ids=lambda own: f"{own.chip} {own.wire}")
def test_panel_whose_loss_of_power_nobody_noticed_is_right_again_a_moment_after_news(own):
    settings = Settings(oled=replace(own, shift_s=0.0))
    buses, clock = SimulatedBuses(settings), Clock()
    oled = Oled(settings, buses, clock)
    oled.show(VIEW)
    whole = buses.pixels()
    for plugged in (False, True):
        buses.plug("OLED", plugged)
    clock.now_s = 20.0
    oled.show(table((0, 0), (0, 0)))
    oled.show(news := replace(VIEW, revision=1))
    assert buses.pixels() != whole
    assert oled.refresh_s == pytest.approx(2, abs=0.1)
    clock.now_s += oled.refresh_s
    oled.show(news)
    assert buses.pixels() == whole
    before = buses.panel_plug.bytes
    clock.now_s += 1
    oled.show(news)
    assert buses.panel_plug.bytes == before, "once is enough"


def test_panel_whose_loss_of_power_nobody_noticed_is_right_again_when_its_picture_moves(buses):
    clock = Clock()
    oled = Oled(Settings(), buses, clock)
    oled.show(VIEW)
    for plugged in (False, True):
        buses.plug("OLED", plugged)
    clock.now_s = 60.0
    oled.show(VIEW)
    assert buses.panel_model.on
    assert sum(buses.pixels()) == sum(pixels(VIEW))


def test_write_that_fails_once_is_made_good(buses):
    display_thread = DisplayThread(Oled, Settings(), buses)
    display_thread.wake(VIEW)
    display_thread.run_once(0, 0)
    buses.panel_plug.fails_in = 1
    display_thread.wake(table((5, 0), (0, 0)))
    display_thread.run_once(1, 0)
    display_thread.run_once(2, 0)
    assert buses.pixels() == pixels(table((5, 0), (0, 0)))
    assert display_thread.health.errors == 1


def test_panel_at_another_address_does_not_answer(buses):
    with pytest.raises(OSError, match="121"):
        Oled(Settings(oled=OledSettings(address=0x3D)), buses).show(VIEW)


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        (OledSettings(chip="ssd9999"), "unknown OLED chip 'ssd9999'; .*ssd1306"),
        (OledSettings(rotate=1), "cannot be rotated by 1 quarter turns; use 0 or 2"),
        (OledSettings(contrast=256), "contrast must be 0 to 255, not 256"),
    ],
)
def test_panel_that_cannot_work_is_refused_before_a_wire_is_touched(buses, own, sentence):
    with pytest.raises(DeviceError, match=sentence):
        Oled(Settings(oled=own), buses)
    assert buses.panel_plug.bytes == 0


# --- the strip -----------------------------------------------------------------------------------------------------


def test_colors_decoded_from_the_waveform_stand_at_the_right_leds(buses):
    Strip(Settings(), buses).show(VIEW)
    lit, (ann, bob) = buses.colors(), layout("serpentine", 2).lanes
    assert len(lit) == 363
    front, rear, ahead = lit[ann[86]], lit[ann[74]], lit[ann[80]]
    assert front[2] > front[1] > front[0] == 0, "blue"
    assert sum(front) > sum(rear) > sum(lit[ann[0]]) > 0 == sum(ahead)
    assert lit[bob[63]][0] > lit[bob[63]][1] > lit[bob[63]][2] == 0, "orange"


def test_third_lane_lights_for_three_and_is_dark_for_two(buses):
    strip = Strip(Settings(), buses)
    strip.show(table((1, 0), (2, 0), (3, 0), variant="three-handed"))
    assert any(map(any, buses.colors()[242:]))
    strip.show(VIEW)
    assert not any(map(any, buses.colors()[242:]))
    assert strip.about == "WS2812 on SPI0, 363 LEDs"


def test_strip_that_lost_its_power_is_dark_until_the_next_refresh(buses):
    display_thread = DisplayThread(Strip, Settings(), buses)
    display_thread.wake(VIEW)
    display_thread.run_once(0, 0)
    lit = buses.colors()
    buses.plug("LED strip", False)
    assert not any(map(sum, buses.colors()))
    assert display_thread.run_once(5, 0) == 5
    assert display_thread.health.ok, "nobody answers on its line, so nobody can miss it"
    buses.plug("LED strip", True)
    assert not any(map(sum, buses.colors()))
    display_thread.run_once(10, 0)
    assert buses.colors() == lit


def test_strip_whose_bus_fails_is_lit_again_after_a_second(buses):
    display_thread = DisplayThread(Strip, Settings(), buses)
    buses.strip_plug.fails_in = 1
    display_thread.wake(VIEW)
    assert display_thread.run_once(0, 0) == 1
    assert display_thread.health.trouble == "no answer: Input/output error"
    display_thread.run_once(1, 0)
    assert any(map(sum, buses.colors()))


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        (StripSettings(budget_ma=100), "100 mA is too low for 363 LEDs"),
        (StripSettings(layout="spiral"), "unknown strip layout 'spiral'"),
        (StripSettings(brightness=0.0), "brightness must be above 0"),
    ],
)
def test_strip_that_cannot_work_is_refused_before_a_wire_is_touched(buses, own, sentence):
    with pytest.raises(DeviceError, match=sentence):
        Strip(Settings(strip=own), buses)
    assert buses.strip_plug.bytes == 0


# --- the record ----------------------------------------------------------------------------------------------------


def test_record_decodes_to_what_was_shown_without_the_program(tmp_path):
    path = tmp_path / "wire.jsonl"
    buses = SimulatedBuses(record=BusRecorder(path))
    Oled(Settings(), buses).show(VIEW)
    Strip(Settings(), buses).show(VIEW)
    buses.press(4, "a1")
    buses.key_pins.come_to_rest(4)
    chip, chain, edges, last = Ssd1306(), LedChain(), [], 0
    for line in map(json.loads, path.read_text().splitlines()):
        assert line["t_ns"] >= last
        last = line["t_ns"]
        if line["bus"] == "i2c":
            assert line["address"] == 60
            chip.receive(bytes.fromhex(line["data"]))
        elif line["bus"] == "spi":
            chain.receive(bytes.fromhex(line["data"]), line["hz"])
        else:
            edges.append(line["data"])
    assert chip.pixels() == pixels(VIEW)
    assert chain.colors() == buses.colors()
    assert edges == [{"pin": 4, "level": level} for level in (0, 1, 0, 1, 0, 1, 0)], "a press with three bounces"


def test_record_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(DeviceError, match=r"cannot write the recording to .*: No such file or directory"):
        BusRecorder(tmp_path / "nowhere" / "wire.jsonl")


# --- the self-test -------------------------------------------------------------------------------------------------


def test_selftest_on_simulated_buses_finds_everything(buses):
    found = check_all(Settings(), buses)
    assert [(name, ok) for name, ok, *_ in found] == [("pins", True), ("I2C", True), ("SPI", True)]
    assert "the OLED answers: SSD1306 on I2C, 0x3C" in found[1].sentence


def test_selftest_says_which_device_does_not_answer(buses):
    buses.plug("OLED", False)
    found = check_all(Settings(), buses)[1]
    assert not found.ok
    assert "no answer at address 0x3C on I2C bus 1" in found.sentence


def test_selftest_says_what_to_do_about_a_bus_that_is_not_there():
    settings = Settings(oled=OledSettings(i2c_bus=250), strip=StripSettings(spi_bus=250))
    _, i2c, spi = check_all(settings, PiBuses())
    assert i2c.sentence.startswith("there is no /dev/i2c-250; bus 250 belongs to a multiplexer: add its overlay")
    assert not spi.ok


def test_transfer_that_the_kernel_would_tear_is_refused():
    sent = []
    bus = PiSpi(SimpleNamespace(writebytes2=sent.append), 4096)
    bus.write(bytes(4096))
    with pytest.raises(DeviceError, match=r"only 4096 bytes without a gap, but 4097 are needed.*bufsiz=8192 to"):
        bus.write(bytes(4097))
    with pytest.raises(DeviceError, match=r"but 8193 are needed; add spidev\.bufsiz=16384 to"):
        bus.write(bytes(8193))
    assert [len(data) for data in sent] == [4096]


def test_pins_are_opened_once_for_all_devices(monkeypatch):
    factories = []
    opened = SimpleNamespace(LGPIOFactory=lambda: factories.append(1) or object())
    monkeypatch.setitem(sys.modules, "gpiod", None)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", opened)
    buses = PiBuses()
    assert buses.pins() is buses.pins()
    assert len(factories) == 1
