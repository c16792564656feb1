"""Salvage: makes a new journal from what a damaged one still tells for certain, with the newest good backup beside it.

A row counts where the hash chain proves it. A game goes up to its first row that is missing, from the backup where
that has it: so each game is as it was at some moment, and one that lacks something is named (`INCOMPLETE`). The damaged
files stay in quarantine, with everything that could not be proved.
"""

import contextlib
import heapq
import logging
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from operator import itemgetter
from pathlib import Path

from pegboard.core.board import Game
from pegboard.core.referee import apply
from pegboard.errors import JournalError
from pegboard.storage.backups import list_backups
from pegboard.storage.event_row import (
    CHAIN,
    EPOCH,
    IMPORTED,
    INSERT_EVENT,
    NUMBER,
    UNREPLAYABLE,
    Row,
    renumber,
    select_rows,
)
from pegboard.storage.private_files import create_private
from pegboard.storage.quarantine import OUTCOME, clear_place, note_outcome
from pegboard.storage.recovery.own_triggers import restore_triggers
from pegboard.storage.recovery.page_scan import MOST_ROWS, PageScan
from pegboard.storage.recovery.proven_rows import GameBeginnings, KnownRows, Numbers, prove
from pegboard.storage.recovery.sqlite_rows import find_last, read_rows
from pegboard.storage.recovery.verified_file import read_contents, read_only
from pegboard.storage.recovery.whole_copy import sync_file, unfinished_file
from pegboard.storage.schema import FILE, INCOMPLETE, SCHEMA_VERSION, migrate, new_epoch, rebuild_summary, transaction
from pegboard.storage.summary.summary_tables import summarize_journal

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Salvaged:
    """What the new journal holds.

    Attributes:
        events: how many.
        lost: how many are missing up to the newest one; None where the files do not tell which was the newest. A log
            that was cut between two commits, or damaged in the last one, does not tell that anything was behind.
        backup: the backup that has supplied some, or None.
        is_newest_game_cut: whether the game that was played last lacks events, or may.
    """

    events: int
    lost: int | None
    backup: Path | None
    is_newest_game_cut: bool


def salvage(
    folder: Path, quarantined: Path, busy: Callable[[], None], *, answered: int = 0, are_later_refused: bool = False
) -> Salvaged:
    """Make a new journal in `folder` of what the one in `quarantined` and the backups in `folder` tell for certain.

    `answered` is the number of the newest event that is known to have been stored. Events after it look like any other,
    also where they were refused after they had been written; where it is known that they were, they are left out.

    It has a new epoch; rows keep theirs, with the ids of commands. Where rows before them are missing, rows have other
    numbers than they had. Call it with the folder locked; a power cut leaves no new journal, or the whole one. `busy`
    is called again and again.

    Raises:
        OSError: the old files cannot be read at all, or the new one cannot be written.
        sqlite3.Error: the new journal cannot be written.
    """
    source = _DamagedJournal(quarantined, busy, answered, answered if are_later_refused else MOST_ROWS)
    backup, base, supplies = _find_base(folder, source)
    clear_place(folder, quarantined)
    try:
        written = _write(folder, backup, base, source)
    except (sqlite3.Error, JournalError) as error:
        if backup is None:
            raise
        log.warning("the backup %s cannot be used: %s", backup.name, error)
        backup, base, supplies = None, KnownRows(), False
        written = _write(folder, backup, base, source)
    used = backup.name if backup is not None and supplies else None
    values = {"events": written.events, "lost": written.lost, "backup": used, "incomplete": written.incomplete}
    note_outcome(quarantined, {"what": "salvaged", **values})
    if written.incomplete:
        log.warning("%d games lack events or may lack some; see %s", len(written.incomplete), quarantined / OUTCOME)
    return Salvaged(written.events, written.lost, backup if supplies else None, written.is_newest_game_cut)


# --- reading ---


class _DamagedJournal:
    """What can be read of a damaged journal, again and again: there is too much of it for the memory.

    Attributes:
        last: the number of its last row, as SQLite finds it or an answer told; None where SQLite finds none, or the log
            does not seem whole.
    """

    def __init__(self, quarantined: Path, busy: Callable[[], None], answered: int, most: int) -> None:
        """Read its rows up to number `most`, of which `answered` was stored for certain."""
        self._database, wal, self.busy = quarantined / FILE, quarantined / f"{FILE}-wal", busy
        was_closed = not wal.exists() and not (quarantined / f"{FILE}-shm").exists()  # SQLite removes both together
        known = Numbers()
        for row in prove(read_rows(self._database, 0, busy), busy):
            known.add(row[NUMBER])
        last = find_last(self._database)
        self._scan = PageScan(self._database, wal, busy)
        self._scan.look_in_log(lambda number: number not in known)
        if last is None or known.greatest < last or not known.holds_all_up_to(last):
            self._scan.look_in_database(lambda number: number not in known)
        is_whole = last is not None and (was_closed or not self._scan.is_log_cut)
        self.last = min(max(last or 0, answered), most) if is_whole else None
        self._most = most

    def prove(self, base: KnownRows) -> Iterator[Row]:
        """The rows after those of `base` that are proven with it; what SQLite reads is trusted most."""
        sources = read_rows(self._database, base.events, self.busy), self._scan.rows(base.events)
        proven = prove(heapq.merge(*sources, key=itemgetter(NUMBER)), self.busy, base)
        return takewhile(lambda row: row[NUMBER] <= self._most, proven)


# --- the backup ---


def _find_base(folder: Path, source: _DamagedJournal) -> tuple[Path | None, KnownRows, bool]:
    """The newest good backup of the same journal, what it holds, and whether that has rows which are missing.

    Its lists and statistics come with it, which saves replaying all its games.
    """
    for backup in list_backups(folder):
        with contextlib.suppress(sqlite3.Error):
            if backup.is_intact():
                base, epoch = _read_base(backup.path)
                shared = _count_shared(backup.path, base, epoch, source)
                if shared is not None:
                    return backup.path, base, shared < base.events
    return None, KnownRows(), False


def _read_base(path: Path) -> tuple[KnownRows, str]:
    """What a backup holds, and the epoch of its journal."""
    with read_only(path, alone=True) as db:
        contents = read_contents(db)
        games = dict(db.execute("SELECT game, max(seq) FROM event GROUP BY game"))
        game, chain = db.execute("SELECT game, chain FROM event ORDER BY id DESC LIMIT 1").fetchone() or (None, "")
    if not 1 <= contents.version <= SCHEMA_VERSION:
        raise sqlite3.NotSupportedError
    return KnownRows(contents.events, chain, games, game), contents.epoch


def _count_shared(path: Path, base: KnownRows, epoch: str, source: _DamagedJournal) -> int | None:
    """How many rows of a backup the damaged journal still has; None where it has other first rows than the backup.

    Later rows must go on from the backup's last, or be written under its epoch: that changes with each journal that is
    put in the place of another.
    """
    shared, has_last, is_ours = 0, False, True
    with read_only(path, alone=True) as db:
        links = db.execute("SELECT id, chain FROM event ORDER BY id")
        number, chain = 0, ""
        for row in source.prove(KnownRows()):
            while number < min(row[NUMBER], base.events):
                number, chain = next(links)
            if row[NUMBER] > base.events:
                is_ours = is_ours and (row[EPOCH] == epoch or row[EPOCH].startswith(IMPORTED))
            elif row[CHAIN] != chain:
                return None
            else:
                shared, has_last = shared + 1, row[NUMBER] == base.events
    following = next(source.prove(base), None)
    goes_on = following is not None and following[NUMBER] == base.events + 1
    return shared if is_ours or has_last or goes_on else None


# --- the new journal ---


@dataclass(frozen=True, slots=True)
class _Written:
    events: int
    lost: int | None
    incomplete: Mapping[str, int]
    is_newest_game_cut: bool


class _Unreplayable(Exception):
    """Some rows cannot be replayed; `limits` tells how many events of each such game can be."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        super().__init__(limits)
        self.limits = limits


def _write(folder: Path, backup: Path | None, base: KnownRows, source: _DamagedJournal) -> _Written:
    """Write the new journal, whole and on disk."""
    try:
        return _write_within(folder, backup, base, source, {})
    except _Unreplayable as found:
        return _write_within(folder, backup, base, source, found.limits)


def _write_within(
    folder: Path, backup: Path | None, base: KnownRows, source: _DamagedJournal, limits: Mapping[str, int]
) -> _Written:
    beginnings = GameBeginnings(base, limits)
    with unfinished_file(folder / FILE) as file:
        create_private(file.part)
        if backup is not None:
            shutil.copyfile(backup, file.part)
        with contextlib.closing(sqlite3.connect(file.part, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = OFF")  # what is left of a failure is removed
            db.execute("PRAGMA synchronous = OFF")
            migrate(db, file.part, source.busy)
            restore_triggers(db)
            with transaction(db):
                rows = renumber(beginnings.keep(source.prove(base)), base.events, base.chain)
                db.executemany(INSERT_EVENT, rows)
                is_end_known = source.last is not None and beginnings.greatest >= source.last
                incomplete = beginnings.incomplete(is_end_known=is_end_known)
                db.execute(f"CREATE TABLE IF NOT EXISTS {INCOMPLETE} (game TEXT PRIMARY KEY, events INTEGER NOT NULL)")
                db.executemany(f"REPLACE INTO {INCOMPLETE} VALUES (?, ?)", incomplete.items())  # noqa: S608
                _summarize(db, base, source.busy)
                db.execute("UPDATE about SET epoch = ?", (new_epoch(),))
            (events,) = db.execute("SELECT count(*) FROM event").fetchone()
        sync_file(file.part)
    lost = beginnings.greatest - events if is_end_known else None
    return _Written(events, lost, incomplete, beginnings.newest_game in {None, *incomplete})


def _summarize(db: sqlite3.Connection, base: KnownRows, busy: Callable[[], None]) -> None:
    try:
        if base.events:
            summarize_journal(db, busy, base.events)
        else:  # so that the checksum of all rows is made once, at the end
            rebuild_summary(db, busy)
    except UNREPLAYABLE as error:
        changed = db.execute("SELECT DISTINCT game FROM event WHERE id > ?", (base.events,)).fetchall()
        raise _Unreplayable({game: _count_replayable(db, game) for (game,) in changed}) from error


def _count_replayable(db: sqlite3.Connection, game: str) -> int:
    """How many events of a game can be replayed."""
    sheet = Game()
    for count, row in enumerate(rows := list(select_rows(db, "WHERE game = ?", game))):
        try:
            sheet = apply(sheet, row.event, row.origin)
        except UNREPLAYABLE:
            return count
    return len(rows)
