"""What the requests to a hub need of it: its nights, who is who, and how others come here."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from flask import current_app

from pegboard.hub.ledger.ledger import UploadedPackages
from pegboard.hub.night_service import NightService
from web.hub.hub_access import HubAccess
from web.hub.season_page import SeasonOfHub
from web.hub.table_seats import TableSeats

Json: TypeAlias = dict[str, Any]

EXTENSION = "hub"
"""The name of `HubParts` among the extensions of the Flask application."""


@dataclass(frozen=True, slots=True)
class HubParts:
    """The parts of a hub.

    Attributes:
        nights: its nights.
        access: who is who.
        seats: the codes by which tables join.
        packages: nights of other hubs.
        season: what all nights add up to.
        folder: where this hub's key is, and who is known here.
        address_of: the address of a page of this hub for phones, by its path, with its QR code (`invitation`).
    """

    nights: NightService
    access: HubAccess
    seats: TableSeats
    packages: UploadedPackages
    season: SeasonOfHub
    folder: Path
    address_of: Callable[[str], Json]


def hub_parts() -> HubParts:
    """The parts of the hub of this request."""
    return cast("HubParts", current_app.extensions[EXTENSION])
