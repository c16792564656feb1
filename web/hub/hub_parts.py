"""What the requests to a hub need of it: its nights, who is who, and how others come here."""

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

# --- how a table joins a night: a code of six digits, made at the desk for one table, typed by keys or scanned, once
# ---


Json: TypeAlias = dict[str, Any]


DIGITS = 6
"""Of a code: a table types it with three keys."""


LASTS_S = 900.0
"""Seconds for which a code counts: as long as it takes to walk to the table and type it."""


MOST = 200
"""Codes that are remembered; the oldest makes room."""


BrokerOf: TypeAlias = Callable[[str, str], Json | None]
"""What a table of a night needs to know of the broker: `url`, `user`, `password`, `ca`; None where there is none.

`url_here` is the broker's for a table on the hub's own machine, which has no need of the network.
"""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place that waits for its table.

    Attributes:
        night: the id of the night.
        table: that of the table, its user name at the broker.
        label: what people call it.
        until: when its code ends, in seconds of `TableSeats`' clock.
    """

    night: str
    table: str
    label: str
    until: float


class TableSeats:
    """The codes that have been made and not been redeemed; they are forgotten with the program, and made anew."""

    def __init__(self, broker_of: BrokerOf, clock: Callable[[], float]) -> None:
        self._broker_of, self._clock, self._lock = broker_of, clock, threading.Lock()
        self._seats: dict[str, Seat] = {}
        self._redeemed: dict[str, None] = {}

    def make_code(self, night: str, table: str, label: str) -> str:
        """A new code for a table; an earlier one of the same table counts no more.

        Raises:
            Problem: 409, this hub has no broker, so that no table could reach it.
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
        """Digits that stand for no other table, and have not stood for one lately."""
        while (code := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") in self._seats or code in self._redeemed:
            pass
        return code

    def seat_of(self, code: str) -> Seat:
        """The seat that a code is for; it stays valid.

        Raises:
            Problem: 404, nobody has made it; 410, it has been redeemed, or its time is over.
        """
        seat = self._seats.get(code)
        if code in self._redeemed or (seat is not None and self._clock() >= seat.until):
            raise Problem(410, "code_gone", "desk_seat_gone")
        if seat is None:
            raise Problem(404, "wrong_code", "desk_seat_unknown")
        return seat

    def redeem(self, code: str, *, is_here: bool = False) -> tuple[Seat, Json]:
        """The seat that a code is for, and the broker; the code is used up. `is_here`: the table is on this machine.

        Raises:
            Problem: as `seat_of` says; 409, the broker is gone.
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
