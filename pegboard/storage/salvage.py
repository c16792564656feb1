"""Salvage: makes a new journal from what a damaged one still tells for certain, with the newest good backup beside it.

A row counts where the hash chain proves it. A game is kept up to its first row that is missing, from the backup where
that has it: so each game is as it was at some moment, and one that lacks something is named (`INCOMPLETE`). The damaged
files stay in quarantine, with everything that could not be proved.
"""

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pegboard.core.board import Game
from pegboard.core.referee.decide import apply
from pegboard.errors import PegboardError
from pegboard.storage.backups import list_backups
from pegboard.storage.event_row import INSERT_EVENT, TABLE_COLUMNS, EventRow, chain_hash
from pegboard.storage.private_files import create_private
from pegboard.storage.quarantine import clear_place, note_outcome
from pegboard.storage.recovery.page_scan import PageScan, Row
from pegboard.storage.recovery.proven_rows import (
    CHAIN,
    EPOCH,
    GAME,
    SEQ,
    VERSION,
    Beginnings,
    Candidates,
    keep_beginnings,
    prove,
)
from pegboard.storage.recovery.verified_file import read_only, verify
from pegboard.storage.recovery.whole_copy import sync_file, unfinished_file
from pegboard.storage.schema import FILE, migrate, rebuild_summary, transaction

INCOMPLETE = "incomplete"
"""The table of a salvaged journal that names games which lack events, or may, with how many events are there."""

ROWS = f"SELECT {TABLE_COLUMNS} FROM event ORDER BY id"  # noqa: S608 - ours

STEPS = 100_000
"""Instructions of SQLite between two calls of `busy`."""

UNREPLAYABLE = (PegboardError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What the replay raises of a row that no program can have written so."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Salvaged:
    """What the new journal holds.

    Attributes:
        events: how many.
        lost: how many are missing up to the newest one; None where the files do not tell which was the newest. They
            cannot tell what went with a log that is gone.
        backup: the backup that has supplied some, or None.
    """

    events: int
    lost: int | None
    backup: Path | None


def salvage(folder: Path, quarantined: Path, busy: Callable[[], None]) -> Salvaged:
    """Make a new journal in `folder` of what the one in `quarantined` and the backups in `folder` tell for certain.

    It has a new epoch; rows keep theirs, with the ids of commands. Where rows before them are missing, rows have other
    numbers than they had. Events that were refused after they had been written look like any other here. Call it with
    the folder locked; a power cut leaves no new journal, or the whole one. `busy` is called again and again.

    Raises:
        OSError: the old files cannot be read at all, or the new one cannot be written.
        sqlite3.Error: the new journal cannot be written.
    """
    candidates, is_end_known = _read(quarantined, busy)
    backup, proven = _fill_from_backup(folder, candidates, prove(candidates, busy), busy)
    clear_place(folder)
    kept = _write(folder, keep_beginnings(proven, is_end_known=is_end_known), busy)
    events = len(kept.rows)
    lost = max(proven, default=0) - events if is_end_known else None
    values = {"events": events, "lost": lost, "backup": backup and backup.name, "incomplete": kept.incomplete}
    note_outcome(quarantined, {"what": "salvaged", **values})
    for game, number in kept.incomplete.items():
        log.warning("game %s is incomplete: %d of its events could be salvaged", game, number)
    return Salvaged(events, lost, backup)


# --- reading ---


def _read(quarantined: Path, busy: Callable[[], None]) -> tuple[Candidates, bool]:
    """Every reading of every row, and whether the newest of them is known to be the last."""
    database, wal = quarantined / FILE, quarantined / f"{FILE}-wal"
    candidates = Candidates()
    is_whole = _read_by_sqlite(database, "", candidates, busy)
    is_end_known = is_whole or _read_by_sqlite(database, " DESC", candidates, busy)
    scan = PageScan(database, wal, busy)
    candidates.add(scan.rows_of_log())
    if not is_whole or prove(candidates, busy).keys() != set(range(1, max(candidates.rows, default=0) + 1)):
        candidates.add(scan.rows_of_database())
    return candidates, is_end_known


def _read_by_sqlite(database: Path, order: str, candidates: Candidates, busy: Callable[[], None]) -> bool:
    """Read rows as far as SQLite does. Ascending: whether it has read all; descending: whether it has read any."""
    before = len(candidates.rows)
    try:
        with read_only(database) as db:
            db.set_progress_handler(busy, STEPS)
            candidates.add(db.execute(ROWS + order))
    except sqlite3.Error:
        return bool(order) and len(candidates.rows) > before
    return True


# --- the backup ---


def _fill_from_backup(
    folder: Path, candidates: Candidates, proven: dict[int, Row], busy: Callable[[], None]
) -> tuple[Path | None, dict[int, Row]]:
    """The newest good backup of the same journal that has missing rows, and what is proven with it."""
    for backup in list_backups(folder):
        with contextlib.suppress(PegboardError, sqlite3.Error):
            contents = verify(backup.path, busy)
            if all(number in proven for number in range(1, contents.events + 1)):
                return None, proven  # older ones have still less
            with read_only(backup.path, alone=True) as db:
                rows: list[Row] = db.execute(ROWS).fetchall()
            if _is_same_journal(rows, contents.epoch, candidates, proven):
                return backup.path, prove(candidates.put_first(rows), busy)
    return None, proven


def _is_same_journal(rows: Sequence[Row], epoch: str, candidates: Candidates, proven: Mapping[int, Row]) -> bool:
    """Whether the rows of a backup are the earlier part of the journal of which `proven` is left.

    They are if both have the same rows, if the next row goes on from the backup's last, or if both were written under
    the same epoch, which changes with each journal that is put in the place of another.
    """
    if not proven:
        return True
    shared = [row for row in rows if row[0] in proven]
    if shared:
        return all(proven[row[0]] == row for row in shared)
    last = rows[-1][CHAIN] if rows else ""
    following = candidates.rows.get(len(rows) + 1, [])
    goes_on = any(chain_hash(last, row[:CHAIN]) == row[CHAIN] for row in following)
    return goes_on or any(row[EPOCH] == epoch for row in proven.values())


# --- the new journal ---


def _write(folder: Path, beginnings: Beginnings, busy: Callable[[], None]) -> Beginnings:
    """Write the new journal, whole and on disk; what it holds."""
    try:
        _write_rows(folder, beginnings, busy)
    except UNREPLAYABLE:
        beginnings = _keep_replayable(beginnings)
        _write_rows(folder, beginnings, busy)
    return beginnings


def _write_rows(folder: Path, beginnings: Beginnings, busy: Callable[[], None]) -> None:
    with unfinished_file(folder / FILE) as part:
        create_private(part)
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = OFF")  # what is left of a failure is removed
            db.execute("PRAGMA synchronous = OFF")
            migrate(db, part, busy)
            with transaction(db):
                db.executemany(INSERT_EVENT, _renumber(beginnings.rows))
                db.execute(f"CREATE TABLE {INCOMPLETE} (game TEXT PRIMARY KEY, kept INTEGER NOT NULL)")
                db.executemany(f"INSERT INTO {INCOMPLETE} VALUES (?, ?)", beginnings.incomplete.items())  # noqa: S608
                rebuild_summary(db, busy)
        sync_file(part)


def _renumber(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows with numbers and links without gaps; up to the first that is missing they are as they were."""
    chain = ""
    for number, row in enumerate(rows, 1):
        columns = (number, *row[1:CHAIN])
        chain = chain_hash(chain, columns)
        yield (*columns, chain)


def _keep_replayable(beginnings: Beginnings) -> Beginnings:
    """The same without rows that cannot be replayed, each with all later ones of its game."""
    games: dict[str, list[Row]] = {}
    for row in beginnings.rows:
        games.setdefault(row[GAME], []).append(row)
    kept = {game: _count_replayable(rows) for game, rows in games.items()}
    incomplete = {game: kept[game] for game, rows in games.items() if kept[game] < len(rows)}
    rows = [row for row in beginnings.rows if row[SEQ] <= kept[row[GAME]]]
    return Beginnings(rows, beginnings.incomplete | incomplete)


def _count_replayable(rows: Sequence[Row]) -> int:
    game = Game()
    for count, row in enumerate(map(_event_row, rows)):
        try:
            game = apply(game, row.event, row.origin)
        except UNREPLAYABLE:
            return count
    return len(rows)


def _event_row(row: Row) -> EventRow:
    values = (row[0], *row[GAME:VERSION], row[EPOCH], row[VERSION])
    return EventRow(*values)
