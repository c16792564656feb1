"""Shared context of the API: program parts (scoreboard, settings, service, bench), state JSON cache, ETag responses."""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from flask import Response, current_app, request

from pegboard.config import Settings
from pegboard.core import view_as_json
from pegboard.core.view import View
from pegboard.devices.brightness import BrightnessControl
from pegboard.devices.health import Devices
from pegboard.install.director_updates import DirectorUpdates
from pegboard.install.program_version import program_version
from pegboard.table.event_table import EventTable
from pegboard.table.scoreboard import Scoreboard
from web.http import static_files
from web.kit.documented_endpoints import json_response

# --- the state as JSON: made once for each view, and shared by responses and event streams ---


class _Encoded:
    """The cache of the view that was encoded last, and its JSON; in one tuple, because several threads read it."""

    newest: tuple[View | None, str] = (None, "")


def state_text(view: View) -> str:
    """The state of the table as JSON on one line."""
    known, text = _Encoded.newest
    if known is not view:
        text = json.dumps(view_as_json.snapshot(view), separators=(",", ":"), ensure_ascii=False)
        _Encoded.newest = view, text
    return text


# --- conditional responses: an ETag of the newest event and the program's version, and 304 if unchanged ---


ETAG = {"ETag": "the journal's epoch, its newest relevant event, and the program's version"}

PROGRAM = (Path(__file__).parents[1], Path(view_as_json.__file__).parents[1])
"""The folders whose modules make the responses."""


def state_id(view: View) -> str:
    """The id of a state for its ETag: the journal's epoch and its newest event."""
    return f"{view.epoch}-{view.revision}"


def respond_unless_known(revision: int, values: Callable[[], dict[str, Any]]) -> Response:
    """The values, or 304 if the client already has them from this version of the program."""
    etag = f"{parts().scoreboard.view.epoch}-{revision}-{parts().version}"
    is_known = request.if_none_match.contains_weak(etag)  # a compressed response has a weak ETag
    response = Response(status=304) if is_known else json_response(values())
    response.set_etag(etag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def version_of_program() -> str:
    """The version of the static files that the pages load, and of the modules that make the responses.

    It is computed at startup, because files replaced later are not running yet. Files are not read: an update changes a
    module's size, or at least its modification time.
    """
    modules = hashlib.sha256()
    for file in sorted((file for folder in PROGRAM for file in _list_modules(folder)), key=lambda file: file.path):
        with contextlib.suppress(FileNotFoundError):  # an editor's lock file is a dangling link
            written = file.stat()
            modules.update(f"{file.path} {written.st_size} {written.st_mtime_ns} ".encode())
    return f"{static_files.assets().version}-{modules.hexdigest()[: static_files.VERSION_LETTERS]}"


def _list_modules(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """All modules in a folder, recursively; startup waits for this, and `Path.rglob` is half as fast."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _list_modules(entry.path)
            elif entry.name.endswith(".py"):
                yield entry


EXTENSION = "pegboard"
"""The name of `Parts` in the extensions of the Flask application."""


class Bench(Protocol):
    """The interface of mock mode's workbench; errors have readable messages."""

    def press(self, key: str, level: str) -> None:
        """Set the mock pin of a key "down" or "up".

        Raises:
            ValueError: unknown key or level.
        """

    def plug(self, device: str, plugged: bool) -> None:
        """Plug a device in, or unplug it.

        Raises:
            ValueError: unknown device.
        """

    def fault(self, device: str, name: str, on: bool) -> None:
        """Turn a device's fault on or off.

        Raises:
            ValueError: unknown device or fault.
        """

    def follow(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback`, which must not block, when the picture may have changed; the returned function ends it."""

    def picture(self) -> dict[str, Any]:
        """The current picture of panel, strip, keys and buses, JSON-ready; fast enough for the event loop."""


class Service:
    """The running service: version, uptime, open streams, devices, brightness and updates."""

    def __init__(
        self,
        devices: Devices,
        viewers: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
        *,
        brightness: BrightnessControl,
        updates: DirectorUpdates | None = None,
        stalls: Callable[[], list[dict[str, Any]]] = list,
        event: EventTable | None = None,
    ) -> None:
        """`viewers` counts the open event streams, `stalls` lists stalled parts; the uptime starts now.

        `event` is the table's event, or None.
        """
        self.devices, self.viewers, self.brightness, self.updates = devices, viewers, brightness, updates
        self.stalls, self.event = stalls, event
        self.version = program_version()
        self._clock, self._started_s = clock, clock()

    def uptime_s(self) -> float:
        """Seconds since the service started."""
        return self._clock() - self._started_s


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one program.

    Attributes:
        scoreboard: the table's scoreboard.
        settings: the settings at startup.
        service: the running service, with the health of its devices.
        bench: the workbench; None except in mock mode.
        catalogs: returns reports on all translations of the pages.
        version: the program's version, from its files at startup.
    """

    scoreboard: Scoreboard
    settings: Settings
    service: Service
    bench: Bench | None
    catalogs: Callable[[], list[dict[str, Any]]]
    version: str


def parts() -> Parts:
    """The parts of the program of this request."""
    return cast("Parts", current_app.extensions[EXTENSION])
