"""Who sits on which pin: the keys of every scheme, the panel and the strip; nobody sits on another's."""

from dataclasses import replace

import pytest

from hardware.meaning import Adds, AddsLonger, Deals, Undoes
from hardware.wiring import keys_of, pins_of
from pegboard.config import KeySettings, OledSettings, Settings, StripSettings
from pegboard.errors import DeviceError

SPI_PANEL = OledSettings(wire="spi")


def wired(keys=KeySettings(), oled=OledSettings(), strip=StripSettings()):  # noqa: B008 - frozen
    return Settings(keys=keys, oled=oled, strip=strip)


def named(keys):
    return [(key.name, key.pin) for key in keys]


def test_default_keys_are_those_of_the_wiring_table():
    assert named(keys_of(Settings())) == [
        ("a1", 4), ("a2", 5), ("a5", 6), ("b1", 12), ("b2", 13), ("b5", 22), ("c1", 23), ("c2", 24), ("c5", 25),
        ("undo", 26), ("deal", 27),
    ]  # fmt: skip


def test_keys_mean_what_their_place_says():
    means = {key.name: key.means for key in keys_of(Settings())}
    assert (means["b5"], means["undo"], means["deal"]) == (Adds(1, 5), Undoes(), Deals())


def test_single_keys_sit_on_each_lanes_first_pin():
    keys = keys_of(wired(KeySettings(scheme="single", single_values=(2, 6))))
    assert named(keys) == [("a", 4), ("b", 12), ("c", 23), ("undo", 26), ("deal", 27)]
    assert keys[1].means == AddsLonger(1, 2, 6)


def test_lane_without_pins_has_no_keys_and_leaves_them_free():
    keys = keys_of(wired(KeySettings(pins={"a": (4, 5, 6), "b": (12, 13, 22), "c": ()}, undo_pin=23)))
    assert {key.lane for key in keys} == {0, 1, None}


def test_lane_keeps_its_letters_place_whatever_others_are_wired():
    assert {key.lane for key in keys_of(wired(KeySettings(pins={"b": (12, 13, 22)})))} == {1, None}


def test_keys_that_are_not_enabled_take_no_pin():
    assert keys_of(wired(KeySettings(enabled=False, undo_pin=2))) == ()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (wired(KeySettings(deal_pin=26)), "the key deal and the key undo are both on pin BCM 26"),
        (wired(KeySettings(undo_pin=2)), "the key undo and the OLED's data line are both on pin BCM 2"),
        (wired(KeySettings(undo_pin=10)), "the key undo and the LED strip's data line are both on pin BCM 10"),
        (wired(KeySettings(undo_pin=8)), "the key undo and the LED strip's SPI bus are both on pin BCM 8"),
        (wired(KeySettings(undo_pin=21), SPI_PANEL), "the key undo and the OLED's SPI bus are both on pin BCM 21"),
        (wired(KeySettings(deal_pin=20), SPI_PANEL), "the key deal and the OLED's data line are both on pin BCM 20"),
        (wired(KeySettings(deal_pin=16), SPI_PANEL), "the key deal and the OLED's line D/C are both on pin BCM 16"),
        (wired(KeySettings(undo_pin=17), SPI_PANEL), "the key undo and the OLED's line RST are both on pin BCM 17"),
        (wired(oled=replace(SPI_PANEL, dc_pin=17)), "line RST and the OLED's line D/C are both on pin BCM 17"),
        (wired(oled=replace(SPI_PANEL, dc_pin=4)), "the key a1 and the OLED's line D/C are both on pin BCM 4"),
        (wired(oled=replace(SPI_PANEL, spi_bus=0)), "the OLED's data line and the LED strip's data line are both"),
        (wired(strip=StripSettings(spi_bus=1), oled=SPI_PANEL), "the OLED's data line and the LED strip's data line"),
        (wired(KeySettings(undo_pin=28)), "the key undo cannot sit on pin 28; the header has BCM 0 to 27"),
        (wired(oled=replace(SPI_PANEL, reset_pin=40)), "the OLED's line RST cannot sit on pin 40"),
        (wired(KeySettings(pins={"a": (4, 5)})), r"lane a has 2 pins for the keys \(1, 2, 5\); name one pin for each"),
        (wired(KeySettings(values=(1, 1, 5))), r"\(1, 1, 5\) name one amount twice"),
        (wired(KeySettings(pins={"d": (4, 5, 6)})), "there is no lane d in .* the lanes are a, b, c"),
        (wired(KeySettings(scheme="one")), "there is no scheme 'one' of keys; there are several and single"),
        (wired(KeySettings(scheme="single", single_values=(1, 5, 9))), r"single_values takes two amounts.*\(1, 5, 9\)"),
    ],
)
def test_wiring_that_cannot_be_is_refused(settings, sentence):
    with pytest.raises(DeviceError, match=sentence):
        keys_of(settings)


@pytest.mark.parametrize(
    "settings",
    [
        wired(KeySettings(undo_pin=2, deal_pin=10), OledSettings(enabled=False), StripSettings(enabled=False)),
        wired(KeySettings(undo_pin=2, deal_pin=3), OledSettings(i2c_bus=3)),
        wired(KeySettings(undo_pin=2, deal_pin=3), SPI_PANEL),
        wired(KeySettings(undo_pin=18, deal_pin=16)),
        wired(KeySettings(scheme="single", undo_pin=5, deal_pin=6)),
    ],
    ids=["both off", "I2C bus of other pins", "panel on SPI", "panel on I2C", "pins of one key a player"],
)
def test_pins_that_nobody_uses_are_free(settings):
    pins = {name: pin for pin, name in pins_of(settings).items()}
    assert (pins["the key undo"], pins["the key deal"]) == (settings.keys.undo_pin, settings.keys.deal_pin)


def test_panel_and_strip_are_kept_apart_without_keys_too():
    with pytest.raises(DeviceError, match="both on pin BCM 10"):
        pins_of(wired(KeySettings(enabled=False), replace(SPI_PANEL, spi_bus=0)))
