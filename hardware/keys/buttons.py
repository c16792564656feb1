"""Button input on GPIO pins: posts edge events to the key thread, retries lost pins with backoff, reports health."""

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Any, Protocol

import gpiozero

from hardware.buses.gpiod_edges import EdgeDelivery, edge_thread_of
from hardware.interfaces import Buses, KeyTarget
from hardware.keys.debounce import Timing
from hardware.keys.machine import KeyMachine
from hardware.keys.thread import KeyThread
from hardware.pin_assignment import Key, wired_keys
from pegboard.config import Settings
from pegboard.devices.health import FIRST_DELAY_S, Health, join_faults, next_delay
from pegboard.errors import DeviceError
from pegboard.messages import Message
from pegboard.watchdog import Span, Watchable

log = logging.getLogger(__name__)

READ_S = 0.05
"""Seconds that the key thread waits for pins that are being opened or closed."""


class Buttons(Watchable):
    """The keys on GPIO pins. A pin that cannot be claimed affects only its own key, and is retried with a backoff.

    Attributes:
        health: the state of the keys after the last call of `start` or `mend`.
    """

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
        """Check the pin assignment. `clock` gives monotonic seconds, `wall` seconds since 1970.

        Raises:
            DeviceError: the keys cannot use these pins.
        """
        self._keys = wired_keys(settings)
        self._pull_up = settings.keys.pull_up
        self._buses = buses
        self._clock, self._wall = clock, wall
        self._key_thread = KeyThread(
            self.name,
            KeyMachine(
                {key.name: key.role for key in self._keys},
                Timing.from_settings(settings.keys),
                target.is_asking_new_game,
                target.is_asking_power_off,
            ),
            target,
            self,
        )
        self._factory: Any = None
        self._factory_error: Message | None = None
        self._pins_by_key: dict[Key, KeyPin] = {}  # gpiozero drops a device without references
        self._refused: dict[Key, str] = {}
        self._tries = 0
        self._retry_delay_s, self._retry_at_s = FIRST_DELAY_S, -math.inf
        self.health = Health(self.name, _pin_list(self._keys))
        self._lock = threading.Lock()
        self._is_started = False

    def start(self) -> None:
        """Listen to every key whose pin can be claimed; `health` names the others, and `mend` retries them."""
        with self._lock:
            self._is_started = True
            self._repair_safely()
        self._key_thread.start()

    def mend(self) -> None:
        """Claim pins whose retry is due, poll every level, and update the health; called every few seconds."""
        with self._lock:
            if self._is_started:
                self._repair_safely()

    def current_span(self) -> Span | None:
        """What the key thread is doing, for the watchdog."""
        return self._key_thread.current_span()

    def keys_down(self) -> list[Key]:
        """The keys that are down now."""
        with self._lock:
            return [key for key, pin in self._pins_by_key.items() if pin.is_down()]

    def deliver_edges(self) -> bool:
        """Post every edge so far. Returns whether that worked."""
        thread = edge_thread_of(self._factory)
        try:
            return thread is None or thread.deliver()
        except Exception:  # noqa: BLE001 - lgpio's thread may be replaced meanwhile, which closes its pipe
            return False

    def is_down(self, key: str) -> bool | None:
        """Whether the key of that name is down now; None if its pin cannot be read."""
        if not self._lock.acquire(timeout=READ_S):  # pins are being opened or closed
            return None
        try:
            return next((pin.is_down() for one, pin in self._pins_by_key.items() if one.name == key), None)
        except Exception:  # noqa: BLE001 - a broken pin may raise anything
            return None
        finally:
            self._lock.release()

    def close(self) -> None:
        """Stop listening, and close the pins. The key thread ends first because it may be about to read the pins."""
        with self._lock:
            self._is_started = False
        self._key_thread.close()
        with self._lock:
            self._close_pins()

    def _repair_safely(self) -> None:
        try:
            self._mend()
        except Exception as error:  # noqa: BLE001 - lgpio's errors have no common base
            self._update_health(Message("keys_unheard", reason=_reason_of(error)))
        else:
            self._update_health()

    def _mend(self) -> None:
        thread = edge_thread_of(self._factory)
        if thread is not None and thread.is_dead:
            self._restart_edges(thread)
        if len(self._pins_by_key) < len(self._keys) and self._clock() >= self._retry_at_s:
            self._claim_missing_pins()
        self._key_thread.poll_levels()

    def _restart_edges(self, thread: EdgeDelivery) -> None:
        """Replace the dead edge thread, and close every pin: only pins claimed again have their edges delivered."""
        if self.health.ok:
            log.warning("the pin thread died, and every key with it; starting another")
        self._key_thread.release_all()
        try:
            thread.revive()
        except Exception as error:
            raise DeviceError("pins_thread_died", error=_reason_of(error)) from error
        self._close_pins()
        self._retry_at_s = -math.inf

    def _claim_missing_pins(self) -> None:
        self._tries += 1
        self._retry_at_s = self._clock() + self._retry_delay_s
        self._retry_delay_s = next_delay(self._retry_delay_s)
        try:
            self._factory = self._factory or self._buses.pins()
        except DeviceError as error:
            self._factory_error = error.message
            return
        self._factory_error, self._refused = None, {}
        for key in self._keys:
            if key not in self._pins_by_key:
                self._open(key)
        if not self._refused:
            self._tries, self._retry_delay_s = 0, FIRST_DELAY_S

    def _open(self, key: Key) -> None:
        try:
            pin = KeyPin(key, self._factory, self._key_thread, pull_up=self._pull_up)
        except Exception as error:  # noqa: BLE001 - lgpio's errors ("GPIO busy") have no common base
            self._refused[key] = _reason_of(error)
            return
        self._pins_by_key[key] = pin
        if pin.is_down():
            self._key_thread.down_at_start(key.name)

    def _close_pins(self) -> None:
        while self._pins_by_key:
            self._pins_by_key.popitem()[1].close()

    def _update_health(self, fault: str | None = None) -> None:
        stuck = [Message("key_stuck_wire", key=name) for name in self._key_thread.stuck_keys]
        causes = (fault, self._key_thread.fault, self._factory_error, _refusal_text(self._refused), *stuck)
        troubles = [trouble for trouble in causes if trouble]
        old, sentence = self.health, join_faults(troubles)
        if not troubles:
            self.health = replace(old, ok=True, failing_since=None, retries=0)
            return
        self.health = replace(
            old,
            ok=False,
            failing_since=self._wall() if old.failing_since is None else old.failing_since,
            trouble=sentence,
            retries=max(0, self._tries - 1),
            errors=old.errors + (old.ok or old.trouble != sentence),
        )


class EdgeReceiver(Protocol):
    """A receiver of the edges of key pins."""

    def post_edge(self, name: str, *, down: bool, at_s: float | None = None) -> None:
        """Receive an edge of a key, at `at_s` seconds of the monotonic clock; None means now."""


class KeyPin:
    """The pin of a key; each of its edges is posted to the key thread.

    Raises:
        Exception: the pin cannot be claimed; lgpio's errors have no common base class.
    """

    def __init__(self, key: Key, pins: Any, key_thread: EdgeReceiver, *, pull_up: bool) -> None:
        self._name, self._key_thread, self._pull_up = key.name, key_thread, pull_up
        self._device = gpiozero.InputDevice(key.pin, pull_up=pull_up, pin_factory=pins)
        try:
            self._device.pin.bounce = None
            self._device.pin.edges = "both"
            self._device.pin.when_changed = self._post_edge
        except BaseException:
            self._device.close()
            raise

    def is_down(self) -> bool:
        """Whether the key is down now."""
        return bool(self._device.is_active)

    def close(self) -> None:
        """Close the pin."""
        with contextlib.suppress(Exception):  # a broken pin may fail again
            self._device.pin.when_changed = None  # else lgpio's pin believes forever that its edges are delivered
            self._device.close()

    def _post_edge(self, at_s: float, level: int) -> None:
        self._key_thread.post_edge(self._name, down=bool(level) != self._pull_up, at_s=at_s)


def _pin_list(keys: tuple[Key, ...]) -> str:
    return Message("device_pins", pins=", ".join(str(key.pin) for key in keys))


def _reason_of(error: Exception) -> str:
    """The text of an error; `str` puts lgpio's texts in quotes, and gpiozero's name an object instead of the pin."""
    if isinstance(error, gpiozero.GPIOPinInUse):
        return "already in use"
    if isinstance(error, DeviceError):
        return error.message
    return str(getattr(error, "value", error)) or type(error).__name__


def _refusal_text(refused: dict[Key, str]) -> str:
    """One sentence for each reason, with all keys that were refused for that reason."""
    by_reason = groupby(sorted(refused, key=refused.__getitem__), key=refused.__getitem__)
    return join_faults([_refusal_of(list(keys), reason) for reason, keys in by_reason])


def _refusal_of(keys: list[Key], reason: str) -> str:
    names, pins = ", ".join(key.name for key in keys), ", ".join(str(key.pin) for key in keys)
    return Message("key_pin_refused" if len(keys) == 1 else "key_pins_refused", keys=names, pins=pins, reason=reason)
