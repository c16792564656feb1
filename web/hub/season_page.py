"""The season: the nights of this hub that have ended, and those that other hubs have sent as packages."""

from collections.abc import Iterator

from pegboard.hub.packages.night_package import open_package
from pegboard.tournament.night.derivation import fold
from pegboard.tournament.night.season import Season, SeasonNight, season_night, season_table
from pegboard.tournament.night.stored_form import from_row
from web.hub.hub_parts import HubParts


def season_of(hub: HubParts, year: str) -> Season:
    """The season of the nights whose date begins with `year`; "" for all of them."""
    nights = {night.id: night for night in (*_own_nights(hub), *_nights_of_packages(hub))}
    return season_table(night for night in nights.values() if night.date.startswith(year))


def _own_nights(hub: HubParts) -> Iterator[SeasonNight]:
    return (season_night(line.night, line.id) for line in hub.nights.lines() if line.night.ended is not None)


def _nights_of_packages(hub: HubParts) -> Iterator[SeasonNight]:
    """Each by the id of its night: one that is this hub's own, or was sent twice, counts once."""
    for stored in hub.packages.list():
        content = open_package(stored.content).content
        yield season_night(fold(from_row(row) for row in content["decisions"]), stored.event)
