"""A snapshot of the table: what a preview is judged on while commands go on; the journal is read query by query."""

import copy
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import cast

from pegboard.core.match import Match, Result
from pegboard.game_session import GameSession
from pegboard.live_table import LiveTable
from pegboard.storage.event_row import EventRow
from pegboard.storage.journal.journal import Journal


def snapshot_of(table: LiveTable) -> LiveTable:
    """The table as it is now, to be looked at without its lock, which the caller holds; nobody may change it."""
    seen = copy.copy(table)
    seen.session, seen.dialled = _SessionSnapshot(table.session, table.lock), table.dialled.copy()
    return seen


class _SessionSnapshot(GameSession):
    """The game session as it was, with a journal that is read under the table's lock."""

    def __init__(self, session: GameSession, lock: AbstractContextManager[object]) -> None:
        self.__dict__ |= vars(session)
        self._journal = cast("Journal", _JournalQueries(self._journal, lock))


class _JournalQueries:
    """The queries that judging asks of a journal, each under the lock, and what it said of itself at first."""

    def __init__(self, journal: Journal, lock: AbstractContextManager[object]) -> None:
        self._journal, self._lock = journal, lock
        self.last_id, self.epoch = journal.last_id, journal.epoch
        self.is_in_memory, self.fault = journal.is_in_memory, journal.fault

    def rows(self, game: str) -> list[EventRow]:
        with self._lock:
            return self._journal.rows(game)

    def previous_game(self, game: str) -> str | None:
        with self._lock:
            return self._journal.previous_game(game)

    def match_of(self, game: str) -> str | None:
        with self._lock:
            return self._journal.match_of(game)

    def match_before(
        self, game: str, lanes: int, new_results: Mapping[str, Result | None] | None = None
    ) -> tuple[str, Match]:
        with self._lock:
            return self._journal.match_before(game, lanes, new_results)
