"""Bench: JSON and controls of the simulated hardware (keys, plugs, faults, bus traffic) for the page `/bench`."""

import base64
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from hardware.display_thread import DisplayThread
from hardware.keys.keypad import keypad_roles
from hardware.pin_assignment import LANES, Key, wired_keys
from hardware.simulator.led_chains import Rgb, SignalFault
from hardware.simulator.plug_and_bus import FAULT_SWITCHES, faults_of
from hardware.simulator.simulated_buses import KEYS, STRIP, BusEvent, SimulatedBuses
from hardware.strip.display import Strip
from pegboard.config import KeypadSettings, Settings
from pegboard.core.view import View
from pegboard.devices.health import Health
from pegboard.errors import DeviceError, RuleError
from pegboard.messages import Message, message_json

# --- keys that can be pressed on the bench: keys on GPIO pins and keypad keys ---


Json: TypeAlias = dict[str, Any]

LETTERS = ("ASDF", "JKL", "VBNM")
"""Letters of a computer's keyboard for each lane's keys."""

SHARED_LETTERS = {"undo": "U", "deal": "G"}

KEYPAD = "keypad "
"""Prefix for keypad keys that share a name with a key on a pin."""


@dataclass(frozen=True, slots=True)
class BenchKey:
    """A key that can be pressed on the bench.

    Attributes:
        name: the key's name in requests.
        lane: the lane of the player who has the key; None if the key is shared.
        points: the points that a press adds, or 0.
        letter: the letter that presses the key on a computer keyboard, or "".
        contact: the key's pin, or its Linux name on the keypad.
    """

    name: str
    lane: int | None
    points: int
    letter: str
    contact: int | str


class BenchKeys:
    """All keys of the bench. `view` returns the newest view."""

    def __init__(self, settings: Settings, buses: SimulatedBuses, view: Callable[[], View]) -> None:
        self._buses = buses
        self._view = view
        self._keys = {key.name: key for key in (*_pin_keys(settings), *_keypad_keys(settings.keypad))}

    def move(self, name: str, level: str) -> None:
        """Press a key ("down") or release it ("up").

        Raises:
            RuleError: no key has that name, or the level is neither "down" nor "up".
        """
        key = self._require_known(name)
        if level not in {"down", "up"}:
            raise RuleError("bench_level", level=repr(level))
        verb = {"down": self._buses.press, "up": self._buses.release}[level]
        verb(key.contact, self._label(key))

    def keys_json(self) -> list[Json]:
        """The keys of the running game's lanes, and the shared keys."""
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
    """The keys on GPIO pins; empty if the settings are invalid."""
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
    """The keys of the keypad, if it is enabled and its settings are valid."""
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


@dataclass(slots=True)
class _LastWrite:
    """The bytes and milliseconds of a display's last attempt to show a view, and its plug's counters afterward."""

    bytes: int = 0
    ms: float = 0.0
    seen_bytes: int = 0
    seen_ns: int = 0


class Bench:
    """The bench. `view` returns the newest view, `health` the health of every device."""

    def __init__(
        self,
        settings: Settings,
        buses: SimulatedBuses,
        display_threads: Iterable[DisplayThread],
        view: Callable[[], View],
        health: Callable[[], Sequence[Health]],
    ) -> None:
        self._buses = buses
        self._view = view
        self._health = health
        self._budget_ma = settings.strip.budget_ma
        self._strip = _strip(settings, buses)
        self._has_panel = settings.oled.enabled
        self._keys = BenchKeys(settings, buses, view)
        self._display_threads = {thread.health.name: thread for thread in display_threads}
        self._writes = {name: _LastWrite() for name in self._display_threads}
        self._rates: list[float] = []
        self._watchers: tuple[Callable[[], None], ...] = ()
        for name, thread in self._display_threads.items():
            thread.add_watcher(partial(self._record_write, name))

    def press(self, key: str, level: str) -> None:
        """Press a key ("down") or release it ("up").

        Raises:
            RuleError: no key has that name, or the level is neither "down" nor "up".
        """
        self._keys.move(key, level)
        self._notify()

    def plug(self, device: str, plugged: bool) -> None:
        """Plug a device in or unplug it.

        Raises:
            RuleError: no device on the bench has that name.
        """
        self._buses.plug(self._require_known(device), plugged)
        self._notify()

    def fault(self, device: str, name: str, on: bool) -> None:
        """Turn the fault `name` of a device on or off.

        Raises:
            RuleError: no device on the bench has that name, or the device cannot have this fault.
        """
        plug = self._buses.key_wires if device == KEYS else self._buses.plugs[self._require_known(device)]
        if name not in faults_of(plug):
            can = ", ".join(faults_of(plug)) or "no faults, only its plug"
            raise RuleError("bench_no_fault", device=device, fault=repr(name), known=can)
        FAULT_SWITCHES[name].turn(plug, on)
        self._buses.note("FAULT", f"{device}: {name} {'on' if on else 'off'}")
        self._notify()

    def refresh_rates(self) -> None:
        """Notify the watchers if the bytes per second of a bus have changed; they also fall when nothing is written."""
        rates = [bus.bytes_per_s() for bus in self._buses.all_buses]
        if rates != self._rates:
            self._rates = rates
            self._notify()

    def _require_known(self, device: str) -> str:
        devices = [health.name for health in self._health() if health.name in self._buses.plugs]
        if device not in devices:
            raise RuleError("bench_no_plug", device=repr(device), known=", ".join(devices))
        return device

    def follow(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` after every visible change; it may only wake another thread.

        The returned function unsubscribes the watcher.
        """
        self._watchers = (*self._watchers, watcher)

        def remove() -> None:
            self._watchers = tuple(w for w in self._watchers if w is not watcher)

        return remove

    def picture(self) -> Json:
        """Everything the bench shows, ready for JSON."""
        rgb, fault = self._decode_strip()
        return {
            "panel": self._panel_json() if self._has_panel else None,
            "strip": self._strip_json(self._strip, rgb) if self._strip else None,
            "devices": [self._device_json(health, rgb, fault) for health in self._health()],
            "keys": self._keys.keys_json(),
            "buses": [
                {"name": bus.name, "bytes_per_s": round(bus.bytes_per_s()), "bytes": bus.bytes}
                for bus in self._buses.all_buses
            ],
            "lines": [_event_json(event) for event in list(self._buses.recent_events)],
        }

    def _panel_json(self) -> Json:
        chip, plugged = self._buses.panel_model, self._buses.panel_plug.plugged
        width, height = chip.size
        return {
            "width": width,
            "height": height,
            "on": chip.on and plugged,
            "contrast": chip.contrast,
            "bits": base64.b64encode(_pack_bits(self._buses.pixels())).decode(),
        }

    def _strip_json(self, strip: Strip, rgb: Sequence[Rgb]) -> Json:
        lanes = len(self._view().game.lanes)
        layout = strip.layout_for(lanes)
        return {
            "rgb": bytes(value for led in rgb for value in led).hex(),
            "lanes": [list(places) for places in layout.lanes[:lanes]],
            "start": [list(places) for places in layout.start[:lanes]],
            "games_won": [list(places) for places in layout.games_won[:lanes]],
            "classic": layout.is_loop,
        }

    def _decode_strip(self) -> tuple[Sequence[Rgb], str | None]:
        """The colors of the strip's LEDs; if the strip could not decode what it received, no colors and the fault."""
        try:
            return self._buses.colors(), None
        except SignalFault as fault:
            return [], str(fault)

    def _device_json(self, health: Health, rgb: Sequence[Rgb], fault: str | None) -> Json:
        plug, write = self._buses.plugs.get(health.name), self._writes.get(health.name, _LastWrite())
        faulty = self._buses.key_wires if health.name == KEYS else plug
        trouble = None if health.ok else health.trouble
        if health.name == STRIP and trouble is None:
            trouble = fault
        extra = {"current": self._current_text(self._strip, rgb)} if health.name == STRIP and self._strip else {}
        return {
            "name": health.name,
            "about": health.about,
            "about_message": message_json(health.about),
            "plugged": None if plug is None else plug.plugged,
            "ok": trouble is None,
            "trouble": trouble,
            "trouble_message": message_json(trouble),
            "last_bytes": write.bytes,
            "last_ms": round(write.ms, 2),
            "frames": health.frames,
            "errors": health.errors,
            "faults": [{"name": name, "on": FAULT_SWITCHES[name].is_on(faulty)} for name in faults_of(faulty)]
            if faulty
            else [],
            "extra": {name: str(text) for name, text in extra.items()},
            "extra_messages": {name: text.as_json() for name, text in extra.items()},
        }

    def _current_text(self, strip: Strip, rgb: Sequence[Rgb]) -> Message:
        used, most = strip.current(rgb) / 1000, self._budget_ma / 1000
        return Message("device_current", used=f"{used:.2f}", most=f"{most:.1f}")

    def _record_write(self, name: str) -> None:
        """Record what passed a display's plug since its last attempt; called after each attempt to show a view."""
        plug, write = self._buses.plugs.get(name), self._writes[name]
        if plug is None:
            self._notify()
            return
        write.bytes, write.ms = plug.bytes - write.seen_bytes, (plug.ns - write.seen_ns) / 1e6
        write.seen_bytes, write.seen_ns = plug.bytes, plug.ns
        self._buses.note(
            plug.bus.name,
            f"{write.bytes:,} B, {write.ms:.1f} ms" if self._display_threads[name].health.ok else "no answer",
        )
        self._notify()

    def _notify(self) -> None:
        for watcher in self._watchers:
            watcher()


def _strip(settings: Settings, buses: SimulatedBuses) -> Strip | None:
    """The strip, to compute its layout and current; None if it is not enabled or its settings are invalid."""
    try:
        return Strip(settings, buses) if settings.strip.enabled else None
    except DeviceError:
        return None


def _pack_bits(pixels: bytes) -> bytes:
    """The pixels, eight per byte, the leftmost pixel in the highest bit."""
    return int(pixels.translate(_DIGITS), 2).to_bytes(len(pixels) // 8, "big")


_DIGITS = bytes([ord("0"), ord("1"), *range(2, 256)])


def _event_json(event: BusEvent) -> Json:
    at = f"{time.strftime('%H:%M:%S', time.localtime(event.at))}.{int(event.at * 1000) % 1000:03}"
    return {"at": at, "bus": event.bus, "text": event.text}
