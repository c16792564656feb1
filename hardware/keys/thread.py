"""The thread of a key machine: it sleeps until a key moves or something falls due, then does what was meant."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeAlias

from hardware.interfaces import KeyTarget
from hardware.key_roles import (
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
from hardware.keys.machine import SECOND, KeyMachine, Nanoseconds
from pegboard.core.rules import MOST_AT_ONCE

log = logging.getLogger(__name__)

AFTER_ERROR_S = 1.0
"""Nothing that falls due is tried again sooner after an error, or it would be tried without end."""

DEAD = "nobody listens to the keys any more; start pegboard again"

LATEST: Nanoseconds = 5 * SECOND
"""An edge that would be older is told by another clock."""

_News: TypeAlias = Callable[[], list[Action]]
"""What the machine is to be told, and it answers."""


class KeyThread:
    """Hears keys from any thread and runs their machine in its own."""

    def __init__(self, name: str, machine: KeyMachine, target: KeyTarget) -> None:
        self._machine = machine
        self._target = target
        self._news: SimpleQueue[_News | None] = SimpleQueue()
        self._stuck: tuple[str, ...] = ()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def fault(self) -> str | None:
        """Why no key is heard, though each is told; None while they are."""
        ended = self._thread.ident is not None and not self._thread.is_alive()
        return DEAD if ended and not self._closed else None

    @property
    def stuck(self) -> tuple[str, ...]:
        """The keys that are ignored until they are let go."""
        return self._stuck

    def start(self) -> None:
        """Begin to listen; what was heard before is not lost."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._closed = True
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

    def look(self, key: str, is_down: Callable[[], bool]) -> None:
        """Have the line of a key looked at, when all that was heard before is done: no edge can overtake that."""
        self._news.put(lambda: self._machine.seen(time.monotonic_ns(), key, is_down()))

    def gone(self) -> None:
        """The keys are unplugged: none of them is down."""
        self._news.put(partial(self._machine.gone, time.monotonic_ns()))

    def _run(self) -> None:
        least_s = 0.0
        while (news := self._awaited(least_s)) is not None:
            try:
                actions = news()
            except Exception:  # the other keys still work
                log.exception("the keys do not know what to do")
                least_s = AFTER_ERROR_S
            else:
                least_s = 0.0
                self._stuck = self._machine.stuck
                self._say(actions)

    def _awaited(self, least_s: float) -> _News | None:
        """What comes next: news, or that something falls due, though not before `least_s` seconds; None at the end."""
        deadline = self._machine.deadline()
        try:
            return self._news.get(timeout=None if deadline is None else max(least_s, _seconds_until(deadline)))
        except Empty:
            return partial(self._machine.tick, time.monotonic_ns())

    def _say(self, actions: list[Action]) -> None:
        for action in actions:
            try:
                tell(self._target, action)
            except Exception:  # the door promises not to raise; if it breaks that, the other keys still work
                log.exception("the scoreboard did not take %s", action)


def _seconds_until(deadline: Nanoseconds) -> float:
    return max(0, deadline - time.monotonic_ns()) / 1e9


def _when(at_s: float | None, now: Nanoseconds) -> Nanoseconds:
    """The time of an edge: told late, it would take bounces for presses. Old kernels count from another origin."""
    told = now if at_s is None else round(at_s * SECOND)
    return told if 0 <= now - told <= LATEST else now


def tell(target: KeyTarget, action: Action) -> None:  # noqa: C901, PLR0912 - one line for each thing that can be meant
    """Do at the door what was meant."""
    match action:
        case Dial(lane, points):
            target.dial(lane, points)
        case Peg(lane):
            target.peg(lane)
        case Drop(lane):
            target.drop(lane)
        case Enter(lane, points):
            target.enter(lane, points)
        case Typed(points):
            target.show_typed(points)
        case TooMuch(text, still):
            target.show_notice(f"{text} cannot be scored at once (0 to {MOST_AT_ONCE}): still {still}")
        case Forgot(points):
            target.show_typed(None)
            target.show_notice(f"{points} was typed and no ENTER pressed, so it is dropped")
        case Undo():
            target.undo()
        case Deal():
            target.deal()
        case Invite():
            target.invite()
        case AskNewGame():
            target.ask_new_game()
        case NewGame():
            target.new_game()
        case Cancel():
            target.cancel_new_game()
        case Stuck(key):
            target.show_notice(f"The key {key} is stuck; it is ignored until it is let go")
