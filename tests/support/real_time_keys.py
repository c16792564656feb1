"""Keys whose contacts bounce in real time: another process moves lines and queues their edges, as a kernel does.

Whatever holds up the process under test, the lines move on: each edge lies in the queue of its line, with the time at
which it was, and the level of a line is what it is now.
"""

import ctypes
import mmap
import multiprocessing
import os
import random
import struct
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from unittest import mock

from hardware.buses.gpiod_pin_factory import GpiodFactory
from hardware.keys.buttons import Buttons
from hardware.pin_assignment import wired_keys
from pegboard.config import Settings
from tests.support.contact_bounce import MS, presses
from tests.support.fake_gpiod import Gpiod, Request

EDGE = struct.Struct("qq")
"""An edge in the queue of a line: its time in nanoseconds of the steady clock, and whether the key is down after it."""

LATE = 4 * MS
"""A bounce that the machine running the tests delays by more is a press of its own for who goes by times."""

PI_4 = 0xC03111
"""The revision of a Pi whose header has all the pins."""

PLANNED_S = 0.2
"""Seconds until the first edge."""


class KernelLine(Request):
    """A line whose edges and level come from the other process; a key pulls it down."""

    def __init__(self, gpiod, settings, fd, levels, number):
        super().__init__(gpiod, settings)
        os.close(self.fd)
        os.close(self.end)
        self.fd, self._levels, self._number = fd, levels, number

    def get_value(self, _):
        return not self._levels[self._number]

    def read_edge_events(self):
        read = EDGE.iter_unpack(os.read(self.fd, 128 * EDGE.size))
        return [SimpleNamespace(event_type=self._type(down), Type=self.Type, timestamp_ns=at) for at, down in read]

    def _type(self, down):
        return self.Type["FALLING_EDGE" if down else "RISING_EDGE"]


class KernelGpiod(Gpiod):
    """gpiod, with a line of the other process's for each key."""

    def __init__(self, pins):
        super().__init__()
        self.levels = mmap.mmap(-1, len(pins))
        self.pipes = {pin: os.pipe() for pin in pins}

    def request(self, config, _consumer, _kept):
        ((pin, settings),) = config.items()
        number = list(self.pipes).index(pin)
        self.taken[pin] = KernelLine(self, settings, self.pipes[pin][0], self.levels, number)
        return self.taken[pin]


@contextmanager
def pressed(gpiod, number, seed):
    """Each key is pressed `number` times meanwhile; `join()` of what this gives waits, and returns `Fed`."""
    told, end = multiprocessing.Pipe(duplex=False)
    fork = multiprocessing.get_context("fork")
    fds = [write for _, write in gpiod.pipes.values()]
    feeder = fork.Process(target=_feed, args=(fds, gpiod.levels, number, seed, end), daemon=True)
    feeder.start()
    yield SimpleNamespace(join=told.recv, is_over=told.poll)
    feeder.join(60)


def _feed(fds, levels, number, seed, end):
    """Move the lines; send how often each key was pressed and how many of its strokes were torn apart by lateness."""
    with suppress(OSError):  # only root may; without it this machine may tear more strokes apart
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    dice = random.Random(seed)
    streams = [[edge for press in presses(dice, number) for edge in press.edges] for _ in fds]
    plan = sorted((at, key, down) for key, stream in enumerate(streams) for at, down in stream)
    edges = [[at for at, _ in stream] for stream in streams]
    torn, last, shift = [0] * len(fds), [0] * len(fds), time.monotonic_ns() + round(PLANNED_S * 1e9)
    for at, key, down in plan:
        if (wait := at + shift - time.monotonic_ns()) > 0:
            time.sleep(wait / 1e9)
        levels[key] = down
        now = time.monotonic_ns()
        os.write(fds[key], EDGE.pack(now, down))
        lateness = now - at - shift
        if lateness > LATE:
            for other, before in enumerate(last):  # the edges of all keys move, and bounces of any may be under way
                torn[other] += next((edge for edge in edges[other] if edge >= at), before + 25 * MS) - before < 25 * MS
            shift += lateness
        last[key] = at
    end.send(torn)


class HoldUps:
    """A thread that holds the interpreter again and again, as a call into C does."""

    def __init__(self, seed, most_ms):
        self._dice, self._most_ms, self._ends = random.Random(seed), most_ms, threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    def _run(self):
        usleep = ctypes.PyDLL(None).usleep  # PyDLL: without letting go of the interpreter
        while not self._ends.wait(self._dice.uniform(0.05, 0.4)):
            usleep(self._dice.randrange(1000, self._most_ms * 1000))


class Dialled(Counter):
    """A key target that counts what is dialled, by lane and points."""

    def dial(self, lane, points):
        self[lane, points] += 1

    def __getattr__(self, _verb):
        return lambda *_: True


def pressed_under_hold_ups(number, *, most_ms, seed):
    """Press each player's key `number` times while the interpreter is held up for up to `most_ms` again and again.

    Returns, by lane and points of the key, how often it was dialled, and how many of its strokes were torn apart.
    """
    settings, target = Settings(), Dialled()
    keys = {key.pin: (key.lane, key.points) for key in wired_keys(settings) if key.lane is not None}
    gpiod = KernelGpiod(keys)
    with mock.patch("gpiozero.pins.local.get_pi_revision", return_value=PI_4), GpiodFactory(gpiod) as pins:
        buttons = Buttons(settings, SimpleNamespace(pins=lambda: pins), target)
        buttons.start()
        with pressed(gpiod, number, seed) as feeder, HoldUps(seed + 1, most_ms):
            while not feeder.is_over():
                time.sleep(0.02)
                buttons.mend()  # polls every line
            torn = feeder.join()
        time.sleep(2 * most_ms / 1000)
        buttons.close()
    return {key: target[key] for key in keys.values()}, dict(zip(keys.values(), torn, strict=True))
