"""The keys of a keypad on USB or Bluetooth, as Linux tells them (evdev); one thread waits, another may end that."""

import contextlib
import errno
import importlib
import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pegboard.errors import DeviceError

EVENTS = Path("/dev/input")
"""Where Linux keeps a file for each input device."""

PRESS_OR_RELEASE = (1, 0)
"""Values of a key's event; 2 is a repeat."""

ONCE = (1).to_bytes(8, sys.byteorder)
"""What is written to an eventfd to wake whoever waits for it."""

NO_EVDEV = "the keypad needs evdev; install it: apt install python3-evdev, or pip install 'pegboard[keypad]'"

NOT_PERMITTED = "may not be read; add the user to the group input"


class EvdevKeys:
    """A keypad that is read by nobody else meanwhile: its digits go into no terminal.

    Attributes:
        name: what the keypad calls itself.
    """

    def __init__(self, evdev: Any, device: Any) -> None:
        device.grab()
        self.name = str(device.name)
        self._codes = evdev.ecodes
        self._device = device
        self._ended = os.fdopen(os.eventfd(0), "r+b", buffering=0)
        self._news = select.poll()
        self._news.register(device.fd, select.POLLIN)
        self._news.register(self._ended, select.POLLIN)

    def read(self) -> tuple[str, bool]:
        """Wait for the next key: its name, such as "KEY_KP7", and whether it went down; a repeat is none.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """
        while True:
            event = self._device.read_one() or self._awaited()
            if event and event.type == self._codes.EV_KEY and event.value in PRESS_OR_RELEASE:
                return self._called(event.code), bool(event.value)

    def close(self) -> None:
        """Let go of the keypad; a `read` that waits ends with an `OSError`."""
        self._ended.write(ONCE)

    def _awaited(self) -> Any:
        """The next event, or None. Files are freed here alone, so that none is freed while it is waited for."""
        if (self._ended.fileno(), select.POLLIN) in self._news.poll():
            self._device.close()
            raise OSError(errno.EBADF, "the keypad has been closed")
        return self._device.read_one()

    def _called(self, code: int) -> str:
        names = self._codes.KEY.get(code, f"KEY_{code}")
        return names if isinstance(names, str) else str(names[-1])


def open_keypad(path: str) -> EvdevKeys:
    """The keypad with that file, or where none is named the first one that is found.

    Raises:
        DeviceError: evdev is missing, or there is no such keypad, or no permission, or another program holds it.
    """
    try:
        evdev = importlib.import_module("evdev")
    except ImportError as error:
        raise DeviceError(NO_EVDEV) from error
    device = _opened(evdev, path) if path else _found(evdev)
    try:
        return EvdevKeys(evdev, device)
    except OSError as error:
        device.close()
        raise DeviceError(
            f"the keypad {device.path} is held by another program ({error.strerror}); end that"
        ) from error


def _opened(evdev: Any, path: str) -> Any:
    try:
        return evdev.InputDevice(path)
    except FileNotFoundError as error:
        raise DeviceError(f"there is no {path}; put the keypad in, or name another file in [keypad]") from error
    except PermissionError as error:
        raise DeviceError(f"{path} {NOT_PERMITTED}") from error
    except OSError as error:
        raise DeviceError(f"{path} is no keypad ({error.strerror}); name another file in [keypad]") from error


def _found(evdev: Any) -> Any:
    """A device that has digits and no letters, else one with digits."""
    files = sorted(EVENTS.glob("event*"))
    readable = [path for path in files if os.access(path, os.R_OK)]
    if files and not readable:
        raise DeviceError(f"{files[0]} and the others {NOT_PERMITTED}")
    devices = [device for path in readable for device in _there(evdev, path)]
    pads = [device for device in devices if _has(evdev, device, "KEY_KP1")]
    chosen = min(pads, key=lambda device: _has(evdev, device, "KEY_Q"), default=None)
    for device in devices:
        if device is not chosen:
            device.close()
    if chosen is None:
        raise DeviceError("no keypad is found; put one in, or name its file in [keypad]")
    return chosen


def _there(evdev: Any, path: Path) -> Iterator[Any]:
    """The device with that file, unless it has just been pulled out."""
    with contextlib.suppress(OSError):
        yield evdev.InputDevice(str(path))


def _has(evdev: Any, device: Any, key: str) -> bool:
    return evdev.ecodes.ecodes[key] in device.capabilities().get(evdev.ecodes.EV_KEY, ())
