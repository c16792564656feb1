"""The bench: everything the stand-ins show and every key they have, for a page with nothing wired."""

import base64
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from hardware.standin.chain import Fault
from hardware.standin.plug import Plug
from hardware.standin.wires import Passed, StandInWires
from hardware.strip import Strip
from hardware.window import Window
from hardware.wiring import Key, keys_of
from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.errors import RuleError

Json: TypeAlias = dict[str, Any]

LETTERS = ("ASDF", "JKL", "VBNM")
"""Letters of a computer's keyboard for each lane's keys."""

SHARED_LETTERS = {"undo": "U", "deal": "G"}


@dataclass(slots=True)
class _Write:
    """What a display's last try put on the wire, and where its plug's counters stood after it."""

    bytes: int = 0
    ms: float = 0.0
    seen_bytes: int = 0
    seen_ns: int = 0


class Bench:
    """What the stand-ins' page is given. `view` answers with the newest view."""

    def __init__(
        self, settings: Settings, wires: StandInWires, windows: Iterable[Window], view: Callable[[], View]
    ) -> None:
        self._wires = wires
        self._view = view
        self._budget_ma = settings.strip.budget_ma
        self._map = Strip(settings, wires)
        self._keys = keys_of(settings)
        self._windows = {window.health.name: window for window in windows if window.health.name in _plugs(wires)}
        self._writes = {name: _Write() for name in self._windows}
        self._watchers: tuple[Callable[[], None], ...] = ()
        for name, window in self._windows.items():
            window.watch(partial(self._tried, name))

    def press(self, key: str, level: str) -> None:
        """Push a key "down", or let it go "up".

        Raises:
            RuleError: there is no such key or level.
        """
        moved = self._key(key)
        if level == "down":
            self._wires.press(moved.pin, self._called(moved))
        elif level == "up":
            self._wires.release(moved.pin, self._called(moved))
        else:
            raise RuleError(f"a key goes 'down' or 'up', not {level!r}")
        self._changed()

    def plug(self, device: str, plugged: bool) -> None:
        """Put a device's plug in, or pull it.

        Raises:
            RuleError: there is no such device.
        """
        if device not in self._windows:
            raise RuleError(f"there is no device {device!r} on the bench; there are {', '.join(self._windows)}")
        self._wires.plug(device, plugged)
        self._windows[device].wake(self._view())
        self._changed()

    def follow(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher`, which may only wake somebody, when anything visible has changed.

        The returned function ends that.
        """
        self._watchers = (*self._watchers, watcher)

        def leave() -> None:
            self._watchers = tuple(w for w in self._watchers if w is not watcher)

        return leave

    def picture(self) -> Json:
        """Everything that is to be seen, ready for JSON."""
        lanes = len(self._view().game.lanes)
        rgb, trouble = self._colours()
        return {
            "panel": self._panel(),
            "strip": {
                "rgb": bytes(value for led in rgb for value in led).hex(),
                "lanes": [list(places) for places in self._map.layout_for(lanes).lanes[:lanes]],
                "start": [list(places) for places in self._map.layout_for(lanes).start[:lanes]],
            },
            "devices": [self._device(name, rgb, trouble) for name in self._windows],
            "keys": [self._shown_key(key) for key in self._keys if key.lane is None or key.lane < lanes],
            "lines": [_line(passed) for passed in list(self._wires.passed)],
        }

    def _panel(self) -> Json:
        chip, plugged = self._wires.chip, self._wires.panel.plugged
        width, height = chip.size
        return {
            "width": width,
            "height": height,
            "on": chip.on and plugged,
            "contrast": chip.contrast,
            "bits": base64.b64encode(_packed(self._wires.pixels())).decode(),
        }

    def _colours(self) -> tuple[Sequence[tuple[int, int, int]], str | None]:
        try:
            return self._wires.colours(), None
        except Fault as fault:
            return [], str(fault)

    def _device(self, name: str, rgb: Sequence[tuple[int, int, int]], trouble: str | None) -> Json:
        health, write, plug = self._windows[name].health, self._writes[name], _plugs(self._wires)[name]
        sick = trouble if name == Strip.name and trouble else None if health.ok else health.trouble
        return {
            "name": name,
            "about": health.about,
            "plugged": plug.plugged,
            "ok": sick is None,
            "trouble": sick,
            "last_bytes": write.bytes,
            "last_ms": round(write.ms, 2),
            "frames": health.frames,
            "errors": health.errors,
            "extra": {"current": self._current(rgb)} if name == Strip.name else {},
        }

    def _current(self, rgb: Sequence[tuple[int, int, int]]) -> str:
        return f"{self._map.current(rgb) / 1000:.2f} of {self._budget_ma / 1000:.1f} A"

    def _shown_key(self, key: Key) -> Json:
        down = self._wires.hand.is_down(key.pin)
        if key.lane is None:
            return {"key": key.name, "lane": None, "points": 0, "letter": SHARED_LETTERS[key.name], "down": down}
        own = [k.name for k in self._keys if k.lane == key.lane].index(key.name)
        letter = LETTERS[key.lane][own : own + 1]
        return {"key": key.name, "lane": key.lane, "points": key.points, "letter": letter, "down": down}

    def _called(self, key: Key) -> str:
        if key.lane is None:
            return key.name.upper()
        game = self._view().game
        names = [name for seat, name in enumerate(game.players) if game.rules.lane_of(seat) == key.lane]
        return f"{' and '.join(names) or key.name} +{key.points}"

    def _key(self, name: str) -> Key:
        for key in self._keys:
            if key.name == name:
                return key
        raise RuleError(f"there is no key {name!r}; there are {', '.join(key.name for key in self._keys)}")

    def _tried(self, name: str) -> None:
        """A display has tried to show something: what passed its plug since the last time was this try's."""
        plug, write = _plugs(self._wires)[name], self._writes[name]
        write.bytes, write.ms = plug.bytes - write.seen_bytes, (plug.ns - write.seen_ns) / 1e6
        write.seen_bytes, write.seen_ns = plug.bytes, plug.ns
        bus = "SPI" if name == Strip.name else "I2C"
        self._wires.note(bus, f"{write.bytes:,} B, {write.ms:.1f} ms" if self._windows[name].health.ok else "no answer")
        self._changed()

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()


def _plugs(wires: StandInWires) -> dict[str, Plug]:
    return {"OLED": wires.panel, Strip.name: wires.strip}


def _packed(pixels: bytes) -> bytes:
    """Eight pixels a byte, the leftmost highest."""
    return int(pixels.translate(_DIGITS), 2).to_bytes(len(pixels) // 8, "big")


_DIGITS = bytes([ord("0"), ord("1"), *range(2, 256)])


def _line(passed: Passed) -> Json:
    at = f"{time.strftime('%H:%M:%S', time.localtime(passed.at))}.{int(passed.at * 1000) % 1000:03}"
    return {"at": at, "bus": passed.bus, "text": passed.text}
