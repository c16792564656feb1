"""Simulated keys: GPIO pins (gpiozero's mock pins) whose contacts bounce independently, and a USB keypad.

As on a real kernel, reading a pin gives its current level, while the edges of all pins wait with their times in one
queue, in chronological order, until they are read. Moving a pin reads the queue at once, unless the reader is held up.
"""

import errno
import os
import threading
import time
from bisect import insort
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

from pegboard.errors import DeviceError

# --- simulated USB keypad: keys can be pressed and read as on a real keypad; unread events are lost ---


class SimulatedKeypad:
    """The simulated USB keypad."""

    def __init__(self) -> None:
        self._fingers: set[str] = set()
        self._reader: _Reader | None = None

    def open(self, *, plugged: bool) -> "_Reader":
        """Open the keypad for one reader.

        Raises:
            DeviceError: the keypad is unplugged, or already open.
        """
        if not plugged:
            raise DeviceError("keypad_not_found")
        if self._reader is not None and not self._reader.ended:
            raise DeviceError("keypad_held_simulated")
        self._reader = _Reader()
        return self._reader

    def unplug(self) -> None:
        """Unplug the keypad: its reader gets an error, and no key stays down."""
        self._fingers.clear()
        if self._reader is not None:
            self._reader.end(errno.ENODEV)

    def press(self, key: str) -> None:
        """Press and hold a key, such as "KEY_KP7"."""
        self._fingers.add(key)
        self._send(key, down=True)

    def release(self, key: str) -> None:
        """Release a key."""
        self._fingers.discard(key)
        self._send(key, down=False)

    def is_down(self, key: str) -> bool:
        """Whether the key is held down."""
        return key in self._fingers

    def _send(self, key: str, *, down: bool) -> None:
        if self._reader is not None:
            self._reader.send(key, down)


class _Reader:
    """The reader of the keypad, until it is unplugged or closed."""

    name = "simulated keypad"

    def __init__(self) -> None:
        self._events: SimpleQueue[tuple[str, bool]] = SimpleQueue()
        self._error = 0

    @property
    def ended(self) -> bool:
        """Whether the keypad has been unplugged or closed."""
        return self._error != 0

    def send(self, key: str, down: bool) -> None:
        """Queue a key event."""
        self._events.put((key, down))

    def end(self, error: int) -> None:
        """End reading with this error number."""
        self._error = self._error or error
        self._events.put(("", False))

    def read(self) -> tuple[str, bool]:
        """Wait for the next key event.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """
        event = self._events.get()
        if self._error:
            self._events.put(event)  # for any other waiting reader
            raise OSError(self._error, os.strerror(self._error))
        return event

    def close(self) -> None:
        """End reading because the keypad was closed."""
        self.end(errno.EBADF)


BOUNCE_S = 0.0007
"""Seconds from one bounce of a contact to the next; a stroke with three lasts under 5 ms, as on a tactile switch."""

HELD_UP_S = 0.3
"""Seconds that the reader of the edges is held up while the fault "held-up reader" is on; a C call can take as long."""


class EdgeQueue:
    """The edges of the pins in order, until they are delivered.

    Attributes:
        is_dead: whether the thread that reads the edges has died; always False here.
    """

    is_dead = False

    def __init__(self, is_held_up: Callable[[], bool], is_at_rest: Callable[[], bool]) -> None:
        """`is_held_up` says whether the reader is held up now, `is_at_rest` whether no contact bounces."""
        self._is_held_up, self._is_at_rest = is_held_up, is_at_rest
        self._edges: deque[Callable[[], None]] = deque()
        self._delivering = threading.Lock()

    def put(self, edge: Callable[[], None]) -> None:
        """Queue an edge, a callable that reports itself, and have the queue read."""
        self._edges.append(edge)
        if self._is_held_up():
            reader = threading.Timer(HELD_UP_S, self.deliver)
            reader.daemon = True
            reader.start()
        else:
            self.deliver()

    def deliver(self) -> bool:
        """Deliver every edge so far. Returns whether no contact was still bouncing."""
        at_rest = self._is_at_rest()
        with self._delivering:
            while self._edges:
                self._edges.popleft()()
        return at_rest

    def revive(self) -> None:
        """Do nothing: no thread here can die."""


class _QueuedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin whose edges go through the queue of its factory.

    Edges carry their scheduled times, so contact bounce does not depend on the load of this machine.
    """

    moves_at_s: float | None = None

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        if changed and self.moves_at_s is not None:
            self.clear_states()  # gpiozero keeps all past levels, but a key's are never used
            self._last_change = self.moves_at_s
        return changed

    def _call_when_changed(self) -> None:
        at_s, level = self._last_change, self._state
        self.factory.edges.put(lambda: self._tell(at_s, level))

    def _tell(self, at_s: float, level: int) -> None:
        callback = self.when_changed
        if callback is not None:
            callback(at_s, level)


class SimulatedPins:
    """The pins of the keys. With `pull_up`, as in the settings, a pressed key pulls its pin to ground.

    `on_edge` is called with the pin, the level and the time of each edge before it happens; `is_held_up` says whether
    the reader of the edges is held up.
    """

    def __init__(
        self,
        on_edge: Callable[[int, int, float], None] | None = None,
        *,
        pull_up: bool = True,
        is_held_up: Callable[[], bool] = lambda: False,
    ) -> None:
        self._on_edge = on_edge
        self.factory: Any = MockFactory(pin_class=_QueuedPin)
        self.factory.edges = EdgeQueue(is_held_up, self._is_at_rest)
        self._pull_up = pull_up
        self._fingers: set[int] = set()
        self._bounces: list[tuple[float, int, bool]] = []
        self._moving = threading.Condition()

    def press(self, pin: int, bounces: int = 0) -> None:
        """Press and hold the key of a pin; its contacts bounce apart `bounces` times."""
        self._fingers.add(pin)
        self._stroke(pin, down=True, bounces=bounces)

    def release(self, pin: int, bounces: int = 0) -> None:
        """Release the key of a pin; its contacts touch again `bounces` times."""
        self._fingers.discard(pin)
        self._stroke(pin, down=False, bounces=bounces)

    def is_down(self, pin: int) -> bool:
        """Whether the key is held down."""
        return pin in self._fingers

    def come_to_rest(self, pin: int) -> None:
        """Wait until the contacts of a key no longer bounce."""
        with self._moving:
            self._moving.wait_for(lambda: not any(bounce[1] == pin for bounce in self._bounces))

    def _is_at_rest(self) -> bool:
        return not self._bounces

    def _stroke(self, pin: int, *, down: bool, bounces: int) -> None:
        with self._moving:
            self.come_to_rest(pin)
            at_s = time.monotonic()
            self._bounce_until(at_s)
            self._move(pin, at_s, down=down)
            for n in range(1, 2 * bounces + 1):
                insort(self._bounces, (at_s + n * BOUNCE_S, pin, down if n % 2 == 0 else not down))
        if bounces:
            threading.Thread(target=self._bounce_until_rest, daemon=True).start()

    def _bounce_until_rest(self) -> None:
        """Move the bouncing contacts of all keys on time, until no contact bounces."""
        with self._moving:
            while self._bounces:
                self._moving.wait(max(0.0, self._bounces[0][0] - time.monotonic()))
                self._bounce_until(time.monotonic())

    def _bounce_until(self, now_s: float) -> None:
        """Make the moves that are due, in order of their times, even late; a pin is at rest after its last move."""
        while self._bounces and self._bounces[0][0] <= now_s:
            at_s, pin, down = self._bounces[0]
            try:
                self._move(pin, at_s, down=down)
            finally:
                del self._bounces[0]
        self._moving.notify_all()

    def _move(self, pin: int, at_s: float, *, down: bool) -> None:
        level = int(down != self._pull_up)
        if self._on_edge is not None:
            self._on_edge(pin, level, at_s)
        pin_device = self.factory.pin(pin)
        pin_device.moves_at_s = at_s
        if level:
            pin_device.drive_high()
        else:
            pin_device.drive_low()
