"""Running match of the open journal: rows in memory, voiding of refused events, repair of summary and indexes."""

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
from pegboard.json_parser import canonical_json
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

# --- rows of the running match in memory ---
#
# The journal is rewritten from them if its files fail while it is open.


class MatchRows:
    """The rows of the running match, oldest first, limited to its newest `MOST_GAMES` games."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: list[Row] = list(rows)

    @classmethod
    def read(cls, db: sqlite3.Connection) -> "MatchRows":
        """Read the rows of the running match.

        Raises:
            sqlite3.Error: the journal cannot be read.
            ValueError: an event is damaged; other exceptions from parsing an event mean the same.
        """
        games = tuple(games_of_running_match(db))
        marks = ", ".join("?" * len(games))
        return cls(db.execute(f"SELECT {TABLE_COLUMNS} FROM event WHERE game IN ({marks}) ORDER BY id", games))  # noqa: S608 - no user input

    def add(self, row: Row, event: Event, db: sqlite3.Connection) -> None:
        """Add the row of an event that was just stored; after it, another game may be the running one."""
        if isinstance(event, Abandoned):
            with contextlib.suppress(sqlite3.Error):  # the old rows are better than none
                self.rows = self.read(db).rows
            return
        if isinstance(event, Started):
            games = list(dict.fromkeys(each[GAME] for each in self.rows)) if event.match != row[GAME] else []
            going = set(games[-MOST_GAMES + 1 :]) - {event.replaces}
            self.rows = [each for each in self.rows if each[GAME] in going]
        self.rows.append(row)

    def rows_after(self, number: int, chain: str, end: MarkedTail) -> list[Row] | None:
        """The rows after event `number` up to `end`; None unless they continue its hash chain without a gap."""
        if (number, chain) == (end.number, end.chain):
            return []
        after = [row for row in self.rows if row[NUMBER] > number]
        begins = bool(after) and chain_hash(chain, after[0][:CHAIN]) == after[0][CHAIN]
        return after if begins and [row[NUMBER] for row in after] == list(range(number + 1, end.number + 1)) else None


def open_in_memory(rows: Iterable[Row], epoch: str) -> sqlite3.Connection:
    """A journal in memory with these rows, which keep their numbers."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with transaction(db):
        create_tables(db, epoch)
        db.executemany(INSERT_EVENT, rows)
        rebuild_summary(db, lambda: None)
    return db


def insert_rows(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Store existing events and update the summary, in the current transaction.

    Raises:
        sqlite3.Error: the events cannot be stored, or do not continue the stored events.
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
    """The number of these events that are lines of a score sheet."""
    return sum(row[KIND] in wire.LINES for row in rows)


# --- an open journal ---


@dataclass(slots=True)
class OpenedJournal:
    """An open journal, ready for use.

    Attributes:
        db: a connection whose commits are on disk; if `fault` is set, a copy in memory of what can be read.
        epoch: the journal's id.
        last_id: the number of the newest event, 0 before the first.
        chain: that event's link in the hash chain.
        match_rows: the rows of the running match.
        findings: problems found, oldest first.
        fault: why nothing can be stored now, or None.
        left: if there is a `fault`, the newest event that could be read from disk; None if nothing could be read.
    """

    db: sqlite3.Connection
    epoch: str
    last_id: int
    chain: str
    match_rows: MatchRows
    findings: list[Message] = field(default_factory=list)
    fault: Message | None = None
    left: MarkedTail | None = None


# --- voiding refused events ---
#
# After a failed sync, frames of a refused commit can stay valid in the log. Their events were never acknowledged as
# stored; their rows move to the table `voided` in one transaction.


_VOIDED = """
CREATE TABLE IF NOT EXISTS voided (at INTEGER NOT NULL, after INTEGER NOT NULL, row TEXT)
"""
"""Columns: time of voiding (ns since 1970); number of the event before the voided ones; row as JSON, or null."""

_WHOLE_SUMMARY = {"started", "abandoned", "renamed"}
"""Kinds of events that change the summary of games other than their own."""


def void_events_after(db: sqlite3.Connection, number: int, busy: Callable[[], None] = lambda: None) -> int:
    """Void the events after event `number`, and return how many were voided.

    A row is written even if there are none: it overwrites frames of a refused commit in the log, so that they cannot
    become valid later.

    Raises:
        sqlite3.Error: the events cannot be voided now; nothing is changed.
    """
    columns = f"SELECT {TABLE_COLUMNS} FROM event WHERE id > ? ORDER BY id"  # noqa: S608 - no user input
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
    """Delete the later events; the trigger that forbids this is dropped and recreated in the same transaction."""
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
    """The voided rows, oldest first, each in the order of `TABLE_COLUMNS`."""
    if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'voided'").fetchone()[0]:
        return []
    return [json.loads(row) for (row,) in db.execute("SELECT row FROM voided WHERE row IS NOT NULL ORDER BY rowid")]


MOST_GAMES = 20
"""Maximum number of games of a match that are read, newest first; an open-ended match can go on for years."""

_STARTED_OR_ABANDONED = f"""
SELECT id, game, kind, body, v FROM event
WHERE kind IN ('started', 'abandoned') AND {MADE_HERE} ORDER BY id DESC
"""  # noqa: S608 - no user input

_SUMMARY = """
SELECT id, match, format, started, result, over FROM game WHERE match = ? AND NOT abandoned AND imported = 0
ORDER BY started DESC LIMIT ?
"""

_NEWEST_IN_SUMMARY = "SELECT id FROM game WHERE NOT abandoned AND imported = 0 ORDER BY started DESC LIMIT 1"


class DamagedJournal(JournalError):
    """The content of the journal is not what was written."""


def games_of_running_match(db: sqlite3.Connection) -> dict[str, tuple[int, Started]]:
    """The games of the running match, newest first, each with the number and content of its start event.

    Raises:
        sqlite3.Error: the journal cannot be read.
        DamagedJournal: an event was altered or damaged.
    """
    given_up, games = set[str](), dict[str, tuple[int, Started]]()
    for number, game, kind, body, version in db.execute(_STARTED_OR_ABANDONED):
        if kind == "abandoned":
            given_up.add(game)
            continue
        event = _read_start(db, number, kind, body, version)
        if game not in given_up:
            if len(games) == MOST_GAMES or any(event.match != other.match for _, other in games.values()):
                break  # a match ends when another one starts
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
    """Check the running match; rebuild derived data that differs, and return what was rebuilt.

    Raises:
        DamagedJournal: an event of the match was altered or damaged.
        sqlite3.Error: the journal cannot be read, or its summary cannot be written.
        ValueError: an event cannot be parsed; other exceptions from parsing an event mean the same.
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
    """Rebuild the event indexes, which find the events of a game and of a command id.

    Raises:
        sqlite3.Error: the indexes cannot be written, or the events violate them.
    """
    with transaction(db):
        db.execute("REINDEX event")


def _are_found_by_index(db: sqlite3.Connection, games: dict[str, tuple[int, Started]]) -> bool:
    """Whether the index finds every stored event of these games."""
    for game, (first, _) in games.items():
        by_index = db.execute(
            "SELECT id, game, seq FROM event WHERE game = ?", (game,)
        ).fetchall()  # read from the index only
        by_number = db.execute("SELECT id, game, seq FROM event WHERE id >= ? AND +game = ?", (first, game)).fetchall()
        if sorted(by_index) != by_number:
            return False
    return True


def _games_at_the_end(db: sqlite3.Connection) -> set[str]:
    """The game of the newest event, and the running game by the summary: damage may hide their start events."""
    newest = db.execute("SELECT game FROM event ORDER BY id DESC LIMIT 1").fetchall()
    return {str(game) for (game,) in (*newest, *db.execute(_NEWEST_IN_SUMMARY))}


def _require_no_gap(db: sqlite3.Connection, first: int) -> None:
    """Check that no event is missing since the running game started: it may have belonged to that game.

    Raises:
        DamagedJournal: events are missing.
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
    """What `_summary_of` returns, from the summary tables; one empty row if they have another running game."""
    if db.execute(_NEWEST_IN_SUMMARY).fetchone() != next(((game,) for game in games), None):
        return [()]
    match = next((event.match for _, event in games.values()), "")
    return [tuple(row) for row in db.execute(_SUMMARY, (match, MOST_GAMES))]
