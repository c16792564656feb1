"""Append-only event journal in SQLite: queries, durable commits, imports; fallback to memory, and return to disk.

Each event is on disk before its command is answered, unless `play_in_memory` was called.
"""

import contextlib
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NoReturn, Self

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import Match, Result
from pegboard.core.moves import Event, InPlace, Line
from pegboard.errors import JournalError, NotStored, PegboardError
from pegboard.json_parser import canonical_json
from pegboard.messages import Message
from pegboard.storage.event_row import (
    CHAIN,
    EVENTS_OF_GAME,
    INSERT_EVENT,
    NUMBER,
    TABLE_COLUMNS,
    EventRow,
    Row,
    chain_hash,
    find_end,
    renew,
    select_rows,
)
from pegboard.storage.folder_lock import is_held
from pegboard.storage.journal.disk_faults import (
    DISK_ERRORS,
    UNREADABLE,
    BackgroundCheck,
    Damaged,
    DiskFault,
    FaultKind,
    FilesInPlace,
    classify,
    has_met_damage,
)
from pegboard.storage.journal.journal_mark import BestEffortMark, MarkedTail
from pegboard.storage.journal.opening import open_journal
from pegboard.storage.journal.return_to_disk import Absence, describe_return, return_to_disk
from pegboard.storage.journal.running_match import (
    MatchRows,
    OpenedJournal,
    open_in_memory,
    rebuild_indexes,
    void_events_after,
)
from pegboard.storage.name_corrections import CORRECTIONS_OF_MATCH
from pegboard.storage.rescue.quarantine import read_unreported
from pegboard.storage.schema import FILE, checkpoint, lock_folder, open_database, transaction
from pegboard.storage.summary import RUNNING_GAME, update_summary
from pegboard.storage.transfer.import_transaction import ImportedEvent, ImportReport, ImportTransaction, SkippedGame

# --- queries: commands, events of a game, the running match ---


class JournalQueries:
    """Read queries of the open journal."""

    _db: sqlite3.Connection

    def find(self, command_id: str) -> EventRow | None:
        """The event that a command caused, or None.

        Raises:
            NotStored: the journal cannot be read, so nothing could be stored either.
        """
        with not_stored_on_error():
            return next(select_rows(self._db, "WHERE command_id = ?", command_id), None)

    def line_of(self, row: EventRow) -> int | None:
        """The number of the line that an event added or changed in the score sheet, or None.

        Raises:
            NotStored: the journal cannot be read.
        """
        event = row.event
        if isinstance(event, InPlace):
            return event.line
        if not isinstance(event, Line):
            return None
        kinds = ", ".join(f"'{kind}'" for kind in wire.LINES)
        query = f"SELECT count(*) FROM event WHERE game = ? AND seq <= ? AND kind IN ({kinds})"  # noqa: S608 - no user input
        with not_stored_on_error():
            return int(self._db.execute(query, (row.game, row.seq)).fetchone()[0])

    def rows(self, game: str | None = None) -> list[EventRow]:
        """The events of one game and later name corrections in its match, or all events; in order.

        Raises:
            NotStored: the journal cannot be read.
        """
        with not_stored_on_error():
            return list(select_rows(self._db) if game is None else select_rows(self._db, EVENTS_OF_GAME, game))

    def corrections(self, game: str) -> list[EventRow]:
        """The name corrections in the match of a game, including those made before the game began, in order.

        Raises:
            NotStored: the journal cannot be read.
        """
        with not_stored_on_error():
            return list(select_rows(self._db, f"WHERE id IN ({CORRECTIONS_OF_MATCH})", game))

    def first_event_at(self) -> int:
        """Wall time of the first event, in nanoseconds since 1970, or 0.

        Raises:
            NotStored: the journal cannot be read.
        """
        return int(self._value("SELECT at FROM event WHERE typeof(at) = 'integer' ORDER BY id LIMIT 1") or 0)

    def running_game(self) -> str | None:
        """The id of the newest game of this table that was not abandoned, finished or not; None without such a game.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value(RUNNING_GAME)

    def previous_game(self, game: str) -> str | None:
        """The id of the game that would be shown if `game` were abandoned, or None.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value(
            "SELECT id FROM game WHERE NOT abandoned AND imported = 0"
            " AND started < (SELECT started FROM game WHERE id = ?) ORDER BY started DESC LIMIT 1",
            game,
        )

    def _value(self, query: str, *values: object) -> str | None:
        with not_stored_on_error():
            found = self._db.execute(query, values).fetchone()
        return None if found is None else str(found[0])

    def match_of(self, game: str) -> str | None:
        """The id of the match that a game of this table belongs to; None if the game is unknown or abandoned.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value("SELECT match FROM game WHERE id = ? AND NOT abandoned AND imported = 0", game)

    def match_before(
        self, game: str, lanes: int, new_results: Mapping[str, Result | None] | None = None
    ) -> tuple[str, Match]:
        """The id of the match that `game` belongs to, and the match score before that game.

        `new_results` maps game ids to results that are about to change.

        Raises:
            NotStored: the journal cannot be read.
        """
        with not_stored_on_error():
            query = "SELECT match, format, started FROM game WHERE id = ?"
            match, form, started = self._db.execute(query, (game,)).fetchone()
            earlier = self._db.execute(
                "SELECT id, result FROM game WHERE match = ? AND NOT abandoned AND imported = 0 AND started < ?"
                " ORDER BY started",
                (match, started),
            )
            results = {each: None if text is None else wire.read_result(json.loads(text)) for each, text in earlier}
        standing = Match.empty(lanes, form)
        for each, won in results.items():
            standing = standing.plus((new_results or {}).get(each, won))
        return match, standing


@contextlib.contextmanager
def not_stored_on_error() -> Iterator[None]:
    """Convert SQLite errors to `NotStored`, with a message for the displays.

    Raises:
        NotStored: an SQLite error occurred in the block.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise NotStored("not_saved", fault=Message("verbatim", text=error)) from error


# --- commits, failed commits, fallback to memory, and return to disk ---


RETRY_S = 10.0
"""Seconds between attempts to write events kept in memory to disk."""

log = logging.getLogger(__name__)


class JournalFiles(JournalQueries):
    """The files of an open journal, with a fallback to memory.

    If the disk is not writable, the running match is kept in memory, and scores are refused until they can be stored
    or `play_in_memory` is called.

    Attributes:
        folder: the journal's folder.
        epoch: the journal's id; it changes after events are lost.
        last_id: the number of the newest event, 0 before the first.
        findings: problems found but not yet returned by `take_findings`, oldest first.
        is_in_memory: whether events are accepted although they are only in memory.
    """

    def __init__(
        self,
        folder: Path,
        busy: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the journal in `folder`, creating both if missing.

        A journal of another version is backed up and migrated, and a damaged one is rescued. Both can take minutes;
        `busy` is called repeatedly meanwhile. `clock` returns seconds.

        Raises:
            JournalError: the folder cannot be created, another pegboard uses it, or the journal is too new.
        """
        self._lock = lock_folder(folder)
        self.folder, self._busy, self._clock = folder, busy, clock
        self.is_in_memory = False
        self._fault: Message | None = None
        self._absence: Absence | None = None
        self._check: BackgroundCheck | None = None
        self._tried_at = 0.0
        self._checkpointed = 0
        self._mark = BestEffortMark(folder)
        try:
            opened = open_journal(folder, self._mark.found, busy)
            unsaid = (finding for finding in read_unreported(folder) if finding not in opened.findings)
            self.findings = [*unsaid, *opened.findings]
            self._take(opened)
        except BaseException:
            self._mark.close()
            self._lock.close()
            raise

    def _take(self, opened: OpenedJournal) -> None:
        """Switch to a journal that was just opened."""
        self._db, self._match_rows, self._fault = opened.db, opened.match_rows, opened.fault
        self.epoch, self.last_id, self._chain = opened.epoch, opened.last_id, opened.chain
        if opened.fault is None:
            self._absence, self.is_in_memory = None, False
            self._files = FilesInPlace(self.folder / FILE, self._db)
            self._mark.write(self._end)
        else:
            log.warning("%s", Message("journal_read_only", fault=opened.fault))
            self._absence = Absence(opened.left, self._mark.found)

    @property
    def _end(self) -> MarkedTail:
        """The newest acknowledged event of the journal."""
        return MarkedTail(self.epoch, self.last_id, self._chain)

    def close(self) -> None:
        """Close the journal and release its folder lock."""
        self._stop_check()
        self._db.close()
        self._mark.close()
        self._lock.close()

    @property
    def fault(self) -> Message | None:
        """Why the disk cannot store events now, even if they are accepted in memory; None if it can store them."""
        return self._fault

    @contextlib.contextmanager
    def _storing(self) -> Iterator[None]:
        """Commit the writes of the block; after a failed commit, void them before raising.

        Raises:
            NotStored: the writes could not be stored.
        """
        if self._fault is not None and not self.is_in_memory:
            raise NotStored("not_saved", fault=self._fault)
        if not self.is_in_memory and (cut := self._files.fault_of_log()) is not None:
            self._leave_and_refuse(cut)
        try:
            with transaction(self._db):
                yield
        except PegboardError:
            raise  # raised in the block, before the commit
        except BaseException as error:
            if self._absence is None:
                self._refuse(error)
            if isinstance(error, sqlite3.Error):
                raise NotStored("not_saved", fault=Message("verbatim", text=error)) from error
            raise
        if not self.is_in_memory and (gone := self._files.fault()) is not None:
            self._leave_and_refuse(gone)

    def _leave_and_refuse(self, fault: DiskFault) -> NoReturn:
        """Leave the disk, and refuse the current writes.

        Raises:
            NotStored: always.
        """
        self._mark.write(self._end_before_refused)
        self._leave(fault)
        raise NotStored("not_saved", fault=fault.message)

    def _advance(self, number: int, chain: str) -> None:
        self.last_id, self._chain = number, chain
        if not self.is_in_memory:
            self._mark.write(self._end)

    # --- refused events must not reappear ---

    def _refuse(self, error: BaseException) -> None:
        """Reopen the journal without the event whose commit failed; leave the disk if that fails, or on damage."""
        self._mark.write(self._end_before_refused)
        self._db.close()
        try:
            self._db = open_database(self.folder / FILE)
            void_events_after(self._db, self.last_id)
            if find_end(self._db) != (self.last_id, self._chain):
                raise sqlite3.DatabaseError("the end of the journal is not as expected")
            self._files = FilesInPlace(self.folder / FILE, self._db)
        except DISK_ERRORS as again:
            self._leave(classify(error if isinstance(error, sqlite3.Error) else again))
            return
        self._mark.write(self._end)
        if has_met_damage(error):
            self._leave(classify(error))

    @property
    def _end_before_refused(self) -> MarkedTail:
        return replace(self._end, is_followed_by_refused=True)

    # --- leaving the disk, and returning ---

    def _leave(self, fault: DiskFault) -> None:
        """Continue the running match in memory; scores are refused until they can be stored."""
        self._stop_check()
        before, self._db = self._db, open_in_memory(self._match_rows.rows, self.epoch)
        unlinked = before if fault.kind is FaultKind.UNLINKED else None
        if unlinked is None:
            before.close()
        is_renewed = fault.kind is not FaultKind.NO_WRITES
        damage = fault.message if fault.kind is FaultKind.DAMAGE else None
        self._absence = Absence(self._end_before_refused, unlinked=unlinked, is_renewed=is_renewed, damage=damage)
        self._fault, self._tried_at = fault.message, self._clock()
        if is_renewed:
            self.findings.append(fault.message)

    def play_in_memory(self) -> None:
        """Accept events in memory only, until they can be written to disk; idempotent.

        Raises:
            NotStored: the disk stores events, so this is not needed.
        """
        if self._fault is None:
            raise NotStored("journal_stores")
        if not self.is_in_memory:
            self.is_in_memory, self.epoch = True, renew(self._db, self.epoch)
            log.warning("%s", Message("journal_in_memory", fault=self._fault))

    def look_after(self) -> list[Message]:
        """Check that the files are in place, or write the events in memory to disk; return the problems found.

        Call it about once a second, while no event is being stored.
        """
        if self._absence is None:
            self._look_at_files()
        if self._absence is not None and self._is_due():
            self._tried_at = self._clock()
            self._return(self._absence)
        return self.take_findings()

    def take_findings(self) -> list[Message]:
        """Problems found since the last call, oldest first."""
        findings, self.findings = self.findings, []
        return findings

    def _is_due(self) -> bool:
        return not self.is_in_memory or self._clock() - self._tried_at >= RETRY_S

    def _look_at_files(self) -> None:
        if (fault := self._files.fault() or self._files.foreign_write_fault()) is not None:
            self._leave(fault)
            return
        with contextlib.suppress(JournalError):  # safe: the folder itself is locked too
            self._renew_lock()
        if not self._mark.is_in_place():
            self._reopen_mark()
        if self._check is None:
            self._check = BackgroundCheck(self.folder, self.last_id)
        for fault, damaged, game in self._check.take_findings():
            if damaged is Damaged.INDEX:
                self._rebuild_indexes()
                return
            if damaged is Damaged.FILE or (game is not None and game == self.running_game()):
                self._leave(fault)
                return
            self.findings.append(fault.message)

    def _renew_lock(self) -> None:
        """Lock the folder again if its lock file, or the folder itself, was removed and recreated.

        Raises:
            JournalError: the folder cannot be locked.
        """
        if not is_held(self._lock, self.folder):
            lock = lock_folder(self.folder, self._lock)
            self._lock.close()
            self._lock = lock

    def _rebuild_indexes(self) -> None:
        """Rebuild the indexes and check the journal again; if the check still finds damage, the journal is rescued."""
        self._stop_check()
        try:
            rebuild_indexes(self._db)
        except sqlite3.Error as error:
            self._leave(classify(error))
            return
        self.findings.append(Message("journal_index_rebuilt"))
        self._check = BackgroundCheck(self.folder, self.last_id, is_reindexed=True)

    def _reopen_mark(self) -> None:
        self._mark.reopen()
        self._mark.write(self._end)

    def _return(self, absence: Absence) -> None:
        """Return to the disk if it is writable again."""
        rows = self._db.execute(f"SELECT {TABLE_COLUMNS} FROM event ORDER BY id")  # noqa: S608 - no user input
        match = MatchRows(rows)
        try:
            self._renew_lock()
            opened, stored = return_to_disk(self.folder, absence, match, self._end, self._busy)
        except DISK_ERRORS as error:
            self._fault = classify(error).message
            return
        self.findings += [*opened.findings, *describe_return(absence, match, stored, is_in_memory=self.is_in_memory)]
        self._db.close()
        if absence.unlinked is not None:
            absence.unlinked.close()
        self._take(opened)
        self._reopen_mark()

    # --- maintenance ---

    def checkpoint(self) -> None:
        """Checkpoint the write-ahead log, so that damage to the log cannot lose events; commits do not wait.

        Call it without the table's lock, from a single thread.
        """
        if self._fault is None and self.last_id != self._checkpointed:
            number = self.last_id
            with contextlib.suppress(*UNREADABLE):
                checkpoint(self.folder / FILE)
                self._checkpointed = number

    def _stop_check(self) -> None:
        if self._check is not None:
            self._check.stop()
            self._check = None


class Journal(JournalFiles):
    """The journal of one table, open for writing by this process only."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(
        self,
        event: Event,
        *,
        game: str,
        at: int,
        source: str,
        result: Result | None,
        sheet: Game | None = None,
        command_id: str | None = None,
        request: str | None = None,
    ) -> None:
        """Store `event` as number `last_id + 1`; when this returns, it survives a power cut.

        `result` is the game's result after the event, None if the game is not over; `sheet` is the game after the
        event, or the abandoned game.

        Raises:
            NotStored: the event could not be stored; the journal is unchanged.
        """
        if not game:  # the first game could not be stored yet
            raise NotStored("not_saved", fault=self._fault or Message("journal_no_game"))
        kind, body = wire.event_values(event)
        values = (game, at, kind, canonical_json(body), source, command_id, request)
        with self._storing():
            row = self._insert(values, wire.version(event))
            update_summary(self._db, event, game, self.last_id + 1, at, result, sheet)
        self._advance(row[NUMBER], row[CHAIN])
        self._match_rows.add(row, event, self._db)

    def _insert(self, values: tuple[str, int, str, str, str, str | None, str | None], version: int) -> Row:
        game, *rest = values
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM event WHERE game = ?", (game,)).fetchone()
        columns = (self.last_id + 1, self.epoch, game, seq, *rest, version)
        row = (*columns, chain_hash(self._chain, columns))
        self._db.execute(INSERT_EVENT, row)
        return row

    def import_games(self, events: Iterable[ImportedEvent | SkippedGame]) -> ImportReport:
        """Store games played at another table, all or none.

        Games already in the journal are skipped; games imported earlier are continued.

        Raises:
            BadImport: an event does not fit the games in the journal; the journal is unchanged.
            NotStored: the games could not be stored; the journal is unchanged.
        """
        if self._fault is not None:
            raise NotStored("not_saved", fault=self._fault)
        with self._storing():
            importing = ImportTransaction(self._db, self.last_id, self._chain)
            for each in events:
                importing.add(each)
            report = importing.finish()
        self._advance(importing.last_id, importing.chain)
        return report
