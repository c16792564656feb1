"""Import transaction: stores games played at another table, all or none; counts new, skipped and differing games."""

import sqlite3
from dataclasses import dataclass
from typing import Any, NamedTuple

from pegboard.core import wire
from pegboard.core.moves import Abandoned, Event, Started
from pegboard.storage.event_row import IMPORTED, INSERT_EVENT, chain_hash
from pegboard.storage.summary import (
    GameSummary,
    ImportedPlaces,
    abandon_replaced,
    correct_all_names,
    insert_game,
    mark_abandoned,
    settle_matches,
    store_summary,
)

BATCH = 500
"""Rows of an import collected in memory for one insert."""


class ImportedEvent(NamedTuple):
    """An event of a game played at another table.

    Attributes:
        game: the game's id.
        seq: the event's number within the game.
        at: wall time at that table, in nanoseconds since 1970.
        event: the event itself.
        body: the event's values as canonical JSON text, made before the transaction, to keep the transaction short.
        source: the input device or page of that table.
        epoch: the id of that table's journal, "" if unknown.
        summary: the summary of the game, only with its last event; else None.
    """

    game: str
    seq: int
    at: int
    event: Event
    body: str
    source: str
    epoch: str = ""
    summary: GameSummary | None = None


class SkippedGame(NamedTuple):
    """A game of an import with nothing new; it `differs` if the events stored here are different."""

    game: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Counts of an import.

    Attributes:
        games: games not stored here before.
        events: new events.
        skipped: games that were already stored here, and are unchanged.
        continued: games imported unfinished earlier that now have more events.
        differing: skipped games whose events differ from those stored here.
    """

    games: int
    events: int
    skipped: int
    continued: int = 0
    differing: int = 0


class ImportTransaction:
    """Inserts imported events with their summaries; the caller starts and commits the transaction.

    Attributes:
        last_id: the number of the newest event of the journal.
        chain: that event's link in the hash chain.
    """

    def __init__(self, db: sqlite3.Connection, last_id: int, chain: str) -> None:
        self._db, self.last_id, self.chain = db, last_id, chain
        self._before = last_id
        self._fits: dict[str, bool] = {}
        self._new_games, self._differing = set[str](), set[str]()
        self._replaced: list[tuple[str, int, str]] = []
        self._rows: list[tuple[Any, ...]] = []
        self._places: ImportedPlaces | None = None

    def add(self, each: ImportedEvent | SkippedGame) -> None:
        """Store an event, unless its game is skipped."""
        if isinstance(each, SkippedGame):
            self._fits[each.game] = False
            self._differing |= {each.game} if each.differs else set()
            return
        if each.game not in self._fits:
            self._fits[each.game] = self._is_next(each)
        if self._fits[each.game]:
            self._insert(each)

    def _is_next(self, each: ImportedEvent) -> bool:
        """Whether a game's first event in this import is its next one here; the journal may have changed since."""
        self._flush()
        found = self._db.execute("SELECT imported AND NOT abandoned FROM game WHERE id = ?", (each.game,)).fetchone()
        if found is None:
            self._new_games |= {each.game}
            return each.seq == 1
        (seq,) = self._db.execute("SELECT max(seq) + 1 FROM event WHERE game = ?", (each.game,)).fetchone()
        fits = bool(found[0]) and each.seq == seq
        self._differing |= {each.game} if each.seq > 1 and not fits else set()
        return fits

    def _insert(self, each: ImportedEvent) -> None:
        self.last_id += 1
        epoch = f"{IMPORTED} {each.epoch}".rstrip()
        head = (self.last_id, epoch, each.game, each.seq, each.at, wire.kind(each.event), each.body, each.source)
        row = (*head, None, None, wire.version(each.event))
        self.chain = chain_hash(self.chain, row)
        self._rows.append((*row, self.chain))
        if isinstance(each.event, Started):
            self._places = self._places or ImportedPlaces(self._db)
            away = self._places.next(epoch, each.at)
            insert_game(self._db, each.event, each.game, self.last_id, each.at, away=away)
            self._replaced += [(each.event.replaces, self.last_id, epoch)] if each.event.replaces else []
        if len(self._rows) >= BATCH or each.summary is not None:
            self._flush()
        if each.summary is not None:
            store_summary(self._db, each.game, self.last_id, each.summary)
            if isinstance(each.event, Abandoned):
                mark_abandoned(self._db, each.game, self.last_id, imported=True)

    def _flush(self) -> None:
        """Insert the collected rows together, which is faster."""
        self._db.executemany(INSERT_EVENT, self._rows)
        self._rows.clear()

    def finish(self) -> ImportReport:
        """Do the work that needs all games: abandon replaced ones, correct names, settle matches; return the counts."""
        self._flush()
        for each in self._replaced:
            abandon_replaced(self._db, *each)
        correct_all_names(self._db, self._before)
        stored = [game for game, fits in self._fits.items() if fits]
        settle_matches(self._db, stored)
        new, skipped = len(self._new_games.intersection(stored)), len(self._fits) - len(stored)
        return ImportReport(new, self.last_id - self._before, skipped, len(stored) - new, len(self._differing))
