"""The keys that can be pressed on the bench: those on GPIO pins and those of the keypad."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from hardware.keys.keypad import keypad_roles
from hardware.pin_assignment import LANES, Key, wired_keys
from hardware.simulator.buses import SimulatedBuses
from pegboard.config import KeypadSettings, Settings
from pegboard.core.view import View
from pegboard.errors import DeviceError, RuleError

Json: TypeAlias = dict[str, Any]

LETTERS = ("ASDF", "JKL", "VBNM")
"""Letters of a computer's keyboard for each lane's keys."""

SHARED_LETTERS = {"undo": "U", "deal": "G"}

KEYPAD = "keypad "
"""A prefix for keys of the keypad whose name a key on a pin has, too."""


@dataclass(frozen=True, slots=True)
class BenchKey:
    """A key that can be pressed.

    Attributes:
        name: its name in requests.
        lane: whose it is; None where it is everybody's.
        points: what a press adds, or 0.
        letter: the letter that presses it on a computer's keyboard, or none.
        contact: its pin, or its name on the keypad.
    """

    name: str
    lane: int | None
    points: int
    letter: str
    contact: int | str


class BenchKeys:
    """All of them. `view` returns the newest view."""

    def __init__(self, settings: Settings, buses: SimulatedBuses, view: Callable[[], View]) -> None:
        self._buses = buses
        self._view = view
        self._keys = {key.name: key for key in (*_pin_keys(settings), *_keypad_keys(settings.keypad))}

    def move(self, name: str, level: str) -> None:
        """Push a key "down", or let it go "up".

        Raises:
            RuleError: there is no such key or level.
        """
        key = self._require_known(name)
        if level not in {"down", "up"}:
            raise RuleError("bench_level", level=repr(level))
        verb = {"down": self._buses.press, "up": self._buses.release}[level]
        verb(key.contact, self._label(key))

    def keys_json(self) -> list[Json]:
        """The keys of the running game's lanes, and everybody's."""
        lanes = len(self._view().game.lanes)
        return [self._key_json(key) for key in self._keys.values() if key.lane is None or key.lane < lanes]

    def _key_json(self, key: BenchKey) -> Json:
        return {
            "key": key.name,
            "lane": key.lane,
            "points": key.points,
            "letter": key.letter,
            "down": self._buses.is_down(key.contact),
        }

    def _label(self, key: BenchKey) -> str:
        if key.lane is None:
            return key.name.upper()
        game = self._view().game
        names = [name for seat, name in enumerate(game.players) if game.rules.lane_of(seat) == key.lane]
        what = f"+{key.points}" if key.points else "ENTER"
        return f"{' and '.join(names) or key.name} {what}"

    def _require_known(self, name: str) -> BenchKey:
        if name not in self._keys:
            raise RuleError("bench_no_key", key=repr(name), known=", ".join(self._keys))
        return self._keys[name]


def _pin_keys(settings: Settings) -> list[BenchKey]:
    """Those on the pins; none where they cannot be wired as they are set."""
    try:
        keys = wired_keys(settings)
    except DeviceError:
        return []
    return [_pin_key(key, keys) for key in keys]


def _pin_key(key: Key, keys: tuple[Key, ...]) -> BenchKey:
    if key.lane is None:
        return BenchKey(key.name, None, 0, SHARED_LETTERS[key.name], key.pin)
    own = [other.name for other in keys if other.lane == key.lane].index(key.name)
    return BenchKey(key.name, key.lane, key.points, LETTERS[key.lane][own : own + 1], key.pin)


def _keypad_keys(own: KeypadSettings) -> Iterator[BenchKey]:
    """The keys of the keypad, if there is one and its settings can work."""
    try:
        keypad_roles(own)
    except DeviceError:
        return
    if not own.enabled:
        return
    yield from (BenchKey(str(digit), None, 0, str(digit), f"KEY_KP{digit}") for digit in range(10))
    yield from (BenchKey(f"enter {LANES[lane]}", lane, 0, "", contact) for lane, contact in enumerate(own.enters))
    yield BenchKey(f"{KEYPAD}undo", None, 0, "", own.undo)
    yield BenchKey(f"{KEYPAD}deal", None, 0, "", own.deal)
