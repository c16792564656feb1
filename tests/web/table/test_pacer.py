"""The pace of events, with the clock of the test; and which messages a slow viewer gets."""

from collections.abc import Callable

import pytest

from web.http.viewers import Channel, Pacer, Viewer


class Clock:
    """A loop's clock and its timers."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def later(self, seconds: float, call: Callable[[], None]) -> "Clock.Timer":
        timer = Clock.Timer(self, self.now + seconds, call)
        self.timers.append((timer.at, timer.fire))
        return timer

    def pass_to(self, moment: float) -> None:
        self.now = moment
        due, self.timers = (
            [t for t in self.timers if t[0] <= moment + 1e-9],
            [t for t in self.timers if t[0] > moment + 1e-9],
        )
        for _, call in due:
            call()

    class Timer:
        def __init__(self, clock: "Clock", at: float, call: Callable[[], None]) -> None:
            self.clock, self.at, self.call, self.is_on = clock, at, call, True

        def cancel(self) -> None:
            self.is_on = False

        def fire(self) -> None:
            if self.is_on:
                self.call()


def paced() -> tuple[Pacer, Clock, list[float]]:
    clock, out = Clock(), []
    return Pacer(lambda: out.append(clock.now), lambda: clock.now, clock.later), clock, out


def test_the_first_goes_out_at_once():
    pace, _, out = paced()
    pace.request()
    assert out == [100.0]


def test_at_most_twenty_go_out_in_any_second_and_the_last_always_does():
    pace, clock, out = paced()
    for step in range(3000):
        clock.pass_to(100 + step / 1000)
        pace.request()
    clock.pass_to(104.0)
    assert 18 <= max(sum(begin <= at < begin + 1 for at in out) for begin in out) <= 20
    assert out[-1] > 102.999


def test_one_more_follows_at_once():
    pace, clock, out = paced()
    pace.request()
    clock.pass_to(100.003)
    pace.request()
    clock.pass_to(100.006)
    pace.request()
    clock.pass_to(100.1)
    pace.request()
    assert out[:2] == [100.0, 100.003]
    assert len(out) == 3
    clock.pass_to(101.0)
    assert len(out) == 4


def test_what_is_urgent_waits_for_nothing():
    pace, clock, out = paced()
    for _ in range(3):
        pace.request()
    clock.pass_to(100.001)
    pace.request(urgent=True)
    clock.pass_to(101.0)
    assert out == [100.0, 100.0, 100.001]


def test_after_many_urgent_ones_the_rest_keep_the_pace_and_no_worse():
    pace, clock, out = paced()
    for _ in range(50):
        pace.request(urgent=True)
    clock.pass_to(100.01)
    pace.request()
    clock.pass_to(100.049)
    assert len(out) == 50
    clock.pass_to(100.06)
    assert len(out) == 51


def test_nothing_goes_out_after_the_stop():
    pace, clock, out = paced()
    for _ in range(3):
        pace.request()
    pace.stop()
    clock.pass_to(200.0)
    assert out == [100.0, 100.0]


class Line:
    """A peer that takes chunks, until it is full."""

    def __init__(self):
        self.took, self.is_full = [], False

    def __call__(self, chunk):
        if not self.is_full:
            self.took.append(chunk)
        return not self.is_full


def test_a_slow_viewer_is_told_the_newest_only():
    state, heart = Channel(), Channel()
    viewer = Viewer("", "", {state: 0, heart: 0})
    for message in (b"one ", b"two ", b"three "):
        state.publish(message)
    heart.publish(b"beat ")
    assert viewer.collect() == b"three beat "
    assert viewer.collect() == b""


def test_a_viewer_that_rests_has_each_message_at_once_and_once():
    state, line = Channel(), Line()
    viewer = Viewer("", "", {state: 0}, line)
    viewer.is_idle = True
    for message in (b"one", b"twelve letters"):
        state.publish(message)
        viewer.notify(state)
    assert line.took == [b"3\r\none\r\n", b"e\r\ntwelve letters\r\n"]
    assert (viewer.collect(), viewer.wake.is_set()) == (b"", False)


@pytest.mark.parametrize("why", ["it is full", "it is being told", "it has been woken", "it takes no chunks"])
def test_a_viewer_that_cannot_have_it_at_once_is_woken_for_the_newest(why):
    state, line = Channel(), Line()
    viewer = Viewer("", "", {state: 0}, None if why == "it takes no chunks" else line)
    viewer.is_idle = why != "it is being told"
    line.is_full = why == "it is full"
    if why == "it has been woken":
        viewer.wake.set()
    for message in (b"one", b"two"):
        state.publish(message)
        viewer.notify(state)
        line.is_full = False  # what came before goes first
    assert line.took == []
    assert viewer.wake.is_set()
    assert viewer.collect() == b"two"


def test_a_viewer_is_told_nothing_it_did_not_ask_for():
    state, bench, line = Channel(), Channel(), Line()
    viewer = Viewer("", "", {state: 0}, line)
    viewer.is_idle = True
    bench.publish(b"picture")
    viewer.notify(bench)
    assert (line.took, viewer.wake.is_set()) == ([], False)
