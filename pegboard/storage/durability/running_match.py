"""The running match as its events say it, and a check of the summary tables against them."""

import json
import sqlite3
from collections.abc import Callable

from pegboard.core import wire
from pegboard.core.match import result
from pegboard.core.moves import Started
from pegboard.errors import JournalError
from pegboard.messages import Message
from pegboard.storage.chain_check import broken_rows
from pegboard.storage.event_row import EVENTS_OF_GAME, MADE_HERE, EventRow, replay_rows, select_rows
from pegboard.storage.recovery.own_triggers import restore_triggers
from pegboard.storage.schema import rebuild_summary, transaction
from pegboard.storage.summary.game_summary import result_json
from pegboard.storage.summary.summary_checksum import is_intact

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
