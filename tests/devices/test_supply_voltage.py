"""The Pi's supply voltage, from files laid out as the kernel's drivers do."""

import logging

import pytest

from pegboard.core.view import Device
from pegboard.devices.health import Devices
from pegboard.devices.power_and_clock import LASTS_S, SupplyVoltage, with_notice
from tests.support.scoreboard_on_a_folder import Table


class Clock:
    now_s = 1000.0

    def __call__(self):
        return self.now_s


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def alarm(tmp_path):
    """The file of the alarm, beside sensors of other drivers."""
    for number, name in enumerate(["cpu_thermal", "pwmfan", "rpi_volt"]):
        folder = tmp_path / "hwmon" / f"hwmon{number}"
        folder.mkdir(parents=True)
        (folder / "name").write_text(f"{name}\n")
    alarm = tmp_path / "hwmon/hwmon2/in0_lcrit_alarm"
    alarm.write_text("0\n")
    return alarm


@pytest.fixture
def supply(tmp_path, alarm, clock):
    return SupplyVoltage(tmp_path / "hwmon", tmp_path / "nowhere", clock, lambda: 1_795_000_000.0)


def test_right_voltage_is_well(supply):
    health = supply.health()
    assert (health.name, health.ok, health.trouble, supply.is_reported) == ("supply voltage", True, None, True)


def test_low_voltage_is_said_with_what_to_do(supply, alarm):
    alarm.write_text("1\n")
    health = supply.health()
    assert (health.ok, health.failing_since, health.errors) == (False, 1_795_000_000.0, 1)
    assert health.trouble == (
        "the voltage is too low for the Pi, which may crash or corrupt data: use a stronger supply or a shorter, "
        "thicker cable; an LED strip needs its own supply"
    )


def test_dip_is_said_for_a_minute_after_its_end_and_logged_once(supply, alarm, clock, caplog):
    caplog.set_level(logging.INFO)
    for second in range(0, 200, 3):
        clock.now_s = 1000.0 + second
        alarm.write_text("1\n" if second in {30, 33, 60} else "0\n")
        expected = 30 <= second < 60 + LASTS_S
        assert supply.health().ok != expected, second
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_file_is_read_no_more_often_than_it_changes(supply, alarm, clock):
    supply.health()
    alarm.write_text("1\n")
    clock.now_s += 0.5
    assert supply.health().ok
    clock.now_s += 2.5
    assert not supply.health().ok


@pytest.mark.parametrize(("value", "is_low"), [("0", False), ("50005", True), ("0x50005", True), ("50000", False)])
def test_older_kernels_tell_it_by_another_file(tmp_path, value, is_low):
    (tmp_path / "get_throttled").write_text(f"{value}\n")
    supply = SupplyVoltage(tmp_path / "none", tmp_path / "get_throttled")
    assert (supply.is_low(), supply.is_reported, supply.health().ok) == (is_low, True, not is_low)


@pytest.mark.parametrize("text", [None, "", "nonsense\n"])
def test_machine_that_does_not_tell_is_not_said_to_be_well_or_ill(tmp_path, text):
    if text is not None:
        (tmp_path / "get_throttled").write_text(text)
    supply = SupplyVoltage(tmp_path / "none", tmp_path / "get_throttled")
    assert (supply.is_low(), supply.is_reported) == (None, False)


def test_file_that_vanishes_leaves_it_as_it_was(supply, alarm, clock):
    alarm.unlink()
    clock.now_s += 10
    assert supply.health().ok


def test_displays_show_it_and_its_end(supply, alarm, clock):
    shown = []
    devices = Devices(shown.append)
    devices.add(supply.health)
    for value in "0110":
        alarm.write_text(value)
        clock.now_s += 100
        devices.report_changes()
    assert [bool(device.trouble) for (device,) in shown] == [False, True, False]
    assert shown[1][0] == Device("supply voltage", supply.health().trouble)


def test_every_display_says_it_once_in_words(tmp_path, supply, alarm, clock):
    table = Table(tmp_path / "state")
    devices = Devices(with_notice(table.board.set_devices, table.board.keys.show_notice))
    devices.add(supply.health)
    notices = []
    for value in "01010":
        alarm.write_text(value)
        clock.now_s += 100
        devices.report_changes()
        notices.append(table.view.notice)
        table.score(0, 1)
    low = "The Pi's voltage is too low: use a stronger supply or a shorter cable"
    assert notices == [None, low, None, None, None]
    table.journal.close()
