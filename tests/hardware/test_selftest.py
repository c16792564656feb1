"""The self-test finds the keys of every scheme, the keypad, an SPI panel and a strip that fits, or says what to do."""

from dataclasses import replace
from pathlib import Path

import pytest

from hardware.selftest.finding import check_clock, check_disk, check_voltage
from hardware.selftest.wire_checks import check_all
from hardware.simulator.simulated_buses import SimulatedBuses
from pegboard.config import KeypadSettings, KeySettings, OledSettings, Settings, StripSettings
from pegboard.errors import DeviceError
from pegboard.messages import Message


def found(settings, buses=None):
    return {finding.name: finding for finding in check_all(settings, buses or SimulatedBuses(settings))}


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (KeySettings(), "11 keys on pins BCM 4, 5, 6, 12, 13, 22, 23, 24, 25, 26, 27"),
        (KeySettings(scheme="single"), "5 keys on pins BCM 4, 12, 23, 26, 27"),
        (KeySettings(enabled=False), "no keys are set up"),
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
    assert found(Settings(keys=KeySettings(scheme="one")))["pins"].sentence.startswith("unknown key scheme 'one'")


def test_keypad_is_looked_for_where_one_is_set():
    assert "keypad" not in found(Settings())
    keypad = found(Settings(keypad=KeypadSettings(enabled=True)))["keypad"]
    assert keypad.ok
    assert keypad.sentence.startswith("found simulated keypad; ENTER is KEY_KPENTER for lane a, KEY_KPPLUS for")


def test_keypad_that_is_not_plugged_in_is_said():
    buses = SimulatedBuses()
    buses.plug("keypad", False)
    keypad = found(Settings(keypad=KeypadSettings(enabled=True)), buses)["keypad"]
    assert (keypad.ok, keypad.sentence) == (False, "no keypad found; plug one in, or name its file in [keypad]")


def test_panel_on_spi_is_looked_for_on_spi():
    looked = found(Settings(oled=OledSettings(wire="spi")))
    assert looked["I2C"].sentence == "no I2C panel is set up"
    assert looked["SPI"].ok
    assert "bus and pins BCM 16 and 17 are ready for the OLED (which cannot answer): SSD1306 on SPI1" in (
        looked["SPI"].sentence
    )
    assert "the bus is ready for the LED strip" in looked["SPI"].sentence


def test_line_of_a_panel_that_cannot_be_had_is_said():
    settings = Settings(oled=OledSettings(wire="spi"), keys=KeySettings(enabled=False))
    buses = SimulatedBuses(settings)
    buses.key_pins.factory.pin = lambda _: 1 / 0
    assert "the OLED's D/C line cannot use pin BCM 16" in found(settings, buses)["SPI"].sentence


def test_strip_that_does_not_fit_one_transfer_is_said():
    spi = found(Settings(strip=replace(StripSettings(), transfer=512)))["SPI"]
    assert not spi.ok
    assert "need an SPI transfer of 3358 bytes, but the limit is 512" in spi.sentence


def test_nothing_on_any_bus_is_well():
    nothing = Settings(oled=OledSettings(enabled=False), strip=StripSettings(enabled=False))
    assert [finding.sentence for finding in found(nothing).values()][1:] == [
        "no I2C panel is set up",
        "no device is set up",
    ]


# --- what to do about it ---


def test_bus_that_is_not_switched_on_is_told_with_the_command_and_the_line_of_the_file():
    class Off(SimulatedBuses):
        def i2c(self, bus):
            raise DeviceError("bus_missing", path=f"/dev/i2c-{bus}", remedy=Message("bus_enable", bus="I2C"))

        def spi(self, bus, _hz):
            raise DeviceError("bus_missing", path=f"/dev/spidev{bus}.0", remedy=Message("bus_enable", bus="SPI"))

    looked = found(Settings(), Off())
    assert looked["I2C"].remedy == (
        "sudo raspi-config nonint do_i2c 0, or dtparam=i2c_arm=on in /boot/firmware/config.txt; then restart the Pi"
    )
    assert "dtparam=spi=on" in looked["SPI"].remedy
    panel = found(Settings(oled=OledSettings(wire="spi"), strip=StripSettings(enabled=False)), Off())
    assert panel["SPI"].remedy == "turn on SPI in raspi-config, under Interface Options"


def test_user_outside_the_group_is_told_how_to_join_it():
    class Forbidden(SimulatedBuses):
        def i2c(self, bus):
            raise DeviceError("bus_forbidden", path=f"/dev/i2c-{bus}", group="i2c")

        def keypad(self, device):
            raise DeviceError("keypad_forbidden", path=device)

    looked = found(Settings(keypad=KeypadSettings(enabled=True)), Forbidden())
    assert looked["I2C"].remedy == "sudo usermod -aG i2c $USER, then log in again"
    assert looked["keypad"].remedy == "sudo usermod -aG input $USER, then log in again"


def test_panel_at_the_other_address_is_found_there():
    buses = SimulatedBuses(Settings(oled=OledSettings(address=0x3D)))
    i2c = found(Settings(), buses)["I2C"]
    assert (i2c.ok, i2c.remedy) == (False, "set oled.address = 0x3D")
    assert i2c.sentence.startswith("no answer at address 0x3C on I2C bus 1, but something answers at 0x3D")


def test_bus_that_is_stuck_is_told():
    buses = SimulatedBuses()
    buses.panel_plug.bus.stuck = True
    i2c = found(Settings(), buses)["I2C"]
    assert (i2c.ok, i2c.remedy) == (False, "unplug the devices one by one")
    assert "the bus is stuck" in i2c.sentence


@pytest.mark.parametrize(("hz", "has_remedy"), [(100_000, True), (400_000, False), (None, False)])
def test_slow_i2c_is_well_but_told_how_to_be_faster(hz, has_remedy):
    class Clocked(SimulatedBuses):
        def i2c_hz(self, _bus):
            return hz

    i2c = found(Settings(), Clocked())["I2C"]
    assert i2c.ok
    assert ("dtparam=i2c_arm_baudrate=400000" in i2c.remedy) == has_remedy


@pytest.mark.parametrize("pull_up", [True, False])
def test_key_line_that_is_stuck_is_told_with_its_place_on_the_header(monkeypatch, pull_up):
    settings = Settings(keys=KeySettings(pull_up=pull_up))
    buses = SimulatedBuses(settings)
    pin = buses.key_pins.factory.pin(12)
    monkeypatch.setattr(type(pin), "_set_pull", lambda self, _: self._change_state(pull_up != (self is pin)))
    pins = found(settings, buses)["pins"]
    assert not pins.ok
    assert "b1 (BCM 12, header pin 32)" in pins.sentence
    assert "look for touching wires or a stuck key" in pins.remedy


def test_strip_that_the_kernel_would_tear_is_told_with_the_number_to_write():
    class Small(SimulatedBuses):
        bufsiz = 2048

    spi = found(Settings(), Small())["SPI"]
    assert not spi.ok
    assert "spidev sends only 2048 bytes without a gap, but 3358 are needed" in spi.sentence
    assert spi.remedy == "add spidev.bufsiz=4096 to /boot/firmware/cmdline.txt and restart the Pi"


# --- the machine ---


def test_low_voltage_is_told_with_what_to_do():
    assert check_voltage(is_low=False).ok
    low = check_voltage(is_low=True)
    assert not low.ok
    assert low.remedy.startswith("use a stronger supply")


@pytest.mark.parametrize(
    ("free", "ok", "has_remedy"), [(32e9, True, False), (4e8, True, True), (4e7, False, True), (0, False, True)]
)
def test_room_for_the_scores_is_told(tmp_path, free, ok, has_remedy):
    disk = check_disk(tmp_path / "not" / "there" / "yet", lambda place: int(free) if place == tmp_path else 0)
    assert (disk.ok, bool(disk.remedy)) == (ok, has_remedy)
    assert disk.sentence.startswith(f"{free / 1e9:.1f} GB free")


@pytest.mark.parametrize(
    ("synchronized", "state", "sentence", "has_remedy"),
    [
        (True, 5, "set by the network", False),
        (False, 0, "kept right by this machine", False),
        (False, 5, "not set since the start", True),
        (False, None, "unknown whether anything keeps it right", False),
    ],
)
def test_clock_that_nothing_has_set_is_told(tmp_path, synchronized, state, sentence, has_remedy):
    if synchronized:
        (tmp_path / "synchronized").touch()
    clock = check_clock(tmp_path / "synchronized", lambda: state)
    assert (clock.ok, clock.sentence, bool(clock.remedy)) == (True, sentence, has_remedy)


def test_kernel_tells_of_its_clock():
    assert check_clock(Path("/nowhere")).sentence in {
        "kept right by this machine",
        "not set since the start",
        "unknown whether anything keeps it right",
    }
