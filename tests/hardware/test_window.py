"""A window's supervision of its display, with errors injected and the clock passed in."""

import threading

import pytest

from hardware.window import Window
from pegboard.config import Settings
from pegboard.core.view import View


class Panel:
    """A display that does what the test says."""

    name, about, refresh_s = "panel", "on the test's wire", None
    made = 0
    closed = 0
    trouble: Exception | None = None
    shown: list[View]

    def __init__(self, _settings, _wires):
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
def window(kind):
    return Window(kind, Settings(), None)


def views(count):
    return [View(revision=n) for n in range(count)]


def test_newest_view_is_shown_and_older_ones_skipped(kind, window):
    for view in views(3):
        window.wake(view)
    assert window.turn(0, 0) is None
    assert [view.revision for view in kind.shown] == [2]


def test_view_that_is_shown_is_not_shown_again(kind, window):
    window.wake(View())
    window.turn(0, 0)
    window.turn(1, 1)
    assert len(kind.shown) == 1


def test_display_that_asks_for_it_is_refreshed(kind, window):
    kind.refresh_s = 5.0
    window.wake(View())
    assert window.turn(100, 0) == 5
    assert window.turn(104, 0) == 1
    assert window.turn(105, 0) == 5
    assert len(kind.shown) == 2


def test_patience_doubles_up_to_half_a_minute(kind, window):
    kind.trouble = OSError(121, "Remote I/O error")
    window.wake(View())
    now, waits = 0.0, []
    for _ in range(8):
        waits.append(window.turn(now, now))
        now += waits[-1]
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]
    assert window.health.retries == 7


def test_news_does_not_shorten_the_patience(kind, window):
    kind.trouble = OSError(5, "Input/output error")
    window.wake(View())
    window.turn(0, 0)
    window.wake(View(revision=1))
    assert window.turn(0.25, 0) == 0.75
    assert window.health.errors == 1


def test_each_retry_is_made_with_a_new_object_and_the_old_one_is_closed(kind, window):
    kind.trouble = OSError(121, "Remote I/O error")
    window.wake(View())
    window.turn(0, 0)
    window.turn(1, 1)
    assert (kind.made, kind.closed) == (3, 2)


def test_display_that_comes_back_shows_the_newest_view(kind, window):
    first, second = views(2)
    window.wake(first)
    window.turn(0, 1000)
    kind.trouble = OSError(121, "Remote I/O error")
    window.wake(second)
    window.turn(10, 1010)
    assert window.health.failing_since == 1010
    kind.trouble = None
    assert window.turn(11, 1011) is None
    assert [view.revision for view in kind.shown] == [0, 1]
    assert (window.health.ok, window.health.failing_since, window.health.retries) == (True, None, 0)
    assert window.health.trouble == "no answer: Remote I/O error", "the last error stays to be read"


def test_patience_is_short_again_after_a_success(kind, window):
    kind.trouble = OSError(5, "Input/output error")
    window.wake(View())
    window.turn(0, 0)
    window.turn(1, 0)
    kind.trouble = None
    window.turn(3, 0)
    kind.trouble = OSError(5, "Input/output error")
    window.wake(View(revision=1))
    assert window.turn(10, 0) == 1


def test_any_exception_of_a_strangers_display_is_survived(kind, window):
    kind.trouble = ZeroDivisionError()
    window.wake(View())
    window.turn(0, 0)
    assert window.health.trouble == "ZeroDivisionError"


def test_watchers_are_told_of_each_try(kind, window):
    told = []
    leave = window.watch(lambda: told.append(window.health.frames))
    window.wake(View())
    window.turn(0, 0)
    leave()
    window.wake(View(revision=1))
    window.turn(1, 0)
    assert told == [1]


def test_thread_shows_what_the_feed_brings_and_ends(kind):
    class Feed:
        def follow(self, follower, *, first=False):
            assert first
            self.publish = follower
            return lambda: setattr(self, "publish", None)

    seen = threading.Event()
    kind.show = lambda _self, view: seen.set() if view.revision == 7 else None
    window, feed = Window(kind, Settings(), None), Feed()
    window.start(feed, View())
    feed.publish(View(revision=7))
    assert seen.wait(2)
    window.close()
    assert feed.publish is None
    assert "window panel" not in [thread.name for thread in threading.enumerate()]
    assert kind.closed == 1
