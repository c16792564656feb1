"""Salvage of a damaged journal: builds a new one from its provable rows and the newest good backup.

A row counts if the hash chain proves it. Each game is kept up to the first row that is missing from both the journal
and the backup, so it is as it was at some moment; games that lack rows are listed (`INCOMPLETE`). The damaged files
stay in quarantine, with everything that could not be proven.
"""

import contextlib
import heapq
import logging
import shutil
import sqlite3
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from operator import itemgetter
from pathlib import Path

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.referee import apply
from pegboard.errors import JournalError
from pegboard.storage.event_row import (
    CHAIN,
    EPOCH,
    GAME,
    IMPORTED,
    INSERT_EVENT,
    KIND,
    NUMBER,
    SEQ,
    TABLE_COLUMNS,
    UNREPLAYABLE,
    VERSION,
    Row,
    chain_hash,
    find_end,
    renumber,
    select_rows,
)
from pegboard.storage.rescue.backups import list_backups
from pegboard.storage.rescue.page_scan import MOST_ROWS, PageScan
from pegboard.storage.rescue.quarantine import OUTCOME, clear_for_replacement, note_outcome
from pegboard.storage.schema import (
    FILE,
    INCOMPLETE,
    SCHEMA_VERSION,
    migrate,
    new_epoch,
    rebuild_summary,
    restore_triggers,
    transaction,
)
from pegboard.storage.state_files import create_private
from pegboard.storage.summary import summarize_journal
from pegboard.storage.verified_copies import read_closed_journal, read_contents, read_only, sync_file, unfinished_file

# --- proving rows by the hash chain ---
#
# Nothing else is trusted: a row is as written if its link fits the row before it, wherever it was read. Rows are
# streamed, because a large journal does not fit into the memory of a small machine.


EVERY = 500
"""Rows between two calls of `busy`."""


class Numbers:
    """Set of row numbers, stored as ranges (first and last number)."""

    def __init__(self) -> None:
        self._first: list[int] = []
        self._last: list[int] = []

    def add(self, number: int) -> None:
        """Add a number, which must be greater than all numbers added before."""
        if self._last and self._last[-1] == number - 1:
            self._last[-1] = number
        else:
            self._first.append(number)
            self._last.append(number)

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self._first, number) - 1
        return place >= 0 and number <= self._last[place]

    def holds_all_up_to(self, number: int) -> bool:
        """Whether every number from 1 to `number` is included."""
        return not number or (self._first[:1] == [1] and self._last[0] >= number)

    @property
    def greatest(self) -> int:
        """The greatest number, or 0."""
        return self._last[-1] if self._last else 0


@dataclass(frozen=True, slots=True)
class KnownRows:
    """The first rows of a journal, known from a backup.

    Attributes:
        events: the number of these rows; chain: the link of the last row, or "".
        games: the number of these rows per game.
        last_game: the game of the last row.
    """

    events: int = 0
    chain: str = ""
    games: Mapping[str, int] = field(default_factory=dict)
    last_game: str | None = None


def prove(rows: Iterable[Row], busy: Callable[[], None], base: KnownRows = KnownRows()) -> Iterator[Row]:
    """The rows after those of `base` whose link fits the row before them, in order.

    `rows` must be sorted by number; of several readings of a row, the most trusted comes first. A row with only its
    link damaged is proven by the next row, whose hash covers the original link.
    """
    links: dict[str, Row | None] = {base.chain: None}  # possible links before the next row, and the row each proves
    before = base.events
    for n, (number, readings) in enumerate(groupby(rows, key=itemgetter(NUMBER))):
        if n % EVERY == 0:
            busy()
        proven, links = _prove_row(readings, links if number == before + 1 else {})
        yield from proven
        before = number


def _prove_row(readings: Iterable[Row], links: Mapping[str, Row | None]) -> tuple[list[Row], dict[str, Row | None]]:
    """The proven reading, preceded by an earlier row that it proves; and the possible links before the next row."""
    following: dict[str, Row | None] = {}
    for row in readings:
        for link, earlier in links.items():
            own = chain_hash(link, row[:CHAIN])
            if own == row[CHAIN]:
                return [each for each in (earlier, row) if each is not None], {own: None}
            following[own] = (*row[:CHAIN], own)
        following.setdefault(row[CHAIN], None)
    return [], following


class GamePrefixes:
    """Filter that keeps the rows of each game up to the first one missing or unreadable by this version."""

    def __init__(self, base: KnownRows, limits: Mapping[str, int]) -> None:
        """`limits` caps the number of events kept, by game."""
        self._base, self._limits = base, limits
        self._staying, self._last = Counter(base.games), Counter(base.games)
        self._broken: set[str] = set()
        self._ends: list[tuple[str, int]] = []  # game and `seq` of each row before a gap
        self._before = base.events, base.last_game, base.games.get(base.last_game or "", 0)

    @property
    def greatest(self) -> int:
        """The number of the newest proven row."""
        return self._before[0]

    @property
    def newest_game(self) -> str | None:
        """The game of the newest proven row, or None."""
        return self._before[1]

    def keep(self, proven: Iterable[Row]) -> Iterator[Row]:
        """The proven rows that continue their game without a gap, in order."""
        for row in proven:
            game, seq = row[GAME], row[SEQ]
            if row[NUMBER] != self._before[0] + 1:
                self._end()
            self._before = row[NUMBER], game, seq
            self._last[game] = max(self._last[game], seq)
            is_readable = row[KIND] in wire.EVENTS and row[VERSION] <= wire.VERSION
            if seq != self._staying[game] + 1 or not is_readable or seq > self._limits.get(game, seq):
                self._broken.add(game)
            if game not in self._broken:
                self._staying[game] = seq
                yield row

    def incomplete(self, *, is_end_known: bool) -> dict[str, int]:
        """Games that lack or may lack events, each with its number of events left.

        Without `is_end_known`, the game of the newest row may lack events too.
        """
        if not is_end_known:
            self._end()
        cut = {game for game, seq in self._ends if seq == self._last[game]}
        return {game: self._staying[game] for game in sorted(self._broken | cut)}

    def _end(self) -> None:
        """Note that rows missing after the newest row may belong to its game."""
        _, game, seq = self._before
        if game is not None:
            self._ends.append((game, seq))


# --- reading a damaged journal with SQLite, skipping unreadable rows ---


ROWS_FROM = f"SELECT {TABLE_COLUMNS} FROM event WHERE id >= ? ORDER BY id"  # noqa: S608 - no user input

STEPS = 100_000
"""SQLite instructions between two calls of `busy`."""

MAX_REPEATED_ROWS = 10_000
"""Maximum repeated rows in a damaged B-tree before reading there stops."""


def read_rows(database: Path, after: int, busy: Callable[[], None]) -> Iterator[Row]:
    """The rows after number `after` that SQLite can read, each number once."""
    start: int | None = after + 1
    while start is not None:
        last = start - 1
        try:
            with read_only(database) as db:
                db.set_progress_handler(busy, STEPS)
                for row in _ascending(db.execute(ROWS_FROM, (start,)), last):
                    last = row[NUMBER]
                    yield row
        except sqlite3.Error:
            start = _next_readable(database, last + 1)
        else:
            return


def find_last(database: Path) -> int | None:
    """The number of the last row, 0 if there is none; None if SQLite cannot read it."""
    try:
        with read_only(database) as db:
            return find_end(db)[0]
    except sqlite3.Error:
        return None


def find_epoch(database: Path) -> str | None:
    """The epoch of the journal; None if SQLite cannot read it."""
    try:
        with read_closed_journal(database) as db:
            found = db.execute("SELECT epoch FROM about").fetchone()
    except sqlite3.Error:
        return None
    return found and str(found[0])


def _ascending(rows: Iterator[Row], last: int) -> Iterator[Row]:
    """The rows with a number greater than all earlier ones.

    Raises:
        sqlite3.Error: too many rows are repeated.
    """
    again = 0
    for row in rows:
        if row[NUMBER] > last:
            last = row[NUMBER]
            yield row
        else:
            again += 1
            if again > MAX_REPEATED_ROWS:
                raise sqlite3.DatabaseError


def _next_readable(database: Path, broken: int) -> int | None:
    """The number after `broken` from which SQLite can read again, or None; by exponential and binary search."""
    step = 1
    while not _is_readable(database, broken + step):
        step *= 2
        if step > MOST_ROWS:
            return None
    low, high = broken + step // 2, broken + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_readable(database, middle) else (middle, high)
    return high


def _is_readable(database: Path, start: int) -> bool:
    """Whether SQLite can read the next row from that number on, or finds that there is none."""
    try:
        with read_only(database) as db:
            db.execute(ROWS_FROM, (start,)).fetchone()
    except sqlite3.Error:
        return False
    return True


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Salvaged:
    """The outcome of a salvage: the contents of the new journal.

    Attributes:
        events: the number of events.
        lost: the number of events missing up to the newest one; None if the files do not show which was the newest. A
            log truncated between two commits, or damaged in the last one, does not show that anything followed.
        backup: the backup that supplied some events, or None.
        is_newest_game_cut: whether the game played last lacks or may lack events.
    """

    events: int
    lost: int | None
    backup: Path | None
    is_newest_game_cut: bool


def salvage(
    folder: Path, quarantined: Path, busy: Callable[[], None], *, answered: int = 0, are_later_refused: bool = False
) -> Salvaged:
    """Build a new journal in `folder` from provable rows of the one in `quarantined` and the backups in `folder`.

    `answered` is the number of the newest event known to have been stored. Later events may have been refused after
    being written, which their rows do not show; with `are_later_refused` they are left out.

    The new journal has a new epoch; rows keep their epoch and command id, but rows after missing ones are renumbered.
    Call it with the folder locked; a power cut leaves no new journal, or a complete one. `busy` is called repeatedly.

    Raises:
        OSError: the old files cannot be read at all, or the new journal cannot be written.
        sqlite3.Error: the new journal cannot be written.
    """
    source = _DamagedJournal(quarantined, busy, answered, answered if are_later_refused else MOST_ROWS)
    backup, base, supplies = _find_base(folder, source)
    clear_for_replacement(folder, quarantined)
    try:
        written = _write(folder, backup, base, source)
    except (sqlite3.Error, JournalError) as error:
        if backup is None:
            raise
        log.warning("the backup %s cannot be used: %s", backup.name, error)
        backup, base, supplies = None, KnownRows(), False
        written = _write(folder, backup, base, source)
    used = backup.name if backup is not None and supplies else None
    values = {"events": written.events, "lost": written.lost, "backup": used, "incomplete": written.incomplete}
    note_outcome(quarantined, {"what": "salvaged", **values})
    if written.incomplete:
        log.warning("%d games lack events or may lack some; see %s", len(written.incomplete), quarantined / OUTCOME)
    return Salvaged(written.events, written.lost, backup if supplies else None, written.is_newest_game_cut)


# --- reading ---


class _DamagedJournal:
    """The readable rows of a damaged journal, read again each time because they may not fit into memory.

    Attributes:
        last: the number of the last row, by SQLite or by the last acknowledged event; None if SQLite cannot find it, or
            the log does not seem complete.
    """

    def __init__(self, quarantined: Path, busy: Callable[[], None], answered: int, most: int) -> None:
        """Read the rows up to number `most`; event `answered` is known to have been stored."""
        self._database, wal, self.busy = quarantined / FILE, quarantined / f"{FILE}-wal", busy
        was_closed = not wal.exists() and not (quarantined / f"{FILE}-shm").exists()  # SQLite removes both together
        known = Numbers()
        for row in prove(read_rows(self._database, 0, busy), busy):
            known.add(row[NUMBER])
        last = find_last(self._database)
        self._scan = PageScan(self._database, wal, busy)
        self._scan.look_in_log(lambda number: number not in known)
        if last is None or known.greatest < last or not known.holds_all_up_to(last):
            self._scan.look_in_database(lambda number: number not in known)
        is_whole = last is not None and (was_closed or not self._scan.is_log_cut)
        self.last = min(max(last or 0, answered), most) if is_whole else None
        self._most = most

    def prove(self, base: KnownRows) -> Iterator[Row]:
        """The proven rows after those of `base`; rows read by SQLite are trusted most."""
        sources = read_rows(self._database, base.events, self.busy), self._scan.rows(base.events)
        proven = prove(heapq.merge(*sources, key=itemgetter(NUMBER)), self.busy, base)
        return takewhile(lambda row: row[NUMBER] <= self._most, proven)


# --- the backup ---


def _find_base(folder: Path, source: _DamagedJournal) -> tuple[Path | None, KnownRows, bool]:
    """The newest good backup of the same journal, its contents, and whether it supplies missing rows.

    The backup includes its summary tables, which saves replaying all its games.
    """
    for backup in list_backups(folder):
        with contextlib.suppress(sqlite3.Error):
            if backup.is_intact():
                base, epoch = _read_base(backup.path)
                shared = _count_shared(backup.path, base, epoch, source)
                if shared is not None:
                    return backup.path, base, shared < base.events
    return None, KnownRows(), False


def _read_base(path: Path) -> tuple[KnownRows, str]:
    """The contents of a backup, and the epoch of its journal."""
    with read_only(path, alone=True) as db:
        contents = read_contents(db)
        games = dict(db.execute("SELECT game, max(seq) FROM event GROUP BY game"))
        game, chain = db.execute("SELECT game, chain FROM event ORDER BY id DESC LIMIT 1").fetchone() or (None, "")
    if not 1 <= contents.version <= SCHEMA_VERSION:
        raise sqlite3.NotSupportedError
    return KnownRows(contents.events, chain, games, game), contents.epoch


def _count_shared(path: Path, base: KnownRows, epoch: str, source: _DamagedJournal) -> int | None:
    """The number of backup rows that the damaged journal still has; None if it is not the same journal.

    Later rows of the damaged journal must continue the backup's last row, or have the backup's epoch, which changes
    whenever a journal is replaced by another.
    """
    shared, has_last, is_ours = 0, False, True
    with read_only(path, alone=True) as db:
        links = db.execute("SELECT id, chain FROM event ORDER BY id")
        number, chain = 0, ""
        for row in source.prove(KnownRows()):
            while number < min(row[NUMBER], base.events):
                number, chain = next(links)
            if row[NUMBER] > base.events:
                is_ours = is_ours and (row[EPOCH] == epoch or row[EPOCH].startswith(IMPORTED))
            elif row[CHAIN] != chain:
                return None
            else:
                shared, has_last = shared + 1, row[NUMBER] == base.events
    following = next(source.prove(base), None)
    goes_on = following is not None and following[NUMBER] == base.events + 1
    return shared if is_ours or has_last or goes_on else None


# --- the new journal ---


@dataclass(frozen=True, slots=True)
class _Written:
    events: int
    lost: int | None
    incomplete: Mapping[str, int]
    is_newest_game_cut: bool


class _Unreplayable(Exception):
    """Some rows cannot be replayed; `limits` is the number of replayable events by game."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        super().__init__(limits)
        self.limits = limits


def _write(folder: Path, backup: Path | None, base: KnownRows, source: _DamagedJournal) -> _Written:
    """Write the complete new journal to disk."""
    try:
        return _write_within(folder, backup, base, source, {})
    except _Unreplayable as found:
        return _write_within(folder, backup, base, source, found.limits)


def _write_within(
    folder: Path, backup: Path | None, base: KnownRows, source: _DamagedJournal, limits: Mapping[str, int]
) -> _Written:
    beginnings = GamePrefixes(base, limits)
    with unfinished_file(folder / FILE) as file:
        create_private(file.part)
        if backup is not None:
            shutil.copyfile(backup, file.part)
        with contextlib.closing(sqlite3.connect(file.part, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = OFF")  # safe: leftovers of a failure are removed
            db.execute("PRAGMA synchronous = OFF")
            migrate(db, file.part, source.busy)
            restore_triggers(db)
            with transaction(db):
                rows = renumber(beginnings.keep(source.prove(base)), base.events, base.chain)
                db.executemany(INSERT_EVENT, rows)
                is_end_known = source.last is not None and beginnings.greatest >= source.last
                incomplete = beginnings.incomplete(is_end_known=is_end_known)
                db.execute(f"CREATE TABLE IF NOT EXISTS {INCOMPLETE} (game TEXT PRIMARY KEY, events INTEGER NOT NULL)")
                db.executemany(f"REPLACE INTO {INCOMPLETE} VALUES (?, ?)", incomplete.items())  # noqa: S608 - no user input
                _summarize(db, base, source.busy)
                db.execute("UPDATE about SET epoch = ?", (new_epoch(),))
            (events,) = db.execute("SELECT count(*) FROM event").fetchone()
        sync_file(file.part)
    lost = beginnings.greatest - events if is_end_known else None
    return _Written(events, lost, incomplete, beginnings.newest_game in {None, *incomplete})


def _summarize(db: sqlite3.Connection, base: KnownRows, busy: Callable[[], None]) -> None:
    try:
        if base.events:
            summarize_journal(db, busy, base.events)
        else:  # computes the checksum of all rows once, at the end
            rebuild_summary(db, busy)
    except UNREPLAYABLE as error:
        changed = db.execute("SELECT DISTINCT game FROM event WHERE id > ?", (base.events,)).fetchall()
        raise _Unreplayable({game: _count_replayable(db, game) for (game,) in changed}) from error


def _count_replayable(db: sqlite3.Connection, game: str) -> int:
    """The number of events of a game that can be replayed."""
    sheet = Game()
    for count, row in enumerate(rows := list(select_rows(db, "WHERE game = ?", game))):
        try:
            sheet = apply(sheet, row.event, row.origin)
        except UNREPLAYABLE:
            return count
    return len(rows)
