"""How often pictures go out, told the time by the test; and what a slow viewer is told."""

from collections.abc import Callable

from web.events import Channel, Pace, Viewer


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


def paced() -> tuple[Pace, Clock, list[float]]:
    clock, out = Clock(), []
    return Pace(lambda: out.append(clock.now), lambda: clock.now, clock.later), clock, out


def test_the_first_goes_out_at_once():
    pace, _, out = paced()
    pace.ask()
    assert out == [100.0]


def test_at_most_twenty_go_out_in_any_second_and_the_last_always_does():
    pace, clock, out = paced()
    for step in range(3000):
        clock.pass_to(100 + step / 1000)
        pace.ask()
    clock.pass_to(104.0)
    assert 18 <= max(sum(begin <= at < begin + 1 for at in out) for begin in out) <= 20
    assert out[-1] > 102.999


def test_one_more_follows_at_once():
    pace, clock, out = paced()
    pace.ask()
    clock.pass_to(100.003)
    pace.ask()
    clock.pass_to(100.006)
    pace.ask()
    clock.pass_to(100.1)
    pace.ask()
    assert out[:2] == [100.0, 100.003]
    assert len(out) == 3
    clock.pass_to(101.0)
    assert len(out) == 4


def test_what_is_urgent_waits_for_nothing():
    pace, clock, out = paced()
    for _ in range(3):
        pace.ask()
    clock.pass_to(100.001)
    pace.ask(urgent=True)
    clock.pass_to(101.0)
    assert out == [100.0, 100.0, 100.001]


def test_after_many_urgent_ones_the_rest_keep_the_pace_and_no_worse():
    pace, clock, out = paced()
    for _ in range(50):
        pace.ask(urgent=True)
    clock.pass_to(100.01)
    pace.ask()
    clock.pass_to(100.049)
    assert len(out) == 50
    clock.pass_to(100.06)
    assert len(out) == 51


def test_nothing_goes_out_after_the_stop():
    pace, clock, out = paced()
    for _ in range(3):
        pace.ask()
    pace.stop()
    clock.pass_to(200.0)
    assert out == [100.0, 100.0]


def test_a_slow_viewer_is_told_the_newest_only():
    state, heart = Channel(), Channel()
    viewer = Viewer("", {state: 0, heart: 0})
    for message in (b"one ", b"two ", b"three "):
        state.say(message)
    heart.say(b"beat ")
    assert viewer.news() == b"three beat "
    assert viewer.news() == b""
