"""Rows of the running match in memory: what a journal is written anew from, where its files fail while it is open."""

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from pegboard.core import wire
from pegboard.core.board import Game, Origin
from pegboard.core.match import result
from pegboard.core.moves import Abandoned, Event, Started
from pegboard.core.referee.decide import apply
from pegboard.storage.durability.running_match import MOST_GAMES, games_of_running_match
from pegboard.storage.event_row import EVENTS_OF_GAME, INSERT_EVENT, TABLE_COLUMNS, chain_hash, replay_rows, select_rows
from pegboard.storage.schema import create_tables, rebuild_summary, transaction
from pegboard.storage.summary.summary_tables import update_summary

Row: TypeAlias = tuple[Any, ...]
"""A row of the event table, in the order of `TABLE_COLUMNS`."""

NUMBER, GAME, CHAIN = (TABLE_COLUMNS.split(", ").index(name) for name in ("id", "game", "chain"))


class MatchRows:
    """The rows of the running match, oldest first, as far as its newest `MOST_GAMES` games go."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: list[Row] = list(rows)

    @classmethod
    def read(cls, db: sqlite3.Connection) -> "MatchRows":
        """Those of the match that is running.

        Raises:
            sqlite3.Error: the journal cannot be read.
            ValueError: an event is not what was written, as are the other errors of reading one.
        """
        games = tuple(games_of_running_match(db))
        marks = ", ".join("?" * len(games))
        return cls(db.execute(f"SELECT {TABLE_COLUMNS} FROM event WHERE game IN ({marks}) ORDER BY id", games))  # noqa: S608 - ours

    def add(self, row: Row, event: Event, db: sqlite3.Connection) -> None:
        """Keep the row of an event, which has just been stored; another game of the table may go on after it."""
        if isinstance(event, Abandoned):
            with contextlib.suppress(sqlite3.Error):  # until then the rows so far are better than none
                self.rows = self.read(db).rows
            return
        if isinstance(event, Started):
            games = list(dict.fromkeys(each[GAME] for each in self.rows)) if event.match != row[GAME] else []
            going = set(games[-MOST_GAMES + 1 :]) - {event.replaces}
            self.rows = [each for each in self.rows if each[GAME] in going]
        self.rows.append(row)

    def rows_after(self, number: int, chain: str, last: int) -> list[Row] | None:
        """The rows after event `number` up to event `last`, where they go on from its chain value without a gap."""
        after = [row for row in self.rows if row[NUMBER] > number]
        begins = not after or chain_hash(chain, after[0][:CHAIN]) == after[0][CHAIN]
        return after if begins and [row[NUMBER] for row in after] == list(range(number + 1, last + 1)) else None

    def renumber(self, number: int = 0, chain: str = "") -> list[Row]:
        """The same events after event `number` of a journal, whose chain value is `chain`."""
        rows = list[Row]()
        for place, row in enumerate(self.rows, number + 1):
            columns = (place, *row[1:CHAIN])
            chain = chain_hash(chain, columns)
            rows.append((*columns, chain))
        return rows


def open_in_memory(rows: Iterable[Row], epoch: str) -> sqlite3.Connection:
    """A journal in memory that holds these rows, under the numbers that they have."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with transaction(db):
        create_tables(db, epoch)
        db.executemany(INSERT_EVENT, rows)
        rebuild_summary(db, lambda: None)
    return db


def insert_rows(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Store events that were made elsewhere, with their summary, in the transaction that is under way.

    Raises:
        sqlite3.Error: they cannot be stored, or do not go on from those that are there.
    """
    sheets: dict[str, Game] = {}
    for row, columns in zip(rows, _values_of(rows), strict=True):
        game = columns["game"]
        if game not in sheets:
            sheets[game] = replay_rows(select_rows(db, EVENTS_OF_GAME, game))
        db.execute(INSERT_EVENT, row)
        (stored,) = select_rows(db, "WHERE id = ?", row[NUMBER])
        event, before = stored.event, sheets[game]
        after = (
            before
            if isinstance(event, Abandoned)
            else apply(before, event, Origin(stored.id, stored.source, stored.at))
        )
        sheets[game] = after
        shown = sheets.get(event.replaces) if isinstance(event, Started) else after
        won = None if isinstance(event, Abandoned) else result(after)
        update_summary(db, event, game, stored.id, stored.at, won, shown)


def _values_of(rows: Iterable[Row]) -> Iterable[dict[str, Any]]:
    names = TABLE_COLUMNS.split(", ")
    return (dict(zip(names, row, strict=True)) for row in rows)


def count_lines(rows: Iterable[Row]) -> int:
    """How many of these events are lines of a score sheet."""
    return sum(columns["kind"] in wire.LINES for columns in _values_of(rows))
