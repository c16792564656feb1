"""Pins that a hand can press: gpiozero's own mock pins, with the verbs of a hand."""

import time
from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin


class _Line(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose edges carry the time of the finger's stroke, however late this program comes to tell them."""

    stroke_at_s: float | None = None

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        if changed and self.stroke_at_s is not None:
            self._last_change = self.stroke_at_s
        return changed


class SimulatedPins:
    """The keys' lines. `pull_up` as wired: a pressed key then pulls its line to ground.

    `moves` is told the pin, the level and the time of each edge before it happens.
    """

    def __init__(self, moves: Callable[[int, int, float], None] | None = None, *, pull_up: bool = True) -> None:
        self._moves = moves
        self.factory: Any = MockFactory(pin_class=_Line)
        self._pull_up = pull_up
        self._fingers: set[int] = set()

    def press(self, pin: int, bounces: int = 0) -> None:
        """Push the key down and leave the finger on it; its contacts spring apart so often at that moment."""
        self._fingers.add(pin)
        self._stroke(pin, [True, *[False, True] * bounces])

    def release(self, pin: int) -> None:
        """Let it go."""
        self._fingers.discard(pin)
        self._stroke(pin, [False])

    def is_down(self, pin: int) -> bool:
        """Whether a finger is on the key."""
        return pin in self._fingers

    def _stroke(self, pin: int, downs: list[bool]) -> None:
        line = self.factory.pin(pin)
        line.stroke_at_s = time.monotonic()
        for down in downs:
            level = int(down != self._pull_up)
            if self._moves is not None:
                self._moves(pin, level, line.stroke_at_s)
            if level:
                line.drive_high()
            else:
                line.drive_low()
