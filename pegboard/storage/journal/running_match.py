"""The running match as its events say it, and a check of the summary tables against them."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pegboard.core import wire
from pegboard.core.entry import Origin
from pegboard.core.match import result
from pegboard.core.moves import Abandoned, Event, Started
from pegboard.core.referee import apply
from pegboard.errors import JournalError
from pegboard.messages import Message
from pegboard.storage.event_row import (
    CHAIN,
    EVENTS_OF_GAME,
    GAME,
    INSERT_EVENT,
    KIND,
    MADE_HERE,
    NUMBER,
    TABLE_COLUMNS,
    EventRow,
    Row,
    broken_rows,
    canonical_json,
    chain_hash,
    replay_rows,
    select_rows,
)
from pegboard.storage.journal.journal_mark import MarkedTail
from pegboard.storage.schema import KEEP_EVENTS, create_tables, rebuild_summary, restore_triggers, transaction
from pegboard.storage.summary import result_json, update_result, update_summary
from pegboard.storage.summary_checksum import is_intact

if TYPE_CHECKING:
    from pegboard.core.board import Game

# --- rows of the running match in memory: what a journal is written anew from, where its files fail while it is open
# ---


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


# --- a journal that is open, as the disk gave it or as far as it can be read, and where it ends ---


@dataclass(slots=True)
class OpenedJournal:
    """A journal that can be played with.

    Attributes:
        db: a connection on which a commit is on disk; where `fault` is set, a copy in memory of what can be read.
        epoch: its id.
        last_id: the number of its newest event, 0 before the first.
        chain: that event's link of the hash chain.
        match_rows: the rows of its running match.
        findings: what was found wrong, oldest first.
        fault: why nothing can be stored now, or None.
        left: where there is a `fault`, the end of what could be read on the disk; None where nothing could.
    """

    db: sqlite3.Connection
    epoch: str
    last_id: int
    chain: str
    match_rows: MatchRows
    findings: list[Message] = field(default_factory=list)
    fault: Message | None = None
    left: MarkedTail | None = None


# --- makes events void that were refused and stand in the journal all the same: after a failed sync, frames stay valid
# ---
#
# They were never answered as stored. Their rows move into the table `voided`, in one transaction.


_VOIDED = """
CREATE TABLE IF NOT EXISTS voided (at INTEGER NOT NULL, after INTEGER NOT NULL, row TEXT)
"""
"""When it was made void, in nanoseconds since 1970; the event that it came after; its row as JSON, null for none."""


_WHOLE_SUMMARY = {"started", "abandoned", "renamed"}
"""Kinds of events that change the summary of more games than their own."""


def void_events_after(db: sqlite3.Connection, number: int, busy: Callable[[], None] = lambda: None) -> int:
    """Make the events after event `number` void, and return how many there were.

    Where there is none, that is noted as well: the note is written over frames of a refused commit which may stand in
    the log, so that they cannot become valid later.

    Raises:
        sqlite3.Error: it cannot be done now; nothing is changed.
    """
    columns = f"SELECT {TABLE_COLUMNS} FROM event WHERE id > ? ORDER BY id"  # noqa: S608 - ours
    with transaction(db):
        rows = db.execute(columns, (number,)).fetchall()
        db.execute(_VOIDED)
        notes: list[str | None] = [canonical_json(row) for row in rows] or [None]
        db.executemany("INSERT INTO voided VALUES (?, ?, ?)", [(time.time_ns(), number, note) for note in notes])
        if rows:
            _delete_after(db, number)
            _undo_summary(db, rows, number, busy)
    return len(rows)


def _delete_after(db: sqlite3.Connection, number: int) -> None:
    """Delete rows; the trigger that forbids it is away meanwhile, in the same transaction."""
    db.execute("DROP TRIGGER event_is_kept")
    db.execute("DELETE FROM event WHERE id > ?", (number,))
    db.execute(KEEP_EVENTS)


def _undo_summary(db: sqlite3.Connection, rows: list[Row], number: int, busy: Callable[[], None]) -> None:
    if len(rows) > 1 or rows[0][KIND] in _WHOLE_SUMMARY:
        rebuild_summary(db, busy)
        return
    game = rows[0][GAME]
    sheet = replay_rows(select_rows(db, EVENTS_OF_GAME, game))
    update_result(db, game, number, result(sheet), sheet)


def voided_rows(db: sqlite3.Connection) -> list[list[object]]:
    """The rows that were made void, oldest first, each in the order of `TABLE_COLUMNS`."""
    if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'voided'").fetchone()[0]:
        return []
    return [json.loads(row) for (row,) in db.execute("SELECT row FROM voided WHERE row IS NOT NULL ORDER BY rowid")]


MOST_GAMES = 20
"""Games of a match that are looked at, the newest first; an open match goes on for years."""


_BEGUN_OR_GIVEN_UP = f"""
SELECT id, game, kind, body, v FROM event
WHERE kind IN ('started', 'abandoned') AND {MADE_HERE} ORDER BY id DESC
"""  # noqa: S608 - ours


_SUMMARY = """
SELECT id, match, format, started, result, over FROM game WHERE match = ? AND NOT abandoned AND imported = 0
ORDER BY started DESC LIMIT ?
"""


_NEWEST_IN_SUMMARY = "SELECT id FROM game WHERE NOT abandoned AND imported = 0 ORDER BY started DESC LIMIT 1"


class DamagedJournal(JournalError):
    """The journal holds something else than what was written."""


def games_of_running_match(db: sqlite3.Connection) -> dict[str, tuple[int, Started]]:
    """The games of the match on the table, the running one first, with number and content of the event that began each.

    Raises:
        sqlite3.Error: the journal cannot be read.
        DamagedJournal: an event is not what was written.
    """
    given_up, games = set[str](), dict[str, tuple[int, Started]]()
    for number, game, kind, body, version in db.execute(_BEGUN_OR_GIVEN_UP):
        if kind == "abandoned":
            given_up.add(game)
            continue
        event = _read_start(db, number, kind, body, version)
        if game not in given_up:
            if len(games) == MOST_GAMES or any(event.match != other.match for _, other in games.values()):
                break  # a match goes on only until another one begins
            games[game] = (number, event)
        given_up.add(event.replaces)
    return games


def _read_start(db: sqlite3.Connection, number: int, kind: str, body: str, version: int) -> Started:
    try:
        event = wire.read_event(kind, json.loads(body), version)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        for broken in broken_rows(db, between=(number, number)):
            raise DamagedJournal("journal_row_broken", event=broken.number) from None
        raise
    assert isinstance(event, Started)
    return event


def check_running_match(db: sqlite3.Connection, busy: Callable[[], None]) -> list[Message]:
    """See that the running match is as it was written; what is derived and differs is made anew, and named.

    Raises:
        DamagedJournal: an event of it is not what was written.
        sqlite3.Error: the journal cannot be read, or its summary not written.
        ValueError: an event cannot be read, as are the other errors of reading one.
    """
    findings = [Message("journal_trigger_removed", name=name) for name in restore_triggers(db)]
    games = games_of_running_match(db)
    if not _are_found_by_index(db, games):
        rebuild_indexes(db)
        findings.append(Message("journal_index_rebuilt"))
    for game in {*games, *_games_at_the_end(db)}:
        for broken in broken_rows(db, game):
            raise DamagedJournal("journal_row_broken", event=broken.number)
    _require_no_gap(db, next(iter(games.values()), (1,))[0])
    if is_intact(db) and _summary_of(db, games) == _summary_in_tables(db, games):
        return findings
    with transaction(db):
        rebuild_summary(db, busy)
    return [*findings, Message("journal_summary_rebuilt")]


def rebuild_indexes(db: sqlite3.Connection) -> None:
    """Make the indexes of the events anew, by which those of a game and a command's id are found.

    Raises:
        sqlite3.Error: they cannot be written, or the events do not fit them.
    """
    with transaction(db):
        db.execute("REINDEX event")


def _are_found_by_index(db: sqlite3.Connection, games: dict[str, tuple[int, Started]]) -> bool:
    """Whether the index finds every event of these games that is there."""
    for game, (first, _) in games.items():
        by_index = db.execute(
            "SELECT id, game, seq FROM event WHERE game = ?", (game,)
        ).fetchall()  # read from it alone
        by_number = db.execute("SELECT id, game, seq FROM event WHERE id >= ? AND +game = ?", (first, game)).fetchall()
        if sorted(by_index) != by_number:
            return False
    return True


def _games_at_the_end(db: sqlite3.Connection) -> set[str]:
    """The game of the newest event, and the running one by the summary: damage may hide that they began."""
    newest = db.execute("SELECT game FROM event ORDER BY id DESC LIMIT 1").fetchall()
    return {str(game) for (game,) in (*newest, *db.execute(_NEWEST_IN_SUMMARY))}


def _require_no_gap(db: sqlite3.Connection, first: int) -> None:
    """See that no event is missing since the running game began: it may have been one of that game.

    Raises:
        DamagedJournal: one is.
    """
    many, last = db.execute("SELECT count(*), max(id) FROM event WHERE id >= ?", (first,)).fetchone()
    if many and many != last - first + 1:
        raise DamagedJournal("journal_rows_missing", count=last - first + 1 - many)


def _summary_of(db: sqlite3.Connection, games: dict[str, tuple[int, Started]]) -> list[tuple[object, ...]]:
    found = list[tuple[object, ...]]()
    for game, (number, event) in games.items():
        sheet = replay_rows(_rows(db, game))
        over = sheet.outcome is not None
        found.append((game, event.match, event.format, number, result_json(result(sheet)), over))
    return found


def _rows(db: sqlite3.Connection, game: str) -> list[EventRow]:
    return list(select_rows(db, EVENTS_OF_GAME, game))


def _summary_in_tables(db: sqlite3.Connection, games: dict[str, tuple[int, Started]]) -> list[tuple[object, ...]]:
    """The same as the tables have it; nothing where these say that another game is running."""
    if db.execute(_NEWEST_IN_SUMMARY).fetchone() != next(((game,) for game in games), None):
        return [()]
    match = next((event.match for _, event in games.values()), "")
    return [tuple(row) for row in db.execute(_SUMMARY, (match, MOST_GAMES))]
