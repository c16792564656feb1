"""What can be read of a journal on a disk that is read-only or full, without writing a byte beside it."""

import contextlib
import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pegboard.messages import Message
from pegboard.storage.chain_check import broken_rows
from pegboard.storage.durability.disk_faults import UNREADABLE
from pegboard.storage.durability.journal_epoch import another_epoch
from pegboard.storage.durability.journal_mark import MarkedTail
from pegboard.storage.durability.match_rows import NUMBER, MatchRows, open_in_memory
from pegboard.storage.durability.running_match import games_of_running_match
from pegboard.storage.schema import FILE

_WITH_LOG = ("mode=ro", "mode=ro&vfs=unix-none")
"""The second needs no index beside the log, which cannot be made there; the folder's lock is this process's."""

_WITHOUT_LOG = ("mode=ro&immutable=1",)
"""The others would make a log."""


@dataclass(slots=True)
class UnwritableView:
    """The running match of a journal, in a database in memory, and where the journal ends."""

    db: sqlite3.Connection
    epoch: str
    last_id: int
    chain: str
    match_rows: MatchRows
    findings: list[Message] = field(default_factory=list)


def view_unwritable(folder: Path, marked: MarkedTail | None) -> UnwritableView:
    """Read the running match as far as it is as it was written; an empty journal where nothing can be read."""
    for way in _WITH_LOG if (folder / f"{FILE}-wal").exists() else _WITHOUT_LOG:
        with contextlib.suppress(*UNREADABLE), _read(folder / FILE, way) as db:
            return _view(db, marked)
    epoch = secrets.token_hex(8)
    return UnwritableView(open_in_memory((), epoch), epoch, 0, "", MatchRows())


@contextlib.contextmanager
def _read(path: Path, way: str) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?{way}"
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
        if "vfs" in way:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
        yield db


def _view(db: sqlite3.Connection, marked: MarkedTail | None) -> UnwritableView:
    (epoch,) = db.execute("SELECT epoch FROM about").fetchone()
    last, chain = db.execute("SELECT id, chain FROM event ORDER BY id DESC LIMIT 1").fetchone() or (0, "")
    match, findings = MatchRows.read(db), list[Message]()
    if marked is not None and marked.epoch == epoch:
        if marked.is_followed_by_refused:
            match.rows = [row for row in match.rows if row[NUMBER] <= marked.number]
            last, chain = min((last, chain), (marked.number, marked.chain))
        if marked.number > last:
            findings.append(Message("journal_lost_tail", count=marked.number - last))
            epoch = another_epoch(epoch)
    for number in sorted(number for game in games_of_running_match(db) for number in broken_rows(db, game)):
        match.rows = [row for row in match.rows if row[NUMBER] < number]
        findings.append(Message("journal_row_broken", event=number))
        break
    return UnwritableView(open_in_memory(match.rows, epoch), epoch, last, chain, match, findings)
