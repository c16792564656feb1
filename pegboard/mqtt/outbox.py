"""The outbox of the hub link: known hubs, send window with back-off, unacknowledged journal events, page by page."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pegboard.mqtt.messages_of_hub import WINDOW, Acknowledged, HubPresence, write_events
from pegboard.storage.event_row import EventRow
from pegboard.storage.reader import JournalReader

# --- known hubs: which are online and serve this event, and what each has acknowledged. Pure ---


class KnownHubs:
    """The hubs of one event.

    An acknowledgment counts only while its hub is online: a replacement hub on a new laptop has not stored the events
    that the previous hub acknowledged. If two hubs are online, an event counts as stored only if both have it.
    """

    def __init__(self, event: str) -> None:
        self._event = event
        self._presences: dict[str, HubPresence] = {}
        self._births: dict[str, str] = {}
        self._acknowledged: dict[str, Mapping[str, Acknowledged]] = {}

    @property
    def present(self) -> list[str]:
        """The hubs that are online and serve the event."""
        return [hub for hub, one in self._presences.items() if one.is_online and self._event in one.events]

    @property
    def is_event_unknown(self) -> bool:
        """Whether hubs are online but none of them serves the event."""
        return not self.present and any(one.is_online for one in self._presences.values())

    def forget_presences(self) -> None:
        """Forget presences after a lost connection; the broker sends them again over the next one."""
        self._presences.clear()

    def note_presence(self, presence: HubPresence) -> bool:
        """Store a hub's presence; True if the hub has a new `birth`, so the events sent last may not have arrived."""
        self._presences[presence.hub] = presence
        is_newborn = presence.is_online and self._births.get(presence.hub) != presence.birth
        if is_newborn:
            self._births[presence.hub] = presence.birth
        return is_newborn

    def note_acknowledgement(self, hub: str, acknowledged: Mapping[str, Acknowledged]) -> None:
        """Store the last event of each epoch that a hub has; the newest report counts, even if it is lower."""
        self._acknowledged[hub] = acknowledged

    def common_acknowledgement(self) -> dict[str, Acknowledged]:
        """For each epoch, the last event that all online hubs have."""
        of_each = [self._acknowledged.get(hub, {}) for hub in self.present]
        epochs = set().union(*of_each)
        return {epoch: min((one.get(epoch, NOTHING) for one in of_each), key=lambda each: each.seq) for epoch in epochs}


# --- send window: which events are sent next, and exponential back-off before they are resent ---
#
# Pure: the time and random numbers come as arguments.


FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 60.0
"""Seconds without an acknowledgment before all pending events are resent: at first, and at most.

Multiplied by a random factor from 0.5 to 1.5; with a fixed wait a room full of tables would resend at the same moment.
"""


class SendWindow:
    """Events of one epoch that were sent but not acknowledged.

    Attributes:
        acknowledged: the number of the last event that the hub has.
        sent: the number of the last event that was sent.
    """

    def __init__(self, jitter: Callable[[], float], acknowledged: int = 0) -> None:
        """`jitter` returns random numbers from 0 to 1."""
        self._jitter = jitter
        self._under_way: deque[int] = deque()
        self._wait_s, self._due_s = FIRST_WAIT_S, 0.0
        self.acknowledged = self.sent = acknowledged

    @property
    def room(self) -> int:
        """The number of events that may still be sent now."""
        return WINDOW - len(self._under_way)

    @property
    def due_s(self) -> float | None:
        """When all pending events are resent unless the hub acknowledges some; None if nothing is pending."""
        return self._due_s if self._under_way else None

    def note_sent(self, numbers: Sequence[int], now_s: float) -> None:
        """Record that these events were sent."""
        if not self._under_way:
            self._set_due(now_s)
        self._under_way.extend(numbers)
        self.sent = numbers[-1]

    def acknowledge(self, number: int, now_s: float) -> None:
        """Record that the hub has the events up to `number`; a hub restored to an older state has fewer than before."""
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
        """Resend everything after the last acknowledged event: after a reconnect, or if a hub has a new `birth`."""
        self._under_way.clear()
        self.sent = self.acknowledged

    def back_off(self, now_s: float) -> bool:
        """If the hub has been silent too long, resend all and double the next wait; returns whether it did."""
        if not self._under_way or now_s < self._due_s:
            return False
        self.restart()
        self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)
        return True

    def _set_due(self, now_s: float) -> None:
        self._due_s = now_s + self._wait_s * (0.5 + self._jitter())


NOTHING = Acknowledged(0, "")
"""The acknowledgment of a hub that has none of the events."""


@dataclass(frozen=True, slots=True)
class OutboxPage:
    """Events of one epoch that are sent in one message.

    Attributes:
        epoch: the id of the journal that the events were stored in.
        after: number and hash-chain link of the event that was sent before; 0 and "" for the first event of an epoch.
        chain: the hash-chain link of the last event.
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
        """The message with these events, sent as `table`."""
        return write_events(table, self.epoch, self.after, self.chain, [row.export_line for row in self.rows])


class Outbox:
    """The part of a journal that goes to the hub: the events of games that began here after event `since`."""

    def __init__(self, journal: JournalReader, since: int, epochs: Sequence[str]) -> None:
        """`epochs` are the epochs of these events, in order."""
        self._journal, self._since, self._epochs = journal, since, epochs

    def find_epoch(self, acknowledged: Mapping[str, Acknowledged]) -> str | None:
        """The first epoch with events that the hub lacks; None if it has all events."""
        for epoch in self._epochs:
            after = acknowledged.get(epoch, NOTHING).seq
            if self._journal.rows_of_games(self._since, epoch, after, 1):
                return epoch
        return None

    def count_waiting(self, acknowledged: Mapping[str, Acknowledged]) -> int:
        """The number of events that the hub lacks."""
        return sum(
            self._journal.count_of_games(self._since, epoch, acknowledged.get(epoch, NOTHING).seq)
            for epoch in self._epochs
        )

    def read_page(self, epoch: str, after: int, most: int) -> OutboxPage | None:
        """The next events of an epoch after event `after`; None if there are none, or event `after` does not exist."""
        before = self._journal.link(after, epoch)
        rows = self._journal.rows_of_games(self._since, epoch, after, most)
        if not rows or before is None:
            return None
        return OutboxPage(epoch, (after, before), rows[-1][1], tuple(row for row, _ in rows))

    def is_other_history(self, acknowledged: Mapping[str, Acknowledged], epoch: str) -> bool:
        """Whether an event at the hub differs from the journal's event of that number; `epoch` is the current epoch.

        Events that an earlier epoch lost do not count: their loss started the new epoch.
        """
        known = {each: acknowledged[each] for each in self._epochs if each in acknowledged}
        links = {each: self._journal.link(mark.seq, each) for each, mark in known.items()}
        return any(link != known[each].chain and (link is not None or each == epoch) for each, link in links.items())
