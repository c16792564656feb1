"""Upkeep of the journal while the table runs: what is found wrong becomes an alarm, and the game is read again."""

import contextlib
from collections.abc import Callable, Sequence
from typing import Protocol

from pegboard.core.match import GameInMatch
from pegboard.errors import NotStored
from pegboard.messages import Message
from pegboard.storage.journal.journal import Journal
from pegboard.storage.rescue.quarantine import forget_unsaid


class ReloadableSession(Protocol):
    """What holds the running game, and reads it from the journal."""

    running: GameInMatch

    def reload(self) -> None:
        """Read the running game anew."""


class AlarmedTable(Protocol):
    """The table whose journal it is."""

    @property
    def lock(self) -> contextlib.AbstractContextManager[object]:
        """Held by whoever changes anything of it."""

    @property
    def session(self) -> ReloadableSession:
        """Its running game."""

    def raise_alarm(self, message: Message, /) -> None:
        """Say what was found wrong."""

    def publish(self) -> None:
        """Show it."""


class JournalUpkeep:
    """Looks after the journal of a table."""

    def __init__(
        self, journal: Journal, table: AlarmedTable, begin: Callable[[], None], drop_dialled: Callable[[], None]
    ) -> None:
        """Say what was found at its opening; `begin` stores the first game, where there is none, as soon as it can.

        `drop_dialled` is called where another game is on the table than before.

        Raises:
            RuleError: the players do not fit the rules.
        """
        self._journal, self._table = journal, table
        self._begin, self._drop_dialled = begin, drop_dialled
        self._raise_alarms(journal.take_findings())
        self._begin_first_game()

    def _begin_first_game(self) -> None:
        if not self._table.session.running.id:
            with contextlib.suppress(NotStored):  # which the notice says
                self._begin()

    def _raise_alarms(self, findings: Sequence[Message]) -> None:
        for message in findings:
            self._table.raise_alarm(message)
        if findings:
            forget_unsaid(self._journal.folder)

    def look_after(self) -> None:
        """Look after the journal, about once a second, in a thread that holds nothing of the table."""
        journal, table = self._journal, self._table
        with table.lock:
            epoch = journal.epoch
            self._raise_alarms(journal.look_after())
            if journal.epoch != epoch:
                before = table.session.running.id
                table.session.reload()
                if table.session.running.id != before:
                    self._drop_dialled()
            if journal.fault is None or journal.is_in_memory:
                self._begin_first_game()
            table.publish()
        journal.checkpoint()
