"""Numeric keypad input, USB or Bluetooth: key roles from the settings, reading thread, reconnection when replugged."""

import contextlib
import difflib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from string import ascii_uppercase, digits

from hardware.interfaces import Buses, KeyReader, KeyTarget
from hardware.key_roles_and_actions import DealKey, DigitKey, EnterKey, KeyRole, UndoKey
from hardware.keys.debounce import Timing
from hardware.keys.machine import KeyMachine
from hardware.keys.thread import KeyThread
from hardware.pin_assignment import LANES
from pegboard.config import KeypadSettings, Settings
from pegboard.devices.health import FIRST_DELAY_S, Health, join_faults, next_delay
from pegboard.errors import DeviceError
from pegboard.messages import Message
from pegboard.watchdog import Span, Watchable

log = logging.getLogger(__name__)

BLOCK_KEYS = "ENTER PLUS MINUS DOT SLASH ASTERISK COMMA EQUAL PLUSMINUS LEFTPAREN RIGHTPAREN"
"""Linux's names of the keypad block's keys other than digits, each after KP."""

MAIN_KEYS = """
    ENTER BACKSPACE TAB ESC SPACE DELETE INSERT HOME END PAGEUP PAGEDOWN UP DOWN LEFT RIGHT NUMLOCK CALC MUTE MINUS
    EQUAL DOT COMMA SLASH BACKSLASH SEMICOLON APOSTROPHE LEFTBRACE RIGHTBRACE VOLUMEUP VOLUMEDOWN
    F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12
"""

KEY_NAMES = frozenset(
    f"KEY_{name}"
    for name in (
        *(f"KP{name}" for name in (*BLOCK_KEYS.split(), *digits)),
        *digits,
        *ascii_uppercase,
        *MAIN_KEYS.split(),
    )
)
"""The keys of keypads and keyboards, by their Linux names (linux/input-event-codes.h)."""

LOOK_S = 0.5
"""Seconds within which a new input device is noticed."""

TWINS = ("ENTER", "MINUS", "DOT", "SLASH")
"""Keypad keys that some keypads report as main-keyboard keys."""

DIGITS: dict[str, KeyRole] = {f"KEY_{block}{digit}": DigitKey(digit) for block in ("KP", "") for digit in range(10)}
"""The roles of the keypad's digits, and of the main keyboard's digits, which some keypads report instead."""


class Keypad(Watchable):
    """The keypad: digits build an amount, and a player's ENTER pegs it.

    One thread waits for key events, or for the return of the keypad; another thread runs the key machine.
    """

    name = "keypad"

    def __init__(
        self,
        settings: Settings,
        buses: Buses,
        target: KeyTarget,
        *,
        wall: Callable[[], float] = time.time,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """Check the settings. `wall` gives seconds since 1970; `pause` waits a number of seconds before the next try.

        Raises:
            DeviceError: a key has two roles or does not exist, there are too few or many ENTERs, or a key would count
                as stuck before it counts as held.
        """
        self._keys = keypad_roles(settings.keypad)
        self._device, self._last = settings.keypad.device, ""
        self._buses = buses
        # The keypad debounces its own contacts, so its keys have no lock-out.
        timing = replace(Timing.from_settings(settings.keys), lockout=0, late=0)
        asks = target.is_asking_new_game, target.is_asking_power_off
        machine = KeyMachine(self._keys, timing, *asks, types_code=target.is_typing_code)
        self._key_thread = KeyThread(f"{self.name} keys", machine, target)
        self._wall = wall
        self._closing = threading.Event()
        self._pause = pause or self._wait_for_change
        self._retry_delay_s = FIRST_DELAY_S
        self._reader: KeyReader | None = None
        self._seen_devices: object = None
        self._health = Health(self.name, self._device or "first keypad found")
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)

    @property
    def health(self) -> Health:
        """The health of the keypad; a stuck key counts as a fault."""
        stuck = [Message("key_stuck", key=name) for name in self._key_thread.stuck_keys]
        health, troubles = self._health, [self._key_thread.fault] if self._key_thread.fault else stuck
        if not troubles or not health.ok:
            return health
        return replace(health, ok=False, trouble=join_faults(troubles))

    def start(self) -> None:
        """Listen to the keypad; if it is missing, wait for it and say so in `health`."""
        self._key_thread.start()
        self._thread.start()

    def current_span(self) -> Span | None:
        """What the key thread is doing, for the watchdog."""
        return self._key_thread.current_span()

    def close(self) -> None:
        """Stop listening."""
        self._closing.set()
        self._close_reader()
        if self._thread.is_alive():
            self._thread.join(timeout=1)
        self._key_thread.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._read_keys()
            except Exception as error:  # noqa: BLE001 - after any error, the keypad may come back
                if not self._closing.is_set():
                    self._mark_failed(error)
                    self._pause(self._retry_delay_s)
                    self._retry_delay_s = next_delay(self._retry_delay_s)

    def _read_keys(self) -> None:
        """Open the keypad and read its keys until it is gone."""
        self._seen_devices = self._buses.input_devices()
        self._reader = reader = self._buses.keypad(self._device, self._last)
        try:
            self._last = reader.name
            self._mark_ok(reader.name)
            while not self._closing.is_set():
                key, down = reader.read()
                if key in self._keys:
                    self._key_thread.post_edge(key, down=down)
        finally:
            self._close_reader()
            self._key_thread.release_all()

    def _wait_for_change(self, seconds: float) -> None:
        """Wait until the next try; end early if the input devices have changed, since the keypad may be back."""
        end_s = time.monotonic() + seconds
        while self._buses.input_devices() == self._seen_devices and (rest_s := end_s - time.monotonic()) > 0:
            if self._closing.wait(min(LOOK_S, rest_s)):
                return

    def _close_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            with contextlib.suppress(Exception):  # a device that is gone may raise again
                reader.close()

    def _mark_ok(self, about: str) -> None:
        if not self._health.ok:
            log.info("the keypad works again")
        self._retry_delay_s = FIRST_DELAY_S
        self._health = self._health.mark_ok(about)

    def _mark_failed(self, error: Exception) -> None:
        if self._health.ok:
            log.warning("the keypad cannot be read: %s", error)
        self._health = self._health.mark_failed(_error_sentence(error), self._wall())


def keypad_roles(own: KeypadSettings) -> dict[str, KeyRole]:
    """The role of each key, by the key's Linux name.

    Raises:
        DeviceError: a key has two roles or does not exist, or there are too few or many ENTERs.
    """
    if not 1 <= len(own.enters) <= len(LANES):
        raise DeviceError("device_keypad_enters", "keypad.enters", most=len(LANES), number=len(own.enters))
    uses: list[tuple[str, KeyRole, str]] = [(key, EnterKey(lane), "enters") for lane, key in enumerate(own.enters)]
    uses += [(own.undo, UndoKey(), "undo"), (own.deal, DealKey(), "deal")]
    keys = dict(DIGITS)
    for key, role, setting in uses:
        if key not in KEY_NAMES:
            near = difflib.get_close_matches(key, KEY_NAMES, 1) or ["KEY_KPENTER"]
            raise DeviceError("device_keypad_key", f"keypad.{setting}", key=repr(key), such=near[0])
        if key in keys:
            raise DeviceError(
                "device_keypad_twice", f"keypad.{setting}", key=key, one=role_name(keys[key]), other=role_name(role)
            )
        keys[key] = role
    for name in TWINS:
        for key, twin in ((f"KEY_KP{name}", f"KEY_{name}"), (f"KEY_{name}", f"KEY_KP{name}")):
            if key in keys:
                keys.setdefault(twin, keys[key])
    return keys


def role_name(role: KeyRole) -> str:
    """The name of a keypad key's role."""
    match role:
        case DigitKey(digit):
            return Message("device_keypad_digit", digit=digit)
        case EnterKey(lane):
            return Message("device_keypad_enter", lane=LANES[lane])
        case UndoKey():
            return "UNDO"
    return "DEAL"


def _error_sentence(error: Exception) -> str:
    if isinstance(error, OSError):
        return Message("keypad_unplugged", reason=error.strerror or error)
    return str(error) or type(error).__name__
