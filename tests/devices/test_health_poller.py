"""What inputs say of themselves: asked in a thread of their own, kept, and missed when it does not come."""

import threading
from dataclasses import replace

import pytest

from pegboard.devices.health import Health, HealthPoller, printable

WELL = Health("bell", "at the door")
ILL = replace(WELL, ok=False, trouble="the clapper is gone", errors=1)


class Bell:
    name = "bell"


class Clock:
    now_s = 0.0

    def __call__(self):
        return self.now_s


def asked(given, clock=lambda: 0.0):
    return HealthPoller(given, given.name, clock, wall=lambda: 1000.0)


def test_input_that_says_nothing_is_well():
    bell = asked(Bell())
    assert bell.health == Health("bell", "")
    bell.poll()
    assert bell.health == Health("bell", "")


def test_input_is_as_it_said_when_it_was_asked_last():
    given = Bell()
    given.health = ILL
    bell = asked(given)
    bell.poll()
    given.health = WELL
    assert bell.health == ILL, "whoever looks asks nobody"
    bell.poll()
    assert bell.health == WELL


def test_input_mends_what_it_can_before_it_says_how_it_is():
    class Mending(Bell):
        health = ILL

        def mend(self):
            self.health = WELL

    bell = asked(Mending())
    bell.poll()
    assert bell.health == WELL


@pytest.mark.parametrize("what", ["mend", "health"])
def test_input_that_raises_when_it_is_asked_is_not_well(what):
    def gone(*_):
        raise OSError("gone")

    own = {"mend": gone} if what == "mend" else {"health": property(gone)}
    bell = asked(type("Broken", (Bell,), own)())
    for _ in range(2):
        bell.poll()
    assert bell.health == Health("bell", "", False, 1000.0, "gone", retries=1, errors=2)


@pytest.fixture
def stone():
    """An input that does not answer until it is freed."""

    class Stone(Bell):
        name = "stone"
        free, asked = threading.Event(), threading.Event()

        @property
        def health(self):
            self.asked.set()
            self.free.wait(60)
            return WELL

    given = Stone()
    yield given
    given.free.set()


def test_input_that_does_not_answer_is_named_with_since_when_and_well_again_when_it_answers(stone):
    clock = Clock()
    silent = asked(stone, clock)
    thread = threading.Thread(target=silent.poll)
    thread.start()
    assert stone.asked.wait(60)
    clock.now_s = 2.9
    assert silent.health.ok, "it is merely slow"
    seen = []
    for clock.now_s in (3.0, 600.0):
        seen.append(silent.health)
    assert seen[0] == seen[1], "the same words as long as it does not answer"
    assert (seen[0].ok, seen[0].failing_since, seen[0].retries, seen[0].errors) == (False, 1000.0, 0, 1)
    assert seen[0].trouble.startswith("no status for 3 seconds")
    stone.free.set()
    thread.join(60)
    assert silent.health == replace(WELL, name="stone")


def test_thread_asks_takes_notice_and_ends(stone):
    noticed = threading.Event()
    silent = asked(stone)
    silent.start(noticed.set)
    assert stone.asked.wait(60)
    assert not noticed.is_set()
    stone.free.set()
    assert noticed.wait(60)
    silent.stop()
    ends = [thread for thread in threading.enumerate() if thread.name == "poll stone"]
    for thread in ends:
        thread.join(60)
        assert not thread.is_alive()


def test_words_of_a_device_hold_no_control_characters():
    assert printable("\x1b[31mred\x07\n alert\u202e") == "[31mred alert"
