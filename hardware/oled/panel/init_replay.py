"""Records the commands that initialize a panel, to replay them when it may have lost its power."""

from collections.abc import Callable, Sequence
from functools import partial

from hardware.oled.panel.transport import PanelTransport

DISPLAY_OFF = 0xAE
"""A command of every controller."""

LONGEST_SETUP = 64
"""Bytes; what is longer is a picture. The longest table of any of these controllers has 63."""


class InitRecorder:
    """A transport that records the initialization of a panel, to replay it."""

    def __init__(self, transport: PanelTransport) -> None:
        self._transport = transport
        self._calls: list[Callable[[], None]] = []
        self._is_recording = True

    def command(self, *command: int) -> None:
        """Send commands. Replayed, they switch nothing off, or a panel that shows something would blink."""
        self._transport.command(*command)
        awake = command[1:] if command[0] == DISPLAY_OFF else command
        if awake:
            self._record(partial(self._transport.command, *awake))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the panel's memory, or for its last command."""
        self._transport.data(data)
        if len(data) <= LONGEST_SETUP:
            self._record(partial(self._transport.data, data))

    def cleanup(self) -> None:
        """Close the bus."""
        self._transport.cleanup()

    def stop_recording(self) -> None:
        """The panel is initialized: record no more."""
        self._is_recording = False

    def replay(self) -> None:
        """Send everything again."""
        for call in self._calls:
            call()

    def _record(self, call: Callable[[], None]) -> None:
        if self._is_recording:
            self._calls.append(call)
