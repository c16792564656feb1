"""Joining codes of tables, and the parts of a hub that requests use: events, access, packages, season, own address."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from flask import current_app

from pegboard.hub.ledger.ledger import UploadedPackages
from pegboard.hub.night_service import NightService
from web.http.problems import Problem
from web.hub.hub_access import HubAccess
from web.hub.season_page import SeasonOfHub

# --- joining codes of tables: six digits, made at the desk for one table, keyed in or scanned, used once ---


Json: TypeAlias = dict[str, Any]

DIGITS = 6
"""Digits of a code, few enough to key in at the table."""

LASTS_S = 900.0
"""Seconds that a code is valid: enough to walk to the table and key it in."""

MOST = 200
"""Maximum remembered codes; the oldest is dropped first."""

BrokerOf: TypeAlias = Callable[[str, str], Json | None]
"""Returns broker credentials for an event's table: `url`, `user`, `password`, `ca`, `url_here`; None without a broker.

`url_here` is the broker's address for a table on the hub's own machine, which needs no network.
"""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place reserved for a table.

    Attributes:
        night: the id of the event.
        table: the id of the table, also its user name at the broker.
        label: its display name.
        until: when its code expires, by the clock of `TableSeats`.
    """

    night: str
    table: str
    label: str
    until: float


class TableSeats:
    """The joining codes that are not redeemed; they are lost when the program ends, so new codes must be made."""

    def __init__(self, broker_of: BrokerOf, clock: Callable[[], float]) -> None:
        self._broker_of, self._clock, self._lock = broker_of, clock, threading.Lock()
        self._seats: dict[str, Seat] = {}
        self._redeemed: dict[str, None] = {}

    def make_code(self, night: str, table: str, label: str) -> str:
        """A new code for a table; revokes the table's previous one.

        Raises:
            Problem: 409, this hub has no broker, so tables cannot reach it.
        """
        if self._broker_of(night, table) is None:
            raise Problem(409, "no_broker", "desk_no_broker")
        with self._lock:
            for code in [code for code, seat in self._seats.items() if (seat.night, seat.table) == (night, table)]:
                del self._seats[code]
            code = self._unused_code()
            self._seats[code] = Seat(night, table, label, self._clock() + LASTS_S)
            while len(self._seats) > MOST:
                del self._seats[next(iter(self._seats))]
        return code

    def _unused_code(self) -> str:
        """A random code that is not in use and was not redeemed recently."""
        while (code := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") in self._seats or code in self._redeemed:
            pass
        return code

    def seat_of(self, code: str) -> Seat:
        """The seat of a code; does not use the code up.

        Raises:
            Problem: 404, the code is unknown; 410, the code was redeemed or has expired.
        """
        seat = self._seats.get(code)
        if code in self._redeemed or (seat is not None and self._clock() >= seat.until):
            raise Problem(410, "code_gone", "desk_seat_gone")
        if seat is None:
            raise Problem(404, "wrong_code", "desk_seat_unknown")
        return seat

    def redeem(self, code: str, *, is_here: bool = False) -> tuple[Seat, Json]:
        """Use up a code; returns its seat and broker credentials. `is_here` says that the table is on this machine.

        Raises:
            Problem: as in `seat_of`; 409, the hub no longer has a broker.
        """
        with self._lock:
            seat = self.seat_of(code)
            broker = self._broker_of(seat.night, seat.table)
            if broker is None:
                raise Problem(409, "no_broker", "desk_no_broker")
            del self._seats[code]
            self._redeemed[code] = None
            while len(self._redeemed) > MOST:
                del self._redeemed[next(iter(self._redeemed))]
        known = dict(broker)
        here = known.pop("url_here")
        return seat, known | {"url": here} if is_here else known


EXTENSION = "hub"
"""The name of `HubParts` in the extensions of the Flask application."""


@dataclass(frozen=True, slots=True)
class HubParts:
    """The parts of a hub.

    Attributes:
        nights: the hub's events.
        access: the hub's access control.
        seats: the joining codes of tables.
        packages: the packages from other hubs, with their events.
        season: the season, over all events.
        folder: the folder with this hub's key and the known hubs.
        address_of: returns a page's address for phones by its path, with a QR code (`invitation`).
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
