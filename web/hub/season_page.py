"""The season: the nights of this hub that have ended, and those that other hubs have sent as packages."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pegboard.hub.ledger.uploaded_packages import UploadedPackages
from pegboard.hub.packages.package_uploads import SeasonOfPackage, read_season
from pegboard.tournament.night.season import Season, SeasonNight, season_night, season_table
from web.hub.night_service import NightService


class SeasonOfHub:
    """The season of one hub; what a package comes to was derived when it came, and is never derived anew."""

    def __init__(self, nights: NightService, packages: UploadedPackages, own_key: Callable[[], bytes]) -> None:
        """`own_key` gives the public key of this hub; it is read only where there are packages."""
        self._nights, self._packages, self._own_key = nights, packages, own_key
        self._known: dict[str, SeasonOfPackage] = {}

    def of_year(self, year: str) -> Season:
        """The season of the nights whose date begins with `year`; "" for all of them.

        A night is known by its hub's key and its id there, and counts once: one that is this hub's own as it is here,
        whatever a package says of it, and another as its newest package says. It counts once it has ended.
        """
        found = {night.id: night for night in (*self._of_packages(), *self._own())}
        return season_table(night for night in found.values() if night.date.startswith(year))

    def packages(self) -> Iterator[tuple[str, SeasonOfPackage]]:
        """The packages that have come, in that order, with their digests."""
        return ((digest, self._read(digest)) for digest in self._packages.digests())

    def _own(self) -> Iterator[SeasonNight]:
        lines = self._nights.lines()
        return (season_night(line.night, line.id) for line in lines if line.night.ended is not None)

    def _of_packages(self) -> Iterator[SeasonNight]:
        newest: dict[tuple[str, str], SeasonOfPackage] = {}
        for _, one in self.packages():
            if one.night is not None:
                place = (one.public, one.night.id)
                newest[place] = max(newest.get(place, one), one, key=lambda each: each.decisions)
        if not newest:
            return
        own = self._own_key().hex()
        for (public, _), one in newest.items():
            assert one.night is not None
            yield one.night if public == own else replace(one.night, id=f"{public} {one.night.id}")

    def _read(self, digest: str) -> SeasonOfPackage:
        if digest not in self._known:
            stored = self._packages.season_of(digest)
            assert stored is not None  # packages are never removed
            self._known[digest] = read_season(stored)
        return self._known[digest]
