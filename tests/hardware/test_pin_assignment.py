"""Who sits on which pin: the keys of every scheme, the panel and the strip; nobody sits on another's."""

from dataclasses import replace

import pytest

from hardware.key_roles_and_actions import AddKey, DealKey, ShortLongKey, UndoKey
from hardware.pin_assignment import check_panel, check_strip, pin_uses, wired_keys
from pegboard.config import KeySettings, OledSettings, Settings, StripSettings
from pegboard.errors import DeviceError

SPI_PANEL = OledSettings(wire="spi")


def wired(keys=KeySettings(), oled=OledSettings(), strip=StripSettings()):  # noqa: B008 - frozen
    return Settings(keys=keys, oled=oled, strip=strip)


def named(keys):
    return [(key.name, key.pin) for key in keys]


def test_default_keys_are_those_of_the_wiring_table():
    assert named(wired_keys(Settings())) == [
        ("a1", 4), ("a2", 5), ("a5", 6), ("b1", 12), ("b2", 13), ("b5", 22), ("c1", 23), ("c2", 24), ("c5", 25),
        ("undo", 26), ("deal", 27),
    ]  # fmt: skip


def test_keys_mean_what_their_place_says():
    role = {key.name: key.role for key in wired_keys(Settings())}
    assert (role["b5"], role["undo"], role["deal"]) == (AddKey(1, 5), UndoKey(), DealKey())


def test_single_keys_sit_on_each_lanes_first_pin():
    keys = wired_keys(wired(KeySettings(scheme="single", single_values=(2, 6))))
    assert named(keys) == [("a", 4), ("b", 12), ("c", 23), ("undo", 26), ("deal", 27)]
    assert keys[1].role == ShortLongKey(1, 2, 6)


def test_lane_without_pins_has_no_keys_and_leaves_them_free():
    keys = wired_keys(wired(KeySettings(pins={"a": (4, 5, 6), "b": (12, 13, 22), "c": ()}, undo_pin=23)))
    assert {key.lane for key in keys} == {0, 1, None}


def test_lane_keeps_its_letters_place_whatever_others_are_wired():
    assert {key.lane for key in wired_keys(wired(KeySettings(pins={"b": (12, 13, 22)})))} == {1, None}


def test_keys_that_are_not_enabled_take_no_pin():
    assert wired_keys(wired(KeySettings(enabled=False, undo_pin=2))) == ()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            wired(KeySettings(deal_pin=26)),
            "the keys deal and undo both use pin BCM 26; move one of them",
        ),
        (wired(KeySettings(undo_pin=28)), "the key undo cannot use pin 28; the header has BCM 0 to 27"),
        (wired(KeySettings(pins={"a": (4, 5)})), r"lane a has 2 pins for the keys \[1, 2, 5\]; give one pin per key"),
        (wired(KeySettings(values=(1, 1, 5))), r"\[1, 1, 5\] repeat an amount; give each amount only once"),
        (wired(KeySettings(pins={"d": (4, 5, 6)})), "pins has no lane d; the lanes are a, b, c"),
        (wired(KeySettings(scheme="one")), "unknown key scheme 'one'; use several or single"),
        (
            wired(KeySettings(scheme="single", single_values=(1, 5, 9))),
            r"single_values must have two amounts.*\[1, 5, 9\]",
        ),
    ],
)
def test_keys_that_cannot_be_wired_so_are_refused(settings, sentence):
    with pytest.raises(DeviceError, match=sentence):
        wired_keys(settings)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            wired(KeySettings(undo_pin=2)),
            "the OLED's data line and the key undo both use pin BCM 2, and the key",
        ),
        (wired(KeySettings(undo_pin=21), SPI_PANEL), "the OLED's SPI bus and the key undo both use pin BCM 21"),
        (wired(KeySettings(deal_pin=20), SPI_PANEL), "the OLED's data line and the key deal both use pin BCM 20"),
        (wired(KeySettings(deal_pin=16), SPI_PANEL), "the OLED's D/C line and the key deal both use pin BCM 16"),
        (wired(KeySettings(undo_pin=17), SPI_PANEL), "the OLED's RST line and the key undo both use pin BCM 17"),
        (
            wired(oled=replace(SPI_PANEL, dc_pin=17)),
            "the OLED's RST line and the OLED's D/C line both use pin BCM 17; move",
        ),
        (wired(oled=replace(SPI_PANEL, dc_pin=4)), "the OLED's D/C line and the key a1 both use pin BCM 4, and"),
        (wired(oled=replace(SPI_PANEL, reset_pin=40)), "the OLED's RST line cannot use pin 40"),
    ],
)
def test_panel_leaves_the_keys_their_pins(settings, sentence):
    with pytest.raises(DeviceError, match=sentence):
        check_panel(settings)
    assert {use.device for use in pin_uses(settings).values()} == {"keys", "strip"}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (wired(KeySettings(undo_pin=10)), "the LED strip's data line and the key undo both use pin BCM 10, and the"),
        (wired(KeySettings(undo_pin=8)), "the LED strip's SPI bus and the key undo both use pin BCM 8, and the key"),
        (wired(oled=replace(SPI_PANEL, spi_bus=0)), "strip's data line and the OLED's data line both use .* keeps it"),
        (wired(strip=StripSettings(spi_bus=1), oled=SPI_PANEL), "strip's data line and the OLED's data line both use"),
        (wired(KeySettings(enabled=False), replace(SPI_PANEL, spi_bus=0)), "strip.spi_bus, oled.spi_bus"),
    ],
)
def test_strip_leaves_keys_and_panel_their_pins(settings, sentence):
    with pytest.raises(DeviceError, match=sentence):
        check_strip(settings)
    check_panel(settings)
    assert "strip" not in {use.device for use in pin_uses(settings).values()}


@pytest.mark.parametrize(
    "settings",
    [
        wired(KeySettings(undo_pin=16), replace(SPI_PANEL, spi_bus=0)),
        wired(KeySettings(undo_pin=10, deal_pin=10), OledSettings(enabled=False)),
        wired(KeySettings(scheme="one", undo_pin=10)),
    ],
    ids=["a panel that leaves a key its pin", "two keys on one pin", "keys that nobody can wire"],
)
def test_device_that_cannot_be_wired_takes_no_pin_from_another(settings):
    check_strip(settings)


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
    pins = {use.name: pin for pin, use in pin_uses(settings).items()}
    assert (pins["the key undo"], pins["the key deal"]) == (settings.keys.undo_pin, settings.keys.deal_pin)
