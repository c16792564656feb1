"""Season standings: players' totals over many events, and cards that count for ACC ratings.

Players are identified by association number, or without one by normalized name. Two rows that may be the same person
are reported, never merged. An event without a row in the rating sheets gets no rating, with a message, but still
counts in the season.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.night.evening import final_rows
from pegboard.tournament.night.facts import FinalRow
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.people import look

# --- ACC rating points: the game points that a card needs, by the number of games of the event ---
#
# Published sheets for singles (ACC, since 2016-08-01). An event without a row gets no rating; none is guessed.


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of the rating sheets.

    Attributes:
        event: "main" or "consolation".
        games: qualifying games of the event.
        least_points: minimum game points for a card to count.
    """

    event: str
    games: int
    least_points: int


RATING_ROWS = (
    RatingRow("main", 12, 14),
    RatingRow("main", 14, 17),
    RatingRow("main", 16, 20),
    RatingRow("main", 18, 22),
    RatingRow("main", 20, 25),
    RatingRow("main", 21, 26),
    RatingRow("main", 22, 27),
    RatingRow("consolation", 7, 9),
)


def rating_row(event: str, games: int) -> RatingRow:
    """The rating row of an event.

    Raises:
        RuleError: the sheets have no such event, or not with this number of games.
    """
    found = next((row for row in RATING_ROWS if (row.event, row.games) == (event, games)), None)
    if found is None:
        known = ", ".join(f"{row.event} {row.games}" for row in RATING_ROWS)
        raise RuleError("playoffs_rating_unknown", event=event, games=games, known=known)
    return found


@dataclass(frozen=True, slots=True)
class SeasonEntry:
    """A player's result at one event: name, number, and the row of the standings."""

    name: str
    number: str
    row: FinalRow


@dataclass(frozen=True, slots=True)
class SeasonNight:
    """An event of the season.

    Attributes:
        id: the event's id, to detect duplicates.
        name: the event's name.
        date: the event's date, such as "2026-11-26".
        games: qualifying games of each player.
        entries: the final standings.
        event: the event's kind in the rating sheets, "main" or "consolation".
    """

    id: str
    name: str
    date: str
    games: int
    entries: tuple[SeasonEntry, ...]
    event: str = "main"


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player's season.

    Attributes:
        name: the player's name, as last written.
        number: the association number, or "".
        place: the place in the season; tied players share it.
        nights: number of events.
        games: number of settled games.
        points: game points.
        won: number of games won.
        skunks: number of games won by a skunk.
        plus: sum of the holes that games were won by.
        minus: sum of the holes that games were lost by.
        best: the best place at an event.
        rated: number of cards that count for the ratings.
    """

    name: str
    number: str
    place: int = 0
    nights: int = 0
    games: int = 0
    points: int = 0
    won: int = 0
    skunks: int = 0
    plus: int = 0
    minus: int = 0
    best: int = 0
    rated: int = 0

    @property
    def net(self) -> int:
        """The net spread of the season."""
        return self.plus - self.minus


@dataclass(frozen=True, slots=True)
class Season:
    """The season: its rows, best first, and messages about them."""

    rows: tuple[SeasonRow, ...] = ()
    sentences: tuple[Message, ...] = field(default=())


def season_night(night: Night, id: str) -> SeasonNight:  # noqa: A002 - the event's own word
    """An event for the season, with the standings stored at its end, or else the current ones."""
    rows = night.ended.standings if night.ended is not None else final_rows(night)
    known = night.players
    entries = tuple(SeasonEntry(known[row.player].display_name, known[row.player].number, row) for row in rows)
    name, date = (night.opened.name, night.opened.date) if night.opened else ("", "")
    return SeasonNight(id, name, date, night.rules.games, entries)


def season_table(nights: Iterable[SeasonNight]) -> Season:
    """The season of these events; duplicates count once."""
    rows: dict[tuple[str, str], SeasonRow] = {}
    sentences: list[Message] = []
    seen: set[str] = set()
    unrated: dict[Message, int] = {}
    for night in sorted(nights, key=lambda night: (night.date, night.id)):
        if night.id in seen:
            sentences.append(Message("night_season_twice", date=night.date, name=night.name))
            continue
        seen.add(night.id)
        rating = _find_rating(night, unrated)
        for entry in night.entries:
            key = ("number", entry.number) if entry.number else ("name", look(entry.name))
            rows[key] = _add(rows.get(key, SeasonRow(entry.name, entry.number)), entry, rating)
    sentences += [Message("night_not_rated", count=count, why=why) for why, count in unrated.items()]
    return Season(_in_order(rows.values()), (*sentences, *_say_likely_twins(rows.values())))


def _find_rating(night: SeasonNight, unrated: dict[Message, int]) -> RatingRow | None:
    """The rating row for an event; if there is none, counts the event in `unrated` by the reason."""
    try:
        return rating_row(night.event, night.games)
    except RuleError as error:
        unrated[error.message] = unrated.get(error.message, 0) + 1
        return None


def _add(so_far: SeasonRow, entry: SeasonEntry, rating: RatingRow | None) -> SeasonRow:
    row = entry.row
    rated = rating is not None and row.points >= rating.least_points and bool(entry.number)
    return replace(
        so_far,
        name=entry.name,
        nights=so_far.nights + 1,
        games=so_far.games + row.won + row.lost,
        points=so_far.points + row.points,
        won=so_far.won + row.won,
        skunks=so_far.skunks + row.skunks,
        plus=so_far.plus + row.plus,
        minus=so_far.minus + row.minus,
        best=min(so_far.best or row.place, row.place),
        rated=so_far.rated + rated,
    )


def _merit(row: SeasonRow) -> tuple[int, int, int]:
    return -row.points, -row.won, -row.net


def _in_order(rows: Iterable[SeasonRow]) -> tuple[SeasonRow, ...]:
    """Rows by game points, games won and net spread; players tied on all three share a place, listed by name."""
    falling = sorted(rows, key=lambda row: (_merit(row), look(row.name), row.number))
    places: dict[tuple[int, int, int], int] = {}
    for place, row in enumerate(falling, 1):
        places.setdefault(_merit(row), place)
    return tuple(replace(row, place=places[_merit(row)]) for row in falling)


def _say_likely_twins(rows: Iterable[SeasonRow]) -> list[Message]:
    """Messages about rows without a number that have the same name as a row with a number."""
    rows = tuple(rows)
    numbered = {look(row.name): row.number for row in rows if row.number}
    return [
        Message("night_season_twin", name=row.name, number=numbered[look(row.name)])
        for row in rows
        if not row.number and look(row.name) in numbered
    ]
