"""Packages that come from another hub: each is stored once, however often it comes, and only if it verifies."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from pegboard.hub.packages.rederivation import UNREADABLE
from pegboard.hub.packages.verification import VerifiedPackage, verify_package
from pegboard.tournament.night.derivation import fold
from pegboard.tournament.night.season import SeasonNight, season_night
from pegboard.tournament.night.stored_form import from_row, plain, read_value


class PackageStore(Protocol):
    """Where packages are stored: `pegboard.hub.ledger.uploaded_packages.UploadedPackages`."""

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
        night: the night by its id at that hub; None for one that goes on, or comes to no standings.
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
    season = json.dumps(plain(_season_of(verified)), ensure_ascii=False)
    return Upload(verified, store.add(verified.sealed.digest, file, season))


def read_season(text: str) -> SeasonOfPackage:
    """What was stored with a package for seasons."""
    season: SeasonOfPackage = read_value(SeasonOfPackage, json.loads(text))
    return season


def _season_of(verified: VerifiedPackage) -> SeasonOfPackage:
    content = verified.sealed.content
    empty = SeasonOfPackage(
        verified.sealed.public.hex(), str(content.get("name", "")), str(content.get("date", "")), 0, None
    )
    try:
        night = verified.rederived.night or fold(from_row(row) for row in content["decisions"])
        ended = None if night.ended is None else season_night(night, str(content.get("event", "")))
        return replace(empty, decisions=len(night.rows), night=ended)
    except UNREADABLE:
        return empty
