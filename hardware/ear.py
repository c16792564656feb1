"""The thread of a key machine: it sleeps until a key moves or something falls due, then does what was meant."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeAlias

from hardware.door import Door
from hardware.keys import SECOND, KeyMachine, Nanoseconds
from hardware.meaning import (
    Action,
    AskNewGame,
    Cancel,
    Deal,
    Dial,
    Drop,
    Enter,
    Forgot,
    Invite,
    NewGame,
    Peg,
    Stuck,
    TooMuch,
    Typed,
    Undo,
)
from pegboard.core.rules import MOST_AT_ONCE

log = logging.getLogger(__name__)

LATEST: Nanoseconds = 5 * SECOND
"""An edge that would be older is told by another clock."""

_News: TypeAlias = Callable[[], list[Action]]
"""What the machine is to be told, and it answers."""


class Ear:
    """Hears keys from any thread and runs their machine in its own."""

    def __init__(self, name: str, machine: KeyMachine, door: Door) -> None:
        self._machine = machine
        self._door = door
        self._news: SimpleQueue[_News | None] = SimpleQueue()
        self._stuck: tuple[str, ...] = ()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def stuck(self) -> tuple[str, ...]:
        """The keys that are ignored until they are let go."""
        return self._stuck

    def heard_down(self, key: str) -> bool:
        """Whether a key was last heard to go down."""
        return self._machine.is_down(key)

    def start(self) -> None:
        """Begin to listen; what was heard before is not lost."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._news.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def hear(self, key: str, *, down: bool, at_s: float | None = None) -> None:
        """A key has gone down or up: now, or at the kernel's own time `at_s`, in seconds of the steady clock."""
        # An exception here would end lgpio's only notify thread, and with it every key.
        with contextlib.suppress(Exception):
            self._news.put(partial(self._machine.edge, _when(at_s, time.monotonic_ns()), key, down))

    def found_down(self, key: str) -> None:
        """A key is down that nobody has pressed."""
        self._news.put(partial(self._machine.found_down, key))

    def gone(self) -> None:
        """The keys are unplugged: none of them is down."""
        self._news.put(partial(self._machine.gone, time.monotonic_ns()))

    def _run(self) -> None:
        while True:
            try:
                news = self._news.get(timeout=self._patience_s())
            except Empty:
                news = partial(self._machine.tick, time.monotonic_ns())
            if news is None:
                return
            actions = news()
            self._stuck = self._machine.stuck
            self._say(actions)

    def _patience_s(self) -> float | None:
        """Seconds until the machine wants to be told the time."""
        deadline = self._machine.deadline()
        return None if deadline is None else max(0, deadline - time.monotonic_ns()) / 1e9

    def _say(self, actions: list[Action]) -> None:
        for action in actions:
            try:
                tell(self._door, action)
            except Exception:  # the door promises not to raise; if it breaks that, the other keys still work
                log.exception("the scoreboard did not take %s", action)


def _when(at_s: float | None, now: Nanoseconds) -> Nanoseconds:
    """The time of an edge: told late, it would take bounces for presses. Old kernels count from another origin."""
    told = now if at_s is None else round(at_s * SECOND)
    return told if 0 <= now - told <= LATEST else now


def tell(door: Door, action: Action) -> None:  # noqa: C901, PLR0912 - one line for each thing that can be meant
    """Do at the door what was meant."""
    match action:
        case Dial(lane, points):
            door.dial(lane, points)
        case Peg(lane):
            door.peg(lane)
        case Drop(lane):
            door.drop(lane)
        case Enter(lane, points):
            door.enter(lane, points)
        case Typed(points):
            door.typed(points)
        case TooMuch(text, still):
            door.trouble(f"{text} cannot be scored at once (0 to {MOST_AT_ONCE}): still {still}")
        case Forgot(points):
            door.typed(None)
            door.trouble(f"{points} was typed and no ENTER pressed, so it is dropped")
        case Undo():
            door.undo()
        case Deal():
            door.deal()
        case Invite():
            door.invite()
        case AskNewGame():
            door.ask_new_game()
        case NewGame():
            door.new_game()
        case Cancel():
            door.cancel_new_game()
        case Stuck(key):
            door.trouble(f"The key {key} is stuck; it is ignored until it is let go")
