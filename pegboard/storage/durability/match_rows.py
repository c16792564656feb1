"""Rows of the running match in memory: what a journal is written anew from, where its files fail while it is open."""

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.match import result
from pegboard.core.moves import Abandoned, Event, Started
from pegboard.core.referee import apply
from pegboard.storage.durability.journal_mark import MarkedTail
from pegboard.storage.durability.running_match import MOST_GAMES, games_of_running_match
from pegboard.storage.event_row import (
    CHAIN,
    EVENTS_OF_GAME,
    GAME,
    INSERT_EVENT,
    KIND,
    NUMBER,
    TABLE_COLUMNS,
    Row,
    chain_hash,
    replay_rows,
    select_rows,
)
from pegboard.storage.schema import create_tables, rebuild_summary, transaction
from pegboard.storage.summary.summary_tables import update_summary


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
        """Add the row of an event, which has just been stored; another game of the table may go on after it."""
        if isinstance(event, Abandoned):
            with contextlib.suppress(sqlite3.Error):  # until then the rows so far are better than none
                self.rows = self.read(db).rows
            return
        if isinstance(event, Started):
            games = list(dict.fromkeys(each[GAME] for each in self.rows)) if event.match != row[GAME] else []
            going = set(games[-MOST_GAMES + 1 :]) - {event.replaces}
            self.rows = [each for each in self.rows if each[GAME] in going]
        self.rows.append(row)

    def rows_after(self, number: int, chain: str, end: MarkedTail) -> list[Row] | None:
        """The rows after event `number` up to `end`, where they go on from its link without a gap; none after it."""
        if (number, chain) == (end.number, end.chain):
            return []
        after = [row for row in self.rows if row[NUMBER] > number]
        begins = bool(after) and chain_hash(chain, after[0][:CHAIN]) == after[0][CHAIN]
        return after if begins and [row[NUMBER] for row in after] == list(range(number + 1, end.number + 1)) else None


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
    for row in rows:
        game = row[GAME]
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


def count_lines(rows: Iterable[Row]) -> int:
    """How many of these events are lines of a score sheet."""
    return sum(row[KIND] in wire.LINES for row in rows)
