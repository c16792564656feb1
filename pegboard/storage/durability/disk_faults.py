"""Classifies what goes wrong with a journal: a disk that takes no writes now, damage, lost files, or a refusal."""

import sqlite3
from dataclasses import dataclass
from enum import Enum, auto

from pegboard.errors import JournalError, NotStored, PegboardError
from pegboard.messages import Message
from pegboard.storage.durability.folder_lock import NOT_WRITABLE_NOW
from pegboard.storage.durability.running_match import DamagedJournal

UNREADABLE = (
    *(DamagedJournal, sqlite3.Error, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError),
    *(ValueError, RecursionError),
)
"""What reading a damaged journal can raise: its bodies may be anything."""

DISK_ERRORS = (*UNREADABLE, OSError, JournalError, NotStored)
"""What opening a journal can raise."""

_WRITING_FAILS = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL),
}

_READING_FAILS = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
"""The disk does not give back a part of the file."""


class FaultKind(Enum):
    """What is wrong, by what can be done about it."""

    NO_WRITES = auto()
    """The disk takes no writes now, so that nothing can be moved or rescued either; the files are as they were."""

    DAMAGE = auto()
    """The files hold something else than what was written; they can be moved aside and rescued."""

    UNLINKED = auto()
    """The files are not in their place any more; a connection that is open reads all of them still."""

    REFUSAL = auto()
    """The files are whole, and not for this program or user: too new, another program's, not to be opened."""


@dataclass(frozen=True, slots=True)
class DiskFault:
    """What is wrong with a journal, and in a sentence."""

    kind: FaultKind
    message: Message


def classify(error: BaseException) -> DiskFault:
    """What went wrong. An event that only a newer pegboard knows is no damage, if its row is as written."""
    kind = _kind_of(error)
    if isinstance(error, PegboardError):
        return DiskFault(kind, error.message)
    text = error.strerror or str(error) if isinstance(error, OSError) else error
    if kind is FaultKind.NO_WRITES:
        return DiskFault(kind, Message("verbatim", text=text))
    return DiskFault(kind, Message("journal_found_damaged", fault=text))


def has_met_damage(error: BaseException) -> bool:
    """Whether a commit has failed on a damaged page, or on a trigger that is no SQL any more."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


def _kind_of(error: BaseException) -> FaultKind:
    if _takes_no_writes(error):
        return FaultKind.NO_WRITES
    is_damage = isinstance(error, UNREADABLE) and not isinstance(error, PegboardError)
    return FaultKind.DAMAGE if is_damage or isinstance(error, DamagedJournal) else FaultKind.REFUSAL


def _takes_no_writes(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in NOT_WRITABLE_NOW
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _WRITING_FAILS and code not in _READING_FAILS
