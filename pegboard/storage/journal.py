"""The journal: an append-only SQLite table of events, each on disk before anybody is answered."""

from collections.abc import Iterable
from typing import Self

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import Result
from pegboard.core.moves import Event
from pegboard.errors import NotStored
from pegboard.messages import Message
from pegboard.storage.durability.journal_files import JournalFiles
from pegboard.storage.event_row import CHAIN, INSERT_EVENT, NUMBER, Row, canonical_json, chain_hash
from pegboard.storage.imports.import_transaction import ImportedEvent, ImportReport, ImportTransaction, SkippedGame
from pegboard.storage.summary.summary_tables import update_summary


class Journal(JournalFiles):
    """The journal of one table, open for writing by this process alone."""

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

        `result` is how the game is won after it, None while it is not; `sheet` is the game after it, or the game that
        it abandons.

        Raises:
            NotStored: it could not be stored; the journal is as it was.
        """
        if not game:  # the first one could not be stored yet
            raise NotStored("not_saved", fault=self._fault or Message("journal_no_game"))
        kind, body = wire.event_values(event)
        values = (game, at, kind, canonical_json(body), source, command_id, request)
        with self._storing():
            row = self._insert(values)
            update_summary(self._db, event, game, self.last_id + 1, at, result, sheet)
        self._advance(row[NUMBER], row[CHAIN])
        self._match_rows.add(row, event, self._db)

    def _insert(self, values: tuple[str, int, str, str, str, str | None, str | None]) -> Row:
        game, *rest = values
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM event WHERE game = ?", (game,)).fetchone()
        columns = (self.last_id + 1, self.epoch, game, seq, *rest, wire.VERSION)
        row = (*columns, chain_hash(self._chain, columns))
        self._db.execute(INSERT_EVENT, row)
        return row

    def import_games(self, events: Iterable[ImportedEvent | SkippedGame]) -> ImportReport:
        """Store games that were played at another table, all of them or none.

        A game that is here already is skipped; one that was imported before goes on where it ended.

        Raises:
            BadImport: an event does not fit; the journal is as it was.
            NotStored: they could not be stored; the journal is as it was.
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
