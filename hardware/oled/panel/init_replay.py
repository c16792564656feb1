"""What a panel was set up with, remembered to be said again when it may have lost its power."""

from collections.abc import Callable, Sequence
from functools import partial

from hardware.oled.panel.transport import Line

DISPLAY_OFF = 0xAE
"""A command of every chip."""

LONGEST_SETUP = 64
"""Bytes; what is longer is a picture. The longest table of any of these chips has 63."""


class InitRecorder:
    """A line that remembers what a panel was set up with, to say it again."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._said: list[Callable[[], None]] = []
        self._listens = True

    def command(self, *command: int) -> None:
        """Send commands. Said again they switch nothing off: a panel that shows something would blink."""
        self._line.command(*command)
        awake = command[1:] if command[0] == DISPLAY_OFF else command
        if awake:
            self._keep(partial(self._line.command, *awake))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the panel's memory, or for its last command."""
        self._line.data(data)
        if len(data) <= LONGEST_SETUP:
            self._keep(partial(self._line.data, data))

    def cleanup(self) -> None:
        """Let go of the wire."""
        self._line.cleanup()

    def knows(self) -> None:
        """The panel is set up: what is said from now on is not remembered."""
        self._listens = False

    def again(self) -> None:
        """Say everything again."""
        for say in self._said:
            say()

    def _keep(self, say: Callable[[], None]) -> None:
        if self._listens:
            self._said.append(say)
