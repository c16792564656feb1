"""Upkeep of the journal while the table runs: what is found wrong becomes an alarm, and the game is read again."""

import contextlib
from collections.abc import Iterable

from pegboard.core.match import Setup
from pegboard.errors import NotStored
from pegboard.live_table import LiveTable
from pegboard.messages import Message
from pegboard.storage.journal import Journal

TABLE = "table"
"""The source of what the table does by itself: its first game, or one for players named at its start."""


class JournalUpkeep:
    """Looks after the journal of a table."""

    def __init__(self, journal: Journal, table: LiveTable, first: Setup) -> None:
        """Say what was found at its opening; where it has no game, begin one for `first`, or as soon as that is stored.

        Raises:
            RuleError: the players do not fit the rules.
        """
        self._journal, self._table, self._first = journal, table, first
        self._say(journal.take_findings())
        self._begin()

    def _begin(self) -> None:
        if not self._table.session.running.id:
            with contextlib.suppress(NotStored):  # which the notice says
                self._table.start_game(self._first, TABLE)

    def _say(self, found: Iterable[Message]) -> None:
        for message in found:
            self._table.raise_alarm(message)

    def look_after(self) -> None:
        """Look after the journal, about once a second."""
        journal, table = self._journal, self._table
        with table.lock:
            epoch = journal.epoch
            self._say(found := journal.look_after())
            if journal.epoch != epoch:
                table.session.reload()
                table.dialled.clear()
            if journal.fault is None or journal.is_in_memory:
                self._begin()
            if found:
                table.publish()
        journal.checkpoint()
