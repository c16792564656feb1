"""Finds which rows of a damaged journal the hash chain proves, and which games they tell from their start.

Nothing else is believed: a row is what was written where its link fits the row before it, wherever it was read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pegboard.core import wire
from pegboard.storage.event_row import chain_hash
from pegboard.storage.recovery.page_scan import Row

EPOCH, GAME, SEQ, KIND, VERSION, CHAIN = 1, 2, 3, 5, 10, 11
"""Places in a row (`event_row.TABLE_COLUMNS`)."""

EVERY = 500
"""Rows between two calls of `busy`."""


@dataclass(slots=True)
class Candidates:
    """What was read of each row, by its number: several readings where they differ, the most trusted first."""

    rows: dict[int, list[Row]] = field(default_factory=dict)

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows that are trusted less than those before."""
        for row in rows:
            known = self.rows.setdefault(row[0], [])
            if row not in known:
                known.append(row)


@dataclass(frozen=True, slots=True)
class KnownRows:
    """The first rows of a journal, which are known already.

    Attributes:
        events: how many; chain: the link of the last one, "" before the first.
        games: how many of them each game has.
        last_game: the game of the last one.
    """

    events: int = 0
    chain: str = ""
    games: Mapping[str, int] = field(default_factory=dict)
    last_game: str | None = None


def prove(candidates: Candidates, busy: Callable[[], None], base: KnownRows = KnownRows()) -> dict[int, Row]:
    """The rows after those of `base` whose link fits the row before them, in their order.

    A row of which the link alone is damaged is proved by the next one, which covers that link as it was.
    """
    proven: dict[int, Row] = {}
    links: dict[str, Row | None] = {base.chain: None}  # what may stand before the next row, and what it would prove
    before = base.events
    for n, number in enumerate(sorted(number for number in candidates.rows if number > before)):
        if n % EVERY == 0:
            busy()
        links = links if number == before + 1 else {}
        links = _prove_row(proven, candidates.rows[number], links)
        before = number
    return dict(sorted(proven.items()))


def _prove_row(proven: dict[int, Row], readings: list[Row], links: Mapping[str, Row | None]) -> dict[str, Row | None]:
    following: dict[str, Row | None] = {}
    for row in readings:
        for link, earlier in links.items():
            own = chain_hash(link, row[:CHAIN])
            if own == row[CHAIN]:
                proven[row[0]] = row
                if earlier is not None:
                    proven[earlier[0]] = earlier
                return {own: None}
            following[own] = (*row[:CHAIN], own)
        following.setdefault(row[CHAIN], None)
    return following


@dataclass(frozen=True, slots=True)
class Beginnings:
    """The rows that tell games from their start without a gap.

    Attributes:
        rows: these, in their order, after those of the base.
        incomplete: games that lack events after those, or may, by their ids, with how many events are there.
    """

    rows: list[Row]
    incomplete: dict[str, int]


def keep_beginnings(proven: Mapping[int, Row], base: KnownRows, *, is_end_known: bool) -> Beginnings:
    """Of each game the rows up to the first that is missing, or that this version cannot read.

    Without `is_end_known` the newest row may not have been the last.
    """
    kept, rows, broken = Counter(base.games), [], set[str]()
    for row in proven.values():
        game = row[GAME]
        is_next = row[SEQ] == kept[game] + 1 and row[KIND] in wire.EVENTS and row[VERSION] <= wire.VERSION
        if is_next and game not in broken:
            rows.append(row)
            kept[game] += 1
        else:
            broken.add(game)
    cut = set(_games_before_gaps(proven, base, is_end_known=is_end_known))
    return Beginnings(rows, {game: kept[game] for game in sorted(broken | cut)})


def _games_before_gaps(proven: Mapping[int, Row], base: KnownRows, *, is_end_known: bool) -> Iterator[str]:
    """The games whose last row stands before a gap: what is missing there may have been theirs."""
    last = Counter(base.games)
    for row in proven.values():
        last[row[GAME]] = max(last[row[GAME]], row[SEQ])
    newest = max(proven, default=base.events)
    ends = {number: (row[GAME], row[SEQ]) for number, row in proven.items() if number + 1 not in proven}
    if base.last_game is not None and base.events + 1 not in proven:
        ends[base.events] = (base.last_game, base.games[base.last_game])
    for number, (game, seq) in ends.items():
        if seq == last[game] and (number != newest or not is_end_known):
            yield game
