"""The pins by way of gpiod, whose lines are pipes here: taken and given back, their edges, and one thread for all."""

import errno
import os
import queue
import resource
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import gpiozero
import pytest

from hardware.buses.gpiod_edges import edge_thread_of
from hardware.buses.gpiod_pin_factory import GpiodFactory
from hardware.buses.pi import PiBuses
from pegboard.errors import DeviceError
from tests.support.fake_gpiod import Gpiod

PATIENCE_S = 10
PI_4, PI_5 = 0xC03111, 0xC04170


@pytest.fixture
def pi(monkeypatch):
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_4)


@pytest.fixture
def gpiod():
    return Gpiod()


@pytest.fixture
def pins(pi, gpiod):
    with GpiodFactory(gpiod) as pins:
        yield pins


@pytest.fixture
def heard():
    return queue.SimpleQueue()


@pytest.fixture
def listen(pins, heard):
    """Lines whose edges are heard."""
    lines, ears = [], []

    def begin(pin, told=lambda ticks, level: heard.put((ticks, level)), edges="both"):
        line = gpiozero.InputDevice(pin, pull_up=True, pin_factory=pins)
        line.pin.bounce, line.pin.edges, line.pin.when_changed = None, edges, told
        lines.append(line)
        ears.append(told)  # gpiozero forgets a function that nobody refers to
        return line

    yield begin
    for line in lines:
        line.close()


def next_of(heard):
    return heard.get(timeout=PATIENCE_S)


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


# --- lines ---


def test_key_is_an_input_with_its_resistor_and_both_edges_at_the_steady_clock(listen, gpiod):
    line = listen(4)
    asked = vars(gpiod.taken[4].settings)
    assert {name: word.name for name, word in asked.items()} == {
        "direction": "INPUT",
        "bias": "PULL_UP",
        "edge_detection": "BOTH",
        "event_clock": "MONOTONIC",
    }
    assert (line.pin.function, line.pin.pull, line.pin.edges, line.pin.bounce) == ("input", "up", "both", None)


@pytest.mark.parametrize(("pull_up", "bias"), [(True, "PULL_UP"), (False, "PULL_DOWN"), (None, "DISABLED")])
def test_resistor_is_the_one_that_is_asked_for(pins, gpiod, pull_up, bias):
    active = True if pull_up is None else None
    with gpiozero.InputDevice(4, pull_up=pull_up, active_state=active, pin_factory=pins):
        assert gpiod.taken[4].settings.bias.name == bias


def test_level_of_a_line_is_read(listen, gpiod):
    line = listen(4)
    gpiod.taken[4].level = gpiod.line.Value.INACTIVE
    assert line.is_active
    gpiod.taken[4].level = gpiod.line.Value.ACTIVE
    assert not line.is_active


def test_output_begins_as_it_is_wanted_and_is_driven(pins, gpiod):
    line = gpiozero.DigitalOutputDevice(24, initial_value=True, pin_factory=pins)
    request = gpiod.taken[24]
    assert (request.settings.direction.name, request.settings.output_value.name) == ("OUTPUT", "ACTIVE")
    line.off()
    assert request.level.name == "INACTIVE"
    line.on()
    assert (request.level.name, line.value) == ("ACTIVE", 1)
    line.close()
    assert (request.settings.direction.name, request.released) == ("INPUT", True)


def test_line_that_is_closed_is_the_kernels_again_and_can_be_taken_again(listen, gpiod, heard):
    listen(4).close()
    assert gpiod.taken[4].released
    listen(4)
    gpiod.taken[4].edge("FALLING_EDGE", 1)
    assert next_of(heard)[1] == 0


def test_line_that_another_program_holds_is_said_with_its_name(pins, gpiod):
    gpiod.holders[4] = "greenhouse"
    with pytest.raises(OSError, match=r'^GPIO busy: "greenhouse" holds it$') as refused:
        gpiozero.InputDevice(4, pull_up=True, pin_factory=pins)
    assert refused.value.errno == errno.EBUSY
    gpiod.holders.clear()
    gpiozero.InputDevice(4, pull_up=True, pin_factory=pins).close()


def test_two_devices_are_kept_off_one_pin(listen, pins):
    listen(4)
    with pytest.raises(gpiozero.GPIOPinInUse):
        gpiozero.DigitalOutputDevice(4, pin_factory=pins)


def test_what_a_pin_cannot_be_is_refused(pins):
    with gpiozero.InputDevice(4, pull_up=True, pin_factory=pins) as line:
        for name, word, refusal in (
            ("function", "alt0", gpiozero.PinInvalidFunction),
            ("pull", "sideways", gpiozero.PinInvalidPull),
            ("edges", "upper", gpiozero.PinInvalidEdges),
            ("state", True, gpiozero.PinSetInput),
            ("bounce", 0.1, gpiozero.PinEdgeDetectUnsupported),
        ):
            with pytest.raises(refusal):
                setattr(line.pin, name, word)


# --- edges ---


def test_edge_is_told_with_its_level_and_the_kernels_own_seconds(listen, gpiod, heard):
    listen(4)
    gpiod.taken[4].edge("FALLING_EDGE", 12_500_000_000)
    assert next_of(heard) == (12.5, 0)
    gpiod.taken[4].edge("RISING_EDGE", 12_750_000_000)
    assert next_of(heard) == (12.75, 1)


def test_edges_of_several_lines_are_told_in_the_order_in_which_they_were(listen, gpiod, heard):
    busy, go_on = threading.Event(), threading.Event()

    def wait(*_):
        busy.set()
        assert go_on.wait(PATIENCE_S)

    tell = [lambda ticks, level, pin=pin: heard.put((pin, ticks, level)) for pin in (5, 6)]
    listen(4, told=wait)
    listen(5, told=tell[0])
    listen(6, told=tell[1])
    gpiod.taken[4].edge("FALLING_EDGE", 1_000_000_000)
    assert busy.wait(PATIENCE_S)
    gpiod.taken[5].edge("FALLING_EDGE", 3_000_000_000)
    gpiod.taken[6].edge("FALLING_EDGE", 2_000_000_000)
    gpiod.taken[6].edge("RISING_EDGE", 4_000_000_000)
    go_on.set()
    assert [next_of(heard) for _ in range(3)] == [(6, 2.0, 0), (5, 3.0, 0), (6, 4.0, 1)]


def test_line_is_heard_whose_file_has_a_number_over_1023(listen, gpiod, heard):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4096), hard), hard))
    others = [os.dup(0) for _ in range(1024)]
    try:
        listen(4)
        assert gpiod.taken[4].fd > 1023
        gpiod.taken[4].edge("FALLING_EDGE", 12_500_000_000)
        assert next_of(heard) == (12.5, 0)
    finally:
        for other in others:
            os.close(other)


def test_one_thread_hears_all_lines_and_begins_with_the_first(listen, gpiod, pins):
    threads, told = threading.active_count(), queue.SimpleQueue()
    for pin in (4, 5, 6):
        listen(pin, lambda *_: told.put(threading.get_ident()))
    assert threading.active_count() == threads + 1
    for pin in (4, 5, 6):
        gpiod.taken[pin].edge("FALLING_EDGE", 1)
    assert len({next_of(told) for _ in range(3)}) == 1


def test_callback_that_raises_costs_no_other_edge_and_is_logged(listen, gpiod, heard, caplog):
    listen(4, lambda *_: 1 / 0)
    listen(5)
    for at in range(3):
        gpiod.taken[4].edge("FALLING_EDGE", at)
        gpiod.taken[5].edge("FALLING_EDGE", at)
        assert next_of(heard)[1] == 0
    assert "ZeroDivisionError" in caplog.text


def test_line_whose_chip_is_gone_is_not_asked_for_ever(listen, gpiod, heard, pins, caplog):
    listen(4)
    listen(5)
    os.close(gpiod.taken[4].end)
    gpiod.taken[5].edge("FALLING_EDGE", 1)
    next_of(heard)
    gpiod.taken[5].edge("FALLING_EDGE", 2)
    next_of(heard)
    assert caplog.text.count("a line can no longer be read") == 1


def test_line_that_has_no_edge_after_all_is_not_waited_for(listen, gpiod, heard, pins):
    listen(4)
    assert not pins.edges._read(gpiod.taken[4].fd)
    gpiod.taken[4].edge("FALLING_EDGE", 1)
    assert next_of(heard)[1] == 0


def test_edges_that_nobody_wanted_are_not_told_to_the_next(listen, gpiod, heard, pins):
    line = listen(4)
    line.pin.when_changed = None
    assert gpiod.taken[4].settings.edge_detection.name == "NONE"
    gpiod.taken[4].edge("FALLING_EDGE", 1)
    line.pin._disable_event_detect()
    ear = lambda ticks, level: heard.put((ticks, level))  # noqa: E731
    line.pin.when_changed = ear
    gpiod.taken[4].edge("RISING_EDGE", 2)
    assert next_of(heard)[1] == 1


def test_closed_pins_leave_no_file_and_no_thread(pi, gpiod):
    files, threads = open_files(), threading.active_count()
    pins = GpiodFactory(gpiod)
    told = lambda *_: None  # noqa: E731
    line = gpiozero.InputDevice(4, pull_up=True, pin_factory=pins)
    line.pin.when_changed = told
    assert threading.active_count() == threads + 1
    pins.close()
    pins.close()
    os.close(gpiod.taken[4].end)
    assert gpiod.open == []
    assert (open_files(), threading.active_count()) == (files, threads)


# --- the thread, watched ---


def test_dead_thread_is_seen_and_its_successor_hears_every_line(listen, gpiod, heard, pins):
    assert not edge_thread_of(pins).is_dead, "no line is heard yet"
    listen(4)
    assert not edge_thread_of(pins).is_dead
    os.eventfd_write(pins.edges._close_event, 1)
    pins.edges._thread.join(PATIENCE_S)
    os.eventfd_read(pins.edges._close_event)
    assert edge_thread_of(pins).is_dead
    gpiod.taken[4].edge("FALLING_EDGE", 1)
    edge_thread_of(pins).revive()
    assert not edge_thread_of(pins).is_dead
    assert next_of(heard)[1] == 0, "what nobody heard is heard now"


# --- which pins ---


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ({"gpiochip0": "pinctrl-bcm2835"}, "gpiochip0"),
        ({"gpiochip0": "pinctrl-bcm2711", "gpiochip1": "raspberrypi-exp-gpio"}, "gpiochip0"),
        ({"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}, "gpiochip4"),
        ({"gpiochip0": "pinctrl-rp1", "gpiochip10": "gpio-brcmstb@107d508500"}, "gpiochip0"),
        ({"gpiochip0": "gpio-sim.0-node0"}, "gpiochip0"),
    ],
    ids=["Pi 3", "Pi 4", "Pi 5 before Linux 6.6.45", "Pi 5", "simulated"],
)
def test_chip_of_the_header_is_found_by_its_label(pi, gpiod, monkeypatch, labels, found):
    gpiod.labels = labels
    monkeypatch.setattr("pathlib.Path.glob", lambda folder, _: [folder / name for name in labels])
    with GpiodFactory(gpiod):
        assert gpiod.open == [found]


def test_lines_of_what_is_no_pi_are_left_alone(monkeypatch, gpiod):
    def no_pi():
        raise gpiozero.PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", no_pi)
    with pytest.raises(gpiozero.PinUnknownPi):
        GpiodFactory(gpiod)
    assert gpiod.open == []


def test_gpiod_is_taken_before_lgpio(pi, gpiod, monkeypatch):
    monkeypatch.setitem(sys.modules, "gpiod", gpiod)
    with PiBuses().pins() as pins:
        assert isinstance(pins, GpiodFactory)


@pytest.mark.parametrize("gpiod", [None, SimpleNamespace(request=None)], ids=["none", "version 1"])
def test_lgpio_is_taken_where_there_is_no_gpiod_2(monkeypatch, gpiod):
    pins = object()
    monkeypatch.setitem(sys.modules, "gpiod", gpiod)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=lambda: pins))
    assert PiBuses().pins() is pins


def test_pins_without_either_are_said_with_the_remedy(monkeypatch):
    for module in ("gpiod", "gpiozero.pins.lgpio"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DeviceError, match=r"^the pins need gpiod or lgpio; install one: .* install 'gpiod"):
        PiBuses().pins()


def test_chip_that_is_not_there_is_said(pi, gpiod, monkeypatch):
    gpiod.labels = {}
    monkeypatch.setitem(sys.modules, "gpiod", gpiod)
    with pytest.raises(DeviceError, match=r"^there is no /dev/gpiochip0, so there are no pins; keys"):
        PiBuses().pins()
