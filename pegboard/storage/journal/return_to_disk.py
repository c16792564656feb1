"""Return to disk of a match kept in memory: appended to the journal there, or written to a new journal.

For example, the disk is full after event 20 (`Absence.left`), and the table plays on in memory with events 21 to 25.
When the disk has room again, events 21 to 25 are appended after event 20. If the files were removed instead, they are
first copied back through the connection that is still open (`unlinked`). After any fault but an unwritable disk, the
journal gets a new epoch (`is_renewed`).
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pegboard.errors import JournalFailed
from pegboard.messages import Message
from pegboard.storage.event_row import (
    CHAIN,
    GAME,
    NUMBER,
    TABLE_COLUMNS,
    Row,
    another_epoch,
    find_end,
    find_link,
    renumber,
)
from pegboard.storage.journal.disk_faults import UNREADABLE
from pegboard.storage.journal.journal_mark import MarkedTail
from pegboard.storage.journal.opening import open_journal
from pegboard.storage.journal.running_match import (
    DamagedJournal,
    MatchRows,
    OpenedJournal,
    count_lines,
    insert_rows,
    void_events_after,
)
from pegboard.storage.rescue.quarantine import FILES, note_outcome, quarantine
from pegboard.storage.schema import FILE, transaction
from pegboard.storage.verified_copies import copy_journal, read_only

Busy = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Absence:
    """The journal's last state on disk, before it was continued in memory.

    Attributes:
        left: the newest acknowledged event on disk; its flag says whether later events were refused. None if nothing of
            the journal could be read.
        marked: the content of the journal's mark, if the table started on a disk that was not writable.
        unlinked: the open connection to the files if they were removed or replaced: it can still read all events.
        is_renewed: whether the journal gets a new epoch afterwards, so that open pages discard what they show.
        damage: the damage found in the files, if any; SQLite then checks the whole file before it is used again.
    """

    left: MarkedTail | None
    marked: MarkedTail | None = None
    unlinked: sqlite3.Connection | None = None
    is_renewed: bool = False
    damage: Message | None = None


def return_to_disk(
    folder: Path, absence: Absence, match: MatchRows, end: MarkedTail, busy: Busy
) -> tuple[OpenedJournal, int]:
    """Reopen the journal in `folder`, and store the events that are only in memory; return it and their number.

    `match` has the rows of the running match, including the new ones; `end` is the end of the journal in memory.

    Raises:
        JournalError: the journal cannot be opened or written now.
        sqlite3.Error: the journal cannot be written now.
        OSError: the journal cannot be written now.
    """
    if absence.unlinked is not None and absence.left is not None:
        _restore_unlinked(folder, absence.unlinked, absence.left)
    opened = _reopen(folder, _expected_tail(absence, end), busy, is_distrusted=absence.damage is not None)
    if absence.damage is not None:  # already reported when the disk was left
        opened.findings = [finding for finding in opened.findings if finding.key != absence.damage.key]
    try:
        rows, is_renewed = _select_unstored(opened, absence.left, match, end, busy)
        if rows is None:
            opened.db.close()
            note_outcome(quarantine(folder), {"what": "rewritten"})
            opened, rows = _reopen(folder, None, busy), list(renumber(match.rows, 0, ""))
        epoch = another_epoch(end.epoch) if absence.is_renewed or is_renewed else end.epoch
        is_unknown = absence.left is None and opened.last_id  # the table started another journal in memory
        _store(opened, rows, opened.epoch if is_unknown else epoch)
    except BaseException:
        opened.db.close()
        raise
    return opened, len(rows)


def describe_return(absence: Absence, match: MatchRows, stored: int, *, is_in_memory: bool) -> list[Message]:
    """Messages about the return: `stored` events were written; `is_in_memory` tells whether play went on in memory."""
    if is_in_memory:
        left = 0 if absence.left is None else absence.left.number
        return [Message("journal_written_out", count=count_lines(row for row in match.rows if row[NUMBER] > left))]
    if not absence.is_renewed:
        return []
    return [Message("journal_written_anew", count=stored) if stored else Message("journal_goes_on")]


def _expected_tail(absence: Absence, end: MarkedTail) -> MarkedTail | None:
    """The end that the reopened journal must have: no event after `left`, if memory has later events."""
    left = absence.left
    if absence.marked is None or left is None or (left.number, left.chain) == (end.number, end.chain):
        return absence.marked
    return replace(left, is_followed_by_refused=True)


def _reopen(folder: Path, marked: MarkedTail | None, busy: Busy, *, is_distrusted: bool = False) -> OpenedJournal:
    opened = open_journal(folder, marked, busy, is_distrusted=is_distrusted)
    if opened.fault is not None:
        opened.db.close()
        raise JournalFailed(opened.fault)
    return opened


def _restore_unlinked(folder: Path, db: sqlite3.Connection, left: MarkedTail) -> None:
    """Restore a removed or replaced journal from its open connection, if it can still be read.

    Raises:
        OSError: the files now in the journal's place cannot be moved aside.
    """
    if any(os.path.lexists(folder / name) for name in FILES):
        quarantine(folder)

    def require_whole(part: Path) -> Path:
        with read_only(part, alone=True) as copy:
            if find_link(copy, left.number) != left.chain:
                raise DamagedJournal("journal_lost_tail", count=left.number - find_end(copy)[0])
        return folder / FILE

    with contextlib.suppress(*UNREADABLE):
        copy_journal(db, folder / FILE, verify=require_whole)


def _select_unstored(
    opened: OpenedJournal, left: MarkedTail | None, match: MatchRows, end: MarkedTail, busy: Busy
) -> tuple[list[Row] | None, bool]:
    """The rows to store, and whether events of the journal were lost or renumbered.

    The rows are None if the journal has other events of the same games, so that the rows cannot be added.
    """
    db, is_refused_after = opened.db, left is not None and left.is_followed_by_refused
    if left is not None and is_refused_after and find_link(db, left.number) == left.chain:
        ours = {row[CHAIN] for row in match.rows}
        if find_link(db, left.number + 1) not in {None, *ours}:
            void_events_after(db, left.number, busy)
    number, chain = find_end(db)
    rows = match.rows_after(number, chain, end)
    if rows is not None:
        return rows, False
    missing = _missing_rows(db, match, may_go_on=not is_refused_after)
    return None if missing is None else list(renumber(missing, number, chain)), True


def _store(opened: OpenedJournal, rows: list[Row], epoch: str) -> None:
    with transaction(opened.db):
        insert_rows(opened.db, rows)
        opened.db.execute("UPDATE about SET epoch = ?", (epoch,))
    opened.epoch = epoch
    opened.last_id, opened.chain = find_end(opened.db)
    opened.match_rows = MatchRows.read(opened.db)


_SAME = slice(GAME, CHAIN)
"""The columns that are the same for an event in every journal: all but number, epoch and link."""


def _missing_rows(db: sqlite3.Connection, match: MatchRows, *, may_go_on: bool) -> list[Row] | None:
    """The rows missing from a journal that has the beginning of each game; None if it has other events of a game.

    With `may_go_on`, the journal may have later events of a game, which could not be read before.
    """
    there = set[Row]()
    for game in {row[GAME] for row in match.rows}:
        query = f"SELECT {TABLE_COLUMNS} FROM event WHERE game = ? ORDER BY seq"  # noqa: S608 - no user input
        on_disk = [row[_SAME] for row in db.execute(query, (game,))]
        ours = [row[_SAME] for row in match.rows if row[GAME] == game]
        compared = min(len(on_disk), len(ours)) if may_go_on else len(on_disk)
        if on_disk[:compared] != ours[:compared]:
            return None
        there.update(on_disk)
    return sorted((row for row in match.rows if row[_SAME] not in there), key=lambda row: row[NUMBER])
