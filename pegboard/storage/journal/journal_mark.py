"""High-water mark of the journal: the newest event that was answered, in a small file outside the write-ahead log.

SQLite drops every frame of its log after a damaged one without a word. The mark shows at the next start that events are
missing. It is written before each answer and not synced: it outlives the process, so it proves that a kill and a
flipped bit have lost scores, but not that a power cut and a flipped bit have.
"""

import contextlib
import os
import struct
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from pegboard.storage.state_files import open_private

FILE = "journal.mark"

BLOCK = 4096
"""Bytes from one slot to the other: a damaged block of the disk takes only one."""

_SLOT = struct.Struct("<8sQQ?64s32s")
"""Format, count of writes, number of the event, whether what follows it was refused, epoch, chain value."""

_FORMAT = b"pegmark1"
_CHECK_BYTES = 8
SLOT_BYTES = _SLOT.size + _CHECK_BYTES


@dataclass(frozen=True, slots=True)
class MarkedTail:
    """The end of the journal as it was answered.

    Attributes:
        epoch: the id of the journal.
        number: the newest event that was answered, 0 before the first.
        chain: its link of the hash chain, "" before the first.
        is_followed_by_refused: whether an event after it was refused, and may stand in the files all the same.
    """

    epoch: str
    number: int
    chain: str
    is_followed_by_refused: bool = False


class JournalMark:
    """The mark of one journal, in two slots that are written in turn: a torn or damaged one leaves the other.

    Attributes:
        found: what it said when it was opened; None where nothing can be read of it.
    """

    def __init__(self, folder: Path) -> None:
        """Open the mark in `folder`, making it where it is missing.

        Raises:
            OSError: it cannot be opened or read.
        """
        self._path = folder / FILE
        self._file = open_private(self._path)
        self._writes, self.found = _read_newest(self._file)

    def write(self, tail: MarkedTail) -> None:
        """Have the mark say `tail`; nobody waits for the disk.

        Raises:
            OSError: it cannot be written.
        """
        self._writes += 1
        head = (_FORMAT, self._writes, tail.number, tail.is_followed_by_refused)
        slot = _SLOT.pack(*head, tail.epoch.encode(), tail.chain.encode())
        os.pwrite(self._file, slot + _check(slot), BLOCK * (self._writes % 2))

    def sync(self) -> None:
        """Write it to disk, as far as that can be done."""
        with contextlib.suppress(OSError):
            os.fdatasync(self._file)

    def is_in_place(self) -> bool:
        """Whether its file is still the one in the folder."""
        try:
            return os.path.samestat(self._path.lstat(), os.fstat(self._file))
        except OSError:
            return False

    def close(self) -> None:
        """Close the file; again it changes nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class BestEffortMark:
    """The mark of a folder as far as the disk takes one: without it scores are on disk all the same.

    Attributes:
        found: what it said when it was first opened, also on a read-only disk; None where nothing can be read of it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mark = _open(folder)
        self.found = _read(folder) if self._mark is None else self._mark.found
        self._is_followed_by_refused = self.found is not None and self.found.is_followed_by_refused

    def write(self, tail: MarkedTail) -> None:
        """Have it say `tail`, and on disk where what follows was refused, or is so no more.

        After a power cut an older slot would make void what was answered since.
        """
        if self._mark is not None:
            with contextlib.suppress(OSError):
                self._mark.write(tail)
            if tail.is_followed_by_refused or self._is_followed_by_refused:
                self._mark.sync()
        self._is_followed_by_refused = tail.is_followed_by_refused

    def is_in_place(self) -> bool:
        """Whether there is one, and its file is still the one in the folder."""
        return self._mark is not None and self._mark.is_in_place()

    def reopen(self) -> None:
        """Open that of the folder as it is now."""
        self.close()
        self._mark = _open(self._folder)

    def close(self) -> None:
        """Close its file; again it changes nothing."""
        if self._mark is not None:
            self._mark.close()


def _open(folder: Path) -> JournalMark | None:
    try:
        return JournalMark(folder)
    except OSError:
        return None


def _read(folder: Path) -> MarkedTail | None:
    """What the mark of a folder says that takes no writes."""
    try:
        file = open_private(folder / FILE, os.O_RDONLY)
    except OSError:
        return None
    with os.fdopen(file, "rb"), contextlib.suppress(OSError):
        return _read_newest(file)[1]
    return None


def _read_newest(file: int) -> tuple[int, MarkedTail | None]:
    """The count of writes and the tail of the newer slot that is whole; 0 and None where neither is."""
    slots = [_read_slot(os.pread(file, SLOT_BYTES, place)) for place in (0, BLOCK)]
    return max((slot for slot in slots if slot), key=lambda slot: slot[0], default=(0, None))


def _check(slot: bytes) -> bytes:
    return blake2b(slot, digest_size=_CHECK_BYTES).digest()


def _read_slot(raw: bytes) -> tuple[int, MarkedTail] | None:
    """The count of writes and the tail of a slot; None for a damaged one, or one that was never written."""
    slot, check = raw[: _SLOT.size], raw[_SLOT.size :]
    if len(raw) != SLOT_BYTES or _check(slot) != check:
        return None
    form, writes, number, is_refused, epoch, chain = _SLOT.unpack(slot)
    if form != _FORMAT:
        return None
    try:
        epoch, chain = (text.rstrip(b"\0").decode() for text in (epoch, chain))
    except UnicodeDecodeError:
        return None
    return writes, MarkedTail(epoch, number, chain, is_refused)
