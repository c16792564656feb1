"""The supervision of a display by its thread, with errors injected and the clock passed in."""

import threading

import luma.core.error
import pytest

from hardware import display_thread as display_thread_module
from hardware.display_thread import CLOSE_S, DisplayThread, close_all
from pegboard.config import Settings
from pegboard.core.view import Device, View
from pegboard.errors import DeviceError
from pegboard.feed import Feed


class Panel:
    """A display that does what the test says."""

    name, about, refresh_s = "panel", "on the test's wire", None
    made = 0
    closed = 0
    trouble: Exception | None = None
    shown: list[View]

    def __init__(self, _settings, _buses):
        type(self).made += 1

    def show(self, view):
        if self.trouble:
            raise self.trouble
        self.shown.append(view)

    def close(self):
        type(self).closed += 1


@pytest.fixture
def kind():
    return type("Panel", (Panel,), {"shown": []})


@pytest.fixture
def display_thread(kind):
    return DisplayThread(kind, Settings(), None)


def views(count):
    return [View(revision=n) for n in range(count)]


def test_newest_view_is_shown_and_older_ones_skipped(kind, display_thread):
    for view in views(3):
        display_thread.wake(view)
    assert display_thread.run_once(0, 0) is None
    assert [view.revision for view in kind.shown] == [2]


def test_view_that_is_shown_is_not_shown_again(kind, display_thread):
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    display_thread.run_once(1, 1)
    assert len(kind.shown) == 1


def test_display_that_asks_for_it_is_refreshed(kind, display_thread):
    kind.refresh_s = 5.0
    display_thread.wake(View())
    assert display_thread.run_once(100, 0) == 5
    assert display_thread.run_once(104, 0) == 1
    assert display_thread.run_once(105, 0) == 5
    assert len(kind.shown) == 2


def test_retry_delay_doubles_up_to_half_a_minute(kind, display_thread):
    kind.trouble = OSError(121, "Remote I/O error")
    display_thread.wake(View())
    now, waits = 0.0, []
    for _ in range(8):
        waits.append(display_thread.run_once(now, now))
        now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]
    assert display_thread.health.retries == 7


def test_news_does_not_shorten_the_retry_delay(kind, display_thread):
    kind.trouble = OSError(5, "Input/output error")
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    display_thread.wake(View(revision=1))
    assert display_thread.run_once(0.25, 0) == 0.75
    assert display_thread.health.errors == 1


def test_each_retry_is_made_with_a_new_object_and_the_old_one_is_closed(kind, display_thread):
    kind.trouble = OSError(121, "Remote I/O error")
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    display_thread.run_once(1, 1)
    assert (kind.made, kind.closed) == (2, 2)


def test_display_that_comes_back_shows_the_newest_view(kind, display_thread):
    first, second = views(2)
    display_thread.wake(first)
    display_thread.run_once(0, 1000)
    kind.trouble = OSError(121, "Remote I/O error")
    display_thread.wake(second)
    display_thread.run_once(10, 1010)
    assert display_thread.health.failing_since == 1010
    kind.trouble = None
    assert display_thread.run_once(11, 1011) is None
    assert [view.revision for view in kind.shown] == [0, 1]
    assert (display_thread.health.ok, display_thread.health.failing_since, display_thread.health.retries) == (
        True,
        None,
        0,
    )
    assert display_thread.health.trouble == "no answer: Remote I/O error", "the last error stays to be read"


def test_retry_delay_is_short_again_after_a_success(kind, display_thread):
    kind.trouble = OSError(5, "Input/output error")
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    display_thread.run_once(1, 0)
    kind.trouble = None
    display_thread.run_once(3, 0)
    kind.trouble = OSError(5, "Input/output error")
    display_thread.wake(View(revision=1))
    assert display_thread.run_once(10, 0) == 1


def test_any_exception_of_a_strangers_display_is_survived(kind, display_thread):
    kind.trouble = ZeroDivisionError()
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    assert display_thread.health.trouble == "ZeroDivisionError"


def test_watchers_are_told_of_each_try(kind, display_thread):
    told = []
    display_thread.add_watcher(lambda: told.append(display_thread.health.frames))
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    display_thread.wake(View(revision=1))
    display_thread.run_once(1, 0)
    assert told == [1, 2]


def test_watcher_that_raises_costs_no_view(kind, display_thread):
    display_thread.add_watcher(lambda: 1 / 0)
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    display_thread.wake(View(revision=1))
    display_thread.run_once(1, 0)
    assert len(kind.shown) == 2


def test_display_that_cannot_be_made_again_is_tried_again(kind, display_thread):
    kind.trouble = OSError(121, "Remote I/O error")
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    kind.trouble, begins = None, kind.__init__
    kind.__init__ = lambda *_: 1 / 0
    assert display_thread.run_once(1, 0) == 2
    assert display_thread.health.trouble == "division by zero"
    kind.__init__ = begins
    display_thread.run_once(3, 0)
    assert display_thread.health.ok
    assert kind.shown


def test_display_that_wants_to_be_refreshed_at_once_is_not_forgotten(kind, display_thread):
    kind.refresh_s = 0.0
    display_thread.wake(View())
    assert 0 < display_thread.run_once(100, 0) < 0.1


@pytest.mark.parametrize("nonsense", ["5", "soon", float("nan"), object()])
def test_display_that_wants_to_be_refreshed_at_no_time_is_told_so(kind, display_thread, nonsense):
    kind.refresh_s = nonsense
    display_thread.wake(View())
    assert display_thread.run_once(100, 0) == 1, "it is retried"
    assert not display_thread.health.ok
    assert display_thread.health.trouble.startswith("the display's refresh_s must be a number of seconds, not ")
    kind.refresh_s = 5.0
    assert display_thread.run_once(101, 0) == 5


@pytest.mark.parametrize("end", [float("inf"), 10**400])
def test_display_that_wants_to_be_refreshed_at_the_end_of_the_world_sleeps_no_longer_than_a_thread_can(
    kind, display_thread, end
):
    kind.refresh_s = end
    display_thread.wake(View())
    assert display_thread.run_once(100, 0) < threading.TIMEOUT_MAX
    assert display_thread.health.ok


def test_display_that_cannot_say_where_it_hangs_is_tried_again(kind, display_thread):
    kind.about = property(lambda _: 1 / 0)
    display_thread._display = kind(None, None)
    display_thread.wake(View())
    assert display_thread.run_once(0, 0) == 1
    assert display_thread.health.trouble == "division by zero"


def test_display_is_not_shown_its_own_trouble_once_it_can_show_it(kind, display_thread):
    display_thread.wake(View(devices=(Device("panel", "no answer"), Device("strip", "no answer"))))
    display_thread.run_once(0, 0)
    assert kind.shown[0].devices == (Device("panel", None), Device("strip", "no answer"))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(121, "Remote I/O error"), "no answer: Remote I/O error"),
        (OSError(110, "Connection timed out"), "the bus is stuck: a device holds a line low"),
        (luma.core.error.DeviceNotFoundError("I2C device not found on address: 0x3C"), "no answer: I2C device not fou"),
        (RuntimeError("the fan is off"), "the fan is off"),
    ],
)
def test_errors_are_said_in_words(kind, display_thread, error, words):
    kind.trouble = error
    display_thread.wake(View())
    display_thread.run_once(0, 0)
    assert display_thread.health.trouble.startswith(words)


# --- a write that hangs --------------------------------------------------------------------------------------------


class Hanging:
    """A display whose writes do not come back until they are let go, and a clock that a test turns."""

    name, about, refresh_s = "panel", "on the test's wire", None

    def __init__(self):
        self.now_s = 0.0
        self.free, self.entered = threading.Event(), threading.Semaphore(0)
        self.shown, self.error = [], None

    def show(self, view):
        self.entered.release()
        self.free.wait(60)
        if self.error:
            raise self.error
        self.shown.append(view.revision)

    def close(self):
        pass


@pytest.fixture
def hanging():
    return Hanging()


@pytest.fixture
def hung(hanging):
    """A display thread whose display hangs in a thread of its own; at the end it is let go."""
    display_thread = DisplayThread(lambda *_: hanging, Settings(), None, clock=lambda: hanging.now_s)
    display_thread.wake(View())
    thread = threading.Thread(target=lambda: display_thread.run_once(0, 1000))
    thread.start()
    assert hanging.entered.acquire(timeout=60)
    yield display_thread, thread
    hanging.free.set()
    thread.join(60)


def test_write_that_is_merely_slow_is_no_trouble(hanging, hung):
    display_thread, _ = hung
    hanging.now_s = 2.9
    assert display_thread.health.ok


def test_display_that_takes_long_is_not_called_hanging_before(hanging):
    hanging.patience_s = 30
    display_thread = DisplayThread(lambda *_: hanging, Settings(), None, clock=lambda: hanging.now_s)
    display_thread.wake(View())
    thread = threading.Thread(target=lambda: display_thread.run_once(0, 1000))
    thread.start()
    assert hanging.entered.acquire(timeout=60)
    seen = []
    for hanging.now_s in (29.9, 30.0):
        seen.append((display_thread.health.ok, display_thread.current_span() is None))
    assert seen == [(True, True), (False, False)]
    assert display_thread.health.trouble.startswith("a write has been stuck for 30 seconds")
    hanging.free.set()
    thread.join(60)


@pytest.mark.parametrize("nonsense", ["long", None, float("nan")])
def test_patience_that_is_no_number_is_refused(kind, nonsense):
    kind.patience_s = nonsense
    with pytest.raises(DeviceError, match="the display's patience_s must be a number of seconds, not "):
        DisplayThread(kind, Settings(), None)


def test_trouble_of_a_display_alone_redraws_others_and_not_itself(kind, display_thread):
    well, slow = Device("panel", None), Device("panel", "a write has not come back")
    game = View().game
    for devices in ((well,), (slow,), (well,), (slow, Device("strip", "gone")), (well, Device("strip", "gone"))):
        display_thread.wake(View(game, devices=devices))
        display_thread.run_once(0, 0)
    assert [view.devices for view in kind.shown] == [(well,), (well, Device("strip", "gone"))]


def test_write_that_hangs_is_named_with_when_it_began(hanging, hung):
    display_thread, _ = hung
    seen = []
    for hanging.now_s in (3.0, 4.0, 600.0):
        seen.append(display_thread.health)
    assert len(set(seen)) == 1, "the same words as long as it hangs"
    assert (seen[0].ok, seen[0].failing_since, seen[0].errors) == (False, 1000, 1)
    assert seen[0].trouble.startswith("a write has been stuck for 3 seconds")


def test_write_that_comes_back_at_last_goes_on_with_the_newest_view(hanging, hung):
    display_thread, thread = hung
    for view in views(9):
        display_thread.wake(view)
    hanging.now_s = 60.0
    hanging.free.set()
    thread.join(60)
    assert (display_thread.health.ok, display_thread.health.failing_since, display_thread.health.errors) == (
        True,
        None,
        1,
    )
    assert display_thread.health.trouble.startswith("a write has been stuck"), "the last trouble stays to be read"
    display_thread.run_once(60, 1060)
    assert hanging.shown == [0, 8]


def test_write_that_comes_back_with_an_error_has_failed_since_it_began_to_hang(hanging, hung):
    display_thread, thread = hung
    hanging.now_s, hanging.error = 60.0, OSError(110, "Connection timed out")
    hanging.free.set()
    thread.join(60)
    assert (display_thread.health.ok, display_thread.health.failing_since) == (False, 1000)
    assert display_thread.health.trouble.startswith("the bus is stuck")


def test_closing_does_not_wait_for_a_write_that_hangs(hanging):
    display_thread = DisplayThread(lambda *_: hanging, Settings(), None)
    display_thread.start(Feed())
    assert hanging.entered.acquire(timeout=60)
    display_thread.stop()
    display_thread.close(0.05)
    assert display_thread._thread.is_alive(), "it still hangs"
    hanging.free.set()
    display_thread.close(60)


# --- the thread ----------------------------------------------------------------------------------------------------


def test_all_that_hang_are_waited_for_together(monkeypatch):
    """On a clock on which each wait takes the whole of its time."""
    clock = [0.0]
    monkeypatch.setattr(display_thread_module.time, "monotonic", lambda: clock[0])

    class Hanging:
        def stop(self):
            pass

        def close(self, timeout_s=CLOSE_S):
            clock[0] += max(0.0, timeout_s)

    close_all([Hanging(), Hanging(), Hanging()])
    assert clock[0] <= CLOSE_S


def test_thread_shows_what_the_feed_brings_and_ends(kind):
    seen = threading.Event()
    kind.show = lambda _self, view: seen.set() if view.revision == 7 else None
    display_thread, feed = DisplayThread(kind, Settings(), None), Feed()
    display_thread.start(feed)
    feed.publish(View(revision=7))
    assert seen.wait(60)
    display_thread.close()
    assert feed._followers == ()
    assert "display panel" not in [thread.name for thread in threading.enumerate()]
    assert kind.closed == 1


class Meanwhile(Feed):
    """A feed on which another thread publishes a newer view at one moment of a display thread's start."""

    def __init__(self, moment):
        super().__init__()
        self.moment = moment
        super().publish(View(revision=1))

    def pass_by(self, moment):
        if moment == self.moment:
            self.moment = None
            self.publish(View(revision=2))

    @property
    def view(self):
        self.pass_by("before it is read")
        view = self._view
        self.pass_by("after it is read")
        return view

    def follow(self, follower, *, first=False):
        self.pass_by("before it is followed")
        leave = super().follow(follower, first=first)
        self.pass_by("after it is followed")
        return leave


@pytest.mark.parametrize(
    "moment", ["before it is followed", "after it is followed", "before it is read", "after it is read", None]
)
def test_view_published_while_the_thread_starts_is_the_one_that_is_shown(kind, display_thread, moment, monkeypatch):
    monkeypatch.setattr(display_thread._thread, "start", lambda: None)
    display_thread.start(Meanwhile(moment))
    display_thread.run_once(0, 0)
    assert [view.revision for view in kind.shown] == [2 if moment else 1]
