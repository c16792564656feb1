"""The list of all devices: the table hears of it when one breaks, changes its words, or works again, and only then."""

from dataclasses import replace

import pytest

from pegboard.core.view import Device
from pegboard.devices import Devices, health_of, unable
from pegboard.health import Health

WELL = Health("OLED", "on I2C")
ILL = replace(WELL, ok=False, trouble="no answer", errors=1)


class Changing:
    now = WELL

    def __call__(self):
        return self.now


@pytest.fixture
def told():
    return []


@pytest.fixture
def oled():
    return Changing()


@pytest.fixture
def devices(told, oled):
    devices = Devices(told.append)
    devices.add(oled)
    devices.add(lambda: Health("keys", "pins"))
    return devices


def test_all_are_told_once_in_their_order(devices, told):
    for _ in range(3):
        devices.look()
    assert told == [(Device("OLED"), Device("keys"))]


def test_trouble_and_its_end_are_told_each_once(devices, told, oled):
    for oled.now in (WELL, ILL, replace(ILL, retries=1, errors=2), replace(WELL, trouble="no answer", frames=9), WELL):
        devices.look()
    assert [dict(devices)["OLED"] for devices in told] == [None, "no answer", None]


def test_other_words_of_a_trouble_are_told(devices, told, oled):
    for oled.now in (ILL, replace(ILL, trouble="the bus is stuck")):
        devices.look()
    assert [dict(devices)["OLED"] for devices in told] == ["no answer", "the bus is stuck"]


def test_health_is_the_newest_without_being_told(devices, oled):
    oled.now = ILL
    assert [health.ok for health in devices.health] == [False, True]


def test_input_that_says_nothing_is_well_and_one_whose_health_raises_is_not():
    class Bell:
        name = "bell"

    class Broken(Bell):
        @property
        def health(self):
            raise OSError("gone")

    class Own(Bell):
        health = ILL

    assert health_of(Bell()) == Health("bell", "")
    assert (health_of(Broken()).ok, health_of(Broken()).trouble) == (False, "gone")
    assert health_of(Own()) is ILL


def test_device_that_could_not_begin_has_its_trouble_since_then():
    health = unable("bell", "pin 4 is in use", since=1000.0)
    assert (health.ok, health.failing_since, health.trouble) == (False, 1000.0, "pin 4 is in use")
