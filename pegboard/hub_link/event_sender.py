"""Sends the events that the hub lacks, in a window, each time when some are due."""

from collections.abc import Callable, Mapping
from pathlib import Path

from pegboard.core.view import View
from pegboard.errors import JournalError
from pegboard.hub_link.journal_outbox import NOTHING, Outbox
from pegboard.hub_link.link_condition import LinkCondition
from pegboard.hub_link.send_window import SendWindow
from pegboard.hub_protocol.hub_messages import Acknowledged
from pegboard.storage.reader import JournalReader, read_snapshot

RETRY_S = 5.0
"""Seconds after which a journal that could not be read is read again."""


class EventSender:
    """What is sent of a journal, and what of it is acknowledged; one thread uses it.

    Attributes:
        is_due: whether something may have to be sent: there are new events, or another acknowledgement.
        acknowledged: up to where the hub has the events, by epoch.
    """

    def __init__(
        self, folder: Path, since: int, publish: Callable[[bytes], bool], table: str, jitter: Callable[[], float]
    ) -> None:
        """Those of games that were begun after event `since` are sent, by `publish`, as those of `table`."""
        self._folder, self._since, self._publish, self._table = folder, since, publish, table
        self._jitter, self._window = jitter, SendWindow(jitter)
        self._epochs: list[str] = []
        self._epoch = ""
        self._retry_s: float | None = None
        self._view = View()
        self.is_due = False
        self.acknowledged: Mapping[str, Acknowledged] = {}

    @property
    def due_s(self) -> float | None:
        """When something is to be sent again, by the steady clock; None for not before there is news."""
        times = [at for at in (self._window.due_s, self._retry_s) if at is not None]
        return min(times, default=None)

    def note_view(self, view: View) -> None:
        """There may be new events."""
        self.is_due |= (view.epoch, view.revision) != (self._view.epoch, self._view.revision)
        self._view = view

    def restart(self) -> None:
        """Send all again that is not acknowledged: after a new connection, or the birth of a hub."""
        self._window.restart()
        self.is_due = True

    def send(self, acknowledged: Mapping[str, Acknowledged] | None, condition: LinkCondition, now_s: float) -> None:
        """Send what is due to the hub that has acknowledged so much; None where no hub is there."""
        self.is_due |= self._window.back_off(now_s)
        if self._retry_s is not None and now_s >= self._retry_s:
            self.is_due, self._retry_s = True, None
        if acknowledged is None or not self.is_due:
            return
        self.is_due, condition.unreadable, self.acknowledged = False, None, acknowledged
        try:
            with read_snapshot(self._folder) as journal:
                self._send_from(journal, condition, now_s)
        except JournalError as error:
            self._retry_s, condition.unreadable = now_s + RETRY_S, error.message

    def _send_from(self, journal: JournalReader, condition: LinkCondition, now_s: float) -> None:
        if self._view.epoch not in self._epochs:
            self._epochs = journal.epochs_of_games(self._since)
        outbox = Outbox(journal, self._since, self._epochs)
        condition.is_other = outbox.is_other_history(self.acknowledged, self._view.epoch)
        self._turn_to(outbox.find_epoch(self.acknowledged) or self._epoch, now_s)
        while self._epoch and (page := outbox.read_page(self._epoch, self._window.sent, self._window.room)):
            if not self._publish(page.message(self._table)):
                break
            self._window.note_sent(page.numbers, now_s)
        condition.note_waiting(outbox.count_waiting(self.acknowledged), now_s)

    def _turn_to(self, epoch: str, now_s: float) -> None:
        """Go on with that epoch from what is acknowledged of it."""
        number = self.acknowledged.get(epoch, NOTHING).seq
        if epoch != self._epoch:
            self._epoch, self._window = epoch, SendWindow(self._jitter, number)
        self._window.acknowledge(number, now_s)
