"""The bench: everything the stand-ins show, their keys, plugs and faults, for a page with nothing wired."""

import base64
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from hardware.bench.keys import Switchboard
from hardware.display_thread import DisplayThread
from hardware.keys.buttons import Buttons
from hardware.simulator.buses import STRIP, BusEvent, SimulatedBuses
from hardware.simulator.faults import FAULT_SWITCHES, faults_of
from hardware.simulator.leds.ws2812_chain import SignalFault
from hardware.strip.display import Strip
from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.devices.health import Health
from pegboard.errors import DeviceError, RuleError

Json: TypeAlias = dict[str, Any]

Rgb: TypeAlias = tuple[int, int, int]


@dataclass(slots=True)
class _Write:
    """What a display's last try put on the wire, and where its plug's counters stood after it."""

    bytes: int = 0
    ms: float = 0.0
    seen_bytes: int = 0
    seen_ns: int = 0


class Bench:
    """What the stand-ins' page is given. `view` answers with the newest view, `health` with that of every device."""

    def __init__(
        self,
        settings: Settings,
        buses: SimulatedBuses,
        windows: Iterable[DisplayThread],
        view: Callable[[], View],
        health: Callable[[], Sequence[Health]],
    ) -> None:
        self._buses = buses
        self._view = view
        self._health = health
        self._budget_ma = settings.strip.budget_ma
        self._strip = _strip(settings, buses)
        self._has_panel = settings.oled.enabled
        self._switchboard = Switchboard(settings, buses, view)
        self._windows = {window.health.name: window for window in windows}
        self._writes = {name: _Write() for name in self._windows}
        self._rates: list[float] = []
        self._watchers: tuple[Callable[[], None], ...] = ()
        for name, window in self._windows.items():
            window.watch(partial(self._tried, name))

    def press(self, key: str, level: str) -> None:
        """Push a key "down", or let it go "up".

        Raises:
            RuleError: there is no such key or level.
        """
        self._switchboard.move(key, level)
        self._changed()

    def plug(self, device: str, plugged: bool) -> None:
        """Put a device's plug in, or pull it.

        Raises:
            RuleError: there is no such device.
        """
        self._buses.plug(self._known(device), plugged)
        self._changed()

    def fault(self, device: str, name: str, on: bool) -> None:
        """Have a device fail in the way of that name, or mend it.

        Raises:
            RuleError: there is no such device, or it cannot fail so.
        """
        plug = self._buses.plugs[self._known(device)]
        if name not in faults_of(plug):
            can = ", ".join(faults_of(plug)) or "only its plug"
            raise RuleError(f"the {device} has no fault {name!r}; it has {can}")
        FAULT_SWITCHES[name].turn(plug, on)
        self._buses.note("FAULT", f"{device}: {name} {'on' if on else 'off'}")
        self._changed()

    def look(self) -> None:
        """Time has passed: bytes a second may be others."""
        rates = [bus.bytes_per_s() for bus in self._buses.all_buses]
        if rates != self._rates:
            self._rates = rates
            self._changed()

    def _known(self, device: str) -> str:
        devices = [health.name for health in self._health() if health.name in self._buses.plugs]
        if device not in devices:
            raise RuleError(f"there is no device {device!r} with a plug on the bench; there are {', '.join(devices)}")
        return device

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
        rgb, fault = self._colours()
        return {
            "panel": self._panel() if self._has_panel else None,
            "strip": self._laid_out(self._strip, rgb) if self._strip else None,
            "devices": [self._device(health, rgb, fault) for health in self._health() if _has_card(health)],
            "keys": self._switchboard.shown(),
            "buses": [
                {"name": bus.name, "bytes_per_s": round(bus.bytes_per_s()), "bytes": bus.bytes}
                for bus in self._buses.all_buses
            ],
            "lines": [_line(passed) for passed in list(self._buses.recent_events)],
        }

    def _panel(self) -> Json:
        chip, plugged = self._buses.panel_model, self._buses.panel_plug.plugged
        width, height = chip.size
        return {
            "width": width,
            "height": height,
            "on": chip.on and plugged,
            "contrast": chip.contrast,
            "bits": base64.b64encode(_packed(self._buses.pixels())).decode(),
        }

    def _laid_out(self, strip: Strip, rgb: Sequence[Rgb]) -> Json:
        lanes = len(self._view().game.lanes)
        layout = strip.layout_for(lanes)
        return {
            "rgb": bytes(value for led in rgb for value in led).hex(),
            "lanes": [list(places) for places in layout.lanes[:lanes]],
            "start": [list(places) for places in layout.start[:lanes]],
        }

    def _colours(self) -> tuple[Sequence[Rgb], str | None]:
        """What the strip shows, and why it shows nothing of what it was sent."""
        try:
            return self._buses.colours(), None
        except SignalFault as fault:
            return [], str(fault)

    def _device(self, health: Health, rgb: Sequence[Rgb], fault: str | None) -> Json:
        plug, write = self._buses.plugs.get(health.name), self._writes.get(health.name, _Write())
        trouble = None if health.ok else health.trouble
        if health.name == STRIP and trouble is None:
            trouble = fault
        return {
            "name": health.name,
            "about": health.about,
            "plugged": None if plug is None else plug.plugged,
            "ok": trouble is None,
            "trouble": trouble,
            "last_bytes": write.bytes,
            "last_ms": round(write.ms, 2),
            "frames": health.frames,
            "errors": health.errors,
            "faults": [{"name": name, "on": FAULT_SWITCHES[name].is_on(plug)} for name in faults_of(plug)]
            if plug
            else [],
            "extra": {"current": self._current(self._strip, rgb)} if health.name == STRIP and self._strip else {},
        }

    def _current(self, strip: Strip, rgb: Sequence[Rgb]) -> str:
        return f"{strip.current(rgb) / 1000:.2f} of {self._budget_ma / 1000:.1f} A"

    def _tried(self, name: str) -> None:
        """A display has tried to show something: what passed its plug since the last time was this try's."""
        plug, write = self._buses.plugs.get(name), self._writes[name]
        if plug is None:
            self._changed()
            return
        write.bytes, write.ms = plug.bytes - write.seen_bytes, (plug.ns - write.seen_ns) / 1e6
        write.seen_bytes, write.seen_ns = plug.bytes, plug.ns
        self._buses.note(
            plug.bus.name, f"{write.bytes:,} B, {write.ms:.1f} ms" if self._windows[name].health.ok else "no answer"
        )
        self._changed()

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()


def _has_card(health: Health) -> bool:
    """Every device, but for keys that are well: they are there to be pressed, and say it themselves."""
    return health.name != Buttons.name or not health.ok


def _strip(settings: Settings, buses: SimulatedBuses) -> Strip | None:
    """The strip, to lay it out; None where there is none, or none that works as it is set."""
    try:
        return Strip(settings, buses) if settings.strip.enabled else None
    except DeviceError:
        return None


def _packed(pixels: bytes) -> bytes:
    """Eight pixels a byte, the leftmost highest."""
    return int(pixels.translate(_DIGITS), 2).to_bytes(len(pixels) // 8, "big")


_DIGITS = bytes([ord("0"), ord("1"), *range(2, 256)])


def _line(passed: BusEvent) -> Json:
    at = f"{time.strftime('%H:%M:%S', time.localtime(passed.at))}.{int(passed.at * 1000) % 1000:03}"
    return {"at": at, "bus": passed.bus, "text": passed.text}
