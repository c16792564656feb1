"""The keys on the pins: every edge goes to the key machine, and what can be mended is mended now and then."""

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Any

import gpiozero

from hardware.backoff import FIRST_DELAY_S, next_delay
from hardware.buses import edge_watchdog
from hardware.interfaces import Buses, KeyTarget
from hardware.keys.machine import KeyMachine, Timing
from hardware.keys.thread import KeyThread
from hardware.pin_assignment import Key, keys_of
from pegboard.config import Settings
from pegboard.devices.health import Health
from pegboard.errors import DeviceError

log = logging.getLogger(__name__)


class Buttons:
    """The keys on the pins. A key whose pin cannot be had takes no other with it, and is tried again now and then."""

    name = "keys"

    def __init__(
        self,
        settings: Settings,
        buses: Buses,
        target: KeyTarget,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Check the wiring. `clock` and `wall` give seconds, steady and since 1970.

        Raises:
            DeviceError: it cannot be wired like that.
        """
        self._keys = keys_of(settings)
        self._pull_up = settings.keys.pull_up
        self._buses = buses
        self._clock, self._wall = clock, wall
        self._ear = KeyThread(
            self.name, KeyMachine({key.name: key.means for key in self._keys}, Timing.of(settings.keys)), target
        )
        self._pins: Any = None
        self._no_pins: str | None = None
        self._lines: dict[Key, _Line] = {}  # gpiozero forgets a device that nobody refers to
        self._refused: dict[Key, str] = {}
        self._tries = 0
        self._patience_s, self._retry_at_s = FIRST_DELAY_S, -math.inf
        self._health = Health(self.name, _where(self._keys))
        self._lock = threading.Lock()
        self._listening = False

    @property
    def health(self) -> Health:
        """How the keys were when they were last mended."""
        return self._health

    def start(self) -> None:
        """Listen to every key that can be had; `health` says which cannot, and `mend` tries them again."""
        with self._lock:
            self._listening = True
            self._watch()
        self._ear.start()

    def mend(self) -> None:
        """Try again what is due, look at every line, and note how the keys are; asked for every few seconds."""
        with self._lock:
            if self._listening:
                self._watch()

    def close(self) -> None:
        """Stop listening, and give the pins back."""
        with self._lock:
            self._listening = False
            self._hang_up()
        self._ear.close()

    def _watch(self) -> None:
        try:
            self._mend()
        except Exception as error:  # noqa: BLE001 - lgpio's errors have no common base
            self._note(f"the keys cannot be heard ({_said(error)}); start pegboard again")
        else:
            self._note()

    def _mend(self) -> None:
        thread = edge_watchdog.thread_behind(self._pins)
        if edge_watchdog.is_dead(thread):
            self._start_over(thread)
        if len(self._lines) < len(self._keys) and self._clock() >= self._retry_at_s:
            self._listen_to_the_rest()
        self._look_again()

    def _start_over(self, thread: Any) -> None:
        """No edge is heard any more: give every line back, to claim it anew for another thread."""
        if self._health.ok:
            log.warning("the pins' thread has died, and every key with it; another one is begun")
        self._ear.gone()
        try:
            edge_watchdog.revive(thread)
        except Exception as error:
            raise DeviceError(f"the pins' thread has died, and no other one begins: {_said(error)}") from error
        self._hang_up()
        self._retry_at_s = -math.inf

    def _listen_to_the_rest(self) -> None:
        self._tries += 1
        self._retry_at_s = self._clock() + self._patience_s
        self._patience_s = next_delay(self._patience_s)
        try:
            self._pins = self._pins or self._buses.pins()
        except DeviceError as error:
            self._no_pins = str(error)
            return
        self._no_pins, self._refused = None, {}
        for key in self._keys:
            if key not in self._lines:
                self._listen(key)
        if not self._refused:
            self._tries, self._patience_s = 0, FIRST_DELAY_S

    def _listen(self, key: Key) -> None:
        try:
            line = _Line(key, self._pins, self._ear, pull_up=self._pull_up)
        except Exception as error:  # noqa: BLE001 - lgpio's errors ("GPIO busy") have no common base
            self._refused[key] = _said(error)
            return
        self._lines[key] = line
        if line.is_down():
            self._ear.found_down(key.name)

    def _look_again(self) -> None:
        """An edge may have been lost."""
        for key, line in self._lines.items():
            self._ear.look(key.name, line.is_down)

    def _hang_up(self) -> None:
        while self._lines:
            self._lines.popitem()[1].close()

    def _note(self, fault: str | None = None) -> None:
        stuck = [f"the key {name} is stuck and ignored; free it, or look at its wire" for name in self._ear.stuck]
        causes = (fault, self._ear.fault, self._no_pins, _in_words(self._refused), *stuck)
        troubles = [trouble for trouble in causes if trouble]
        old, sentence = self._health, "; ".join(troubles)
        if not troubles:
            self._health = replace(old, ok=True, failing_since=None, retries=0)
            return
        self._health = replace(
            old,
            ok=False,
            failing_since=self._wall() if old.failing_since is None else old.failing_since,
            trouble=sentence,
            retries=max(0, self._tries - 1),
            errors=old.errors + (old.ok or old.trouble != sentence),
        )


class _Line:
    """A key's line; each of its edges is heard."""

    def __init__(self, key: Key, pins: Any, ear: KeyThread, *, pull_up: bool) -> None:
        self._name, self._ear, self._pull_up = key.name, ear, pull_up
        self._device = gpiozero.InputDevice(key.pin, pull_up=pull_up, pin_factory=pins)
        try:
            self._device.pin.bounce = None
            self._device.pin.edges = "both"
            self._device.pin.when_changed = self._changed
        except BaseException:
            self._device.close()
            raise

    def is_down(self) -> bool:
        """Whether the key is down now."""
        return bool(self._device.is_active)

    def close(self) -> None:
        """Give the pin back."""
        with contextlib.suppress(Exception):  # what is broken may break again
            self._device.pin.when_changed = None  # or lgpio's pin believes for ever that its edges are heard
            self._device.close()

    def _changed(self, at_s: float, level: int) -> None:
        self._ear.hear(self._name, down=bool(level) != self._pull_up, at_s=at_s)


def _where(keys: tuple[Key, ...]) -> str:
    return f"pins BCM {', '.join(str(key.pin) for key in keys)}"


def _said(error: Exception) -> str:
    """An error's words; lgpio's own say them in quotes, and gpiozero's name an object where pegboard has the pin."""
    if isinstance(error, gpiozero.GPIOPinInUse):
        return "already in use"
    return str(getattr(error, "value", error)) or type(error).__name__


def _in_words(refused: dict[Key, str]) -> str:
    """One sentence for all keys that were refused for the same reason."""
    by_reason = groupby(sorted(refused, key=refused.__getitem__), key=refused.__getitem__)
    return "; ".join(_cannot(list(keys), reason) for reason, keys in by_reason)


def _cannot(keys: list[Key], reason: str) -> str:
    names, pins = ", ".join(key.name for key in keys), ", ".join(str(key.pin) for key in keys)
    if len(keys) == 1:
        return (
            f"the key {names} cannot use pin BCM {pins} ({reason}); end whatever else uses the pin, "
            "or give the key another in [keys]"
        )
    return (
        f"the keys {names} cannot use pins BCM {pins} ({reason}); end whatever else uses the pins, "
        "or give the keys others in [keys]"
    )
