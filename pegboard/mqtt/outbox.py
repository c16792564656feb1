"""The outbox of the link: events of the journal above what the hub has acknowledged, read page by page."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pegboard.mqtt.messages_of_hub import WINDOW, Acknowledged, HubPresence, write_events
from pegboard.storage.event_row import EventRow
from pegboard.storage.reader import JournalReader

# --- what a table has heard of hubs: which are there and serve its event, and what each has acknowledged. Pure ---


class HubsHeard:
    """The hubs of one event.

    An acknowledgement counts while its hub is there: another hub, on a new laptop, has stored nothing of what the one
    before acknowledged. Where two are there, an event counts once both have it.
    """

    def __init__(self, event: str) -> None:
        self._event = event
        self._presences: dict[str, HubPresence] = {}
        self._births: dict[str, str] = {}
        self._acknowledged: dict[str, Mapping[str, Acknowledged]] = {}

    @property
    def present(self) -> list[str]:
        """The hubs that are there and serve the event."""
        return [hub for hub, one in self._presences.items() if one.is_online and self._event in one.events]

    @property
    def is_event_unknown(self) -> bool:
        """Whether a hub is there, and none that serves the event."""
        return not self.present and any(one.is_online for one in self._presences.values())

    def forget_presences(self) -> None:
        """The connection is lost; over the next one the broker says anew who is there."""
        self._presences.clear()

    def note_presence(self, presence: HubPresence) -> bool:
        """A hub is there, or not; whether it has been born anew, so that what was sent last may not have arrived."""
        self._presences[presence.hub] = presence
        is_newborn = presence.is_online and self._births.get(presence.hub) != presence.birth
        if is_newborn:
            self._births[presence.hub] = presence.birth
        return is_newborn

    def note_acknowledgement(self, hub: str, acknowledged: Mapping[str, Acknowledged]) -> None:
        """A hub has stored the events up to these, by epoch; the newest word counts, also where it says less."""
        self._acknowledged[hub] = acknowledged

    def common_acknowledgement(self) -> dict[str, Acknowledged]:
        """Up to where every hub that is there has the events of each epoch."""
        of_each = [self._acknowledged.get(hub, {}) for hub in self.present]
        epochs = set().union(*of_each)
        return {epoch: min((one.get(epoch, NOTHING) for one in of_each), key=lambda each: each.seq) for epoch in epochs}


# --- which events are sent next: a window of unacknowledged ones, and a back-off before they are sent again ---
#
# Pure: the time and chance come as arguments.


FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 60.0
"""Seconds without an acknowledgement after which all is sent again: at first, and at most.

Half as much to half as much again, as chance has it: with a fixed wait a room of tables sends all at one moment.
"""


class SendWindow:
    """Events of one epoch that are sent and not acknowledged.

    Attributes:
        acknowledged: the number up to which the hub has them.
        sent: the number up to which they are sent.
    """

    def __init__(self, jitter: Callable[[], float], acknowledged: int = 0) -> None:
        """`jitter` gives numbers from 0 to 1 by chance."""
        self._jitter = jitter
        self._under_way: deque[int] = deque()
        self._wait_s, self._due_s = FIRST_WAIT_S, 0.0
        self.acknowledged = self.sent = acknowledged

    @property
    def room(self) -> int:
        """How many more events may be sent now."""
        return WINDOW - len(self._under_way)

    @property
    def due_s(self) -> float | None:
        """When all is sent again unless the hub acknowledges some; None where nothing is under way."""
        return self._due_s if self._under_way else None

    def note_sent(self, numbers: Sequence[int], now_s: float) -> None:
        """These events are sent."""
        if not self._under_way:
            self._set_due(now_s)
        self._under_way.extend(numbers)
        self.sent = numbers[-1]

    def acknowledge(self, number: int, now_s: float) -> None:
        """The hub has the events up to `number`; a hub that was put back to an older state has fewer than before."""
        has_come_on = number > self.acknowledged
        has_gone_back = number < self.acknowledged
        self.acknowledged = number
        if has_gone_back or number > self.sent:
            self.restart()
        while self._under_way and self._under_way[0] <= number:
            self._under_way.popleft()
        if has_come_on:
            self._wait_s = FIRST_WAIT_S
            self._set_due(now_s)

    def restart(self) -> None:
        """Send from what is acknowledged on again: after a new connection, or the birth of a hub."""
        self._under_way.clear()
        self.sent = self.acknowledged

    def back_off(self, now_s: float) -> bool:
        """Where the hub has been silent for too long, send all again, and wait longer the next time; whether so."""
        if not self._under_way or now_s < self._due_s:
            return False
        self.restart()
        self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)
        return True

    def _set_due(self, now_s: float) -> None:
        self._due_s = now_s + self._wait_s * (0.5 + self._jitter())


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
