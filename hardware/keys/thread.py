"""Key thread: runs the key machine when a key moves or a deadline passes, and dispatches its actions to the table.

A passed deadline is not enough: this thread or the pin thread may have been delayed. So the pins are read and pending
edges delivered first, and the machine gets levels and time only if there was no edge. Polls do the same.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import Protocol, TypeAlias

from hardware.interfaces import KeyTarget
from hardware.key_roles_and_actions import (
    Action,
    AskNewGame,
    AskPowerOff,
    CancelNewGame,
    CancelPowerOff,
    Choose,
    Dial,
    Drop,
    Enter,
    ForgetTyped,
    Invite,
    NewGame,
    PassDeal,
    Peg,
    PowerOff,
    RefuseDigit,
    ReportStuck,
    ShowChoice,
    ShowTyped,
    TypeCodeDigit,
    Undo,
)
from hardware.keys.debounce import SECOND, Nanoseconds
from hardware.keys.machine import KeyMachine
from pegboard.core.rules import MOST_AT_ONCE
from pegboard.messages import Message
from pegboard.watchdog import Activity, Span, has_died

log = logging.getLogger(__name__)

AFTER_ERROR_S = 1.0
"""Seconds after an error before anything due is retried, to avoid an endless loop."""

MAX_EDGE_AGE: Nanoseconds = 5 * SECOND
"""An edge with an older time was stamped by another clock."""

UNDELIVERED_S = 0.002
"""Pause before rereading a pin whose level no edge has reported."""

LOST: Nanoseconds = 60_000_000
"""An edge not delivered this long after its level was read is lost; the level counts."""

DELIVERY_TIMEOUT: Nanoseconds = 2 * SECOND
"""How long to wait for edges that cannot be delivered."""

_Event: TypeAlias = Callable[[], list[Action]]
"""A call of the key machine, which returns the resulting actions."""


class KeyLines(Protocol):
    """The key lines, as the key thread sees them."""

    def deliver_edges(self) -> bool:
        """Post every edge so far. Returns whether that worked."""

    def is_down(self, key: str) -> bool | None:
        """Whether a key is down now; None if that cannot be read."""


class UnreadableLines:
    """Lines of keys that cannot be read; their events are posted as they arrive."""

    def deliver_edges(self) -> bool:
        """Nothing to deliver: every edge has been posted already."""
        return True

    def is_down(self, _key: str) -> bool | None:
        """Always None: levels are unknown."""
        return None


class KeyThread:
    """Takes key events from any thread, and runs the key machine in a thread of its own.

    Attributes:
        stuck_keys: the keys that are ignored until they are released.
    """

    def __init__(
        self,
        name: str,
        machine: KeyMachine,
        target: KeyTarget,
        lines: KeyLines | None = None,
        clock: Callable[[], Nanoseconds] = time.monotonic_ns,
    ) -> None:
        """Make the thread of that name, to be started by `start`; `clock` is the clock of the edges."""
        self._machine = machine
        self._target = target
        self._lines, self._clock = lines or UnreadableLines(), clock
        self._waiting_since: Nanoseconds | None = None
        self._is_polling = False
        self._events: SimpleQueue[_Event | None] = SimpleQueue()
        self.stuck_keys: tuple[str, ...] = ()
        self._closed, self._acting = False, Activity()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def fault(self) -> str | None:
        """Why keys have no effect although events arrive; None if they work."""
        return Message("keys_dead") if self._is_dead() else None

    def current_span(self) -> Span | None:
        """What the thread is doing with a key event, for the watchdog."""
        return Span(self._acting.last_s, (), is_dead=True) if self._is_dead() else self._acting.current_span()

    def _is_dead(self) -> bool:
        return has_died(self._thread) and not self._closed

    def start(self) -> None:
        """Start the thread; events posted earlier are kept."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._events.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def post_edge(self, key: str, *, down: bool, at_s: float | None = None) -> None:
        """Post that a key went down or up: now, or at the kernel's time `at_s`, in seconds of the monotonic clock."""
        # An exception here would end lgpio's only notify thread, and disable all keys.
        with contextlib.suppress(Exception):
            self._events.put(partial(self._machine.edge, edge_time(at_s, self._clock()), key, down))

    def down_at_start(self, key: str) -> None:
        """Post that a key is down at startup, although nobody pressed it."""
        self._events.put(partial(self._machine.down_at_start, key))

    def poll_levels(self) -> None:
        """Read every line once no edge is pending, to detect lost edges."""
        self._events.put(self._begin_poll)

    def release_all(self) -> None:
        """Release all keys, because they were unplugged."""
        self._events.put(partial(self._machine.release_all, self._clock()))

    def _run(self) -> None:
        least_s = 0.0
        while (event := self._next_event(least_s)) is not None:
            with self._acting:
                least_s = self._act(event)

    def _begin_poll(self) -> list[Action]:
        self._is_polling = True
        return []

    def _act(self, event: _Event) -> float:
        """Handle an event. Returns how many seconds to wait before trying anything due."""
        self._waiting_since = None
        try:
            actions = event()
        except Exception:  # the other keys still work
            log.exception("the key thread met an error")
            return AFTER_ERROR_S
        self.stuck_keys = self._machine.stuck_keys
        self._dispatch_all(actions)
        return 0.0

    def _next_event(self, least_s: float) -> _Event | None:
        """The next event, posted or due, but a due event only after `least_s` seconds; None at the end."""
        while True:
            deadline = self._clock() if self._is_polling else self._machine.deadline()
            wait_s = None if deadline is None else max(least_s, max(0, deadline - self._clock()) / 1e9)
            with contextlib.suppress(Empty):
                return self._events.get(timeout=wait_s)
            with contextlib.suppress(Empty), self._acting:  # Empty: not yet, an edge is still pending
                return self._due_event()
            least_s = UNDELIVERED_S

    def _due_event(self) -> _Event | None:
        """An event that was just posted, or else the tick that is due.

        Raises:
            Empty: an edge is still pending.
        """
        now, moved = self._clock(), self._moved_keys()
        delivered = self._lines.deliver_edges()
        with contextlib.suppress(Empty):
            return self._events.get_nowait()  # an edge may have been posted, which makes the levels outdated
        if (moved or not delivered) and self._may_still_arrive(now, LOST if delivered else DELIVERY_TIMEOUT):
            raise Empty
        return partial(self._tick, now, moved)

    def _moved_keys(self) -> dict[str, bool]:
        """The keys whose level differs from their last edge, with that level."""
        read = {key: (level, self._lines.is_down(key)) for key, level in self._machine.levels.items()}
        return {key: now for key, (level, now) in read.items() if now is not None and now != level}

    def _may_still_arrive(self, now: Nanoseconds, longest: Nanoseconds) -> bool:
        """Whether an edge may still be delivered; False after waiting `longest`."""
        if self._waiting_since is None:
            self._waiting_since = now
        return now - self._waiting_since < longest

    def _tick(self, now: Nanoseconds, moved: dict[str, bool]) -> list[Action]:
        """Advance the time, after applying the levels whose edges were lost."""
        self._is_polling = False
        found = [action for key, down in moved.items() for action in self._machine.poll_level(now, key, down)]
        return found + self._machine.tick(now)

    def _dispatch_all(self, actions: list[Action]) -> None:
        for action in actions:
            try:
                dispatch(self._target, action)
            except Exception:  # a target must not raise; if it does, the other keys still work
                log.exception("the scoreboard could not handle %s", action)


def edge_time(at_s: float | None, now: Nanoseconds) -> Nanoseconds:
    """The kernel's time of an edge; with the time of its delivery, bounces would count as presses.

    Old kernels count from another origin; then the edge counts as now.
    """
    own = now if at_s is None else round(at_s * SECOND)
    return own if 0 <= now - own <= MAX_EDGE_AGE else now


def dispatch(target: KeyTarget, action: Action) -> None:  # noqa: C901, PLR0912 - one row for each action
    """Call the target's method for an action."""
    match action:
        case Dial(lane, points):
            target.dial(lane, points)
        case Peg(lane):
            target.peg(lane)
        case Drop(lane):
            target.drop(lane)
        case Enter(lane, points):
            target.enter(lane, points)
        case ShowTyped(points):
            target.show_typed(points)
        case RefuseDigit(text, still):
            target.show_notice(Message("key_digit_refused", typed=text, most=MOST_AT_ONCE, still=still))
        case ForgetTyped(points):
            target.show_typed(None)
            target.show_notice(Message("key_typed_dropped", points=points))
        case Undo():
            target.undo()
        case PassDeal():
            target.deal()
        case Invite():
            target.invite()
        case ShowChoice(taps):
            target.show_choice(taps)
        case Choose(taps):
            target.choose(taps)
        case TypeCodeDigit(digit):
            target.type_code_digit(digit)
        case AskNewGame():
            target.ask_new_game()
        case NewGame():
            target.new_game()
        case CancelNewGame():
            target.cancel_new_game()
        case AskPowerOff():
            target.ask_power_off()
        case PowerOff():
            target.power_off()
        case CancelPowerOff():
            target.cancel_power_off()
        case ReportStuck(key):
            target.show_notice(Message("key_stuck_until", key=key))
