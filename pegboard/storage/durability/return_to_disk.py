"""Writes a match that is in memory back to disk: after what is there, or into a fresh journal."""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pegboard.errors import JournalFailed
from pegboard.storage.atomic_file import sync_folder
from pegboard.storage.durability.disk_faults import UNREADABLE
from pegboard.storage.durability.journal_epoch import another_epoch
from pegboard.storage.durability.journal_mark import MarkedTail
from pegboard.storage.durability.match_rows import CHAIN, NUMBER, MatchRows, Row, insert_rows
from pegboard.storage.durability.opening import OpenedJournal, chain_at, newest, open_journal
from pegboard.storage.durability.refused_events import void_events_after
from pegboard.storage.event_row import TABLE_COLUMNS
from pegboard.storage.private_files import create_private
from pegboard.storage.quarantine import quarantine
from pegboard.storage.schema import FILE, transaction

Busy = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Absence:
    """What a journal has in memory while it is away from its disk.

    Attributes:
        left: the end of the journal as it was answered when it left.
        epoch: its id now.
        last_id: the number of its newest event now.
        match_rows: the rows of its running match, with those that were made meanwhile.
        unlinked: the connection to its files where these were removed or replaced: all of it can still be read there.
        is_renewed: whether the pages must go by another epoch afterwards.
    """

    left: MarkedTail
    epoch: str
    last_id: int
    match_rows: MatchRows
    unlinked: sqlite3.Connection | None = None
    is_renewed: bool = False


def return_to_disk(folder: Path, absence: Absence, busy: Busy) -> tuple[OpenedJournal, int]:
    """Open the journal in `folder` again, store there what only memory has, and say how many events that is.

    Raises:
        JournalError: it cannot be opened or written now.
        sqlite3.Error: it cannot be written now.
        OSError: it cannot be written now.
    """
    if absence.unlinked is not None:
        _restore_unlinked(folder, absence.unlinked, absence.left)
    opened = open_journal(folder, None, busy)
    if opened.fault is not None:
        opened.db.close()
        raise JournalFailed(opened.fault)
    try:
        return _write_back(folder, opened, absence, busy)
    except BaseException:
        opened.db.close()
        raise


def _restore_unlinked(folder: Path, db: sqlite3.Connection, left: MarkedTail) -> None:
    """Put a copy of a journal that was removed or replaced in its place again, if it can still be read.

    Raises:
        OSError: what stands in its place cannot be moved aside.
    """
    if any(os.path.lexists(folder / f"{FILE}{end}") for end in ("", "-wal", "-shm")):
        quarantine(folder)
    part = folder / "journal.part"
    with contextlib.suppress(*UNREADABLE):
        part.unlink(missing_ok=True)
        create_private(part)
        db.execute("VACUUM INTO ?", (str(part),))
        with contextlib.closing(sqlite3.connect(part)) as copy:
            is_whole = chain_at(copy, left.number) == left.chain
        if is_whole:
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(folder / FILE)
            sync_folder(folder)
    part.unlink(missing_ok=True)


def _write_back(folder: Path, opened: OpenedJournal, absence: Absence, busy: Busy) -> tuple[OpenedJournal, int]:
    db, left, match = opened.db, absence.left, absence.match_rows
    if opened.last_id > left.number and chain_at(db, left.number) == left.chain:
        ours = {row[CHAIN] for row in match.rows}
        if chain_at(db, left.number + 1) not in ours:
            void_events_after(db, left.number, busy)
    number, chain = newest(db)
    rows = match.rows_after(number, chain, absence.last_id)
    epoch = another_epoch(absence.epoch) if absence.is_renewed or rows is None else absence.epoch
    if rows is None and (missing := _missing_rows(db, match)) is not None:
        rows = MatchRows(missing).renumber(number, chain)
    if rows is None:
        db.close()
        opened.findings.clear()
        quarantine(folder)
        opened = open_journal(folder, None, busy)
        rows = match.renumber()
    with transaction(opened.db):
        insert_rows(opened.db, rows)
        opened.db.execute("UPDATE about SET epoch = ?", (epoch,))
    opened.epoch = epoch
    opened.last_id, opened.chain = newest(opened.db)
    opened.match_rows = MatchRows.read(opened.db)
    return opened, len(rows)


_SAME = slice(TABLE_COLUMNS.split(", ").index("game"), CHAIN)
"""The columns that are equal wherever an event is stored."""


def _missing_rows(db: sqlite3.Connection, match: MatchRows) -> list[Row] | None:
    """The rows that a journal lacks whose games it has the beginnings of; None where it has other events of one."""
    there = set[Row]()
    for game in {row[_SAME.start] for row in match.rows}:
        query = f"SELECT {TABLE_COLUMNS} FROM event WHERE game = ? ORDER BY seq"  # noqa: S608 - ours
        on_disk = [row[_SAME] for row in db.execute(query, (game,))]
        if on_disk != [row[_SAME] for row in match.rows if row[_SAME.start] == game][: len(on_disk)]:
            return None
        there.update(on_disk)
    return sorted((row for row in match.rows if row[_SAME] not in there), key=lambda row: row[NUMBER])
