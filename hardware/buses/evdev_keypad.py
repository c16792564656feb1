"""evdev keypad, USB or Bluetooth: finding, opening and grabbing the keypad, reading key events in one thread."""

import contextlib
import errno
import importlib
import os
import select
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from pegboard.core.sentences import join_names
from pegboard.errors import DeviceError
from pegboard.install.host import install_command

EVENTS = Path("/dev/input")
"""The folder in which Linux keeps a file for each input device."""

PRESS_OR_RELEASE = (1, 0)
"""The values of a key event for a press and a release; 2 is a repeat."""

ONCE = (1).to_bytes(8, sys.byteorder)
"""The value written to an eventfd to wake its waiter."""

DIGIT = "KEY_KP1"
"""A key that every keypad has."""

LETTERS = tuple(f"KEY_{letter}" for letter in ascii_uppercase)
"""Keys that keyboards have; many keypads also report them, so letters do not prove a keyboard."""


class EvdevKeypad:
    """A grabbed keypad: no other program reads it meanwhile, so its digits are not typed into a terminal.

    One thread reads the key events; another thread may close the keypad.

    Attributes:
        name: the name that the keypad reports.
    """

    def __init__(self, evdev: Any, device: Any) -> None:
        device.grab()
        self.name = str(device.name)
        self._codes = evdev.ecodes
        self._device = device
        self._close_event = os.fdopen(os.eventfd(0), "r+b", buffering=0)
        self._poll = select.poll()
        self._poll.register(device.fd, select.POLLIN)
        self._poll.register(self._close_event, select.POLLIN)
        self._down: set[int] = set()
        self._pending: deque[tuple[int, bool]] = deque()
        self._overrun = False

    def read(self) -> tuple[str, bool]:
        """Wait for the next key event, skipping repeats: the key's name, such as "KEY_KP7", and whether it went down.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """
        while not self._pending:
            event = self._device.read_one() or self._next_event()
            if event is not None and (change := self._change(event)) is not None:
                return self._report(*change)
        return self._report(*self._pending.popleft())

    def close(self) -> None:
        """Close the keypad; a waiting `read` ends with an `OSError`."""
        self._close_event.write(ONCE)

    def _next_event(self) -> Any:
        """The next event, or None. Only this method closes the device, so it is never closed while being polled."""
        if (self._close_event.fileno(), select.POLLIN) in self._poll.poll():
            self._device.close()
            raise OSError(errno.EBADF, "the keypad is closed")
        return self._device.read_one()

    def _change(self, event: Any) -> tuple[int, bool] | None:
        """The key of an event and whether it went down; None for every other event.

        If events arrive faster than they are read, Linux drops some and reports it (SYN_DROPPED): events until the next
        report are incomplete, so the state of the keys is read instead. A key that went down and up meanwhile does not
        count as pressed.
        """
        codes = self._codes
        if event.type == codes.EV_SYN and event.code == codes.SYN_DROPPED:
            self._overrun = True
        elif self._overrun and event.type == codes.EV_SYN and event.code == codes.SYN_REPORT:
            self._overrun = False
            self._resync()
        elif not self._overrun and event.type == codes.EV_KEY and event.value in PRESS_OR_RELEASE:
            return event.code, bool(event.value)
        return None

    def _resync(self) -> None:
        now = set(self._device.active_keys())
        self._pending.extend((code, False) for code in sorted(self._down - now))
        self._pending.extend((code, True) for code in sorted(now - self._down))

    def _report(self, code: int, down: bool) -> tuple[str, bool]:
        if down:
            self._down.add(code)
        else:
            self._down.discard(code)
        return self._key_name(code), down

    def _key_name(self, code: int) -> str:
        names = self._codes.KEY.get(code, f"KEY_{code}")
        return names if isinstance(names, str) else str(names[-1])


def input_devices() -> list[tuple[str, int]]:
    """The files of the input devices, with the times at which their permissions were set."""
    found = []
    for path in sorted(EVENTS.glob("event*")):
        with contextlib.suppress(OSError):  # the file has just disappeared
            found.append((path.name, path.stat().st_ctime_ns))
    return found


def open_keypad(path: str, last: str = "") -> EvdevKeypad:
    """Open the keypad at `path`, or find one if `path` is empty; `last` is the previous keypad's name.

    Raises:
        DeviceError: evdev is missing, no keypad is found, several match, permission is missing, or another program
            holds the keypad.
    """
    try:
        evdev = importlib.import_module("evdev")
    except ImportError as error:
        raise DeviceError("keypad_no_evdev", command=install_command("evdev>=1.6", "python3-evdev")) from error
    device = _open(evdev, path) if path else _find(evdev, last)
    try:
        return EvdevKeypad(evdev, device)
    except OSError as error:
        device.close()
        raise DeviceError("keypad_held", path=device.path, error=error.strerror) from error


def _open(evdev: Any, path: str) -> Any:
    try:
        return evdev.InputDevice(path)
    except FileNotFoundError as error:
        raise DeviceError("keypad_missing", path=path) from error
    except PermissionError as error:
        raise DeviceError("keypad_forbidden", path=path) from error
    except OSError as error:
        raise DeviceError("keypad_other", path=path, error=error.strerror) from error


def _find(evdev: Any, last: str) -> Any:
    """The first device with digits and without letters; else the only device with digits, which may be a keyboard.

    If there was a keypad before, named `last`, a device with letters must have the same name.
    """
    files = sorted(EVENTS.glob("event*"))
    readable = [path for path in files if os.access(path, os.R_OK)]
    if files and not readable:
        raise DeviceError("keypads_forbidden", path=files[0])
    devices = [device for path in readable for device in _open_existing(evdev, path)]
    pads = [device for device in devices if _has_keys(evdev, device, DIGIT)]
    plain = [device for device in pads if not _has_keys(evdev, device, *LETTERS)]
    candidates = plain[:1] or [device for device in pads if not last or device.name == last]
    for device in devices:
        if candidates != [device]:
            device.close()
    if not candidates:
        raise DeviceError("keypad_not_found")
    if len(candidates) > 1:
        raise DeviceError("keypads_several", files=join_names([_stable_path(device.path) for device in candidates]))
    return candidates[0]


def _stable_path(path: str) -> str:
    """The device's `by-id` link, which is the same in every port; its path if it has no link."""
    links = sorted((EVENTS / "by-id").glob("*"))
    return str(next((link for link in links if link.resolve() == Path(path).resolve()), path))


def _open_existing(evdev: Any, path: Path) -> Iterator[Any]:
    """Open the device at `path`, unless it has just been unplugged."""
    with contextlib.suppress(OSError):
        yield evdev.InputDevice(str(path))


def _has_keys(evdev: Any, device: Any, *names: str) -> bool:
    """Whether a device has any of these keys."""
    codes, keys = evdev.ecodes.ecodes, device.capabilities().get(evdev.ecodes.EV_KEY, ())
    return any(codes[name] in keys for name in names)
