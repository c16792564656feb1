"""Salvage: makes a new journal from what a damaged one still tells for certain, with the newest good backup beside it.

A row counts where the hash chain proves it. A game is kept up to its first row that is missing, from the backup where
that has it: so each game is as it was at some moment, and one that lacks something is named (`INCOMPLETE`). The damaged
files stay in quarantine, with everything that could not be proved.
"""

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pegboard.core.referee.decide import apply
from pegboard.errors import PegboardError
from pegboard.storage.backups import list_backups
from pegboard.storage.event_row import (
    IMPORTED,
    INSERT_EVENT,
    TABLE_COLUMNS,
    EventRow,
    chain_hash,
    replay_rows,
    select_rows,
)
from pegboard.storage.private_files import create_private
from pegboard.storage.quarantine import OUTCOME, clear_place, note_outcome
from pegboard.storage.recovery.page_scan import PageScan, Row
from pegboard.storage.recovery.proven_rows import (
    CHAIN,
    EPOCH,
    GAME,
    SEQ,
    VERSION,
    Beginnings,
    Candidates,
    KnownRows,
    keep_beginnings,
    prove,
)
from pegboard.storage.recovery.verified_file import read_contents, read_only
from pegboard.storage.recovery.whole_copy import sync_file, unfinished_file
from pegboard.storage.schema import FILE, SCHEMA_VERSION, migrate, new_epoch, transaction
from pegboard.storage.summary.summary_tables import summarize_journal

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
    proven = prove(candidates, busy)
    backup, base = _find_base(folder, candidates, proven)
    supplies = any(number not in proven for number in range(1, base.events + 1))
    if backup is not None:
        proven = prove(candidates, busy, base)
    clear_place(folder)
    kept = _write(folder, backup, base, keep_beginnings(proven, base, is_end_known=is_end_known), busy)
    events = base.events + len(kept.rows)
    lost = max(proven, default=base.events) - events if is_end_known else None
    backup = backup if supplies else None
    values = {"events": events, "lost": lost, "backup": backup and backup.name, "incomplete": kept.incomplete}
    note_outcome(quarantined, {"what": "salvaged", **values})
    if kept.incomplete:
        log.warning("%d games lack events, or may: %s names them", len(kept.incomplete), quarantined / OUTCOME)
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


def _find_base(folder: Path, candidates: Candidates, proven: Mapping[int, Row]) -> tuple[Path | None, KnownRows]:
    """The newest good backup of the same journal, with what it holds; without one nothing is known yet.

    Its lists and statistics are taken over as well, which saves replaying all its games.
    """
    for backup in list_backups(folder):
        with contextlib.suppress(sqlite3.Error):
            if backup.is_intact() and (base := _read_base(backup.path, candidates, proven)):
                return backup.path, base
    return None, KnownRows()


def _read_base(path: Path, candidates: Candidates, proven: Mapping[int, Row]) -> KnownRows | None:
    """What a backup holds; None where it is of another journal, or of a newer version."""
    with read_only(path, alone=True) as db:
        contents, links = read_contents(db), dict(db.execute("SELECT id, chain FROM event ORDER BY id"))
        games = dict(db.execute("SELECT game, max(seq) FROM event GROUP BY game"))
        last = db.execute("SELECT game FROM event ORDER BY id DESC LIMIT 1").fetchone()
    base = KnownRows(contents.events, links.get(contents.events, ""), games, last and last[0])
    is_ours = _is_same_journal(base, links, contents.epoch, candidates, proven)
    return base if is_ours and contents.version <= SCHEMA_VERSION else None


def _is_same_journal(
    base: KnownRows, links: Mapping[int, str], epoch: str, candidates: Candidates, proven: Mapping[int, Row]
) -> bool:
    """Whether the rows of a backup are the first rows of the journal of which `proven` is left.

    They are where both have the same rows, and later ones go on from the backup's last or were written under the same
    epoch, which changes with each journal that is put in the place of another.
    """
    if any(links[number] != row[CHAIN] for number, row in proven.items() if number in links):
        return False
    following = candidates.rows.get(base.events + 1, [])
    if base.events in proven or any(chain_hash(base.chain, row[:CHAIN]) == row[CHAIN] for row in following):
        return True
    later = {row[EPOCH] for number, row in proven.items() if number > base.events}
    return all(each == epoch or each.startswith(IMPORTED) for each in later)


# --- the new journal ---


def _write(
    folder: Path, backup: Path | None, base: KnownRows, beginnings: Beginnings, busy: Callable[[], None]
) -> Beginnings:
    """Write the new journal, whole and on disk; what it holds beyond its base."""
    try:
        _write_rows(folder, backup, base, beginnings, busy)
    except UNREPLAYABLE:
        beginnings = _keep_replayable(backup, beginnings)
        _write_rows(folder, backup, base, beginnings, busy)
    return beginnings


def _write_rows(
    folder: Path, backup: Path | None, base: KnownRows, beginnings: Beginnings, busy: Callable[[], None]
) -> None:
    with unfinished_file(folder / FILE) as file:
        create_private(file.part)
        if backup is not None:
            shutil.copyfile(backup, file.part)
        with contextlib.closing(sqlite3.connect(file.part, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = OFF")  # what is left of a failure is removed
            db.execute("PRAGMA synchronous = OFF")
            migrate(db, file.part, busy)
            with transaction(db):
                db.executemany(INSERT_EVENT, _renumber(beginnings.rows, base))
                db.execute(f"CREATE TABLE IF NOT EXISTS {INCOMPLETE} (game TEXT PRIMARY KEY, kept INTEGER NOT NULL)")
                db.executemany(f"REPLACE INTO {INCOMPLETE} VALUES (?, ?)", beginnings.incomplete.items())  # noqa: S608
                summarize_journal(db, busy, base.events)
                db.execute("UPDATE about SET epoch = ?", (new_epoch(),))
        sync_file(file.part)


def _renumber(rows: Iterable[Row], base: KnownRows) -> Iterator[Row]:
    """The rows with numbers and links without gaps; up to the first that is missing they are as they were."""
    chain = base.chain
    for number, row in enumerate(rows, base.events + 1):
        columns = (number, *row[1:CHAIN])
        chain = chain_hash(chain, columns)
        yield (*columns, chain)


def _keep_replayable(backup: Path | None, beginnings: Beginnings) -> Beginnings:
    """The same without rows that cannot be replayed, each with all later ones of its game."""
    games: dict[str, list[Row]] = {}
    for row in beginnings.rows:
        games.setdefault(row[GAME], []).append(row)
    last = {game: _last_replayable(_rows_in(backup, game), rows) for game, rows in games.items()}
    incomplete = {game: last[game] for game, rows in games.items() if last[game] < rows[-1][SEQ]}
    rows = [row for row in beginnings.rows if row[SEQ] <= last[row[GAME]]]
    return Beginnings(rows, beginnings.incomplete | incomplete)


def _rows_in(backup: Path | None, game: str) -> list[EventRow]:
    if backup is None:
        return []
    with read_only(backup, alone=True) as db:
        return list(select_rows(db, "WHERE game = ?", game))


def _last_replayable(before: Sequence[EventRow], rows: Sequence[Row]) -> int:
    """The number within its game of the last row that can be replayed."""
    game, last = replay_rows(before), len(before)
    for row in map(_event_row, rows):
        try:
            game = apply(game, row.event, row.origin)
        except UNREPLAYABLE:
            break
        last = row.seq
    return last


def _event_row(row: Row) -> EventRow:
    values = (row[0], *row[GAME:VERSION], row[EPOCH], row[VERSION])
    return EventRow(*values)
