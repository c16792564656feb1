"""How the link is: what it waits for, and why the hub has not got everything, in words."""

from dataclasses import dataclass

from pegboard.hub_link.hubs_heard import HubsHeard
from pegboard.messages import Message

SILENCE_S = 15.0
"""Seconds without an acknowledgement after which the link is in trouble, while events wait for one."""


@dataclass
class LinkCondition:
    """What is known of the link.

    Attributes:
        lost: why there is no connection; None while there is one.
        unreadable: why the journal could not be read; None while it can be.
        is_other: whether the hub has something else under the numbers of the journal.
        waiting: how many events the hub lacks.
        heard_s: when the hub last had something more, or lacked nothing, by the steady clock.
    """

    lost: Message | None
    unreadable: Message | None = None
    is_other: bool = False
    waiting: int = 0
    heard_s: float = 0.0

    def note_waiting(self, waiting: int, now_s: float) -> None:
        """So many events are not acknowledged now."""
        if waiting < self.waiting or not self.waiting:
            self.heard_s = now_s
        self.waiting = waiting

    def trouble(self, hubs: HubsHeard, event: str, table: str, now_s: float) -> Message | None:
        """Why the hub has not got all, or will not get it; None while all is well."""
        if self.lost is not None or self.unreadable is not None:
            return self.lost or self.unreadable
        if self.is_other:
            return Message("trouble_hub_history", table=table)
        if hubs.is_event_unknown:
            return Message("trouble_hub_event", event=event)
        if not hubs.present:
            return Message("trouble_hub_away")
        return Message("trouble_hub_silent") if self.waiting and now_s >= self.heard_s + SILENCE_S else None
