"""The outbox of the link: events of the journal above what the hub has acknowledged, read page by page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pegboard.hub_protocol.event_messages import write_events
from pegboard.hub_protocol.hub_messages import Acknowledged
from pegboard.storage.event_row import EventRow
from pegboard.storage.reader import JournalReader

NOTHING = Acknowledged(0, "")
"""What a hub has acknowledged that has none of the events."""


@dataclass(frozen=True, slots=True)
class OutboxPage:
    """Events of one epoch that are sent in one message.

    Attributes:
        epoch: the id of the journal that they were stored in.
        after: number and link in the hash chain of the event that was sent before; 0 and "" for the first.
        chain: the link of the last of them.
        rows: the events, in their order.
    """

    epoch: str
    after: tuple[int, str]
    chain: str
    rows: tuple[EventRow, ...]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the events."""
        return [row.id for row in self.rows]

    def message(self, table: str) -> bytes:
        """The message that sends them as those of `table`."""
        return write_events(table, self.epoch, self.after, self.chain, [row.export_line for row in self.rows])


class Outbox:
    """What of a journal is for the hub: the events of games that were begun here after event `since`."""

    def __init__(self, journal: JournalReader, since: int, epochs: Sequence[str]) -> None:
        """`epochs` are those of these events, in their order."""
        self._journal, self._since, self._epochs = journal, since, epochs

    def find_epoch(self, acknowledged: Mapping[str, Acknowledged]) -> str | None:
        """The first epoch of which the hub lacks events; None where it has all."""
        for epoch in self._epochs:
            after = acknowledged.get(epoch, NOTHING).seq
            if self._journal.rows_of_games(self._since, epoch, after, 1):
                return epoch
        return None

    def count_waiting(self, acknowledged: Mapping[str, Acknowledged]) -> int:
        """How many events the hub lacks."""
        return sum(
            self._journal.count_of_games(self._since, epoch, acknowledged.get(epoch, NOTHING).seq)
            for epoch in self._epochs
        )

    def read_page(self, epoch: str, after: int, most: int) -> OutboxPage | None:
        """The next events of an epoch after event `after`; None where there are none, or event `after` is not there."""
        before = self._journal.link(after, epoch)
        rows = self._journal.rows_of_games(self._since, epoch, after, most)
        if not rows or before is None:
            return None
        return OutboxPage(epoch, (after, before), rows[-1][1], tuple(row for row, _ in rows))

    def is_other_history(self, acknowledged: Mapping[str, Acknowledged], epoch: str) -> bool:
        """Whether the journal, whose epoch is `epoch` now, has something else under a number that the hub has.

        What was lost of an earlier epoch is none: that is why the journal has another one.
        """
        known = {each: acknowledged[each] for each in self._epochs if each in acknowledged}
        links = {each: self._journal.link(mark.seq, each) for each, mark in known.items()}
        return any(link != known[each].chain and (link is not None or each == epoch) for each, link in links.items())
