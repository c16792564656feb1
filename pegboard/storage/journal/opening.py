"""Opening of a table's journal in any state of its files: checks, rescue of damaged files, reading unwritable disks."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from pegboard.core.names import original_journal
from pegboard.errors import JournalError, JournalFailed, PegboardError
from pegboard.messages import Message
from pegboard.storage.event_row import (
    EPOCH,
    NUMBER,
    another_epoch,
    broken_rows,
    find_end,
    find_link,
    find_newest_epoch,
    renew,
)
from pegboard.storage.journal.disk_faults import DISK_ERRORS, UNREADABLE, FaultKind, classify
from pegboard.storage.journal.journal_mark import MarkedTail
from pegboard.storage.journal.running_match import (
    DamagedJournal,
    MatchRows,
    OpenedJournal,
    check_running_match,
    games_of_running_match,
    open_in_memory,
    void_events_after,
)
from pegboard.storage.newer_journal import prepare_downgrade
from pegboard.storage.rescue.page_scan import PageScan
from pegboard.storage.rescue.quarantine import find_unsalvaged, quarantine, quarantine_folders, save_unreported
from pegboard.storage.rescue.salvage import Salvaged, find_epoch, salvage
from pegboard.storage.schema import FILE, SCHEMA_VERSION, migrate, new_epoch, open_database, remedy
from pegboard.storage.state_files import create_private, sync_folder
from pegboard.storage.verified_copies import is_log_orphaned, read_closed_journal

# --- reading a journal on a read-only or full disk, without writing anything ---


_WITH_LOG = ("mode=ro", "mode=ro&vfs=unix-none")
"""Connection modes for a journal with a log.

The second mode needs no -shm file, which cannot be created on such a disk; it is safe because this process holds the
folder lock.
"""

_WITHOUT_LOG = ("mode=ro&immutable=1",)
"""Connection modes for a journal without a log; the modes above would create one."""


def view_unwritable(folder: Path, marked: MarkedTail | None) -> OpenedJournal:
    """Read the intact part of the running match into memory; an empty journal if nothing can be read."""
    for way in _WITH_LOG if (folder / f"{FILE}-wal").exists() else _WITHOUT_LOG:
        with contextlib.suppress(*UNREADABLE), _read(folder / FILE, way) as db:
            return _view_unwritable(db, marked)
    epoch = new_epoch()
    return OpenedJournal(open_in_memory((), epoch), epoch, 0, "", MatchRows())


@contextlib.contextmanager
def _read(path: Path, way: str) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?{way}"
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
        if "vfs" in way:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
        yield db


def _view_unwritable(db: sqlite3.Connection, marked: MarkedTail | None) -> OpenedJournal:
    (epoch,) = db.execute("SELECT epoch FROM about").fetchone()
    last, chain = find_end(db)
    match, findings, is_followed_by_refused = MatchRows.read(db), list[Message](), False
    if marked is not None and marked.epoch == epoch:
        if marked.is_followed_by_refused:
            is_followed_by_refused = find_link(db, marked.number) == marked.chain
            match.rows = [row for row in match.rows if row[NUMBER] <= marked.number]
            last, chain = min((last, chain), (marked.number, marked.chain))
        if marked.number > last:
            findings.append(Message("journal_rows_missing", count=marked.number - last))
            epoch = another_epoch(epoch)
    broken = [row.number for game in games_of_running_match(db) for row in broken_rows(db, game)]
    if broken:
        match.rows = [row for row in match.rows if row[NUMBER] < min(broken)]
        findings.append(Message("journal_row_broken", event=min(broken)))
    left = MarkedTail(epoch, last, chain, is_followed_by_refused)
    return OpenedJournal(open_in_memory(match.rows, epoch), epoch, last, chain, match, findings, left=left)


Busy = Callable[[], None]


def open_journal(folder: Path, marked: MarkedTail | None, busy: Busy, *, is_distrusted: bool = False) -> OpenedJournal:
    """Open the journal in `folder`, whose lock this process holds; create it if missing.

    `marked` is the content of the journal's mark; `busy` is called repeatedly during long work. If `is_distrusted`,
    SQLite checks the whole file first.

    Raises:
        JournalError: the journal is too new, another program's database, or another user's.
    """
    try:
        quarantine_folders(folder)
        if (waiting := find_unsalvaged(folder)) is not None:
            return _rescue(folder, marked, Message("journal_rescue_resumed"), busy, waiting)
        return _open(folder, marked, busy, is_distrusted=is_distrusted)
    except DISK_ERRORS as error:
        fault = classify(error)
        if fault.kind is FaultKind.NO_WRITES:
            return _view(folder, marked, fault.message)
        if fault.kind is FaultKind.REFUSAL:
            if isinstance(error, PegboardError):
                raise
            raise _unusable(folder, error) from error
    try:
        return _rescue(folder, marked, fault.message, busy)
    except DISK_ERRORS as error:
        return _view(folder, marked, classify(error).message, fault.message)


def _open(folder: Path, marked: MarkedTail | None, busy: Busy, *, is_distrusted: bool = False) -> OpenedJournal:
    _require_no_orphaned_log(folder, marked)
    create_private(folder / FILE)  # does not follow a link
    _require_tail(folder, marked, busy)
    prepare_downgrade(folder, busy)
    db = open_database(folder / FILE)
    try:
        if is_distrusted:
            _require_integrity(db)
        _require_content(db, marked)
        migrate(db, folder / FILE, busy)
        sync_folder(folder)
        findings = check_running_match(db, busy)
        findings += _compare(db, folder, marked, busy)
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")  # damage to the log cannot lose what is in the database
        return _read_opened(db, findings)
    except BaseException:
        db.close()
        raise


def _read_opened(db: sqlite3.Connection, findings: list[Message]) -> OpenedJournal:
    (epoch,) = db.execute("SELECT epoch FROM about").fetchone()
    return OpenedJournal(db, str(epoch), *find_end(db), MatchRows.read(db), findings)


def _require_no_orphaned_log(folder: Path, marked: MarkedTail | None) -> None:
    """Check that the log has a database: SQLite deletes a log beside an empty file, and its events with it.

    Raises:
        DamagedJournal: the log has no database.
    """
    if is_log_orphaned(folder / FILE):
        raise DamagedJournal("journal_emptied", count=0 if marked is None else marked.number)


def _require_tail(folder: Path, marked: MarkedTail | None, busy: Busy) -> None:
    """Check that the newest acknowledged event is in the journal, before anything overwrites the rest of the log.

    After a frame that SQLite rejects, the log often still has the pages of all later events; a connection that can
    write would delete the log on closing. These pages also show that events are missing if the mark is damaged too.

    Raises:
        DamagedJournal: events at the end are missing.
    """
    path, wal = folder / FILE, folder / f"{FILE}-wal"
    if not (wal.is_file() if marked is None else marked.number):
        return
    with read_closed_journal(path) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        if version > SCHEMA_VERSION or not {"about", "event"} <= tables:
            return  # `prepare_downgrade` handles newer journals
        epochs, last = db.execute("SELECT epoch FROM about").fetchall(), find_end(db)[0]
    if marked is None:
        scan = PageScan(path, wal, busy)
        scan.look_in_log(lambda number: number > last)
        missing = len({row[NUMBER] for row in scan.rows(last) if [(row[EPOCH],)] == epochs})
    else:
        missing = marked.number - last if epochs == [(marked.epoch,)] else 0
    if missing > 0:
        raise DamagedJournal("journal_rows_missing", count=missing)


def _require_integrity(db: sqlite3.Connection) -> None:
    """Run SQLite's integrity check on the whole file.

    Raises:
        DamagedJournal: the check failed.
    """
    (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise DamagedJournal("journal_found_damaged", fault=verdict.splitlines()[-1])  # the first line names the file


def _require_content(db: sqlite3.Connection, marked: MarkedTail | None) -> None:
    """Check that a journal that had events is not empty.

    Raises:
        DamagedJournal: the journal is empty, or its header is damaged.
    """
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    if "about" in tables and db.execute("SELECT count(*) FROM about").fetchone() != (1,):
        raise DamagedJournal("journal_head_damaged")
    if not tables and marked is not None and marked.number:
        raise DamagedJournal("journal_emptied", count=marked.number)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0 and "event" in tables:
        raise DamagedJournal("journal_head_damaged")


def _compare(db: sqlite3.Connection, folder: Path, marked: MarkedTail | None, busy: Busy) -> list[Message]:
    """Compare the end of a journal with its mark: void refused events, and report other differences.

    Only a journal written by a newer version can lack events here: its log was not checked before.
    """
    (epoch,) = db.execute("SELECT epoch FROM about").fetchone()
    if marked is None or marked.epoch != epoch:
        return []
    if find_link(db, marked.number) == marked.chain:
        if marked.is_followed_by_refused:
            void_events_after(db, marked.number, busy)
        return []
    lost = marked.number - find_end(db)[0]
    finding = Message("journal_lost_tail", count=lost) if lost > 0 else Message("journal_other_events")
    save_unreported(folder, [finding])
    renew(db, epoch)
    return [finding]


def _rescue(
    folder: Path, marked: MarkedTail | None, damage: Message, busy: Busy, waiting: Path | None = None
) -> OpenedJournal:
    """Move the damaged files aside; continue with what can be salvaged from them, or with an empty journal.

    `waiting` is the quarantine folder of a rescue interrupted by a power cut.
    """
    aside = waiting or quarantine(folder)
    save_unreported(folder, [damage])
    marked = _mark_of(aside, marked)
    answered, are_later_refused = (marked.number, marked.is_followed_by_refused) if marked else (0, False)
    try:
        salvaged = salvage(folder, aside, busy, answered=answered, are_later_refused=are_later_refused)
        opened = _open(folder, None, busy)
    except DISK_ERRORS as error:
        if classify(error).kind is FaultKind.NO_WRITES:
            raise
        quarantine(folder)
        salvaged, opened = Salvaged(0, None, None, is_newest_game_cut=True), _open(folder, None, busy)
    opened.findings = [damage, _describe(salvaged, opened.last_id, marked, aside), *opened.findings]
    save_unreported(folder, opened.findings)
    opened.epoch = renew(opened.db, find_newest_epoch(opened.db) or opened.epoch)
    return opened


def _describe(salvaged: Salvaged, last: int, marked: MarkedTail | None, aside: Path) -> Message:
    """The message about a rescue; `last` is the number of the newest event after the rescue."""
    if marked is None and salvaged.lost is None:
        return Message("journal_salvaged_unsure", events=salvaged.events, folder=aside)
    lost = max(salvaged.lost or 0, 0 if marked is None else marked.number - last)
    is_board_short = marked is not None and lost and salvaged.is_newest_game_cut
    outcome = "journal_salvaged_in_part" if is_board_short else "journal_salvaged"
    return Message(outcome, events=salvaged.events, lost=lost, folder=aside)


def _mark_of(aside: Path, marked: MarkedTail | None) -> MarkedTail | None:
    """The mark, or None if the damaged journal's id shows that the mark belongs to another journal."""
    epoch = None if marked is None else find_epoch(aside / FILE)
    if marked is None or (epoch is not None and original_journal(epoch) != original_journal(marked.epoch)):
        return None
    return marked


def _view(folder: Path, marked: MarkedTail | None, fault: Message, damage: Message | None = None) -> OpenedJournal:
    """The readable part of a journal on a disk that is not writable now."""
    opened = view_unwritable(find_unsalvaged(folder) or folder, marked)
    opened.fault = fault
    opened.findings = [*dict.fromkeys([damage, *opened.findings] if damage else opened.findings)]
    return opened


def _unusable(folder: Path, error: BaseException) -> JournalError:
    kind = JournalFailed if isinstance(error, OSError) else JournalError
    return kind("journal_unusable", path=folder / FILE, error=error, remedy=remedy(error))
