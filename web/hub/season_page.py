"""The season table of a hub: its own events that have ended, and events that other hubs sent as packages."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pegboard.hub.ledger.ledger import UploadedPackages
from pegboard.hub.night_service import NightService
from pegboard.hub.packages.package_exchange import SeasonOfPackage, read_season, season_of
from pegboard.hub.packages.verification import UNREADABLE, verify_package
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.season import Season, SeasonNight, season_night, season_table

MOST_TABLES = 8
"""Maximum cached seasons, by year."""

log = logging.getLogger("pegboard")


class SeasonOfHub:
    """The season of one hub; a package's results are derived once, when it arrives.

    Season tables are cached until an ended event or the packages change.
    """

    def __init__(self, nights: NightService, packages: UploadedPackages, own_key: Callable[[], bytes | None]) -> None:
        """`own_key` returns this hub's public key, or None; it is called only if there are packages."""
        self._nights, self._packages, self._own_key = nights, packages, own_key
        self._known: dict[str, SeasonOfPackage] = {}
        self._state: object = None
        self._tables: dict[str, Season] = {}

    def of_year(self, year: str) -> Season:
        """The season of the events whose date begins with `year`; "" for all.

        An event is identified by its hub's key and its id at that hub, and counts once, after it has ended. This hub's
        own events count as they are here, whatever a package says; other events count as in their newest package.
        """
        own = [(line.id, line.night) for line in self._nights.lines() if line.night.ended is not None]
        state = (tuple(self._read_packages()), tuple((name, night.revision) for name, night in own))
        if state != self._state or len(self._tables) > MOST_TABLES:
            self._state, self._tables = state, {}
        if year not in self._tables:
            self._tables[year] = self._add_up(year, own)
        return self._tables[year]

    def years(self) -> list[str]:
        """The years of the events that count, newest first."""
        self._read_packages()
        dates = [night.date for night in self._of_packages()]
        dates += [line.date for line in self._nights.lines() if line.night.ended is not None]
        return sorted({date[:4] for date in dates if date}, reverse=True)

    def _add_up(self, year: str, own: Iterable[tuple[str, Night]]) -> Season:
        nights = (*self._of_packages(), *(season_night(night, name) for name, night in own))
        found = {night.id: night for night in nights}
        return season_table(night for night in found.values() if night.date.startswith(year))

    def packages(self) -> list[tuple[str, SeasonOfPackage]]:
        """The received packages with their digests, newest first."""
        return [(digest, self._known[digest]) for digest in reversed(self._read_packages())]

    def _read_packages(self) -> list[str]:
        """The digests of all packages; loads the season data of new packages."""
        digests = self._packages.digests()
        if not self._known.keys() >= set(digests):
            for digest, text in self._packages.seasons():
                if digest not in self._known:
                    self._known[digest] = self._read(digest, text)
        return digests

    def _of_packages(self) -> Iterator[SeasonNight]:
        newest: dict[tuple[str, str], SeasonOfPackage] = {}
        for one in self._known.values():
            if one.night is not None:
                place = (one.public, one.night.id)
                newest[place] = max(newest.get(place, one), one, key=lambda each: each.decisions)
        if not newest:
            return
        own = self._own_key()
        for (public, _), one in newest.items():
            assert one.night is not None
            is_own = own is not None and public == own.hex()
            yield one.night if is_own else replace(one.night, id=f"{public} {one.night.id}")

    def _read(self, digest: str, text: str) -> SeasonOfPackage:
        """The stored results of a package; results written by another version are derived from the package again."""
        try:
            return read_season(text)
        except UNREADABLE as error:
            log.warning("recomputing package %s: %s", digest[:16], type(error).__name__)
            file = self._packages.content_of(digest)
            assert file is not None  # packages are never removed
            return season_of(verify_package(file, {}))
