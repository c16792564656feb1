"""Device loader: starts displays and inputs from entry points (plugins), contains their errors; self-test, bench."""

import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegboard import config
from pegboard.config import Settings
from pegboard.devices.health import (
    Devices,
    HealthPoller,
    call_with_timeout,
    error_text,
    printable,
    require_text,
    unusable_device,
)
from pegboard.errors import DeviceError, PegboardError, SettingError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.table.scoreboard import Scoreboard

if TYPE_CHECKING:
    from hardware.bench import Bench
    from hardware.display_thread import DisplayThread
    from hardware.interfaces import Buses
    from hardware.selftest.finding import Finding

log = logging.getLogger("pegboard")

NAMES = {"oled": "OLED", "strip": "LED strip"}
"""Fallback names of our displays if their classes cannot be loaded; others are named after their entry points."""

DISPLAYS, INPUTS = "pegboard.displays", "pegboard.inputs"
"""The entry point groups of displays and of inputs."""

CLOSE_S = 0.5
"""Timeout in seconds for stopping an input; a hanging input is left running."""

DARKEN_S = 1.5
"""Timeout in seconds for turning off one display without a table; after a crash, systemd allows 5 for all displays."""


def device_names() -> set[str]:
    """The names of all displays and inputs that packages offer; each may have a section in the settings."""
    return {entry.name for group in (DISPLAYS, INPUTS) for entry in entry_points(group=group)}


def open_buses(settings: Settings, cleanup: contextlib.ExitStack, *, mock: bool, record: Path | None = None) -> "Buses":
    """The buses of the Pi, or with `mock` simulated buses, which log every transaction in the file `record`."""
    if not mock:
        from hardware.buses.pi import PiBuses

        return PiBuses()
    from hardware.simulator.plug_and_bus import BusRecorder
    from hardware.simulator.simulated_buses import SimulatedBuses

    recorder = cleanup.enter_context(contextlib.closing(BusRecorder(record))) if record else None
    return SimulatedBuses(settings, recorder)


@contextlib.contextmanager
def open_buses_for_a_while(settings: Settings, *, mock: bool) -> "Iterator[Buses]":
    """The buses, with cleanup at the end of the `with` block."""
    with contextlib.ExitStack() as cleanup:
        yield open_buses(settings, cleanup, mock=mock)


def findings(settings: Settings, *, mock: bool) -> "list[Finding]":
    """The findings of the self-test: pins, I2C, SPI, the keypad, and every display and input of other packages."""
    from hardware.selftest.finding import Finding, NullTarget, check_foreign
    from hardware.selftest.wire_checks import check_all

    with contextlib.ExitStack() as cleanup:
        buses = open_buses(settings, cleanup, mock=mock)
        found = [Finding(name.partition(".")[0], False, fault) for name, fault in settings.unfit.items()]
        found += check_all(settings, buses)
        for group, more in ((DISPLAYS, ()), (INPUTS, (NullTarget(),))):
            for entry in _entries(group, settings):
                if entry.name not in config.sections(settings):
                    own = _own_buses(buses, entry.name)
                    found.append(check_foreign(entry.name, partial(_make, entry, settings, own, *more), settings))
    return found


def darken_displays(settings: Settings, *, mock: bool) -> "list[Finding]":
    """Turn off all displays without a table, such as displays left lit by a crash; return a finding for each."""
    from hardware.selftest.finding import Finding

    with contextlib.ExitStack() as cleanup:
        buses, found = open_buses(settings, cleanup, mock=mock), []
        for entry in sorted(_entries(DISPLAYS, settings), key=lambda entry: NAMES.get(entry.name, entry.name)):
            name = NAMES.get(entry.name, entry.name)
            try:
                sentence = call_with_timeout(partial(_darken, entry, settings, buses), DARKEN_S)
            except Exception as error:  # noqa: BLE001 - another package's display may raise anything
                found.append(Finding(name, False, error_text(error)))
            else:
                found.append(Finding(name, True, sentence))
        return found


def _darken(entry: EntryPoint, settings: Settings, buses: "Buses") -> str:
    config.require_fit(settings, entry.name)
    kind = entry.load()
    display = kind(settings, _buses_for(kind, entry.name, buses))
    try:
        if not hasattr(display, "darken"):
            return "cannot be turned off from here; unchanged"
        display.darken()
    finally:
        display.close()
    return "dark"


def _make(entry: EntryPoint, *given: Any) -> Any:
    return _load(entry)(*given)


def _own_buses(buses: "Buses", name: str) -> "Buses":
    """The buses for a device of another package; simulated buses can be unplugged for that device only."""
    make: Callable[[str], Buses] | None = getattr(buses, "for_foreign_device", None)
    return buses if make is None else make(name)


def _buses_for(kind: Any, name: str, buses: "Buses") -> "Buses":
    is_ours = str(getattr(kind, "__module__", "")).startswith("hardware.")
    return buses if is_ours else _own_buses(buses, name)


def make_displays(
    settings: Settings, buses: "Buses", devices: Devices, cleanup: contextlib.ExitStack
) -> "list[DisplayThread]":
    """Load the displays, still dark; a display that fails is listed with its error."""
    from hardware.display_thread import DisplayThread, close_all

    display_threads: list[DisplayThread] = []
    cleanup.callback(close_all, display_threads)
    for name, kind in load_kinds(DISPLAYS, settings, devices):
        with contain_errors(name, settings, devices):
            display_thread = call_with_timeout(partial(DisplayThread, kind, settings, _buses_for(kind, name, buses)))
            devices.add(partial(getattr, display_thread, "health"))
            display_thread.add_watcher(devices.wake)
            display_threads.append(display_thread)
    return display_threads


def start_displays(display_threads: "list[DisplayThread]", feed: Feed) -> None:
    """Show the feed's views from now on."""
    for thread in reversed(display_threads):  # the last follower is woken first: a panel needs less time than a strip
        thread.start(feed)


def stop_displays(display_threads: "list[DisplayThread]") -> None:
    """Tell the displays to go dark and close. Never blocks; the cleanup of `make_displays` waits for them."""
    from hardware.display_thread import stop_all

    stop_all(display_threads)


def start_inputs(
    settings: Settings, buses: "Buses", scoreboard: Scoreboard, devices: Devices, cleanup: contextlib.ExitStack
) -> dict[str, Any]:
    """Load and start the inputs; return them by name. An input that fails is listed with its error."""
    started = {}
    for name, kind in load_kinds(INPUTS, settings, devices):
        with contain_errors(name, settings, devices):
            device = call_with_timeout(partial(kind, settings, _buses_for(kind, name, buses), scoreboard.keys))
            try:
                name_on_pages = require_text("name", device.name)
                call_with_timeout(device.start)
            except Exception:
                _close(name, device)
                raise
            cleanup.callback(_close, name, device)
            devices.add_poller(HealthPoller(device, name_on_pages))
            started[name_on_pages] = device
    return started


def _close(name: str, device: Any) -> None:
    """Close an input, with a timeout; an error is logged."""
    try:
        call_with_timeout(device.close, CLOSE_S)
    except Exception as error:  # noqa: BLE001 - another package's device may raise anything
        log.error("%s cannot stop: %s", name, error_text(error))  # noqa: TRY400 - the sentence is enough


@contextlib.contextmanager
def contain_errors(name: str, settings: Settings, devices: Devices) -> Iterator[None]:
    """Catch a device's error and list the device with it, so that the table starts without the device.

    pegboard's own errors are logged without a traceback.
    """
    try:
        yield
    except Exception as error:
        is_ours = isinstance(error, PegboardError)
        sentence: str = error_text(error)
        if isinstance(error, DeviceError | SettingError):
            sentence = settings.origin.message_of(error)
        elif not is_ours:
            sentence = Message("device_begins", fault=Message("verbatim", text=sentence))
        log.error("%s: %s", name, sentence, exc_info=None if is_ours else error)  # noqa: TRY400 - not for our errors
        devices.add(partial(unusable_device, name, sentence, time.time()))


def make_bench(
    settings: Settings, buses: "Buses", display_threads: "list[DisplayThread]", feed: Feed, devices: Devices
) -> "Bench":
    """The simulated hardware for the page `/bench`."""
    from hardware.bench import Bench
    from hardware.simulator.simulated_buses import SimulatedBuses

    assert isinstance(buses, SimulatedBuses)
    return Bench(settings, buses, display_threads, lambda: feed.view, lambda: devices.health)


def load_kinds(group: str, settings: Settings, devices: Devices) -> list[tuple[str, Any]]:
    """Names and classes of the devices that packages offer, except devices disabled in the settings."""
    kinds: list[tuple[str, Any]] = []
    for entry in _entries(group, settings):
        name = NAMES.get(entry.name, entry.name)
        with contain_errors(name, settings, devices):
            config.require_fit(settings, entry.name)
            kind = _load(entry)
            kinds.append((_name_of(kind, name), kind))
    return kinds


def _entries(group: str, settings: Settings) -> list[EntryPoint]:
    return [entry for entry in entry_points(group=group) if _is_enabled(settings, entry.name)]


def _load(entry: EntryPoint) -> Any:
    kind = call_with_timeout(entry.load)
    if not callable(kind):
        raise TypeError(f"its package offers {kind!r}, which is not a device class")
    return kind


def _name_of(kind: Any, name: str) -> str:
    """The name given by the device class, else `name`."""
    own = getattr(kind, "name", None)
    return printable(own) if isinstance(own, str) else name


def _is_enabled(settings: Settings, name: str) -> bool:
    """Whether a device is enabled in its section of the settings; True if the value of `enabled` is invalid."""
    if f"{name}.enabled" in settings.unfit:
        return True
    own = config.sections(settings).get(name)
    return bool(settings.more.get(name, {}).get("enabled", True) if own is None else getattr(own, "enabled", True))
