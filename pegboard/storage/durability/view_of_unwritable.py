"""What can be read of a journal on a disk that is read-only or full, without writing a byte beside it."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from pegboard.messages import Message
from pegboard.storage.chain_check import broken_rows, find_end, find_link
from pegboard.storage.durability.disk_faults import UNREADABLE
from pegboard.storage.durability.journal_epoch import another_epoch
from pegboard.storage.durability.journal_mark import MarkedTail
from pegboard.storage.durability.match_rows import MatchRows, open_in_memory
from pegboard.storage.durability.opened_journal import OpenedJournal
from pegboard.storage.durability.running_match import games_of_running_match
from pegboard.storage.event_row import NUMBER
from pegboard.storage.schema import FILE, new_epoch

_WITH_LOG = ("mode=ro", "mode=ro&vfs=unix-none")
"""The second needs no index beside the log, which cannot be made there; the folder's lock is this process's."""

_WITHOUT_LOG = ("mode=ro&immutable=1",)
"""The others would make a log."""


def view_unwritable(folder: Path, marked: MarkedTail | None) -> OpenedJournal:
    """Read the running match into memory, as far as it is as it was written; an empty journal for an unreadable one."""
    for way in _WITH_LOG if (folder / f"{FILE}-wal").exists() else _WITHOUT_LOG:
        with contextlib.suppress(*UNREADABLE), _read(folder / FILE, way) as db:
            return _view(db, marked)
    epoch = new_epoch()
    return OpenedJournal(open_in_memory((), epoch), epoch, 0, "", MatchRows())


@contextlib.contextmanager
def _read(path: Path, way: str) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?{way}"
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
        if "vfs" in way:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
        yield db


def _view(db: sqlite3.Connection, marked: MarkedTail | None) -> OpenedJournal:
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
