"""The season: the nights of this hub that have ended, and those that other hubs have sent as packages."""

import logging
from collections.abc import Iterator

from pegboard.hub.ledger.uploaded_packages import UploadedPackages
from pegboard.hub.packages.night_package import open_package
from pegboard.hub.packages.package_errors import PackageRefused
from pegboard.hub.packages.rederivation import UNREADABLE
from pegboard.tournament.night.derivation import fold
from pegboard.tournament.night.season import Season, SeasonNight, season_night, season_table
from pegboard.tournament.night.stored_form import from_row
from web.hub.night_service import NightService

log = logging.getLogger("pegboard")


class SeasonOfHub:
    """The season of one hub; the night of a package is derived once, whoever looks at it how often."""

    def __init__(self, nights: NightService, packages: UploadedPackages) -> None:
        self._nights, self._packages = nights, packages
        self._derived: dict[str, SeasonNight | None] = {}

    def of_year(self, year: str) -> Season:
        """The season of the nights whose date begins with `year`; "" for all of them.

        Each night counts once by its id: one that is this hub's own as it is here, whatever a package says of it.
        """
        found = {night.id: night for night in (*self._of_packages(), *self._own())}
        return season_table(night for night in found.values() if night.date.startswith(year))

    def _own(self) -> Iterator[SeasonNight]:
        lines = self._nights.lines()
        return (season_night(line.night, line.id) for line in lines if line.night.ended is not None)

    def _of_packages(self) -> Iterator[SeasonNight]:
        for digest in self._packages.digests():
            if digest not in self._derived:
                self._derived[digest] = self._derive(digest)
            if (night := self._derived[digest]) is not None:
                yield night

    def _derive(self, digest: str) -> SeasonNight | None:
        """The night of a package; None for one that comes to no standings."""
        stored = self._packages.get(digest)
        assert stored is not None  # packages are never removed
        try:
            content = open_package(stored.content).content
            return season_night(fold(from_row(row) for row in content["decisions"]), stored.event)
        except (PackageRefused, *UNREADABLE) as error:
            log.warning("the package %s counts in no season: %s", digest[:16], type(error).__name__)
            return None
