"""Read-only access to a journal while another process writes: snapshot queries, all events, integrity check."""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pegboard.errors import JournalError
from pegboard.storage.event_row import COLUMNS, EVENTS_OF_GAME, EventRow, broken_rows, select_rows
from pegboard.storage.newer_journal import refuse_newer
from pegboard.storage.schema import FILE, remedy
from pegboard.storage.summary_checksum import is_intact
from pegboard.storage.verified_copies import limit_cache, read_only

DAMAGED_DATA_ERRORS = (ValueError, TypeError, LookupError, AttributeError)
"""Exceptions raised by reading damaged rows, in addition to SQLite errors."""

CACHE_KIB = 2_000
"""Size of the page cache for reading: with a smaller cache, statistics of all games take a quarter longer."""


class JournalReader:
    """Reader of one snapshot of the journal; it neither blocks the writing process nor waits for it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.row_factory = sqlite3.Row

    def select(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[sqlite3.Row]:
        """The rows that a query selects with these parameters."""
        return self._db.execute(query, values).fetchall()

    def number(self, query: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> int:
        """The single number that a query selects."""
        return int(self._db.execute(query, values).fetchone()[0])

    def newest_event(self) -> int:
        """The number of the newest event, or 0."""
        return self.number("SELECT coalesce(max(id), 0) FROM event")

    def rows(self, game: str) -> list[EventRow]:
        """The events of one game and later name corrections in its match, in order."""
        return list(select_rows(self._db, EVENTS_OF_GAME, game))

    def rows_after(self, number: int, up_to: int) -> list[EventRow]:
        """The events after number `number` up to number `up_to`, in order."""
        return list(select_rows(self._db, "WHERE id > ? AND id <= ?", number, up_to))

    def first_event(self, game: str) -> int:
        """The number of the first event of a game; 0 if there is no such game."""
        return self.number("SELECT coalesce(max(started), 0) FROM game WHERE id = ?", (game,))

    def epochs_of_games(self, since: int) -> list[str]:
        """The epochs of events of games started here after event `since`, in event order."""
        query = f"SELECT epoch FROM event WHERE id > ? AND {_OF_LATER_GAMES} GROUP BY epoch ORDER BY min(id)"  # noqa: S608 - no user input
        return [str(row[0]) for row in self.select(query, (since, since))]

    def count_of_games(self, since: int, epoch: str, after: int) -> int:
        """The number of events, with that epoch and after event `after`, of games started here after event `since`."""
        query = f"SELECT count(*) FROM event WHERE id > ? AND epoch = ? AND {_OF_LATER_GAMES}"  # noqa: S608 - no user input
        return self.number(query, (max(since, after), epoch, since))

    def rows_of_games(self, since: int, epoch: str, after: int, most: int) -> list[tuple[EventRow, str]]:
        """The first `most` events that `count_of_games` counts, in order, each with its link in the hash chain."""
        where = f"WHERE id > ? AND epoch = ? AND {_OF_LATER_GAMES} ORDER BY id LIMIT ?"
        query = f"SELECT {COLUMNS}, chain FROM event {where}"  # noqa: S608 - no user input
        found = self.select(query, (max(since, after), epoch, since, most))
        return [(EventRow(*row[:-1]), row[-1]) for row in map(tuple, found)]

    def link(self, number: int, epoch: str) -> str | None:
        """The link of an event in the hash chain, "" for number 0; None if that epoch has no such event."""
        if number == 0:
            return ""
        found = self.select("SELECT chain FROM event WHERE id = ? AND epoch = ?", (number, epoch))
        return str(found[0][0]) if found else None


_OF_LATER_GAMES = "game IN (SELECT id FROM game WHERE started > ? AND NOT imported)"
"""SQL condition: the event's game was started here after a given event."""


@contextlib.contextmanager
def read_snapshot(folder: Path) -> Iterator[JournalReader]:
    """A snapshot of the journal in `folder` at the first query; later events are not visible.

    Raises:
        JournalError: there is no journal, the journal cannot be read, or damaged data was read.
    """
    with open_read_only(folder) as db:
        db.execute("BEGIN")
        try:
            yield JournalReader(db)
        except DAMAGED_DATA_ERRORS as error:
            if _is_as_written(db):
                raise
            raise JournalError("journal_damaged", folder=folder, fault=error) from error


_HAS_ITS_EVENTS = """
SELECT NOT EXISTS (SELECT 1 FROM game LEFT JOIN event ON event.id = game.started WHERE event.id IS NULL)
AND (SELECT coalesce(max(changed), 0) FROM game) <= (SELECT coalesce(max(id), 0) FROM event)
"""
"""Detects events missing at the end, which leave the hash chain intact."""


def _is_as_written(db: sqlite3.Connection) -> bool:
    """Whether all data in the journal is unaltered."""
    db.row_factory = None
    return (
        db.execute("SELECT count(*) FROM about").fetchone() == (1,)
        and db.execute("PRAGMA integrity_check(event)").fetchone() == ("ok",)
        and is_intact(db)
        and db.execute(_HAS_ITS_EVENTS).fetchone() == (1,)
        and next(broken_rows(db), None) is None
    )


@contextlib.contextmanager
def read_events(folder: Path) -> Iterator[Iterator[EventRow]]:
    """All events of the journal in `folder`, even while another process writes.

    Raises:
        JournalError: there is no journal, or the journal cannot be read.
    """
    with open_read_only(folder) as db:
        yield select_rows(db)


def check(folder: Path) -> int:
    """Check the integrity and hash chain of the journal in `folder`, and return its number of events.

    Raises:
        JournalError: there is no journal, the journal cannot be read, SQLite reports damage, or an event was changed.
    """
    with open_read_only(folder) as db:
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise JournalError("journal_damaged", folder=folder, fault=verdict)
        for broken in broken_rows(db):
            raise JournalError("journal_tampered", folder=folder, event=broken.number)
        return int(db.execute("SELECT count(*) FROM event").fetchone()[0])


def journal_exists(folder: Path) -> bool:
    """Whether there is a journal in `folder`.

    Raises:
        JournalError: this user is not allowed to read the folder.
    """
    try:
        return (folder / FILE).is_file()
    except OSError as error:
        raise JournalError("journal_folder_unreadable", folder=folder, error=error.strerror) from error


@contextlib.contextmanager
def open_read_only(folder: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection to the journal in `folder`.

    Raises:
        JournalError: there is no journal, or the journal cannot be read.
    """
    path = folder / FILE
    if not journal_exists(folder):
        raise JournalError("journal_missing", folder=folder)
    try:
        with read_only(path) as db:
            limit_cache(db, CACHE_KIB)
            refuse_newer(db, path)
            yield db
    except sqlite3.Error as error:
        raise JournalError("journal_unreadable", path=path, error=error, remedy=remedy(error)) from error
