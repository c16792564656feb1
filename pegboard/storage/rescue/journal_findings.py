"""Diagnostics of a state folder in sentences: journal, hash chain, summary, backups, quarantine, permissions, space."""

import json
import os
import shlex
import shutil
import sqlite3
import stat
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pegboard.core.sentences import join_names, pluralize
from pegboard.errors import JournalError
from pegboard.storage.event_row import broken_rows
from pegboard.storage.memory_disk import find_memory
from pegboard.storage.reader import journal_exists, open_read_only
from pegboard.storage.rescue.backups import ROOM_LEFT, Backup, list_backups
from pegboard.storage.rescue.quarantine import list_quarantined
from pegboard.storage.schema import BACKUPS, INCOMPLETE, SCHEMA_VERSION, SUMMARY_TABLES
from pegboard.storage.state_files import FILE_MODE, FOLDER_MODE
from pegboard.storage.summary import summarize_journal
from pegboard.storage.verified_copies import read_contents

# --- comparing the summary tables with the events, in memory, while a table may write ---


COMPARED = {
    "game": "id, id, match, format, started, abandoned, result, imported, place, variant, over, card",
    "seat": "game, *",
    "side": "game, *",
}
"""Columns compared, the game id first; not `game.lines` and `game.changed`, which depend on a row's last update."""


def differing_games(db: sqlite3.Connection, busy: Callable[[], None]) -> list[str]:
    """The ids of games whose summary differs from their events. The database is only read.

    Raises:
        sqlite3.Error: the database cannot be read.
    """
    for statement in SUMMARY_TABLES:  # a temporary table hides the main table of the same name
        db.execute(
            statement.replace("CREATE TABLE", "CREATE TEMP TABLE").replace("CREATE INDEX ", "CREATE INDEX temp.")
        )
    summarize_journal(db, busy)
    return sorted(set(chain.from_iterable(_differences(db, table, columns) for table, columns in COMPARED.items())))


def _differences(db: sqlite3.Connection, table: str, columns: str) -> Iterator[str]:
    for one, other in (("temp", "main"), ("main", "temp")):
        query = f"SELECT {columns} FROM {one}.{table} EXCEPT SELECT {columns} FROM {other}.{table}"  # noqa: S608 - no user input
        yield from (row[0] for row in db.execute(query))


NAMED = 20
"""Maximum number of games, and of events per game, that are named."""

NANOSECONDS = 1_000_000_000

SALVAGES = "start the table, which keeps what is proven, or restore a backup with pegboard restore newest"


class JournalFinding(NamedTuple):
    """The result of one check.

    Attributes:
        name: the part that was checked.
        ok: whether the part is in order.
        sentence: the state of the part.
        remedy: what to do, "" for nothing.
    """

    name: str
    ok: bool
    sentence: str
    remedy: str = ""


def look_at_state(folder: Path, now_s: float, busy: Callable[[], None]) -> Iterator[JournalFinding]:
    """Check everything in a state folder, which may be in use; nothing is changed.

    `now_s` is the time in seconds since 1970; `busy` is called repeatedly.

    Raises:
        JournalError: the folder cannot be read.
    """
    if journal_exists(folder):
        try:
            with open_read_only(folder) as db:
                db.execute("PRAGMA temp_store = MEMORY")  # a Pi's /tmp may be full
                db.execute("BEGIN")
                yield from _look_at_journal(db, folder, busy)
        except JournalError as error:
            is_newer = error.message.key == "journal_newer"  # nothing is wrong with it
            yield JournalFinding("journal", False, str(error), "" if is_newer else SALVAGES)
    else:
        yield JournalFinding("journal", True, f"none in {folder} yet; the table creates it when it first starts")
    yield from _look_at_backups(folder, now_s)
    yield from _look_at_quarantine(folder)
    yield _look_at_rights(folder)
    yield _look_at_room(folder)


# --- the journal ---


def _look_at_journal(db: sqlite3.Connection, folder: Path, busy: Callable[[], None]) -> Iterator[JournalFinding]:
    (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        yield JournalFinding("journal", False, f"SQLite reports damage in {folder}: {verdict}", SALVAGES)
    else:
        held = read_contents(db)
        newest = f", the newest from {_local_time(held.newest_at // NANOSECONDS)}" if held.events else ""
        words = f"{pluralize(held.events, 'event')} in {pluralize(held.games, 'game')}{newest}"
        yield JournalFinding("journal", True, f"{folder} holds {words}; SQLite reports no damage")
    broken = list(_broken_games(db))
    yield JournalFinding(
        "chain", not broken, join_names(broken) or "every event is unaltered", SALVAGES if broken else ""
    )
    if verdict == "ok" and not broken:
        yield _look_at_summary(db, busy)
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (INCOMPLETE,)).fetchone():
        yield from _look_at_incomplete(db)


def _broken_games(db: sqlite3.Connection) -> Iterator[str]:
    """Sentences about altered or damaged events, by game."""
    games = defaultdict(list)
    for broken in broken_rows(db):
        games[broken.game].append(str(broken.number))
    for game, numbers in list(games.items())[:NAMED]:
        shown = [*numbers[:NAMED], *([f"{len(numbers) - NAMED} more"] if len(numbers) > NAMED else [])]
        what = f"event {numbers[0]} was" if len(numbers) == 1 else f"events {join_names(shown)} were"
        yield f"{what} altered or damaged in {_name_of_game(db, game)}"
    if len(games) > NAMED:
        yield f"so were events of {pluralize(len(games) - NAMED, 'more game')}"


def _name_of_game(db: sqlite3.Connection, game: str) -> str:
    """The id of a game and, if they can be read, the names of its players."""
    try:
        (body,) = db.execute("SELECT body FROM event WHERE game = ? AND seq = 1", (game,)).fetchone()
        return f"game {game} of {join_names(list(map(str, json.loads(body)['players'])))}"
    except (TypeError, ValueError, LookupError):
        return f"game {game}"


def _look_at_summary(db: sqlite3.Connection, busy: Callable[[], None]) -> JournalFinding:
    if read_contents(db).version < SCHEMA_VERSION:  # its tables have other columns
        sentence = "lists and statistics are those of an older version, and are rebuilt when the table next starts"
        return JournalFinding("summary", True, sentence)
    games = differing_games(db, busy)
    if not games:
        return JournalFinding("summary", True, "lists and statistics match the events")
    named = join_names([_name_of_game(db, game) for game in games[:NAMED]])
    sentence = f"lists and statistics differ from the events in {pluralize(len(games), 'game')}: {named}"
    return JournalFinding("summary", False, sentence, "stop the table, then run pegboard rebuild")


def _look_at_incomplete(db: sqlite3.Connection) -> Iterator[JournalFinding]:
    games = db.execute(f"SELECT game, events FROM {INCOMPLETE} ORDER BY game").fetchall()  # noqa: S608 - no user input
    if games:
        named = [f"{_name_of_game(db, game)} (with {pluralize(events, 'event')})" for game, events in games[:NAMED]]
        more = [f"{len(games) - NAMED} more"] if len(games) > NAMED else []
        sentence = (
            f"a damaged journal was repaired; these games lack events or may lack some: {join_names([*named, *more])}"
        )
        yield JournalFinding("incomplete games", True, sentence)


# --- backups, quarantine, permissions, free space ---


def _look_at_backups(folder: Path, now_s: float) -> Iterator[JournalFinding]:
    backups = list_backups(folder)
    if not backups:
        yield JournalFinding("backups", True, "none yet; the first is made after a finished game")
    for backup in backups:
        yield _look_at_backup(backup, now_s)


def _look_at_backup(backup: Backup, now_s: float) -> JournalFinding:
    name, age = f"backup {backup.number}", _age(now_s - backup.made.timestamp())
    if backup.is_intact():
        megabytes = backup.path.stat().st_size / 1e6
        return JournalFinding(name, True, f"{backup.path.name}, {age}, {megabytes:.1f} MB, is intact")
    sentence = f"{backup.path.name}, {age}, changed since it was verified"
    return JournalFinding(name, False, sentence, f"rm {backup.path}")


def _age(seconds: float) -> str:
    if seconds < 0:
        return "dated in the future"
    for length, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= length:
            return f"{pluralize(int(seconds // length), word)} old"
    return "just made"


def _look_at_quarantine(folder: Path) -> Iterator[JournalFinding]:
    rooms = list_quarantined(folder)
    if rooms:
        size = sum(path.stat().st_size for room in rooms for path in room.iterdir()) / 1e6
        sentence = f"{pluralize(len(rooms), 'journal')} of {size:.1f} MB, the newest in {rooms[0]}"
        yield JournalFinding("quarantine", True, sentence, "delete what you no longer need")


def _look_at_rights(folder: Path) -> JournalFinding:
    """The finding whether only the owner can access the folder and its files."""
    if not folder.exists():
        return JournalFinding("rights", True, f"{folder} does not exist yet")
    found = folder.stat()
    inside = [folder / BACKUPS, *folder.glob("*"), *(folder / BACKUPS).glob("*")]
    wrong = [] if stat.S_IMODE(found.st_mode) == FOLDER_MODE else [folder]
    for path in inside:
        if path.is_symlink() or not path.exists():
            continue
        its = path.stat()
        mode = FOLDER_MODE if path.is_dir() else FILE_MODE
        if its.st_uid != found.st_uid or stat.S_IMODE(its.st_mode) & ~mode:
            wrong.append(path)
    if not wrong:
        return JournalFinding("rights", True, f"only {_owner(folder)} can read and write {folder} and its files")
    names = join_names(list(dict.fromkeys(map(str, wrong)))[:NAMED])
    return JournalFinding("rights", False, f"others can read or write {names}", _advise_rights(folder))


def _advise_rights(folder: Path) -> str:
    """The chmod command that restricts permissions, run as the owner: root could be tricked by a swapped link."""
    owner = _owner(folder).replace("user ", "#")
    is_own = owner in {os.environ.get("LOGNAME"), os.environ.get("USER")}
    command = f"chmod -R u=rwX,go= {shlex.quote(str(folder))}"
    return command if is_own else f"sudo -u {shlex.quote(owner)} {command}"


def _owner(folder: Path) -> str:
    try:
        return folder.owner()
    except KeyError:
        return f"user {folder.stat().st_uid}"


def _look_at_room(folder: Path) -> JournalFinding:
    place = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(place).free
    if (memory := find_memory(folder)) is not None:
        what, _, remedy = str(memory).rpartition("; ")
        return JournalFinding("room", False, what, remedy)
    return JournalFinding("room", free > 2 * ROOM_LEFT, f"{free / 1e6:,.0f} MB free on the disk of {place}")


def _local_time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%Y-%m-%d %H:%M}"
