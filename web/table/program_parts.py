"""The parts of the program that the API works on: scoreboard, settings, the service, and the workbench of mock mode."""

import contextlib
import hashlib
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

# --- conditional responses: an ETag of the journal's newest event and the program's version, and 304 for what is known
# ---


ETAG = {"ETag": "the journal's epoch, its newest relevant event, and the program's version"}


PROGRAM = (Path(__file__).parents[1], Path(view_as_json.__file__).parents[1])
"""The folders whose modules make the responses."""


def state_id(view: View) -> str:
    """The id of a state for its ETag: the journal's epoch and its newest event."""
    return f"{view.epoch}-{view.revision}"


def respond_unless_known(revision: int, values: Callable[[], dict[str, Any]]) -> Response:
    """The values, or 304 where the client has them already from this version of the program."""
    etag = f"{parts().scoreboard.view.epoch}-{revision}-{parts().version}"
    is_known = request.if_none_match.contains_weak(etag)  # a compressed response has a weak one
    response = Response(status=304) if is_known else json_response(values())
    response.set_etag(etag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def version_of_program() -> str:
    """The version of the static files, which pages are written with, and of the modules, which make the responses.

    It is read when the program starts: files that are replaced later do not run yet. Their bytes are not read: an
    update changes the size of a module, or at least the time it was written.
    """
    modules = hashlib.sha256()
    for file in sorted((file for folder in PROGRAM for file in _list_modules(folder)), key=lambda file: file.path):
        with contextlib.suppress(FileNotFoundError):  # an editor's lock is a link to nowhere
            written = file.stat()
            modules.update(f"{file.path} {written.st_size} {written.st_mtime_ns} ".encode())
    return f"{static_files.assets().version}-{modules.hexdigest()[: static_files.VERSION_LETTERS]}"


def _list_modules(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    """The modules of a folder and its folders; a start waits for it, and `Path.rglob` takes twice as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _list_modules(entry.path)
            elif entry.name.endswith(".py"):
                yield entry


EXTENSION = "pegboard"
"""The name of the parts among the extensions of the Flask application."""


class Bench(Protocol):
    """What mock mode offers; errors of its methods are sentences."""

    def press(self, key: str, level: str) -> None:
        """Move the mock pin of a key "down" or "up".

        Raises:
            ValueError: there is no such key or level.
        """

    def plug(self, device: str, plugged: bool) -> None:
        """Plug a device in, or pull it out.

        Raises:
            ValueError: there is no such device.
        """

    def fault(self, device: str, name: str, on: bool) -> None:
        """Have a device fail in the way of that name, or mend it.

        Raises:
            ValueError: there is no such device or fault.
        """

    def follow(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback`, which only wakes, whenever the picture may have changed; the returned function ends that."""

    def picture(self) -> dict[str, Any]:
        """What panel, strip, keys and buses show now, JSON-ready; quick enough for the event loop."""


class Service:
    """The program round the scoreboard: version, uptime, open streams, devices, brightness and versions."""

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
        """`viewers` counts the open event streams, `stalls` tells what has stalled; the uptime runs from now on.

        `event` is the table's part in events; None where it can have none.
        """
        self.devices, self.viewers, self.brightness, self.updates = devices, viewers, brightness, updates
        self.stalls, self.event = stalls, event
        self.version = program_version()
        self._clock, self._started_s = clock, clock()

    def uptime_s(self) -> float:
        """Seconds since it started to serve."""
        return self._clock() - self._started_s


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one program.

    Attributes:
        scoreboard: of the table.
        settings: as the program was started.
        service: the program itself, with the health of its devices.
        bench: the workbench; None but in mock mode.
        catalogs: reports on every translation of the pages.
        version: of the program, as its files were when it started.
    """

    scoreboard: Scoreboard
    settings: Settings
    service: Service
    bench: Bench | None
    catalogs: Callable[[], list[dict[str, Any]]]
    version: str


def parts() -> Parts:
    """The parts of the program that this request is for."""
    return cast("Parts", current_app.extensions[EXTENSION])
