"""The parts of the program that the API works on, as an extension of the Flask application."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from flask import current_app

from pegboard.config import Settings
from pegboard.scoreboard import Scoreboard
from web.api.bench_interface import Bench
from web.api.service_info import Service

EXTENSION = "pegboard"


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
