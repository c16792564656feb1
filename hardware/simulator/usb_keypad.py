"""A keypad that a hand can press, read as the real one is; what nobody reads is lost."""

import errno
import os
from queue import SimpleQueue

from pegboard.errors import DeviceError


class SimulatedKeypad:
    """A keypad on USB."""

    def __init__(self) -> None:
        self._fingers: set[str] = set()
        self._reader: _Reader | None = None

    def open(self, *, plugged: bool) -> "_Reader":
        """Read it, as the only one.

        Raises:
            DeviceError: it is not plugged in, or somebody reads it.
        """
        if not plugged:
            raise DeviceError("no keypad is found; put one in, or name its file in [keypad]")
        if self._reader is not None and not self._reader.ended:
            raise DeviceError("the keypad is held by another program; end that")
        self._reader = _Reader()
        return self._reader

    def unplug(self) -> None:
        """Pull it out: whoever reads it is told so, and it is out of the fingers' reach."""
        self._fingers.clear()
        if self._reader is not None:
            self._reader.end(errno.ENODEV)

    def press(self, key: str) -> None:
        """Push a key down, such as "KEY_KP7", and leave the finger on it."""
        self._fingers.add(key)
        self._tell(key, down=True)

    def release(self, key: str) -> None:
        """Let it go."""
        self._fingers.discard(key)
        self._tell(key, down=False)

    def is_down(self, key: str) -> bool:
        """Whether a finger is on the key."""
        return key in self._fingers

    def _tell(self, key: str, *, down: bool) -> None:
        if self._reader is not None:
            self._reader.tell(key, down)


class _Reader:
    """Whoever reads it, until it is pulled out or closed."""

    name = "stand-in keypad"

    def __init__(self) -> None:
        self._events: SimpleQueue[tuple[str, bool]] = SimpleQueue()
        self._error = 0

    @property
    def ended(self) -> bool:
        """Whether nothing comes any more."""
        return self._error != 0

    def tell(self, key: str, down: bool) -> None:
        """A key has moved."""
        self._events.put((key, down))

    def end(self, error: int) -> None:
        """Nothing comes any more, for the reason of that number."""
        self._error = self._error or error
        self._events.put(("", False))

    def read(self) -> tuple[str, bool]:
        """Wait for the next key.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """
        event = self._events.get()
        if self._error:
            self._events.put(event)  # for whoever else waits
            raise OSError(self._error, os.strerror(self._error))
        return event

    def close(self) -> None:
        """Let go of it."""
        self.end(errno.EBADF)
