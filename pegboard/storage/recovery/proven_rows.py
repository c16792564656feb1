"""Finds which rows of a damaged journal the hash chain proves, and which games they tell from their start.

Nothing else is believed: a row is what was written where its link fits the row before it, wherever it was read. All of
this goes row by row, for a small machine cannot hold a large journal.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from pegboard.core import wire
from pegboard.storage.event_row import CHAIN, GAME, KIND, NUMBER, SEQ, VERSION, Row, chain_hash

EVERY = 500
"""Rows between two calls of `busy`."""


class Numbers:
    """Numbers of rows, held as the first and last of each stretch without a gap."""

    def __init__(self) -> None:
        self._first: list[int] = []
        self._last: list[int] = []

    def add(self, number: int) -> None:
        """Add a number, greater than all before."""
        if self._last and self._last[-1] == number - 1:
            self._last[-1] = number
        else:
            self._first.append(number)
            self._last.append(number)

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self._first, number) - 1
        return place >= 0 and number <= self._last[place]

    def holds_all_up_to(self, number: int) -> bool:
        """Whether they are 1, 2, 3 and so on up to there at least."""
        return not number or (self._first[:1] == [1] and self._last[0] >= number)

    @property
    def greatest(self) -> int:
        """The greatest, 0 for none."""
        return self._last[-1] if self._last else 0


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


def prove(rows: Iterable[Row], busy: Callable[[], None], base: KnownRows = KnownRows()) -> Iterator[Row]:
    """The rows after those of `base` whose link fits the row before them, in their order.

    `rows` come in the order of their numbers; of several readings of one, the most trusted comes first. A row of which
    the link alone is damaged is proved by the next one, which covers that link as it was.
    """
    links: dict[str, Row | None] = {base.chain: None}  # what may stand before the next row, and what it would prove
    before = base.events
    for n, (number, readings) in enumerate(groupby(rows, key=itemgetter(NUMBER))):
        if n % EVERY == 0:
            busy()
        proven, links = _prove_row(readings, links if number == before + 1 else {})
        yield from proven
        before = number


def _prove_row(readings: Iterable[Row], links: Mapping[str, Row | None]) -> tuple[list[Row], dict[str, Row | None]]:
    """The reading that is proven, after an earlier row that it proves; and what may stand before the next row."""
    following: dict[str, Row | None] = {}
    for row in readings:
        for link, earlier in links.items():
            own = chain_hash(link, row[:CHAIN])
            if own == row[CHAIN]:
                return [each for each in (earlier, row) if each is not None], {own: None}
            following[own] = (*row[:CHAIN], own)
        following.setdefault(row[CHAIN], None)
    return [], following


class GameBeginnings:
    """Keeps of each game the rows up to the first that is missing, or that this version cannot read."""

    def __init__(self, base: KnownRows, limits: Mapping[str, int]) -> None:
        """`limits` names games of which only so many events may stay."""
        self._base, self._limits = base, limits
        self._staying, self._last = Counter(base.games), Counter(base.games)
        self._broken: set[str] = set()
        self._ends: list[tuple[str, int]] = []  # the game and its number of each row before a gap
        self._before = base.events, base.last_game, base.games.get(base.last_game or "", 0)

    @property
    def greatest(self) -> int:
        """The number of the newest row that was proven."""
        return self._before[0]

    @property
    def newest_game(self) -> str | None:
        """The game of that row, None where there is none."""
        return self._before[1]

    def keep(self, proven: Iterable[Row]) -> Iterator[Row]:
        """Those of the proven rows, in their order, that go on where their game was."""
        for row in proven:
            game, seq = row[GAME], row[SEQ]
            if row[NUMBER] != self._before[0] + 1:
                self._end()
            self._before = row[NUMBER], game, seq
            self._last[game] = max(self._last[game], seq)
            is_readable = row[KIND] in wire.EVENTS and row[VERSION] <= wire.VERSION
            if seq != self._staying[game] + 1 or not is_readable or seq > self._limits.get(game, seq):
                self._broken.add(game)
            if game not in self._broken:
                self._staying[game] = seq
                yield row

    def incomplete(self, *, is_end_known: bool) -> dict[str, int]:
        """Games that lack events, or may, with how many they have; without `is_end_known` the newest row's may, too."""
        if not is_end_known:
            self._end()
        cut = {game for game, seq in self._ends if seq == self._last[game]}
        return {game: self._staying[game] for game in sorted(self._broken | cut)}

    def _end(self) -> None:
        """What is missing after the newest row may have been of its game."""
        _, game, seq = self._before
        if game is not None:
            self._ends.append((game, seq))
