"""The journal: an append-only SQLite table of events, each on disk before anybody is answered."""

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Self

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import Match, Result
from pegboard.core.moves import Event, InPlace, Line
from pegboard.errors import JournalError, JournalFailed, NotStored
from pegboard.messages import Message
from pegboard.storage.atomic_file import sync_folder
from pegboard.storage.event_row import (
    EVENTS_OF_GAME,
    INSERT_EVENT,
    EventRow,
    canonical_json,
    chain_hash,
    select_rows,
)
from pegboard.storage.imports.import_transaction import ImportedEvent, ImportReport, ImportTransaction, SkippedGame
from pegboard.storage.newer_journal import take_up
from pegboard.storage.schema import FILE, lock_folder, migrate, open_database, remedy, transaction
from pegboard.storage.summary.name_corrections import CORRECTIONS_OF_MATCH
from pegboard.storage.summary.summary_tables import RUNNING_GAME, update_summary

_NEWEST = "SELECT id, chain FROM event ORDER BY id DESC LIMIT 1"


class Journal:
    """The journal of one table, open for writing by this process alone.

    Attributes:
        folder: where it is.
        epoch: its id, made with it.
        last_id: the number of the newest event, 0 before the first.
        findings: what was found amiss when it was opened, until somebody has said it.
        is_in_memory: whether scores are kept in memory only.
        fault: why nothing can be stored now; None while it can.
    """

    is_in_memory = False
    fault: Message | None = None

    def __init__(self, folder: Path, busy: Callable[[], None] = lambda: None) -> None:
        """Open the journal in `folder`, making both where they are missing.

        One of another version is copied beside itself and migrated, which can take minutes; `busy` is called again
        and again meanwhile.

        Raises:
            JournalError: the folder cannot be used, another pegboard uses it, it is too new for this one, or damaged.
        """
        self._lock = lock_folder(folder)
        self.folder = folder
        self.findings: list[Message] = []
        try:
            take_up(folder, busy)
            self._db = open_database(folder / FILE)
            migrate(self._db, folder / FILE, busy)
            sync_folder(folder)
            self.epoch: str = self._db.execute("SELECT epoch FROM about").fetchone()[0]
            newest: tuple[int, str] | None = self._db.execute(_NEWEST).fetchone()
            self.last_id, self._chain = newest or (0, "")
        except BaseException as error:
            self._lock.close()
            if isinstance(error, sqlite3.Error | OSError):
                kind = JournalFailed if isinstance(error, sqlite3.OperationalError | OSError) else JournalError
                raise kind("journal_unusable", path=folder / FILE, error=error, remedy=remedy(error)) from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the journal, and unlock its folder for another process."""
        self._db.close()
        self._lock.close()

    def look_after(self) -> list[Message]:
        """Look whether the journal is as it should be; what was found amiss since the last look."""
        found, self.findings = self.findings, []
        return found

    def play_in_memory(self) -> None:
        """Keep scores in memory only from now on, until they can be written."""
        self.is_in_memory = True

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

        `result` is how the game is won after it, None while it is not; `sheet` is the game after it, or the game that
        it abandons.

        Raises:
            NotStored: it could not be stored; the journal is as it was.
        """
        kind, body = wire.event_values(event)
        values = (game, at, kind, canonical_json(body), source, command_id, request)
        with _not_stored_on_error(), transaction(self._db):
            chain = self._insert(values)
            update_summary(self._db, event, game, self.last_id + 1, at, result, sheet)
        self.last_id += 1
        self._chain = chain

    def _insert(self, values: tuple[str, int, str, str, str, str | None, str | None]) -> str:
        game, *rest = values
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM event WHERE game = ?", (game,)).fetchone()
        row = (self.last_id + 1, self.epoch, game, seq, *rest, wire.VERSION)
        chain = chain_hash(self._chain, row)
        self._db.execute(INSERT_EVENT, (*row, chain))
        return chain

    def import_games(self, events: Iterable[ImportedEvent | SkippedGame]) -> ImportReport:
        """Store games that were played at another table, all of them or none.

        A game that is here already is skipped; one that was imported before goes on where it ended.

        Raises:
            BadImport: an event does not fit; the journal is as it was.
            NotStored: they could not be stored; the journal is as it was.
        """
        with _not_stored_on_error(), transaction(self._db):
            importing = ImportTransaction(self._db, self.last_id, self._chain)
            for each in events:
                importing.add(each)
            report = importing.finish()
        self.last_id, self._chain = importing.last_id, importing.chain
        return report

    def find(self, command_id: str) -> EventRow | None:
        """The event that a command made, or None.

        Raises:
            NotStored: the journal cannot be read, so nothing could be stored either.
        """
        with _not_stored_on_error():
            return next(select_rows(self._db, "WHERE command_id = ?", command_id), None)

    def line_of(self, row: EventRow) -> int | None:
        """The line of the score sheet that an event made or changed, or None.

        Raises:
            NotStored: the journal cannot be read.
        """
        event = row.event
        if isinstance(event, InPlace):
            return event.line
        if not isinstance(event, Line):
            return None
        kinds = ", ".join(f"'{kind}'" for kind in wire.LINES)
        query = f"SELECT count(*) FROM event WHERE game = ? AND seq <= ? AND kind IN ({kinds})"  # noqa: S608 - ours
        with _not_stored_on_error():
            return int(self._db.execute(query, (row.game, row.seq)).fetchone()[0])

    def rows(self, game: str | None = None) -> list[EventRow]:
        """The events of one game with the names corrected later in its match, or all events, in their order.

        Raises:
            NotStored: the journal cannot be read.
        """
        with _not_stored_on_error():
            return list(select_rows(self._db) if game is None else select_rows(self._db, EVENTS_OF_GAME, game))

    def corrections(self, game: str) -> list[EventRow]:
        """The corrections of names in the match of a game, also those made before it began, in their order.

        Raises:
            NotStored: the journal cannot be read.
        """
        with _not_stored_on_error():
            return list(select_rows(self._db, f"WHERE id IN ({CORRECTIONS_OF_MATCH})", game))

    def first_event_at(self) -> int:
        """Wall time of the first event, in nanoseconds since 1970; 0 before it.

        Raises:
            NotStored: the journal cannot be read.
        """
        return int(self._value("SELECT at FROM event ORDER BY id LIMIT 1") or 0)

    def running_game(self) -> str | None:
        """The id of the last game started and not abandoned, over or not; None before the first.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value(RUNNING_GAME)

    def previous_game(self, game: str) -> str | None:
        """The id of the game that would be on the table if `game` were abandoned, or None.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value(
            "SELECT id FROM game WHERE NOT abandoned AND imported = 0"
            " AND started < (SELECT started FROM game WHERE id = ?) ORDER BY started DESC LIMIT 1",
            game,
        )

    def _value(self, query: str, *values: object) -> str | None:
        with _not_stored_on_error():
            found = self._db.execute(query, values).fetchone()
        return None if found is None else str(found[0])

    def match_of(self, game: str) -> str | None:
        """The id of the match that a game of this table belongs to; None for one that is unknown or abandoned.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value("SELECT match FROM game WHERE id = ? AND NOT abandoned AND imported = 0", game)

    def match_before(
        self, game: str, lanes: int, new_results: Mapping[str, Result | None] | None = None
    ) -> tuple[str, Match]:
        """The id of the match that `game` belongs to, and how that match stood before it.

        `new_results` holds results that are about to change, by the id of their game.

        Raises:
            NotStored: the journal cannot be read.
        """
        with _not_stored_on_error():
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
def _not_stored_on_error() -> Iterator[None]:
    """Turn an error of SQLite into one sentence that every display shows.

    Raises:
        NotStored: there was such an error.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise NotStored("not_saved", fault=Message("verbatim", text=error)) from error
