"""Pins that a hand can press: gpiozero's own mock pins, with the verbs of a hand."""

from typing import Any

from gpiozero.pins.mock import MockFactory


class HandPins:
    """The keys' lines. `pull_up` as wired: a pressed key then pulls its line to ground."""

    def __init__(self, *, pull_up: bool = True) -> None:
        self.factory: Any = MockFactory()
        self._pull_up = pull_up
        self._fingers: set[int] = set()

    def press(self, pin: int) -> None:
        """Push the key down and leave the finger on it."""
        self._fingers.add(pin)
        self._drive(pin, down=True)

    def release(self, pin: int) -> None:
        """Let it go."""
        self._fingers.discard(pin)
        self._drive(pin, down=False)

    def is_down(self, pin: int) -> bool:
        """Whether a finger is on the key."""
        return pin in self._fingers

    def level_when(self, *, down: bool) -> int:
        """The level, 0 or 1, of a line whose key is down, or not."""
        return int(down != self._pull_up)

    def _drive(self, pin: int, *, down: bool) -> None:
        line = self.factory.pin(pin)
        if self.level_when(down=down):
            line.drive_high()
        else:
            line.drive_low()
