"""Packages that come from another hub: each is stored once, however often it comes, and only if it verifies."""

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
from pegboard.values import plain, read_value

# --- send a package to another hub over HTTP; one that it has already changes nothing there ---


PATH = "/night/v1/packages"
"""Where a hub takes packages."""


MEDIA_TYPE = "application/vnd.pegboard.package+json"


PATIENCE_S = 30
"""Seconds until an answer."""


CREATED, OK = 201, 200


LONGEST_ANSWER = 100_000


class HubUnreachable(NotNow):
    """The other hub does not answer, or not as a hub does."""

    code = "hub_unreachable"


def send_package(file: bytes, url: str) -> str:
    """Send a package to the hub at a URL; the sentence that tells what became of it.

    Raises:
        PackageRefused: the URL is none, or the other hub refuses the package; the sentence is that hub's.
        HubUnreachable: it does not answer.
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
"""Points, games or holes of one player in one night, and more than any has."""


class PackageStore(Protocol):
    """Where packages are stored: `pegboard.hub.ledger.ledger.UploadedPackages`."""

    def add(self, digest: str, content: bytes, season: str, /) -> bool:
        """Store a package; whether it was not there yet."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A package that came; `is_new`: it was not there yet."""

    verified: VerifiedPackage
    is_new: bool


@dataclass(frozen=True, slots=True)
class SeasonOfPackage:
    """What seasons need of a package.

    Attributes:
        public: the key of the hub that has signed it, in hexadecimal.
        name: of the night.
        date: such as "2026-11-26".
        decisions: how many the night has; of two packages of a night the one with more is newer.
        night: the night by its id at that hub; None for one that goes on, or that does not come to what it says.
    """

    public: str
    name: str
    date: str
    decisions: int
    night: SeasonNight | None


def receive_package(file: bytes, store: PackageStore, known: Mapping[bytes, str]) -> Upload:
    """Verify a package and store it; one that is there already changes nothing.

    Departures do not hinder: the package is stored as it was signed, and they are named each time that it is read.

    Raises:
        PackageRefused: it is no package, or altered; nothing was stored.
        LedgerNotStored: the store cannot store now.
    """
    verified = verify_package(file, known)
    season = json.dumps(plain(season_of(verified)), ensure_ascii=False)
    return Upload(verified, store.add(verified.sealed.digest, file, season))


def read_season(text: str) -> SeasonOfPackage:
    """What was stored with a package for seasons.

    Raises: one of `UNREADABLE` where another version has written it otherwise.
    """
    season: SeasonOfPackage = read_value(SeasonOfPackage, json.loads(text))
    return season


def season_of(verified: VerifiedPackage) -> SeasonOfPackage:
    """What seasons need of a package: no night of one that goes on, or of which more departs than limits do today."""
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
    """Whether a night can have come to a row: sums of seasons are added up from such."""
    return all(abs(number) <= MOST_OF_A_NIGHT for number in astuple(row)[1:])
