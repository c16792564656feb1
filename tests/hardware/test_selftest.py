"""The self-test finds the keys of every scheme, the keypad, an SPI panel and a strip that fits, or says what to do."""

from dataclasses import replace

import pytest

from hardware.selftest import check_all
from hardware.simulator.buses import SimulatedBuses
from pegboard.config import KeypadSettings, KeySettings, OledSettings, Settings, StripSettings


def found(settings, buses=None):
    return {finding.name: finding for finding in check_all(settings, buses or SimulatedBuses(settings))}


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (KeySettings(), "11 keys listen on pins BCM 4, 5, 6, 12, 13, 22, 23, 24, 25, 26, 27"),
        (KeySettings(scheme="single"), "5 keys listen on pins BCM 4, 12, 23, 26, 27"),
        (KeySettings(enabled=False), "no keys are set"),
    ],
    ids=["several", "single", "none"],
)
def test_keys_of_each_scheme_are_looked_for(keys, sentence):
    pins = found(Settings(keys=keys))["pins"]
    assert (pins.ok, pins.sentence) == (True, sentence)


def test_pin_that_is_busy_is_said():
    buses = SimulatedBuses()
    buses.key_pins.factory.pin = lambda _: 1 / 0
    pins = found(Settings(), buses)["pins"]
    assert not pins.ok
    assert "cannot use pins BCM 4, 5" in pins.sentence


def test_scheme_that_does_not_exist_is_said():
    assert found(Settings(keys=KeySettings(scheme="one")))["pins"].sentence.startswith("there is no scheme 'one'")


def test_keypad_is_looked_for_where_one_is_set():
    assert "keypad" not in found(Settings())
    keypad = found(Settings(keypad=KeypadSettings(enabled=True)))["keypad"]
    assert keypad.ok
    assert keypad.sentence.startswith("stand-in keypad is there; ENTER is KEY_KPENTER for lane a, KEY_KPPLUS for")


def test_keypad_that_is_not_plugged_in_is_said():
    buses = SimulatedBuses()
    buses.plug("keypad", False)
    keypad = found(Settings(keypad=KeypadSettings(enabled=True)), buses)["keypad"]
    assert (keypad.ok, keypad.sentence) == (False, "no keypad is found; put one in, or name its file in [keypad]")


def test_panel_on_spi_is_looked_for_on_spi():
    looked = found(Settings(oled=OledSettings(wire="spi")))
    assert looked["I2C"].sentence == "no OLED is set"
    assert looked["SPI"].ok
    assert "bus and pins BCM 16 and 17 are there for the OLED (which cannot answer): SSD1306 on SPI1" in (
        looked["SPI"].sentence
    )
    assert "the bus is there for the LED strip" in looked["SPI"].sentence


def test_line_of_a_panel_that_cannot_be_had_is_said():
    settings = Settings(oled=OledSettings(wire="spi"), keys=KeySettings(enabled=False))
    buses = SimulatedBuses(settings)
    buses.key_pins.factory.pin = lambda _: 1 / 0
    assert "the OLED's line D/C cannot use pin BCM 16" in found(settings, buses)["SPI"].sentence


def test_strip_that_does_not_fit_one_transfer_is_said():
    spi = found(Settings(strip=replace(StripSettings(), transfer=512)))["SPI"]
    assert not spi.ok
    assert "need an SPI transfer of 3358 bytes and do not fit one of 512" in spi.sentence


def test_nothing_on_any_bus_is_well():
    nothing = Settings(oled=OledSettings(enabled=False), strip=StripSettings(enabled=False))
    assert [finding.sentence for finding in found(nothing).values()][1:] == ["no OLED is set", "nothing is set"]
