"""Simulated GPIO pins of keys that can be pressed, made of gpiozero's mock pins; contacts bounce."""

import time
from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin


class _TimedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin whose edges carry the time of the stroke, however late they are delivered."""

    stroke_at_s: float | None = None

    def _change_state(self, value: bool) -> bool:
        changed: bool = super()._change_state(value)
        if changed and self.stroke_at_s is not None:
            self._last_change = self.stroke_at_s
        return changed


class SimulatedPins:
    """The pins of the keys. `pull_up` as in the settings: a pressed key then pulls its pin to ground.

    `on_edge` is called with the pin, the level and the time of each edge before it happens.
    """

    def __init__(self, on_edge: Callable[[int, int, float], None] | None = None, *, pull_up: bool = True) -> None:
        self._on_edge = on_edge
        self.factory: Any = MockFactory(pin_class=_TimedPin)
        self._pull_up = pull_up
        self._fingers: set[int] = set()

    def press(self, pin: int, bounces: int = 0) -> None:
        """Push the key down and hold it; its contacts bounce so often at that moment."""
        self._fingers.add(pin)
        self._stroke(pin, [True, *[False, True] * bounces])

    def release(self, pin: int) -> None:
        """Release the key."""
        self._fingers.discard(pin)
        self._stroke(pin, [False])

    def is_down(self, pin: int) -> bool:
        """Whether the key is held down."""
        return pin in self._fingers

    def _stroke(self, pin: int, downs: list[bool]) -> None:
        pin_device = self.factory.pin(pin)
        pin_device.stroke_at_s = time.monotonic()
        for down in downs:
            level = int(down != self._pull_up)
            if self._on_edge is not None:
                self._on_edge(pin, level, pin_device.stroke_at_s)
            if level:
                pin_device.drive_high()
            else:
                pin_device.drive_low()
