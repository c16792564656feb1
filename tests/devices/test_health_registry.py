"""The list of all devices: the table hears of it when one breaks, changes its words, or works again, and only then."""

import threading
from dataclasses import replace

import pytest

from pegboard.core.view import Device
from pegboard.devices.health import Devices, Health, HealthPoller, unusable_device
from tests.support.waiting import soon

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
        devices.report_changes()
    assert told == [(Device("OLED"), Device("keys"))]


def test_trouble_and_its_end_are_told_each_once(devices, told, oled):
    for oled.now in (WELL, ILL, replace(ILL, retries=1, errors=2), replace(WELL, trouble="no answer", frames=9), WELL):
        devices.report_changes()
    assert [dict(devices)["OLED"] for devices in told] == [None, "no answer", None]


def test_other_words_of_a_trouble_are_told(devices, told, oled):
    for oled.now in (ILL, replace(ILL, trouble="the bus is stuck")):
        devices.report_changes()
    assert [dict(devices)["OLED"] for devices in told] == ["no answer", "the bus is stuck"]


def test_health_is_the_newest_without_being_told(devices, oled):
    oled.now = ILL
    assert [health.ok for health in devices.health] == [False, True]


def test_change_while_the_table_is_told_is_told_too(oled):
    told = []

    def tell(devices):
        told.append(dict(devices)["OLED"])
        oled.now = replace(ILL, trouble="the bus is stuck")

    devices = Devices(tell)
    devices.add(oled)
    oled.now = ILL
    devices.report_changes()
    assert told == ["no answer", "the bus is stuck"]


@pytest.fixture
def slow(oled):
    """Devices that look on by themselves, and a table that takes the second telling only when it is let go."""
    told, free, entered = [], threading.Event(), threading.Event()

    def tell(devices):
        if told:
            entered.set()
            free.wait(60)
        told.append(dict(devices)["OLED"])

    devices = Devices(tell)
    devices.add(oled)
    devices.start()
    yield devices, told, free, entered
    free.set()
    devices.stop()


def test_whoever_takes_notice_never_waits_for_the_table(slow, oled):
    devices, told, free, entered = slow
    oled.now = ILL
    devices.wake()
    assert entered.wait(60), "another thread tells"
    oled.now = WELL
    for _ in range(1000):
        devices.wake()
    assert (told, devices.health[0].ok) == ([None], True)
    free.set()
    assert soon(lambda: told == [None, "no answer", None])


def test_notice_of_what_is_known_wakes_nobody(slow, monkeypatch):
    devices, *_ = slow
    monkeypatch.setattr(devices, "report_changes", lambda: pytest.fail("there is nothing to look at"))
    woken = []
    monkeypatch.setattr(devices._wakeup, "set", lambda: woken.append(1))
    devices.wake()
    assert not woken
    monkeypatch.undo()


def test_input_that_never_answers_keeps_no_other_from_being_heard():
    free, told = threading.Event(), []

    class Stone:
        @property
        def health(self):
            free.wait(60)

    class Bell:
        health = replace(ILL, name="bell")

    devices = Devices(told.append)
    for given, name in ((Stone(), "stone"), (Bell(), "bell")):
        devices.add_poller(HealthPoller(given, name))
    devices.start()
    assert soon(lambda: told[-1] == (Device("stone"), Device("bell", "no answer")))
    devices.stop()
    free.set()


def test_device_that_could_not_begin_has_its_trouble_since_then():
    health = unusable_device("bell", "pin 4 is in use", since=1000.0)
    assert (health.ok, health.failing_since, health.trouble) == (False, 1000.0, "pin 4 is in use")
