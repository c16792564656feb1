"""Package exchange between hubs: HTTP upload; verified receipt that stores each package once; season data."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any, Protocol
from urllib.parse import urlsplit

from pegboard.errors import NotNow
from pegboard.hub.packages.hub_keys import PackageRefused
from pegboard.hub.packages.verification import VerifiedPackage, verify_package
from pegboard.tournament.night.facts import FinalRow
from pegboard.tournament.night.season import SeasonNight, season_night
from pegboard.values import STORED, read, write

# --- upload a package to another hub over HTTP; idempotent if the hub already has it ---


PATH = "/night/v1/packages"
"""URL path where a hub receives packages."""

MEDIA_TYPE = "application/vnd.pegboard.package+json"

PATIENCE_S = 30
"""Seconds to wait for a response."""

CREATED, OK = 201, 200

LONGEST_ANSWER = 100_000


class HubUnreachable(NotNow):
    """The other hub does not answer, or its response is not a hub's."""

    code = "hub_unreachable"


def send_package(file: bytes, url: str) -> str:
    """Upload a package to the hub at a URL; returns a sentence with the outcome.

    Raises:
        PackageRefused: the URL is invalid, or the other hub refuses the package, for the quoted reason.
        HubUnreachable: the other hub does not answer, or its response is not a hub's.
    """
    status, answer = _post(url, file)
    if status == CREATED:
        return f"{url} stored the package {answer.get('digest')}"
    if status == OK:
        return f"{url} already had the package {answer.get('digest')}; nothing changed"
    raise PackageRefused("package_refused_there", url=url, why=str(answer.get("detail", status)))


def _post(url: str, file: bytes) -> tuple[int, dict[str, Any]]:
    connection = _connect(url)
    try:
        connection.request("POST", PATH, file, {"Content-Type": MEDIA_TYPE})
        response = connection.getresponse()
        answer = json.loads(response.read(LONGEST_ANSWER))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise HubUnreachable("package_hub_silent", url=url, error=error) from error
    finally:
        connection.close()
    return response.status, answer if isinstance(answer, dict) else {}


def _connect(url: str) -> http.client.HTTPConnection:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise PackageRefused("package_no_url", url=repr(url)) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        raise PackageRefused("package_no_url", url=repr(url))
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname, port, timeout=PATIENCE_S)


MOST_OF_A_NIGHT = 1_000_000
"""Maximum points, games or holes of a player in one event, more than anybody can reach."""


class PackageStore(Protocol):
    """Storage for packages: `pegboard.hub.ledger.ledger.UploadedPackages`."""

    def add(self, digest: str, content: bytes, season: str, /) -> bool:
        """Store a package and its season data; returns whether the package is new."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A received package; `is_new`: whether it was not stored before."""

    verified: VerifiedPackage
    is_new: bool


@dataclass(frozen=True, slots=True)
class SeasonOfPackage:
    """Season data of a package: the values that season standings need.

    Attributes:
        public: the key of the hub that signed the package, in hexadecimal.
        name: the event's name.
        date: the event's date, such as "2026-11-26".
        decisions: how many decisions the event has; of two packages of an event, the one with more is newer.
        night: the event by its id at that hub; None if it is not finished, or rederiving it gives other results.
    """

    public: str
    name: str
    date: str
    decisions: int
    night: SeasonNight | None


def receive_package(file: bytes, store: PackageStore, known: Mapping[bytes, str]) -> Upload:
    """Verify a package and store it; a package already stored changes nothing.

    A package that differs from its rederivation is stored too, as signed; the differences are listed at each reading.

    Raises:
        PackageRefused: the file is not a package, or was altered; nothing was stored.
        LedgerNotStored: the ledger cannot store now.
    """
    verified = verify_package(file, known)
    season = json.dumps(write(season_of(verified)), ensure_ascii=False)
    return Upload(verified, store.add(verified.sealed.digest, file, season))


def read_season(text: str) -> SeasonOfPackage:
    """Parse the stored season data of a package.

    Raises: one of `UNREADABLE` if another version wrote it differently.
    """
    return read(SeasonOfPackage, json.loads(text), STORED)


def season_of(verified: VerifiedPackage) -> SeasonOfPackage:
    """The season data of a package.

    Without the event if it is unfinished or differs from its rederivation; decisions that only the current limits would
    refuse do not count as differences.
    """
    content, night = verified.sealed.content, verified.rederived.night
    name, date = str(content.get("name", "")), str(content.get("date", ""))
    found = SeasonOfPackage(verified.sealed.public.hex(), name, date, 0, None)
    if night is None or any(departure.key != "package_departs" for departure in verified.departures):
        return found
    found = replace(found, decisions=len(night.rows))
    if night.ended is None or not all(map(_can_be, night.ended.standings)):
        return found
    return replace(found, night=season_night(night, str(content.get("event", ""))))


def _can_be(row: FinalRow) -> bool:
    """Whether an event can have produced this row of standings; season totals sum such rows."""
    return all(abs(number) <= MOST_OF_A_NIGHT for number in astuple(row)[1:])
