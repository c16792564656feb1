"""A simulated USB keypad that can be pressed, and read as a real one; events that nobody reads are lost."""

import errno
import os
from queue import SimpleQueue

from pegboard.errors import DeviceError


class SimulatedKeypad:
    """The keypad."""

    def __init__(self) -> None:
        self._fingers: set[str] = set()
        self._reader: _Reader | None = None

    def open(self, *, plugged: bool) -> "_Reader":
        """Open it for one reader.

        Raises:
            DeviceError: it is unplugged, or open already.
        """
        if not plugged:
            raise DeviceError("keypad_not_found")
        if self._reader is not None and not self._reader.ended:
            raise DeviceError("keypad_held_simulated")
        self._reader = _Reader()
        return self._reader

    def unplug(self) -> None:
        """Unplug it: its reader gets an error, and no key is down any more."""
        self._fingers.clear()
        if self._reader is not None:
            self._reader.end(errno.ENODEV)

    def press(self, key: str) -> None:
        """Push a key down, such as "KEY_KP7", and hold it."""
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
    """What reads it, until it is unplugged or closed."""

    name = "simulated keypad"

    def __init__(self) -> None:
        self._events: SimpleQueue[tuple[str, bool]] = SimpleQueue()
        self._error = 0

    @property
    def ended(self) -> bool:
        """Whether it has been unplugged or closed."""
        return self._error != 0

    def send(self, key: str, down: bool) -> None:
        """Queue a key event."""
        self._events.put((key, down))

    def end(self, error: int) -> None:
        """End reading with the error of that number."""
        self._error = self._error or error
        self._events.put(("", False))

    def read(self) -> tuple[str, bool]:
        """Wait for the next key event.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """
        event = self._events.get()
        if self._error:
            self._events.put(event)  # for whoever else waits
            raise OSError(self._error, os.strerror(self._error))
        return event

    def close(self) -> None:
        """Close it."""
        self.end(errno.EBADF)
