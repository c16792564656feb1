"""The keys from the pins to the scoreboard, through gpiozero; pins that cannot be had, and a dead thread."""

import os
import queue
import sys
import threading
import time
import types

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.buses.gpiod_edges import edge_thread_of
from hardware.buses.pi import why_no_pins
from hardware.key_roles_and_actions import DealKey
from hardware.keys.buttons import Buttons
from hardware.keys.debounce import Timing
from hardware.keys.machine import KeyMachine
from hardware.keys.thread import KeyThread
from hardware.simulator.simulated_buses import SimulatedBuses
from pegboard.config import KeySettings, Settings
from pegboard.errors import DeviceError

PATIENCE_S = 10


class KeyTarget:
    """Keeps what is done at it."""

    def __init__(self):
        self.done = queue.SimpleQueue()
        self.question_stands = True

    def is_asking_new_game(self):
        return self.question_stands

    def __getattr__(self, verb):
        return lambda *arguments: self.done.put((verb, *arguments))

    def next(self):
        return self.done.get(timeout=PATIENCE_S)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def target():
    return KeyTarget()


@pytest.fixture
def buses():
    return SimulatedBuses()


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def listen(buses, target, clock):
    """Buttons that listen, closed at the end."""
    made = []

    def begin(lines=buses, **keys):
        quick = KeySettings(**{"silence_s": 0.1, "hold_s": 0.5, "lockout_s": 0.005} | keys)
        made.append(Buttons(Settings(keys=quick), lines, target, clock=clock, wall=lambda: 1_800_000_000.0))
        made[-1].start()
        return made[-1]

    yield begin
    for buttons in made:
        buttons.close()


def mended(buttons):
    """How the keys are, when what can be mended is."""
    buttons.mend()
    return buttons.health


def press(buses, *pins):
    for pin in pins:
        buses.key_pins.press(pin)
        buses.key_pins.release(pin)


# --- from the pin to the scoreboard ---


def test_bouncing_press_on_the_pin_is_dialled_once_and_pegged(listen, buses, target):
    listen()
    buses.press(6, "a5")
    buses.release(6, "a5")
    assert [target.next(), target.next()] == [("dial", 0, 5), ("peg", 0)]


def test_simulated_key_bounces_in_its_own_time_however_slowly_its_edges_are_told(listen, target):
    told = []
    slow = types.SimpleNamespace(gpio=lambda *edge: (told.append(edge), time.sleep(0.01)))  # longer than a key is deaf
    buses = SimulatedBuses(record=slow)
    listen(buses)
    buses.press(6, "a5")
    buses.release(6, "a5")
    assert [target.next(), target.next()] == [("dial", 0, 5), ("peg", 0)]
    buses.key_pins.come_to_rest(6)
    times = [at_s for _, _, at_s in told]
    strokes = times[:7], times[7:14]
    for stroke in strokes:
        assert [round(at_s - stroke[0], 4) for at_s in stroke] == [0, 0.0007, 0.0014, 0.0021, 0.0028, 0.0035, 0.0042]
    assert strokes[1][0] > strokes[0][-1]
    assert [level for _, level, _ in told] == [0, 1] * 3 + [0] + [1, 0] * 3 + [1]


def test_reader_that_is_held_up_on_the_bench_costs_and_doubles_no_press(listen, target, buses):
    listen(silence_s=1.2)
    buses.key_wires.held_up = True
    for _ in range(4):
        buses.press(6, "a5")
        time.sleep(0.06)
        buses.release(6, "a5")
        time.sleep(0.06)
    assert [target.next() for _ in range(5)] == [("dial", 0, 5)] * 4 + [("peg", 0)]
    assert target.done.empty()


@pytest.mark.parametrize(("origin_s", "presses"), [(0.0, 1), (1.7e9, 3)], ids=["the steady clock", "another clock"])
def test_bounces_that_are_told_late_are_taken_at_the_kernels_own_time(target, origin_s, presses):
    now = [100.0]
    machine = KeyMachine({"deal": DealKey()}, Timing())
    key_thread = KeyThread("ear", machine, target, clock=lambda: round(now[0] * 1e9))
    for at_s, down in ((99.900, True), (99.901, False), (99.902, True), (99.903, False), (99.904, True)):
        key_thread.post_edge("deal", down=down, at_s=origin_s + at_s)
        now[0] += 0.030  # the thread that tells is held up again and again, longer than a key is deaf
    key_thread.start()
    assert [target.next() for _ in range(presses)] == [("deal",)] * presses
    key_thread.close()
    assert target.done.empty()


def test_undo_and_deal_reach_the_door(listen, buses, target):
    listen()
    press(buses, 26)
    assert target.next() == ("undo",)
    press(buses, 27)
    assert target.next() == ("deal",)


def test_undo_and_deal_together_invite(listen, buses, target):
    listen()
    buses.key_pins.press(26)
    press(buses, 27)
    buses.key_pins.release(26)
    assert target.next() == ("invite",)


def test_single_keys_count_short_and_long(listen, buses, target):
    listen(scheme="single", long_s=0.1)
    press(buses, 4)
    assert [target.next(), target.next()] == [("dial", 0, 1), ("peg", 0)]
    buses.key_pins.press(12)
    assert [target.next(), target.next()] == [("dial", 1, 5), ("dial", 1, 5)]
    buses.key_pins.release(12)


def test_keys_that_pull_their_line_up_are_heard_too(target, clock):
    settings = Settings(keys=KeySettings(pull_up=False))
    buses = SimulatedBuses(settings)
    buttons = Buttons(settings, buses, target, clock=clock)
    buttons.start()
    press(buses, 13)
    assert target.next() == ("dial", 1, 2)
    assert buttons.health.ok
    buttons.close()


def test_key_target_that_raises_costs_no_other_press(listen, buses, target):
    listen()
    target.deal = lambda: 1 / 0
    press(buses, 27, 4)
    assert target.next() == ("dial", 0, 1)


def test_keys_that_work_are_well_and_say_where_they_are(listen):
    health = listen(scheme="single").health
    assert (health.name, health.about, health.ok, health.trouble) == ("keys", "pins BCM 4, 12, 23, 26, 27", True, None)


def test_pin_that_is_about_to_be_read_is_not_closed_before(listen, caplog):
    buttons, ready = listen(), threading.Event()
    thread, end = buttons._key_thread, buttons._key_thread.close
    thread._events.put(lambda: ready.wait(PATIENCE_S) and [])
    buttons.mend()  # has every pin read, once the thread gets to it
    thread.close = lambda: (ready.set(), end())
    buttons.close()
    assert "the key thread met an error" not in caplog.text


def test_close_gives_the_pins_back(buses, target):
    for _ in range(2):
        buttons = Buttons(Settings(), buses, target)
        buttons.start()
        assert buttons.health.ok
        buttons.close()
        buttons.close()


# --- keys that are down, and edges that are lost ---


class HeldDown(MockPin):
    """A pin that a finger holds to ground, whatever pulls it up."""

    def _set_pull(self, value):
        super()._set_pull(value)
        if self.info.name == "GPIO4":
            self.drive_low()


def test_key_down_at_the_start_is_reported_and_scores_nothing(listen, buses, target):
    buses.key_pins.factory = MockFactory(pin_class=HeldDown)
    buttons = listen()
    assert target.next() == ("show_notice", "Key a1 is stuck and ignored until released")
    assert mended(buttons).trouble == "key a1 is stuck and ignored; free it, or check its wire"
    buses.key_pins.release(4)
    buses.key_pins.press(4)
    assert target.next() == ("dial", 0, 1)
    assert (mended(buttons).ok, buttons.health.failing_since) == (True, None)


def test_stuck_key_is_in_the_health_while_it_is_stuck(listen, buses, target):
    buttons = listen(stuck_s=0.2, hold_s=0.1, long_s=0.1, undo_hold_s=0.1)
    buses.key_pins.press(4)
    while target.next()[0] != "show_notice":
        pass
    assert (mended(buttons).ok, buttons.health.failing_since) == (False, 1_800_000_000.0)
    assert "key a1 is stuck" in buttons.health.trouble


def test_edge_that_was_lost_is_found_at_the_next_look(listen, buses, target):
    buttons = listen()
    pin = buses.key_pins.factory.pin(4)
    pin._change_state(False)
    press(buses, 27)
    assert target.next() == ("deal",), "nobody has heard of it"
    buttons.mend()
    assert target.next() == ("dial", 0, 1)
    pin._change_state(True)
    buttons.mend()
    assert target.next() == ("peg", 0)
    press(buses, 4)
    assert target.next() == ("dial", 0, 1)


def test_health_touches_no_pin(listen, buses, lgpio):
    buttons = listen()
    lgpio.die()
    buses.pins = buses.key_pins.factory.pin = refusing("nobody may touch a pin now")
    assert buttons.health.ok
    assert not lgpio._notify_thread.is_alive()


def test_what_the_keys_cannot_take_costs_no_other_press(listen, buses, target):
    buttons = listen()
    buttons._key_thread._events.put(lambda: 1 / 0)
    press(buses, 4)
    assert target.next() == ("dial", 0, 1)
    assert mended(buttons).ok


def test_something_due_that_fails_is_not_tried_without_end(target):
    class Broken(KeyMachine):
        tries = 0

        def tick(self, _t_ns):
            self.tries += 1
            raise ArithmeticError

        def deadline(self):
            return 0

    key_thread = KeyThread("ear", Broken({}, Timing()), target)
    key_thread.start()
    threading.Event().wait(0.1)
    key_thread.close()
    assert key_thread._machine.tries == 1


def test_keys_that_nobody_listens_to_any_more_say_so(listen):
    buttons = listen()
    buttons._key_thread._events.put(None)
    buttons._key_thread._thread.join(PATIENCE_S)
    assert mended(buttons).trouble == "the keys are no longer being read; restart pegboard"
    assert not buttons.health.ok


@pytest.mark.parametrize(("stands", "done"), [(True, ("cancel_new_game",)), (False, ("deal",))])
def test_press_answers_a_question_only_while_the_table_asks_it(listen, buses, target, stands, done):
    listen(undo_hold_s=0.5)
    buses.key_pins.press(26)
    assert target.next() == ("ask_new_game",)
    buses.key_pins.release(26)
    target.question_stands = stands
    press(buses, 27)
    assert target.next() == done


# --- pins that cannot be had ---


class LgpioError(Exception):
    """As lgpio's own: no OSError, and its words are in quotes."""

    def __init__(self, value):
        super().__init__(repr(value))
        self.value = value


class SomeBusy(SimulatedBuses):
    """Buses of whose pins some belong to another program."""

    def __init__(self, *busy):
        super().__init__()
        make, self.busy, self.tries = self.key_pins.factory.pin, set(busy), 0

        def pin(name):
            self.tries += name in self.busy
            if name in self.busy:
                raise LgpioError("GPIO busy")
            return make(name)

        self.key_pins.factory.pin = pin


def test_key_whose_pin_is_busy_takes_no_other_with_it(listen, target):
    buses = SomeBusy(4)
    health = listen(buses).health
    assert (health.ok, health.errors) == (False, 1)
    assert health.trouble == (
        "key a1 cannot use pin BCM 4 (GPIO busy); stop whatever else uses the pin, or change it in [keys]"
    )
    press(buses, 5)
    assert target.next() == ("dial", 0, 2)


def test_keys_that_are_busy_for_one_reason_are_one_sentence(listen):
    assert listen(SomeBusy(4, 27)).health.trouble == (
        "keys a1, deal cannot use pins BCM 4, 27 (GPIO busy); stop whatever else uses them, or change them in [keys]"
    )


def test_busy_pin_is_tried_again_ever_more_patiently_and_works_when_it_is_free(listen, clock, target):
    buses = SomeBusy(4)
    buttons = listen(buses)
    tried = []
    for second in range(120):
        clock.now, before = float(second), buses.tries
        assert not mended(buttons).ok
        tried += [second] * (buses.tries - before)
    assert tried == [1, 3, 7, 15, 31, 61, 91], "1, 2, 4, 8, 16, 30 and 30 seconds apart"
    assert buttons.health.retries == len(tried)
    buses.busy.clear()
    clock.now += 30
    assert (mended(buttons).ok, buttons.health.retries, buttons.health.failing_since) == (True, 0, None)
    press(buses, 4)
    assert target.next() == ("dial", 0, 1)


def test_pins_that_were_had_are_tried_at_once_when_they_are_lost_again(listen, clock, buses, lgpio):
    """Each time the notify thread dies the pins are claimed anew; here one of them is busy then."""
    have = buses.key_pins.factory.pin
    buttons, tries = listen(), []

    def busy(name):
        if name == 4:
            tries.append(clock.now)
            raise LgpioError("GPIO busy")
        return have(name)

    for begun in (0, 100):
        tries.clear()
        clock.now, buses.key_pins.factory.pin = begun, busy
        lgpio.die()
        for second in range(4):
            clock.now = begun + second
            buttons.mend()
        assert tries == [begun, begun + 1, begun + 3]
        clock.now, buses.key_pins.factory.pin = begun + 50, have
        assert mended(buttons).ok


def test_line_that_is_taken_but_tells_no_edges_is_given_back(listen, buses, target, monkeypatch):
    error = LgpioError("no edges")  # it is kept, and keeps the line: no collection gives it back

    def deaf(_pin, _edges):
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(MockPin, "_set_edges", deaf)
        buttons = listen()
        assert "(no edges)" in buttons.health.trouble
    buttons._clock.now = 1.0
    assert mended(buttons).ok, "pins that had not been given back would be in use"
    press(buses, 4)
    assert target.next() == ("dial", 0, 1)


def test_no_pins_at_all_are_said_and_tried_again(listen, buses, clock, target):
    have = buses.pins
    buses.pins = refusing("the pins need lgpio; install pegboard with its extra: pip install 'pegboard[pi]'")
    buttons = listen()
    assert (buttons.health.ok, "install pegboard with its extra" in buttons.health.trouble) == (False, True)
    buses.pins = have
    clock.now = 1.0
    assert mended(buttons).ok
    press(buses, 27)
    assert target.next() == ("deal",)


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        (None, "there is no /dev/gpiochip0, so there are no pins; keys"),
        (0o000, "no permission for {chip}; add the user to the `gpio` group"),
        (0o600, "cannot open the pins (can not open gpiochip)"),
    ],
    ids=["missing", "not permitted", "broken"],
)
def test_pins_that_cannot_be_opened_are_said_with_the_remedy(tmp_path, monkeypatch, mode, sentence):
    chip = tmp_path / "gpiochip0"
    monkeypatch.setattr("os.access", lambda path, _: path.stat().st_mode & 0o600)  # root may do anything
    if mode is not None:
        chip.touch(mode)
    said = why_no_pins(RuntimeError("can not open gpiochip"), [chip] if mode is not None else [])
    assert sentence.format(chip=chip) in said


def refusing(sentence):
    def refuse():
        raise DeviceError(sentence)

    return refuse


def test_pin_of_another_program_of_ours_is_refused_with_the_remedy(listen, buses, target):
    listen()
    second = Buttons(Settings(), buses, target)
    second.start()
    assert "already in use" in second.health.trouble
    assert "stop whatever else uses them, or change them in [keys]" in second.health.trouble
    second.close()


# --- the notify thread ---


class Lgpio(types.SimpleNamespace):
    """lgpio as far as its one thread goes: one that dies when it is told to."""

    def __init__(self):
        super().__init__(closed=[], _callback_thread=self.thread)
        self._notify_thread = self.thread()

    def thread(self):
        end = threading.Event()
        thread = threading.Thread(target=end.wait, daemon=True)
        thread.end, thread._notify, thread._file = end, 7, os.fdopen(os.eventfd(0), "rb", buffering=0)
        thread.start()
        return thread

    def notify_close(self, handle):
        self.closed.append(handle)

    def die(self):
        self._notify_thread.end.set()
        self._notify_thread.join()


class LgpioPin(MockPin):
    """A pin whose edges come through the thread that lived when they were asked for; closed, it forgets nothing."""

    lgpio = None
    thread = None

    def close(self):
        self.function = "input"

    def _enable_event_detect(self):
        self.thread = self.lgpio._notify_thread

    def _disable_event_detect(self):
        self.thread = None

    def _call_when_changed(self):
        if self.thread is not None and self.thread.is_alive():
            super()._call_when_changed()


@pytest.fixture
def lgpio(monkeypatch, buses):
    """Simulated pins pass for lgpio's."""
    lgpio = Lgpio()
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    kind = type("LGPIOFactory", (MockFactory,), {"__module__": "gpiozero.pins.lgpio"})
    buses.key_pins.factory = kind(pin_class=type("Pin", (LgpioPin,), {"lgpio": lgpio}))
    yield lgpio
    lgpio.die()


def test_dead_notify_thread_gets_a_successor_and_every_key_is_heard_again(listen, buses, target, lgpio):
    buttons = listen()
    lgpio.die()
    press(buses, 4)
    assert target.done.empty()
    assert mended(buttons).ok
    assert lgpio.closed == [7]
    press(buses, 4)
    assert target.next() == ("dial", 0, 1)


def test_key_down_when_the_notify_thread_died_does_not_stay_down(listen, buses, target, lgpio):
    buttons = listen(undo_hold_s=0.5)
    buses.key_pins.press(26)
    lgpio.die()
    buses.key_pins.release(26)
    assert mended(buttons).ok
    press(buses, 27)
    assert target.next() == ("deal",)


def test_notify_thread_that_cannot_be_had_again_is_said_with_the_remedy(listen, buses, lgpio, target):
    buttons = listen()
    thread, lgpio._callback_thread = lgpio._callback_thread, None
    lgpio.die()
    assert mended(buttons).trouble == (
        "the keys cannot be read (the pin thread died and cannot be restarted: 'NoneType' object is not "
        "callable); restart pegboard"
    )
    lgpio._callback_thread = thread
    assert mended(buttons).ok, "and it is retried"
    press(buses, 27)
    assert target.next() == ("deal",)


def test_pins_of_others_have_no_notify_thread():
    assert edge_thread_of(MockFactory()) is None
