"""SQLite page parser: recovers events from a damaged database and its write-ahead log, where SQLite would stop.

Python's sqlite3 has no `.recover`: that needs the virtual table sqlite_dbdata, which Debian's library does not include.
Each table leaf page is decoded here (https://sqlite.org/fileformat2.html), also from the log, ignoring SQLite's
checksums. Nothing is checked here: the hash chain proves which rows are unaltered events.
"""

import mmap
import stat
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pegboard.storage.event_row import TABLE_COLUMNS, Row

Image: TypeAlias = tuple[int, memoryview]
"""A page: its number, from 1, and its bytes."""

COLUMNS = len(TABLE_COLUMNS.split(", "))

USUAL_PAGE = 4096

PAGE_SIZES = {1 << power for power in range(9, 17)}

LEAF = 0x0D
"""First byte of a leaf page of a table."""

FILE_HEADER, WAL_HEADER, FRAME_HEADER = 100, 32, 24

INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer by its serial type."""

TEXT = 13
"""The serial type of an empty text; each byte adds 2."""

MORE = 0x80
"""Continuation bit of a varint: more bytes follow."""

LONGEST = 1_000_000
"""Maximum bytes of a row that is accepted; an event has a few thousand at most."""

OFFSET_BITS, PLACE_BITS = 16, 48
"""Bits of a row's offset in its page, and of offset and page together; the row's number is in the bits above."""

LAST_OFFSET, LAST_IMAGE = (1 << OFFSET_BITS) - 1, (1 << PLACE_BITS - OFFSET_BITS) - 1

MOST_ROWS = 1 << 40
"""Upper limit of row numbers, more than any journal has."""

EVERY = 64
"""Pages between two calls of `busy`."""

UNREADABLE = (IndexError, UnicodeDecodeError, struct.error, KeyError)


class PageScan:
    """Scan of the pages of a database and its log, the most trusted first. The files are memory-mapped."""

    def __init__(self, database: Path, wal: Path, busy: Callable[[], None]) -> None:
        """Open both files; a missing file counts as empty.

        Raises:
            OSError: a file cannot be read.
        """
        self._main, self._wal = _map(database), _map(wal)
        self._size, self._busy = _page_size(self._main, self._wal), busy
        self._frames = list(_committed_frames(self._wal, self._size))
        self._newest = dict(self._frames)
        self._images: list[Image] = []
        self._found: list[int] = []

    @property
    def is_log_cut(self) -> bool:
        """Whether the log is empty or ends within a frame; a cut between frames cannot be seen."""
        return len(self._wal) <= WAL_HEADER or (len(self._wal) - WAL_HEADER) % (FRAME_HEADER + self._size) != 0

    def look_in_log(self, is_wanted: Callable[[int], bool]) -> None:
        """Look for rows with wanted numbers in the log: the newest image of each page first."""
        self._look([*self._newest.items(), *self._frames], is_wanted)

    def look_in_database(self, is_wanted: Callable[[int], bool]) -> None:
        """Look for rows with wanted numbers in the pages of the database itself."""
        pages = range(1, -(-len(self._main) // self._size) + 1)
        self._look([(page, self._main[(page - 1) * self._size : page * self._size]) for page in pages], is_wanted)

    def rows(self, after: int) -> Iterator[Row]:
        """The rows found after number `after`, in order; of several readings of a row, the first found comes first."""
        for place in self._found[bisect_left(self._found, (after + 1) << PLACE_BITS) :]:
            image, at = place >> OFFSET_BITS & LAST_IMAGE, place & LAST_OFFSET
            row = self._row(self._images[image][1], at)
            if row is not None:
                yield row

    def _look(self, images: Sequence[Image], is_wanted: Callable[[int], bool]) -> None:
        """Note the location of rows as packed integers: keeping the rows could take much more memory."""
        for n, (number, page) in enumerate(images):
            if n % EVERY == 0:
                self._busy()
            head, image = FILE_HEADER if number == 1 else 0, len(self._images)
            if len(page) < head + 8 or page[head] != LEAF:
                continue
            found = [place | image << OFFSET_BITS for place in self._wanted_rows(page, head, is_wanted)]
            if found:
                self._images.append((number, page))
                self._found += found
        self._found.sort()

    def _wanted_rows(self, page: memoryview, head: int, is_wanted: Callable[[int], bool]) -> Iterator[int]:
        """The packed number and offset of each wanted row in a page; other rows are not decoded."""
        for cell in range(int.from_bytes(page[head + 3 : head + 5], "big")):
            try:
                pointer = head + 8 + 2 * cell
                at = page[pointer] << 8 | page[pointer + 1]
                number = _number_of_row(page, at)
                if 0 < number < MOST_ROWS and is_wanted(number) and self._row(page, at) is not None:
                    yield number << PLACE_BITS | at
            except UNREADABLE:
                continue

    def _row(self, page: memoryview, at: int) -> Row | None:
        """The row in the cell at `at`; None if it is not an event."""
        length, at = _varint(page, at)
        number, at = _varint(page, at)
        if not COLUMNS < length <= LONGEST:
            return None
        return _decode(number, self._payload(page, at, length))

    def _payload(self, page: memoryview, at: int, length: int) -> bytes:
        """The bytes of a row, including its overflow pages."""
        most = self._size - 35
        if length <= most:
            return bytes(page[at : at + length])
        least = (self._size - 12) * 32 // 255 - 23
        local = least + (length - least) % (self._size - 4)
        local = local if local <= most else least
        parts, left = [bytes(page[at : at + local])], length - local
        (following,) = struct.unpack_from(">I", page, at + local)
        while left > 0:
            page = self._page(following)
            (following,) = struct.unpack_from(">I", page)
            parts.append(bytes(page[4 : 4 + min(left, self._size - 4)]))
            left -= self._size - 4
        return b"".join(parts)

    def _page(self, number: int) -> memoryview:
        if number in self._newest:
            return self._newest[number]
        page = self._main[(number - 1) * self._size : number * self._size]
        if number < 1 or len(page) < self._size:
            raise IndexError(number)
        return page


def _map(path: Path) -> memoryview:
    """A memory-mapped view of a file; empty for a pipe or link."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return memoryview(b"")
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (FileNotFoundError, ValueError):  # missing or empty
        return memoryview(b"")


def _page_size(main: memoryview, wal: memoryview) -> int:
    """The page size in bytes, from the first header with a valid one; else the default."""
    for file, at, width in ((main, 16, 2), (wal, 8, 4)):
        size = int.from_bytes(file[at : at + width], "big")
        size = 65536 if size == 1 else size
        if size in PAGE_SIZES:
            return size
    return USUAL_PAGE


def _committed_frames(wal: memoryview, size: int) -> Iterator[Image]:
    """The pages of the current log generation up to the last commit frame; checksums are ignored."""
    frames: list[Image] = []
    salts = wal[16:24]
    first = wal[WAL_HEADER + 8 : WAL_HEADER + 16]
    for at in range(WAL_HEADER, len(wal) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        number, pages = struct.unpack_from(">II", wal, at)
        if wal[at + 8 : at + 16] not in (salts, first):
            continue
        frames.append((number, wal[at + FRAME_HEADER : at + FRAME_HEADER + size]))
        if pages:
            yield from frames
            frames.clear()


def _varint(page: bytes | memoryview, at: int) -> tuple[int, int]:
    """A varint of one to nine bytes, and the offset after it."""
    value = 0
    for _ in range(8):
        byte = page[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < MORE:
            return value, at
    return value << 8 | page[at], at + 1


def _number_of_row(page: memoryview, at: int) -> int:
    """The row number in the cell at `at`, which follows the payload length."""
    _, at = _varint(page, at)
    return _varint(page, at)[0]


def _decode(number: int, record: bytes) -> Row | None:
    """The values of a row; None unless count and types match an event."""
    end, at = _varint(record, 0)
    types = []
    while at < end:
        kind, at = _varint(record, at)
        types.append(kind)
    if len(types) != COLUMNS or types[0] != 0:
        return None
    values: list[Any] = [number]
    for kind in types[1:]:
        if kind >= TEXT and kind % 2:
            end = at + (kind - TEXT) // 2
            values.append(record[at:end].decode())
            at = end
        elif kind == 0:
            values.append(None)
        elif kind in {8, 9}:
            values.append(kind - 8)
        else:
            end = at + INTEGERS[kind]
            values.append(int.from_bytes(record[at:end], "big", signed=True))
            at = end
    return tuple(values) if at <= len(record) else None
