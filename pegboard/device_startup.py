"""Loads the displays and inputs that packages offer, and starts them; one that fails is listed and left out."""

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegboard import config
from pegboard.asked import Asked
from pegboard.config import Settings
from pegboard.devices import Devices, unable
from pegboard.errors import PegboardError
from pegboard.feed import Feed
from pegboard.scoreboard import Scoreboard

if TYPE_CHECKING:
    from hardware.bench import Bench
    from hardware.window import Window
    from hardware.wires import Wires

NAMES = {"oled": "OLED", "strip": "LED strip"}
"""What displays of ours call themselves, where they cannot be asked; any other is called as its package offers it."""

DISPLAYS, INPUTS = "pegboard.displays", "pegboard.inputs"
"""The groups of entry points."""

CLOSE_S = 0.5
"""How long an input may take to stop; one that hangs is left behind."""


def device_names() -> set[str]:
    """The names of all displays and inputs that packages offer; each may have a section in the settings."""
    return {entry.name for group in (DISPLAYS, INPUTS) for entry in entry_points(group=group)}


def open_wires(settings: Settings, cleanup: contextlib.ExitStack, *, mock: bool, record: Path | None = None) -> "Wires":
    """The Pi's own wires, or stand-ins that write every transaction into `record`."""
    if not mock:
        from hardware.wires import PiWires

        return PiWires()
    from hardware.standin.record import Record
    from hardware.standin.wires import StandInWires

    recorder = cleanup.enter_context(contextlib.closing(Record(record))) if record else None
    return StandInWires(settings, recorder)


def start_displays(
    settings: Settings, wires: "Wires", feed: Feed, devices: Devices, cleanup: contextlib.ExitStack
) -> "list[Window]":
    """Load and start the displays; what fails is listed with its trouble."""
    from hardware.window import Window, close_all

    windows: list[Window] = []
    cleanup.callback(close_all, windows)
    for name, kind in load_kinds(DISPLAYS, settings, devices):
        with _contain_errors(name, devices):
            window = Window(kind, settings, wires)
            devices.add(partial(getattr, window, "health"))
            window.watch(devices.notice)
            windows.append(window)
    for window in reversed(windows):  # who comes last is woken first: a panel needs less time than a strip
        window.start(feed, feed.view)
    return windows


def start_inputs(
    settings: Settings, wires: "Wires", scoreboard: Scoreboard, devices: Devices, cleanup: contextlib.ExitStack
) -> None:
    """Load and start the inputs; what fails is listed with its trouble."""
    for name, kind in load_kinds(INPUTS, settings, devices):
        with _contain_errors(name, devices):
            device = kind(settings, wires, scoreboard)
            if _start(device, devices):
                cleanup.callback(_close, device)
                devices.ask(Asked(device, device.name))


def _start(device: Any, devices: Devices) -> bool:
    """Whether an input has started; one that cannot is let go, and listed with its trouble."""
    try:
        device.start()
    except Exception as error:  # noqa: BLE001 - a stranger's input may raise anything
        _list_unable(device.name, error, devices)
        _close(device)
        return False
    return True


def _close(device: Any) -> None:
    """Close an input, and leave it behind where that takes too long."""

    def close() -> None:
        try:
            device.close()
        except Exception:  # what is broken may break again
            logging.getLogger("pegboard").exception("%s cannot end", device.name)

    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    closing.join(CLOSE_S)


@contextlib.contextmanager
def _contain_errors(name: str, devices: Devices) -> Iterator[None]:
    """What raises anything but a sentence is left out and listed with its trouble, and the table plays on."""
    try:
        yield
    except PegboardError:
        raise
    except Exception as error:  # noqa: BLE001 - a stranger's device may raise anything
        _list_unable(name, error, devices)


def _list_unable(name: str, error: Exception, devices: Devices) -> None:
    """List what cannot be used; a sentence needs no trace of where it was said."""
    is_said = isinstance(error, PegboardError)
    sentence = str(error) if is_said else f"it cannot begin: {str(error) or type(error).__name__}"
    logging.getLogger("pegboard").error("%s: %s", name, sentence, exc_info=None if is_said else error)
    devices.add(partial(unable, name, sentence, time.time()))


def make_bench(settings: Settings, wires: "Wires", windows: "list[Window]", feed: Feed, devices: Devices) -> "Bench":
    """What `/bench` shows and does."""
    from hardware.bench import Bench
    from hardware.standin.wires import StandInWires

    assert isinstance(wires, StandInWires)
    return Bench(settings, wires, windows, lambda: feed.view, lambda: devices.health)


def load_kinds(group: str, settings: Settings, devices: Devices) -> Iterator[tuple[str, Any]]:
    """The devices that packages offer, by name, but for those whose section of the settings says they are not there."""
    for entry in entry_points(group=group):
        if _is_enabled(settings, entry.name):
            name, kind = NAMES.get(entry.name, entry.name), None
            with _contain_errors(name, devices):
                kind = entry.load()
            if kind is not None:
                yield getattr(kind, "name", name), kind


def _is_enabled(settings: Settings, name: str) -> bool:
    """Whether a device is to be made, as the section that bears its name says."""
    own = config.sections(settings).get(name)
    return bool(settings.more.get(name, {}).get("enabled", True) if own is None else getattr(own, "enabled", True))
