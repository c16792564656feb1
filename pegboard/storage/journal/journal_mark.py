"""High-water mark of the journal: the newest acknowledged event, in a small file beside the write-ahead log.

After a damaged frame, SQLite silently drops the rest of its log. The mark shows at the next start that events are
missing. It is written before each answer, but not synced. It survives a killed process, but not always a power cut:
it can prove that scores were lost to a flipped bit after a kill, but not after a power cut.
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
"""Bytes from one slot to the other, so that a damaged disk block affects only one slot."""

_SLOT = struct.Struct("<8sQQ?64s32s")
"""Fields of a slot: format, count of writes, number of the event, `is_followed_by_refused`, epoch, chain value."""

_FORMAT = b"pegmark1"
_CHECK_BYTES = 8
SLOT_BYTES = _SLOT.size + _CHECK_BYTES


@dataclass(frozen=True, slots=True)
class MarkedTail:
    """The end of the journal: its newest acknowledged event.

    Attributes:
        epoch: the id of the journal.
        number: the number of the newest acknowledged event, 0 before the first.
        chain: that event's link in the hash chain, "" before the first.
        is_followed_by_refused: whether a later event was refused, but may still be in the files.
    """

    epoch: str
    number: int
    chain: str
    is_followed_by_refused: bool = False


class JournalMark:
    """The mark of one journal, in two slots written in turn: if one is torn or damaged, the other one remains.

    Attributes:
        found: the content of the mark at opening; None if it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        """Open the mark in `folder`; create it if missing.

        Raises:
            OSError: the mark cannot be opened or read.
        """
        self._path = folder / FILE
        self._file = open_private(self._path)
        self._writes, self.found = _read_newest(self._file)

    def write(self, tail: MarkedTail) -> None:
        """Write `tail` to the mark, without waiting for the disk.

        Raises:
            OSError: the mark cannot be written.
        """
        self._writes += 1
        head = (_FORMAT, self._writes, tail.number, tail.is_followed_by_refused)
        slot = _SLOT.pack(*head, tail.epoch.encode(), tail.chain.encode())
        os.pwrite(self._file, slot + _check(slot), BLOCK * (self._writes % 2))

    def sync(self) -> None:
        """Sync the mark to disk; errors are ignored."""
        with contextlib.suppress(OSError):
            os.fdatasync(self._file)

    def is_in_place(self) -> bool:
        """Whether the mark's file is still the one in the folder."""
        try:
            return os.path.samestat(self._path.lstat(), os.fstat(self._file))
        except OSError:
            return False

    def close(self) -> None:
        """Close the file; idempotent."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class BestEffortMark:
    """The mark of a folder, if the disk allows one; scores are stored on disk even without it.

    Attributes:
        found: the content of the mark when first opened, even on a read-only disk; None if it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mark = _open(folder)
        self.found = _read(folder) if self._mark is None else self._mark.found
        self._is_followed_by_refused = self.found is not None and self.found.is_followed_by_refused

    def write(self, tail: MarkedTail) -> None:
        """Write `tail`; sync it if `is_followed_by_refused` is set, or was set before.

        Otherwise, after a power cut, an older slot with that flag would void events acknowledged since.
        """
        if self._mark is not None:
            with contextlib.suppress(OSError):
                self._mark.write(tail)
            if tail.is_followed_by_refused or self._is_followed_by_refused:
                self._mark.sync()
        self._is_followed_by_refused = tail.is_followed_by_refused

    def is_in_place(self) -> bool:
        """Whether the mark is open, and its file is still the one in the folder."""
        return self._mark is not None and self._mark.is_in_place()

    def reopen(self) -> None:
        """Open the mark that is now in the folder."""
        self.close()
        self._mark = _open(self._folder)

    def close(self) -> None:
        """Close the file of the mark; idempotent."""
        if self._mark is not None:
            self._mark.close()


def _open(folder: Path) -> JournalMark | None:
    try:
        return JournalMark(folder)
    except OSError:
        return None


def _read(folder: Path) -> MarkedTail | None:
    """The content of the mark in a folder that is not writable."""
    try:
        file = open_private(folder / FILE, os.O_RDONLY)
    except OSError:
        return None
    with os.fdopen(file, "rb"), contextlib.suppress(OSError):
        return _read_newest(file)[1]
    return None


def _read_newest(file: int) -> tuple[int, MarkedTail | None]:
    """The count of writes and the tail of the newer valid slot; 0 and None if neither is valid."""
    slots = [_read_slot(os.pread(file, SLOT_BYTES, place)) for place in (0, BLOCK)]
    return max((slot for slot in slots if slot), key=lambda slot: slot[0], default=(0, None))


def _check(slot: bytes) -> bytes:
    return blake2b(slot, digest_size=_CHECK_BYTES).digest()


def _read_slot(raw: bytes) -> tuple[int, MarkedTail] | None:
    """The count of writes and the tail of a slot; None if it is damaged or was never written."""
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
