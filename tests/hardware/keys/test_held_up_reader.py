"""Whatever holds up the threads that read the keys, a press counts once: edges count by their own times."""

import queue
import threading
from collections import Counter
from types import SimpleNamespace

import pytest

from hardware.buses.gpiod_edges import EdgeThread
from hardware.key_roles_and_actions import AddKey
from hardware.keys.debounce import Timing
from hardware.keys.machine import KeyMachine
from hardware.keys.thread import KeyThread
from tests.support.contact_bounce import MS
from tests.support.long_runs import some_of
from tests.support.real_time_keys import pressed_under_hold_ups


class Target:
    """Counts what is dialled."""

    def __init__(self):
        self.dialled, self.pegged = Counter(), 0

    def dial(self, lane, points):
        self.dialled[lane, points] += 1

    def peg(self, _lane):
        self.pegged += 1

    def __getattr__(self, _verb):
        return lambda *_: True


class Line:
    """The line of a key with what the kernel has queued of it, for a thread that is moved on by hand."""

    def __init__(self):
        self.now, self.queue, self.level = 0, [], False
        self.on_read = None
        self.target = Target()
        self.machine = KeyMachine({"a1": AddKey(0, 1)}, Timing())
        self.thread = KeyThread("keys", self.machine, self.target, self, lambda: self.now)

    def move(self, at_ms, *, down, is_queued=True):
        """The line moves, and its edge waits in the queue, or is lost."""
        self.now, self.level = at_ms * MS, down
        if is_queued:
            self.queue.append((at_ms / 1e3, down))

    def deliver_edges(self):
        for at_s, down in self.queue:
            self.thread.post_edge("a1", down=down, at_s=at_s)
        self.queue.clear()
        return True

    def is_down(self, _key):
        moves, self.on_read = self.on_read, None
        if moves:
            moves()
        return self.level

    def run(self, until_ms):
        """The thread runs without being held up until then."""
        self.deliver_edges()
        while True:
            due = self.machine.deadline()
            if self.thread._events.empty() and (due is None or due > until_ms * MS):
                break
            if self.thread._events.empty():
                self.now = max(self.now, due)
            self.thread._dispatch_all(self.thread._next_event(0.0)())
        self.now = until_ms * MS

    def run_late(self, at_ms):
        """The thread runs again only then; what has been meanwhile is in the queue."""
        self.now = at_ms * MS
        thread = self.thread
        while thread._is_polling or not thread._events.empty() or (self.machine.deadline() or self.now + 1) <= self.now:
            thread._dispatch_all(thread._next_event(0.0)())


def test_bounce_that_is_still_in_the_kernels_queue_is_no_press():
    """Pressed, let go at 1100 ms; the contact closes at 1101 ms, and its opening at 1102 ms is not read yet."""
    line = Line()
    for at_ms, down in ((1000, True), (1100, False), (1101, True)):
        line.move(at_ms, down=down)
        line.run(at_ms)
    line.move(1102, down=False)
    line.run_late(1191)
    line.run(1300)
    assert line.target.dialled == {(0, 1): 1}


def test_press_is_not_held_whose_release_is_still_in_the_queue():
    """A key that is held pegs at once; this one was let go in time, and pressed again."""
    line = Line()
    line.move(1000, down=True)
    line.run(1001)
    line.move(1700, down=False)
    line.move(1790, down=True)
    line.run_late(1810)
    assert line.target.dialled == {(0, 1): 2}
    assert line.target.pegged == 0


def test_silence_is_not_over_where_a_press_is_still_in_the_queue():
    line = Line()
    line.move(1000, down=True)
    line.move(1100, down=False)
    line.run(1101)
    line.move(2250, down=True)
    line.move(2310, down=False)
    line.run_late(2400)
    assert (line.target.dialled, line.target.pegged) == ({(0, 1): 2}, 0)
    line.run(4000)
    assert line.target.pegged == 1


def test_level_whose_edge_is_lost_counts_when_none_has_come_for_long():
    line = Line()
    line.move(1000, down=True)
    line.run(1001)
    line.move(1300, down=False, is_queued=False)
    line.now = 1800 * MS
    with pytest.raises(queue.Empty):
        line.thread._due_event()
    assert line.machine.levels == {"a1": True}
    line.now = 1861 * MS
    line.thread._dispatch_all(line.thread._due_event()())
    assert line.machine.levels == {"a1": False}


@pytest.mark.parametrize("bounces", [[], [(1101, False), (1102, True)]], ids=["clean", "bouncing"])
def test_press_that_is_polled_while_its_edges_are_on_their_way_counts_once(bounces):
    """The interpreter is held up after the clock was read; meanwhile the key is pressed."""
    line = Line()
    line.now = 1000 * MS
    line.on_read = lambda: [line.move(at_ms, down=down) for at_ms, down in [(1100, True), *bounces]]
    line.thread.poll_levels()
    line.run_late(1000)
    line.run(1300)
    assert line.target.dialled == {(0, 1): 1}


def test_edges_of_a_line_wait_for_earlier_ones_of_another(monkeypatch):
    """An edge that is read while another line, which was read before, moves earlier."""
    now, told = [0], []
    edges = EdgeThread(threading.Lock(), lambda: now[0])
    monkeypatch.setattr(edges, "_epoll", SimpleNamespace(poll=lambda _: [(1, 1), (2, 1)], closed=False))
    batches = {1: [[], [10]], 2: [[20], []]}
    monkeypatch.setattr(edges, "_read", lambda fd: [(at, told.append, at) for at in batches[fd].pop(0)])
    now[0] = 15
    assert edges._deliver_until(15)
    assert not edges._deliver_until(25)
    assert told == [10, 20]


ENOUGH_KEYS = 2
"""Keys none of whose strokes this machine has torn apart by lateness, of all runs together."""


@pytest.mark.long
def test_each_press_counts_once_however_the_interpreter_is_held_up():
    number, undisturbed = some_of(1200, 60), 0
    for seed in range(3, 9):  # how often a key is late is this machine's, so runs are added up
        dialled, torn = pressed_under_hold_ups(number, most_ms=500, seed=seed)
        sound = [key for key in dialled if not torn[key]]
        assert [dialled[key] for key in sound] == [number] * len(sound)
        undisturbed += len(sound)
        if undisturbed >= ENOUGH_KEYS:
            return
    pytest.fail("this machine was too busy for real time")
