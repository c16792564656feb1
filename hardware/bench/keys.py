"""The keys of the bench: those on the pins and those of the keypad, for a finger on a page."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from hardware.keys.keypad import keypad_roles
from hardware.pin_assignment import Key, wired_keys
from hardware.simulator.buses import SimulatedBuses
from pegboard.config import KeypadSettings, Settings
from pegboard.core.view import View
from pegboard.errors import DeviceError, RuleError

Json: TypeAlias = dict[str, Any]

LETTERS = ("ASDF", "JKL", "VBNM")
"""Letters of a computer's keyboard for each lane's keys."""

SHARED_LETTERS = {"undo": "U", "deal": "G"}

KEYPAD = "keypad "
"""Before the name of a key of the keypad that has a namesake on the pins."""


@dataclass(frozen=True, slots=True)
class Switch:
    """Something to press.

    Attributes:
        name: what it is asked for by.
        lane: whose it is; None where it is everybody's.
        points: what a press adds, or 0.
        letter: the letter that presses it on a computer's keyboard, or none.
        line: the pin, or the name of the keypad's key.
    """

    name: str
    lane: int | None
    points: int
    letter: str
    line: int | str


class Switchboard:
    """Every key that can be pressed on the bench. `view` answers with the newest view."""

    def __init__(self, settings: Settings, buses: SimulatedBuses, view: Callable[[], View]) -> None:
        self._buses = buses
        self._view = view
        self._switches = [*_of_the_pins(settings), *_of_the_keypad(settings.keypad)]

    def move(self, name: str, level: str) -> None:
        """Push a key "down", or let it go "up".

        Raises:
            RuleError: there is no such key or level.
        """
        switch = self._named(name)
        if level not in {"down", "up"}:
            raise RuleError(f"a key goes 'down' or 'up', not {level!r}")
        verb = {"down": self._buses.press, "up": self._buses.release}[level]
        verb(switch.line, self._called(switch))

    def shown(self) -> list[Json]:
        """The keys of the running game's lanes, and everybody's."""
        lanes = len(self._view().game.lanes)
        return [self._shown(switch) for switch in self._switches if switch.lane is None or switch.lane < lanes]

    def _shown(self, switch: Switch) -> Json:
        return {
            "key": switch.name,
            "lane": switch.lane,
            "points": switch.points,
            "letter": switch.letter,
            "down": self._buses.is_down(switch.line),
        }

    def _called(self, switch: Switch) -> str:
        if switch.lane is None:
            return switch.name.upper()
        game = self._view().game
        names = [name for seat, name in enumerate(game.players) if game.rules.lane_of(seat) == switch.lane]
        what = f"+{switch.points}" if switch.points else "ENTER"
        return f"{' and '.join(names) or switch.name} {what}"

    def _named(self, name: str) -> Switch:
        for switch in self._switches:
            if switch.name == name:
                return switch
        raise RuleError(f"there is no key {name!r}; there are {', '.join(switch.name for switch in self._switches)}")


def _of_the_pins(settings: Settings) -> list[Switch]:
    """Those on the pins; none where they cannot be wired as they are set."""
    try:
        keys = wired_keys(settings)
    except DeviceError:
        return []
    return [_of_a_key(key, keys) for key in keys]


def _of_a_key(key: Key, keys: tuple[Key, ...]) -> Switch:
    if key.lane is None:
        return Switch(key.name, None, 0, SHARED_LETTERS[key.name], key.pin)
    own = [other.name for other in keys if other.lane == key.lane].index(key.name)
    return Switch(key.name, key.lane, key.points, LETTERS[key.lane][own : own + 1], key.pin)


def _of_the_keypad(own: KeypadSettings) -> Iterator[Switch]:
    """Those of the keypad, if there is one that can be used as it is set."""
    try:
        keypad_roles(own)
    except DeviceError:
        return
    if not own.enabled:
        return
    for digit in range(10):
        yield Switch(str(digit), None, 0, str(digit), f"KEY_KP{digit}")
    for lane, line in enumerate(own.enters):
        yield Switch(f"enter {'abc'[lane]}", lane, 0, "", line)
    yield Switch(f"{KEYPAD}undo", None, 0, "", own.undo)
    yield Switch(f"{KEYPAD}deal", None, 0, "", own.deal)
