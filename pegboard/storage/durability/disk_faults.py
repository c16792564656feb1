"""Tells apart what goes wrong with a journal: a disk that takes no writes now, damage of the files, or neither."""

import sqlite3

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


def is_disk_trouble(error: BaseException) -> bool:
    """Whether the disk takes no writes now, so that nothing can be moved or rescued either."""
    if isinstance(error, OSError):
        return error.errno in NOT_WRITABLE_NOW
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _WRITING_FAILS and code not in _READING_FAILS


def is_damage(error: BaseException) -> bool:
    """Whether the files are damaged; an event that only a newer pegboard knows is none, if its row is as written."""
    return isinstance(error, DamagedJournal) or (isinstance(error, UNREADABLE) and not isinstance(error, PegboardError))


def describe(error: BaseException) -> Message:
    """What went wrong, in a sentence."""
    if isinstance(error, PegboardError):
        return error.message
    text = error.strerror or str(error) if isinstance(error, OSError) else error
    if is_disk_trouble(error):
        return Message("verbatim", text=text)
    return Message("journal_found_damaged", fault=text)
